//! From new text to bytes of a file's encoding.

use encoding_rs::{EncoderResult, Encoding, UTF_8, UTF_16BE, UTF_16LE};

use super::TextKind;

/// A character that the encoding does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{character:?} does not exist in {encoding}")]
pub struct Unrepresentable {
    /// The character.
    pub character: char,
    /// Where it stands in the text, in bytes of UTF-8.
    pub offset: usize,
    /// The encoding.
    pub encoding: String,
}

/// The bytes of `text` in the encoding of `kind`, without a byte-order mark.
///
/// Exact: what cannot be read back as the same text is refused, never replaced by something similar.
pub fn encode_like(kind: TextKind, text: &str) -> Result<Vec<u8>, Unrepresentable> {
    let encoding = kind.encoding();
    if encoding == UTF_8 || text.is_ascii() && !kind.is_utf16() {
        return Ok(text.as_bytes().to_vec());
    }
    if encoding == UTF_16LE {
        return Ok(text.encode_utf16().flat_map(u16::to_le_bytes).collect());
    }
    if encoding == UTF_16BE {
        return Ok(text.encode_utf16().flat_map(u16::to_be_bytes).collect());
    }
    let encoded = encode_legacy(encoding, text)?;
    if encoding.decode_without_bom_handling(&encoded).0 == text {
        return Ok(encoded);
    }
    // Some encoders map look-alikes (the yen sign to the backslash); find the character that came back different.
    let culprit = text.char_indices().find(|(_, c)| !survives(encoding, *c));
    let (offset, character) = culprit.unwrap_or_default();
    Err(Unrepresentable { character, offset, encoding: name(encoding) })
}

fn encode_legacy(encoding: &'static Encoding, text: &str) -> Result<Vec<u8>, Unrepresentable> {
    let mut encoder = encoding.new_encoder();
    let capacity = encoder.max_buffer_length_from_utf8_without_replacement(text.len());
    let mut bytes = Vec::with_capacity(capacity.unwrap_or(text.len() * 4));
    let mut read = 0;
    loop {
        let (result, consumed) =
            encoder.encode_from_utf8_to_vec_without_replacement(&text[read..], &mut bytes, true);
        read += consumed;
        match result {
            EncoderResult::InputEmpty => return Ok(bytes),
            EncoderResult::OutputFull => bytes.reserve(text.len() - read + 16),
            EncoderResult::Unmappable(character) => {
                let offset = read - character.len_utf8();
                return Err(Unrepresentable { character, offset, encoding: name(encoding) });
            }
        }
    }
}

fn survives(encoding: &'static Encoding, character: char) -> bool {
    let mut buffer = [0; 4];
    let text = character.encode_utf8(&mut buffer);
    encode_legacy(encoding, text).is_ok_and(|bytes| encoding.decode_without_bom_handling(&bytes).0 == *text)
}

fn name(encoding: &'static Encoding) -> String {
    encoding.name().to_ascii_lowercase()
}
