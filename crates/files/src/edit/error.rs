//! Why changes cannot be made. Nothing has been written when one of these is returned.

use webcodex_contracts::limits::MAX_TEXT_FILE_BYTES;
use webcodex_contracts::{PathError, ProjectPath};
use webcodex_projects::ConfineError;

use crate::text::BinaryKind;
use crate::{ContentHash, ReadError};

use super::nearest::NearMiss;

/// Why a change cannot be made.
#[derive(Debug, thiserror::Error)]
#[error("{problem}")]
pub struct EditError {
    /// The change at fault, from 0.
    pub change: usize,
    /// What is wrong with it.
    pub problem: EditProblem,
}

/// What a file is like now, told to a caller whose revision does not fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Current {
    /// Path in the project.
    pub path: ProjectPath,
    /// The file's facts; none if it does not exist.
    pub file: Option<CurrentFile>,
}

/// Facts of an existing file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CurrentFile {
    /// Size in bytes.
    pub size_bytes: u64,
    /// Hash of the content.
    pub hash: ContentHash,
    /// Number of lines; none if it is not text.
    pub total_lines: Option<u64>,
}

/// What is wrong with a change.
#[derive(Debug, thiserror::Error)]
pub enum EditProblem {
    /// An argument is missing or does not fit the kind of change.
    #[error("{message}")]
    Argument {
        /// The argument.
        field: &'static str,
        /// What is wrong.
        message: String,
    },
    /// A path cannot be used.
    #[error("{error}")]
    Path {
        /// `path` or `to_path`.
        field: &'static str,
        /// Why.
        error: ConfineError,
    },
    /// A new name would not exist on every system.
    #[error("{error}")]
    Name {
        /// `path` or `to_path`.
        field: &'static str,
        /// Why.
        error: PathError,
    },
    /// The file cannot be read.
    #[error(transparent)]
    File(Box<ReadError>),
    /// The file is not text.
    #[error("`{path}` is binary ({kind}) and cannot be edited as text")]
    Binary {
        /// Path in the project.
        path: ProjectPath,
        /// What it seems to be.
        kind: BinaryKind,
    },
    /// The path is a link, and what is asked for would change the link or its target, which is not said.
    #[error("`{path}` is a link to `{target}`; only the file itself can be renamed or deleted")]
    Link {
        /// The link.
        path: ProjectPath,
        /// The file it leads to.
        target: ProjectPath,
    },
    /// There is something at the path of a new file.
    #[error("`{path}` already exists")]
    Exists {
        /// `path` or `to_path`.
        field: &'static str,
        /// Path in the project.
        path: ProjectPath,
    },
    /// An existing file is to be changed without saying which content that is based on.
    #[error("`{path}` exists, so the change must say which content it is based on")]
    Unguarded {
        /// Path in the project.
        path: ProjectPath,
    },
    /// The revision does not prove that the present content was read.
    #[error("the `expected_read_revision` for `{}` does not fit its present content", .stale.path)]
    Stale {
        /// What the file is like now.
        stale: Current,
        /// Others of the same request in the same state.
        also: Vec<ProjectPath>,
    },
    /// The text occurs nowhere.
    #[error("`old_text` occurs nowhere in `{path}`{}", near(.nearest))]
    NoMatch {
        /// Path in the project.
        path: ProjectPath,
        /// The nearest thing, if there is one.
        nearest: Option<NearMiss>,
    },
    /// The text occurs only outside the lines to look in.
    #[error("`old_text` does not occur in the lines of `line_scope` in `{path}`, but on {}", lines(.found))]
    OutsideScope {
        /// Path in the project.
        path: ProjectPath,
        /// Where it does occur.
        found: Vec<usize>,
    },
    /// There are fewer matches than the occurrence asked for.
    #[error("`old_text` occurs only {count} times in `{path}`, on {}", lines(.found))]
    TooFew {
        /// Path in the project.
        path: ProjectPath,
        /// How often it occurs.
        count: usize,
        /// Where, the first ones.
        found: Vec<usize>,
    },
    /// There are several matches, or not as many as was said.
    #[error("`old_text` occurs {count} times in `{path}`, on {}{}", lines(.found), ellipsis(*.count, .found))]
    Ambiguous {
        /// Path in the project.
        path: ProjectPath,
        /// How often it occurs.
        count: usize,
        /// Where, the first ones.
        found: Vec<usize>,
    },
    /// All matches are to be replaced, but they overlap.
    #[error("the places of `old_text` in `{path}` overlap, on {}", lines(.found))]
    Overlapping {
        /// Path in the project.
        path: ProjectPath,
        /// Where, the first ones.
        found: Vec<usize>,
    },
    /// Two changes cannot both be made.
    #[error("changes {other} and {change} conflict: {why}")]
    Conflict {
        /// The earlier of the two, from 0.
        other: usize,
        /// The later of the two, from 0.
        change: usize,
        /// What stands in the way.
        why: String,
    },
    /// The place needs certainty about the encoding that there is not.
    #[error("line {line} of `{path}` cannot be changed safely: its encoding, {encoding}, {reason}")]
    Uncertain {
        /// Path in the project.
        path: ProjectPath,
        /// The line, from 1.
        line: usize,
        /// The encoding and how it was found.
        encoding: String,
        /// What makes it uncertain.
        reason: &'static str,
    },
    /// The encoding lacks a character of the new text.
    #[error(
        "{character:?} (U+{:04X}, line {line}, column {column} of `new_text`) does not exist in {encoding}, the encoding of `{path}`",
        u32::from(*.character)
    )]
    Unrepresentable {
        /// Path in the project.
        path: ProjectPath,
        /// The character.
        character: char,
        /// Its line in `new_text`, from 1.
        line: usize,
        /// Its place in that line in characters, from 1.
        column: usize,
        /// The encoding.
        encoding: String,
    },
    /// The file is protected against writing.
    #[error("`{path}` is read-only")]
    ReadOnly {
        /// Path in the project.
        path: ProjectPath,
    },
    /// The result would be larger than text files are.
    #[error("`{path}` would become {size} bytes large; at most {MAX_TEXT_FILE_BYTES} are edited as text")]
    TooLarge {
        /// Path in the project.
        path: ProjectPath,
        /// The size it would have.
        size: u64,
    },
}

impl EditProblem {
    /// This problem of one change.
    pub(super) fn of(self, change: usize) -> EditError {
        EditError { change, problem: self }
    }

    /// The argument at fault within its change.
    pub fn argument(&self) -> &'static str {
        match self {
            EditProblem::Argument { field, .. }
            | EditProblem::Path { field, .. }
            | EditProblem::Name { field, .. }
            | EditProblem::Exists { field, .. } => field,
            EditProblem::Unguarded { .. } | EditProblem::Stale { .. } => "expected_read_revision",
            EditProblem::NoMatch { .. } | EditProblem::Ambiguous { .. } | EditProblem::Overlapping { .. } => {
                "old_text"
            }
            EditProblem::OutsideScope { .. } => "line_scope",
            EditProblem::TooFew { .. } => "occurrence",
            EditProblem::Uncertain { .. } => "encoding",
            EditProblem::Unrepresentable { .. } | EditProblem::TooLarge { .. } => "new_text",
            EditProblem::File(_)
            | EditProblem::Binary { .. }
            | EditProblem::Link { .. }
            | EditProblem::Conflict { .. }
            | EditProblem::ReadOnly { .. } => "path",
        }
    }

    /// The next step, where there is one to name.
    pub fn hint(&self) -> Option<String> {
        let text = match self {
            EditProblem::File(error) => return error.hint(),
            EditProblem::Binary { .. } => {
                "Binary files can be renamed and deleted; change them with run_process."
            }
            EditProblem::Link { target, .. } => {
                return Some(format!("Name `{target}`, or change the link with run_process."));
            }
            EditProblem::Exists { .. } => {
                "Read it and use `write` or `replace_exact`, or choose another path."
            }
            EditProblem::Unguarded { .. } => {
                "Read it with read_files and send its `read_revision` as `expected_read_revision`."
            }
            EditProblem::Stale { stale, .. } if stale.file.is_none() => {
                "It does not exist any more. Use `create` if it is to exist."
            }
            EditProblem::Stale { .. } => {
                "Read it again (all of it for `write` and `delete`) and send the new `read_revision` with changes that fit."
            }
            EditProblem::NoMatch { .. } => "Read that part again and copy the text exactly.",
            EditProblem::OutsideScope { .. } => "Correct `line_scope` or leave it out.",
            EditProblem::TooFew { count, .. } => {
                return Some(format!("Use an `occurrence` from 1 to {count}."));
            }
            EditProblem::Ambiguous { count, .. } => {
                return Some(format!(
                    "Give more of the text around it, or `occurrence`, `line_scope`, or `expected_match_count: {count}` to replace all."
                ));
            }
            EditProblem::Overlapping { .. } => {
                "Pick one with `occurrence` or give more of the text around it."
            }
            EditProblem::Conflict { .. } => {
                "Merge them into one change or make them one call after the other."
            }
            EditProblem::Uncertain { .. } => {
                "Pass `encoding` (for example gbk, shift_jis or windows-1252), or replace whole lines with ASCII text."
            }
            EditProblem::Unrepresentable { .. } => {
                "Use other characters, or convert the file to UTF-8 first."
            }
            EditProblem::ReadOnly { .. } => "Make it writable first if it is meant to be changed.",
            EditProblem::TooLarge { .. } => "Split it into several files.",
            EditProblem::Name { .. } => "The name must work on Windows, macOS and Linux.",
            EditProblem::Argument { .. } | EditProblem::Path { .. } => return None,
        };
        Some(text.to_owned())
    }
}

fn near(nearest: &Option<NearMiss>) -> String {
    match nearest {
        Some(NearMiss { line, difference }) => format!("; the nearest is line {line}: {difference}"),
        None => String::new(),
    }
}

fn lines(found: &[usize]) -> String {
    let mut numbers: Vec<String> = found.iter().map(usize::to_string).collect();
    numbers.dedup();
    match numbers.as_slice() {
        [one] => format!("line {one}"),
        several => format!("lines {}", several.join(", ")),
    }
}

fn ellipsis(count: usize, found: &[usize]) -> &'static str {
    if count > found.len() { ", …" } else { "" }
}
