//! A path inside a project, as text: relative, normalised, with forward slashes.
//!
//! This is the lexical half of confinement. That the path does not leave the project through a link is checked on
//! the disk by `projects::confine`.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Longest path accepted, in bytes.
const MAX_PATH_BYTES: usize = 4096;

/// A relative path with `/` between its parts, no `.`/`..`, no NUL; empty means the project's folder itself.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct ProjectPath(String);

/// Why a text is not a path inside a project.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PathError {
    /// A part is `..`.
    #[error("`{0}` leads out of the project: `..` is not allowed; give the path from the project's folder")]
    Traversal(String),
    /// Starts at a root, a drive or a home folder.
    #[error("`{0}` is absolute: give the path relative to the project's folder")]
    Absolute(String),
    /// Holds a NUL or another control character that no file name needs.
    #[error("the path {0:?} contains a NUL byte")]
    Nul(String),
    /// Longer than any file system allows.
    #[error("the path is {0} bytes long; at most 4096 are allowed")]
    TooLong(usize),
    /// A name Windows keeps for devices, or one it cannot store.
    #[error("`{name}` in `{path}` is not a portable file name: {reason}; choose another name")]
    NotPortable {
        /// The whole path.
        path: String,
        /// The part that is the problem.
        name: String,
        /// What is wrong with it.
        reason: &'static str,
    },
}

impl ProjectPath {
    /// The project's folder itself.
    pub fn root() -> Self {
        Self(String::new())
    }

    /// Normalises `./a//b/` to `a/b` and refuses what could leave the project.
    pub fn parse(text: &str) -> Result<Self, PathError> {
        if text.len() > MAX_PATH_BYTES {
            return Err(PathError::TooLong(text.len()));
        }
        if text.contains('\0') {
            return Err(PathError::Nul(text.to_owned()));
        }
        if is_absolute(text) {
            return Err(PathError::Absolute(text.to_owned()));
        }
        let mut parts = Vec::new();
        for part in split(text) {
            match part {
                "" | "." => {}
                ".." => return Err(PathError::Traversal(text.to_owned())),
                part => parts.push(part),
            }
        }
        let path = parts.join("/");
        // `./~/x` would be written `~/x`, which means something else.
        if is_absolute(&path) {
            return Err(PathError::Absolute(text.to_owned()));
        }
        let path = Self(path);
        if cfg!(windows) {
            // There such a name is a device, a stream of a file, or another spelling of a name: `.git.` is `.git`.
            path.require_portable()?;
        }
        Ok(path)
    }

    /// Refuses names that cannot exist on every system; for paths that are about to be created.
    pub fn require_portable(&self) -> Result<(), PathError> {
        for name in self.0.split('/').filter(|name| !name.is_empty()) {
            if let Some(reason) = unportable(name) {
                return Err(PathError::NotPortable { path: self.0.clone(), name: name.to_owned(), reason });
            }
        }
        Ok(())
    }

    /// The path as text; empty for the project's folder.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether this is the project's folder itself.
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// The last part, if there is one.
    pub fn file_name(&self) -> Option<&str> {
        self.0.rsplit('/').next().filter(|name| !name.is_empty())
    }

    /// The folder that holds this path; the root for a top-level name.
    pub fn parent(&self) -> ProjectPath {
        Self(self.0.rsplit_once('/').map(|(parent, _)| parent.to_owned()).unwrap_or_default())
    }

    /// The parts from the project's folder down.
    pub fn parts(&self) -> impl Iterator<Item = &str> {
        self.0.split('/').filter(|part| !part.is_empty())
    }
}

/// Windows callers write `src\lib.rs`; elsewhere a backslash is an ordinary character of a name.
fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c| c == '/' || (cfg!(windows) && c == '\\'))
}

fn is_absolute(text: &str) -> bool {
    let bytes = text.as_bytes();
    let drive = bytes.len() >= 2 && bytes[1] == b':' && bytes[0].is_ascii_alphabetic();
    let drive_root = drive && (cfg!(windows) || matches!(bytes.get(2), Some(b'/' | b'\\')));
    text.starts_with('/') || text.starts_with("\\\\") || text == "~" || text.starts_with("~/") || drive_root
}

/// Why Windows could not hold a file of this name, if it could not.
fn unportable(name: &str) -> Option<&'static str> {
    const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];
    let stem = name.split('.').next().unwrap_or(name).trim_end().to_ascii_lowercase();
    let numbered = ["com", "lpt"].iter().any(|port| {
        let digit = stem
            .strip_prefix(port)
            .and_then(|rest| rest.chars().next().filter(|_| rest.chars().count() == 1));
        digit.is_some_and(|digit| digit.is_ascii_digit() && digit != '0' || "¹²³".contains(digit))
    });
    if numbered || DEVICES.contains(&stem.as_str()) {
        return Some("Windows reserves it for a device");
    }
    if name.ends_with(['.', ' ']) {
        return Some("Windows drops a trailing dot or blank");
    }
    name.chars()
        .any(|c| c.is_control() || "<>:\"|?*\\".contains(c))
        .then_some("it contains a character that Windows does not allow")
}

impl fmt::Display for ProjectPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_root() { "." } else { &self.0 })
    }
}

impl TryFrom<String> for ProjectPath {
    type Error = PathError;
    fn try_from(text: String) -> Result<Self, PathError> {
        Self::parse(&text)
    }
}

impl From<ProjectPath> for String {
    fn from(path: ProjectPath) -> String {
        path.0
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn spellings_of_one_path_are_one_path() {
        for text in ["a/b", "./a/b", "a//b", "a/./b/", "././a/b"] {
            assert_eq!(ProjectPath::parse(text).unwrap().as_str(), "a/b", "{text}");
        }
        assert!(ProjectPath::parse(".").unwrap().is_root());
        assert!(ProjectPath::parse("").unwrap().is_root());
    }

    #[test]
    fn what_could_leave_the_project_is_refused() {
        for text in
            ["..", "a/../b", "../a", "/etc/passwd", "~", "~/x", "C:/x", "C:\\x", "\\\\host\\share", "a\0b"]
        {
            assert!(ProjectPath::parse(text).is_err(), "{text:?}");
        }
        assert!(ProjectPath::parse(&"a/".repeat(3000)).is_err(), "too long");
    }

    #[test]
    fn new_files_need_portable_names() {
        for text in ["nul", "src/AUX.txt", "com1", "Lpt9.log", "a./b", "a ", "x:y", "con .txt", "a?b"] {
            let path = ProjectPath::parse(text);
            assert_eq!(path.is_err(), cfg!(windows), "{text:?}");
            assert!(path.and_then(|path| path.require_portable()).is_err(), "{text:?}");
        }
        for text in ["null", "com", "com0", "com10", "aux_/x", ".gitignore", "中文 名.txt", "console.rs"] {
            assert!(ProjectPath::parse(text).unwrap().require_portable().is_ok(), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn a_parsed_path_never_leaves_and_parses_to_itself(text in "[a-z./~\\\\:\\x00 ]{0,24}") {
            if let Ok(path) = ProjectPath::parse(&text) {
                prop_assert!(path.parts().all(|part| part != ".." && part != "."));
                prop_assert!(!path.as_str().starts_with('/') && !path.as_str().contains('\0'));
                prop_assert_eq!(ProjectPath::parse(path.as_str()).ok(), Some(path));
            }
        }
    }
}
