//! Folders and files as the walk sees them: never through a link, and never opened unless they are regular.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

use std::io::{self, Read};

#[cfg(unix)]
pub(super) use unix::Folder;
#[cfg(windows)]
pub(super) use windows::Folder;

/// What an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    File,
    Folder,
    /// A link, a pipe, a socket, a device: never opened.
    Other,
}

/// What a listing tells about an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) name: Box<str>,
    pub(super) kind: Kind,
    pub(super) hidden: bool,
}

/// What is in a folder, in no order, without `.git`.
#[derive(Debug, Clone, Default)]
pub(super) struct Entries {
    pub(super) list: Vec<Entry>,
    /// How many names are not Unicode, so that no path can say them.
    pub(super) unnameable: usize,
}

impl Entries {
    /// Adds an entry unless it is the git folder.
    fn add(&mut self, name: Option<&str>, kind: Kind, hidden_by_attribute: bool) {
        match name {
            None if kind == Kind::Other => {}
            None => self.unnameable += 1,
            Some(name) if is_git_folder(name) => {}
            Some(name) => {
                let hidden = hidden_by_attribute || name.starts_with('.');
                self.list.push(Entry { name: name.into(), kind, hidden });
            }
        }
    }
}

/// Whether the name is that of the git folder, or of the file that stands for it in a worktree or submodule.
pub(super) fn is_git_folder(name: &str) -> bool {
    if cfg!(any(windows, target_os = "macos")) { name.eq_ignore_ascii_case(".git") } else { name == ".git" }
}

impl Folder {
    /// The text of a small file; `None` if it is not there, too large or not readable.
    pub(super) fn small_text(&self, name: &str, max_bytes: u64) -> Option<String> {
        let mut text = Vec::new();
        self.open_file(name).ok()?.take(max_bytes + 1).read_to_end(&mut text).ok()?;
        (text.len() as u64 <= max_bytes).then(|| String::from_utf8_lossy(&text).into_owned())
    }
}

/// Whether an error says that the entry is no longer what the listing said; it then counts as not being there.
pub(super) fn is_gone(error: &io::Error) -> bool {
    use io::ErrorKind::{IsADirectory, NotADirectory, NotFound};
    matches!(error.kind(), NotFound | NotADirectory | IsADirectory)
}
