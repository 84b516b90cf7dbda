//! Where a continuation goes on: strictly after a line of a file, whatever was added or removed meanwhile.

use sha2::{Digest, Sha256};
use webcodex_contracts::ProjectId;
use webcodex_contracts::tools::search_project_texts::SearchQuery;

/// Stands for the end of a file.
const END: u64 = u64::MAX;
/// Longest cursor read, in bytes.
const MAX_CURSOR_BYTES: usize = 8 * 1024;

/// A place between two results.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Position {
    path: String,
    line: u64,
}

/// Ties cursors to the query they were made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CursorKey([u8; 32]);

impl CursorKey {
    /// The key of everything in a query that decides what is found and in which order. How much is shown of it (limit,
    /// context) may change from page to page.
    pub(super) fn new(project: &ProjectId, query: &SearchQuery) -> Self {
        let mut hash = Sha256::new();
        let mut feed = |field: &str| {
            hash.update((field.len() as u64).to_le_bytes());
            hash.update(field.as_bytes());
        };
        feed(project.as_str());
        feed(&query.pattern);
        feed(&format!(
            "{:?} {} {} {} {} {:?}",
            query.syntax, query.ignore_case, query.whole_word, query.hidden, query.ignored, query.output
        ));
        for list in [&query.include, &query.exclude] {
            feed(&list.len().to_string());
            list.iter().for_each(|glob| feed(glob));
        }
        query.paths.iter().for_each(|path| feed(path.as_str()));
        Self(hash.finalize().into())
    }

    fn check(&self, place: &str) -> String {
        let mut hash = Sha256::new();
        hash.update(self.0);
        hash.update(place.as_bytes());
        let hash: [u8; 32] = hash.finalize().into();
        hash[..8].iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl Position {
    /// After line `line` of the file at `path`.
    pub(super) fn after_line(path: &str, line: u64) -> Self {
        Self { path: path.to_owned(), line }
    }

    /// After everything in the file at `path`.
    pub(super) fn after_file(path: &str) -> Self {
        Self::after_line(path, END)
    }

    /// Before everything at `path`: a file, or a folder written with a `/` at its end.
    pub(super) fn before(path: &str) -> Self {
        Self::after_line(path, 0)
    }

    /// The last line of the file at `path` that is behind this place: 0 if the whole file is ahead, `None` if none of it.
    pub(super) fn lines_behind(&self, path: &str) -> Option<u64> {
        match path.cmp(&self.path) {
            std::cmp::Ordering::Less => None,
            std::cmp::Ordering::Equal => (self.line != END).then_some(self.line),
            std::cmp::Ordering::Greater => Some(0),
        }
    }

    /// Whether something in a folder, written with a `/` at its end, may be ahead.
    pub(super) fn enters(&self, folder: &str) -> bool {
        folder > self.path.as_str() || self.path.starts_with(folder)
    }

    /// The place as opaque text.
    pub(super) fn encode(&self, key: &CursorKey) -> String {
        let line = if self.line == END { "end".to_owned() } else { self.line.to_string() };
        let place = format!("{line}.{}", self.path);
        format!("{}.{place}", key.check(&place))
    }

    /// Reads a place back; `None` if the text is damaged or was made for another query.
    pub(super) fn decode(text: &str, key: &CursorKey) -> Option<Self> {
        if text.len() > MAX_CURSOR_BYTES {
            return None;
        }
        let (check, place) = text.split_once('.')?;
        if check != key.check(place) {
            return None;
        }
        let (line, path) = place.split_once('.')?;
        let line = if line == "end" { END } else { line.parse().ok()? };
        Some(Self::after_line(path, line))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::search::tests::query;

    fn key(pattern: &str) -> CursorKey {
        CursorKey::new(&ProjectId::parse("agent:a:b").unwrap(), &query(pattern))
    }

    #[test]
    fn a_cursor_of_another_query_or_project_is_refused() {
        let cursor = Position::after_line("a.rs", 3).encode(&key("x"));
        assert_eq!(Position::decode(&cursor, &key("x")), Some(Position::after_line("a.rs", 3)));
        assert_eq!(Position::decode(&cursor, &key("y")), None);
        let other = CursorKey::new(&ProjectId::parse("agent:a:c").unwrap(), &query("x"));
        assert_eq!(Position::decode(&cursor, &other), None);
        let mut hidden = query("x");
        hidden.hidden = true;
        assert_ne!(CursorKey::new(&ProjectId::parse("agent:a:b").unwrap(), &hidden), key("x"));
    }

    #[test]
    fn page_sizes_may_change() {
        let mut larger = query("x");
        larger.limit = Some(webcodex_contracts::Limit::clamped(7));
        larger.context_lines = Some(webcodex_contracts::Limit::clamped(2));
        assert_eq!(CursorKey::new(&ProjectId::parse("agent:a:b").unwrap(), &larger), key("x"));
    }

    proptest! {
        #[test]
        fn a_place_survives_its_text(path in "[a-z./é ]{0,12}", line in any::<u64>()) {
            let place = Position::after_line(&path, line);
            let cursor = place.encode(&key("x"));
            prop_assert_eq!(Position::decode(&cursor, &key("x")), Some(place));
        }

        #[test]
        fn a_damaged_cursor_is_refused(path in "[a-z/]{1,8}", line in 0_u64..500, at in 0_usize..40, with in "[0-9a-z.]") {
            let cursor = Position::after_line(&path, line).encode(&key("x"));
            let at = at % cursor.len();
            let damaged = format!("{}{with}{}", &cursor[..at], &cursor[at + 1..]);
            if damaged != cursor {
                prop_assert_eq!(Position::decode(&damaged, &key("x")), None);
            }
        }

        #[test]
        fn a_folder_is_entered_whenever_a_file_in_it_is_ahead(
            place in "[ab./]{0,5}", line in 0_u64..3, folder in "[ab.]{1,3}", file in "[ab./]{1,3}"
        ) {
            let place = Position::after_line(&place, line);
            let folder = format!("{folder}/");
            if place.lines_behind(&format!("{folder}{file}")).is_some() {
                prop_assert!(place.enters(&folder));
            }
        }
    }
}
