//! From a folder to the files and folders in it that some query wants, in the order of the results.

use std::cmp::Ordering;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use super::folder::{Entries, Entry, Folder, Kind};
use super::ignores::{IsFolder, ProjectRules, Rules, is_rule_file};
use super::mask::Mask;
use super::outcome::{Outcome, Skip, SkipReason};
use super::plan::Plan;
use super::slots::Slots;

/// A piece of work.
#[derive(Debug)]
pub(super) enum Task {
    /// Find out where to search.
    Begin(Mask),
    /// List a folder.
    Folder(FolderTask),
    /// Search files.
    Files(FilesTask),
}

/// A folder to list.
#[derive(Debug)]
pub(super) struct FolderTask {
    /// Path with `/` at its end; empty for the project's own folder.
    pub(super) path: String,
    /// The queries that want everything in it. Others may want something deep inside that they named.
    wanted: Mask,
    /// The queries that want anything in it.
    pub(super) queries: Mask,
    /// The rules that hold above it.
    above: Rules,
}

/// Files of one folder to search.
#[derive(Debug)]
pub(super) struct FilesTask {
    pub(super) listing: Arc<Listing>,
    pub(super) range: Range<usize>,
    /// The queries that want any of them.
    pub(super) queries: Mask,
}

/// The files of a folder that some query wants.
#[derive(Debug)]
pub(super) struct Listing {
    /// Path of the folder with `/` at its end; empty for the project's own.
    pub(super) path: String,
    pub(super) folder: Folder,
    pub(super) files: Vec<ListedFile>,
}

/// A file that some queries want.
#[derive(Debug)]
pub(super) struct ListedFile {
    pub(super) name: Box<str>,
    pub(super) queries: Mask,
}

/// A file or folder that queries named.
#[derive(Debug)]
pub(super) struct Named {
    pub(super) path: String,
    pub(super) kind: IsFolder,
    pub(super) queries: Mask,
}

/// What is the same for the whole walk.
#[derive(Debug)]
pub(super) struct Walk {
    pub(super) root: PathBuf,
    pub(super) rules: ProjectRules,
    /// By path.
    pub(super) named: Vec<Named>,
    pub(super) open: Slots,
}

/// What is in a folder.
#[derive(Debug, Default)]
pub(super) struct Expanded {
    pub(super) outcomes: Vec<Outcome>,
    pub(super) tasks: Vec<Task>,
    pub(super) left_out: LeftOut,
}

/// The queries for which the default rules left something out.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct LeftOut {
    pub(super) hidden: Mask,
    pub(super) ignored: Mask,
}

/// An entry that some queries want.
#[derive(Debug)]
struct Child {
    name: Box<str>,
    kind: IsFolder,
    wanted: Mask,
    queries: Mask,
}

impl Task {
    /// The queries that want this done.
    pub(super) fn queries(&self) -> Mask {
        match self {
            Task::Begin(queries) => *queries,
            Task::Folder(folder) => folder.queries,
            Task::Files(files) => files.queries,
        }
    }

    /// The first path it is about, with `/` at its end for a folder.
    pub(super) fn path(&self) -> String {
        match self {
            Task::Begin(_) => String::new(),
            Task::Folder(folder) => folder.path.clone(),
            Task::Files(files) => files.listing.path_at(files.range.start),
        }
    }
}

impl FilesTask {
    /// The same task for a part of its files.
    pub(super) fn part(&self, range: Range<usize>) -> Self {
        Self { listing: Arc::clone(&self.listing), range, queries: self.queries }
    }
}

impl Listing {
    pub(super) fn path_of(&self, file: &ListedFile) -> String {
        format!("{}{}", self.path, file.name)
    }

    /// The path of the file at a place in the listing.
    pub(super) fn path_at(&self, place: usize) -> String {
        self.files.get(place).map(|file| self.path_of(file)).unwrap_or_default()
    }
}

impl Walk {
    /// The task that begins at the project's folder. `all` are the queries that want the whole project.
    pub(super) fn first(&self, all: Mask) -> Task {
        let queries = self.named.iter().fold(all, |queries, named| queries | named.queries);
        Task::Folder(FolderTask { path: String::new(), wanted: all, queries, above: self.rules.above() })
    }

    /// Lists a folder for the `live` queries.
    pub(super) fn expand(&self, task: &FolderTask, plan: &Plan, live: Mask) -> Expanded {
        let mut expanded = Expanded::default();
        let absolute = self.root.join(&task.path);
        let wanted = task.wanted & live;
        let listed = match wanted.is_empty() {
            true => Ok((Folder::unlisted(absolute), Entries::default())),
            false => Folder::list(absolute, &self.open),
        };
        let (folder, entries) = match listed {
            Ok(listed) => listed,
            Err(error) if super::folder::is_gone(&error) && !task.path.is_empty() => return expanded,
            Err(error) => {
                expanded.skip(&task.path, wanted, SkipReason::FolderUnreadable(error.kind().to_string()));
                return expanded;
            }
        };
        if entries.unnameable > 0 {
            expanded.skip(&task.path, wanted, SkipReason::Unnameable(entries.unnameable));
        }
        let rules = self.rules_in(task, &folder, &entries, plan, live);
        let mut chooser = Chooser {
            walk: self,
            plan,
            rules: &rules,
            path: task.path.clone(),
            left_out: LeftOut::default(),
        };
        let mut children: Vec<Child> =
            entries.list.into_iter().filter_map(|entry| chooser.choose(entry, &task.path, wanted)).collect();
        expanded.left_out = chooser.left_out;
        self.add_named(&mut children, task, plan, live);
        children.sort_unstable_by(order);
        expanded.tasks = into_tasks(children, task, folder, &rules);
        expanded
    }

    fn rules_in(
        &self,
        task: &FolderTask,
        folder: &Folder,
        entries: &Entries,
        plan: &Plan,
        live: Mask,
    ) -> Rules {
        let needed = !(task.queries & live).without(plan.ignored).is_empty();
        // An unlisted folder may have rule files all the same.
        let present = (task.wanted & live).is_empty()
            || entries.list.iter().any(|entry| entry.kind == Kind::File && is_rule_file(&entry.name));
        if needed && present { task.above.with(folder, &task.path) } else { task.above.clone() }
    }

    /// Adds what queries named in this folder, and the folders on the way to what they named deeper inside.
    fn add_named(&self, children: &mut Vec<Child>, task: &FolderTask, plan: &Plan, live: Mask) {
        let first = self.named.partition_point(|named| named.path.as_str() < task.path.as_str());
        let inside =
            self.named[first..].iter().map_while(|named| Some((named, named.path.strip_prefix(&task.path)?)));
        for (named, rest) in inside.filter(|(_, rest)| !rest.is_empty()) {
            let queries = named.queries & live;
            let (name, deeper) = rest.split_once('/').map_or((rest, false), |(name, _)| (name, true));
            let kind = if deeper { IsFolder::Yes } else { named.kind };
            let wanted = match kind {
                _ if deeper => Mask::NONE,
                IsFolder::Yes => plan.enter(&format!("{}{name}/", task.path), queries),
                IsFolder::No => plan.admit(&format!("{}{name}", task.path), queries),
            };
            let queries = if kind == IsFolder::No { wanted } else { queries };
            match children.iter_mut().find(|child| &*child.name == name && child.kind == kind) {
                Some(child) => {
                    child.wanted |= wanted;
                    child.queries |= queries;
                }
                None => children.push(Child { name: name.into(), kind, wanted, queries }),
            }
        }
    }
}

impl Expanded {
    /// A folder that keeps an earlier search waiting.
    pub(super) fn unanswered(task: &FolderTask) -> Self {
        let mut expanded = Self::default();
        expanded.skip(&task.path, task.queries, SkipReason::NoAnswer);
        expanded
    }

    fn skip(&mut self, path: &str, queries: Mask, reason: SkipReason) {
        let path = path.trim_end_matches('/').to_owned();
        self.outcomes.push(Outcome::Skipped(Skip { path, queries, reason }));
    }
}

/// Decides for each entry of one folder which queries want it.
struct Chooser<'a> {
    walk: &'a Walk,
    plan: &'a Plan,
    rules: &'a Rules,
    /// Reused for the path of each entry.
    path: String,
    left_out: LeftOut,
}

impl Chooser<'_> {
    fn choose(&mut self, entry: Entry, folder: &str, wanted: Mask) -> Option<Child> {
        self.path.truncate(folder.len());
        self.path.push_str(&entry.name);
        let kind = match entry.kind {
            Kind::File => IsFolder::No,
            Kind::Folder => IsFolder::Yes,
            Kind::Other => return None,
        };
        let mut queries = match kind {
            IsFolder::No => self.plan.admit(&self.path, wanted),
            IsFolder::Yes => {
                self.path.push('/');
                let queries = self.plan.enter(&self.path, wanted);
                self.path.pop();
                queries
            }
        };
        if entry.hidden {
            self.left_out.hidden |= queries.without(self.plan.hidden);
            queries = queries & self.plan.hidden;
        }
        if !queries.without(self.plan.ignored).is_empty()
            && self.walk.rules.leave_out(self.rules, &self.path, kind)
        {
            self.left_out.ignored |= queries.without(self.plan.ignored);
            queries = queries & self.plan.ignored;
        }
        (!queries.is_empty()).then_some(Child { name: entry.name, kind, wanted: queries, queries })
    }
}

/// The order of the whole paths, byte by byte: a folder's name is followed by `/` there.
fn order(a: &Child, b: &Child) -> Ordering {
    let (left, right) = (a.name.as_bytes(), b.name.as_bytes());
    let common = left.len().min(right.len());
    let after = |child: &Child| match child.name.as_bytes().get(common) {
        Some(&byte) => Some(byte),
        None => (child.kind == IsFolder::Yes).then_some(b'/'),
    };
    left[..common].cmp(&right[..common]).then_with(|| after(a).cmp(&after(b)))
}

/// Folders, and runs of files between them, in order.
fn into_tasks(children: Vec<Child>, task: &FolderTask, folder: Folder, rules: &Rules) -> Vec<Task> {
    let mut listing = Listing { path: task.path.clone(), folder, files: Vec::new() };
    let mut parts: Vec<Result<FolderTask, (Range<usize>, Mask)>> = Vec::new();
    for child in children {
        if child.kind == IsFolder::Yes {
            let path = format!("{}{}/", task.path, child.name);
            let (wanted, queries) = (child.wanted, child.queries);
            parts.push(Ok(FolderTask { path, wanted, queries, above: rules.clone() }));
            continue;
        }
        let at = listing.files.len();
        listing.files.push(ListedFile { name: child.name, queries: child.queries });
        match parts.last_mut() {
            Some(Err((run, queries))) => {
                run.end = at + 1;
                *queries |= child.queries;
            }
            _ => parts.push(Err((at..at + 1, child.queries))),
        }
    }
    let listing = Arc::new(listing);
    let files = |(range, queries)| Task::Files(FilesTask { listing: Arc::clone(&listing), range, queries });
    parts.into_iter().map(|part| part.map_or_else(files, Task::Folder)).collect()
}
