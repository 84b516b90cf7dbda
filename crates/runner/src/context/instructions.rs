//! AGENTS.md and kin: what the project's people want every model to know.

use std::path::Path;
use std::sync::Arc;

use sha2::{Digest, Sha256};
use webcodex_contracts::tools::read_files::{ReadFilesParams, ReadItem};
use webcodex_contracts::tools::work_on_project::{ContextItem, ContextKey, InstructionFile, Omission};
use webcodex_contracts::{Continuation, ProjectPath, ToolName, Whole};
use webcodex_projects::{EntryKind, Project, ReadAccess};

use super::{Budget, empty};

/// Files with instructions for models, most general first.
const FILES: &[&str] = &[
    "AGENTS.md",
    "AGENTS.override.md",
    "CLAUDE.md",
    "GEMINI.md",
    ".github/copilot-instructions.md",
    ".cursorrules",
    ".windsurfrules",
    "CONVENTIONS.md",
];

/// Largest instruction file that is looked at, in bytes.
const MAX_FILE_BYTES: u64 = 1024 * 1024;

/// Reads the instruction files at the project's root. Files with the same content are given once.
pub(super) fn collect(project: &Arc<Project>, budget: &mut Budget) -> ContextItem {
    let access = project.read_access();
    let mut item = empty(ContextKey::Instructions);
    for path in FILES.iter().filter_map(|path| ProjectPath::parse(path).ok()) {
        let Some((text, sha256)) = read(&access, &path, &mut item.omitted) else { continue };
        if let Some(same) = item.files.iter().find(|file| file.sha256 == sha256) {
            let reason = format!("same content as {}", same.path);
            item.omitted.push(Omission { what: path.to_string(), reason, bytes: Some(text.len() as u64) });
            continue;
        }
        let body = budget.take(&text);
        if body.is_empty() && !text.is_empty() {
            let reason = "the 20 KiB of all materials are used up; read it with read_files".to_owned();
            item.omitted.push(Omission { what: path.to_string(), reason, bytes: Some(text.len() as u64) });
            continue;
        }
        item.files.push(file(project, &path, body, sha256, body.len() < text.len()));
    }
    item
}

fn file(
    project: &Project,
    path: &ProjectPath,
    body: &str,
    sha256: String,
    truncated: bool,
) -> InstructionFile {
    let continuation = if truncated { rest(project, path, body) } else { None };
    let scope = ".".to_owned();
    InstructionFile { path: path.to_string(), scope, sha256, text: body.to_owned(), truncated, continuation }
}

/// The call that reads on behind `body`.
fn rest(project: &Project, path: &ProjectPath, body: &str) -> Option<Continuation> {
    let next_line = body.matches('\n').count() as u64 + 1;
    let column = body.rsplit('\n').next().map_or(0, |last| last.chars().count() as u64) + 1;
    let item = ReadItem {
        path: path.clone(),
        start_line: Whole::new(next_line),
        line_count: None,
        start_column: if column > 1 { Whole::new(column) } else { None },
        encoding: None,
    };
    let items = webcodex_contracts::tools::batch::Batch::new(vec![item])?;
    Continuation::new(
        ToolName::ReadFiles,
        ReadFilesParams { project: project.id.clone(), items, session_id: None },
    )
}

/// The file's text and the hash of its bytes; `None` if there is none. What cannot be read is receipted.
fn read(access: &ReadAccess, path: &ProjectPath, omitted: &mut Vec<Omission>) -> Option<(String, String)> {
    let mut omit = |reason: String, bytes: Option<u64>| {
        omitted.push(Omission { what: path.to_string(), reason, bytes });
        None
    };
    let confined = match access.confine(path) {
        Ok(confined) if confined.kind == EntryKind::Missing => return None,
        Ok(confined) if confined.kind == EntryKind::File => confined,
        Ok(_) => return omit("not a regular file".to_owned(), None),
        Err(error) => return omit(error.to_string(), None),
    };
    match read_bounded(&confined.absolute) {
        Ok(Ok(bytes)) => {
            let sha256 = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
            match String::from_utf8(bytes) {
                Ok(text) => Some((text.trim_start_matches('\u{feff}').to_owned(), sha256)),
                Err(_) => omit("not UTF-8; read it with read_files".to_owned(), None),
            }
        }
        Ok(Err(size)) => omit("too large to be instructions".to_owned(), Some(size)),
        Err(error) => omit(format!("cannot be read: {error}"), None),
    }
}

/// The bytes, or the size if there are too many.
fn read_bounded(path: &Path) -> std::io::Result<Result<Vec<u8>, u64>> {
    let size = std::fs::metadata(path)?.len();
    if size > MAX_FILE_BYTES { Ok(Err(size)) } else { std::fs::read(path).map(Ok) }
}
