//! Which files a query looks at: `include` and `exclude`.
//!
//! A glob without `/` is matched against the name, at any depth; one with `/` against the path from the project's
//! folder. `*` and `?` stop at `/`, `**` does not. A glob that fits a folder covers everything in it.

use globset::{Candidate, GlobBuilder, GlobSet, GlobSetBuilder};
use webcodex_contracts::tools::search_project_texts::SearchQuery;

use super::{GlobList, SearchError};

/// Most globs in one list.
const MAX_GLOBS: usize = 64;

/// The globs of a query.
#[derive(Debug, Clone)]
pub(super) struct Globs {
    include: Option<GlobSet>,
    exclude: Option<GlobSet>,
}

impl Globs {
    /// Checks and compiles the globs of a query.
    pub(super) fn new(query: &SearchQuery) -> Result<Self, SearchError> {
        Ok(Self {
            include: compile(GlobList::Include, &query.include)?,
            exclude: compile(GlobList::Exclude, &query.exclude)?,
        })
    }

    /// Whether there is no glob.
    pub(super) fn is_empty(&self) -> bool {
        self.include.is_none() && self.exclude.is_none()
    }

    /// Whether a file is looked at.
    pub(super) fn admit_file(&self, path: &str) -> bool {
        let candidate = Candidate::new(path);
        let hit = |set: &GlobSet| set.is_match_candidate(&candidate);
        self.include.as_ref().is_none_or(hit) && !self.exclude.as_ref().is_some_and(hit)
    }

    /// Whether there is something to look at in a folder.
    pub(super) fn admit_folder(&self, path: &str) -> bool {
        !self.exclude.as_ref().is_some_and(|set| set.is_match(path))
    }
}

fn compile(list: GlobList, globs: &[String]) -> Result<Option<GlobSet>, SearchError> {
    if globs.is_empty() {
        return Ok(None);
    }
    let mut set = GlobSetBuilder::new();
    for (index, glob) in globs.iter().enumerate() {
        let fault = |reason: String| SearchError::Glob { list, index, glob: glob.clone(), reason };
        if index == MAX_GLOBS {
            return Err(fault(format!("it is one too many; at most {MAX_GLOBS} are allowed")));
        }
        let (itself, inside) = spellings(glob).map_err(|reason| fault(reason.to_owned()))?;
        for spelling in [itself, Some(inside)].into_iter().flatten() {
            let built = GlobBuilder::new(&spelling).literal_separator(true).backslash_escape(true).build();
            set.add(built.map_err(|error| fault(error.kind().to_string()))?);
        }
    }
    let too_large = |error: globset::Error| SearchError::Glob {
        list,
        index: 0,
        glob: globs.join(", "),
        reason: error.kind().to_string(),
    };
    Ok(Some(set.build().map_err(too_large)?))
}

/// A glob for the entry itself, unless only folders are meant, and one for everything inside it.
fn spellings(glob: &str) -> Result<(Option<String>, String), &'static str> {
    if glob.starts_with('!') {
        return Err("a leading `!` has no meaning here; put the glob into the other list instead");
    }
    let path = glob.strip_prefix("./").unwrap_or(glob);
    let (only_folder, path) = path.strip_suffix('/').map_or((false, path), |path| (true, path));
    let anchored = path.contains('/');
    let path = path.strip_prefix('/').unwrap_or(path);
    if path.is_empty() {
        return Err("it is empty");
    }
    let path = if anchored { path.to_owned() } else { format!("**/{path}") };
    let inside = format!("{path}/**");
    Ok(((!only_folder).then_some(path), inside))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn globs(include: &[&str], exclude: &[&str]) -> Result<Globs, SearchError> {
        let owned = |list: &[&str]| list.iter().map(ToString::to_string).collect();
        let mut query = super::super::tests::query("x");
        (query.include, query.exclude) = (owned(include), owned(exclude));
        Globs::new(&query)
    }

    #[test]
    fn globs_choose_files() {
        let cases: &[(&[&str], &[&str], &str, bool)] = &[
            (&["*.rs"], &[], "a.rs", true),
            (&["*.rs"], &[], "deep/er/a.rs", true),
            (&["*.rs"], &[], "a.rsx", false),
            (&["src/*.rs"], &[], "src/a.rs", true),
            (&["src/*.rs"], &[], "src/b/a.rs", false),
            (&["src/*.rs"], &[], "x/src/a.rs", false),
            (&["src/**/*.rs"], &[], "src/b/c/a.rs", true),
            (&["src/**/*.rs"], &[], "src/a.rs", true),
            (&["src"], &[], "src/b/c.txt", true),
            (&["src"], &[], "x/src/c.txt", true),
            (&["/src"], &[], "x/src/c.txt", false),
            (&["./src/"], &[], "src/c.txt", true),
            (&["*.{rs,toml}"], &[], "Cargo.toml", true),
            (&["[ab].c"], &[], "b.c", true),
            (&[], &["node_modules"], "a/node_modules/b/c.js", false),
            (&[], &["*.min.js"], "a/b.min.js", false),
            (&["*.js"], &["*.min.js"], "a/b.js", true),
            (&[], &["docs/"], "docs", true),
            (&[], &["docs/"], "docs/a", false),
        ];
        for (include, exclude, path, admitted) in cases {
            let globs = globs(include, exclude).unwrap();
            assert_eq!(globs.admit_file(path), *admitted, "+{include:?} -{exclude:?} {path}");
        }
    }

    #[test]
    fn an_excluded_folder_is_not_entered() {
        let globs = globs(&["*.rs"], &["target", "a/b/"]).unwrap();
        assert!(!globs.admit_folder("x/target"));
        assert!(globs.admit_folder("src"), "an include glob closes no folder");
        assert!(globs.admit_folder("a"));
    }

    #[test]
    fn a_broken_glob_is_named_with_its_place() {
        let check = |list: &[&str], index: usize, part: &str| {
            let error = globs(&[], list).unwrap_err();
            let SearchError::Glob { list: GlobList::Exclude, index: at, .. } = &error else {
                panic!("{error:?}")
            };
            assert_eq!(*at, index);
            assert!(error.to_string().contains(part), "{error}");
        };
        check(&["ok", "a{b"], 1, "`a{b` is not a valid glob: unclosed alternate");
        check(&["[z-a]"], 0, "invalid range");
        check(&["!x"], 0, "the other list");
        check(&[""], 0, "it is empty");
    }
}
