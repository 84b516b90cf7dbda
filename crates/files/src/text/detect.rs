//! Guessing the encoding of bytes that no mark and no rule settles.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

use super::{Found, Hints, TextKind};

/// Bytes above 127 from which a guess is reliable. Fewer were guessed wrong in up to a quarter of real comments, and
/// a wrong guess reproduces the bytes, so nothing would show it.
pub const MIN_SETTLED_BYTES: usize = 24;
/// Bytes of one file that the detector sees; more does not change its answer but its cost.
const MAX_DETECT_BYTES: usize = 64 * 1024;
/// Bytes of one file that are kept to help with the others of its project.
const MAX_SAMPLE_BYTES: usize = 1024;
/// Files of one project that are remembered.
const MAX_SAMPLES: usize = 64;

/// Lines of a project's files in a legacy encoding. Together they settle what each alone leaves open.
#[derive(Debug, Clone, Default)]
pub struct LegacySamples {
    samples: Vec<(String, Vec<u8>)>,
}

impl LegacySamples {
    /// Remembers the file called `name` if it is in a legacy encoding and nobody said which.
    pub fn remember(&mut self, name: &str, bytes: &[u8], kind: TextKind) {
        if !matches!(kind.found, Found::Guessed | Found::Settled) || kind.encoding == UTF_8 {
            return;
        }
        let sample = lines_above_ascii(bytes, MAX_SAMPLE_BYTES);
        match self.samples.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => *known = sample,
            None => {
                if self.samples.len() == MAX_SAMPLES {
                    self.samples.remove(0);
                }
                self.samples.push((name.to_owned(), sample));
            }
        }
    }

    /// Whether the file called `name` with these bytes would add nothing.
    pub fn knows(&self, name: &str, bytes: &[u8]) -> bool {
        self.samples
            .iter()
            .any(|(known, sample)| known == name && *sample == lines_above_ascii(bytes, MAX_SAMPLE_BYTES))
    }
}

/// The most likely encoding of text that is neither valid UTF-8 nor said to be anything.
pub(super) fn guess(bytes: &[u8], hints: &Hints<'_>) -> TextKind {
    if is_damaged_utf8(bytes) {
        return TextKind::unmarked(UTF_8, Found::Guessed);
    }
    let own = lines_above_ascii(bytes, MAX_DETECT_BYTES);
    let region = hints.region.filter(|region| region.bytes().all(|b| b.is_ascii_lowercase()));
    let seen = non_ascii(&own);
    if seen <= MIN_SETTLED_BYTES
        && let Some(encoding) = hints.samples.and_then(|samples| guess_together(&own, samples, region))
        && decodes(bytes, encoding)
    {
        return TextKind::unmarked(encoding, Found::Settled);
    }
    let encoding = run_detector([own.as_slice()].into_iter(), region);
    let found = if seen > MIN_SETTLED_BYTES { Found::Settled } else { Found::Guessed };
    TextKind::unmarked(encoding, found)
}

/// A guess over this file and its neighbours, if they are enough to rely on.
fn guess_together(own: &[u8], samples: &LegacySamples, region: Option<&str>) -> Option<&'static Encoding> {
    let others = || samples.samples.iter().map(|(_, sample)| sample.as_slice());
    let seen: usize = others().map(non_ascii).sum::<usize>() + non_ascii(own);
    (seen > MIN_SETTLED_BYTES).then(|| run_detector(others().chain([own]), region))
}

fn run_detector<'a>(parts: impl Iterator<Item = &'a [u8]>, region: Option<&str>) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    for part in parts {
        detector.feed(part, false);
        detector.feed(b"\n", false);
    }
    detector.feed(b"", true);
    detector.guess(region.map(str::as_bytes), Utf8Detection::Deny)
}

fn decodes(bytes: &[u8], encoding: &'static Encoding) -> bool {
    encoding.decode_without_bom_handling_and_without_replacement(bytes).is_some()
}

/// Bytes above 127.
pub(super) fn non_ascii(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| !byte.is_ascii()).count()
}

/// The lines that hold bytes above 127, as many as fit. Ends at a line's end, so no character is cut.
fn lines_above_ascii(bytes: &[u8], limit: usize) -> Vec<u8> {
    let mut kept = Vec::new();
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        if line.is_ascii() {
            continue;
        }
        if kept.len() + line.len() > limit {
            if kept.is_empty() {
                kept.extend_from_slice(&line[..limit.min(line.len())]);
            }
            break;
        }
        kept.extend_from_slice(line);
    }
    kept
}

/// Whether the bytes are UTF-8 but for a few: a file that two programs wrote in two encodings.
fn is_damaged_utf8(bytes: &[u8]) -> bool {
    let (mut characters, mut faults) = (0_usize, 0_usize);
    for chunk in bytes.utf8_chunks() {
        characters += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        faults += usize::from(!chunk.invalid().is_empty());
    }
    characters >= 4 && characters >= 8 * faults
}

/// UTF-16 without a mark, where that is beyond doubt: zero bytes at every second place only, and plain text.
pub(super) fn unmarked_utf16(bytes: &[u8]) -> Option<&'static Encoding> {
    if bytes.len() < 4 || !bytes.len().is_multiple_of(2) {
        return None;
    }
    let zeros = |parity: usize| bytes.iter().skip(parity).step_by(2).filter(|&&byte| byte == 0).count();
    let encoding = match (zeros(0), zeros(1)) {
        (0, odd) if odd * 4 >= bytes.len() => UTF_16LE,
        (even, 0) if even * 4 >= bytes.len() => UTF_16BE,
        _ => return None,
    };
    (plain_characters(bytes, encoding)?).then_some(encoding)
}

/// Whether no unit is a control character that text does not use; `None` where the units are not UTF-16.
fn plain_characters(bytes: &[u8], encoding: &'static Encoding) -> Option<bool> {
    let text = encoding.decode_without_bom_handling_and_without_replacement(bytes)?;
    Some(text.chars().all(|c| !c.is_control() || matches!(c, '\t' | '\n' | '\r' | '\u{C}')))
}

/// Whether a 16-bit unit is zero, which no text holds.
pub(super) fn holds_zero_unit(units: &[u8]) -> bool {
    units.as_chunks::<2>().0.contains(&[0, 0])
}

/// Whether bytes said to be UTF-16 hold at most a few faults.
pub(super) fn reads_as_utf16(units: &[u8], encoding: &'static Encoding) -> bool {
    let big_endian = encoding == UTF_16BE;
    let pairs = units.as_chunks::<2>().0;
    let decoded = char::decode_utf16(
        pairs
            .iter()
            .map(|pair| if big_endian { u16::from_be_bytes(*pair) } else { u16::from_le_bytes(*pair) }),
    );
    decoded.filter(Result::is_err).count() * 100 <= pairs.len()
}
