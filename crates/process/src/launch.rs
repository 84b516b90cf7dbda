//! From a command that was asked for to a process that runs.

use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use rand::RngExt;
use tokio::sync::watch;
use webcodex_contracts::{JobId, ProjectPath};
use webcodex_projects::{EntryKind, RunAccess};

use crate::JobsError;
use crate::command::Command;
use crate::core::{Core, Progress, State};
use crate::drive::{Running, drive, drive_detached};
use crate::environment::Environment;
use crate::invocation::Invocation;
use crate::lookup::Lookup;
use crate::output::Output;
use crate::record::now_ms;
use crate::roster::{Place, Shared};
use crate::sys::{self, MARK_NAME, Session};

/// How a command is started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// It ends with the Runner; its caller waits so long at first.
    Ordinary { handoff: Duration },
    /// It survives the Runner.
    Detached,
}

/// What starting needs besides the command.
pub(crate) struct Launcher {
    pub(crate) shared: Arc<Shared>,
    pub(crate) environment: Arc<Environment>,
    pub(crate) routing_tag: String,
    /// How ordinary commands are kept from the terminal.
    pub(crate) session: Session,
}

impl Launcher {
    /// Starts `command`. Looks at the disk and waits for the new process: not for the async threads.
    pub(crate) fn start(
        &self,
        access: &RunAccess,
        command: Command,
        kind: Kind,
    ) -> Result<Arc<Core>, JobsError> {
        let environment = match command.env.is_empty() {
            true => Arc::clone(&self.environment),
            false => Arc::new(self.environment.with(&command.env)?),
        };
        let cwd = working_folder(access, &command.cwd)?;
        let lookup = Lookup { environment: &environment, access, cwd: &command.cwd };
        let invocation = Invocation::new(&command.program, &lookup, &self.shared.scripts())?;
        let place = self.shared.reserve()?;
        let started = self.start_in(
            place,
            access,
            command,
            kind,
            |builder, core| {
                builder.current_dir(&cwd);
                builder.env_clear().envs(environment.iter()).env(MARK_NAME, self.mark(core));
            },
            invocation,
        );
        if started.is_err() {
            self.shared.release(place);
        }
        started
    }

    fn start_in(
        &self,
        place: Place,
        access: &RunAccess,
        command: Command,
        kind: Kind,
        prepare: impl FnOnce(&mut tokio::process::Command, &Core),
        mut invocation: Invocation,
    ) -> Result<Arc<Core>, JobsError> {
        let mut builder = build(&invocation);
        let id = self.new_id()?;
        let (output, session) = self.connect(&mut builder, &id, &command, kind)?;
        let core = Arc::new(self.core(place, access, &command, kind, id, output));
        prepare(&mut builder, &core);
        self.shared.ensure_guard();
        // Noted before it runs, so that it is known whatever happens next.
        self.shared.record(&core);
        let mark = self.mark(&core);
        let spawned = sys::spawn(&mut builder, session, &mark);
        let (child, group) = spawned.map_err(|source| {
            core.output.forget();
            JobsError::Spawn { program: invocation.program.display().to_string(), source }
        })?;
        let group = Arc::new(group);
        {
            let mut state = core.state.lock();
            state.pid = group.leader();
            state.group = Some(Arc::clone(&group));
            state.stamp = core.detached.then(|| sys::stamp(group.leader())).flatten();
        }
        self.shared.record_start(&core);
        self.shared.insert(&core);
        let (shared, followed) = (Arc::clone(&self.shared), Arc::clone(&core));
        match kind {
            Kind::Ordinary { handoff } => {
                let script = invocation.file.take();
                let running = Running { child, group, stdin: command.stdin, handoff, script };
                tokio::spawn(drive(shared, followed, running));
            }
            Kind::Detached => {
                tokio::spawn(drive_detached(shared, followed, child, group));
            }
        }
        Ok(core)
    }

    /// Connects the streams: pipes, or files for a command that survives us.
    fn connect(
        &self,
        builder: &mut tokio::process::Command,
        id: &JobId,
        command: &Command,
        kind: Kind,
    ) -> Result<(Output, Session), JobsError> {
        builder.stdin(if command.stdin.is_some() { Stdio::piped() } else { Stdio::null() });
        let folder = &self.shared.folder;
        if kind != Kind::Detached {
            builder.stdout(Stdio::piped()).stderr(Stdio::piped());
            return Ok((Output::new(folder, id.as_str()), self.session));
        }
        let (output, [out, err]) = Output::plain(folder, id.as_str())
            .map_err(|source| JobsError::Store { path: folder.clone(), source })?;
        builder.stdin(Stdio::null()).stdout(out).stderr(err);
        Ok((output, Session::Own))
    }

    fn core(
        &self,
        place: Place,
        access: &RunAccess,
        command: &Command,
        kind: Kind,
        id: JobId,
        output: Output,
    ) -> Core {
        Core {
            id,
            project: access.project().id.clone(),
            session_id: command.session_id.clone(),
            label: command.program.label(),
            sequence: place.sequence,
            slot: place.slot,
            started_at_ms: now_ms(),
            started: Some(Instant::now()),
            detached: kind == Kind::Detached,
            has_input: command.stdin.is_some(),
            timeout: command.timeout,
            cwd: Some(command.cwd.clone()),
            wrote_at_ms: AtomicU64::new(0),
            changes: self.shared.changes.clone(),
            output,
            progress: watch::Sender::new(Progress::default()),
            orders: watch::Sender::new(None),
            state: Mutex::new(State::default()),
        }
    }

    fn new_id(&self) -> Result<JobId, JobsError> {
        const ALPHABET: &[u8; 32] = b"abcdefghijkmnopqrstuvwxyz2345678";
        let mut rng = rand::rng();
        let random: String =
            (0..16).map(|_| char::from(ALPHABET[rng.random_range(0..ALPHABET.len())])).collect();
        JobId::new(&self.routing_tag, &random).map_err(|error| JobsError::Store {
            path: self.shared.folder.clone(),
            source: std::io::Error::other(error),
        })
    }

    /// What marks the processes of an execution: those of a detached one are not ended with this Runner's.
    fn mark(&self, core: &Core) -> String {
        mark(if core.detached { DETACHED } else { &self.shared.owner }, &core.id)
    }
}

/// Stands for the owner in the marks of commands that survive their Runner.
pub(crate) const DETACHED: &str = "detached";

/// The value of the mark in the environment of an execution's processes.
pub(crate) fn mark(owner: &str, id: &JobId) -> String {
    format!("{owner}.{id}")
}

fn build(invocation: &Invocation) -> tokio::process::Command {
    let mut builder = tokio::process::Command::new(&invocation.program);
    builder.args(&invocation.args);
    #[cfg(windows)]
    if let Some(tail) = &invocation.raw_tail {
        builder.raw_arg(tail);
    }
    #[cfg(not(windows))]
    if let Some(tail) = &invocation.raw_tail {
        builder.arg(tail);
    }
    builder
}

fn working_folder(access: &RunAccess, cwd: &ProjectPath) -> Result<std::path::PathBuf, JobsError> {
    let refused = |problem| JobsError::WorkingFolder { path: cwd.clone(), problem };
    let confined = access.confine(cwd).map_err(|source| JobsError::Confine { field: "cwd", source })?;
    match confined.kind {
        EntryKind::Folder => Ok(confined.absolute),
        EntryKind::Missing => Err(refused("does not exist")),
        EntryKind::File | EntryKind::Other => Err(refused("is not a folder")),
    }
}
