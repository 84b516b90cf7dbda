use proptest::prelude::*;
use serde_json::{Value, json};
use webcodex_contracts::limits::{MAX_MATCH_LINE_BYTES, MAX_SEARCH_BYTES};

use super::{Tree, places};
use crate::search::{Found, SearchError};

/// All pages of a query, with at most `limit` results each.
fn pages(tree: &Tree, query: &Value, limit: usize) -> Vec<Found> {
    let mut query = query.clone();
    query["limit"] = json!(limit);
    let mut pages = Vec::new();
    loop {
        let page = tree.one(query.clone());
        let cursor = page.cursor.clone();
        pages.push(page);
        match cursor {
            Some(cursor) => query["cursor"] = json!(cursor),
            None => return pages,
        }
    }
}

#[test]
fn a_result_that_just_fits_is_not_cut() {
    let tree = Tree::new(&[("a", "x\nx\n"), ("b", "x\n")]);
    let exact = tree.one(json!({"pattern": "x", "limit": 3}));
    assert!(exact.completed && !exact.truncated && exact.cursor.is_none());
    assert_eq!((exact.match_count, exact.file_count), (3, 2));
    let cut = tree.one(json!({"pattern": "x", "limit": 2}));
    assert!(!cut.completed && cut.truncated && cut.cursor.is_some());
    assert_eq!((cut.matches.len(), cut.match_count), (2, 3), "a lower bound");
    assert_eq!(cut.shortfall, None, "it was enough, nothing went wrong");
    let files = tree.one(json!({"pattern": "x", "output": "count", "limit": 2}));
    assert!(files.completed && !files.truncated);
    assert_eq!(files.files.iter().map(|file| file.count).collect::<Vec<_>>(), [Some(2), Some(1)]);
}

#[test]
fn the_first_results_are_the_first_in_the_project() {
    let files: Vec<String> = (0..500).map(|n| format!("d{:02}/e{}/f{n:03}", n / 20, n % 3)).collect();
    let tree = Tree::new(&files.iter().map(|path| (path.as_str(), "x\n")).collect::<Vec<_>>());
    let mut sorted = files.clone();
    sorted.sort_unstable();
    for _ in 0..5 {
        let found = tree.one(json!({"pattern": "x", "limit": 7}));
        let paths: Vec<String> = found.matches.iter().map(|m| m.path.to_string()).collect();
        assert_eq!(paths, sorted[..7]);
    }
}

#[test]
fn a_continuation_survives_files_that_come_and_go() {
    let tree = Tree::new(&[("b", "x\nx\nx\n"), ("d", "x\n"), ("f/a", "x\n"), ("h", "x\n")]);
    let first = tree.one(json!({"pattern": "x", "limit": 2}));
    assert_eq!(places(&first), ["b:1:1:x", "b:2:1:x"]);
    tree.write("a", "x\n");
    tree.write("c", "x\n");
    std::fs::remove_file(tree.path().join("d")).unwrap();
    let next = tree.one(json!({"pattern": "x", "limit": 3, "cursor": first.cursor}));
    assert_eq!(places(&next), ["b:3:1:x", "c:1:1:x", "f/a:1:1:x"]);
    std::fs::remove_dir_all(tree.path().join("f")).unwrap();
    let last = tree.one(json!({"pattern": "x", "cursor": next.cursor}));
    assert_eq!(places(&last), ["h:1:1:x"], "the place itself may be gone");
    assert!(last.completed && last.cursor.is_none());
}

#[test]
fn a_foreign_or_damaged_cursor_is_refused() {
    let tree = Tree::new(&[("a", "x\nx\nx\n")]);
    let cursor = tree.one(json!({"pattern": "x", "limit": 1})).cursor.unwrap();
    for (pattern, cursor) in
        [("y", cursor.clone()), ("x", cursor.replace(".1.", ".2.")), ("x", "nonsense".to_owned())]
    {
        let error = tree.error(json!({ "pattern": pattern, "cursor": cursor }));
        assert!(matches!(error, SearchError::Cursor), "{error:?}");
    }
}

#[test]
fn an_answer_is_bounded_and_shared() {
    let line = format!("{} \"quoted\"\n", "needle ".repeat(60));
    let tree = Tree::new(&[("a", &line.repeat(400)), ("b", "rare\n")]);
    let answers = tree.search(json!([
        {"pattern": "needle", "limit": 1000},
        {"pattern": "rare"},
        {"pattern": "quoted", "limit": 1000},
    ]));
    let answers: Vec<Found> = answers.into_iter().map(Result::unwrap).collect();
    let bytes: Vec<usize> =
        answers.iter().map(|found| serde_json::to_string(&found.matches).unwrap().len()).collect();
    assert!(bytes.iter().sum::<usize>() < MAX_SEARCH_BYTES * 11 / 10, "{bytes:?}");
    assert!(bytes[0].abs_diff(bytes[2]) < 2 * MAX_MATCH_LINE_BYTES, "shared fairly: {bytes:?}");
    assert!(answers[0].truncated && answers[0].cursor.is_some() && !answers[1].truncated);
    let joined: usize =
        pages(&tree, &json!({"pattern": "needle"}), 1000).iter().map(|page| page.matches.len()).sum();
    assert_eq!(joined, 400);
}

#[test]
fn one_match_fits_whatever_its_context() {
    let line = format!("{}\n", "c".repeat(499));
    let text = format!("{}needle\n{}", line.repeat(30), line.repeat(30));
    let tree = Tree::new(&[("a", &text)]);
    let query = json!({"pattern": "needle", "context_lines": 20});
    for found in tree.search(json!(vec![query; 8])) {
        let found = found.unwrap();
        assert_eq!((found.matches.len(), found.truncated), (1, false));
        let (before, after) = (&found.matches[0].before, &found.matches[0].after);
        assert!(before.len() > 5 && before.len().abs_diff(after.len()) <= 1, "the nearest lines stay");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn pages_that_are_joined_are_the_whole(
        files in proptest::collection::btree_map("[ab]/[a-c]{1,2}|[a-c.]{1,3}x", "([xy -]{0,5}\n){0,6}", 1..12),
        limit in 1_usize..6,
        context in 0_u64..3,
        output in prop::sample::select(vec!["matches", "files", "count"]),
    ) {
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let tree = Tree::new(&[]);
        for (path, text) in files.iter().filter(|(path, _)| path.trim_start_matches('.').len() > 1 && !path.starts_with("..")) {
            tree.write(path, text);
        }
        let query = json!({"pattern": "x", "output": output, "context_lines": context, "hidden": true});
        let whole = tree.one(query.clone());
        prop_assert!(whole.completed);
        let pages = pages(&tree, &query, limit);
        let matches: Vec<_> = pages.iter().flat_map(|page| page.matches.clone()).collect();
        let listed: Vec<_> = pages.iter().flat_map(|page| page.files.clone()).collect();
        prop_assert_eq!(matches, whole.matches);
        prop_assert_eq!(listed, whole.files);
        prop_assert!(pages.iter().rev().skip(1).all(|page| page.truncated), "only the last page is not cut");
        prop_assert!(pages.last().is_some_and(|page| page.completed && !page.truncated));
    }
}
