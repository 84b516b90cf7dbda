//! Where an answer ended and the next one begins: text that means nothing to anybody else.

use gix::bstr::{BString, ByteSlice};
use sha2::{Digest, Sha256};

use crate::GitError;

/// A place in the list of changed files. The list is sorted, so a path is a place even after the list has changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cursor {
    /// Belongs to one request only.
    request: String,
    /// The first file to come, from the top of the working tree.
    pub(crate) path: BString,
    /// Hunks of that file which were shown already.
    pub(crate) hunk: usize,
    /// What the file looked like when they were shown; `0` where none were.
    pub(crate) content: u64,
}

/// Version of the cursor's form.
const FORM: &str = "c1";

/// Names a request by what decides its answer.
pub(crate) fn request_tag(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.finalize().iter().take(4).map(|byte| format!("{byte:02x}")).collect()
}

impl Cursor {
    /// The place before `hunk` of the file at `path`, for the request with this tag.
    pub(crate) fn new(request: &str, path: BString, hunk: usize, content: u64) -> Self {
        Self { request: request.to_owned(), path, hunk, content }
    }

    /// Reads a cursor that was given out for the request with this tag.
    pub(crate) fn parse(text: &str, request: &str) -> Result<Self, GitError> {
        let invalid = |reason| GitError::CursorInvalid { reason };
        let mut parts = text.splitn(5, '.');
        let mut part = || parts.next().ok_or(invalid("it is not a cursor of this tool"));
        if part()? != FORM {
            return Err(invalid("it is not a cursor of this tool"));
        }
        if part()? != request {
            return Err(invalid("it was given for other arguments"));
        }
        let hunk = part()?.parse().map_err(|_| invalid("it is damaged"))?;
        let content = u64::from_str_radix(part()?, 16).map_err(|_| invalid("it is damaged"))?;
        let path = unescape(part()?).ok_or(invalid("it is damaged"))?;
        Ok(Self { request: request.to_owned(), path, hunk, content })
    }

    /// The cursor as it is given out.
    pub(crate) fn text(&self) -> String {
        format!("{FORM}.{}.{}.{:x}.{}", self.request, self.hunk, self.content, escape(&self.path))
    }
}

/// Letters, digits and a few signs stay; every other byte is written as `%E9`.
fn escape(path: &[u8]) -> String {
    let mut text = String::with_capacity(path.len());
    for byte in path {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'_' | b'-' | b'.' => {
                text.push(char::from(*byte))
            }
            byte => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}

fn unescape(text: &str) -> Option<BString> {
    let mut parts = text.as_bytes().split_str("%");
    let mut path = parts.next()?.to_vec();
    for part in parts {
        let (code, rest) = part.split_at_checked(2)?;
        path.push(u8::from_str_radix(std::str::from_utf8(code).ok()?, 16).ok()?);
        path.extend_from_slice(rest);
    }
    Some(path.into())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_cursor_serves_its_own_request_only() {
        let tag = request_tag(&["a", "bc"]);
        assert_ne!(tag, request_tag(&["ab", "c"]));
        let text = Cursor::new(&tag, "src/a b.rs".into(), 2, 77).text();
        assert!(Cursor::parse(&text, &tag).is_ok());
        for (text, tag) in
            [(text.as_str(), "00000000"), ("", &tag), ("c1.x", &tag), ("rubbish", &tag), ("c1", "")]
        {
            assert!(Cursor::parse(text, tag).is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_cursor_reads_as_it_was_written(path in proptest::collection::vec(any::<u8>(), 0..40), hunk in 0usize..999, content in any::<u64>()) {
            let cursor = Cursor::new("t", path.into(), hunk, content);
            let text = cursor.text();
            prop_assert!(text.is_ascii() && !text.contains(char::is_whitespace));
            prop_assert_eq!(Cursor::parse(&text, "t").unwrap(), cursor);
        }

        #[test]
        fn no_text_makes_parsing_fall_over(text in "\\PC{0,40}") {
            let _ = Cursor::parse(&text, "t");
            let _ = Cursor::parse(&format!("c1.t.0.0.{text}"), "t");
        }
    }
}
