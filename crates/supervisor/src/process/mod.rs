//! One background program: started, listened to, told, ended.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

use std::io;
use std::path::Path;
use std::process::Stdio;

use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::mpsc;
use webcodex_contracts::supervised::PartSays;
use webcodex_settings::{Folders, environment};

#[cfg(unix)]
use unix as sys;
#[cfg(windows)]
use windows as sys;

use crate::logs;

pub(crate) use sys::{end_hard, end_soft, identity};

/// Which background program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Role {
    Server,
    Runner,
}

impl Role {
    /// The subcommand.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Role::Server => "server",
            Role::Runner => "runner",
        }
    }

    /// The name for people.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Role::Server => "Server",
            Role::Runner => "Runner",
        }
    }
}

/// What makes a process the one it was, also after its number was given to another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Identity {
    /// When the system started it, in the system's own measure.
    pub(crate) started: String,
    /// What it runs.
    pub(crate) program: String,
}

/// What a process did.
#[derive(Debug)]
pub(crate) enum Did {
    /// It said something.
    Said(PartSays),
    /// It ended; what it said or how it ended.
    Ended(String),
}

enum Tell {
    Line(String),
    End,
    Kill,
}

/// A process that runs until it is told to end, or until this value is dropped.
#[derive(Debug)]
pub(crate) struct Process {
    /// Tells this process from an earlier one of the same role.
    pub(crate) id: u64,
    pub(crate) pid: u32,
    tells: mpsc::UnboundedSender<Tell>,
}

impl Process {
    /// Starts `program` in its role. `heard` is called with everything it does, and last when it has ended.
    pub(crate) fn start(
        program: &Path,
        folders: &Folders,
        role: Role,
        id: u64,
        heard: impl Fn(Did) + Send + Sync + 'static,
    ) -> io::Result<Self> {
        let log = logs::open(folders, role)?;
        let log_path = logs::path(folders, role);
        let log_start = log.metadata().map_or(0, |found| found.len());
        let mut command = Command::new(program);
        command.args([role.name(), "--supervised"]).env(environment::DATA_DIR, &folders.data);
        // A credential of the environment is for headless use; here they come over the pipe.
        command.env_remove(environment::TOKEN);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(log).kill_on_drop(true);
        let mut child = sys::spawn(&mut command)?;
        let pid = child.id().ok_or_else(|| io::Error::other("it ended at once"))?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("it has no pipes"));
        };
        let (tells, incoming) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            let ended = watch(child, stdin, stdout, incoming, &heard).await;
            let tail = logs::tail(&log_path, log_start);
            let last = tail.lines().last().unwrap_or_default();
            heard(Did::Ended(if last.is_empty() { ended } else { format!("{ended}: {last}") }));
        });
        Ok(Self { id, pid, tells })
    }

    /// Writes a line to its standard input.
    pub(crate) fn tell(&self, line: String) {
        self.send(Tell::Line(line));
    }

    /// Closes its standard input, which tells it to end.
    pub(crate) fn end(&self) {
        self.send(Tell::End);
    }

    /// Ends it at once.
    pub(crate) fn kill(&self) {
        self.send(Tell::Kill);
    }

    fn send(&self, tell: Tell) {
        // It fails once the process has ended, which is being told.
        let _ = self.tells.send(tell);
    }
}

async fn watch(
    mut child: Child,
    stdin: ChildStdin,
    stdout: ChildStdout,
    mut tells: mpsc::UnboundedReceiver<Tell>,
    heard: &(impl Fn(Did) + Send + Sync),
) -> String {
    let mut stdin = Some(stdin);
    let mut lines = BufReader::new(stdout).lines();
    let (mut reads, mut listens) = (true, true);
    loop {
        tokio::select! {
            biased;
            line = lines.next_line(), if reads => match line {
                Ok(Some(line)) => match serde_json::from_str(&line) {
                    Ok(said) => heard(Did::Said(said)),
                    Err(error) => tracing::debug!(%error, "a line of a background program is not understood"),
                },
                _ => reads = false,
            },
            tell = tells.recv(), if listens => match tell {
                Some(Tell::Line(mut line)) => {
                    line.push('\n');
                    if let Some(pipe) = &mut stdin
                        && pipe.write_all(line.as_bytes()).await.is_err()
                    {
                        stdin = None;
                    }
                }
                Some(Tell::Kill) => drop(child.start_kill()),
                Some(Tell::End) => drop(stdin.take()),
                None => {
                    drop(stdin.take());
                    listens = false;
                }
            },
            ended = child.wait() => return match ended {
                Ok(status) => format!("it ended with {status}"),
                Err(error) => format!("it cannot be watched: {error}"),
            },
        }
    }
}
