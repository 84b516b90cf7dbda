//! Finding the place that a text means, whatever line ends the file and the text have.

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr, memchr_iter, memmem};

use crate::text::{LineEnding, LineIndex};

use super::request::{Find, Pick};

/// A file's text as it is searched: every line end is `\n`.
pub(super) struct Haystack<'a> {
    text: &'a str,
    flat: Cow<'a, str>,
    /// Places in `flat` of each `\n` that is `\r\n` in `text`.
    shortened: Vec<usize>,
    ends_with_cr: bool,
}

/// Why no place was settled on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NoPlace {
    /// The text occurs nowhere in the file or the lines to look in.
    Nowhere,
    /// It occurs, but not in the lines to look in.
    OutsideScope { lines: Vec<usize> },
    /// It occurs less often than the occurrence that was asked for.
    TooFew { count: usize, lines: Vec<usize> },
    /// It occurs more than once, or not as often as was said.
    Ambiguous { count: usize, lines: Vec<usize> },
    /// All matches are to be replaced, but they overlap.
    Overlapping { lines: Vec<usize> },
    /// The first line to look in does not exist.
    ScopePastEnd,
}

/// Lines named in an error; the count says how many there are in all.
const MAX_LINES_NAMED: usize = 10;

impl<'a> Haystack<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let ends_with_cr = LineEnding::of(text) == LineEnding::Cr;
        if ends_with_cr {
            return Self {
                text,
                flat: Cow::Owned(text.replace('\r', "\n")),
                shortened: Vec::new(),
                ends_with_cr,
            };
        }
        if memmem::find(text.as_bytes(), b"\r\n").is_none() {
            return Self { text, flat: Cow::Borrowed(text), shortened: Vec::new(), ends_with_cr };
        }
        let mut flat = String::with_capacity(text.len());
        let mut shortened = Vec::new();
        let mut rest = 0;
        for at in memchr_iter(b'\n', text.as_bytes()) {
            if at > 0 && text.as_bytes()[at - 1] == b'\r' {
                flat.push_str(&text[rest..at - 1]);
                shortened.push(flat.len());
                rest = at;
            }
        }
        flat.push_str(&text[rest..]);
        Self { text, flat: Cow::Owned(flat), shortened, ends_with_cr }
    }

    /// The places in the text that a search means, in order.
    pub(super) fn find(&self, index: &LineIndex, find: &Find) -> Result<Vec<Range<usize>>, NoPlace> {
        let all = self.matches(&find.text);
        let matches = match find.scope {
            None => all,
            Some(scope) => {
                let first = index.range(scope.start_line.as_usize()).ok_or(NoPlace::ScopePastEnd)?;
                let last = index.range(scope.end_line.as_usize().min(index.count())).unwrap_or(first.clone());
                let inside = |place: &Range<usize>| first.start <= place.start && place.end <= last.end;
                let kept: Vec<_> = all.iter().filter(|place| inside(place)).cloned().collect();
                if kept.is_empty() && !all.is_empty() {
                    return Err(NoPlace::OutsideScope { lines: lines(index, &all) });
                }
                kept
            }
        };
        pick(index, matches, find.pick)
    }

    /// Every place where `wanted` stands; they may overlap.
    fn matches(&self, wanted: &str) -> Vec<Range<usize>> {
        // Text copied with its `\r\n` means just that where it occurs; otherwise any line end does.
        if wanted.contains("\r\n") {
            let mut exact = find_all(self.text, wanted);
            exact
                .retain(|place| !self.is_inside_line_end(place.start) && !self.is_inside_line_end(place.end));
            if !exact.is_empty() {
                return exact;
            }
        }
        let wanted = flatten(wanted, self.ends_with_cr);
        let found = find_all(&self.flat, &wanted);
        found.into_iter().map(|place| self.original(place.start)..self.original(place.end)).collect()
    }

    fn is_inside_line_end(&self, place: usize) -> bool {
        let bytes = self.text.as_bytes();
        place > 0 && bytes[place - 1] == b'\r' && bytes.get(place) == Some(&b'\n')
    }

    fn original(&self, flat: usize) -> usize {
        flat + self.shortened.partition_point(|&place| place < flat)
    }
}

/// The text with `\n` for every line end.
pub(super) fn flatten(text: &str, lone_cr_too: bool) -> Cow<'_, str> {
    if memchr(b'\r', text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    let flat = text.replace("\r\n", "\n");
    Cow::Owned(if lone_cr_too { flat.replace('\r', "\n") } else { flat })
}

fn find_all(text: &str, wanted: &str) -> Vec<Range<usize>> {
    let finder = memmem::Finder::new(wanted.as_bytes());
    let mut places = Vec::new();
    let mut from = 0;
    while let Some(at) = finder.find(&text.as_bytes()[from..]) {
        places.push(from + at..from + at + wanted.len());
        from += at + 1;
    }
    places
}

fn pick(index: &LineIndex, mut matches: Vec<Range<usize>>, pick: Pick) -> Result<Vec<Range<usize>>, NoPlace> {
    let count = matches.len();
    if count == 0 {
        return Err(NoPlace::Nowhere);
    }
    match pick {
        Pick::Only if count == 1 => Ok(matches),
        Pick::Only => Err(NoPlace::Ambiguous { count, lines: lines(index, &matches) }),
        Pick::Nth(nth) => match usize::try_from(nth - 1).ok().filter(|&nth| nth < count) {
            Some(nth) => Ok(vec![matches.swap_remove(nth)]),
            None => Err(NoPlace::TooFew { count, lines: lines(index, &matches) }),
        },
        Pick::All { expected } if expected != count as u64 => {
            Err(NoPlace::Ambiguous { count, lines: lines(index, &matches) })
        }
        Pick::All { .. } if matches.windows(2).any(|pair| pair[1].start < pair[0].end) => {
            Err(NoPlace::Overlapping { lines: lines(index, &matches) })
        }
        Pick::All { .. } => Ok(matches),
    }
}

fn lines(index: &LineIndex, matches: &[Range<usize>]) -> Vec<usize> {
    matches.iter().take(MAX_LINES_NAMED).map(|place| index.line_of(place.start)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(text: &str, wanted: &str, pick: Pick) -> Result<Vec<Range<usize>>, NoPlace> {
        let find = Find { text: wanted.to_owned(), pick, scope: None };
        Haystack::new(text).find(&LineIndex::new(text), &find)
    }

    #[test]
    fn search_text_matches_whatever_the_line_ends() {
        let only = |text: &str, wanted: &str| {
            let places = find(text, wanted, Pick::Only).unwrap();
            text[places[0].clone()].to_owned()
        };
        assert_eq!(only("a\r\nb\r\nc", "a\nb"), "a\r\nb");
        assert_eq!(only("a\r\nb\r\nc", "\nb\n"), "\r\nb\r\n");
        assert_eq!(only("a\nb\nc", "a\r\nb"), "a\nb");
        assert_eq!(only("a\nb\r\nc\n", "a\nb\nc\n"), "a\nb\r\nc\n");
        assert_eq!(only("a\rb\rc", "b\nc"), "b\rc");
        assert_eq!(only("x\r\ny\nx\ny", "x\r\ny"), "x\r\ny", "what was copied exactly is meant exactly");
    }

    #[test]
    fn ambiguity_counts_overlapping_places_too() {
        let ambiguous = find("}\n}\n}\n", "}\n}\n", Pick::Only).unwrap_err();
        assert_eq!(ambiguous, NoPlace::Ambiguous { count: 2, lines: vec![1, 2] });
        assert_eq!(
            find("aaa", "aa", Pick::All { expected: 2 }).unwrap_err(),
            NoPlace::Overlapping { lines: vec![1, 1] }
        );
        assert_eq!(find("aaa", "aa", Pick::Nth(2)).unwrap(), vec![1..3]);
        assert_eq!(find("ab", "x", Pick::Only).unwrap_err(), NoPlace::Nowhere);
        assert_eq!(find("ab", "a", Pick::Nth(2)).unwrap_err(), NoPlace::TooFew { count: 1, lines: vec![1] });
    }
}
