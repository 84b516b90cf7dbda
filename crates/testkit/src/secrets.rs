//! Looks for secrets in the places where none may be: files, texts, and what everybody sees of a process.
//!
//! A secret is found in clear and in the forms in which it travels by accident (see [`forms`]), also where only its
//! middle is left. Secrets that the product makes itself need not be named: their shape gives them away.

mod forms;
mod generated;

use std::fmt;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use aho_corasick::AhoCorasick;
use anyhow::{Context, Result};

/// A shorter secret would be found where it is not.
pub(crate) const SHORTEST: usize = 12;
/// So much of a secret's middle is looked for, in bytes.
const CORE: usize = 16;

/// One secret in one place where it must not be.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// What the secret is called.
    pub secret: String,
    /// In which form it was found.
    pub form: &'static str,
    /// Where.
    pub place: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}) in {}", self.secret, self.form, self.place)
    }
}

/// One secret in one form.
struct Needle {
    secret: String,
    form: &'static str,
}

/// Knows what to look for, and notes what it finds and where it looked.
pub struct SecretScan {
    /// In the order in which `finder` numbers them.
    needles: Vec<Needle>,
    finder: AhoCorasick,
    kept: Vec<PathBuf>,
    kept_names: Vec<&'static str>,
    findings: Vec<Finding>,
    files: Vec<PathBuf>,
}

impl SecretScan {
    /// Looks for these from now on, and always for secrets that the product made.
    ///
    /// # Errors
    /// A secret is so short that it would be found by chance.
    pub fn new<'a>(secrets: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self> {
        let (mut needles, mut patterns) = (Vec::new(), Vec::new());
        for (name, secret) in secrets {
            anyhow::ensure!(secret.len() >= SHORTEST, "`{name}` is too short to be looked for");
            let size = CORE.min(secret.len());
            let start = (secret.len() - size) / 2;
            for (form, bytes) in forms::of(&secret.as_bytes()[start..start + size]) {
                needles.push(Needle { secret: name.to_owned(), form });
                patterns.push(bytes);
            }
        }
        let finder = AhoCorasick::new(patterns)?;
        Ok(Self {
            needles,
            finder,
            kept: Vec::new(),
            kept_names: Vec::new(),
            findings: Vec::new(),
            files: Vec::new(),
        })
    }

    /// `place` is where the product keeps secrets: what lies in it is not read, but must be its owner's alone.
    #[must_use]
    pub fn kept_in(mut self, place: impl Into<PathBuf>) -> Self {
        self.kept.push(place.into());
        self
    }

    /// As [`kept_in`](Self::kept_in), for every place of this name.
    #[must_use]
    pub fn kept_in_every(mut self, name: &'static str) -> Self {
        self.kept_names.push(name);
        self
    }

    /// Looks into `bytes`, which stand in `place`.
    pub fn bytes(&mut self, place: &str, bytes: &[u8]) {
        for found in self.finder.find_overlapping_iter(bytes) {
            let Needle { secret, form } = &self.needles[found.pattern()];
            self.findings.push(Finding { secret: secret.clone(), form, place: place.to_owned() });
        }
        for secret in generated::found(bytes) {
            self.findings.push(Finding { secret, form: "by its shape", place: place.to_owned() });
        }
    }

    /// Looks into every file below `folder`, and at its name. Links are not followed.
    ///
    /// # Errors
    /// Something is there but cannot be read.
    pub fn folder(&mut self, folder: &Path) -> Result<()> {
        let shown = folder.display().to_string();
        let listed = std::fs::read_dir(folder);
        let Some(entries) = there(listed).with_context(|| format!("cannot list {shown}"))? else {
            return Ok(());
        };
        for entry in entries {
            let path = entry?.path();
            self.bytes(&format!("the name {}", path.display()), path.as_os_str().as_encoded_bytes());
            let Some(about) = there(std::fs::symlink_metadata(&path))? else { continue };
            if self.is_kept(&path) {
                self.must_be_private(&path, &about);
            } else if about.is_dir() {
                self.folder(&path)?;
            } else if about.is_file() {
                self.file(&path)?;
            }
        }
        Ok(())
    }

    fn is_kept(&self, path: &Path) -> bool {
        let named = |name: &&str| path.file_name().is_some_and(|own| own == *name);
        self.kept.iter().any(|kept| kept == path) || self.kept_names.iter().any(named)
    }

    fn file(&mut self, path: &Path) -> Result<()> {
        let read = there(std::fs::read(path)).with_context(|| format!("cannot read {}", path.display()))?;
        if let Some(bytes) = read {
            self.bytes(&path.display().to_string(), &bytes);
            self.files.push(path.to_owned());
        }
        Ok(())
    }

    #[cfg(unix)]
    fn must_be_private(&mut self, path: &Path, about: &std::fs::Metadata) {
        use std::os::unix::fs::PermissionsExt;
        if about.permissions().mode() & 0o077 != 0 {
            let secret = "what the product keeps".to_owned();
            self.findings.push(Finding {
                secret,
                form: "readable by others",
                place: path.display().to_string(),
            });
        }
    }

    /// Folders of a person are private on Windows by where they are.
    #[cfg(not(unix))]
    fn must_be_private(&mut self, _: &Path, _: &std::fs::Metadata) {}

    /// Looks at what everybody on this computer sees of the process `pid`, and at its environment.
    ///
    /// # Errors
    /// It runs but cannot be looked at.
    #[cfg(target_os = "linux")]
    pub fn process(&mut self, pid: u32) -> Result<()> {
        for part in ["cmdline", "environ"] {
            let read = std::fs::read(format!("/proc/{pid}/{part}"));
            if let Some(bytes) = there(read).with_context(|| format!("cannot look at process {pid}"))? {
                self.bytes(&format!("{part} of process {pid}"), &bytes);
            }
        }
        Ok(())
    }

    /// Where something was found, each place once.
    pub fn findings(&self) -> Vec<Finding> {
        let mut findings = self.findings.clone();
        findings.sort();
        findings.dedup();
        findings
    }

    /// The files that were read.
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// Fails with every place where a secret was found.
    ///
    /// # Errors
    /// There is at least one.
    pub fn found_none(&self) -> Result<()> {
        let found: Vec<String> = self.findings().iter().map(Finding::to_string).collect();
        anyhow::ensure!(found.is_empty(), "secrets were found:\n{}", found.join("\n"));
        Ok(())
    }
}

/// What was read, unless it is gone by now.
fn there<T>(read: std::io::Result<T>) -> std::io::Result<Option<T>> {
    match read {
        Ok(read) => Ok(Some(read)),
        // A process that has just ended answers with "no such process".
        Err(error) if error.kind() == ErrorKind::NotFound || error.raw_os_error() == Some(3) => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests;
