//! Which folders may be projects.

use std::io;
use std::path::{Path, PathBuf};

/// What limits the choice of folders. Made by `settings`, which alone asks the system.
#[derive(Debug, Clone, Default)]
pub struct FolderRules {
    /// The user's home folder, which is refused itself, as are the folders that hold it.
    pub home: Option<PathBuf>,
    /// Folders of ours, refused with all that is in them except `own_allowed`.
    pub own: Vec<PathBuf>,
    /// The part of `own` where managed worktrees live.
    pub own_allowed: Vec<PathBuf>,
    /// If not empty, a project must lie in one of these.
    pub allowed_roots: Vec<PathBuf>,
}

/// Why a folder cannot be a project.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// The text is not an absolute path.
    #[error("`{0}` is not an absolute path; give the whole path of the folder")]
    NotAbsolute(String),
    /// There is nothing, or it cannot be read.
    #[error("the folder `{}` cannot be opened: {source}", .path.display())]
    Unreadable {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It is a file.
    #[error("`{}` is not a folder", .0.display())]
    NotAFolder(PathBuf),
    /// The home folder or one above it.
    #[error("`{}` is your home folder or holds it; choose the folder of one project in it", .0.display())]
    Home(PathBuf),
    /// A folder of the operating system.
    #[error("`{}` belongs to the operating system; choose the folder of a project", .0.display())]
    System(PathBuf),
    /// A folder in which WebCodex keeps its own data.
    #[error("`{}` holds WebCodex's own data; choose the folder of a project", .0.display())]
    Own(PathBuf),
    /// Outside the allowed roots.
    #[error("`{}` is not in one of the folders that projects are allowed in: {roots}", .path.display())]
    OutsideRoots {
        /// The folder.
        path: PathBuf,
        /// The allowed roots.
        roots: String,
    },
    /// Its path is not valid Unicode.
    #[error("`{}` has a name that is not valid Unicode", .0.display())]
    NotUnicode(PathBuf),
}

impl FolderRules {
    /// Resolves `path` and checks that it may be a project. Touches nothing.
    pub fn check(&self, path: &str) -> Result<PathBuf, FolderError> {
        let given = Path::new(path);
        if !given.is_absolute() || path.contains('\0') {
            return Err(FolderError::NotAbsolute(path.to_owned()));
        }
        let unreadable = |source| FolderError::Unreadable { path: given.to_path_buf(), source };
        let real = dunce::canonicalize(given).map_err(unreadable)?;
        if !real.is_dir() {
            return Err(FolderError::NotAFolder(real));
        }
        std::fs::read_dir(&real).map_err(unreadable)?;
        if real.to_str().is_none() {
            return Err(FolderError::NotUnicode(real));
        }
        self.check_place(real)
    }

    fn check_place(&self, real: PathBuf) -> Result<PathBuf, FolderError> {
        if self.home.iter().any(|home| resolved(home).starts_with(&real)) {
            return Err(FolderError::Home(real));
        }
        if is_system(&real) {
            return Err(FolderError::System(real));
        }
        let under = |folders: &[PathBuf]| folders.iter().any(|folder| real.starts_with(resolved(folder)));
        if under(&self.own) && !under(&self.own_allowed) {
            return Err(FolderError::Own(real));
        }
        if !self.allowed_roots.is_empty() && !under(&self.allowed_roots) && !under(&self.own_allowed) {
            let roots: Vec<_> = self.allowed_roots.iter().map(|root| root.display().to_string()).collect();
            return Err(FolderError::OutsideRoots { path: real, roots: roots.join(", ") });
        }
        Ok(real)
    }
}

fn resolved(path: &Path) -> PathBuf {
    dunce::canonicalize(path).unwrap_or_else(|_| path.to_path_buf())
}

/// Refused themselves; folders in them may be projects.
const HOLDERS: &[&str] = &[
    "/",
    "/home",
    "/Users",
    "/tmp",
    "/var",
    "/var/lib",
    "/var/log",
    "/var/tmp",
    "/opt",
    "/mnt",
    "/media",
    "/srv",
    "/usr",
    "/usr/local",
    "/private",
    "/private/tmp",
    "/private/var",
    "/Volumes",
    "/Applications",
];

/// Refused with everything in them.
const SYSTEM: &[&str] = &[
    "/bin",
    "/boot",
    "/dev",
    "/etc",
    "/lib",
    "/lib32",
    "/lib64",
    "/proc",
    "/sbin",
    "/sys",
    "/run",
    "/usr/bin",
    "/usr/lib",
    "/usr/libexec",
    "/usr/sbin",
    "/usr/share",
    "/System",
    "/Library",
    "/private/etc",
];

/// The same for Windows, below any drive.
const WINDOWS_SYSTEM: &[&str] =
    &["windows", "program files", "program files (x86)", "programdata", "$recycle.bin"];

fn is_system(path: &Path) -> bool {
    if cfg!(windows) {
        return is_windows_system(path);
    }
    HOLDERS.iter().any(|holder| path == Path::new(holder))
        || SYSTEM.iter().any(|system| path.starts_with(system))
}

fn is_windows_system(path: &Path) -> bool {
    let mut names = path.iter().map(|part| part.to_string_lossy().to_lowercase());
    // The first two parts are the drive or share and its root.
    let first = names.nth(2);
    match first.as_deref() {
        None => true,
        Some("users") => names.next().is_none(),
        Some(name) => WINDOWS_SYSTEM.contains(&name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn home_system_and_own_folders_are_refused() {
        let home = tempfile::tempdir().unwrap();
        let data = home.path().join("data");
        let project = home.path().join("project");
        for folder in [&data, &project, &data.join("worktrees/x")] {
            std::fs::create_dir_all(folder).unwrap();
        }
        let rules = FolderRules {
            home: Some(home.path().to_path_buf()),
            own: vec![data.clone()],
            own_allowed: vec![data.join("worktrees")],
            allowed_roots: Vec::new(),
        };
        let check = |path: &Path| rules.check(path.to_str().unwrap());
        assert!(check(&project).is_ok());
        assert!(check(&data.join("worktrees/x")).is_ok());
        assert!(matches!(check(home.path()), Err(FolderError::Home(_))));
        assert!(matches!(check(&data), Err(FolderError::Own(_))));
        assert!(matches!(rules.check("project"), Err(FolderError::NotAbsolute(_))));
        assert!(matches!(check(&home.path().join("nowhere")), Err(FolderError::Unreadable { .. })));
    }

    #[cfg(unix)]
    #[test]
    fn folders_of_the_system_are_refused() {
        let rules = FolderRules::default();
        for path in ["/", "/etc", "/usr", "/tmp", "/usr/bin", "/dev"] {
            assert!(matches!(rules.check(path), Err(FolderError::System(_))), "{path}");
        }
    }

    #[test]
    fn allowed_roots_are_kept_to() {
        let root = tempfile::tempdir().unwrap();
        let other = tempfile::tempdir().unwrap();
        let rules = FolderRules { allowed_roots: vec![root.path().to_path_buf()], ..FolderRules::default() };
        assert!(rules.check(root.path().to_str().unwrap()).is_ok());
        let error = rules.check(other.path().to_str().unwrap()).unwrap_err();
        assert!(matches!(error, FolderError::OutsideRoots { .. }), "{error}");
    }
}
