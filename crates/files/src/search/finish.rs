//! From what was found when a search ended to its answers.

use webcodex_contracts::limits::MAX_SEARCH_BYTES;

use super::crew::{Ended, Results};
use super::cursor::{CursorKey, Position};
use super::mask::Mask;
use super::outcome::{Outcome, Skip, SkipReason};
use super::tally::{self, Tally};
use super::walk::LeftOut;
use super::worklist::Left;
use super::{Found, SearchError, Shortfall};

/// Where a query was not searched any more.
#[derive(Debug, Default)]
struct Ahead {
    /// The first path that nobody looked at, for each query.
    first: Vec<Option<String>>,
    /// The queries that had not even begun.
    unbegun: Mask,
}

/// The answers, in the order of the queries.
pub(super) fn answers(ended: Ended, keys: &[Option<CursorKey>]) -> Vec<Result<Found, SearchError>> {
    let Ended { mut results, left, live, faulted } = ended;
    let mut ahead = Ahead { first: vec![None; keys.len()], unbegun: Mask::NONE };
    for left in left {
        ahead.take(left, live, &mut results);
    }
    let searched_all: Vec<bool> =
        results.tallies.iter().map(|tally| tally.as_ref().is_some_and(|t| !t.full)).collect();
    let mut tallies: Vec<&mut Tally> = results.tallies.iter_mut().flatten().collect();
    tally::share(&mut tallies, MAX_SEARCH_BYTES);
    let left_out = results.left_out;
    let parts = results.errors.into_iter().zip(results.tallies).zip(ahead.first).zip(searched_all).zip(keys);
    parts
        .enumerate()
        .map(|(number, ((((error, tally), first), searched_all), key))| match (error, tally, key) {
            (Some(error), ..) => Err(error),
            _ if faulted => Err(SearchError::Fault),
            (None, Some(tally), Some(key)) if !ahead.unbegun.holds(number) => {
                Ok(answer(tally, first, searched_all, key, left_out_line(left_out, number)))
            }
            _ => Err(SearchError::Deadline),
        })
        .collect()
}

impl Ahead {
    /// Takes what is left of the walk, in order. Once something is ahead of a query, what lies behind it is left to
    /// the continuation.
    fn take(&mut self, left: Left, live: Mask, results: &mut Results) {
        let open = Mask::of(&self.first, Option::is_none) & live;
        match left {
            Left::Done(outcomes) => {
                for outcome in outcomes {
                    results.commit(outcome, open);
                }
            }
            Left::Unanswered { path, queries, .. } => {
                let path = path.trim_end_matches('/').to_owned();
                let skip = Skip { path, queries, reason: SkipReason::NoAnswer };
                results.commit(Outcome::Skipped(skip), open);
            }
            Left::Untouched { path, queries } => {
                for number in (queries & open).iter() {
                    if let Some(first) = self.first.get_mut(number) {
                        *first = Some(path.clone());
                    }
                }
            }
            Left::Unbegun { .. } => self.unbegun |= live,
        }
    }
}

fn answer(
    tally: Tally,
    ahead: Option<String>,
    searched_all: bool,
    key: &CursorKey,
    left_out: Option<String>,
) -> Found {
    let shortfall = match (tally.skips.shortfall(), &ahead) {
        _ if !searched_all => None,
        (None, Some(_)) => Some(Shortfall::Deadline),
        (shortfall, _) => shortfall,
    };
    let next = if tally.full { tally.end() } else { ahead.map(|path| Position::before(&path)) };
    let nothing = tally.lines == 0;
    let (match_count, file_count, truncated) = (tally.lines, tally.file_count, tally.full);
    let (matches, files, skips) = tally.into_entries();
    let mut skipped = skips.into_lines();
    skipped.extend(left_out.filter(|_| nothing));
    Found {
        completed: searched_all && shortfall.is_none(),
        match_count,
        file_count,
        matches,
        files,
        truncated,
        cursor: next.map(|position| position.encode(key)),
        skipped,
        shortfall,
    }
}

/// Says what the default rules left out.
fn left_out_line(left_out: LeftOut, number: usize) -> Option<String> {
    let what = match (left_out.hidden.holds(number), left_out.ignored.holds(number)) {
        (true, true) => "hidden and ignored files (`hidden: true`, `ignored: true` include them)",
        (true, false) => "hidden files (`hidden: true` includes them)",
        (false, true) => "ignored files (`ignored: true` includes them)",
        (false, false) => return None,
    };
    Some(what.to_owned())
}
