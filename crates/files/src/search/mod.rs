//! Searching the text of a project's files: up to eight queries in one pass.
//!
//! [`Searcher::search`] checks the queries (`plan`: `pattern`, `globs`, `cursor`), finds out where they search (`scope`)
//! and walks the project once (`walk`, `folder`, `ignores`). Threads (`crew`) take folders and files from an ordered
//! list (`worklist`), read each file once (`buffer`, `scan`) and look through it for all queries (`glance`, `matchers`). What they
//! find (`render`) is added up in the order of the paths (`tally`), so that the first results are the first ones in the
//! project, and a query that has enough stops early.
//!
//! # What is searched
//! - What reading shows as text, as reading shows it: the same encodings, lines and characters. Binary files are not in
//!   scope and only counted.
//! - Links are not followed while walking: what they lead to is searched at its own place, if that is in the project. A
//!   named path may be or contain links that stay in the project; its results have the paths they lead to.
//! - Submodules and nested repositories are ordinary folders. The git folder is never searched.
//! - Hidden and ignored entries are left out unless the query wants them; a path that is named counts as wanted, but
//!   not what is hidden or ignored inside it.
//!
//! # Invariants
//! - `completed` is true only if everything in scope was seen.
//! - Results are ordered by path, byte by byte, then by line; pages that are joined are the whole, without gaps or
//!   repeats, also if files come and go meanwhile.
//! - The call ends at its deadline, whatever a file system does.

mod buffer;
mod crew;
mod cursor;
mod deadline;
mod error;
mod finish;
mod folder;
mod glance;
mod globs;
mod ignores;
mod mask;
mod matchers;
mod outcome;
mod pattern;
mod place;
mod plan;
mod render;
mod scan;
mod scope;
mod skips;
mod slots;
mod stuck;
mod tally;
mod walk;
mod worklist;

use webcodex_contracts::limits::MAX_BATCH;
use webcodex_contracts::tools::batch::Batch;
use webcodex_contracts::tools::search_project_texts::{SearchFile, SearchMatch, SearchQuery};
use webcodex_projects::ReadAccess;

pub use deadline::Deadline;
pub use error::{GlobList, SearchError, Stage};
pub use place::Broken;
pub use skips::Shortfall;

use crate::Files;
use crew::Crew;
use plan::Plan;
use slots::Slots;
use stuck::Stuck;

/// Most threads of one search; more only wait for the disk.
const MAX_THREADS: usize = 8;
/// Threads of all searches at once. Many calls come to a few dozen; the rest can only be threads that hang.
const MAX_RUNNING: usize = 256;
/// Folders that all searches together keep open to read the files in them.
const MAX_OPEN_FOLDERS: usize = 64;

/// Searches projects. Cheap to clone; clones share what they know.
#[derive(Debug, Clone)]
pub struct Searcher {
    files: Files,
    threads: usize,
    open_folders: Slots,
    stuck: Stuck,
    running: Slots,
}

/// What a query found.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// Whether everything in scope, from the cursor on, was seen.
    pub completed: bool,
    /// Matching lines found after the cursor; a lower bound unless `completed`.
    pub match_count: u64,
    /// Files with a match after the cursor; a lower bound unless `completed`.
    pub file_count: u64,
    /// Matching lines, where these are wanted.
    pub matches: Vec<SearchMatch>,
    /// Files with a match, where these are wanted.
    pub files: Vec<SearchFile>,
    /// Whether more was found than is returned.
    pub truncated: bool,
    /// Where to go on, if anything is left.
    pub cursor: Option<String>,
    /// What was not searched, in a few short lines.
    pub skipped: Vec<String>,
    /// Why not everything in scope was seen, unless that was not needed.
    pub shortfall: Option<Shortfall>,
}

impl Searcher {
    /// Searches files as `files` reads them.
    pub fn new(files: &Files) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            files: files.clone(),
            threads: cores.min(MAX_THREADS),
            open_folders: Slots::new(MAX_OPEN_FOLDERS),
            stuck: Stuck::default(),
            running: Slots::new(MAX_RUNNING),
        }
    }

    /// Answers each query, in their order. Blocks until all is done or the deadline is reached.
    pub fn search(
        &self,
        access: &ReadAccess,
        queries: &Batch<SearchQuery, MAX_BATCH>,
        deadline: &Deadline,
    ) -> Vec<Result<Found, SearchError>> {
        let (plan, errors) = Plan::new(&access.project().id, queries);
        let keys: Vec<_> =
            (0..errors.len()).map(|number| plan.query(number).map(|query| query.key)).collect();
        let crew = Crew::new(self, access, plan, errors);
        let ended = crew.run(deadline);
        finish::answers(ended, &keys)
    }
}

#[cfg(test)]
mod tests;
