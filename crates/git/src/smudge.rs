//! Files of a fresh worktree that pass through a filter on their way out of git.
//!
//! The checkout itself runs no program. Afterwards such files get their content here: large files from the local
//! store of Git LFS, others from the filter that the user's configuration names, within its time.

use std::io;
use std::path::{Path, PathBuf};

use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::entry::{Mode, Stat};
use gix::index::fs::Metadata;

use crate::clean::Cleaner;
use crate::filters::{Filters, pointed_at};
use crate::repository::Workspace;
use crate::{GitError, Interrupt, names};

/// Fills in what the filters make of the stored files. Returns notes about files that stay as they are stored.
pub(crate) fn fill(made: &gix::Repository, source: &Workspace, interrupt: &Interrupt) -> Vec<String> {
    let Some(top) = made.workdir().map(Path::to_owned) else { return Vec::new() };
    // The filters are those of the source: `made` was opened without any.
    let filters = Filters::of(source, interrupt).working_in(&top);
    if filters.is_empty() {
        return Vec::new();
    }
    match (Filler { made, filters: &filters, top }).all() {
        Ok(left) if left.is_empty() => Vec::new(),
        Ok(left) => vec![note(&left)],
        Err(error) => vec![format!("files that pass through a filter were left as they are stored: {error}")],
    }
}

fn note(left: &[BString]) -> String {
    let first = names::text(left[0].as_bstr());
    match left.len() {
        1 => format!(
            "`{first}` was left as it is stored: its filter did not answer or its content is not here"
        ),
        count => format!(
            "{count} files were left as they are stored, such as `{first}`: a filter did not answer or their content \
             is not here"
        ),
    }
}

struct Filler<'a> {
    made: &'a gix::Repository,
    filters: &'a Filters,
    top: PathBuf,
}

impl Filler<'_> {
    /// Fills all files and writes their new times into the worktree's own index.
    fn all(&self) -> Result<Vec<BString>, GitError> {
        let mut index = self.made.open_index()?;
        let state = gix::index::State::clone(&index);
        let mut cleaner = Cleaner::new(self.made, &state, self.filters)?;
        let (mut left, mut filled) = (Vec::new(), false);
        for (at, entry) in state.entries().iter().enumerate() {
            if !matches!(entry.mode, Mode::FILE | Mode::FILE_EXECUTABLE) {
                continue;
            }
            let path = entry.path(&state);
            let Some(driver) = cleaner.traits(path).ok().and_then(|traits| traits.filter) else { continue };
            if self.filters.named(driver.as_ref()).is_none() {
                continue;
            }
            match self.fill(path, driver.as_ref()) {
                Ok(stat) => {
                    index.entries_mut()[at].stat = stat;
                    filled = true;
                }
                Err(_) => left.push(path.to_owned()),
            }
        }
        if filled {
            index.write(gix::index::write::Options::default())?;
        }
        Ok(left)
    }

    fn fill(&self, path: &BStr, driver: &BStr) -> io::Result<Stat> {
        let file = self.top.join(gix::path::from_bstr(path).map_err(|_| io::ErrorKind::InvalidFilename)?);
        let driver = self.filters.named(driver).ok_or(io::ErrorKind::NotFound)?;
        match pointed_at(driver, &file)? {
            Some(oid) => drop(std::fs::copy(self.lfs_object(&oid), &file).map(|_| ())?),
            None => std::fs::write(&file, self.filters.smudge(driver, path, &file)?)?,
        }
        let metadata = Metadata::from_path_no_follow(&file)?;
        Stat::from_fs(&metadata).map_err(io::Error::other)
    }

    /// Where Git LFS keeps the content with this id.
    fn lfs_object(&self, oid: &str) -> PathBuf {
        self.made.common_dir().join("lfs/objects").join(&oid[..2]).join(&oid[2..4]).join(oid)
    }
}
