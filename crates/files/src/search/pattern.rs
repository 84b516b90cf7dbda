//! What is looked for: the documented dialect, compiled.
//!
//! The dialect is that of Rust's `regex` crate with Unicode on. `^` and `$` stand for the start and the end of a line,
//! whether it ends with `\n` or `\r\n`. A pattern is matched line by line, so that nothing in it can match a line end,
//! unless it holds `\n` or `\r` itself: then it is matched against the whole text, and its `\n` also stands for `\r\n`.

use grep_matcher::Matcher;
use grep_regex::{ErrorKind, RegexMatcher, RegexMatcherBuilder};
use memchr::{memchr, memrchr};
use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, Hir, HirKind, Look, Repetition};
use webcodex_contracts::tools::search_project_texts::{PatternSyntax, SearchQuery};

use super::SearchError;
use super::place::Broken;

/// Longest pattern, in bytes.
const MAX_PATTERN_BYTES: usize = 16 * 1024;
/// Largest compiled pattern, in bytes.
const MAX_COMPILED_BYTES: usize = 10 * 1024 * 1024;
/// Scratch memory of the matching engine for one pattern in one thread, in bytes.
const MAX_SCRATCH_BYTES: usize = 4 * 1024 * 1024;

/// A compiled pattern.
#[derive(Debug, Clone)]
pub(super) struct Pattern {
    matcher: RegexMatcher,
    reach: Reach,
    source: String,
    only_ascii: bool,
}

/// What a match may span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// A part of one line.
    Line,
    /// A part of one line, and each line is the whole text to the pattern (`\A`, `\z`).
    SingleLine,
    /// Several lines.
    Text,
}

/// A match with the lines it lies in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Hit {
    /// Where the first of its lines begins.
    pub(super) start: usize,
    /// Where the last of its lines ends, before its `\n`.
    pub(super) end: usize,
    /// Where the match begins.
    pub(super) matched: usize,
}

impl Hit {
    /// Where the line after it begins; beyond the text if there is none.
    pub(super) fn next(&self) -> usize {
        self.end + 1
    }
}

impl Pattern {
    /// Compiles the pattern of a query.
    pub(super) fn new(query: &SearchQuery) -> Result<Self, SearchError> {
        let bytes = query.pattern.len();
        if bytes == 0 {
            return Err(SearchError::EmptyPattern);
        }
        if bytes > MAX_PATTERN_BYTES {
            return Err(SearchError::PatternTooLong { bytes, max: MAX_PATTERN_BYTES });
        }
        let hir = parse(query)?;
        let only_ascii = only_ascii(&hir);
        let source = hir.to_string();
        match builder().crlf(true).build(&source) {
            Ok(matcher) => {
                let reach = if matcher.line_terminator().is_some() { Reach::Line } else { Reach::SingleLine };
                Ok(Self { matcher, reach, source, only_ascii })
            }
            Err(error) if matches!(error.kind(), ErrorKind::NotAllowed(_)) => {
                let source = any_line_end(hir).to_string();
                let matcher = builder().build(&source).map_err(|_| too_big())?;
                Ok(Self { matcher, reach: Reach::Text, source, only_ascii })
            }
            Err(_) => Err(too_big()),
        }
    }

    /// Whether no text but ASCII can make a difference to what matches.
    pub(super) fn is_only_ascii(&self) -> bool {
        self.only_ascii
    }

    /// Whether a match lies in one line.
    pub(super) fn is_linewise(&self) -> bool {
        self.reach == Reach::Line
    }

    /// The first match at or after `from`, which must be the beginning of a line.
    pub(super) fn find(&self, text: &[u8], from: usize) -> Option<Hit> {
        match self.reach {
            Reach::Line => self.find_in_line(text, from),
            Reach::SingleLine => self.find_line_by_line(text, from),
            Reach::Text => self.find_across(text, from),
        }
    }

    fn find_in_line(&self, text: &[u8], mut from: usize) -> Option<Hit> {
        while from < text.len() {
            let near = candidate(&self.matcher, text, from)?;
            let (start, end) = line_around(text, near);
            if let Some(hit) = self.match_line(text, start, end) {
                return Some(hit);
            }
            from = end + 1;
        }
        None
    }

    fn find_line_by_line(&self, text: &[u8], mut from: usize) -> Option<Hit> {
        while from < text.len() {
            let end = memchr(b'\n', &text[from..]).map_or(text.len(), |at| from + at);
            if let Some(hit) = self.match_line(text, from, end) {
                return Some(hit);
            }
            from = end + 1;
        }
        None
    }

    fn match_line(&self, text: &[u8], start: usize, end: usize) -> Option<Hit> {
        // Past the last `\n` there is no line.
        if start >= text.len() {
            return None;
        }
        let found = self.matcher.find(without_return(&text[start..end])).ok().flatten()?;
        Some(Hit { start, end, matched: start + found.start() })
    }

    fn find_across(&self, text: &[u8], from: usize) -> Option<Hit> {
        if from >= text.len() {
            return None;
        }
        let found = self.matcher.find_at(text, from).ok().flatten()?;
        if found.start() >= text.len() {
            return None;
        }
        let last = if found.is_empty() { found.start() } else { found.end() - 1 };
        let (start, _) = line_around(text, found.start());
        let (_, end) = line_around(text, last);
        Some(Hit { start, end, matched: found.start() })
    }
}

/// Tells at once that none of several patterns occurs in a text.
#[derive(Debug, Clone)]
pub(super) struct AnyOf(RegexMatcher);

impl AnyOf {
    /// All patterns as one; `None` where they do not fit into one.
    pub(super) fn new<'a>(patterns: impl Iterator<Item = &'a Pattern>) -> Option<Self> {
        let sources: Vec<&str> = patterns.map(|pattern| pattern.source.as_str()).collect();
        builder().crlf(true).build_many(&sources).ok().map(Self)
    }

    /// Whether some pattern may occur.
    pub(super) fn may_match(&self, text: &[u8]) -> bool {
        candidate(&self.0, text, 0).is_some()
    }
}

/// A place in the first line, at or after `from`, that may match.
fn candidate(matcher: &RegexMatcher, text: &[u8], from: usize) -> Option<usize> {
    use grep_matcher::LineMatchKind::{Candidate, Confirmed};
    match matcher.find_candidate_line(&text[from..]).ok().flatten()? {
        Candidate(at) | Confirmed(at) => Some(from + at),
    }
}

/// The line that holds the place `at`, without its `\n`.
fn line_around(text: &[u8], at: usize) -> (usize, usize) {
    let start = memrchr(b'\n', &text[..at]).map_or(0, |before| before + 1);
    let end = memchr(b'\n', &text[at..]).map_or(text.len(), |after| at + after);
    (start, end)
}

fn without_return(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

fn builder() -> RegexMatcherBuilder {
    let mut builder = RegexMatcherBuilder::new();
    builder.size_limit(MAX_COMPILED_BYTES).dfa_size_limit(MAX_SCRATCH_BYTES);
    builder
}

fn too_big() -> SearchError {
    SearchError::PatternTooBig { max_bytes: MAX_COMPILED_BYTES }
}

fn parse(query: &SearchQuery) -> Result<Hir, SearchError> {
    let escaped;
    let text = match query.syntax {
        PatternSyntax::Regex => &query.pattern,
        PatternSyntax::Literal => {
            escaped = regex_syntax::escape(&query.pattern.replace("\r\n", "\n"));
            &escaped
        }
    };
    let hir = ParserBuilder::new()
        .utf8(false)
        .multi_line(true)
        .crlf(true)
        .case_insensitive(query.ignore_case)
        .build()
        .parse(text)
        .map_err(|error| SearchError::PatternBroken(Broken::new(text, &error)))?;
    if !query.whole_word {
        return Ok(hir);
    }
    let (start, end) = (Hir::look(Look::WordStartHalfUnicode), Hir::look(Look::WordEndHalfUnicode));
    Ok(Hir::concat(vec![start, hir, end]))
}

/// Whether every character that the pattern names or looks at is ASCII.
fn only_ascii(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Empty => true,
        HirKind::Literal(literal) => literal.0.is_ascii(),
        HirKind::Class(class) => class_is_ascii(class),
        HirKind::Look(look) => !look_is_unicode(*look),
        HirKind::Repetition(repetition) => only_ascii(&repetition.sub),
        HirKind::Capture(capture) => only_ascii(&capture.sub),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => parts.iter().all(only_ascii),
    }
}

fn class_is_ascii(class: &Class) -> bool {
    match class {
        Class::Unicode(class) => class.is_ascii(),
        Class::Bytes(class) => class.is_ascii(),
    }
}

fn look_is_unicode(look: Look) -> bool {
    matches!(
        look,
        Look::WordUnicode
            | Look::WordUnicodeNegate
            | Look::WordStartUnicode
            | Look::WordEndUnicode
            | Look::WordStartHalfUnicode
            | Look::WordEndHalfUnicode
    )
}

/// Lets each `\n` that the pattern names also stand for `\r\n`.
fn any_line_end(hir: Hir) -> Hir {
    match hir.into_kind() {
        HirKind::Literal(literal) => split_at_newlines(&literal.0),
        HirKind::Repetition(mut repetition) => {
            repetition.sub = Box::new(any_line_end(*repetition.sub));
            Hir::repetition(repetition)
        }
        HirKind::Capture(mut capture) => {
            capture.sub = Box::new(any_line_end(*capture.sub));
            Hir::capture(capture)
        }
        HirKind::Concat(parts) => Hir::concat(parts.into_iter().map(any_line_end).collect()),
        HirKind::Alternation(parts) => Hir::alternation(parts.into_iter().map(any_line_end).collect()),
        HirKind::Empty => Hir::empty(),
        HirKind::Class(class) => Hir::class(class),
        HirKind::Look(look) => Hir::look(look),
    }
}

fn split_at_newlines(literal: &[u8]) -> Hir {
    let mut parts = Vec::new();
    let mut rest = literal;
    while let Some(at) = memchr(b'\n', rest) {
        let (before, after) = rest.split_at(at);
        parts.push(Hir::literal(before));
        if !before.ends_with(b"\r") {
            let sub = Box::new(Hir::literal(*b"\r"));
            parts.push(Hir::repetition(Repetition { min: 0, max: Some(1), greedy: true, sub }));
        }
        parts.push(Hir::literal(*b"\n"));
        rest = &after[1..];
    }
    parts.push(Hir::literal(rest));
    Hir::concat(parts)
}
