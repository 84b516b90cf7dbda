//! Filter programs that the user's git configuration names (`filter.<name>.clean`).
//!
//! Git runs them to compare a changed file; so do we, but each one gets little time and all of them together not
//! much more. Large-file pointers of Git LFS are made here without any program.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use gix::bstr::{BStr, BString, ByteSlice};
use gix::filter::plumbing::Driver;
use sha2::{Digest, Sha256};

use crate::Interrupt;
use crate::repository::{Conversion, Workspace};

/// Longest run of one filter program.
const ONE_RUN: Duration = Duration::from_secs(5);
/// Longest time all filter programs of one call may take together.
const ALL_RUNS: Duration = Duration::from_secs(12);
/// Most output taken from a filter program, in bytes.
const MAX_OUTPUT: u64 = 64 * 1024 * 1024;
/// Every LFS pointer begins like this.
const LFS_POINTER: &[u8] = b"version https://git-lfs";
/// No LFS pointer is longer, in bytes.
const MAX_POINTER: u64 = 1024;

/// The filters of one repository during one call.
pub(crate) struct Filters {
    drivers: Vec<Driver>,
    context: gix::command::Context,
    top: PathBuf,
    /// Whether files are converted at all.
    pub(crate) conversion: Conversion,
    interrupt: Interrupt,
    spent_ms: AtomicU64,
}

/// Why a file could not be filtered; it is then shown without lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unfiltered {
    /// The program took too long, or earlier ones used up the time.
    Slow,
    /// The program failed, could not be started, or speaks only the long-running protocol.
    Failed,
}

impl Filters {
    /// The filters named by trusted configuration.
    pub(crate) fn of(workspace: &Workspace, interrupt: &Interrupt) -> Self {
        let repo = &workspace.repo;
        Self {
            drivers: gix::filter::Pipeline::options(repo).map(|options| options.drivers).unwrap_or_default(),
            context: repo.command_context().unwrap_or_default(),
            top: workspace.top.clone(),
            conversion: workspace.conversion,
            interrupt: interrupt.clone(),
            spent_ms: AtomicU64::new(0),
        }
    }

    /// The same filters at work in another working tree.
    pub(crate) fn working_in(self, top: &Path) -> Self {
        Self { top: top.to_owned(), ..self }
    }

    /// The filter called `name`, if the configuration has it.
    pub(crate) fn named(&self, name: &BStr) -> Option<&Driver> {
        self.drivers.iter().find(|driver| driver.name == name)
    }

    /// What the filter makes of the file for git. A program that fails without being required changes nothing.
    pub(crate) fn clean(&self, driver: &Driver, path: &BStr, file: &Path) -> Result<Vec<u8>, Unfiltered> {
        if is_lfs(driver) {
            return lfs_pointer(file).map_err(|_| Unfiltered::Failed);
        }
        let unchanged = || std::fs::read(file).map_err(|_| Unfiltered::Failed);
        let Some(command) = driver.clean.as_ref().filter(|command| !command.trim().is_empty()) else {
            // A filter may leave this direction out, unless it does it in the long-running way, which is not spoken.
            return if driver.process.is_some() || driver.required {
                Err(Unfiltered::Failed)
            } else {
                unchanged()
            };
        };
        match self.timed(with_name(command.as_ref(), path), file) {
            Ok(output) => Ok(output),
            Err(error) if error.kind() == io::ErrorKind::TimedOut => Err(Unfiltered::Slow),
            Err(_) if driver.required => Err(Unfiltered::Failed),
            Err(_) => unchanged(),
        }
    }

    /// What the filter makes of a stored file, which lies at `file`, for the working tree.
    pub(crate) fn smudge(&self, driver: &Driver, path: &BStr, file: &Path) -> io::Result<Vec<u8>> {
        let command = driver.smudge.as_ref().ok_or(io::ErrorKind::Unsupported)?;
        self.timed(with_name(command.as_ref(), path), file)
    }

    /// Whether no filter is named at all.
    pub(crate) fn is_empty(&self) -> bool {
        self.drivers.is_empty()
    }

    /// Runs a command within what is left of the time for all of them.
    fn timed(&self, command: BString, file: &Path) -> io::Result<Vec<u8>> {
        let left = ALL_RUNS.saturating_sub(Duration::from_millis(self.spent_ms.load(Ordering::Relaxed)));
        let time = self.interrupt.left(left.min(ONE_RUN));
        if time.is_zero() || self.interrupt.is_raised() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        let start = Instant::now();
        let output = self.run(command, file, time);
        self.spent_ms.fetch_add(start.elapsed().as_millis() as u64, Ordering::Relaxed);
        output
    }

    fn run(&self, command: BString, file: &Path, time: Duration) -> io::Result<Vec<u8>> {
        let end = Instant::now() + time;
        let command = gix::path::from_bstr(command.as_bstr()).map_err(io::Error::other)?.into_owned();
        let prepared =
            gix::command::prepare(command).command_may_be_shell_script().with_context(self.context.clone());
        let mut command: std::process::Command = prepared.try_into().map_err(io::Error::other)?;
        command.current_dir(&self.top).stdin(File::open(file)?).stdout(Stdio::piped()).stderr(Stdio::null());
        withhold_own_keys(&mut command);
        own_group(&mut command);
        let mut child = command.spawn()?;
        let output = read_until(&mut child, end);
        let ended = output.is_ok() && wait_until(&mut child, end)?;
        if !ended {
            end_group(&mut child);
            child.wait()?;
            return Err(io::Error::from(io::ErrorKind::TimedOut));
        }
        if child.wait()?.success() { output } else { Err(io::Error::other("the filter failed")) }
    }
}

/// The whole output of the program, unless it takes too long or is too much.
fn read_until(child: &mut Child, end: Instant) -> io::Result<Vec<u8>> {
    let stdout = child.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?;
    let (sender, output) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = stdout.take(MAX_OUTPUT + 1).read_to_end(&mut bytes);
        // Nobody listens any more once the time is over.
        let _ = sender.send(read.map(|_| bytes));
    });
    let time = end.saturating_duration_since(Instant::now());
    let bytes = output.recv_timeout(time).map_err(|_| io::Error::from(io::ErrorKind::TimedOut))??;
    if bytes.len() as u64 > MAX_OUTPUT { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(bytes) }
}

/// Whether the program, which has closed its output, ends in time. It nearly always has ended already.
fn wait_until(child: &mut Child, end: Instant) -> io::Result<bool> {
    while child.try_wait()?.is_none() {
        if Instant::now() >= end {
            return Ok(false);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    Ok(true)
}

/// Keys of the product are no business of a filter.
fn withhold_own_keys(command: &mut std::process::Command) {
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("WEBCODEX_") || text.starts_with("CONTROL_PLANE_") {
            command.env_remove(&name);
        }
    }
}

#[cfg(unix)]
fn own_group(command: &mut std::process::Command) {
    std::os::unix::process::CommandExt::process_group(command, 0);
}

#[cfg(unix)]
fn end_group(child: &mut Child) {
    // The group may be gone already; the child itself is waited for afterwards.
    let _ = rustix::process::kill_process_group(
        rustix::process::Pid::from_child(child),
        rustix::process::Signal::KILL,
    );
}

#[cfg(windows)]
fn own_group(_: &mut std::process::Command) {}

#[cfg(windows)]
fn end_group(child: &mut Child) {
    // What the program started loses its pipes with it.
    let _ = child.kill();
}

/// `%f` in the command stands for the file's name.
fn with_name(command: &BStr, path: &BStr) -> BString {
    command.replace("%f", gix::quote::single(path)).into()
}

fn is_lfs(driver: &Driver) -> bool {
    let names_lfs =
        |command: &Option<BString>| command.as_ref().is_some_and(|command| command.contains_str("git-lfs"));
    driver.name == "lfs" && (names_lfs(&driver.clean) || names_lfs(&driver.process))
}

/// The id of the large file that the pointer at `file` stands for; `None` where another filter is at work.
pub(crate) fn pointed_at(driver: &Driver, file: &Path) -> io::Result<Option<String>> {
    if !is_lfs(driver) {
        return Ok(None);
    }
    let pointer = std::fs::read(file)?;
    let oid = pointer.lines().find_map(|line| line.strip_prefix(b"oid sha256:"));
    let oid = oid
        .and_then(|oid| oid.to_str().ok())
        .filter(|oid| oid.len() == 64 && oid.bytes().all(|b| b.is_ascii_hexdigit()));
    oid.map(|oid| Some(oid.to_owned())).ok_or_else(|| io::ErrorKind::InvalidData.into())
}

/// The pointer that Git LFS keeps in place of the file.
fn lfs_pointer(file: &Path) -> io::Result<Vec<u8>> {
    let mut content = File::open(file)?;
    let length = content.metadata()?.len();
    if length <= MAX_POINTER {
        let bytes = std::fs::read(file)?;
        // An empty file and a pointer that was never exchanged for its content stay as they are.
        if bytes.is_empty() || bytes.starts_with(LFS_POINTER) {
            return Ok(bytes);
        }
    }
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 64 * 1024];
    let mut size = 0;
    loop {
        match content.read(&mut buffer)? {
            0 => break,
            read => {
                hash.update(&buffer[..read]);
                size += read;
            }
        }
    }
    let oid: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(format!("version https://git-lfs.github.com/spec/v1\noid sha256:{oid}\nsize {size}\n").into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_lfs_pointer_is_made_without_a_program() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.bin");
        std::fs::write(&file, "hello\n").unwrap();
        let pointer = String::from_utf8(lfs_pointer(&file).unwrap()).unwrap();
        assert!(
            pointer.contains(
                "sha256:5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03\nsize 6\n"
            )
        );
        std::fs::write(&file, &pointer).unwrap();
        assert_eq!(lfs_pointer(&file).unwrap(), pointer.as_bytes(), "a pointer on disk is the pointer");
        std::fs::write(&file, "").unwrap();
        assert_eq!(lfs_pointer(&file).unwrap(), b"");
    }

    #[test]
    fn a_name_in_a_command_stays_a_name() {
        assert_eq!(with_name(BStr::new("clean %f"), BStr::new("a'; rm b")), "clean 'a'\\''; rm b'");
    }
}
