//! Cutting the wanted range out of a text, bounded, with the exact place where the next one begins.

use webcodex_contracts::limits::{MAX_READ_BYTES, MAX_READ_ITEM_BYTES, MAX_READ_LINES};

use crate::text::{Lines, floor_boundary};

/// The range that is asked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted {
    /// First line, from 1.
    pub(super) start_line: u64,
    /// First character of that line, from 1.
    pub(super) start_column: u64,
    /// How many lines, if not as many as fit.
    pub(super) line_count: Option<u64>,
}

/// A part of a text.
#[derive(Debug, Clone)]
pub(super) struct Part {
    /// Where it begins.
    wanted: Wanted,
    /// The text with its own line ends.
    pub(super) text: String,
    /// How many lines it touches.
    pub(super) lines: u64,
    /// Whether the last line is cut inside.
    pub(super) line_cut: bool,
    /// Whether it reaches to the end of the file.
    pub(super) reaches_end: bool,
    terminator: u8,
}

/// Where the next part begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NextRange {
    /// First line, from 1.
    pub start_line: u64,
    /// First character of that line, where it is not the first.
    pub start_column: Option<u64>,
    /// How many lines, where their number was asked for.
    pub line_count: Option<u64>,
}

/// Why there is no such part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OutOfRange {
    /// The text has fewer lines.
    Line,
    /// The first line has fewer characters.
    Column {
        /// How many it has, its line end included.
        characters: u64,
    },
}

impl Part {
    /// Cuts at most one item's share out of a whole text.
    pub(super) fn of(text: &str, wanted: Wanted) -> Result<Self, OutOfRange> {
        let mut lines = Lines::new(text);
        let before = usize::try_from(wanted.start_line - 1).unwrap_or(usize::MAX);
        let is_start_of_nothing = text.is_empty() && before == 0;
        if !lines.leave_out(before) && !is_start_of_nothing {
            return Err(OutOfRange::Line);
        }
        let terminator = lines.terminator();
        let rest = from_column(lines.rest(), terminator, wanted.start_column)?;
        let max_lines = wanted.line_count.unwrap_or(MAX_READ_LINES).min(MAX_READ_LINES);
        let taken = take(rest, terminator, max_lines, MAX_READ_ITEM_BYTES);
        Ok(Self {
            wanted,
            text: rest[..taken.bytes].to_owned(),
            lines: taken.lines,
            line_cut: taken.inside_line,
            reaches_end: taken.bytes == rest.len(),
            terminator,
        })
    }

    /// Makes the part no larger than `max_bytes`.
    fn shorten(&mut self, max_bytes: usize) {
        if self.text.len() <= max_bytes {
            return;
        }
        let taken = take(&self.text, self.terminator, self.lines, max_bytes);
        self.text.truncate(taken.bytes);
        self.lines = taken.lines;
        self.line_cut = taken.inside_line;
        self.reaches_end = false;
    }

    /// Whether it is the whole file.
    pub(super) fn is_whole(&self) -> bool {
        self.reaches_end && self.wanted.start_line == 1 && self.wanted.start_column == 1
    }

    /// First line of the part.
    pub(super) fn start_line(&self) -> u64 {
        self.wanted.start_line
    }

    /// Where the next part begins, if anything comes.
    pub(super) fn next(&self) -> Option<NextRange> {
        if self.reaches_end {
            return None;
        }
        let whole_lines = self.lines - u64::from(self.line_cut);
        let start_column = self.line_cut.then(|| {
            // Only a first line is ever cut, so the part lies in one line.
            self.wanted.start_column + self.text.chars().count() as u64
        });
        let line_count = self.wanted.line_count.map(|asked| match asked.saturating_sub(whole_lines) {
            // All that was asked for is here; the next part is as long.
            0 => asked,
            left => left,
        });
        Some(NextRange { start_line: self.wanted.start_line + whole_lines, start_column, line_count })
    }
}

/// Lets the parts of one answer share its bytes: small ones whole, large ones equally.
pub(super) fn share(parts: &mut [&mut Part]) {
    let mut sizes: Vec<usize> = parts.iter().map(|part| part.text.len()).collect();
    sizes.sort_unstable();
    let mut left = MAX_READ_BYTES;
    let mut limit = MAX_READ_ITEM_BYTES;
    for (index, size) in sizes.iter().enumerate() {
        let equal = left / (sizes.len() - index);
        if *size > equal {
            limit = equal;
            break;
        }
        left -= size;
    }
    parts.iter_mut().for_each(|part| part.shorten(limit));
}

struct Taken {
    bytes: usize,
    lines: u64,
    inside_line: bool,
}

/// As many whole lines as fit; of a first line that does not fit, as many whole characters.
fn take(text: &str, terminator: u8, max_lines: u64, max_bytes: usize) -> Taken {
    let mut taken = Taken { bytes: 0, lines: 0, inside_line: false };
    for line in Lines::ending_with(text, terminator) {
        if taken.lines == max_lines {
            break;
        }
        if taken.bytes + line.len() > max_bytes {
            if taken.lines == 0 {
                return Taken { bytes: floor_boundary(line, max_bytes), lines: 1, inside_line: true };
            }
            break;
        }
        taken.bytes += line.len();
        taken.lines += 1;
    }
    taken
}

fn from_column(rest: &str, terminator: u8, column: u64) -> Result<&str, OutOfRange> {
    if column == 1 {
        return Ok(rest);
    }
    let line = Lines::ending_with(rest, terminator).next().unwrap_or_default();
    let skip = usize::try_from(column - 1).unwrap_or(usize::MAX);
    match line.char_indices().nth(skip) {
        Some((at, _)) => Ok(&rest[at..]),
        None => Err(OutOfRange::Column { characters: line.chars().count() as u64 }),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn part(text: &str, start_line: u64, start_column: u64, line_count: Option<u64>) -> Part {
        Part::of(text, Wanted { start_line, start_column, line_count }).unwrap()
    }

    /// Follows the parts to the end and joins them.
    fn read_on(text: &str, line_count: Option<u64>, max_bytes: usize) -> String {
        let mut joined = String::new();
        let mut wanted = Wanted { start_line: 1, start_column: 1, line_count };
        loop {
            let mut part = Part::of(text, wanted).unwrap();
            part.shorten(max_bytes);
            assert!(part.text.len() <= max_bytes);
            joined.push_str(&part.text);
            let Some(next) = part.next() else { return joined };
            assert!(!part.text.is_empty(), "every part gets further");
            wanted = Wanted {
                start_line: next.start_line,
                start_column: next.start_column.unwrap_or(1),
                line_count: next.line_count,
            };
        }
    }

    #[test]
    fn ranges_are_cut_at_lines() {
        let text = "one\ntwo\nthree";
        let whole = part(text, 1, 1, None);
        assert_eq!((whole.text.as_str(), whole.lines, whole.is_whole()), (text, 3, true));
        let middle = part(text, 2, 1, Some(1));
        assert_eq!((middle.text.as_str(), middle.is_whole()), ("two\n", false));
        assert_eq!(middle.next(), Some(NextRange { start_line: 3, start_column: None, line_count: Some(1) }));
        let last = part(text, 3, 2, None);
        assert_eq!((last.text.as_str(), last.next(), last.is_whole()), ("hree", None, false));
        assert_eq!(part("", 1, 1, None).lines, 0);
    }

    #[test]
    fn what_lies_outside_is_said() {
        let of = |start_line, start_column| {
            Part::of("one\ntwo\n", Wanted { start_line, start_column, line_count: None }).unwrap_err()
        };
        assert_eq!(of(3, 1), OutOfRange::Line);
        assert_eq!(of(2, 5), OutOfRange::Column { characters: 4 });
        assert_eq!(of(u64::MAX, 1), OutOfRange::Line);
        assert!(Part::of("", Wanted { start_line: 2, start_column: 1, line_count: None }).is_err());
    }

    #[test]
    fn an_endless_line_is_cut_and_read_on() {
        let text = format!("first\n{}\nlast\n", "é€x".repeat(40_000));
        let cut = part(&text, 2, 1, None);
        assert!(cut.line_cut && cut.text.len() <= MAX_READ_ITEM_BYTES);
        let next = cut.next().unwrap();
        assert_eq!(next.start_line, 2);
        assert_eq!(next.start_column, Some(cut.text.chars().count() as u64 + 1));
        assert_eq!(read_on(&text, None, MAX_READ_ITEM_BYTES), text);
    }

    #[test]
    fn large_parts_share_what_small_ones_leave() {
        let large = "0123456789\n".repeat(10_000);
        let mut parts: Vec<Part> =
            ["small", &large, &large, &large].iter().map(|text| part(text, 1, 1, None)).collect();
        share(&mut parts.iter_mut().collect::<Vec<_>>());
        let sizes: Vec<usize> = parts.iter().map(|part| part.text.len()).collect();
        assert_eq!(sizes[0], 5);
        let total: usize = sizes.iter().sum();
        assert!(total <= MAX_READ_BYTES && total > MAX_READ_BYTES - 100, "{sizes:?}");
        assert!(parts[1].next().is_some());
    }

    proptest! {
        #[test]
        fn joined_parts_are_the_original(
            text in "[aé中\\r\\n]{0,60}",
            line_count in proptest::option::of(1..4_u64),
            max_bytes in 4..20_usize,
        ) {
            prop_assert_eq!(read_on(&text, line_count, max_bytes), text);
        }
    }
}
