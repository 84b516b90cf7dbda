//! Line by line: how many were added and removed, and hunks with their surroundings.

use std::ops::Range;

use encoding_rs::Encoding;
use imara_diff::{Algorithm, Diff, InternedInput};
use webcodex_contracts::tools::read_workspace_changes::DiffHunk;

use crate::text;

/// Unchanged lines shown around a change.
const CONTEXT: u32 = 3;
/// A hunk with more text than this, in bytes, is divided, so that an answer can end inside it.
const MAX_HUNK: usize = 8 * 1024;

/// Lines added and removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Counts {
    pub(crate) added: u64,
    pub(crate) removed: u64,
}

/// Two texts to compare.
pub(crate) struct Comparison<'a> {
    input: InternedInput<&'a [u8]>,
    diff: Diff,
    encodings: [&'static Encoding; 2],
}

/// Counts without comparing where one side is empty.
pub(crate) fn count(old: &[u8], new: &[u8]) -> Counts {
    match (old.is_empty(), new.is_empty()) {
        (true, _) => Counts { added: line_count(new), removed: 0 },
        (_, true) => Counts { added: 0, removed: line_count(old) },
        _ => {
            let input = InternedInput::new(old, new);
            let diff = Diff::compute(Algorithm::Histogram, &input);
            Counts { added: diff.count_additions().into(), removed: diff.count_removals().into() }
        }
    }
}

/// Both what `ours` and what `theirs` made of `base`; `None` where lines of one touch lines of the other.
pub(crate) fn merged(base: &[u8], ours: &[u8], theirs: &[u8]) -> Option<Vec<u8>> {
    let (ours, theirs) = (Comparison::of(base, ours), Comparison::of(base, theirs));
    let mut changes: Vec<_> = ours.replacements().chain(theirs.replacements()).collect();
    changes.sort_by_key(|(lines, _)| (lines.start, lines.end));
    // Changes of one side never touch each other, so where two touch they are of both.
    if changes.windows(2).any(|pair| pair[1].0.start <= pair[0].0.end) {
        return None;
    }
    let mut text = Vec::with_capacity(base.len());
    let mut next = 0;
    let kept = |lines: Range<u32>| lines.flat_map(|at| ours.input.interner[ours.input.before[at as usize]]);
    for (lines, new) in changes {
        text.extend(kept(next..lines.start));
        text.extend(new);
        next = lines.end;
    }
    text.extend(kept(next..ours.input.before.len() as u32));
    Some(text)
}

fn line_count(text: &[u8]) -> u64 {
    let ends = memchr::memchr_iter(b'\n', text).count();
    (ends + usize::from(text.last().is_some_and(|last| *last != b'\n'))) as u64
}

impl<'a> Comparison<'a> {
    pub(crate) fn of(old: &'a [u8], new: &'a [u8]) -> Self {
        let input = InternedInput::new(old, new);
        let mut diff = Diff::compute(Algorithm::Histogram, &input);
        diff.postprocess_lines(&input);
        Self { input, diff, encodings: [text::encoding(old), text::encoding(new)] }
    }

    pub(crate) fn counts(&self) -> Counts {
        Counts { added: self.diff.count_additions().into(), removed: self.diff.count_removals().into() }
    }

    /// What each change puts in place of which lines of the old text, in order.
    fn replacements(&self) -> impl Iterator<Item = (Range<u32>, Vec<u8>)> + '_ {
        let new = |lines: Range<u32>| {
            let lines = lines.flat_map(|at| self.input.interner[self.input.after[at as usize]]);
            lines.copied().collect()
        };
        self.diff.hunks().map(move |change| (change.before, new(change.after)))
    }

    /// All hunks in order. The same texts give the same hunks, so a place among them can be taken up again.
    pub(crate) fn hunks(&self) -> Vec<DiffHunk> {
        let mut writer = Writer { comparison: self, hunks: Vec::new(), open: None };
        let mut changes = self.diff.hunks().peekable();
        let last = self.input.before.len() as u32;
        while let Some(change) = changes.next() {
            if writer.open.is_none() {
                let before = change.before.start.saturating_sub(CONTEXT)..change.before.start;
                writer.start(before.start, change.after.start - (change.before.start - before.start));
                before.for_each(|at| writer.line(Line::Same(at)));
            }
            change.before.clone().for_each(|at| writer.line(Line::Removed(at)));
            change.after.clone().for_each(|at| writer.line(Line::Added(at)));
            let gap = changes.peek().map(|next| next.before.start - change.before.end);
            let near = gap.is_some_and(|gap| gap <= 2 * CONTEXT);
            let shown = if near { gap.unwrap_or(0) } else { CONTEXT };
            let after = change.before.end..(change.before.end + shown).min(last);
            after.for_each(|at| writer.line(Line::Same(at)));
            if !near {
                writer.finish();
            }
        }
        writer.hunks
    }
}

#[derive(Clone, Copy)]
enum Line {
    Same(u32),
    Removed(u32),
    Added(u32),
}

/// A hunk under way: how many lines lie before it on each side, and what it holds so far.
struct Open {
    lines_before: [u32; 2],
    lines: [u32; 2],
    text: String,
}

struct Writer<'a, 'b> {
    comparison: &'a Comparison<'b>,
    hunks: Vec<DiffHunk>,
    open: Option<Open>,
}

impl Writer<'_, '_> {
    fn start(&mut self, old: u32, new: u32) {
        self.open = Some(Open { lines_before: [old, new], lines: [0, 0], text: String::new() });
    }

    fn line(&mut self, line: Line) {
        let Comparison { input, encodings, .. } = self.comparison;
        let (sign, bytes, encoding, sides) = match line {
            Line::Same(at) => (' ', input.interner[input.before[at as usize]], encodings[0], [1, 1]),
            Line::Removed(at) => ('-', input.interner[input.before[at as usize]], encodings[0], [1, 0]),
            Line::Added(at) => ('+', input.interner[input.after[at as usize]], encodings[1], [0, 1]),
        };
        let Some(open) = &mut self.open else { return };
        let (text, ended) = match bytes.strip_suffix(b"\n") {
            Some(text) => (text, true),
            None => (bytes, false),
        };
        open.text.push(sign);
        open.text.push_str(&text::line(text, encoding));
        open.text.push('\n');
        if !ended {
            open.text.push_str("\\ No newline at end of file\n");
        }
        open.lines = [open.lines[0] + sides[0], open.lines[1] + sides[1]];
        if open.text.len() >= MAX_HUNK {
            let (old, new) = (open.lines_before[0] + open.lines[0], open.lines_before[1] + open.lines[1]);
            self.finish();
            self.start(old, new);
        }
    }

    fn finish(&mut self) {
        let Some(open) = self.open.take().filter(|open| !open.text.is_empty()) else { return };
        // A side without lines is named by the line before it, as in every unified diff.
        let start = |side: usize| u64::from(open.lines_before[side] + u32::from(open.lines[side] > 0));
        self.hunks.push(DiffHunk {
            old_start: start(0),
            old_lines: open.lines[0].into(),
            new_start: start(1),
            new_lines: open.lines[1].into(),
            text: open.text,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(old: &str, new: &str) -> String {
        let comparison = Comparison::of(old.as_bytes(), new.as_bytes());
        let show = |hunk: &DiffHunk| {
            let DiffHunk { old_start, old_lines, new_start, new_lines, text } = hunk;
            format!("@@ -{old_start},{old_lines} +{new_start},{new_lines} @@\n{text}")
        };
        comparison.hunks().iter().map(show).collect()
    }

    fn numbered(lines: std::ops::RangeInclusive<u32>) -> String {
        lines.map(|line| format!("{line}\n")).collect()
    }

    #[test]
    fn a_change_has_three_lines_around_it() {
        let old = numbered(1..=20);
        let new = old.replace("\n10\n", "\nten\n");
        assert_eq!(shown(&old, &new), "@@ -7,7 +7,7 @@\n 7\n 8\n 9\n-10\n+ten\n 11\n 12\n 13\n");
    }

    #[test]
    fn near_changes_share_a_hunk_and_far_ones_do_not() {
        let old = numbered(1..=40);
        let near = old.replace("\n10\n", "\nx\n").replace("\n16\n", "\ny\n");
        assert_eq!(Comparison::of(old.as_bytes(), near.as_bytes()).hunks().len(), 1);
        let far = old.replace("\n10\n", "\nx\n").replace("\n18\n", "\ny\n");
        assert_eq!(Comparison::of(old.as_bytes(), far.as_bytes()).hunks().len(), 2);
    }

    #[test]
    fn new_and_deleted_files_have_an_empty_side() {
        assert_eq!(shown("", "a\nb"), "@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n");
        assert_eq!(shown("a\n", ""), "@@ -1,1 +0,0 @@\n-a\n");
        assert_eq!(count(b"", b"a\nb"), Counts { added: 2, removed: 0 });
        assert_eq!(count(b"a\n", b""), Counts { added: 0, removed: 1 });
    }

    #[test]
    fn a_missing_last_line_end_is_a_change() {
        assert_eq!(shown("a\n", "a"), "@@ -1,1 +1,1 @@\n-a\n+a\n\\ No newline at end of file\n");
    }

    #[test]
    fn a_long_hunk_is_divided_and_its_parts_follow_each_other() {
        let new: String = (0..2000).map(|line| format!("some text on line {line}\n")).collect();
        let comparison = Comparison::of(b"", new.as_bytes());
        let hunks = comparison.hunks();
        assert!(hunks.len() > 3 && hunks.iter().all(|hunk| hunk.text.len() < MAX_HUNK + 2 * text::MAX_LINE));
        let mut next = 1;
        for hunk in &hunks {
            assert_eq!((hunk.old_start, hunk.old_lines, hunk.new_start), (0, 0, next));
            next += hunk.new_lines;
        }
        let joined: String =
            hunks.iter().flat_map(|hunk| hunk.text.lines()).map(|line| format!("{}\n", &line[1..])).collect();
        assert_eq!(joined, new, "nothing is lost and nothing comes twice");
    }

    fn both(base: &str, ours: &str, theirs: &str) -> Option<String> {
        let merged = merged(base.as_bytes(), ours.as_bytes(), theirs.as_bytes());
        merged.map(|text| String::from_utf8(text).unwrap())
    }

    #[test]
    fn changes_that_do_not_touch_are_both_made() {
        let base = "1\n2\n3\n4\n5\n";
        let merged = both(base, "1\ntwo\n3\n4\n5\n", "1\n2\n3\n4\n5\nsix");
        assert_eq!(merged.as_deref(), Some("1\ntwo\n3\n4\n5\nsix"));
        assert_eq!(both(base, "2\n3\n4\n5\n", "1\n2\n3\n4.5\n").as_deref(), Some("2\n3\n4.5\n"));
        assert_eq!(both(base, base, "x\n").as_deref(), Some("x\n"));
    }

    #[test]
    fn changes_that_touch_are_refused() {
        let base = "1\n2\n3\n4\n";
        for (ours, theirs) in [
            ("1\ntwo\n3\n4\n", "1\nzwei\n3\n4\n"),
            ("1\ntwo\n3\n4\n", "1\n2\nthree\n4\n"),
            ("1\n2\n3\n4\n5\n", "1\n2\n3\n4\nfive\n"),
            ("1\n2\n3\n4", "1\n2\n3\n4\n5\n"),
            ("", "1\n2\nthree\n4\n"),
        ] {
            assert_eq!(both(base, ours, theirs), None, "{ours:?} {theirs:?}");
        }
    }
}
