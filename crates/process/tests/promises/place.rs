//! A project, its jobs, and short ways to run things.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use webcodex_contracts::ProjectId;
use webcodex_contracts::execution::{Execution, StreamText};
use webcodex_contracts::tools::run_shell::Shell;
use webcodex_process::{Command, Job, Jobs, JobsConfig, JobsError, Program};
use webcodex_projects::Project;

/// Longer than any test takes; what is awaited ends by its condition.
pub(crate) const LONG: Duration = Duration::from_secs(60);

pub(crate) struct Place {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) data: tempfile::TempDir,
    pub(crate) project: Arc<Project>,
    pub(crate) jobs: Jobs,
}

impl Place {
    pub(crate) fn new() -> Self {
        Self::with(|_| {})
    }

    pub(crate) fn with(change: impl FnOnce(&mut JobsConfig)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let data = tempfile::tempdir().unwrap();
        let project = project(folder.path());
        let mut config = JobsConfig::new(data.path(), "0a1b2c3d");
        change(&mut config);
        let jobs = Jobs::open(config).unwrap();
        Self { folder, data, project, jobs }
    }

    pub(crate) async fn start(&self, command: Command) -> Result<Job, JobsError> {
        self.jobs.start(self.project.run_access().unwrap(), command, LONG).await
    }

    /// Runs `command` to its end.
    pub(crate) async fn run(&self, command: Command) -> Execution {
        let job = self.start(command).await.unwrap();
        job.ended_or_handed_over().await;
        job.execution(50).await
    }

    pub(crate) async fn sh(&self, script: &str) -> Execution {
        self.run(sh(script)).await
    }

    /// Starts a shell script that its caller does not wait for.
    pub(crate) async fn job(&self, script: &str) -> Job {
        let job =
            self.jobs.start(self.project.run_access().unwrap(), sh(script), Duration::ZERO).await.unwrap();
        job.ended_or_handed_over().await;
        job
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

pub(crate) fn project(folder: &Path) -> Arc<Project> {
    Project::new(ProjectId::parse("agent:me:demo").unwrap(), "demo", folder).unwrap()
}

pub(crate) fn sh(script: &str) -> Command {
    Command::new(Program::Shell { shell: Shell::Sh, script: script.to_owned() })
}

pub(crate) fn executable(name: &str, args: &[&str]) -> Command {
    let args = args.iter().map(|arg| (*arg).to_owned()).collect();
    Command::new(Program::Executable { executable: name.to_owned(), args })
}

pub(crate) fn text(stream: &Option<StreamText>) -> &str {
    stream.as_ref().map_or("", |stream| stream.text.as_str())
}

/// Waits until `condition` holds.
pub(crate) async fn until(what: &str, condition: impl Fn() -> bool) {
    for _ in 0..3000 {
        if condition() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("waited in vain until {what}");
}

#[cfg(target_os = "linux")]
/// Whether the process lives; one that waits to be reaped does not.
pub(crate) fn lives(pid: u32) -> bool {
    let Ok(stat) = std::fs::read_to_string(format!("/proc/{pid}/stat")) else { return false };
    !stat.rsplit_once(')').unwrap().1.trim_start().starts_with('Z')
}

#[cfg(target_os = "linux")]
/// The number that a command wrote into a file.
pub(crate) async fn pid_in(file: &Path) -> u32 {
    let read = || std::fs::read_to_string(file).ok().and_then(|text| text.trim().parse().ok());
    until("a number is written", || read().is_some()).await;
    read().unwrap()
}
