//! From a change as it is sent to what it means: each kind has what it needs and nothing it does not understand.

use webcodex_contracts::ProjectPath;
use webcodex_contracts::tools::edit_project_files::{Change, ChangeKind, LineScope};

use crate::text::Label;

/// What a change asks for.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Operation {
    /// A new file.
    Create { text: String },
    /// The whole file anew.
    Write { text: String },
    /// One text for another.
    Replace { find: Find, text: String },
    /// More text before a line; one more than there are lines means the end.
    InsertBefore { line: u64, text: String },
    /// More text after the lines that hold an anchor.
    InsertAfter { find: Find, text: String },
    /// The file is to go.
    Delete,
    /// The file is to have another path.
    Rename { to: ProjectPath },
}

/// A text to look for, where, and which of its matches is meant.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Find {
    pub(super) text: String,
    pub(super) pick: Pick,
    pub(super) scope: Option<LineScope>,
}

/// Which matches are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pick {
    /// The only one.
    Only,
    /// This one, from 1.
    Nth(u64),
    /// All, if there are so many.
    All { expected: u64 },
}

/// An argument that does not fit the kind of change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BadArgument {
    pub(super) field: &'static str,
    pub(super) message: String,
}

impl Operation {
    /// Whether the file keeps its place and gets other text.
    pub(super) fn edits_text(&self) -> bool {
        matches!(
            self,
            Operation::Write { .. }
                | Operation::Replace { .. }
                | Operation::InsertBefore { .. }
                | Operation::InsertAfter { .. }
        )
    }

    /// The text that comes new into the file.
    pub(super) fn new_text(&self) -> Option<&str> {
        match self {
            Operation::Create { text }
            | Operation::Write { text }
            | Operation::Replace { text, .. }
            | Operation::InsertBefore { text, .. }
            | Operation::InsertAfter { text, .. } => Some(text),
            Operation::Delete | Operation::Rename { .. } => None,
        }
    }
}

/// Checks the arguments of one change against its kind.
pub(super) fn operation(change: &Change) -> Result<(Operation, Option<Label>), BadArgument> {
    refuse_foreign_arguments(change)?;
    let label = match change.encoding.as_deref().map(Label::parse).transpose() {
        Ok(label) => label,
        Err(error) => return Err(BadArgument { field: "encoding", message: error.to_string() }),
    };
    let operation = match change.kind {
        ChangeKind::Create => Operation::Create { text: new_text(change)? },
        ChangeKind::Write => Operation::Write { text: new_text(change)? },
        ChangeKind::ReplaceExact => Operation::Replace { find: find(change)?, text: new_text(change)? },
        ChangeKind::Insert => insert(change)?,
        ChangeKind::Delete => Operation::Delete,
        ChangeKind::Rename => Operation::Rename { to: required(&change.to_path, "to_path", change.kind)? },
    };
    Ok((operation, label))
}

fn insert(change: &Change) -> Result<Operation, BadArgument> {
    let text = new_text(change)?;
    match (change.line, &change.old_text) {
        (Some(_), None) if change.occurrence.is_some() || change.line_scope.is_some() => {
            let message = "`occurrence` and `line_scope` belong to `old_text`; with `line` leave them out";
            Err(bad("line", message.to_owned()))
        }
        (Some(line), None) => Ok(Operation::InsertBefore { line: line.get(), text }),
        (None, Some(_)) => Ok(Operation::InsertAfter { find: find(change)?, text }),
        (Some(_), Some(_)) => {
            Err(bad("line", "insert takes either `line` or `old_text` for its place, not both".to_owned()))
        }
        (None, None) => {
            Err(bad("line", "insert needs its place: `line`, or `old_text` to insert after".to_owned()))
        }
    }
}

fn find(change: &Change) -> Result<Find, BadArgument> {
    let text = required(&change.old_text, "old_text", change.kind)?;
    if text.is_empty() {
        return Err(bad("old_text", "`old_text` is empty; give the text to look for".to_owned()));
    }
    let pick = match (change.occurrence, change.expected_match_count) {
        (None, None) => Pick::Only,
        (Some(nth), None) => Pick::Nth(nth.get()),
        (None, Some(_)) if change.kind == ChangeKind::Insert => {
            return Err(bad("expected_match_count", "insert has one place; use `occurrence`".to_owned()));
        }
        (None, Some(expected)) => Pick::All { expected: expected.get() },
        (Some(_), Some(_)) => {
            let message =
                "`occurrence` picks one match and `expected_match_count` all of them; give one of the two";
            return Err(bad("expected_match_count", message.to_owned()));
        }
    };
    if let Some(scope) = change.line_scope
        && scope.start_line > scope.end_line
    {
        let message = format!("line {} comes after line {}", scope.start_line, scope.end_line);
        return Err(bad("line_scope", message));
    }
    Ok(Find { text, pick, scope: change.line_scope })
}

fn new_text(change: &Change) -> Result<String, BadArgument> {
    let text = required(&change.new_text, "new_text", change.kind)?;
    if text.contains('\0') {
        return Err(bad(
            "new_text",
            "the new text contains a NUL character, which no text file holds".to_owned(),
        ));
    }
    Ok(text)
}

fn required<T: Clone>(value: &Option<T>, field: &'static str, kind: ChangeKind) -> Result<T, BadArgument> {
    value.clone().ok_or_else(|| bad(field, format!("{} needs `{field}`", name(kind))))
}

/// An argument that a kind does not understand would silently be without effect.
fn refuse_foreign_arguments(change: &Change) -> Result<(), BadArgument> {
    use ChangeKind::{Create, Delete, Insert, Rename, ReplaceExact, Write};
    let given: [(&'static str, bool, &[ChangeKind]); 9] = [
        (
            "expected_read_revision",
            change.expected_read_revision.is_some(),
            &[ReplaceExact, Insert, Delete, Rename, Write],
        ),
        ("old_text", change.old_text.is_some(), &[ReplaceExact, Insert]),
        ("new_text", change.new_text.is_some(), &[Create, ReplaceExact, Insert, Write]),
        ("occurrence", change.occurrence.is_some(), &[ReplaceExact, Insert]),
        ("expected_match_count", change.expected_match_count.is_some(), &[ReplaceExact, Insert]),
        ("line_scope", change.line_scope.is_some(), &[ReplaceExact, Insert]),
        ("line", change.line.is_some(), &[Insert]),
        ("to_path", change.to_path.is_some(), &[Rename]),
        ("encoding", change.encoding.is_some(), &[Create, ReplaceExact, Insert, Write]),
    ];
    for (field, is_given, kinds) in given {
        if is_given && !kinds.contains(&change.kind) {
            return Err(bad(field, format!("{} has no use for `{field}`; leave it out", name(change.kind))));
        }
    }
    Ok(())
}

fn bad(field: &'static str, message: String) -> BadArgument {
    BadArgument { field, message }
}

fn name(kind: ChangeKind) -> &'static str {
    match kind {
        ChangeKind::Create => "create",
        ChangeKind::ReplaceExact => "replace_exact",
        ChangeKind::Insert => "insert",
        ChangeKind::Delete => "delete",
        ChangeKind::Rename => "rename",
        ChangeKind::Write => "write",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn parse(change: Value) -> Result<(Operation, Option<Label>), BadArgument> {
        operation(&serde_json::from_value(change).unwrap())
    }

    #[test]
    fn each_kind_needs_its_arguments_and_refuses_others() {
        let check = |change: Value, field: &str, message: &str| {
            let error = parse(change.clone()).unwrap_err();
            assert_eq!(error.field, field, "{change}: {error:?}");
            assert!(error.message.contains(message), "{change}: {error:?}");
        };
        check(json!({"kind": "create", "path": "a"}), "new_text", "create needs");
        check(json!({"kind": "replace_exact", "path": "a", "new_text": ""}), "old_text", "needs");
        check(
            json!({"kind": "replace_exact", "path": "a", "new_text": "", "old_text": ""}),
            "old_text",
            "empty",
        );
        check(json!({"kind": "insert", "path": "a", "new_text": "x"}), "line", "needs its place");
        check(
            json!({"kind": "insert", "path": "a", "new_text": "x", "line": 1, "old_text": "y"}),
            "line",
            "either",
        );
        check(json!({"kind": "rename", "path": "a"}), "to_path", "rename needs");
        check(json!({"kind": "delete", "path": "a", "new_text": "x"}), "new_text", "leave it out");
        check(json!({"kind": "create", "path": "a", "new_text": "a\u{0}b"}), "new_text", "NUL");
        check(
            json!({"kind": "create", "path": "a", "new_text": "", "expected_read_revision": 5}),
            "expected_read_revision",
            "create has no use",
        );
        let both = json!({"kind": "replace_exact", "path": "a", "old_text": "x", "new_text": "y", "occurrence": 1, "expected_match_count": 2});
        check(both, "expected_match_count", "one of the two");
        let scope = json!({"kind": "replace_exact", "path": "a", "old_text": "x", "new_text": "y", "line_scope": {"start_line": 3, "end_line": 2}});
        check(scope, "line_scope", "comes after");
        check(
            json!({"kind": "create", "path": "a", "new_text": "", "encoding": "klingon"}),
            "encoding",
            "klingon",
        );
    }

    #[test]
    fn an_empty_new_text_is_a_text() {
        let change = json!({"kind": "replace_exact", "path": "a", "old_text": "x", "new_text": ""});
        let (operation, _) = parse(change).unwrap();
        assert_eq!(operation.new_text(), Some(""));
    }
}
