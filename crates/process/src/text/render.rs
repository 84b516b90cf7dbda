//! A part of a stream as the text of an answer: both ends kept, the middle counted.

use std::ops::Range;

use webcodex_contracts::execution::StreamText;
use webcodex_contracts::limits::MAX_STREAM_BYTES;

use super::{Locale, clean, decode};

/// Raw bytes that are cleaned as a whole; redrawn lines shrink a lot by it.
const WHOLE: u64 = 1024 * 1024;
/// Of what is longer, the raw bytes looked at for each end.
const WINDOW: u64 = 64 * 1024;
/// Text kept of each end, in bytes.
const HALF: usize = MAX_STREAM_BYTES / 2;
/// Longest unfinished escape sequence or character that waits for its rest.
const MAX_UNFINISHED: usize = 64;

/// The parts of a stream that are still kept, in order; what lies between them is gone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Available {
    pub(crate) head: Range<u64>,
    pub(crate) tail: Range<u64>,
}

impl Available {
    /// Everything up to `total`.
    pub(crate) fn all(total: u64) -> Self {
        Self { head: 0..total, tail: total..total }
    }

    /// Up to two kept ranges inside `wanted`, in order.
    pub(crate) fn within(&self, wanted: &Range<u64>) -> Vec<Range<u64>> {
        let cut = |range: &Range<u64>| range.start.max(wanted.start)..range.end.min(wanted.end);
        let mut parts: Vec<Range<u64>> =
            [cut(&self.head), cut(&self.tail)].into_iter().filter(|part| !part.is_empty()).collect();
        if parts.len() == 2 && parts[0].end == parts[1].start {
            parts[0].end = parts[1].end;
            parts.truncate(1);
        }
        parts
    }
}

/// The text of `wanted`, read by `read`; `total` is what the command has written so far.
pub(crate) fn render(
    wanted: Range<u64>,
    total: u64,
    available: &Available,
    locale: &Locale,
    mut read: impl FnMut(Range<u64>) -> Vec<u8>,
) -> StreamText {
    let mut out = StreamText { total_bytes: total, ..StreamText::default() };
    let parts = available.within(&wanted);
    let kept: u64 = parts.iter().map(|part| part.end - part.start).sum();
    if let [whole] = parts.as_slice()
        && kept == wanted.end - wanted.start
        && kept <= WHOLE
    {
        let bytes = read(whole.clone());
        let text = to_text(&bytes, &bytes, locale, &mut out);
        out.text = shorten(text, &mut out.omitted_bytes);
        return out;
    }
    if parts.is_empty() {
        out.omitted_bytes = wanted.end - wanted.start;
        return out;
    }
    let (head, tail) = ends(&parts);
    let shown: u64 = [&head, &tail].iter().map(|part| part.end - part.start).sum();
    out.omitted_bytes = (wanted.end - wanted.start).saturating_sub(shown);
    let (head, tail) = (read(head), read(tail));
    let sample = [head.as_slice(), tail.as_slice()].concat();
    let head = to_text(trim_end(&head), &sample, locale, &mut out);
    let tail = to_text(trim_start(&tail), &sample, locale, &mut out);
    out.text = join(keep_start(&head), keep_end(&tail), head.len() + tail.len(), &mut out.omitted_bytes);
    out
}

/// The first and the last window of what is kept.
fn ends(parts: &[Range<u64>]) -> (Range<u64>, Range<u64>) {
    let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return (0..0, 0..0) };
    let head = first.start..first.end.min(first.start + WINDOW);
    let tail_start = last.end.saturating_sub(WINDOW).max(last.start);
    let tail_start = if parts.len() == 1 { tail_start.max(head.end) } else { tail_start };
    (head, tail_start..last.end)
}

fn to_text(bytes: &[u8], sample: &[u8], locale: &Locale, out: &mut StreamText) -> String {
    let decoded = decode(bytes, sample, locale);
    out.lossy |= decoded.lossy;
    out.encoding = out.encoding.take().or(decoded.encoding);
    clean(&decoded.text).into_owned()
}

fn shorten(text: String, omitted: &mut u64) -> String {
    if text.len() <= MAX_STREAM_BYTES {
        return text;
    }
    join(keep_start(&text), keep_end(&text), text.len(), omitted)
}

fn join(head: &str, tail: &str, of: usize, omitted: &mut u64) -> String {
    *omitted += of.saturating_sub(head.len() + tail.len()) as u64;
    let line_end = if head.is_empty() || head.ends_with('\n') { "" } else { "\n" };
    format!("{head}{line_end}{}{tail}", marker(*omitted))
}

/// The line that stands for what was left out.
pub(crate) fn marker(omitted: u64) -> String {
    format!("[... {omitted} bytes left out ...]\n")
}

/// The first half, up to a line end if one is near.
fn keep_start(text: &str) -> &str {
    let mut end = text.len().min(HALF);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let cut = &text[..end];
    match cut.rfind('\n') {
        Some(line_end) if end < text.len() && line_end + 1 > end / 2 => &cut[..=line_end],
        _ => cut,
    }
}

/// The last half, from a line start if one is near.
fn keep_end(text: &str) -> &str {
    let mut start = text.len().saturating_sub(HALF);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    let cut = &text[start..];
    match cut.find('\n') {
        Some(line_end) if start > 0 && line_end < cut.len() / 2 => &cut[line_end + 1..],
        _ => cut,
    }
}

/// Without the part of a character that a window's end cut off.
fn trim_end(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.len() - cut_character(bytes)]
}

/// Without the rest of a character that a window's start cut off.
fn trim_start(bytes: &[u8]) -> &[u8] {
    let rest = bytes.iter().take(3).take_while(|byte| (0x80..0xc0).contains(*byte)).count();
    &bytes[rest..]
}

/// Bytes at the end that only begin a UTF-8 character.
fn cut_character(bytes: &[u8]) -> usize {
    let tail = &bytes[bytes.len().saturating_sub(4)..];
    match std::str::from_utf8(tail).err().map(|error| (error.error_len(), error.valid_up_to())) {
        Some((None, valid)) => tail.len() - valid,
        Some((Some(_), _)) => {
            // `tail` itself may begin inside a character.
            (1..tail.len().min(4))
                .rev()
                .find(|length| {
                    let end = &tail[tail.len() - length..];
                    matches!(std::str::from_utf8(end), Err(error) if error.error_len().is_none() && error.valid_up_to() == 0)
                })
                .unwrap_or(0)
        }
        None => 0,
    }
}

/// How many bytes at the end of a running stream are only the beginning of something: a character or an escape
/// sequence. They are shown with what follows them.
pub(crate) fn unfinished(bytes: &[u8]) -> usize {
    let recent = &bytes[bytes.len().saturating_sub(MAX_UNFINISHED)..];
    match recent.iter().rposition(|byte| *byte == 0x1b) {
        Some(escape) if is_open_escape(&recent[escape + 1..]) => recent.len() - escape,
        _ => cut_character(bytes),
    }
}

fn is_open_escape(after: &[u8]) -> bool {
    match after {
        [] => true,
        [b'[', rest @ ..] => rest.iter().all(|byte| (0x20..0x40).contains(byte)),
        [b']' | b'P', rest @ ..] => !rest.iter().any(|byte| matches!(byte, 0x07 | b'\n')),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn show(bytes: &[u8], wanted: Range<u64>) -> StreamText {
        let total = bytes.len() as u64;
        render(wanted, total, &Available::all(total), &Locale::default(), |range| {
            bytes[range.start as usize..range.end as usize].to_vec()
        })
    }

    fn whole(bytes: &[u8]) -> StreamText {
        show(bytes, 0..bytes.len() as u64)
    }

    #[test]
    fn short_output_is_shown_as_it_is() {
        let text = whole(b"one\ntwo\n");
        assert_eq!((text.text.as_str(), text.total_bytes, text.omitted_bytes), ("one\ntwo\n", 8, 0));
    }

    #[test]
    fn long_output_keeps_start_and_end_and_states_the_rest() {
        let lines: String = (0..200_000).map(|number| format!("line {number}\n")).collect();
        let text = whole(lines.as_bytes());
        assert!(text.text.starts_with("line 0\n") && text.text.ends_with("line 199999\n"));
        assert!(text.text.len() <= MAX_STREAM_BYTES + 100);
        let marker = format!("\n[... {} bytes left out ...]\n", text.omitted_bytes);
        assert!(text.text.contains(&marker), "the line says how many");
        let shown = text.text.len() - marker.len() + 1;
        assert_eq!(shown as u64 + text.omitted_bytes, text.total_bytes);
    }

    #[test]
    fn one_endless_line_is_cut_at_characters() {
        let text = whole("你".repeat(100_000).as_bytes());
        assert!(!text.lossy, "no character was cut");
        assert!(text.text.starts_with('你') && text.text.ends_with('你') && text.omitted_bytes > 0);
    }

    #[test]
    fn a_long_progress_bar_is_still_one_line() {
        let bar: String = (0..9000).map(|number| format!("\r\x1b[K{number} of 9000")).collect();
        assert_eq!(whole(format!("start{bar}\n").as_bytes()).text, "8999 of 9000\n");
    }

    #[test]
    fn what_was_dropped_between_the_kept_ends_counts_as_left_out() {
        let available = Available { head: 0..10, tail: 90..100 };
        let text = render(0..100, 100, &available, &Locale::default(), |range| {
            vec![if range.start == 0 { b'a' } else { b'z' }; (range.end - range.start) as usize]
        });
        assert_eq!(text.text, "aaaaaaaaaa\n[... 80 bytes left out ...]\nzzzzzzzzzz");
        assert_eq!(text.omitted_bytes, 80);
    }

    #[test]
    fn what_only_begins_waits_for_its_rest() {
        assert_eq!(unfinished("ab你".as_bytes()), 0);
        assert_eq!(unfinished(&"ab你".as_bytes()[..4]), 2);
        assert_eq!(unfinished(b"ab\x1b"), 1);
        assert_eq!(unfinished(b"ab\x1b[3"), 3);
        assert_eq!(unfinished(b"ab\x1b[31m"), 0);
        assert_eq!(unfinished(b"ab\x1b]0;ti"), 6);
        assert_eq!(unfinished(b"caf\xe9 "), 0);
    }

    proptest! {
        #[test]
        fn joined_increments_are_the_whole(
            lines in proptest::collection::vec("[a-z你é ]{0,20}\\n", 1..20),
            cuts in proptest::collection::vec(0usize..400, 0..6),
        ) {
            let bytes = lines.concat().into_bytes();
            let mut joined = String::new();
            let (mut seen, mut cuts) = (0, cuts);
            cuts.push(bytes.len());
            cuts.sort_unstable();
            for cut in cuts {
                let end = cut.min(bytes.len());
                let end = if end == bytes.len() { end } else { end - unfinished(&bytes[..end]) };
                if end > seen {
                    joined += &show(&bytes[..], seen as u64..end as u64).text;
                    seen = end;
                }
            }
            prop_assert_eq!(joined.into_bytes(), bytes);
        }
    }
}
