//! The search against the plainest way to do the same.

use std::collections::BTreeMap;

use proptest::prelude::*;
use regex_syntax::escape;
use serde_json::json;

use super::Tree;

/// What a query should find in a text: the numbers of the lines, one by one or where matches over several begin.
fn expected(text: &str, pattern: &str, regex: bool, ignore_case: bool, whole_word: bool) -> Vec<u64> {
    let source = if regex { pattern.to_owned() } else { escape(pattern) };
    let source = if whole_word { format!(r"\b{{start-half}}(?:{source})\b{{end-half}}") } else { source };
    let matcher = grep_regex::RegexMatcherBuilder::new()
        .multi_line(true)
        .case_insensitive(ignore_case)
        .build(&source)
        .unwrap();
    let is_match = |line: &str| grep_matcher::Matcher::is_match(&matcher, line.as_bytes()).unwrap();
    let lines = text.split_inclusive('\n').map(|line| line.trim_end_matches('\n').trim_end_matches('\r'));
    lines.enumerate().filter(|(_, line)| is_match(line)).map(|(at, _)| at as u64 + 1).collect()
}

fn patterns() -> impl Strategy<Value = String> {
    let fixed = [
        "a[^b]", "[ab.]b?", r"\w+é", "^a", "b$", "a|", "(a|é)b", r"\ba", "^$", "[a-z]+_", r"\Aa", r"b\z",
        "a.?b", "é*b",
    ];
    prop_oneof!["[abék中]{1,3}", prop::sample::select(fixed.to_vec()).prop_map(str::to_owned)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn the_search_agrees_with_line_by_line_matching(
        files in proptest::collection::btree_map("[a-c]{1,2}(/[a-c]{1,2}){0,2}\\.t", "([abé中K ._]{0,6}(\n|\r\n)){0,8}[ab]{0,2}", 1..10),
        pattern in patterns(),
        regex in any::<bool>(),
        ignore_case in any::<bool>(),
        whole_word in any::<bool>(),
    ) {
        let tree = Tree::new(&files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect::<Vec<_>>());
        let found = tree.one(json!({
            "pattern": pattern, "syntax": if regex { "regex" } else { "literal" },
            "ignore_case": ignore_case, "whole_word": whole_word, "limit": 1000,
        }));
        let mut places: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
        for m in &found.matches {
            places.entry(m.path.as_str()).or_default().push(m.line);
        }
        let expected: BTreeMap<&str, Vec<u64>> = files
            .iter()
            .map(|(path, text)| (path.as_str(), expected(text, &pattern, regex, ignore_case, whole_word)))
            .filter(|(_, lines)| !lines.is_empty())
            .collect();
        prop_assert_eq!(places, expected);
        let order: Vec<_> = found.matches.iter().map(|m| (m.path.as_str(), m.line)).collect();
        prop_assert!(order.is_sorted());
        prop_assert!(found.completed);
        prop_assert_eq!(found.match_count, found.matches.len() as u64);
    }
}
