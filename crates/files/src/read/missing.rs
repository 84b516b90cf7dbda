//! What to say about a path where no file is.

use std::path::Path;

use webcodex_contracts::ProjectPath;
use webcodex_contracts::decode::nearest;

/// Names looked at in one folder.
const MAX_NAMES: usize = 2000;
/// Names shown of one folder.
const MAX_SHOWN: usize = 30;

/// The existing path most like a missing one: the parts that exist, then the nearest name.
pub(super) fn nearest_path(root: &Path, path: &ProjectPath) -> Option<ProjectPath> {
    let mut folder = root.to_path_buf();
    let mut found: Vec<String> = Vec::new();
    for part in path.parts() {
        if folder.join(part).symlink_metadata().is_ok() {
            folder.push(part);
            found.push(part.to_owned());
            continue;
        }
        let names: Vec<String> = names(&folder).collect();
        let name = nearest(part, names.iter().map(String::as_str))?;
        folder.push(name);
        found.push(name.to_owned());
    }
    ProjectPath::parse(&found.join("/")).ok()
}

/// Some of what a folder holds, in order, and whether there is more.
pub(super) fn entries(folder: &Path) -> (Vec<String>, bool) {
    let mut entries: Vec<String> = names(folder)
        .map(|name| if folder.join(&name).is_dir() { format!("{name}/") } else { name })
        .collect();
    entries.sort_unstable();
    let more = entries.len() > MAX_SHOWN;
    entries.truncate(MAX_SHOWN);
    (entries, more)
}

fn names(folder: &Path) -> impl Iterator<Item = String> + use<> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| name != ".git")
        .take(MAX_NAMES)
}
