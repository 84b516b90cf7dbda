//! Where each query searches: the whole project, or what it names.

use webcodex_contracts::ProjectPath;
use webcodex_projects::{EntryKind, ReadAccess};

use super::SearchError;
use super::folder::is_git_folder;
use super::ignores::IsFolder;
use super::mask::Mask;
use super::plan::Query;
use super::walk::Named;

/// Where some queries search.
#[derive(Debug, Default)]
pub(super) struct Scope {
    /// The queries that search the whole project.
    pub(super) whole: Mask,
    /// By path.
    pub(super) named: Vec<Named>,
}

impl Scope {
    /// Adds a query; nothing is added where one of its paths cannot be searched. `look` is told each path first.
    pub(super) fn add(
        &mut self,
        number: usize,
        query: &Query,
        access: &ReadAccess,
        look: &dyn Fn(&ProjectPath) -> bool,
    ) -> Result<(), SearchError> {
        let mut found = Vec::new();
        for (index, path) in query.paths.iter().enumerate() {
            if !look(path) {
                return Err(SearchError::NoAnswer { path: path.clone(), index });
            }
            found.push(resolve(access, path, index)?);
        }
        if found.is_empty() {
            access.confine(&ProjectPath::root())?;
        }
        let queries = Mask::one(number);
        if found.is_empty() || found.iter().any(|(path, _)| path.is_root()) {
            self.whole |= queries;
        }
        for (path, kind) in found {
            self.name(path, kind, queries);
        }
        Ok(())
    }

    fn name(&mut self, path: ProjectPath, kind: IsFolder, queries: Mask) {
        let at = self.named.partition_point(|named| named.path.as_str() < path.as_str());
        match self.named.get_mut(at) {
            Some(named) if named.path == path.as_str() => named.queries |= queries,
            _ if path.is_root() => {}
            _ => self.named.insert(at, Named { path: path.into(), kind, queries }),
        }
    }
}

/// Links are followed as far as they stay in the project; results then have the paths they lead to.
fn resolve(
    access: &ReadAccess,
    path: &ProjectPath,
    index: usize,
) -> Result<(ProjectPath, IsFolder), SearchError> {
    let confined = access.confine(path)?;
    let in_git = |path: &ProjectPath| path.parts().any(is_git_folder);
    if in_git(path) || in_git(&confined.relative) {
        return Err(SearchError::GitFolder { path: path.clone(), index });
    }
    match confined.kind {
        EntryKind::File => Ok((confined.relative, IsFolder::No)),
        EntryKind::Folder => Ok((confined.relative, IsFolder::Yes)),
        EntryKind::Missing => Err(SearchError::Missing { path: path.clone(), index }),
        EntryKind::Other => Err(SearchError::NotSearchable { path: path.clone(), index }),
    }
}
