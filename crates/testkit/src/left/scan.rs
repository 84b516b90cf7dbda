//! The look through everything that a run of all tests has left.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::PLANTED;
use crate::secrets::SecretScan;

/// How a kind is called, and which files are of it.
type Kind = (&'static str, fn(&Path) -> bool);

/// What must be left.
const KINDS: [Kind; 7] = [
    ("databases", |file| ends(file, &[".db", ".db-wal", ".db-shm"])),
    ("logs of the app and its programs", |file| ends(file, &[".log"])),
    ("what programs wrote before they ended or crashed", |file| begins(file, "output-")),
    ("reports and diagnoses", |file| begins(file, "report-")),
    ("command lines", |file| ends(file, &[".argv"])),
    ("environments", |file| ends(file, &[".environ"])),
    ("storage of the web view", |file| file.components().any(|part| part.as_os_str() == WEB_VIEW)),
];

/// The app's folder, of that name wherever the system keeps data and caches of apps; WebKit's storage lies in there.
const WEB_VIEW: &str = "io.github.webcodex.desktop";

/// How many files of one kind were looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Looked {
    /// What they are.
    pub kind: &'static str,
    /// How many.
    pub files: usize,
}

/// The scan of a folder that `WEBCODEX_LEFT` named.
#[derive(Debug)]
pub struct LeftScan {
    /// Each kind that must be there; one without files means that its tests did not run or left nothing to look at.
    pub looked: Vec<Looked>,
    /// Everything that was read, of these kinds or none.
    pub files: usize,
    /// How many secrets were given to the product; those that it makes itself are known by their shape.
    pub planted: usize,
    /// Each place where one was found.
    pub findings: Vec<String>,
}

impl LeftScan {
    /// Looks through `folder`.
    ///
    /// # Errors
    /// Something cannot be read, or no test said which secrets it gave to the product.
    pub fn of(folder: &Path) -> Result<Self> {
        let planted = planted(folder)?;
        let mut scan =
            SecretScan::new(planted.iter().map(|(name, secret)| (name.as_str(), secret.as_str())))?
                .kept_in_every("credentials")
                .kept_in(folder.join(PLANTED));
        scan.folder(folder)?;
        let count = |is: fn(&Path) -> bool| scan.files().iter().filter(|file| is(file)).count();
        let looked = KINDS.map(|(kind, is)| Looked { kind, files: count(is) }).to_vec();
        let findings = scan.findings().iter().map(ToString::to_string).collect();
        Ok(Self { looked, files: scan.files().len(), planted: planted.len(), findings })
    }
}

/// The secrets that tests gave to the product, with their names, each once.
fn planted(folder: &Path) -> Result<Vec<(String, String)>> {
    let file = folder.join(PLANTED);
    let lines = std::fs::read_to_string(&file)
        .with_context(|| format!("no secret was planted: cannot read {}", file.display()))?;
    let mut planted = lines.lines().map(read).collect::<Result<Vec<_>>>()?;
    planted.sort();
    planted.dedup_by(|one, other| one.1 == other.1);
    ensure!(!planted.is_empty(), "no secret was planted");
    Ok(planted)
}

fn read(line: &str) -> Result<(String, String)> {
    let note: Value = serde_json::from_str(line)?;
    let text = |field: &str| note[field].as_str().map(str::to_owned).with_context(|| format!("no {field}"));
    Ok((text("name")?, text("secret")?))
}

fn ends(file: &Path, ends: &[&str]) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    ends.iter().any(|end| name.ends_with(end))
}

fn begins(file: &Path, start: &str) -> bool {
    file.file_name().unwrap_or_default().to_string_lossy().starts_with(start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::left::note;

    #[test]
    fn what_was_planted_is_found_in_what_was_left_and_only_there() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        assert!(LeftScan::of(folder.path()).is_err(), "nothing was planted, so nothing could be found");
        let (name, secret) = ("a key", "sk-canary-0f4b21c98e7d6a53");
        note(&at(PLANTED), name, secret).unwrap();
        std::fs::create_dir_all(at("webcodex-data-1/logs")).unwrap();
        std::fs::write(at("webcodex-data-1/logs/app.log"), "started").unwrap();
        let clean = LeftScan::of(folder.path()).unwrap();
        assert_eq!((clean.planted, clean.files, clean.findings), (1, 1, vec![]));
        assert_eq!(clean.looked[1].files, 1);

        std::fs::write(at("webcodex-data-1/webcodex.db-wal"), format!("…{secret}…")).unwrap();
        std::fs::write(at("output-1"), format!("wc_client_{}", "0123456789abcdef".repeat(4))).unwrap();
        let found = LeftScan::of(folder.path()).unwrap().findings;
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].starts_with("a key (in clear) in ") && found[0].ends_with("webcodex.db-wal"));
        assert!(found[1].starts_with("wc_client (by its shape) in ") && found[1].ends_with("output-1"));
    }
}
