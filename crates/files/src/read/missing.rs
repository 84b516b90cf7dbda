//! What to say about a path where no file is.

use std::path::{Path, PathBuf};

use webcodex_contracts::ProjectPath;
use webcodex_contracts::decode::nearest;

/// Names looked at in one folder.
const MAX_NAMES: usize = 2000;
/// Names shown of one folder.
const MAX_SHOWN: usize = 30;

/// The existing path most like a missing one: the parts that exist, then the nearest name, or the one folder in which
/// the rest exists.
pub(super) fn nearest_path(root: &Path, path: &ProjectPath) -> Option<ProjectPath> {
    let parts: Vec<&str> = path.parts().collect();
    let mut folder = root.to_path_buf();
    let mut found: Vec<String> = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        let name = match folder.join(part).symlink_metadata() {
            Ok(_) => (*part).to_owned(),
            Err(_) => {
                let names: Vec<String> = names(&folder).collect();
                match nearest(part, names.iter().map(String::as_str)) {
                    Some(name) => name.to_owned(),
                    None => only_holder(&folder, names, &parts[at + 1..])?,
                }
            }
        };
        folder.push(&name);
        found.push(name);
    }
    ProjectPath::parse(&found.join("/")).ok()
}

/// The one name among `names` in which the rest of a path exists.
fn only_holder(folder: &Path, names: Vec<String>, rest: &[&str]) -> Option<String> {
    if rest.is_empty() {
        return None;
    }
    let rest: PathBuf = rest.iter().collect();
    let mut holders =
        names.into_iter().filter(|name| folder.join(name).join(&rest).symlink_metadata().is_ok());
    let holder = holders.next()?;
    holders.next().is_none().then_some(holder)
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
