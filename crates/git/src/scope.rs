//! Which part of a repository a call is about: what lies inside the project, and there what `paths` names.

use std::ops::Range;

use gix::bstr::{BStr, BString, ByteSlice};
use webcodex_contracts::ProjectPath;

/// Paths here are relative to the repository's working tree, with slashes.
#[derive(Debug, Clone)]
pub(crate) struct Scope {
    /// The project's folder with a trailing slash; empty where the project is the whole working tree.
    prefix: BString,
    /// Files and folders, each inside the prefix; empty means everything inside the prefix.
    wanted: Vec<BString>,
}

impl Scope {
    /// What lies inside `prefix` (empty or ending in a slash) and, if any are given, at or below `paths`.
    pub(crate) fn new(prefix: &BStr, paths: &[ProjectPath]) -> Self {
        let whole = paths.is_empty() || paths.iter().any(ProjectPath::is_root);
        let mut wanted: Vec<BString> = match whole {
            true => Vec::new(),
            false => paths.iter().map(|path| join(prefix, path.as_str())).collect(),
        };
        wanted.sort();
        wanted.dedup();
        // A folder covers what is named below it.
        let all = wanted.clone();
        wanted.retain(|path| {
            !all.iter().any(|other| other != path && is_at_or_below(path.as_ref(), other.as_ref()))
        });
        Self { prefix: prefix.to_owned(), wanted }
    }

    /// Whether nothing is left out.
    pub(crate) fn is_everything(&self) -> bool {
        self.prefix.is_empty() && self.wanted.is_empty()
    }

    /// The path as the project sees it; `None` outside the project.
    pub(crate) fn in_project<'a>(&self, path: &'a BStr) -> Option<&'a BStr> {
        path.strip_prefix(self.prefix.as_slice()).map(ByteSlice::as_bstr)
    }

    /// Whether a file is meant.
    pub(crate) fn contains(&self, path: &BStr) -> bool {
        if self.wanted.is_empty() {
            return path.starts_with(&self.prefix);
        }
        self.wanted.iter().any(|wanted| is_at_or_below(path, wanted.as_ref()))
    }

    /// Whether something at or below the folder may be meant. `folder` has no trailing slash; the top is empty.
    pub(crate) fn reaches(&self, folder: &BStr) -> bool {
        self.roots().any(|root| is_at_or_below(folder, root) || is_at_or_below(root, folder))
    }

    /// The files and folders to look at, without trailing slashes; the top of the working tree is empty.
    pub(crate) fn roots(&self) -> impl Iterator<Item = &BStr> {
        let prefix =
            self.wanted.is_empty().then(|| self.prefix.strip_suffix(b"/").unwrap_or(&self.prefix).as_bstr());
        prefix.into_iter().chain(self.wanted.iter().map(|path| path.as_bstr()))
    }

    /// The places of the entries of a sorted index that are meant, in order.
    pub(crate) fn entries(&self, index: &gix::index::State) -> Vec<Range<usize>> {
        let mut ranges: Vec<Range<usize>> = self.roots().flat_map(|root| entries_at(index, root)).collect();
        ranges.retain(|range| !range.is_empty());
        ranges.sort_by_key(|range| range.start);
        ranges
    }
}

/// The entries of the file or submodule `root` and those below the folder `root`.
fn entries_at(index: &gix::index::State, root: &BStr) -> [Range<usize>; 2] {
    if root.is_empty() {
        return [0..index.entries().len(), 0..0];
    }
    let bounds = |from: &BStr, below: &dyn Fn(&BStr) -> bool| {
        let start = index.entries().partition_point(|entry| entry.path(index) < from);
        let count = index.entries()[start..].partition_point(|entry| below(entry.path(index)));
        start..start + count
    };
    let mut folder = root.to_owned();
    folder.push(b'/');
    [bounds(root, &|path| path == root), bounds(folder.as_ref(), &|path| path.starts_with(&folder))]
}

fn join(prefix: &BStr, path: &str) -> BString {
    let mut joined = prefix.to_owned();
    joined.extend_from_slice(path.as_bytes());
    joined
}

fn is_at_or_below(path: &BStr, folder: &BStr) -> bool {
    folder.is_empty()
        || path.strip_prefix(folder.as_bytes()).is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope(prefix: &str, paths: &[&str]) -> Scope {
        let paths: Vec<_> = paths.iter().map(|path| ProjectPath::parse(path).unwrap()).collect();
        Scope::new(BStr::new(prefix), &paths)
    }

    #[test]
    fn only_what_lies_in_the_project_is_meant() {
        let scope = scope("app/", &[]);
        assert!(scope.contains(BStr::new("app/src/a.rs")));
        assert!(!scope.contains(BStr::new("application/a.rs")) && !scope.contains(BStr::new("lib/a.rs")));
        assert_eq!(scope.in_project(BStr::new("app/src/a.rs")), Some(BStr::new("src/a.rs")));
        assert!(
            scope.reaches(BStr::new(""))
                && scope.reaches(BStr::new("app/src"))
                && !scope.reaches(BStr::new("lib"))
        );
    }

    #[test]
    fn paths_are_names_and_nothing_else() {
        let scope = scope("", &["*.rs", "--all", "src"]);
        assert!(scope.contains(BStr::new("*.rs")) && !scope.contains(BStr::new("a.rs")));
        assert!(scope.contains(BStr::new("src/a.rs")) && !scope.contains(BStr::new("src2")));
        assert!(scope.contains(BStr::new("--all")) && !scope.contains(BStr::new("-all")));
    }

    #[test]
    fn the_project_itself_among_the_paths_means_everything() {
        assert!(scope("", &["src", "."]).is_everything());
        assert_eq!(scope("a/", &["src", "src/x"]).roots().collect::<Vec<_>>(), [BStr::new("a/src")]);
    }
}
