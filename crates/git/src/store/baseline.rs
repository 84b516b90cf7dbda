//! The first look at a folder: every file that is not ignored, with its content unless that is too much.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, SystemTime};

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};
use gix::hash::Kind;
use gix::index::entry::{Flags, Mode, Stat};
use gix::objs::Kind as ObjectKind;
use gix::objs::tree::EntryKind;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use super::pack::{PackWriter, encode};
use crate::disk::Disk;
use crate::error::io_at;
use crate::repository::{Kept, Place};
use crate::scope::Scope;
use crate::status::{NewFile, NewKind, new_files};
use crate::{GitError, Interrupt};

/// Largest file whose content is kept, in bytes.
const MAX_KEPT_FILE: u64 = 8 * 1024 * 1024;
/// Most content kept for one folder, in bytes before compression.
const MAX_KEPT: u64 = 512 * 1024 * 1024;
/// Most content read in order to know it again, in bytes.
const MAX_READ: u64 = 2 * 1024 * 1024 * 1024;
/// Largest file that is read in order to know it again, in bytes.
const MAX_READ_FILE: u64 = 64 * 1024 * 1024;
/// Most files of one folder.
const MAX_FILES: usize = 300_000;
/// The id of the tree of a state, once somebody needed it.
const TREE: &str = "tree";
/// Facts about a state.
const ABOUT: &str = "about.json";

/// When a state was taken, of what, and what it lacks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct About {
    /// The folder.
    pub(crate) root: PathBuf,
    /// When the first look was taken, ISO 8601 in UTC.
    pub(crate) taken_at: String,
    /// Files of which only the name, size and time or the hash are known.
    pub(crate) without_content: u64,
}

impl About {
    pub(super) fn read(place: &Path) -> Option<Self> {
        serde_json::from_slice(&std::fs::read(place.join(ABOUT)).ok()?).ok()
    }

    fn write(&self, place: &Path) -> io::Result<()> {
        std::fs::write(place.join(ABOUT), serde_json::to_vec(self)?)
    }

    pub(super) fn last_used(place: &Path) -> SystemTime {
        std::fs::metadata(place.join(ABOUT))
            .and_then(|metadata| metadata.modified())
            .unwrap_or(SystemTime::UNIX_EPOCH)
    }

    /// Remembers that the state is in use; once a day is often enough.
    pub(super) fn mark_used(place: &Path) {
        if Self::last_used(place).elapsed().is_ok_and(|unused| unused > Duration::from_secs(24 * 60 * 60))
            && let Ok(file) = File::options().write(true).open(place.join(ABOUT))
        {
            // Without the mark it only looks older than it is.
            let _ = file.set_modified(SystemTime::now());
        }
    }
}

/// Takes the first look at `root` into the empty folder `place`.
pub(super) fn record(root: &Path, place: &Path) -> Result<(), GitError> {
    make_repository(place).map_err(io_at(place))?;
    let kept = Kept::open(place.to_owned(), Place::Store { top: root.to_owned() })?;
    let workspace = kept.workspace()?;
    let fs = workspace.repo.filesystem_options()?;
    let scope = Scope::new("".into(), &[]);
    let mut files = new_files(&workspace.site, &workspace.repo, &scope, &Interrupt::never())?.files;
    // A repository inside has a history of its own.
    files.retain(|file| file.kind != NewKind::Repository);
    if files.len() > MAX_FILES {
        return Err(GitError::TooManyFiles { count: files.len(), limit: MAX_FILES });
    }
    let recorder = Recorder { root, fs, files: &files, next: AtomicUsize::new(0), budget: Budget::default() };
    let known = recorder.run(&place.join("objects/pack")).map_err(io_at(root))?;
    let without_content = known.iter().filter(|known| !known.has_content).count() as u64;
    write_index(place, known)?;
    let taken_at = gix::date::Time::now_utc().format_or_unix(gix::date::time::format::ISO8601_STRICT);
    About { root: root.to_owned(), taken_at, without_content }.write(place).map_err(io_at(place))
}

/// The state at `place` as one tree, written beside its contents at the first call.
pub(super) fn tree(place: &Path, kept: &Kept) -> Result<ObjectId, GitError> {
    let file = place.join(TREE);
    let known = std::fs::read(&file).ok().and_then(|hex| ObjectId::from_hex(&hex).ok());
    let workspace = kept.workspace()?;
    if let Some(tree) = known.filter(|tree| workspace.repo.has_object(tree)) {
        return Ok(tree);
    }
    let index: &gix::index::State = &workspace.index;
    let mut editor = workspace.repo.empty_tree().edit()?;
    for entry in index.entries() {
        let kind = entry.mode.to_tree_entry_mode().map_or(EntryKind::Blob, |mode| mode.kind());
        editor.upsert(entry.path(index), kind, entry.id)?;
    }
    let tree = editor.write()?.detach();
    std::fs::write(&file, tree.to_string()).map_err(io_at(&file))?;
    Ok(tree)
}

/// A repository with nothing in it that is not needed.
fn make_repository(place: &Path) -> io::Result<()> {
    for folder in ["objects/pack", "objects/info", "refs/heads"] {
        std::fs::create_dir_all(place.join(folder))?;
    }
    // The probe looks for this file under another spelling.
    std::fs::write(place.join("config"), "")?;
    let fs = gix::fs::Capabilities::probe(place);
    let config = format!(
        "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tfilemode = {}\n\tsymlinks = {}\n\tignorecase = {}\n\
         \tprecomposeunicode = {}\n",
        fs.executable_bit, fs.symlink, fs.ignore_case, fs.precompose_unicode
    );
    std::fs::write(place.join("config"), config)?;
    std::fs::write(place.join("HEAD"), "ref: refs/heads/first-look\n")
}

fn write_index(place: &Path, known: Vec<Known>) -> Result<(), GitError> {
    let mut state = gix::index::State::new(Kind::Sha1);
    for file in known {
        state.dangerously_push_entry(file.stat, file.id, Flags::empty(), file.mode, file.path.as_bstr());
    }
    state.sort_entries();
    let mut index = gix::index::File::from_state(state, place.join("index"));
    Ok(index.write(gix::index::write::Options::default())?)
}

/// A file as it will be known.
struct Known {
    path: BString,
    stat: Stat,
    id: ObjectId,
    mode: Mode,
    has_content: bool,
}

/// How much has been kept and read so far.
#[derive(Default)]
struct Budget {
    kept: AtomicU64,
    read: AtomicU64,
}

impl Budget {
    fn allows(spent: &AtomicU64, size: u64, limit: u64) -> bool {
        spent.fetch_add(size, Ordering::Relaxed) + size <= limit
    }
}

struct Recorder<'a> {
    root: &'a Path,
    fs: gix::fs::Capabilities,
    files: &'a [NewFile],
    next: AtomicUsize,
    budget: Budget,
}

type Packed = (ObjectId, Vec<u8>);

impl Recorder<'_> {
    /// Reads in several threads, writes the pack in this one.
    fn run(&self, packs: &Path) -> io::Result<Vec<Known>> {
        let mut pack = PackWriter::begin(packs)?;
        let count = std::thread::available_parallelism().map_or(1, |count| count.get().min(4));
        let (known, seen) = (Mutex::new(Vec::with_capacity(self.files.len())), Mutex::new(HashSet::new()));
        std::thread::scope(|scope| {
            let (sender, packed) = sync_channel(4 * count);
            for _ in 0..count {
                let (sender, known, seen) = (sender.clone(), &known, &seen);
                scope.spawn(move || self.read(&sender, known, seen));
            }
            drop(sender);
            write(&mut pack, packed)
        })?;
        pack.finish()?;
        Ok(known.into_inner())
    }

    fn read(&self, packed: &SyncSender<Packed>, known: &Mutex<Vec<Known>>, seen: &Mutex<HashSet<ObjectId>>) {
        let mut disk = Disk::new(self.root);
        let mut own = Vec::new();
        while let Some(file) = self.files.get(self.next.fetch_add(1, Ordering::Relaxed)) {
            // A file that cannot be read now is found new later on, which is the truth.
            let Ok(Some((file, content))) = self.one(&mut disk, file.path.as_bstr()) else { continue };
            if let Some(content) = content
                && seen.lock().insert(file.id)
            {
                let Ok(encoded) = encode(ObjectKind::Blob, &content) else { continue };
                // The writer has ended only if it failed, and then nothing of this is used.
                let _ = packed.send((file.id, encoded));
            }
            own.push(file);
        }
        known.lock().extend(own);
    }

    /// How a file will be known, and its content if that is kept.
    fn one(&self, disk: &mut Disk, path: &BStr) -> io::Result<Option<(Known, Option<Vec<u8>>)>> {
        let Some(found) = disk.look(path)? else { return Ok(None) };
        let file = self.root.join(gix::path::from_bstr(path).map_err(|_| io::ErrorKind::InvalidFilename)?);
        let (size, stat, mode) = (found.len(), found.stat(), found.mode(&self.fs));
        let (id, content) = if found.is_link() {
            let content = crate::clean::link_target(&file)?;
            (id_of(&content)?, Some(content))
        } else if size <= MAX_KEPT_FILE && Budget::allows(&self.budget.kept, size, MAX_KEPT) {
            let content = read_up_to(&file, MAX_KEPT_FILE)?;
            (id_of(&content)?, Some(content))
        } else if size <= MAX_READ_FILE && Budget::allows(&self.budget.read, size, MAX_READ) {
            (id_of(&read_up_to(&file, MAX_READ_FILE)?)?, None)
        } else {
            (unread_id(path)?, None)
        };
        let has_content = content.is_some();
        Ok(Some((Known { path: path.to_owned(), stat, id, mode, has_content }, content)))
    }
}

fn write(pack: &mut PackWriter, packed: Receiver<Packed>) -> io::Result<()> {
    packed.into_iter().try_for_each(|(id, encoded)| pack.add(id, &encoded))
}

fn read_up_to(file: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    crate::clean::open(file)?.take(limit + 1).read_to_end(&mut content)?;
    if content.len() as u64 > limit { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(content) }
}

fn id_of(content: &[u8]) -> io::Result<ObjectId> {
    gix::objs::compute_hash(Kind::Sha1, ObjectKind::Blob, content).map_err(io::Error::other)
}

/// Stands for a content that was never read: size and time alone say whether it has changed.
fn unread_id(path: &BStr) -> io::Result<ObjectId> {
    id_of(&[b"never read: ", path.as_bytes()].concat())
}
