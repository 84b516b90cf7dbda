//! What a file's bytes are: text in some encoding with its line ends, or binary.
//!
//! [`classify`] decides from the bytes and from what is said about them; [`decode()`] and [`Decoded`] turn bytes into
//! text, the latter with a way back from places in the text to places in the bytes; [`encode_like`] turns new text
//! into bytes of the same encoding.
//!
//! **Invariant.** A kept place in the text is a kept place in the bytes: editing splices bytes and never writes a
//! file anew from its text, so what an edit does not touch stays byte for byte.
//!
//! ```
//! use webcodex_files::text::{self, Classified, Hints};
//!
//! let bytes = b"\xEF\xBB\xBFfn main() {}\r\n";
//! let Classified::Text(kind) = text::classify(bytes, &Hints::none()) else { panic!("text") };
//! assert_eq!(kind.describe(), "utf-8 (bom)");
//! assert_eq!(text::decode(bytes, kind), "fn main() {}\r\n");
//! ```

mod binary;
mod decode;
mod detect;
mod encode;
mod label;
mod lines;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

pub use binary::BinaryKind;
pub use decode::{Decoded, decode};
pub use detect::{LegacySamples, MIN_SETTLED_BYTES};
pub use encode::{Unrepresentable, encode_like};
pub use label::{Label, LabelError};
pub(crate) use lines::floor_boundary;
pub use lines::{LineEnding, LineIndex, Lines};

/// What a file's bytes are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Classified {
    /// Text that [`decode()`] can show.
    Text(TextKind),
    /// Not text; never shown or edited as such.
    Binary(BinaryKind),
}

/// How a text is written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextKind {
    encoding: &'static Encoding,
    found: Found,
    mark_len: u8,
}

/// How an encoding was found out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// A byte-order mark says so.
    Mark,
    /// Every byte sequence is valid UTF-8.
    Valid,
    /// UTF-16 without a mark: nothing else has zero bytes at every other place and reads as text.
    Pattern,
    /// The caller named it.
    Given,
    /// `.editorconfig` or `.gitattributes` of the project names it.
    Declared,
    /// Guessed from enough bytes, of this file or of its project, to rely on.
    Settled,
    /// Guessed from few bytes.
    Guessed,
}

/// What is known about a file besides its bytes.
#[derive(Clone, Copy, Default)]
pub struct Hints<'a> {
    /// The encoding the caller named.
    pub given: Option<Label>,
    /// Asks what the project declares for the file; only called where the bytes leave the question open.
    pub declared: Option<&'a dyn Fn() -> Option<Label>>,
    /// Other files of the project in a legacy encoding.
    pub samples: Option<&'a LegacySamples>,
    /// The user's region as a two-letter code (`cn`, `jp`); decides between guesses that are equally good.
    pub region: Option<&'a str>,
}

impl Hints<'_> {
    /// Nothing is known.
    pub fn none() -> Self {
        Self::default()
    }
}

impl TextKind {
    /// Plain UTF-8, as new files have it.
    pub const UTF8: TextKind = TextKind::unmarked(UTF_8, Found::Valid);

    const fn unmarked(encoding: &'static Encoding, found: Found) -> Self {
        Self { encoding, found, mark_len: 0 }
    }

    /// The encoding.
    pub fn encoding(self) -> &'static Encoding {
        self.encoding
    }

    /// How the encoding was found out.
    pub fn found(self) -> Found {
        self.found
    }

    /// Whether the bytes after the mark are UTF-8, so that they can be used as they are.
    pub fn is_utf8(self) -> bool {
        self.encoding == UTF_8 && matches!(self.found, Found::Mark | Found::Valid)
    }

    /// Whether the encoding is UTF-16.
    pub fn is_utf16(self) -> bool {
        self.encoding == UTF_16LE || self.encoding == UTF_16BE
    }

    /// Length of the byte-order mark, 0 where there is none.
    pub fn mark_len(self) -> usize {
        usize::from(self.mark_len)
    }

    /// The byte-order mark that such a file begins with.
    pub fn mark(self) -> &'static [u8] {
        match self.mark_len {
            0 => b"",
            _ if self.encoding == UTF_8 => b"\xEF\xBB\xBF",
            _ if self.encoding == UTF_16LE => b"\xFF\xFE",
            _ => b"\xFE\xFF",
        }
    }

    /// Whether new text may rely on the encoding; a guess from few bytes may be wrong without any sign of it.
    pub fn is_settled(self) -> bool {
        self.found != Found::Guessed
    }

    /// The encoding and how it was found, as `gbk (guessed)`; the plain name where there is nothing to add.
    pub fn describe(self) -> String {
        let name = self.encoding.name().to_ascii_lowercase();
        let how = match self.found {
            Found::Valid => return name,
            Found::Mark => "bom",
            Found::Pattern => "no bom",
            Found::Given => "given",
            Found::Declared => "declared by the project",
            Found::Settled => "guessed",
            Found::Guessed => "guessed from few bytes",
        };
        format!("{name} ({how})")
    }
}

/// Decides what `bytes`, a whole file, are.
///
/// A byte-order mark decides; then a zero byte means binary (except in what can only be UTF-16); then valid UTF-8 is
/// UTF-8; then the encoding that was given or declared; then a guess over this file and those of its project.
pub fn classify(bytes: &[u8], hints: &Hints<'_>) -> Classified {
    if let Some(kind) = marked(bytes) {
        return kind;
    }
    let given = hints.given.map(Label::encoding);
    if memchr::memchr(0, bytes).is_some() {
        if let Some(encoding) = given.filter(|encoding| is_utf16(encoding)) {
            return utf16(bytes, TextKind::unmarked(encoding, Found::Given));
        }
        return detect::unmarked_utf16(bytes).map_or_else(
            || Classified::Binary(binary::kind_of(bytes)),
            |encoding| Classified::Text(TextKind::unmarked(encoding, Found::Pattern)),
        );
    }
    if let Some(kind) = binary::by_signature(bytes) {
        return Classified::Binary(kind);
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Classified::Text(valid_utf8(text, given)),
        Err(_) => legacy(bytes, hints),
    }
}

/// The kind that new text gives a file which is plain ASCII so far: what the project declares for it, or UTF-8.
pub fn kind_for_new_text(kind: TextKind, bytes: &[u8], declared: impl FnOnce() -> Option<Label>) -> TextKind {
    if kind.found != Found::Valid || !bytes.is_ascii() {
        return kind;
    }
    match declared().map(Label::encoding) {
        Some(encoding) if encoding != UTF_8 && !is_utf16(encoding) => {
            TextKind::unmarked(encoding, Found::Declared)
        }
        _ => kind,
    }
}

/// The kind of a new file: UTF-8, or what the caller names. UTF-16 gets a mark, or nothing would tell it.
pub fn kind_of_new_file(label: Option<Label>) -> TextKind {
    match label.map(Label::encoding) {
        None => TextKind::UTF8,
        Some(encoding) if encoding == UTF_8 => TextKind::UTF8,
        Some(encoding) if is_utf16(encoding) => TextKind { encoding, found: Found::Mark, mark_len: 2 },
        Some(encoding) => TextKind::unmarked(encoding, Found::Given),
    }
}

fn is_utf16(encoding: &'static Encoding) -> bool {
    encoding == UTF_16LE || encoding == UTF_16BE
}

fn marked(bytes: &[u8]) -> Option<Classified> {
    if bytes.starts_with(&[0xFF, 0xFE, 0, 0]) || bytes.starts_with(&[0, 0, 0xFE, 0xFF]) {
        return Some(Classified::Binary(BinaryKind::Utf32));
    }
    let (encoding, length) = Encoding::for_bom(bytes)?;
    let kind = TextKind { encoding, found: Found::Mark, mark_len: u8::try_from(length).unwrap_or(0) };
    if encoding != UTF_8 {
        return Some(utf16(&bytes[length..], kind));
    }
    if memchr::memchr(0, bytes).is_some() {
        return Some(Classified::Binary(binary::kind_of(bytes)));
    }
    // Behind a UTF-8 mark there may be bytes that are not UTF-8: shown as U+FFFD, edited only where all is clean.
    let found = if std::str::from_utf8(bytes).is_ok() { Found::Mark } else { Found::Guessed };
    Some(Classified::Text(TextKind { found, ..kind }))
}

fn utf16(units: &[u8], kind: TextKind) -> Classified {
    if detect::holds_zero_unit(units) || !detect::reads_as_utf16(units, kind.encoding) {
        return Classified::Binary(binary::kind_of(units));
    }
    Classified::Text(kind)
}

/// Valid UTF-8 is UTF-8, unless the caller says otherwise about so few bytes that chance may have made them valid.
fn valid_utf8(text: &str, given: Option<&'static Encoding>) -> TextKind {
    match given {
        Some(encoding) if encoding != UTF_8 && !is_utf16(encoding) && fits_by_chance(text, encoding) => {
            TextKind::unmarked(encoding, Found::Given)
        }
        _ => TextKind::UTF8,
    }
}

fn fits_by_chance(text: &str, encoding: &'static Encoding) -> bool {
    detect::non_ascii(text.as_bytes()) <= MIN_SETTLED_BYTES
        && encoding.decode_without_bom_handling_and_without_replacement(text.as_bytes()).is_some()
}

fn legacy(bytes: &[u8], hints: &Hints<'_>) -> Classified {
    if binary::has_too_many_controls(bytes) {
        return Classified::Binary(BinaryKind::Data);
    }
    if let Some(label) = hints.given {
        return Classified::Text(TextKind::unmarked(label.encoding(), Found::Given));
    }
    let declared = hints.declared.and_then(|declared| declared());
    if let Some(label) = declared.filter(|label| label.encoding() != UTF_8 && !is_utf16(label.encoding())) {
        return Classified::Text(TextKind::unmarked(label.encoding(), Found::Declared));
    }
    Classified::Text(detect::guess(bytes, hints))
}

#[cfg(test)]
mod tests;
