//! Finding and opening the repository that holds a project, and keeping what is worth keeping between calls.
//!
//! Opened for reading only, without the environment of this process. A repository that belongs to somebody else is
//! read, but nothing its own configuration names is ever run.

use std::collections::BTreeSet;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::entry::Mode;
use gix::sec::trust::DefaultForLevel;
use gix::sec::{Permission, Trust};
use parking_lot::Mutex;

use crate::GitError;
use crate::stamp::{FileStamp, Stamps};
use crate::status::{KnownFolders, Verified};

/// Open packs cannot be deleted on Windows, so a repository that is kept open there would break `git gc`.
const MAY_STAY_OPEN: bool = !cfg!(windows);

/// A repository as it is remembered for one project.
pub(crate) struct Kept {
    shared: Mutex<Option<gix::ThreadSafeRepository>>,
    git_dir: PathBuf,
    place: Place,
    prefix: BString,
    stamps: Stamps,
    index: Mutex<Option<(FileStamp, Arc<gix::index::File>)>>,
    verified: Arc<Verified>,
    known_folders: Arc<KnownFolders>,
}

/// Where a repository was found.
#[derive(Debug, Clone)]
pub(crate) enum Place {
    /// On the user's disk, trusted or not.
    Found(Trust),
    /// In our own store, for the folder `top`.
    Store {
        /// The folder whose earlier state it holds.
        top: PathBuf,
    },
}

/// What stands between a file on disk and what is stored of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Conversion {
    /// Line ends, encodings and filters, as the attributes say.
    ByAttributes,
    /// Nothing: the bytes on disk are stored.
    None,
}

/// A repository during one call, for the thread of the call.
pub(crate) struct Workspace {
    pub(crate) repo: gix::Repository,
    pub(crate) site: Site,
}

impl Deref for Workspace {
    type Target = Site;
    fn deref(&self) -> &Site {
        &self.site
    }
}

/// A repository and its working tree during one call, shared by the threads that look at it.
pub(crate) struct Site {
    /// The index as it was when the call began; empty where there is none.
    pub(crate) index: Arc<gix::index::File>,
    /// The top of the working tree.
    pub(crate) top: PathBuf,
    /// The project's folder from the top: empty, or with a trailing slash.
    pub(crate) prefix: BString,
    /// Files found to be unchanged although their times differ.
    pub(crate) verified: Arc<Verified>,
    /// Folders whose new files are known as long as they do not change.
    pub(crate) known_folders: Arc<KnownFolders>,
    /// The git folder, where it lies in the working tree under a name of its own.
    pub(crate) git_folder_inside: Option<BString>,
    /// Files outside of the working tree that say what is ignored in it.
    pub(crate) global_ignore_files: Vec<PathBuf>,
    /// How files on disk are compared with what is stored.
    pub(crate) conversion: Conversion,
    shared: gix::ThreadSafeRepository,
}

impl Kept {
    /// The repository that holds `root`; `None` where there is none, or where it ignores the whole folder.
    pub(crate) fn find(root: &Path) -> Result<Option<Self>, GitError> {
        let Some(shared) = discover(root)? else { return Ok(None) };
        let repo = shared.to_thread_local();
        let Some(prefix) = prefix_of(&repo, root) else { return Ok(None) };
        refuse_unknown_storage(&repo)?;
        let kept = Self {
            git_dir: repo.git_dir().to_owned(),
            place: Place::Found(repo.git_dir_trust()),
            stamps: Stamps::of(deciding_files(&repo, root)),
            shared: Mutex::new(Some(shared)),
            prefix,
            index: Mutex::default(),
            verified: Arc::default(),
            known_folders: Arc::default(),
        };
        Ok(if kept.is_ignored()? { None } else { Some(kept) })
    }

    /// Opens the repository at `git_dir`.
    pub(crate) fn open(git_dir: PathBuf, place: Place) -> Result<Self, GitError> {
        let shared = place.open(&git_dir)?;
        Ok(Self {
            git_dir,
            place,
            stamps: Stamps::default(),
            shared: Mutex::new(Some(shared)),
            prefix: BString::default(),
            index: Mutex::default(),
            verified: Arc::default(),
            known_folders: Arc::default(),
        })
    }

    /// Whether the repository and its configuration are still the ones that were opened.
    pub(crate) fn is_current(&self) -> bool {
        self.stamps.hold()
    }

    /// The repository for one call, with the index as it is now.
    pub(crate) fn workspace(&self) -> Result<Workspace, GitError> {
        let shared = self.shared()?;
        let repo = shared.to_thread_local();
        let Some(top) = repo.workdir().map(Path::to_owned) else {
            return Err(GitError::Repository("it has no working tree any more".to_owned()));
        };
        let index = self.index(&repo)?;
        let (prefix, verified) = (self.prefix.clone(), Arc::clone(&self.verified));
        let known_folders = Arc::clone(&self.known_folders);
        let (git_folder_inside, global_ignore_files) =
            (git_folder_inside(&repo, &top), global_ignore_files(&repo));
        let conversion = match self.place {
            Place::Found(_) => Conversion::ByAttributes,
            Place::Store { .. } => Conversion::None,
        };
        let site = Site {
            index,
            top,
            prefix,
            verified,
            known_folders,
            git_folder_inside,
            global_ignore_files,
            conversion,
            shared,
        };
        Ok(Workspace { repo, site })
    }

    /// The repository alone, for what needs no index.
    pub(crate) fn repo(&self) -> Result<gix::Repository, GitError> {
        Ok(self.shared()?.to_thread_local())
    }

    fn shared(&self) -> Result<gix::ThreadSafeRepository, GitError> {
        let mut kept = self.shared.lock();
        let shared = match kept.take() {
            Some(shared) => shared,
            None => self.place.open(&self.git_dir)?,
        };
        if MAY_STAY_OPEN {
            *kept = Some(shared.clone());
        }
        Ok(shared)
    }

    fn index(&self, repo: &gix::Repository) -> Result<Arc<gix::index::File>, GitError> {
        let path = repo.index_path();
        let Some(stamp) = FileStamp::of(&path) else {
            let empty = gix::index::State::new(repo.object_hash());
            return Ok(Arc::new(gix::index::File::from_state(empty, path)));
        };
        if let Some((known, index)) = &*self.index.lock()
            && *known == stamp
        {
            return Ok(Arc::clone(index));
        }
        // Git puts a new index in place by a rename, so this is the stamped one or a newer one; a newer one gets
        // its own stamp at the next call.
        let index = Arc::new(repo.open_index()?);
        *self.index.lock() = Some((stamp, Arc::clone(&index)));
        Ok(index)
    }

    /// A folder that the repository around it ignores is not its business: think of a home folder under git.
    fn is_ignored(&self) -> Result<bool, GitError> {
        let Some(folder) = self.prefix.strip_suffix(b"/").map(ByteSlice::as_bstr) else { return Ok(false) };
        let workspace = self.workspace()?;
        if workspace.index.path_is_directory(folder) {
            return Ok(false);
        }
        let source = gix::worktree::stack::state::ignore::Source::WorktreeThenIdMappingIfNotSkipped;
        let mut excludes = workspace.repo.excludes(&workspace.index, None, source)?;
        Ok(excludes.at_entry(folder, Some(Mode::DIR))?.is_excluded())
    }
}

impl Place {
    fn open(&self, git_dir: &Path) -> Result<gix::ThreadSafeRepository, GitError> {
        match self {
            Self::Found(trust) => Ok(options(*trust).open(git_dir)?),
            Self::Store { top } => {
                let mut repo = crate::store::options().open(git_dir)?.to_thread_local();
                repo.set_workdir(top.clone())?;
                Ok(repo.into_sync())
            }
        }
    }
}

impl Site {
    /// The repository for the thread that asks.
    pub(crate) fn repo(&self) -> gix::Repository {
        self.shared.to_thread_local()
    }

    /// A file of the working tree on the disk; `None` where the system cannot have such a name.
    pub(crate) fn on_disk(&self, path: &BStr) -> Option<PathBuf> {
        gix::path::from_bstr(path).ok().map(|path| self.top.join(path))
    }

    /// The repository checked out in a submodule, if there is one.
    pub(crate) fn submodule(&self, path: &BStr) -> Option<Workspace> {
        let folder = self.on_disk(path)?;
        if !folder.join(".git").exists() {
            return None;
        }
        Kept::open(folder, Place::Found(self.repo().git_dir_trust())).ok()?.workspace().ok()
    }
}

impl Workspace {
    /// Whether the repository belongs to somebody else.
    pub(crate) fn is_foreign(&self) -> bool {
        self.repo.git_dir_trust() != Trust::Full
    }
}

fn discover(root: &Path) -> Result<Option<gix::ThreadSafeRepository>, GitError> {
    let search = gix::discover::upwards::Options { dot_git_only: true, ..Default::default() };
    let by_trust = gix::sec::trust::Mapping { full: options(Trust::Full), reduced: options(Trust::Reduced) };
    match gix::ThreadSafeRepository::discover_opts(root, search, by_trust) {
        Ok(shared) => Ok(Some(shared)),
        Err(error) if error.is_not_found() && !root.join(".git").exists() => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// How repositories are opened: the user's configuration counts, the environment of this process does not.
pub(crate) fn options(trust: Trust) -> gix::open::Options {
    let environment = gix::open::permissions::Environment {
        xdg_config_home: Permission::Allow,
        home: Permission::Allow,
        ..gix::open::permissions::Environment::isolated()
    };
    let config = gix::open::permissions::Config {
        // Git for Windows keeps settings that matter, such as core.autocrlf, in the folder it is installed in.
        git_binary: cfg!(windows),
        system: true,
        git: true,
        user: true,
        env: false,
        includes: trust == Trust::Full,
    };
    let attributes =
        gix::open::permissions::Attributes { git_binary: cfg!(windows), system: true, git: true };
    let permissions = gix::open::Permissions { env: environment, config, attributes };
    gix::open::Options::default_for_level(trust).permissions(permissions).with(trust)
}

/// `root` from the top of the working tree: empty or with a trailing slash; `None` where it is not inside.
fn prefix_of(repo: &gix::Repository, root: &Path) -> Option<BString> {
    let top = dunce::canonicalize(repo.workdir()?).ok()?;
    let inside = root.strip_prefix(top).ok()?;
    let mut prefix =
        gix::path::to_unix_separators_on_windows(gix::path::into_bstr(inside).ok()?).into_owned();
    if !prefix.is_empty() {
        prefix.push(b'/');
    }
    Some(prefix)
}

fn git_folder_inside(repo: &gix::Repository, top: &Path) -> Option<BString> {
    let inside = repo.git_dir().strip_prefix(top).ok()?;
    let inside = gix::path::to_unix_separators_on_windows(gix::path::into_bstr(inside).ok()?).into_owned();
    (inside != ".git").then_some(inside)
}

/// The user's own ignore file and the repository's private one.
fn global_ignore_files(repo: &gix::Repository) -> Vec<PathBuf> {
    let configured = repo.config_snapshot().trusted_path("core.excludesFile").ok().flatten();
    let default = || gix::path::env::xdg_config("ignore", &mut gix::path::env::var);
    configured.or_else(default).into_iter().chain([repo.common_dir().join("info/exclude")]).collect()
}

/// The references of some repositories are kept in a form that cannot be read here; guessing would show nonsense.
fn refuse_unknown_storage(repo: &gix::Repository) -> Result<(), GitError> {
    match repo.config_snapshot().string("extensions.refStorage") {
        Some(kind) if kind != "files" => Err(GitError::Repository(format!(
            "its references are stored as `{kind}`, which is not supported yet"
        ))),
        _ => Ok(()),
    }
}

/// The files that decide which repository holds `root` and how it is configured.
fn deciding_files(repo: &gix::Repository, root: &Path) -> BTreeSet<PathBuf> {
    let top = repo.workdir().unwrap_or(root);
    let mut files: BTreeSet<PathBuf> = root
        .ancestors()
        .take_while(|folder| folder.starts_with(top))
        .chain([top])
        .map(|folder| folder.join(".git"))
        .collect();
    files.insert(repo.common_dir().join("config"));
    files.insert(repo.git_dir().join("config.worktree"));
    let config = repo.config_snapshot();
    files.extend(config.plumbing().sections().filter_map(|section| section.meta().path.clone()));
    // These count as soon as somebody writes them.
    files.extend(gix::path::env::home_dir().map(|home| home.join(".gitconfig")));
    files.extend(gix::path::env::xdg_config("config", &mut gix::path::env::var));
    files
}
