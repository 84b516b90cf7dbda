//! The commands of one Runner.

use std::fs::File;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use futures_util::future::join_all;
use rand::RngExt;
use tokio::sync::OnceCell;
use webcodex_contracts::tools::list_jobs::JobSummary;
use webcodex_contracts::{JobId, ProjectId};
use webcodex_projects::RunAccess;

use crate::JobsError;
use crate::command::Command;
use crate::config::{JobsConfig, PathSource};
use crate::core::Order;
use crate::drive::blocking;
use crate::environment::Environment;
use crate::job::Job;
use crate::launch::{Kind, Launcher};
use crate::ledger::Ledger;
use crate::restore;
use crate::roster::{Roster, Shared, ledger_file};
use crate::search_path::{self, SearchPath};
use crate::sys::{self, Session};

/// Time for ending everything at shutdown.
const SHUTDOWN_WAIT: Duration = Duration::from_secs(5);

/// Starts commands and knows them as jobs. Cheap to clone; all clones are the same.
#[derive(Debug, Clone)]
pub struct Jobs {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    shared: Arc<Shared>,
    routing_tag: String,
    session: Session,
    path_source: PathSource,
    user: Environment,
    /// The environment with its search path, once that is known.
    ready: OnceCell<(Arc<Environment>, SearchPath)>,
    /// Held as long as this Runner works with the folder.
    _lock: File,
}

/// One page of a list of jobs.
#[derive(Debug, Clone)]
pub struct JobPage {
    /// The jobs, newest first.
    pub jobs: Vec<JobSummary>,
    /// Where the next page begins.
    pub cursor: Option<String>,
}

impl Jobs {
    /// Takes up what is in the data folder: what an earlier Runner left running is ended and known as lost, detached
    /// commands are found again, nothing is started. Call it inside a tokio runtime.
    ///
    /// # Errors
    /// If the folder cannot be written or another Runner uses it.
    pub fn open(config: JobsConfig) -> Result<Self, JobsError> {
        let folder = config.data_dir.join("jobs");
        let failed = |source| JobsError::Store { path: folder.clone(), source };
        sys::private_folder(&folder).map_err(failed)?;
        let lock = sys::private_file().write(true).create(true).truncate(false).open(folder.join("lock"));
        let lock = lock.map_err(failed)?;
        if lock.try_lock().is_err() {
            return Err(JobsError::InUse { path: folder });
        }
        let (ledger, known) = Ledger::open(&ledger_file(&folder)).map_err(failed)?;
        let (kept, old) = restore::sort_out(known);
        restore::sweep(&folder, &kept).map_err(failed)?;
        for slot in old {
            ledger.clear(slot).map_err(failed)?;
        }
        let used: Vec<usize> = kept.iter().map(|(slot, _)| *slot).collect();
        let last = kept.last().map_or(0, |(_, line)| line.record.sequence);
        let user = Environment::new(config.environment);
        let owner = format!("{:016x}", rand::rng().random::<u64>());
        let roster = Roster::new(&used, last);
        let shared = Arc::new(Shared::new(folder, owner, ledger, user.locale(), roster));
        restore::restore(&shared, kept);
        // A session of its own costs a slower start, so a command gets one only where it would find a terminal.
        let session = if sys::has_terminal() { Session::Own } else { Session::Shared };
        let inner = Inner {
            shared,
            routing_tag: config.routing_tag,
            session,
            path_source: config.path_source,
            user,
            ready: OnceCell::new(),
            _lock: lock,
        };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// Starts a command. It becomes a job when it runs longer than `handoff`; nothing but its own end, its time
    /// limit, [`Job::stop`] and [`Jobs::shutdown`] ends it.
    ///
    /// # Errors
    /// If it did not start; nothing has run then.
    pub async fn start(
        &self,
        access: RunAccess,
        command: Command,
        handoff: Duration,
    ) -> Result<Job, JobsError> {
        self.launch(access, command, Kind::Ordinary { handoff }).await
    }

    /// Starts a command without time limit that goes on when the Runner ends.
    ///
    /// # Errors
    /// If it did not start; nothing has run then.
    pub async fn start_detached(&self, access: RunAccess, command: Command) -> Result<Job, JobsError> {
        self.launch(access, command, Kind::Detached).await
    }

    async fn launch(&self, access: RunAccess, command: Command, kind: Kind) -> Result<Job, JobsError> {
        let (environment, _) = self.ready().await;
        let launcher = Launcher {
            shared: Arc::clone(&self.inner.shared),
            environment: Arc::clone(environment),
            routing_tag: self.inner.routing_tag.clone(),
            session: self.inner.session,
        };
        // Finding the program and waiting for the new process may take long on a slow disk.
        let core = blocking(move || launcher.start(&access, command, kind)).await;
        let core = core.unwrap_or(Err(JobsError::ShuttingDown))?;
        Ok(self.job(core))
    }

    pub(crate) fn shared(&self) -> &Shared {
        &self.inner.shared
    }

    fn job(&self, core: Arc<crate::core::Core>) -> Job {
        Job { core, shared: Arc::clone(&self.inner.shared) }
    }

    async fn ready(&self) -> &(Arc<Environment>, SearchPath) {
        let inner = &self.inner;
        inner
            .ready
            .get_or_init(|| async {
                let path = search_path::find(inner.path_source, &inner.user).await;
                let mut environment = inner.user.clone();
                environment.set("PATH", &path.value);
                (Arc::new(environment), path)
            })
            .await
    }

    /// The search path of commands and where it came from.
    pub async fn search_path(&self) -> SearchPath {
        self.ready().await.1.clone()
    }

    /// The job with this id.
    ///
    /// # Errors
    /// If it is not known here, or not any more.
    pub fn find(&self, id: &JobId) -> Result<Job, JobsError> {
        let core = self.inner.shared.find(id).ok_or_else(|| JobsError::JobNotFound(id.clone()))?;
        Ok(self.job(core))
    }

    /// The jobs of a project, newest first.
    ///
    /// # Errors
    /// If the cursor is not one that an earlier page gave.
    pub fn list(
        &self,
        project: &ProjectId,
        running_only: bool,
        limit: usize,
        cursor: Option<&str>,
    ) -> Result<JobPage, JobsError> {
        let before = cursor.map_or(Ok(u64::MAX), read_cursor)?;
        let mut page = JobPage { jobs: Vec::new(), cursor: None };
        let mut last = 0;
        self.inner.shared.newest_before(before, |core| {
            if core.project != *project || (running_only && core.ending().is_some()) {
                return true;
            }
            if page.jobs.len() == limit {
                page.cursor = Some(format!("j{last:x}"));
                return false;
            }
            last = core.sequence;
            page.jobs.push(self.job(Arc::clone(core)).summary());
            true
        });
        Ok(page)
    }

    /// The jobs of a project that still run, newest first.
    pub fn running_in(&self, project: &ProjectId) -> Vec<JobId> {
        let mut running = Vec::new();
        self.inner.shared.newest_before(u64::MAX, |core| {
            if core.project == *project && core.ending().is_none() {
                running.push(core.id.clone());
            }
            true
        });
        running
    }

    /// Ends every ordinary command with everything it started, and starts nothing any more. Detached commands go on.
    /// Takes a few seconds at most.
    pub async fn shutdown(&self) {
        let shared = &self.inner.shared;
        shared.closing.store(true, Ordering::Release);
        let mut living = Vec::new();
        shared.newest_before(u64::MAX, |core| {
            if !core.progress.borrow().settled {
                living.push(Arc::clone(core));
            }
            true
        });
        let settled = living.iter().map(|core| async {
            core.orders.send_replace(Some(Order::ShutDown));
            if !core.detached {
                let _ = core.progress.subscribe().wait_for(|progress| progress.settled).await;
            }
        });
        if tokio::time::timeout(SHUTDOWN_WAIT, join_all(settled)).await.is_err() {
            tracing::warn!("some commands had not ended when the Runner did");
        }
        // What left its group and was left behind by commands that ended long ago.
        let owner = shared.owner.clone();
        blocking(move || {
            sys::kill_marked(|mark| mark.split_once('.').is_some_and(|(of, _)| of == owner));
        })
        .await;
    }
}

fn read_cursor(text: &str) -> Result<u64, JobsError> {
    let number = text.strip_prefix('j').and_then(|hex| u64::from_str_radix(hex, 16).ok());
    number
        .filter(|number| format!("j{number:x}") == text)
        .ok_or_else(|| JobsError::CursorInvalid { what: "cursor", given: text.chars().take(60).collect() })
}
