//! Opens folders and pages with the programs that the person uses for them.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tauri::AppHandle;
use tauri_plugin_opener::OpenerExt;
use webcodex_contracts::control::Failure;
use webcodex_settings::session;

use crate::links::LinkName;

/// Editors that open a folder, in the order they are looked for on PATH.
const EDITORS: &[&str] =
    &["code", "codium", "cursor", "windsurf", "zed", "zeditor", "subl", "idea", "kate", "gnome-builder"];

/// Shows a folder in the file manager.
pub(crate) fn folder(app: &AppHandle, folder: &Path) -> Result<(), Failure> {
    if !folder.is_dir() {
        return Err(Failure {
            code: "folder_missing".into(),
            message: format!("{} can’t be found.", folder.display()),
            hint: Some("It may be on a drive that is not connected.".into()),
        });
    }
    app.opener().open_path(folder.to_string_lossy(), None::<&str>).map_err(|error| not_opened(&error))
}

/// Opens a page outside.
pub(crate) fn link(app: &AppHandle, link: LinkName) -> Result<(), Failure> {
    address(app, link.address())
}

/// Opens an address of the web in the browser.
pub(crate) fn address(app: &AppHandle, address: &str) -> Result<(), Failure> {
    app.opener().open_url(address, None::<&str>).map_err(|error| not_opened(&error))
}

/// Shows a file in the file manager.
pub(crate) fn reveal(app: &AppHandle, file: &Path) -> Result<(), Failure> {
    app.opener().reveal_item_in_dir(file).map_err(|error| not_opened(&error))
}

/// The file that `path` names in a project, if it is there and really lies in it, links followed.
pub(crate) fn inside(project: &Path, path: &Path) -> Result<PathBuf, Failure> {
    let real = |path: &Path| path.canonicalize().ok();
    let found = real(project).zip(real(&project.join(path)));
    let file = found.filter(|(project, file)| file.starts_with(project) && file.is_file());
    file.map(|(_, file)| file).ok_or_else(|| Failure {
        code: "file_missing".into(),
        message: format!("{} is no file of this project.", path.display()),
        hint: Some("It may have been moved or deleted since.".into()),
    })
}

fn not_opened(error: &dyn std::error::Error) -> Failure {
    Failure {
        code: "not_opened".into(),
        message: "The system found no program to open it with.".into(),
        hint: Some(error.to_string()),
    }
}

/// Opens a folder or a file in the first editor that is there.
pub(crate) fn in_editor(what: &Path) -> Result<(), Failure> {
    let editor = session::first_program(EDITORS).ok_or_else(|| Failure {
        code: "editor_not_found".into(),
        message: "No editor was found on this computer.".into(),
        hint: Some(format!("These are looked for: {}.", EDITORS.join(", "))),
    })?;
    start(editor, what).map_err(|error| not_opened(&error))
}

/// Starts the editor and lets it be; a thread waits for its end, so that nothing is left of it then.
fn start(editor: PathBuf, what: &Path) -> std::io::Result<()> {
    let mut command = Command::new(editor);
    command.arg(what).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn()?;
    std::thread::spawn(move || child.wait());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_that_really_lie_in_the_project_are_opened() {
        let home = tempfile::tempdir().unwrap();
        let project = home.path().join("project");
        std::fs::create_dir_all(project.join("src")).unwrap();
        std::fs::write(project.join("src/a.rs"), "").unwrap();
        std::fs::write(home.path().join("secret"), "").unwrap();
        let file = project.canonicalize().unwrap().join("src/a.rs");
        assert_eq!(inside(&project, Path::new("src/a.rs")).unwrap(), file);
        for outside in ["../secret", "src/../../secret", "src", "missing", "/etc/passwd"] {
            assert_eq!(inside(&project, Path::new(outside)).unwrap_err().code, "file_missing", "{outside}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_leads_out_of_the_project_is_not_followed() {
        let home = tempfile::tempdir().unwrap();
        let project = home.path().join("project");
        std::fs::create_dir(&project).unwrap();
        std::fs::write(home.path().join("secret"), "").unwrap();
        std::os::unix::fs::symlink(home.path().join("secret"), project.join("link")).unwrap();
        assert_eq!(inside(&project, Path::new("link")).unwrap_err().code, "file_missing");
    }
}
