//! What was not searched, in a few short lines.

use super::error::Stage;
use super::outcome::{Skip, SkipReason};

/// Paths that are named before the rest is only counted.
const NAMED: usize = 5;

/// What one query did not see.
#[derive(Debug, Default)]
pub(super) struct Skips {
    binary: u64,
    too_large: Paths,
    unreadable_files: Paths,
    unreadable_folders: Paths,
    unnameable: Paths,
    no_answer: Paths,
}

#[derive(Debug, Default)]
struct Paths {
    count: u64,
    named: Vec<String>,
}

/// Why not everything in scope was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shortfall {
    /// The time was over.
    Deadline,
    /// A file system did not answer, or a file was not done, in time.
    NoAnswer,
    /// A folder could not be listed.
    FolderUnreadable,
    /// A file could not be read.
    FileUnreadable,
    /// A text file is larger than what is read as text.
    FileTooLarge,
    /// A name is not Unicode, so that no path can say it.
    NameNotUnicode,
}

impl Shortfall {
    /// The part of the search in which it came about.
    pub fn stage(self) -> Stage {
        match self {
            Shortfall::Deadline | Shortfall::NoAnswer => Stage::Deadline,
            Shortfall::FolderUnreadable | Shortfall::NameNotUnicode => Stage::Walk,
            Shortfall::FileUnreadable | Shortfall::FileTooLarge => Stage::Read,
        }
    }

    /// The exact reason, for programs.
    pub fn detail_code(self) -> &'static str {
        match self {
            Shortfall::Deadline => "deadline_reached",
            Shortfall::NoAnswer => "file_system_does_not_answer",
            Shortfall::FolderUnreadable => "folder_unreadable",
            Shortfall::FileUnreadable => "file_unreadable",
            Shortfall::FileTooLarge => "file_too_large",
            Shortfall::NameNotUnicode => "name_not_unicode",
        }
    }
}

impl Skips {
    pub(super) fn add(&mut self, skip: &Skip) {
        let path = if skip.path.is_empty() { "." } else { &skip.path };
        let with = |reason: &str| format!("`{path}` ({reason})");
        match &skip.reason {
            SkipReason::Binary => self.binary += 1,
            SkipReason::TooLarge => self.too_large.add(1, format!("`{path}`")),
            SkipReason::FileUnreadable(reason) => self.unreadable_files.add(1, with(reason)),
            SkipReason::FolderUnreadable(reason) => self.unreadable_folders.add(1, with(reason)),
            SkipReason::Unnameable(count) => self.unnameable.add(*count as u64, format!("in `{path}`")),
            SkipReason::NoAnswer => self.no_answer.add(1, format!("`{path}`")),
        }
    }

    /// The gravest reason why not everything in scope was seen. Binary files are not in scope.
    pub(super) fn shortfall(&self) -> Option<Shortfall> {
        let reasons = [
            (&self.no_answer, Shortfall::NoAnswer),
            (&self.unreadable_folders, Shortfall::FolderUnreadable),
            (&self.unreadable_files, Shortfall::FileUnreadable),
            (&self.too_large, Shortfall::FileTooLarge),
            (&self.unnameable, Shortfall::NameNotUnicode),
        ];
        reasons.into_iter().find(|(paths, _)| paths.count > 0).map(|(_, shortfall)| shortfall)
    }

    /// The lines for an answer.
    pub(super) fn into_lines(self) -> Vec<String> {
        let binary = match self.binary {
            0 => None,
            1 => Some("1 binary file".to_owned()),
            count => Some(format!("{count} binary files")),
        };
        let listed = [
            self.too_large.line("larger than 64 MiB, not searched"),
            self.unreadable_files.line("cannot be read"),
            self.unreadable_folders.line("cannot be listed"),
            self.unnameable.line("names that are not Unicode"),
            self.no_answer.line("no answer in time, perhaps from a dead network drive"),
        ];
        binary.into_iter().chain(listed.into_iter().flatten()).collect()
    }
}

impl Paths {
    fn add(&mut self, count: u64, named: String) {
        self.count += count;
        if self.named.len() < NAMED {
            self.named.push(named);
        }
    }

    fn line(self, what: &str) -> Option<String> {
        let more = self.count.saturating_sub(self.named.len() as u64);
        let named = self.named.join(", ");
        match (self.count, more) {
            (0, _) => None,
            (_, 0) => Some(format!("{what}: {named}")),
            (_, more) => Some(format!("{what}: {named} and {more} more")),
        }
    }
}
