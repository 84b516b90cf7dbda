//! Lines and texts of one listed file, in loads of 32 KiB and never more than 256 KiB of a file.

use std::collections::HashMap;

use sha2::{Digest, Sha256};
use webcodex_contracts::limits::{MAX_LOAD_BYTES, MAX_LOADED_BYTES};
use webcodex_contracts::tools::read_workspace_changes::DiffHunk;
use webcodex_contracts::tools::review::{Loaded, NoPreview, ReviewHunk};

use super::SnapshotError;
use super::listing::{Listed, kind_without_text, stored};
use super::vault::Vault;
use crate::lines::Comparison;
use crate::text;

/// Largest file whose lines are compared, in bytes.
const MAX_COMPARED: u64 = 8 * 1024 * 1024;

/// The compared sides of a file.
pub(super) struct Compared {
    /// As git stores them.
    pub(super) old: Vec<u8>,
    pub(super) new: Vec<u8>,
    pub(super) hunks: Vec<ReviewHunk>,
    pub(super) note: Option<String>,
    /// Why single hunks cannot be undone.
    pub(super) fixed: Option<String>,
}

/// Compares the two sides of a file.
pub(super) fn compare(vault: &Vault, listed: &Listed) -> Result<Compared, SnapshotError> {
    if let Some(reason) = listed.file.no_diff {
        return Err(no_preview(listed, reason));
    }
    let (old, new) = (side(vault, listed, Which::Old)?, side(vault, listed, Which::New)?);
    let binary = || no_preview(listed, NoPreview::Binary);
    let old_text = text::as_text(old.clone()).ok_or_else(binary)?;
    let new_text = text::as_text(new.clone()).ok_or_else(binary)?;
    let (mut note, mut fixed) = (None, None);
    if old_text != old || new_text != new {
        fixed = Some("the file is UTF-16; only the whole file can be undone here".to_owned());
    }
    let hunks = if text::only_line_ends_differ(&old_text, &new_text) {
        note = Some("line ends only".to_owned());
        Vec::new()
    } else if text::have_other_line_ends(&old_text, &new_text) {
        note = Some("line ends differ too".to_owned());
        fixed = Some("line ends differ too; only the whole file can be undone".to_owned());
        let (old, new) = (text::without_cr(&old_text), text::without_cr(&new_text));
        Comparison::of(&old, &new).hunks()
    } else {
        Comparison::of(&old_text, &new_text).hunks()
    };
    let is_file = kind_without_text(&listed.change).is_none();
    if !is_file {
        fixed = Some("this is no file; only the whole entry can be accepted".to_owned());
    }
    Ok(Compared { old, new, hunks: named(hunks), note, fixed })
}

/// The hunks of one load from hunk `offset` on, with how much is loaded then.
pub(super) fn load(hunks: Vec<ReviewHunk>, offset: usize) -> (Vec<ReviewHunk>, Loaded) {
    let sizes: Vec<usize> = hunks.iter().map(|hunk| hunk.lines.text.len()).collect();
    let total: usize = sizes.iter().sum();
    let mut loaded: usize = sizes.iter().take(offset).sum();
    let before = loaded;
    let mut end = offset.min(sizes.len());
    while let Some(size) = sizes.get(end) {
        let fits = loaded + size - before <= MAX_LOAD_BYTES && loaded + size <= MAX_LOADED_BYTES;
        if !fits {
            break;
        }
        loaded += size;
        end += 1;
    }
    let more = end < sizes.len();
    let limit_reached = more && loaded + sizes[end] > MAX_LOADED_BYTES;
    let state = Loaded {
        loaded_bytes: loaded as u64,
        total_bytes: total as u64,
        partial: more,
        limit_reached,
        next_offset: (more && !limit_reached).then_some(end as u64),
    };
    (hunks.into_iter().take(end).skip(offset).collect(), state)
}

/// The text of the new side from byte `offset` on, with how much is loaded then.
pub(super) fn text_of(
    vault: &Vault,
    listed: &Listed,
    offset: usize,
) -> Result<(String, Loaded), SnapshotError> {
    if let Some(reason) = listed.file.no_text {
        return Err(no_preview(listed, reason));
    }
    let content = side(vault, listed, Which::New)?;
    if text::as_text(content.clone()).is_none() {
        return Err(no_preview(listed, NoPreview::Binary));
    }
    let text = String::from_utf8(content).map_err(|_| no_preview(listed, NoPreview::NotUtf8))?;
    let start = char_at_or_before(&text, offset.min(text.len()).min(MAX_LOADED_BYTES));
    let end = char_at_or_before(&text, (start + MAX_LOAD_BYTES).min(text.len()).min(MAX_LOADED_BYTES));
    let more = end < text.len();
    // Nothing more can come where not even one character fits.
    let limit_reached = more && (end >= MAX_LOADED_BYTES || end == start || MAX_LOADED_BYTES - end < 4);
    let state = Loaded {
        loaded_bytes: end as u64,
        total_bytes: text.len() as u64,
        partial: more,
        limit_reached,
        next_offset: (more && !limit_reached).then_some(end as u64),
    };
    Ok((text[start..end].to_owned(), state))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    Old,
    New,
}

/// The bytes of a side; empty where there is none.
fn side(vault: &Vault, listed: &Listed, which: Which) -> Result<Vec<u8>, SnapshotError> {
    let change = &listed.change;
    let side = match which {
        Which::Old => &change.old,
        Which::New => &change.new,
    };
    let Some(side) = side else { return Ok(Vec::new()) };
    if let crate::status::Content::Submodule { commit, .. } = side.content {
        return Ok(format!("Subproject commit {commit}\n").into_bytes());
    }
    let id = stored(change, |change| match which {
        Which::Old => change.old.as_ref(),
        Which::New => change.new.as_ref(),
    });
    let gone = || SnapshotError::Expired { what: format!("what `{}` held then", listed.file.path) };
    vault.content(id.ok_or_else(gone)?, MAX_COMPARED)?.ok_or_else(gone)
}

/// Gives every hunk a name that depends on its lines alone.
fn named(hunks: Vec<DiffHunk>) -> Vec<ReviewHunk> {
    let mut same: HashMap<String, usize> = HashMap::new();
    let name = |hunk: DiffHunk| {
        let digest = Sha256::digest(hunk.text.as_bytes());
        let mut hunk_id: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        hunk_id.insert(0, 'h');
        let count = same.entry(hunk_id.clone()).or_default();
        *count += 1;
        if *count > 1 {
            hunk_id.push_str(&format!("-{count}"));
        }
        ReviewHunk { hunk_id, lines: hunk, accepted: false }
    };
    hunks.into_iter().map(name).collect()
}

fn no_preview(listed: &Listed, reason: NoPreview) -> SnapshotError {
    SnapshotError::NoPreview { path: listed.file.path.clone(), reason }
}

fn char_at_or_before(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The new text with one hunk of it as it was before.
pub(super) fn without_hunk(old: &[u8], new: &[u8], hunk: &ReviewHunk) -> Vec<u8> {
    let lines = |bytes: &'_ [u8], start: u64, count: u64| {
        // A side without lines is named by the line before it.
        let first = if count == 0 { start } else { start - 1 };
        let ends = line_ends(bytes);
        let at = |line: u64| match line {
            0 => 0,
            line => ends.get(line as usize - 1).copied().unwrap_or(bytes.len()),
        };
        at(first)..at(first + count)
    };
    let removed = lines(old, hunk.lines.old_start, hunk.lines.old_lines);
    let added = lines(new, hunk.lines.new_start, hunk.lines.new_lines);
    [&new[..added.start], &old[removed], &new[added.end..]].concat()
}

/// Where each line ends.
fn line_ends(bytes: &[u8]) -> Vec<usize> {
    let mut ends: Vec<usize> = memchr::memchr_iter(b'\n', bytes).map(|at| at + 1).collect();
    if ends.last().copied().unwrap_or(0) < bytes.len() {
        ends.push(bytes.len());
    }
    ends
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn hunks(old: &[u8], new: &[u8]) -> Vec<ReviewHunk> {
        named(Comparison::of(old, new).hunks())
    }

    proptest! {
        #[test]
        fn without_all_its_hunks_a_text_is_what_it_was(
            old in proptest::collection::vec("[a-c]{0,2}", 0..40), new in proptest::collection::vec("[a-c]{0,2}", 0..40),
            ends in any::<(bool, bool)>(),
        ) {
            let text = |lines: &[String], end: bool| {
                let mut text = lines.join("\n").into_bytes();
                if end && !text.is_empty() { text.push(b'\n'); }
                text
            };
            let (old, new) = (text(&old, ends.0), text(&new, ends.1));
            let mut now = new.clone();
            // From the last one on, so that the others keep their places.
            for hunk in hunks(&old, &new).iter().rev() {
                now = without_hunk(&old, &now, hunk);
            }
            prop_assert_eq!(now, old);
        }
    }

    #[test]
    fn only_the_hunk_itself_is_undone() {
        let old: String = (1..=40).map(|line| format!("{line}\n")).collect();
        let new = old.replace("\n10\n", "\nten\n").replace("\n30\n", "\nthirty\nand more\n");
        let hunks = hunks(old.as_bytes(), new.as_bytes());
        let undone = without_hunk(old.as_bytes(), new.as_bytes(), &hunks[1]);
        assert_eq!(String::from_utf8(undone).unwrap(), old.replace("\n10\n", "\nten\n"));
        let undone = without_hunk(old.as_bytes(), new.as_bytes(), &hunks[0]);
        assert_eq!(String::from_utf8(undone).unwrap(), old.replace("\n30\n", "\nthirty\nand more\n"));
    }

    #[test]
    fn a_hunk_keeps_its_name_where_it_moves_and_no_two_have_one_name() {
        let old: String = (1..=60).map(|line| format!("{}\n", line % 20)).collect();
        let new = old.replace("\n10\n", "\nten\n");
        let before = hunks(old.as_bytes(), new.as_bytes());
        assert_eq!(before.len(), 3);
        let moved = hunks(format!("x\n{old}").as_bytes(), format!("x\n{new}").as_bytes());
        let names = |hunks: &[ReviewHunk]| hunks.iter().map(|hunk| hunk.hunk_id.clone()).collect::<Vec<_>>();
        assert_eq!(names(&before), names(&moved));
        let distinct: std::collections::HashSet<_> = names(&before).into_iter().collect();
        assert_eq!(distinct.len(), 3);
    }

    #[test]
    fn loads_end_at_a_hunk_and_the_whole_at_its_limit() {
        let new: String = (0..50_000).map(|line| format!("some text on line {line}\n")).collect();
        let all = hunks(b"", new.as_bytes());
        let (mut offset, mut loads, mut bytes) = (0, 0, 0);
        let last = loop {
            let (hunks, state) = load(all.clone(), offset);
            bytes += hunks.iter().map(|hunk| hunk.lines.text.len()).sum::<usize>();
            assert!(hunks.iter().map(|hunk| hunk.lines.text.len()).sum::<usize>() <= MAX_LOAD_BYTES);
            assert_eq!(state.loaded_bytes as usize, bytes);
            loads += 1;
            match state.next_offset {
                Some(next) => offset = next as usize,
                None => break state,
            }
        };
        assert!(last.partial && last.limit_reached && bytes <= MAX_LOADED_BYTES, "{last:?}");
        assert!(bytes > MAX_LOADED_BYTES - 2 * MAX_LOAD_BYTES / 2, "{bytes} bytes in {loads} loads");
        assert!(last.total_bytes > 1_000_000);
        let (_, small) = load(hunks(b"a\n", b"b\n"), 0);
        assert_eq!((small.partial, small.limit_reached, small.next_offset), (false, false, None));
    }
}
