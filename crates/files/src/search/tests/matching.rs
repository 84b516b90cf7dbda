use serde_json::{Value, json};

use super::{Tree, places};
use crate::search::SearchError;

fn lines(text: &str, query: Value) -> Vec<u64> {
    Tree::new(&[("f", text)]).one(query).matches.iter().map(|m| m.line).collect()
}

#[test]
fn the_dialect_works_as_documented() {
    let text = "color\ncolour\ncolouur\nfoo.bar\nfooxbar\nFOO.BAR\nfoo.bars\n(a|b)\n";
    let regex = |pattern: &str| lines(text, json!({"pattern": pattern, "syntax": "regex"}));
    let literal = |pattern: &str| lines(text, json!({"pattern": pattern}));
    assert_eq!(regex("colou?r"), [1, 2]);
    assert_eq!(regex("^colou{2}r$"), [3]);
    assert_eq!(regex("foo.bar"), [4, 5, 7]);
    assert_eq!(regex(r"foo\.bar"), [4, 7]);
    assert_eq!(regex("(color|fooxbar)"), [1, 5]);
    assert_eq!(regex("(?i)foo[.]bar"), [4, 6, 7]);
    assert_eq!(literal("foo.bar"), [4, 7]);
    assert_eq!(literal("(a|b)"), [8]);
    assert_eq!(lines(text, json!({"pattern": "foo.bar", "whole_word": true})), [4]);
    assert_eq!(lines(text, json!({"pattern": "FOO.bar", "ignore_case": true})), [4, 6, 7]);
    assert_eq!(lines("naïve\nna\nïve\n", json!({"pattern": "na", "whole_word": true})), [2], "ï is a letter");
    assert_eq!(lines("a\nÄ\n", json!({"pattern": "ä", "ignore_case": true})), [2]);
    assert_eq!(
        lines("-x-\n", json!({"pattern": "-x", "whole_word": true})),
        [1],
        "no word at the edge, no boundary"
    );
}

#[test]
fn nothing_matches_a_line_end_unless_the_pattern_holds_one() {
    let text = "begin\n\nend\nbegin end\n";
    let regex = |text: &str, pattern: &str| lines(text, json!({"pattern": pattern, "syntax": "regex"}));
    assert_eq!(regex(text, r"begin\s*end"), [4]);
    assert_eq!(regex(text, r"begin[^x]*end"), [4]);
    assert_eq!(regex(text, r"(?s)begin.*end"), [4]);
    assert_eq!(regex(text, r"begin\n+end"), [1]);
    assert_eq!(regex(text, r"end\n(begin)"), [3]);
    assert_eq!(regex(&text.replace('\n', "\r\n"), r"end\nbegin"), [3], "`\\n` stands for `\\r\\n` too");
    assert_eq!(lines(&text.replace('\n', "\r\n"), json!({"pattern": "end\nbegin"})), [3]);
    assert_eq!(lines(text, json!({"pattern": "end\r\nbegin"})), [3]);
    assert_eq!(regex("a\r\nb\n", r"a\r"), [1]);
    assert_eq!(regex("a\nb\n", r"\Ab\z"), [2], "a line is the whole text to the pattern");
}

#[test]
fn a_match_over_several_lines_is_one_match() {
    let tree = Tree::new(&[("f", "fn a(\n  x,\n) {\nfn b(\n  y,\n) {\n")]);
    let answer = tree.one(json!({"pattern": r"\w\(\n(.*\n)*?\)", "syntax": "regex", "context_lines": 1}));
    assert_eq!(places(&answer), ["f:1:4:fn a(\n  x,\n) {", "f:4:4:fn b(\n  y,\n) {"]);
    assert_eq!(answer.match_count, 2);
    assert!(answer.matches.iter().all(|m| m.before.is_empty() && m.after.is_empty()), "all lines are shown");
}

#[test]
fn a_broken_pattern_is_an_error_with_its_place() {
    let tree = Tree::new(&[("f", "x")]);
    let check = |pattern: &str, line: usize, column: usize, part: &str| {
        let error = tree.error(json!({"pattern": pattern, "syntax": "regex"}));
        let SearchError::PatternBroken(broken) = &error else { panic!("{pattern}: {error:?}") };
        assert_eq!((broken.line, broken.column), (line, column), "{pattern}");
        assert!(error.to_string().contains(part), "{error}");
        assert_eq!((error.stage().as_str(), error.detail_code()), ("pattern", "pattern_syntax"));
    };
    check("foo(bar", 1, 4, "at character 4: unclosed group\nfoo(bar\n   ^");
    check("é[z-a]", 1, 3, "invalid character class range");
    check("a\nb**(", 2, 4, "of its line 2");
    check("(?=x)", 1, 1, "look-around");
    check(r"(a)\1", 1, 4, "backreferences are not supported");
    check("*a", 1, 1, "repetition operator missing expression");
}

#[test]
fn senseless_patterns_are_refused() {
    let tree = Tree::new(&[("f", "x")]);
    assert!(matches!(tree.error(json!({"pattern": ""})), SearchError::EmptyPattern));
    let long = "a".repeat(20_000);
    assert!(matches!(
        tree.error(json!({ "pattern": long })),
        SearchError::PatternTooLong { bytes: 20_000, .. }
    ));
    let big = json!({"pattern": r"(\w{100}){100}{100}", "syntax": "regex"});
    assert!(matches!(tree.error(big), SearchError::PatternTooBig { .. }));
}

#[test]
fn several_queries_find_what_each_finds_alone() {
    let files: Vec<(String, String)> = (0..300)
        .map(|n| {
            (
                format!("d{}/f{n}", n % 7),
                format!("alpha {n}\nBeta\n{}", if n % 50 == 3 { "rare needle\n" } else { "" }),
            )
        })
        .collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let tree = Tree::new(&files);
    let queries = [
        json!({"pattern": "rare"}),
        json!({"pattern": "needle$", "syntax": "regex"}),
        json!({"pattern": "absent"}),
        json!({"pattern": "beta", "ignore_case": true, "output": "count", "limit": 1000}),
        json!({"pattern": "alpha 2", "whole_word": true}),
        json!({"pattern": r"\d\nBeta\nrare", "syntax": "regex"}),
        json!({"pattern": "alpha", "limit": 5}),
        json!({"pattern": "rare", "output": "files"}),
    ];
    let together = tree.search(json!(queries));
    for (query, together) in queries.iter().zip(together) {
        assert_eq!(together.unwrap(), tree.one(query.clone()), "{query}");
    }
}
