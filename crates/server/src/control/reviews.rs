//! How the review of each session stands, as far as the calls tell that pass here: which files a session has changed,
//! which of them the person has accepted, and whether its model has closed it.
//!
//! What a page of the work is shown is the Runner's own knowledge and corrects what was gathered from single calls.

use std::collections::BTreeMap;

use serde_json::Value;
use webcodex_contracts::tools::finish_coding_task::FinishCodingTaskOutput;
use webcodex_contracts::tools::restore_changes::RestoreChangesOutput;
use webcodex_contracts::tools::review::{ChangedBy, Decision, FinalChanges, ReviewFile};
use webcodex_contracts::tools::review_decision::ReviewDecisionOutput;
use webcodex_contracts::tools::work_result_state::WorkResultStateOutput;
use webcodex_contracts::{CanonicalResult, SessionId, ToolName};
use webcodex_store::{FileNote, Store};

use super::book::{Book, SessionEntry};
use super::subject;

/// What a call tells of the review of its session.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct ReviewNews {
    /// What became of files.
    files: Vec<(String, FileNote)>,
    /// All files of the session and whether they are accepted, in place of what was known.
    all: Option<BTreeMap<String, bool>>,
    /// When the session was closed, or that it is open again.
    sealed_ms: Option<Option<u64>>,
}

impl ReviewNews {
    /// What a call with this result tells.
    pub(crate) fn of(tool: ToolName, arguments: &Value, result: &CanonicalResult) -> Self {
        let nothing = Self::default();
        if !result.success {
            return nothing;
        }
        match tool {
            ToolName::EditProjectFiles => {
                let changed = subject::changed_files(result);
                let sealed_ms = (!changed.is_empty()).then_some(None);
                Self { files: noted(changed, FileNote::Changed), sealed_ms, ..nothing }
            }
            ToolName::RestoreChanges => match read::<RestoreChangesOutput>(result) {
                Some(RestoreChangesOutput { changed: true, restored, .. }) => {
                    let paths = restored.into_iter().map(|file| file.path);
                    Self { files: noted(paths, FileNote::Back), sealed_ms: Some(None), ..nothing }
                }
                _ => nothing,
            },
            ToolName::ReviewDecision => decided(arguments, result).unwrap_or_default(),
            ToolName::FinishCodingTask => {
                let sealed = read::<FinishCodingTaskOutput>(result).and_then(|output| output.final_changes);
                Self { sealed_ms: sealed.map(|sealed| Some(sealed.sealed_ms)), ..nothing }
            }
            _ => nothing,
        }
    }

    /// What a page of the work is shown.
    pub(crate) fn shown(output: &WorkResultStateOutput) -> Self {
        let whole = output.review.as_ref().filter(|review| {
            let listed = review.files.len() as u64;
            !review.unchanged && review.file_count == listed
        });
        let all = whole.map(|review| review.files.iter().filter(is_own).map(state).collect());
        let closed = |sealed: &FinalChanges| (!sealed.work_went_on).then_some(sealed.sealed_ms);
        // Of an earlier look nothing is told about the present.
        let sealed_ms = output.review.as_ref().map(|_| output.final_changes.as_ref().and_then(closed));
        Self { files: Vec::new(), all, sealed_ms }
    }

    fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

fn noted(paths: impl IntoIterator<Item = String>, note: FileNote) -> Vec<(String, FileNote)> {
    paths.into_iter().map(|path| (path, note)).collect()
}

fn read<T: serde::de::DeserializeOwned>(result: &CanonicalResult) -> Option<T> {
    serde_json::from_value(Value::Object(result.output.clone())).ok()
}

/// A decision about a whole file; one about a hunk leaves the file to be decided.
fn decided(arguments: &Value, result: &CanonicalResult) -> Option<ReviewNews> {
    let output = read::<ReviewDecisionOutput>(result)?;
    let rejected_hunk = output.rejection.as_ref().is_some_and(|rejection| rejection.hunk.is_some());
    let of_hunk = rejected_hunk || arguments.get("hunk_id").is_some();
    let note = match arguments.get("action")?.as_str()? {
        "accept" if !of_hunk => FileNote::Accepted,
        "reject" if !of_hunk => FileNote::Back,
        "take_back" if !of_hunk => FileNote::Changed,
        _ => return None,
    };
    Some(ReviewNews { files: vec![(output.path, note)], ..ReviewNews::default() })
}

fn is_own(file: &&ReviewFile) -> bool {
    matches!(file.by, Some(ChangedBy::Session | ChangedBy::Command | ChangedBy::Mixed))
}

fn state(file: &ReviewFile) -> (String, bool) {
    (file.path.clone(), file.decision == Some(Decision::Accept))
}

impl Book {
    /// Keeps what a call tells of the review of its session; on disk, paths only where the person wants `subjects`.
    pub(crate) fn reviewed(&self, store: &Store, session: &SessionId, news: ReviewNews, subjects: bool) {
        if news.is_nothing() {
            return;
        }
        let mut inner = self.inner.lock();
        let entry = inner.kept.as_mut().and_then(|kept| kept.sessions.get_mut(session));
        let written = match entry {
            Some(entry) => entry.take(news),
            // Nobody looks, so what is known lies on the disk; only what was done is written there.
            None => Changes { files: news.files, sealed_ms: news.sealed_ms.filter(|_| news.all.is_none()) },
        };
        drop(inner);
        if subjects {
            for note in [FileNote::Changed, FileNote::Accepted, FileNote::Back] {
                let of_note = written.files.iter().filter(|(_, known)| *known == note);
                let paths: Vec<String> = of_note.map(|(path, _)| path.clone()).collect();
                if !paths.is_empty() {
                    store.note_files(session, paths, note);
                }
            }
        }
        if let Some(sealed_ms) = written.sealed_ms {
            store.note_seal(session, sealed_ms);
        }
        self.changed();
    }
}

/// What is different from what was known.
#[derive(Default)]
struct Changes {
    files: Vec<(String, FileNote)>,
    sealed_ms: Option<Option<u64>>,
}

impl SessionEntry {
    /// Files that the person has accepted.
    pub(super) fn accepted(&self) -> u64 {
        self.files.values().filter(|accepted| **accepted).count() as u64
    }

    /// Takes the news over and says what is different now.
    fn take(&mut self, news: ReviewNews) -> Changes {
        let mut changes = Changes::default();
        let mut files = self.files.clone();
        match news.all {
            Some(all) => files = all,
            None => {
                for (path, note) in news.files {
                    match note {
                        FileNote::Changed => files.insert(path, false),
                        FileNote::Accepted => files.insert(path, true),
                        FileNote::Back => files.remove(&path),
                    };
                }
            }
        }
        for (path, accepted) in
            files.iter().filter(|(path, accepted)| self.files.get(*path) != Some(*accepted))
        {
            let note = if *accepted { FileNote::Accepted } else { FileNote::Changed };
            changes.files.push((path.clone(), note));
        }
        let gone = self.files.keys().filter(|path| !files.contains_key(*path));
        changes.files.extend(gone.map(|path| (path.clone(), FileNote::Back)));
        self.files = files;
        if let Some(sealed_ms) = news.sealed_ms.filter(|sealed_ms| *sealed_ms != self.sealed_ms) {
            self.sealed_ms = sealed_ms;
            changes.sealed_ms = Some(sealed_ms);
        }
        changes
    }
}
