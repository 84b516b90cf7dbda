//! Why a text was not found: the nearest thing in the file and exactly what differs.

use std::collections::HashMap;

use webcodex_contracts::decode::nearest;

use crate::text::{Lines, floor_boundary};

/// What nearly matched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NearMiss {
    /// The line, from 1, that differs.
    pub line: usize,
    /// What differs, as a clause: `it begins with 1 tab where you sent 4 spaces`.
    pub difference: String,
}

/// Larger texts are only looked at so far.
const MAX_TEXT_BYTES: usize = 4 * 1024 * 1024;
/// Lines compared one by one when no line is the same but for blanks and case.
const MAX_COMPARED_LINES: usize = 5000;
/// Characters of a line that are quoted.
const MAX_QUOTED: usize = 160;

/// The place in `text` most like `wanted`, if any is. Both have `\n` for every line end.
pub(super) fn near_miss(text: &str, wanted: &str) -> Option<NearMiss> {
    let text = &text[..floor_boundary(text, MAX_TEXT_BYTES)];
    let lines: Vec<&str> = Lines::ending_with(text, b'\n').map(body).collect();
    let wanted: Vec<&str> = wanted.strip_suffix('\n').unwrap_or(wanted).split('\n').collect();
    match best_start(&lines, &wanted) {
        Some(start) => first_difference(&lines, &wanted, start),
        None => similar_line(&lines, &wanted),
    }
}

fn body(line: &str) -> &str {
    line.strip_suffix('\n').unwrap_or(line)
}

/// Where most lines of `wanted` stand in the right order, but for blanks, quotes and case.
fn best_start(lines: &[&str], wanted: &[&str]) -> Option<isize> {
    let keys: Vec<String> = wanted.iter().map(|line| key(line)).collect();
    let mut by_key: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, key) in keys.iter().enumerate().filter(|(_, key)| !key.is_empty()) {
        by_key.entry(key).or_default().push(at);
    }
    let (first, last) = (keys.first()?, keys.last()?);
    let mut votes: HashMap<isize, usize> = HashMap::new();
    let mut vote = |line: usize, at: usize, weight: usize| {
        *votes.entry(line as isize - at as isize).or_default() += weight;
    };
    for (number, line) in lines.iter().enumerate() {
        let line = key(line);
        match by_key.get(line.as_str()) {
            Some(places) => places.iter().for_each(|&at| vote(number, at, line.len())),
            // The text may begin and end inside a line.
            None if !first.is_empty() && keys.len() > 1 && line.ends_with(first.as_str()) => {
                vote(number, 0, first.len());
            }
            None if !last.is_empty() && keys.len() > 1 && line.starts_with(last.as_str()) => {
                vote(number, keys.len() - 1, last.len());
            }
            None if !first.is_empty() && keys.len() == 1 && line.contains(first.as_str()) => {
                vote(number, 0, first.len());
            }
            None => {}
        }
    }
    votes
        .into_iter()
        .max_by(|(a, weight_a), (b, weight_b)| weight_a.cmp(weight_b).then(b.cmp(a)))
        .map(|(start, _)| start)
}

/// A line with what people and programs most often get wrong evened out.
fn key(line: &str) -> String {
    let mut key = String::with_capacity(line.len());
    let mut blank = false;
    for c in line.trim().chars() {
        if c.is_whitespace() {
            blank = true;
            continue;
        }
        if std::mem::take(&mut blank) {
            key.push(' ');
        }
        match c {
            '‘' | '’' | '‛' | '′' => key.push('\''),
            '“' | '”' | '″' => key.push('"'),
            '–' | '—' | '−' | '‐' | '‑' => key.push('-'),
            c => key.extend(c.to_lowercase()),
        }
    }
    key
}

/// The first line of `wanted` that is not at its place if the text begins at line `start`.
fn first_difference(lines: &[&str], wanted: &[&str], start: isize) -> Option<NearMiss> {
    for (at, wanted_line) in wanted.iter().enumerate() {
        let number = start + at as isize;
        let line = usize::try_from(number).ok().and_then(|number| lines.get(number));
        let Some(line) = line else {
            let line = usize::try_from(number).map_or(1, |_| lines.len());
            return Some(NearMiss {
                line,
                difference: "the file ends there, the text you sent goes on".to_owned(),
            });
        };
        let same = match (at, wanted.len()) {
            (_, 1) => false,
            (0, _) => line.ends_with(wanted_line),
            (at, count) if at + 1 == count => line.starts_with(wanted_line),
            _ => line == wanted_line,
        };
        if !same {
            return Some(NearMiss { line: number as usize + 1, difference: difference(line, wanted_line) });
        }
    }
    // All lines are there; only the end of the last one is not.
    let last = usize::try_from(start + wanted.len() as isize).unwrap_or(1);
    Some(NearMiss { line: last, difference: "its line end is where the text you sent differs".to_owned() })
}

/// What tells a line of the file from the line that was sent.
fn difference(line: &str, wanted: &str) -> String {
    if line.trim() == wanted.trim() {
        let (begins, begins_sent) = (blanks_before(line), blanks_before(wanted));
        let (ends, ends_sent) = (blanks_after(line), blanks_after(wanted));
        // The text that was sent may begin inside the line; then the blanks before it are no fault.
        let ends_only = begins.ends_with(begins_sent) && ends != ends_sent;
        if begins != begins_sent && !ends_only {
            return format!("it begins with {} where you sent {}", describe(begins), describe(begins_sent));
        }
        return format!("it ends with {} where you sent {}", describe(ends), describe(ends_sent));
    }
    let quoted = quote(line);
    let without_blanks = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    if without_blanks(line) == without_blanks(wanted) {
        return format!("only blanks inside the line differ; it reads {quoted}");
    }
    if line.trim().to_lowercase() == wanted.trim().to_lowercase() {
        return format!("only upper and lower case differ; it reads {quoted}");
    }
    match single_character(line.trim(), wanted.trim()) {
        Some((has, sent)) => format!(
            "it has {has:?} (U+{:04X}) where you sent {sent:?} (U+{:04X}); it reads {quoted}",
            u32::from(has),
            u32::from(sent)
        ),
        None => format!("it reads {quoted}"),
    }
}

fn blanks_before(line: &str) -> &str {
    &line[..line.len() - line.trim_start().len()]
}

fn blanks_after(line: &str) -> &str {
    &line[line.trim_end().len()..]
}

fn describe(blanks: &str) -> String {
    if blanks.is_empty() {
        return "no blanks".to_owned();
    }
    let mut parts: Vec<(char, usize)> = Vec::new();
    for c in blanks.chars() {
        match parts.last_mut() {
            Some((last, count)) if *last == c => *count += 1,
            _ => parts.push((c, 1)),
        }
    }
    let parts: Vec<String> = parts.iter().map(|(c, count)| counted(*c, *count)).collect();
    parts.join(" and ")
}

fn counted(c: char, count: usize) -> String {
    let name = match c {
        ' ' => "space".to_owned(),
        '\t' => "tab".to_owned(),
        '\r' => "carriage return".to_owned(),
        c => format!("U+{:04X}", u32::from(c)),
    };
    if count == 1 { format!("1 {name}") } else { format!("{count} {name}s") }
}

/// The pair of characters that is the only difference of two lines of equal length.
fn single_character(line: &str, wanted: &str) -> Option<(char, char)> {
    if line.chars().count() != wanted.chars().count() {
        return None;
    }
    let mut pairs = line.chars().zip(wanted.chars()).filter(|(has, sent)| has != sent);
    let pair = pairs.next()?;
    pairs.all(|other| other == pair).then_some(pair)
}

fn quote(line: &str) -> String {
    let mut quoted = line.to_owned();
    if let Some((end, _)) = line.char_indices().nth(MAX_QUOTED) {
        quoted.truncate(end);
        quoted.push('…');
    }
    format!("{quoted:?}")
}

/// A line much like the first line of what was looked for.
fn similar_line(lines: &[&str], wanted: &[&str]) -> Option<NearMiss> {
    let first = wanted.iter().map(|line| line.trim()).find(|line| line.len() > 3)?;
    let compared = || lines.iter().take(MAX_COMPARED_LINES).map(|line| line.trim());
    let found = nearest(first, compared().filter(|line| line.len() < 4 * first.len() + 16))?;
    let number = compared().position(|line| line == found)?;
    Some(NearMiss { line: number + 1, difference: format!("it reads {}", quote(lines[number])) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, wanted: &str, line: usize, difference: &str) {
        let found = near_miss(text, wanted).unwrap_or_else(|| panic!("nothing near {wanted:?}"));
        assert_eq!(found.line, line, "{found:?}");
        assert!(found.difference.contains(difference), "{found:?}");
    }

    #[test]
    fn blanks_are_told_exactly_and_for_which_line() {
        let text = "fn main() {\n\tlet x = 1;\n\tlet y = 2;  \n}\n";
        check(text, "    let x = 1;", 2, "it begins with 1 tab where you sent 4 spaces");
        check(
            text,
            "fn main() {\n\tlet x = 1;\n    let y = 2;",
            3,
            "it begins with 1 tab where you sent 4 spaces",
        );
        check(text, "\tlet y = 2;\n}", 3, "it ends with 2 spaces where you sent no blanks");
        check(text, "let x = 1; ", 2, "it ends with no blanks where you sent 1 space");
        check("a = b;\n", "a  = b;", 1, "only blanks inside the line differ");
    }

    #[test]
    fn case_and_single_characters_are_told() {
        check("Hello World\n", "hello world", 1, "only upper and lower case");
        check("it’s so\n", "it's so", 1, "'’' (U+2019) where you sent '\\'' (U+0027)");
        check("a\u{a0}b\n", "a b", 1, "only blanks inside");
    }

    #[test]
    fn the_first_line_that_differs_is_named() {
        let text = "one\ntwo\nthree\nfour\n";
        check(text, "one\ntwo\n3\nfour\n", 3, "it reads \"three\"");
        check(text, "three\nfour\nfive", 4, "the file ends there");
        check("let value = compute(input);\n", "let valeu = compute(input);", 1, "it reads");
    }

    #[test]
    fn nothing_near_is_nothing() {
        assert_eq!(near_miss("alpha\nbeta\n", "zzzzzzzzzz"), None);
        assert_eq!(near_miss("", "x"), None);
        assert_eq!(near_miss("a\n", "\n\n\n"), None);
    }
}
