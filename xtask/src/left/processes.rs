//! Notes command line and environment of every process of the product, and of all that these start.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::{Context, Result};

/// The programs of the product.
const PROGRAMS: [&str; 2] = ["webcodex", "webcodex-desktop"];
/// Variables in which a person hands a secret over on purpose; the product must not hand them on.
const GIVEN: [&str; 2] = ["WEBCODEX_TOKEN", "CONTROL_PLANE_API_KEY"];
/// Time between two looks. What lives shorter may be missed; what matters lives longer.
const PAUSE: Duration = Duration::from_millis(100);
/// A new process still shows what it was forked from, so that it is looked at more than once.
const LOOKS: u8 = 3;

/// Looks until it is dropped.
pub(super) struct Watch {
    stop: Arc<AtomicBool>,
    looking: Option<JoinHandle<()>>,
}

impl Watch {
    /// Starts to look; what is seen is written to files in `notes`.
    pub(super) fn start(notes: &Path) -> Result<Self> {
        fs::create_dir(notes).with_context(|| format!("cannot make {}", notes.display()))?;
        let stop = Arc::new(AtomicBool::new(false));
        let (stopped, mut eye) = (Arc::clone(&stop), Eye::new(notes));
        let looking = std::thread::spawn(move || {
            while !stopped.load(Ordering::Relaxed) {
                eye.look();
                std::thread::sleep(PAUSE);
            }
        });
        Ok(Self { stop, looking: Some(looking) })
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        // A thread that panicked has left too little to look at, which the scan says.
        let _ = self.looking.take().map(JoinHandle::join);
    }
}

/// What is known of a process.
#[derive(Clone, Copy)]
struct Known {
    ours: bool,
    looks: u8,
}

struct Eye {
    notes: PathBuf,
    known: HashMap<u32, Known>,
    noted: u64,
}

impl Eye {
    fn new(notes: &Path) -> Self {
        Self { notes: notes.to_owned(), known: HashMap::new(), noted: 0 }
    }

    fn look(&mut self) {
        let running: Vec<u32> = fs::read_dir("/proc")
            .into_iter()
            .flatten()
            .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
            .collect();
        let known = std::mem::take(&mut self.known);
        for pid in running {
            let before = known.get(&pid).copied().unwrap_or(Known { ours: false, looks: 0 });
            let now = if before.looks < LOOKS { self.look_at(pid, before) } else { before };
            self.known.insert(pid, now);
        }
    }

    fn look_at(&mut self, pid: u32, before: Known) -> Known {
        let parent_is_ours =
            parent(pid).and_then(|parent| self.known.get(&parent)).is_some_and(|known| known.ours);
        let ours = before.ours || parent_is_ours || is_program(pid);
        if ours {
            self.note(pid, parent_is_ours);
        }
        Known { ours, looks: before.looks + 1 }
    }

    /// One that has ended meanwhile is not noted.
    fn note(&mut self, pid: u32, parent_is_ours: bool) {
        let part = |name: &str| fs::read(format!("/proc/{pid}/{name}"));
        let (Ok(arguments), Ok(environment)) = (part("cmdline"), part("environ")) else { return };
        let environment = if parent_is_ours { environment } else { without_given(&environment) };
        self.noted += 1;
        let file = |end: &str| self.notes.join(format!("{pid}-{}.{end}", self.noted));
        // A full disk shows in every other test.
        let _ = fs::write(file("argv"), arguments);
        let _ = fs::write(file("environ"), environment);
    }
}

fn is_program(pid: u32) -> bool {
    let executable = fs::read_link(format!("/proc/{pid}/exe")).unwrap_or_default();
    let name = executable.file_name().unwrap_or_default();
    PROGRAMS.iter().any(|program| name == *program)
}

fn parent(pid: u32) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()
}

fn without_given(environment: &[u8]) -> Vec<u8> {
    let given = |variable: &&[u8]| {
        GIVEN
            .iter()
            .any(|name| variable.strip_prefix(name.as_bytes()).is_some_and(|rest| rest.starts_with(b"=")))
    };
    environment.split(|byte| *byte == 0).filter(|variable| !given(variable)).collect::<Vec<_>>().join(&0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufRead, BufReader, Read};
    use std::process::{Command, Stdio};

    #[test]
    fn a_program_and_what_it_starts_are_noted_but_not_what_it_was_given_on_purpose() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let program = folder.join("webcodex");
        // bash takes its command from the arguments and stays the same process.
        fs::copy("/bin/bash", &program).unwrap();
        let mut command = Command::new(&program);
        command.args(["-c", "cat <(echo up; exec cat); true", "first-argument"]);
        command
            .env("WEBCODEX_TOKEN", "given")
            .env("ANOTHER", "seen")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap());
        lines.read_line(&mut String::new()).unwrap();

        let mut eye = Eye::new(folder);
        eye.look();
        eye.look();
        drop(process.stdin.take());
        lines.read_to_end(&mut Vec::new()).unwrap();
        process.wait().unwrap();
        assert!(noted(folder, process.id(), "argv").contains("first-argument"));
        let environment = noted(folder, process.id(), "environ");
        assert!(environment.contains("ANOTHER=seen") && !environment.contains("given"), "{environment}");
        let handed_on = |pid: &u32| noted(folder, *pid, "environ").contains("WEBCODEX_TOKEN=given");
        assert!(
            eye.known.keys().any(handed_on),
            "what it hands on to a process it starts is for the scan to see"
        );
    }

    /// What was noted of a process.
    fn noted(folder: &Path, pid: u32, end: &str) -> String {
        let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let start = format!("{pid}-");
        let is_its = |file: &PathBuf| {
            let name = file.file_name().unwrap().to_str().unwrap();
            name.starts_with(&start) && name.ends_with(end)
        };
        files
            .filter(is_its)
            .map(|file| String::from_utf8_lossy(&fs::read(file).unwrap()).into_owned())
            .collect()
    }
}
