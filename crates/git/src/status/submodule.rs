//! A submodule is a pointer to a commit. Nothing in it is ever changed from here.

use gix::ObjectId;
use gix::bstr::{BStr, ByteSlice};
use gix::submodule::config::Ignore;

use super::tracked::Now;
use crate::repository::{Site, Workspace};
use crate::scope::Scope;
use crate::{GitError, Interrupt};

/// How the submodule at `path` differs from the commit that the index wants; `None` where it does not, or where it
/// is not checked out.
pub(super) fn look(
    site: &Site,
    path: &BStr,
    wanted: ObjectId,
    interrupt: &Interrupt,
) -> Result<Option<Now>, GitError> {
    let Some(inner) = site.submodule(path) else { return Ok(None) };
    let ignore = ignored_part(&site.repo(), path);
    if ignore == Ignore::All {
        return Ok(None);
    }
    // A submodule without a commit yet points nowhere.
    let Ok(commit) = inner.repo.head_id().map(gix::Id::detach) else { return Ok(None) };
    let dirty = match ignore {
        Ignore::Dirty | Ignore::All => false,
        // A fault in there is not this repository's fault; the pointer is still right.
        Ignore::Untracked | Ignore::None => is_dirty(&inner, interrupt),
    };
    interrupt.check()?;
    Ok((commit != wanted || dirty).then_some(Now::Submodule { commit, dirty }))
}

fn is_dirty(inner: &Workspace, interrupt: &Interrupt) -> bool {
    let everything = Scope::new(BStr::new(""), &[]);
    super::changed_paths(inner, &everything, interrupt).is_ok_and(|changed| !changed.is_empty())
}

/// What `submodule.<name>.ignore` says about changes inside.
fn ignored_part(repo: &gix::Repository, path: &BStr) -> Ignore {
    let Ok(Some(mut submodules)) = repo.submodules() else { return Ignore::None };
    let found = submodules.find(|submodule| submodule.path().is_ok_and(|place| place.as_bstr() == path));
    found.and_then(|submodule| submodule.ignore().ok().flatten()).unwrap_or(Ignore::None)
}
