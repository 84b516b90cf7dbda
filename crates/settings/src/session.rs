//! What the environment says of the person's session at this computer.

use std::path::PathBuf;

/// Whether the desktop is KDE Plasma.
pub fn is_kde() -> bool {
    std::env::var("XDG_CURRENT_DESKTOP")
        .is_ok_and(|names| names.split(':').any(|name| name.eq_ignore_ascii_case("kde")))
}

/// Whether a window can be shown: Windows and macOS always have a screen, other systems name it in the environment.
pub fn has_screen() -> bool {
    let named = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(any(windows, target_os = "macos")) || named("DISPLAY") || named("WAYLAND_DISPLAY")
}

/// The first of these programs that is on PATH.
pub fn first_program(names: &[&str]) -> Option<PathBuf> {
    const ENDINGS: &[&str] = if cfg!(windows) { &["exe", "cmd"] } else { &[""] };
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let in_folder = |name: &str, folder: &PathBuf| {
        ENDINGS.iter().map(|ending| folder.join(name).with_extension(ending)).find(|file| file.is_file())
    };
    names.iter().find_map(|name| folders.iter().find_map(|folder| in_folder(name, folder)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_on_the_path_is_found_and_another_is_not() {
        let shell = if cfg!(windows) { "cmd" } else { "sh" };
        let found = first_program(&["no-such-program-here", shell]).unwrap();
        assert_eq!(found.file_stem().unwrap().to_str().unwrap(), shell);
        assert_eq!(first_program(&["no-such-program-here"]), None);
    }
}
