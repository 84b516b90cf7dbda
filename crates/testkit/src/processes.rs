//! Processes that a test starts, and what it can see of others.

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use tempfile::NamedTempFile;
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};

use crate::left;

/// How long a condition may take on a busy machine before the test gives up.
const PATIENCE: Duration = Duration::from_secs(60);

/// It writes down a lot, so that a secret has a chance to be in it, which the scan of what is left would find.
const TALKATIVE: &str = "debug";

/// A running `webcodex` with its output. Killed on drop, without a chance to tidy up.
pub struct Launched {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
    log: NamedTempFile,
}

impl Launched {
    /// Starts `executable` with a data folder of its own and none of our variables from the environment.
    pub fn start(
        executable: &Path,
        data: &Path,
        arguments: &[&str],
        variables: &[(&str, &str)],
    ) -> Result<Self> {
        let log = left::file("output-")?;
        let mut command = Command::new(executable);
        for (name, _) in std::env::vars_os() {
            let text = name.to_string_lossy();
            if text.starts_with("WEBCODEX_") || text.starts_with("CONTROL_PLANE_") {
                command.env_remove(&name);
            }
        }
        command.args(arguments).env("WEBCODEX_DATA_DIR", data).env("WEBCODEX_LOG", TALKATIVE);
        command.envs(variables.iter().copied());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(log.reopen()?).kill_on_drop(true);
        let mut child = command.spawn().with_context(|| format!("cannot start {}", executable.display()))?;
        let stdout = child.stdout.take().context("stdout is piped")?;
        Ok(Self { child, lines: BufReader::new(stdout).lines(), log })
    }

    /// The next line on stdout; an error shows what the process wrote to stderr.
    pub async fn line(&mut self) -> Result<String> {
        match tokio::time::timeout(PATIENCE, self.lines.next_line()).await {
            Ok(Ok(Some(line))) => Ok(line),
            Ok(Ok(None)) => bail!("it ended without a line on stdout; stderr:\n{}", self.stderr()),
            Ok(Err(error)) => bail!("stdout broke: {error}"),
            Err(_) => bail!("no line on stdout within {PATIENCE:?}; stderr:\n{}", self.stderr()),
        }
    }

    /// What it wrote to stderr so far.
    pub fn stderr(&self) -> String {
        std::fs::read_to_string(self.log.path()).unwrap_or_default()
    }

    /// Its process id; `None` once it has been waited for.
    pub fn pid(&self) -> Option<u32> {
        self.child.id()
    }

    /// Ends it at once, as a crash would, and waits until it is gone.
    pub async fn kill(&mut self) -> Result<()> {
        Ok(self.child.kill().await?)
    }

    /// Asks it to end as Ctrl-C does and returns its exit code.
    #[cfg(unix)]
    pub async fn interrupt(&mut self) -> Result<Option<i32>> {
        let pid = self.child.id().context("it has ended already")?;
        let sent = std::process::Command::new("kill").args(["-INT", &pid.to_string()]).status()?;
        anyhow::ensure!(sent.success(), "cannot signal {pid}");
        self.wait().await
    }

    /// Waits until it ends and returns its exit code.
    pub async fn wait(&mut self) -> Result<Option<i32>> {
        let ended = tokio::time::timeout(PATIENCE, self.child.wait()).await;
        let status =
            ended.with_context(|| format!("still running after {PATIENCE:?}; stderr:\n{}", self.stderr()))?;
        Ok(status?.code())
    }
}

impl Drop for Launched {
    /// Waits until it is gone, so that the next process finds its port and its locks free.
    fn drop(&mut self) {
        let started = Instant::now();
        // It may have ended by itself.
        let _ = self.child.start_kill();
        while matches!(self.child.try_wait(), Ok(None)) && started.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Whether a process runs; one that has ended and waits for its parent does not.
#[cfg(target_os = "linux")]
pub fn is_running(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = stat.rsplit_once(") ").and_then(|(_, rest)| rest.chars().next());
    state.is_some_and(|state| !matches!(state, 'Z' | 'X'))
}

/// Whether a process runs.
#[cfg(all(unix, not(target_os = "linux")))]
pub fn is_running(pid: u32) -> bool {
    let probe = std::process::Command::new("ps").args(["-o", "stat=", "-p", &pid.to_string()]).output();
    probe.is_ok_and(|output| !output.stdout.trim_ascii().is_empty() && output.stdout[0] != b'Z')
}

/// Whether a process runs.
#[cfg(windows)]
pub fn is_running(pid: u32) -> bool {
    let filter = format!("PID eq {pid}");
    let probe = std::process::Command::new("tasklist").args(["/NH", "/FI", &filter]).output();
    probe.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains(&pid.to_string()))
}

/// Waits until `holds` is true; fails with `what` if it does not come true in time.
pub async fn await_condition(what: &str, mut holds: impl FnMut() -> bool) -> Result<()> {
    let started = Instant::now();
    while !holds() {
        if started.elapsed() > PATIENCE {
            bail!("this did not come true within {PATIENCE:?}: {what}");
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    Ok(())
}
