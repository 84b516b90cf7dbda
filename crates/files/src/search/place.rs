//! Where a pattern is broken, in words and with a mark under the place.

use std::fmt;

/// Characters of a long pattern that are shown on each side of the broken place.
const SHOWN_CHARS: usize = 40;

/// What is wrong with a pattern, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// What is wrong.
    pub reason: String,
    /// The line of the pattern, from 1.
    pub line: usize,
    /// The character in that line, from 1.
    pub column: usize,
    /// The byte of the pattern, from 0.
    pub offset: usize,
    /// The line of the pattern around the place.
    shown: String,
    /// Characters of `shown` before the place.
    before: usize,
    /// Whether the pattern has several lines.
    many_lines: bool,
}

impl Broken {
    /// What the parser said about `pattern`.
    pub(super) fn new(pattern: &str, error: &regex_syntax::Error) -> Self {
        let (reason, span) = match error {
            regex_syntax::Error::Parse(error) => (error.kind().to_string(), error.span().start),
            regex_syntax::Error::Translate(error) => (error.kind().to_string(), error.span().start),
            other => (other.to_string(), regex_syntax::ast::Position::new(0, 1, 1)),
        };
        let line = pattern.split('\n').nth(span.line.saturating_sub(1)).unwrap_or_default();
        let at = span.column.saturating_sub(1);
        let first = at.saturating_sub(SHOWN_CHARS);
        Self {
            reason,
            line: span.line,
            column: span.column,
            offset: span.offset,
            shown: line.chars().skip(first).take(2 * SHOWN_CHARS).collect(),
            before: at - first,
            many_lines: pattern.contains('\n'),
        }
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the pattern is broken at character {}", self.column)?;
        if self.many_lines {
            write!(f, " of its line {}", self.line)?;
        }
        write!(f, ": {}\n{}\n{:width$}^", self.reason, self.shown, "", width = self.before)
    }
}
