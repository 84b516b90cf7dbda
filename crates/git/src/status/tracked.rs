//! Tracked files on the disk against the index.
//!
//! The times and sizes that the index remembers decide for nearly all files; the few others are read. What was read
//! and found unchanged is remembered here and never written to the user's index.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use gix::ObjectId;
use gix::bstr::{BStr, BString};
use gix::index::entry::{Flags, Mode, Stat, mode};
use gix::index::{Entry, State};
use parking_lot::Mutex;

use super::submodule;
use crate::clean::Cleaner;
use crate::disk::{Disk, OnDisk};
use crate::filters::Filters;
use crate::repository::{Site, Workspace};
use crate::scope::Scope;
use crate::{GitError, Interrupt};

/// A tracked path that differs from the index.
#[derive(Debug, Clone)]
pub(crate) struct TrackedFile {
    pub(crate) path: BString,
    pub(crate) index: (Mode, ObjectId),
    pub(crate) now: Now,
}

/// How a tracked path is found on the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Now {
    /// Nothing is there, or a folder.
    Gone,
    /// Other content or another mode; the mode as it is now.
    Changed(Mode),
    /// Neither a file nor a link.
    Special,
    /// The index only announces the file (`git add --intent-to-add`).
    Announced(Mode),
    /// The submodule's checked-out commit, and whether it holds changes.
    Submodule { commit: ObjectId, dirty: bool },
    /// In conflict; whether a file is there, and git's three versions: base, ours, theirs.
    Conflict { on_disk: bool, versions: [Option<(Mode, ObjectId)>; 3] },
}

/// The outcome of one look.
#[derive(Debug, Default)]
pub(crate) struct Tracked {
    /// In the index's order.
    pub(crate) found: Vec<TrackedFile>,
    /// Files that a filter program did not answer for.
    pub(crate) unfiltered: Vec<BString>,
}

/// How many threads look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Threads {
    One,
    Many,
}

/// Files that were read and found equal to a stored object, with the stat they had.
#[derive(Debug, Default)]
pub(crate) struct Verified(Mutex<HashMap<BString, (Stat, ObjectId)>>);

/// Most files remembered for one repository.
const MAX_VERIFIED: usize = 200_000;
/// A file changed more recently than this may change again without getting another time, in seconds.
const RACY_SECS: u64 = 3;
/// Entries one thread takes at a time.
const CHUNK: usize = 512;

/// Looks at every tracked path of the scope.
pub(crate) fn look(
    workspace: &Workspace,
    scope: &Scope,
    filters: &Filters,
    interrupt: &Interrupt,
    threads: Threads,
) -> Result<Tracked, GitError> {
    let look = Look { site: &workspace.site, scope, filters, interrupt, rules: Rules::of(&workspace.repo)? };
    let chunks = chunks(&scope.entries(&workspace.index));
    let mut first = match threads {
        Threads::One => look.first(&chunks, &AtomicUsize::new(0))?,
        Threads::Many => look.in_parallel(|next| look.first(&chunks, next))?,
    };
    let suspects = std::mem::take(&mut first.suspects);
    let second = match threads {
        Threads::Many if suspects.len() > 2 * CHUNK => {
            look.in_parallel(|next| look.second(&suspects, next))?
        }
        _ => look.second(&suspects, &AtomicUsize::new(0))?,
    };
    let mut tracked = Tracked { found: first.found, unfiltered: second.unfiltered };
    tracked.found.extend(second.found);
    tracked.found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(tracked)
}

struct Look<'a> {
    site: &'a Site,
    scope: &'a Scope,
    filters: &'a Filters,
    interrupt: &'a Interrupt,
    rules: Rules,
}

/// How files on disk are compared with the index here.
#[derive(Clone, Copy)]
struct Rules {
    fs: gix::fs::Capabilities,
    stat: gix::index::entry::stat::Options,
    /// Paths left out of a sparse checkout count again once somebody puts a file there.
    sparse: bool,
}

impl Rules {
    fn of(repo: &gix::Repository) -> Result<Self, GitError> {
        let sparse = repo.config_snapshot().boolean("core.sparseCheckout").unwrap_or(false);
        Ok(Self { fs: repo.filesystem_options()?, stat: repo.stat_options()?, sparse })
    }
}

/// What one thread has found.
#[derive(Default)]
struct Part {
    found: Vec<TrackedFile>,
    /// Places in the index whose files have to be read.
    suspects: Vec<Suspect>,
    unfiltered: Vec<BString>,
}

struct Suspect {
    at: usize,
    stat: Stat,
    mode: Mode,
    link: bool,
}

/// What the stat alone says.
enum Verdict {
    Same,
    Found(Now),
    Suspect(Suspect),
}

impl Look<'_> {
    /// Runs `work` in as many threads as there are processors, at most four, and joins what they find.
    fn in_parallel(
        &self,
        work: impl Fn(&AtomicUsize) -> Result<Part, GitError> + Sync,
    ) -> Result<Part, GitError> {
        let next = AtomicUsize::new(0);
        let count = std::thread::available_parallelism().map_or(1, |count| count.get().min(4));
        let mut whole = Part::default();
        std::thread::scope(|scope| {
            let others: Vec<_> = (1..count).map(|_| scope.spawn(|| work(&next))).collect();
            let mut parts = vec![work(&next)];
            parts.extend(others.into_iter().map(|other| match other.join() {
                Ok(part) => part,
                Err(panic) => std::panic::resume_unwind(panic),
            }));
            for part in parts {
                let part = part?;
                whole.found.extend(part.found);
                whole.suspects.extend(part.suspects);
                whole.unfiltered.extend(part.unfiltered);
            }
            Ok(whole)
        })
    }

    /// Compares times, sizes and modes.
    fn first(&self, chunks: &[Range<usize>], next: &AtomicUsize) -> Result<Part, GitError> {
        let mut part = Part::default();
        let mut disk = Disk::new(&self.site.top);
        while let Some(chunk) = chunks.get(next.fetch_add(1, Ordering::Relaxed)) {
            self.interrupt.check()?;
            for at in chunk.clone() {
                self.entry(at, &mut disk, &mut part)?;
            }
        }
        Ok(part)
    }

    fn entry(&self, at: usize, disk: &mut Disk, part: &mut Part) -> Result<(), GitError> {
        let index: &State = &self.site.index;
        let entry = &index.entries()[at];
        let path = entry.path(index);
        let skipped = entry.flags.contains(Flags::SKIP_WORKTREE);
        if entry.flags.contains(Flags::ASSUME_VALID)
            || skipped && !self.rules.sparse
            || entry.mode.is_sparse()
        {
            return Ok(());
        }
        let verdict = match disk.look(path) {
            _ if entry.stage_raw() != 0 => self.conflict(at, disk),
            Ok(None) if skipped => Verdict::Same,
            Ok(on_disk) => self.compare(at, entry, path, on_disk)?,
            // It is there and nobody can say that it is unchanged.
            Err(_) => Verdict::Found(Now::Changed(entry.mode)),
        };
        match verdict {
            Verdict::Same => {}
            Verdict::Found(now) => {
                part.found.push(TrackedFile { path: path.to_owned(), index: (entry.mode, entry.id), now });
            }
            Verdict::Suspect(suspect) => part.suspects.push(suspect),
        }
        Ok(())
    }

    fn compare(
        &self,
        at: usize,
        entry: &Entry,
        path: &BStr,
        on_disk: Option<OnDisk>,
    ) -> Result<Verdict, GitError> {
        let Some(on_disk) = on_disk else { return Ok(Verdict::Found(Now::Gone)) };
        if on_disk.is_folder() {
            if !entry.mode.is_submodule() {
                return Ok(Verdict::Found(Now::Gone));
            }
            let now = submodule::look(self.site, path, entry.id, self.interrupt)?;
            return Ok(now.map_or(Verdict::Same, Verdict::Found));
        }
        if !on_disk.is_file() && !on_disk.is_link() {
            return Ok(Verdict::Found(Now::Special));
        }
        if entry.flags.contains(Flags::INTENT_TO_ADD) {
            return Ok(Verdict::Found(Now::Announced(on_disk.mode(&self.rules.fs))));
        }
        let change = on_disk.mode_change(entry.mode, &self.rules.fs);
        let mode = change.map_or(entry.mode, |change| change.apply(entry.mode));
        if matches!(change, Some(mode::Change::Type { .. })) {
            return Ok(Verdict::Found(Now::Changed(mode)));
        }
        Ok(self.compare_stat(at, entry, path, &on_disk, mode))
    }

    fn compare_stat(&self, at: usize, entry: &Entry, path: &BStr, on_disk: &OnDisk, mode: Mode) -> Verdict {
        let stat = on_disk.stat();
        if mode != entry.mode {
            return Verdict::Found(Now::Changed(mode));
        }
        let known_size = entry.stat.size != 0 || entry.id.is_empty_blob();
        if stat.matches(&entry.stat, self.rules.stat)
            && known_size
            && !stat.is_racy(self.site.index.timestamp(), self.rules.stat)
        {
            return Verdict::Same;
        }
        // Another size is another content: git itself goes by that, also where it converts line ends. The size of a
        // link is not known on every system, and a size of zero may only be a mark.
        let link = on_disk.is_link();
        if !link && entry.stat.size != 0 && stat.size != entry.stat.size {
            return Verdict::Found(Now::Changed(mode));
        }
        if self.site.verified.knows(path, &stat, &entry.id) {
            return Verdict::Same;
        }
        Verdict::Suspect(Suspect { at, stat, mode, link })
    }

    /// Reads the files whose stat does not prove them unchanged.
    fn second(&self, suspects: &[Suspect], next: &AtomicUsize) -> Result<Part, GitError> {
        let mut part = Part::default();
        if suspects.is_empty() {
            return Ok(part);
        }
        let index: &State = &self.site.index;
        let repo = self.site.repo();
        let mut cleaner = Cleaner::new(&repo, index, self.filters)?;
        let mut equal = Vec::new();
        while let Some(suspect) = suspects.get(next.fetch_add(1, Ordering::Relaxed)) {
            self.interrupt.check()?;
            let entry = &index.entries()[suspect.at];
            let path = entry.path(index);
            let now = seconds_now();
            let Some(file) = self.site.on_disk(path) else { continue };
            match cleaner.id(path, &file, suspect.link) {
                Ok(Ok(id)) if id == entry.id => {
                    if is_settled(&suspect.stat, now) {
                        equal.push((path.to_owned(), suspect.stat, id));
                    }
                    continue;
                }
                Ok(Err(_)) => part.unfiltered.push(path.to_owned()),
                // Unreadable counts as changed, as it does for git.
                Ok(Ok(_)) | Err(_) => {}
            }
            let now = Now::Changed(suspect.mode);
            part.found.push(TrackedFile { path: path.to_owned(), index: (entry.mode, entry.id), now });
        }
        self.site.verified.remember(equal);
        Ok(part)
    }

    /// The versions of a path in conflict; its first entry speaks for all.
    fn conflict(&self, at: usize, disk: &mut Disk) -> Verdict {
        let index: &State = &self.site.index;
        let path = index.entries()[at].path(index);
        if at > 0 && index.entries()[at - 1].path(index) == path {
            return Verdict::Same;
        }
        let mut versions = [None; 3];
        for entry in index.entries()[at..].iter().take_while(|entry| entry.path(index) == path).take(3) {
            if let Some(version) = versions.get_mut(entry.stage_raw().saturating_sub(1) as usize) {
                *version = Some((entry.mode, entry.id));
            }
        }
        let on_disk = disk.look(path).is_ok_and(|found| found.is_some_and(|found| !found.is_folder()));
        debug_assert!(self.scope.contains(path));
        Verdict::Found(Now::Conflict { on_disk, versions })
    }
}

impl Verified {
    fn knows(&self, path: &BStr, stat: &Stat, id: &ObjectId) -> bool {
        self.0.lock().get(path).is_some_and(|(known, object)| known == stat && object == id)
    }

    fn remember(&self, files: Vec<(BString, Stat, ObjectId)>) {
        let mut known = self.0.lock();
        if known.len() + files.len() > MAX_VERIFIED {
            known.clear();
        }
        known.extend(files.into_iter().map(|(path, stat, id)| (path, (stat, id))));
    }
}

/// Whether the file has rested long enough that another change would give it another time.
pub(crate) fn is_settled(stat: &Stat, now: u64) -> bool {
    u64::from(stat.mtime.secs.max(stat.ctime.secs)) + RACY_SECS <= now
}

pub(crate) fn seconds_now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

fn chunks(ranges: &[Range<usize>]) -> Vec<Range<usize>> {
    let split = |range: &Range<usize>| {
        let end = range.end;
        range.clone().step_by(CHUNK).map(move |start| start..(start + CHUNK).min(end))
    };
    ranges.iter().flat_map(split).collect()
}
