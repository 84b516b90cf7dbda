//! The queries of a batch, checked and compiled.

use webcodex_contracts::limits::MAX_BATCH;
use webcodex_contracts::tools::batch::Batch;
use webcodex_contracts::tools::search_project_texts::{SearchOutput, SearchQuery};
use webcodex_contracts::{ProjectId, ProjectPath};

use super::SearchError;
use super::cursor::{CursorKey, Position};
use super::globs::Globs;
use super::mask::Mask;
use super::pattern::{AnyOf, Pattern};

/// Results of a query where it states no limit.
const DEFAULT_LIMIT: usize = 200;

/// One query.
#[derive(Debug)]
pub(super) struct Query {
    pub(super) pattern: Pattern,
    pub(super) paths: Vec<ProjectPath>,
    pub(super) output: SearchOutput,
    pub(super) limit: usize,
    /// Lines shown before and after a match.
    pub(super) context: u64,
    pub(super) key: CursorKey,
    globs: Globs,
    from: Option<Position>,
}

/// All queries that can be carried out.
#[derive(Debug)]
pub(super) struct Plan {
    queries: Vec<Option<Query>>,
    /// The queries that can be carried out.
    pub(super) all: Mask,
    /// Those that want hidden entries.
    pub(super) hidden: Mask,
    /// Those that want ignored entries.
    pub(super) ignored: Mask,
    /// Those that may find something else if text that is not UTF-8 is taken byte by byte.
    pub(super) beyond_ascii: Mask,
    /// Those whose matches lie in one line.
    pub(super) linewise: Mask,
    /// Those with globs or a place to go on from.
    narrowed: Mask,
    /// All linewise patterns in one.
    pub(super) any_of: Option<AnyOf>,
}

impl Query {
    fn new(project: &ProjectId, query: &SearchQuery) -> Result<Self, SearchError> {
        let key = CursorKey::new(project, query);
        let from = match &query.cursor {
            Some(cursor) => Some(Position::decode(cursor, &key).ok_or(SearchError::Cursor)?),
            None => None,
        };
        Ok(Self {
            pattern: Pattern::new(query)?,
            globs: Globs::new(query)?,
            paths: query.paths.clone(),
            output: query.output,
            limit: query.limit.map_or(DEFAULT_LIMIT, |limit| limit.as_usize()),
            context: query.context_lines.map_or(0, |lines| lines.get()),
            key,
            from,
        })
    }

    /// The last line of a file that is behind the place to go on from; `None` where the whole file is.
    pub(super) fn lines_behind(&self, path: &str) -> Option<u64> {
        self.from.as_ref().map_or(Some(0), |from| from.lines_behind(path))
    }
}

impl Plan {
    /// Checks every query; those at fault are told apart.
    pub(super) fn new(
        project: &ProjectId,
        asked: &Batch<SearchQuery, MAX_BATCH>,
    ) -> (Self, Vec<Option<SearchError>>) {
        let (queries, errors): (Vec<_>, Vec<_>) = asked
            .iter()
            .map(|query| match Query::new(project, query) {
                Ok(query) => (Some(query), None),
                Err(error) => (None, Some(error)),
            })
            .unzip();
        let mask =
            |test: &dyn Fn(&Query) -> bool| Mask::of(&queries, |query| query.as_ref().is_some_and(test));
        let all = mask(&|_| true);
        let linewise = mask(&|query| query.pattern.is_linewise());
        let patterns = linewise.iter().filter_map(|query| Some(&queries[query].as_ref()?.pattern));
        let plan = Self {
            all,
            hidden: Mask::of(asked, |query| query.hidden) & all,
            ignored: Mask::of(asked, |query| query.ignored) & all,
            beyond_ascii: mask(&|query| !query.pattern.is_only_ascii()),
            narrowed: mask(&|query| !query.globs.is_empty() || query.from.is_some()),
            any_of: if linewise.count() > 1 { AnyOf::new(patterns) } else { None },
            linewise,
            queries,
        };
        (plan, errors)
    }

    /// The query of a number, if it can be carried out.
    pub(super) fn query(&self, number: usize) -> Option<&Query> {
        self.queries.get(number)?.as_ref()
    }

    /// Those of `wanted` whose globs and cursor admit a file.
    pub(super) fn admit(&self, path: &str, wanted: Mask) -> Mask {
        self.narrow(wanted, |query| query.lines_behind(path).is_some() && query.globs.admit_file(path))
    }

    /// Those of `wanted` whose globs and cursor admit something in a folder, written with `/` at its end.
    pub(super) fn enter(&self, folder: &str, wanted: Mask) -> Mask {
        self.narrow(wanted, |query| {
            query.from.as_ref().is_none_or(|from| from.enters(folder))
                && query.globs.admit_folder(folder.trim_end_matches('/'))
        })
    }

    fn narrow(&self, wanted: Mask, admits: impl Fn(&Query) -> bool) -> Mask {
        let narrowed = wanted & self.narrowed;
        let kept = narrowed
            .iter()
            .filter(|&number| self.query(number).is_some_and(&admits))
            .fold(Mask::NONE, |mask, number| mask | Mask::one(number));
        wanted.without(narrowed) | kept
    }
}
