//! From bytes to text, with a way back.

use std::borrow::Cow;
use std::ops::Range;

use encoding_rs::{Encoding, ISO_2022_JP, UTF_16BE};

use super::{TextKind, encode_like};

/// The text of a whole file without its byte-order mark; bytes that fit no character become U+FFFD.
pub fn decode(bytes: &[u8], kind: TextKind) -> Cow<'_, str> {
    let body = bytes.get(kind.mark_len()..).unwrap_or_default();
    if kind.is_utf8() {
        // Validating is several times faster than looking for faults, and there are none.
        return std::str::from_utf8(body).map_or_else(|_| String::from_utf8_lossy(body), Cow::Borrowed);
    }
    let (text, _) = kind.encoding().decode_without_bom_handling(body);
    text
}

/// The text of a file together with where each part of it lies in the bytes.
#[derive(Debug)]
pub struct Decoded<'a> {
    bytes: &'a [u8],
    kind: TextKind,
    text: Cow<'a, str>,
    map: Map,
}

#[derive(Debug)]
enum Map {
    /// A place in the text is that place in the bytes, after the mark.
    Shift(usize),
    /// Where each line begins. Inside a line, places are found by decoding it character by character.
    Lines(Vec<LineStart>),
    /// The encoding keeps a state across lines, so no place stands for itself.
    Unknown,
}

#[derive(Debug, Clone, Copy)]
struct LineStart {
    text: usize,
    byte: usize,
}

impl<'a> Decoded<'a> {
    /// Decodes `bytes`, a whole file of the given kind.
    pub fn new(bytes: &'a [u8], kind: TextKind) -> Self {
        if kind.is_utf8() {
            return Self { bytes, kind, text: decode(bytes, kind), map: Map::Shift(kind.mark_len()) };
        }
        if kind.encoding() == ISO_2022_JP {
            return Self { bytes, kind, text: decode(bytes, kind), map: Map::Unknown };
        }
        let (text, lines) = decode_lines(bytes, kind);
        Self { bytes, kind, text: Cow::Owned(text), map: Map::Lines(lines) }
    }

    /// The text, without a byte-order mark.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How the text is written down.
    pub fn kind(&self) -> TextKind {
        self.kind
    }

    /// The bytes of a part of the text. `None` where a bound lies inside what the bytes hold as one.
    pub fn byte_range(&self, range: Range<usize>) -> Option<Range<usize>> {
        Some(self.byte_at(range.start)?..self.byte_at(range.end)?)
    }

    /// Whether writing this part of the text again would give the same bytes.
    pub fn round_trips(&self, range: Range<usize>) -> bool {
        let Some(bytes) = self.byte_range(range.clone()) else { return false };
        let Some(text) = self.text.get(range) else { return false };
        encode_like(self.kind, text).is_ok_and(|encoded| encoded == self.bytes[bytes])
    }

    fn byte_at(&self, place: usize) -> Option<usize> {
        match &self.map {
            Map::Shift(shift) => Some(place + shift),
            Map::Unknown => None,
            Map::Lines(lines) => {
                let after = lines.partition_point(|line| line.text <= place);
                let line = lines.get(after.checked_sub(1)?)?;
                let end = lines.get(after).map_or(self.bytes.len(), |next| next.byte);
                place_in_line(&self.bytes[line.byte..end], self.kind.encoding(), place - line.text)
                    .map(|offset| line.byte + offset)
            }
        }
    }
}

/// Decodes line by line. Right for every encoding without state, because none of them has `\n` inside a character.
fn decode_lines(bytes: &[u8], kind: TextKind) -> (String, Vec<LineStart>) {
    let mut text = String::with_capacity(bytes.len());
    let mut lines = vec![LineStart { text: 0, byte: kind.mark_len() }];
    let mut rest = kind.mark_len();
    while rest < bytes.len() {
        let end = line_end(bytes, rest, kind);
        let line = &bytes[rest..end];
        if line.is_ascii() && !kind.is_utf16() {
            text.extend(line.iter().map(|&byte| char::from(byte)));
        } else {
            text.push_str(&kind.encoding().decode_without_bom_handling(line).0);
        }
        rest = end;
        lines.push(LineStart { text: text.len(), byte: rest });
    }
    (text, lines)
}

/// The place after the `\n` that ends the line beginning at `start`, or the end of the bytes.
fn line_end(bytes: &[u8], start: usize, kind: TextKind) -> usize {
    let rest = &bytes[start..];
    if !kind.is_utf16() {
        return memchr::memchr(b'\n', rest).map_or(bytes.len(), |at| start + at + 1);
    }
    let newline = if kind.encoding() == UTF_16BE { [0, b'\n'] } else { [b'\n', 0] };
    let unit = rest.as_chunks::<2>().0.iter().position(|unit| *unit == newline);
    unit.map_or(bytes.len(), |at| start + 2 * (at + 1))
}

/// Where in a line's bytes its text's `place` lies.
fn place_in_line(line: &[u8], encoding: &'static Encoding, place: usize) -> Option<usize> {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut text_end = 0;
    let mut buffer = [0_u8; 32];
    if place == 0 {
        return Some(0);
    }
    for (at, byte) in line.iter().enumerate() {
        let last = at + 1 == line.len();
        let (_, _, written, _) = decoder.decode_to_utf8(std::slice::from_ref(byte), &mut buffer, last);
        if written == 0 {
            continue;
        }
        text_end += written;
        if text_end == place {
            return Some(at + 1);
        }
        // A fault is only seen at the byte after it, so that byte, if it is ASCII, comes out together with U+FFFD.
        if text_end == place + 1 && byte.is_ascii() && buffer[written - 1] == *byte {
            return Some(at);
        }
        if text_end > place {
            return None;
        }
    }
    None
}
