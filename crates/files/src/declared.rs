//! What a project declares about the encoding of a file: `.gitattributes` and `.editorconfig`.

use std::io::Read;
use std::path::Path;

use globset::GlobBuilder;
use webcodex_contracts::ProjectPath;

use crate::sys;
use crate::text::Label;

/// Longer files of rules are not looked at.
const MAX_RULES_BYTES: u64 = 256 * 1024;

/// The encoding that the project declares for `path`. `.gitattributes` is the stronger of the two, because git
/// converts by it; of several files of rules the one nearest to the file wins, of several rules the last.
pub(crate) fn encoding(root: &Path, path: &ProjectPath) -> Option<Label> {
    let label = from_gitattributes(root, path).or_else(|| from_editorconfig(root, path))?;
    Label::parse(&label).ok()
}

/// The folders from the file's own up to the project's, each with the file's path from there.
fn folders(path: &ProjectPath) -> impl Iterator<Item = (ProjectPath, &str)> {
    let text = path.as_str();
    let mut folder = path.parent();
    let mut done = false;
    std::iter::from_fn(move || {
        if done {
            return None;
        }
        let here = folder.clone();
        done = here.is_root();
        folder = here.parent();
        let rest = text.strip_prefix(here.as_str()).unwrap_or(text).trim_start_matches('/');
        Some((here, rest))
    })
}

fn from_gitattributes(root: &Path, path: &ProjectPath) -> Option<String> {
    let own = rules(&root.join(".git/info/attributes"));
    own.and_then(|rules| attribute(&rules, path.as_str())).or_else(|| {
        folders(path).find_map(|(folder, rest)| {
            attribute(&rules(&root.join(folder.as_str()).join(".gitattributes"))?, rest)
        })
    })
}

/// The last `working-tree-encoding` that applies to `path`.
fn attribute(rules: &str, path: &str) -> Option<String> {
    let mut lines = rules.lines().rev().map(str::trim).filter(|line| !line.starts_with('#'));
    lines.find_map(|line| {
        let mut words = line.split_ascii_whitespace();
        let pattern = words.next()?;
        let value = words.filter_map(|word| word.strip_prefix("working-tree-encoding=")).next_back()?;
        matches(pattern, path).then(|| value.to_owned())
    })
}

fn from_editorconfig(root: &Path, path: &ProjectPath) -> Option<String> {
    for (folder, rest) in folders(path) {
        let Some(rules) = rules(&root.join(folder.as_str()).join(".editorconfig")) else { continue };
        let (charset, is_top) = charset(&rules, rest);
        if charset.is_some() || is_top {
            return charset;
        }
    }
    None
}

/// The last `charset` that applies to `path`, and whether the file says that no other above it counts.
fn charset(rules: &str, path: &str) -> (Option<String>, bool) {
    let (mut charset, mut is_top) = (None, false);
    let mut section: Option<bool> = None;
    for line in rules.lines().map(str::trim) {
        if let Some(pattern) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            section = Some(matches(pattern, path));
            continue;
        }
        let Some((key, value)) = line.split_once('=') else { continue };
        let (key, value) = (key.trim().to_ascii_lowercase(), value.trim());
        match (key.as_str(), section) {
            ("root", None) => is_top = value.eq_ignore_ascii_case("true"),
            ("charset", Some(true)) => charset = Some(value.to_owned()),
            _ => {}
        }
    }
    (charset, is_top)
}

/// Whether a pattern of either file fits: one without a slash fits the name in any folder.
fn matches(pattern: &str, path: &str) -> bool {
    let pattern = match pattern.strip_prefix('/') {
        Some(anchored) => anchored.to_owned(),
        None if pattern.contains('/') => pattern.to_owned(),
        None => format!("**/{pattern}"),
    };
    GlobBuilder::new(&pattern)
        .literal_separator(true)
        .build()
        .is_ok_and(|glob| glob.compile_matcher().is_match(path))
}

fn rules(file: &Path) -> Option<String> {
    let file = sys::open_to_read(file).ok()?;
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let mut rules = String::new();
    file.take(MAX_RULES_BYTES).read_to_string(&mut rules).ok()?;
    Some(rules)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_found_from_the_nearest_folder_up() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        std::fs::create_dir_all(root.join("legacy/deep")).unwrap();
        std::fs::write(
            root.join(".editorconfig"),
            "root = true\n[*]\ncharset = utf-8\n[*.{c,h}]\ncharset = latin1\n",
        )
        .unwrap();
        std::fs::write(root.join("legacy/.editorconfig"), "[*.txt]\ncharset=gbk\n").unwrap();
        std::fs::write(
            root.join(".gitattributes"),
            "# rules\n*.txt text\n/legacy/deep/*.txt text working-tree-encoding=Shift_JIS eol=crlf\n",
        )
        .unwrap();
        let check = |path: &str, expected: Option<&str>| {
            let found = encoding(root, &ProjectPath::parse(path).unwrap());
            assert_eq!(found.map(|label| label.encoding().name()), expected, "{path}");
        };
        check("main.c", Some("windows-1252"));
        check("src/main.h", Some("windows-1252"));
        check("main.rs", Some("UTF-8"));
        check("legacy/a.txt", Some("GBK"));
        check("legacy/a.c", Some("windows-1252"));
        check("legacy/deep/a.txt", Some("Shift_JIS"));
    }

    #[test]
    fn nothing_declared_is_nothing_found() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(encoding(folder.path(), &ProjectPath::parse("a/b.txt").unwrap()), None);
        std::fs::write(folder.path().join(".editorconfig"), "[*.txt]\ncharset = unset\n").unwrap();
        assert_eq!(encoding(folder.path(), &ProjectPath::parse("b.txt").unwrap()), None);
    }
}
