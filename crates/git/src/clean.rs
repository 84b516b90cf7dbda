//! A file of the working tree as git would store it: line ends, encodings and filters undone.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use gix::ObjectId;
use gix::bstr::{BStr, BString};
use gix::filter::plumbing::pipeline::CrlfRoundTripCheck;
use gix::filter::plumbing::pipeline::convert::ToGitOutcome;
use gix::index::entry::Mode;
use gix::objs::{FindExt, Kind};
use gix::worktree::stack::state::attributes::Source;

use crate::GitError;
use crate::error::explain;
use crate::filters::{Filters, Unfiltered};
use crate::repository::Conversion;

/// Turns files of one working tree into git's form. One for each thread.
pub(crate) struct Cleaner<'a> {
    repo: &'a gix::Repository,
    index: &'a gix::index::State,
    filters: &'a Filters,
    pipeline: gix::filter::plumbing::Pipeline,
    stack: gix::AttributeStack<'a>,
    attributes: gix::attrs::search::Outcome,
}

/// What the attributes say about a file.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Traits {
    /// The filter it passes through.
    pub(crate) filter: Option<BString>,
    /// Marked as not to be shown as text (`-diff`, `binary`).
    pub(crate) no_text: bool,
}

/// A file in git's form.
#[derive(Debug)]
pub(crate) enum Cleaned {
    /// The bytes.
    Bytes(Vec<u8>),
    /// More bytes than wanted.
    TooLarge,
    /// A filter stands between the file and git and did not answer.
    Unfiltered(Unfiltered),
}

impl<'a> Cleaner<'a> {
    pub(crate) fn new(
        repo: &'a gix::Repository,
        index: &'a gix::index::State,
        filters: &'a Filters,
    ) -> Result<Self, GitError> {
        let stack = repo.attributes_only(index, Source::WorktreeThenIdMapping)?;
        let mut options = gix::filter::Pipeline::options(repo)?;
        // Filters run under our own clock, see `Filters`; and looking never fails over line ends.
        options.drivers.clear();
        options.crlf_roundtrip_check = CrlfRoundTripCheck::Skip;
        let context = gix::command::Context::default();
        let pipeline = gix::filter::plumbing::Pipeline::new(context, repo.object_hash(), options);
        let mut attributes = gix::attrs::search::Outcome::default();
        attributes.initialize_with_selection(stack.attributes_collection(), ["filter", "diff"]);
        Ok(Self { repo, index, filters, pipeline, stack, attributes })
    }

    /// What the attributes say about the file at `path`.
    pub(crate) fn traits(&mut self, path: &BStr) -> io::Result<Traits> {
        if self.filters.conversion == Conversion::None {
            return Ok(Traits::default());
        }
        self.attributes.reset();
        self.stack.at_entry(path, Some(Mode::FILE)).map_err(other)?.matching_attributes(&mut self.attributes);
        let mut traits = Traits::default();
        for found in self.attributes.iter_selected() {
            match (found.assignment.name.as_str(), found.assignment.state) {
                ("filter", gix::attrs::StateRef::Value(name)) => {
                    traits.filter = Some(name.as_bstr().to_owned())
                }
                ("diff", gix::attrs::StateRef::Unset) => traits.no_text = true,
                _ => {}
            }
        }
        Ok(traits)
    }

    /// The id git would give to the file, or to the target of the link.
    pub(crate) fn id(
        &mut self,
        path: &BStr,
        file: &Path,
        link: bool,
    ) -> io::Result<Result<ObjectId, Unfiltered>> {
        if link {
            return Ok(Ok(self.id_of(&link_target(file)?)?));
        }
        if let Some(cleaned) = self.filtered(path, file)? {
            return match cleaned {
                Ok(bytes) => self.converted_id(path, bytes.as_slice(), bytes.len() as u64).map(Ok),
                Err(unfiltered) => Ok(Err(unfiltered)),
            };
        }
        let mut content = open(file)?;
        let length = content.metadata()?.len();
        if self.filters.conversion == Conversion::None {
            return stream_id(self.repo.object_hash(), &mut content, length).map(Ok);
        }
        self.converted_id(path, content, length).map(Ok)
    }

    /// The bytes git would store for the file, or the target of the link.
    pub(crate) fn read(&mut self, path: &BStr, file: &Path, link: bool, limit: u64) -> io::Result<Cleaned> {
        if link {
            return Ok(Cleaned::Bytes(link_target(file)?));
        }
        if let Some(cleaned) = self.filtered(path, file)? {
            return match cleaned {
                Ok(bytes) if bytes.len() as u64 > limit => Ok(Cleaned::TooLarge),
                Ok(bytes) => self.converted(path, bytes.as_slice(), limit),
                Err(unfiltered) => Ok(Cleaned::Unfiltered(unfiltered)),
            };
        }
        let content = open(file)?;
        let length = content.metadata()?.len();
        if length > limit {
            return Ok(Cleaned::TooLarge);
        }
        self.converted(path, content, limit)
    }

    /// The id of bytes in git's form.
    pub(crate) fn id_of(&self, bytes: &[u8]) -> io::Result<ObjectId> {
        gix::objs::compute_hash(self.repo.object_hash(), Kind::Blob, bytes).map_err(other)
    }

    /// What git would write into the working tree for bytes in its own form; `None` where a filter program stands
    /// between.
    pub(crate) fn worktree_form(&mut self, path: &BStr, stored: &[u8]) -> io::Result<Option<Vec<u8>>> {
        if self.filters.conversion == Conversion::None {
            return Ok(Some(stored.to_vec()));
        }
        let filters = self.filters;
        if self.traits(path)?.filter.is_some_and(|name| filters.named(name.as_ref()).is_some()) {
            return Ok(None);
        }
        let platform = self.stack.at_entry(path, Some(Mode::FILE)).map_err(other)?;
        let mut attributes = |_: &BStr, outcome: &mut gix::attrs::search::Outcome| {
            platform.matching_attributes(outcome);
        };
        let options = gix::filter::plumbing::pipeline::convert::to_worktree::Options::default();
        let outcome =
            self.pipeline.convert_to_worktree(stored, path, &mut attributes, options).map_err(other)?;
        Ok(outcome.as_bytes().map(<[u8]>::to_vec))
    }

    /// What the file's filter makes of it; `None` where it passes through none.
    fn filtered(&mut self, path: &BStr, file: &Path) -> io::Result<Option<Result<Vec<u8>, Unfiltered>>> {
        let filters = self.filters;
        let Some(name) = self.traits(path)?.filter else { return Ok(None) };
        Ok(filters.named(name.as_ref()).map(|driver| filters.clean(driver, path, file)))
    }

    fn converted<R: Read>(&mut self, path: &BStr, content: R, limit: u64) -> io::Result<Cleaned> {
        let mut bytes = Vec::new();
        if self.filters.conversion == Conversion::None {
            content.take(limit + 1).read_to_end(&mut bytes)?;
            return Ok(if bytes.len() as u64 > limit { Cleaned::TooLarge } else { Cleaned::Bytes(bytes) });
        }
        match self.convert(path, content)? {
            ToGitOutcome::Buffer(buffer) => bytes.extend_from_slice(buffer),
            // It may have grown since it was measured.
            other => drop(other.take(limit + 1).read_to_end(&mut bytes)?),
        }
        Ok(if bytes.len() as u64 > limit { Cleaned::TooLarge } else { Cleaned::Bytes(bytes) })
    }

    fn converted_id<R: Read>(&mut self, path: &BStr, content: R, length: u64) -> io::Result<ObjectId> {
        let kind = self.repo.object_hash();
        match self.convert(path, content)? {
            ToGitOutcome::Buffer(buffer) => gix::objs::compute_hash(kind, Kind::Blob, buffer).map_err(other),
            mut other => stream_id(kind, &mut other, length),
        }
    }

    fn convert<R: Read>(&mut self, path: &BStr, content: R) -> io::Result<ToGitOutcome<'_, R>> {
        let platform = self.stack.at_entry(path, Some(Mode::FILE)).map_err(other)?;
        let (repo, index) = (self.repo, self.index);
        let mut stored = |buffer: &mut Vec<u8>| {
            let Some(entry) = index.entry_by_path(path) else { return Ok(None) };
            // Without the stored form the conversion goes by the attributes alone.
            Ok(repo.objects.find_blob(&entry.id, buffer).ok().map(|_| ()))
        };
        let relative = gix::path::from_bstr(path).map_err(other)?;
        let mut attributes = |_: &BStr, outcome: &mut gix::attrs::search::Outcome| {
            platform.matching_attributes(outcome);
        };
        self.pipeline.convert_to_git(content, &relative, &mut attributes, &mut stored).map_err(other)
    }
}

/// The id of a file read piece by piece. A file that shrinks meanwhile is an error, as if it could not be read.
fn stream_id(kind: gix::hash::Kind, content: &mut dyn Read, length: u64) -> io::Result<ObjectId> {
    let never = std::sync::atomic::AtomicBool::new(false);
    gix::objs::compute_stream_hash(kind, Kind::Blob, content, length, &mut gix::progress::Discard, &never)
        .map_err(other)
}

/// Opens a regular file, never what a link leads to and never a pipe that would wait.
#[cfg(unix)]
pub(crate) fn open(file: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
    std::fs::OpenOptions::new().read(true).custom_flags(flags.bits() as i32).open(file)
}

#[cfg(windows)]
pub(crate) fn open(file: &Path) -> io::Result<File> {
    File::open(file)
}

/// The target of a link as git stores it.
pub(crate) fn link_target(file: &Path) -> io::Result<Vec<u8>> {
    let target = std::fs::read_link(file)?;
    let target = gix::path::into_bstr(target).map_err(other)?;
    Ok(gix::path::to_unix_separators_on_windows(target).into_owned().into())
}

/// One file that cannot be read is no reason to fail for all the others, so every trouble is this file's trouble.
fn other(error: gix::Error) -> io::Error {
    io::Error::other(explain(&error))
}
