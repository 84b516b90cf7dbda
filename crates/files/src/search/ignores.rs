//! Which entries `.gitignore` and kin leave out, also in folders without git.
//!
//! From strong to weak: `.ignore` files, `.gitignore` files (a deeper one before those above it), `.git/info/exclude`,
//! the user's global git ignore file. Where the project is a part of a larger repository, that repository's
//! `.gitignore` files from its top folder down to the project count too.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder, gitconfig_excludes_path};

use super::folder::Folder;

/// Larger ignore files are not read.
const MAX_IGNORE_FILE_BYTES: u64 = 1024 * 1024;
/// How far above the project its repository is looked for.
const MAX_PARENTS: usize = 32;
const GITIGNORE: &str = ".gitignore";
const DOT_IGNORE: &str = ".ignore";

/// Whether the name is that of a file with rules.
pub(super) fn is_rule_file(name: &str) -> bool {
    name == GITIGNORE || name == DOT_IGNORE
}

/// The rules that hold in a folder: its own and those from above.
#[derive(Debug, Clone, Default)]
pub(super) struct Rules(Option<Arc<Layer>>);

#[derive(Debug)]
struct Layer {
    above: Rules,
    dot_ignore: Option<Gitignore>,
    gitignore: Option<Gitignore>,
    /// Where the project lies as seen from the folder of the rules, with `/` at its end; empty inside the project.
    inside: String,
}

/// The rules that hold in a whole project.
#[derive(Debug, Clone)]
pub(super) struct ProjectRules {
    /// `info/exclude` and the global file, in the order in which they are asked.
    weak: Vec<(Gitignore, String)>,
    above: Rules,
}

impl ProjectRules {
    /// Reads the rules that come from outside the project's folders.
    pub(super) fn read(root: &Path) -> Self {
        let mut weak = Vec::new();
        let mut above = Rules::default();
        if let Some(top) = repository_top(root) {
            let inside = slashed(root.strip_prefix(&top).unwrap_or(Path::new("")));
            weak.extend(excludes(&top).map(|rules| (rules, inside.clone())));
            let mut between = top.clone();
            for part in root.strip_prefix(&top).unwrap_or(Path::new("")) {
                let inside = slashed(root.strip_prefix(&between).unwrap_or(Path::new("")));
                above = above.with_files_of(&Folder::unlisted(between.clone()), "", &inside);
                between.push(part);
            }
        }
        weak.extend(global_rules().map(|rules| (rules, String::new())));
        Self { weak, above }
    }

    /// The rules that hold above the project's own folder.
    pub(super) fn above(&self) -> Rules {
        self.above.clone()
    }

    /// Whether an entry is left out. `path` is its path in the project, `rules` are those of its folder.
    pub(super) fn leave_out(&self, rules: &Rules, path: &str, kind: IsFolder) -> bool {
        match rules.decide(path, kind) {
            Some(ignored) => ignored,
            None => self
                .weak
                .iter()
                .find_map(|(rules, inside)| verdict(rules, inside, path, kind))
                .unwrap_or(false),
        }
    }
}

/// Whether an entry is a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum IsFolder {
    Yes,
    No,
}

impl Rules {
    /// These rules and those in the files of a folder at `path` in the project.
    pub(super) fn with(&self, folder: &Folder, path: &str) -> Rules {
        self.with_files_of(folder, path, "")
    }

    fn with_files_of(&self, folder: &Folder, path: &str, inside: &str) -> Rules {
        let dot_ignore = rules_of(folder, DOT_IGNORE, path);
        let gitignore = rules_of(folder, GITIGNORE, path);
        if dot_ignore.is_none() && gitignore.is_none() {
            return self.clone();
        }
        Rules(Some(Arc::new(Layer { above: self.clone(), dot_ignore, gitignore, inside: inside.to_owned() })))
    }

    fn layers(&self) -> impl Iterator<Item = &Layer> {
        std::iter::successors(self.0.as_deref(), |layer| layer.above.0.as_deref())
    }

    fn decide(&self, path: &str, kind: IsFolder) -> Option<bool> {
        let ask =
            |layer: &Layer, rules: &Option<Gitignore>| verdict(rules.as_ref()?, &layer.inside, path, kind);
        self.layers()
            .find_map(|layer| ask(layer, &layer.dot_ignore))
            .or_else(|| self.layers().find_map(|layer| ask(layer, &layer.gitignore)))
    }
}

fn verdict(rules: &Gitignore, inside: &str, path: &str, kind: IsFolder) -> Option<bool> {
    let is_folder = kind == IsFolder::Yes;
    let found = match inside {
        "" => rules.matched(path, is_folder),
        inside => rules.matched(format!("{inside}{path}"), is_folder),
    };
    match found {
        Match::None => None,
        Match::Ignore(_) => Some(true),
        Match::Whitelist(_) => Some(false),
    }
}

fn rules_of(folder: &Folder, name: &str, path: &str) -> Option<Gitignore> {
    build(&folder.small_text(name, MAX_IGNORE_FILE_BYTES)?, path)
}

/// Broken lines are passed over, as git does.
fn build(text: &str, path: &str) -> Option<Gitignore> {
    let mut builder = GitignoreBuilder::new(path);
    for line in text.trim_start_matches('\u{feff}').lines() {
        let _ = builder.add_line(None, line);
    }
    builder.build().ok().filter(|rules| !rules.is_empty())
}

/// The user's own file may well be a link.
fn global_rules() -> Option<Gitignore> {
    let file = gitconfig_excludes_path()?.canonicalize().ok()?;
    rules_of(&Folder::unlisted(file.parent()?.to_owned()), file.file_name()?.to_str()?, "")
}

/// The nearest folder, from the project up, that holds a `.git`.
fn repository_top(root: &Path) -> Option<PathBuf> {
    root.ancestors()
        .take(MAX_PARENTS)
        .find(|folder| folder.join(".git").symlink_metadata().is_ok())
        .map(Path::to_owned)
}

/// The rules in `info/exclude` of the repository; a worktree shares them with the repository it belongs to.
fn excludes(top: &Path) -> Option<Gitignore> {
    let mut git = top.join(".git");
    if let Some(text) = Folder::unlisted(top.to_owned()).small_text(".git", 4096) {
        git = top.join(text.strip_prefix("gitdir:")?.trim());
        if let Some(common) = Folder::unlisted(git.clone()).small_text("commondir", 4096) {
            git = git.join(common.trim());
        }
    }
    rules_of(&Folder::unlisted(git.join("info")), "exclude", "")
}

/// A relative path with `/` between its parts and at its end; empty for the folder itself.
fn slashed(path: &Path) -> String {
    path.iter().map(|part| format!("{}/", part.to_string_lossy())).collect()
}
