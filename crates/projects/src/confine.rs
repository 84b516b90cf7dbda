//! Where a path really leads: links followed, and never out of the project.

use std::io;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

use webcodex_contracts::ProjectPath;

/// A place inside the project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Confined {
    /// The place on disk, with links resolved. For what does not exist yet, its nearest existing folder is resolved.
    pub absolute: PathBuf,
    /// The place inside the project, in the spelling the file system has.
    pub relative: ProjectPath,
    /// What is there.
    pub kind: EntryKind,
}

/// What is at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// Nothing.
    Missing,
    /// A pipe, a socket, a device: nothing that can be read as a file.
    Other,
}

/// Why a path cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfineError {
    /// A link leads out of the project.
    #[error("`{path}` is a link that leads out of the project")]
    LeavesProject {
        /// The path as it was given.
        path: ProjectPath,
    },
    /// A link whose target does not exist.
    #[error("`{path}` is a link to something that does not exist")]
    DanglingLink {
        /// The path as it was given.
        path: ProjectPath,
    },
    /// A file stands where a folder would have to be.
    #[error("`{path}` cannot exist: `{file}` is a file, not a folder")]
    NotAFolder {
        /// The path as it was given.
        path: ProjectPath,
        /// The file in the way.
        file: ProjectPath,
    },
    /// Inside a git folder, which is not changed.
    #[error("`{path}` is inside a git folder, which is not changed by edits")]
    GitFolder {
        /// The path as it was given.
        path: ProjectPath,
    },
    /// The project's folder is gone or unreadable.
    #[error("the project's folder `{}` is not available: {source}", .root.display())]
    WorkspaceUnavailable {
        /// The folder.
        root: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file's real name is not valid Unicode.
    #[error("`{path}` leads to a name that is not valid Unicode")]
    NotUnicode {
        /// The path as it was given.
        path: ProjectPath,
    },
    /// The system refused to look.
    #[error("`{path}` cannot be looked up: {source}")]
    Io {
        /// The path as it was given.
        path: ProjectPath,
        /// What the system said.
        source: io::Error,
    },
}

/// Resolves `path` under `root` (canonical) and refuses what leads out of it.
pub(crate) fn confine(root: &Path, path: &ProjectPath) -> Result<Confined, ConfineError> {
    let wanted = join(root, path);
    match dunce::canonicalize(&wanted) {
        Ok(absolute) => inside(root, path, absolute),
        Err(error) if error.kind() == io::ErrorKind::NotFound => missing(root, path, &wanted),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => Err(not_a_folder(root, path)),
        Err(source) => Err(ConfineError::Io { path: path.clone(), source }),
    }
}

fn join(root: &Path, path: &ProjectPath) -> PathBuf {
    let mut joined = root.to_path_buf();
    joined.extend(path.parts());
    joined
}

fn inside(root: &Path, path: &ProjectPath, absolute: PathBuf) -> Result<Confined, ConfineError> {
    let Ok(rest) = absolute.strip_prefix(root) else {
        return Err(ConfineError::LeavesProject { path: path.clone() });
    };
    let relative = to_project_path(rest).ok_or_else(|| ConfineError::NotUnicode { path: path.clone() })?;
    let metadata =
        std::fs::metadata(&absolute).map_err(|source| ConfineError::Io { path: path.clone(), source })?;
    let kind = match metadata.file_type() {
        kind if kind.is_file() => EntryKind::File,
        kind if kind.is_dir() => EntryKind::Folder,
        _ => EntryKind::Other,
    };
    Ok(Confined { absolute, relative, kind })
}

/// `path` does not exist: resolves the nearest folder that does, so that a linked folder cannot lead out.
fn missing(root: &Path, path: &ProjectPath, wanted: &Path) -> Result<Confined, ConfineError> {
    if wanted.symlink_metadata().is_ok() {
        return Err(ConfineError::DanglingLink { path: path.clone() });
    }
    if path.is_root() {
        let source = io::Error::from(io::ErrorKind::NotFound);
        return Err(ConfineError::WorkspaceUnavailable { root: root.to_path_buf(), source });
    }
    let parent = confine(root, &path.parent()).map_err(|error| with_path(error, path))?;
    match parent.kind {
        EntryKind::Folder | EntryKind::Missing => {}
        EntryKind::File | EntryKind::Other => {
            return Err(ConfineError::NotAFolder { path: path.clone(), file: parent.relative });
        }
    }
    let name = path.file_name().unwrap_or_default();
    let relative = match parent.relative.is_root() {
        true => name.to_owned(),
        false => format!("{}/{name}", parent.relative.as_str()),
    };
    let relative =
        ProjectPath::parse(&relative).map_err(|_| ConfineError::NotUnicode { path: path.clone() })?;
    Ok(Confined { absolute: parent.absolute.join(name), relative, kind: EntryKind::Missing })
}

fn not_a_folder(root: &Path, path: &ProjectPath) -> ConfineError {
    let mut file = path.parent();
    while !file.is_root() && join(root, &file).symlink_metadata().is_err() {
        file = file.parent();
    }
    ConfineError::NotAFolder { path: path.clone(), file }
}

/// The error about a parent, told about the path that was asked for.
fn with_path(error: ConfineError, asked: &ProjectPath) -> ConfineError {
    match error {
        ConfineError::LeavesProject { .. } => ConfineError::LeavesProject { path: asked.clone() },
        ConfineError::DanglingLink { .. } => ConfineError::DanglingLink { path: asked.clone() },
        other => other,
    }
}

fn to_project_path(relative: &Path) -> Option<ProjectPath> {
    let text = relative.to_str()?;
    match MAIN_SEPARATOR {
        '/' => ProjectPath::parse(text).ok(),
        separator => ProjectPath::parse(&text.replace(separator, "/")).ok(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn at(root: &Path, path: &str) -> Result<Confined, ConfineError> {
        confine(&dunce::canonicalize(root).unwrap(), &ProjectPath::parse(path).unwrap())
    }

    #[test]
    fn files_folders_and_missing_things_are_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("src")).unwrap();
        std::fs::write(folder.path().join("src/a.rs"), "a").unwrap();
        assert_eq!(at(folder.path(), "src").unwrap().kind, EntryKind::Folder);
        assert_eq!(at(folder.path(), "src/a.rs").unwrap().kind, EntryKind::File);
        let missing = at(folder.path(), "new/deep/b.rs").unwrap();
        assert_eq!((missing.kind, missing.relative.as_str()), (EntryKind::Missing, "new/deep/b.rs"));
        let error = at(folder.path(), "src/a.rs/x/y").unwrap_err();
        assert!(
            matches!(error, ConfineError::NotAFolder { ref file, .. } if file.as_str() == "src/a.rs"),
            "{error}"
        );
    }

    #[test]
    fn a_vanished_folder_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let root = dunce::canonicalize(folder.path()).unwrap();
        drop(folder);
        let error = confine(&root, &ProjectPath::parse("a/b").unwrap()).unwrap_err();
        assert!(matches!(error, ConfineError::WorkspaceUnavailable { .. }), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn links_stay_inside_or_are_refused() {
        use std::os::unix::fs::symlink;
        let outside = tempfile::tempdir().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        std::fs::write(root.join("real.txt"), "x").unwrap();
        symlink("real.txt", root.join("alias.txt")).unwrap();
        symlink(outside.path(), root.join("out")).unwrap();
        symlink("nowhere", root.join("dangling")).unwrap();
        symlink("loop", root.join("loop")).unwrap();
        assert_eq!(at(root, "alias.txt").unwrap().relative.as_str(), "real.txt");
        for path in ["out", "out/new.txt", "out/deep/new.txt"] {
            assert!(matches!(at(root, path), Err(ConfineError::LeavesProject { .. })), "{path}");
        }
        for path in ["dangling", "dangling/x"] {
            assert!(matches!(at(root, path), Err(ConfineError::DanglingLink { .. })), "{path}");
        }
        assert!(at(root, "loop").is_err());
    }

    proptest! {
        #[test]
        fn whatever_is_confined_lies_under_the_root(parts in proptest::collection::vec("[a-c.]{1,3}|link", 1..5)) {
            let folder = tempfile::tempdir().unwrap();
            let root = dunce::canonicalize(folder.path()).unwrap();
            std::fs::create_dir_all(root.join("a/b")).unwrap();
            #[cfg(unix)]
            std::os::unix::fs::symlink("/", root.join("link")).unwrap();
            if let Ok(path) = ProjectPath::parse(&parts.join("/"))
                && let Ok(confined) = confine(&root, &path)
            {
                prop_assert!(confined.absolute.starts_with(&root));
                prop_assert_eq!(confined.absolute, join(&root, &confined.relative));
            }
        }
    }
}
