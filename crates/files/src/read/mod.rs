//! Reading ranges of text files.

mod error;
mod missing;
mod range;

use webcodex_contracts::tools::read_files::ReadItem;
use webcodex_contracts::{ProjectPath, ReadRevision};
use webcodex_projects::{Confined, EntryKind, ReadAccess};

use crate::declared;
use crate::load::{LoadError, Loaded, load};
use crate::text::{self, Classified, Hints, Label, LineEnding, Lines, TextKind};
use crate::{ContentHash, Files, Seen};

pub use error::ReadError;
pub use range::NextRange;
use range::{OutOfRange, Part, Wanted};

/// A part of a text file.
#[derive(Debug, Clone)]
pub struct ReadPart {
    /// The text, in UTF-8 with the file's own line ends.
    pub text: String,
    /// First line of the text; none in an empty file.
    pub start_line: Option<u64>,
    /// Last line of the text, perhaps cut; none in an empty file.
    pub end_line: Option<u64>,
    /// Lines of the whole file.
    pub total_lines: u64,
    /// Size of the whole file in bytes.
    pub size_bytes: u64,
    /// Hash of the whole file.
    pub hash: ContentHash,
    /// Proof of having read it.
    pub revision: ReadRevision,
    /// The encoding and how it was found.
    pub encoding: String,
    /// How the lines end.
    pub line_ending: LineEnding,
    /// Whether the text is less than the file.
    pub partial: bool,
    /// Whether the last line of the text is cut inside.
    pub line_cut: bool,
    /// Where the next part begins, if anything comes.
    pub next: Option<NextRange>,
}

/// A part of a file's text, before the parts of one answer have shared its bytes.
struct Found {
    part: Part,
    facts: Facts,
}

/// A whole text file, as it was read for an item. The items after it that ask for other parts of it find it at hand,
/// so that the parts of one answer fit together.
struct Whole<'a> {
    item: &'a ReadItem,
    bytes: Vec<u8>,
    facts: Facts,
}

/// What is told of a whole text file.
#[derive(Clone)]
struct Facts {
    relative: ProjectPath,
    total_lines: u64,
    size_bytes: u64,
    hash: ContentHash,
    kind: TextKind,
    line_ending: LineEnding,
}

impl Files {
    /// Reads the items in order. Each succeeds or fails for itself; together they stay within the bound of one answer.
    pub fn read(&self, access: &ReadAccess, items: &[ReadItem]) -> Vec<Result<ReadPart, ReadError>> {
        let mut at_hand = None;
        let mut found: Vec<_> = items.iter().map(|item| self.find(access, item, &mut at_hand)).collect();
        let mut parts: Vec<&mut Part> = found.iter_mut().flatten().map(|found| &mut found.part).collect();
        range::share(&mut parts);
        found.into_iter().map(|found| found.map(|found| self.finish(access, found))).collect()
    }

    fn find<'a>(
        &self,
        access: &ReadAccess,
        item: &'a ReadItem,
        at_hand: &mut Option<Whole<'a>>,
    ) -> Result<Found, ReadError> {
        let whole = match at_hand.take().filter(|whole| whole.is_meant_by(item)) {
            Some(whole) => whole,
            None => self.whole(access, item)?,
        };
        let Whole { bytes, facts, .. } = at_hand.insert(whole);
        let wanted = Wanted {
            start_line: item.start_line.map_or(1, |line| line.get()),
            start_column: item.start_column.map_or(1, |column| column.get()),
            line_count: item.line_count.map(|count| count.get()),
        };
        let part = Part::of(&text::decode(bytes, facts.kind), wanted)
            .map_err(|error| out_of_range(item, wanted, facts.total_lines, error))?;
        Ok(Found { part, facts: facts.clone() })
    }

    fn whole<'a>(&self, access: &ReadAccess, item: &'a ReadItem) -> Result<Whole<'a>, ReadError> {
        let given = item.encoding.as_deref().map(Label::parse).transpose()?;
        let confined = access.confine(&item.path)?;
        let Loaded { bytes, .. } = open(access, &item.path, &confined)?;
        let hash = ContentHash::of(&bytes);
        let size_bytes = bytes.len() as u64;
        let kind = match self.classify(access, &confined.relative, &bytes, given) {
            Classified::Text(kind) => kind,
            Classified::Binary(kind) => {
                // Nothing of it can be shown, but what it is and that it is still the same can be relied upon.
                let revision = self.revision(access, &confined.relative, &hash, Seen::Complete);
                return Err(ReadError::Binary {
                    path: item.path.clone(),
                    kind,
                    size: size_bytes,
                    hash,
                    revision,
                });
            }
        };
        let text = text::decode(&bytes, kind);
        let facts = Facts {
            relative: confined.relative,
            total_lines: Lines::count_in(&text) as u64,
            size_bytes,
            hash,
            kind,
            line_ending: LineEnding::of(&text),
        };
        Ok(Whole { item, facts, bytes })
    }

    fn finish(&self, access: &ReadAccess, found: Found) -> ReadPart {
        let Found { part, facts } = found;
        let Facts { relative, total_lines, size_bytes, hash, kind, line_ending } = facts;
        let partial = !part.is_whole();
        let seen = if partial { Seen::Partial } else { Seen::Complete };
        let lines = (part.lines > 0).then(|| (part.start_line(), part.start_line() + part.lines - 1));
        ReadPart {
            start_line: lines.map(|(first, _)| first),
            end_line: lines.map(|(_, last)| last),
            total_lines,
            size_bytes,
            revision: self.revision(access, &relative, &hash, seen),
            hash,
            encoding: kind.describe(),
            line_ending,
            partial,
            line_cut: part.line_cut,
            next: part.next(),
            text: part.text,
        }
    }

    /// What a file's bytes are, with all that is known about it; remembers legacy files to help with their neighbours.
    pub(crate) fn classify(
        &self,
        access: &ReadAccess,
        path: &ProjectPath,
        bytes: &[u8],
        given: Option<Label>,
    ) -> Classified {
        let samples = self.samples(&access.project().id);
        let declared = || declared::encoding(access.root(), path);
        let hints =
            Hints { given, declared: Some(&declared), samples: Some(&samples), region: self.region() };
        let classified = text::classify(bytes, &hints);
        if let Classified::Text(kind) = classified {
            self.remember(&access.project().id, path, bytes, kind);
        }
        classified
    }
}

impl Whole<'_> {
    fn is_meant_by(&self, item: &ReadItem) -> bool {
        (&self.item.path, &self.item.encoding) == (&item.path, &item.encoding)
    }
}

/// Reads the file that a path leads to.
pub(crate) fn open(
    access: &ReadAccess,
    path: &ProjectPath,
    confined: &Confined,
) -> Result<Loaded, ReadError> {
    match confined.kind {
        EntryKind::File => load(&confined.absolute).map_err(|error| load_error(path, error)),
        EntryKind::Missing => {
            let nearest = missing::nearest_path(access.root(), path);
            Err(ReadError::Missing { path: path.clone(), nearest })
        }
        EntryKind::Folder => {
            let (entries, more) = missing::entries(&confined.absolute);
            Err(ReadError::Folder { path: path.clone(), entries, more })
        }
        EntryKind::Other => Err(ReadError::NotRegular { path: path.clone() }),
    }
}

fn load_error(path: &ProjectPath, error: LoadError) -> ReadError {
    let path = path.clone();
    match error {
        LoadError::NotRegular => ReadError::NotRegular { path },
        LoadError::TooLarge { size } => ReadError::TooLarge { path, size },
        LoadError::Io(source) => ReadError::Io { path, source },
    }
}

fn out_of_range(item: &ReadItem, wanted: Wanted, total_lines: u64, error: OutOfRange) -> ReadError {
    let path = item.path.clone();
    match error {
        OutOfRange::Line => ReadError::PastEnd { path, start_line: wanted.start_line, total_lines },
        OutOfRange::Column { characters } => ReadError::PastLineEnd {
            path,
            line: wanted.start_line,
            start_column: wanted.start_column,
            characters,
        },
    }
}
