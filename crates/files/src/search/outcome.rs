//! What looking at one file or folder came to.

use webcodex_contracts::tools::search_project_texts::SearchMatch;

use super::mask::Mask;

/// The outcome of one file or folder, if there is anything to say about it.
#[derive(Debug)]
pub(super) enum Outcome {
    /// Some queries found something in a file.
    Found {
        /// The file.
        path: String,
        /// What each query found.
        hits: Vec<(usize, FileHits)>,
    },
    /// Something was not searched.
    Skipped(Skip),
}

/// Matching lines of one query in one file.
#[derive(Debug, Default)]
pub(super) struct FileHits {
    /// How many were counted.
    pub(super) lines: u64,
    /// Those to show, where matches are wanted.
    pub(super) shown: Vec<Shown>,
    /// Whether counting stopped because the query cannot show more.
    pub(super) stopped: bool,
}

/// A match and about how many bytes it takes in an answer.
#[derive(Debug)]
pub(super) struct Shown {
    pub(super) found: SearchMatch,
    pub(super) bytes: usize,
}

/// Something that was not searched for some queries.
#[derive(Debug)]
pub(super) struct Skip {
    pub(super) path: String,
    pub(super) queries: Mask,
    pub(super) reason: SkipReason,
}

/// Why something was not searched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum SkipReason {
    /// Not text, so out of scope.
    Binary,
    /// Text, but larger than what is read as text.
    TooLarge,
    /// The system refused to read a file; what it said.
    FileUnreadable(String),
    /// The system refused to list a folder; what it said.
    FolderUnreadable(String),
    /// A folder holds names that are not Unicode; how many.
    Unnameable(usize),
    /// The file system had not answered when the time was over, or keeps an earlier search waiting.
    NoAnswer,
}

impl Outcome {
    /// About how much memory it takes, in bytes.
    pub(super) fn weight(&self) -> usize {
        match self {
            Outcome::Found { path, hits } => {
                let shown =
                    hits.iter().flat_map(|(_, hits)| &hits.shown).map(|shown| shown.bytes).sum::<usize>();
                path.len() + shown
            }
            Outcome::Skipped(skip) => skip.path.len(),
        }
    }
}
