//! What a later Runner finds.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use webcodex_contracts::JobId;
use webcodex_contracts::execution::{ExecutionState, Outcome};
use webcodex_process::{Jobs, JobsConfig, JobsError, Look, observe};

use crate::place::{LONG, Place, executable, lives, pid_in, project, sh, text, until};

const ROLE: &str = "TEST_RUNNER_ROLE";

/// Not a test by itself: what a Runner does in the tests below, in a process that can be killed.
#[test]
fn role_of_a_runner() {
    let Ok(folder) = std::env::var(ROLE) else { return };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let folder = std::path::PathBuf::from(folder);
        let jobs = Jobs::open(JobsConfig::new(folder.join("data"), "0a1b2c3d")).unwrap();
        let project = project(&folder.join("project"));
        let done = jobs.start(project.run_access().unwrap(), sh("echo done"), LONG).await.unwrap();
        done.ended_or_handed_over().await;
        let script = "setsid sh -c 'echo $$ > daemon; exec sleep 1000' > /dev/null 2>&1 & echo $$ > shell; echo working; sleep 1000";
        let running = jobs.start(project.run_access().unwrap(), sh(script), Duration::ZERO).await.unwrap();
        running.ended_or_handed_over().await;
        let server = r"echo $$ > server; echo serving; while [ -e server ] && [ ! -e stop ]; do sleep 0.01; done; echo stopping";
        let detached = executable("sh", &["-c", server]);
        let detached = jobs.start_detached(project.run_access().unwrap(), detached).await.unwrap();
        for name in ["shell", "daemon", "server"] {
            pid_in(&folder.join("project").join(name)).await;
        }
        let token = running_output(&running).await;
        println!("\nIDS {} {} {} {token}", done.id(), running.id(), detached.id());
        std::io::stdout().flush().unwrap();
        std::future::pending::<()>().await;
    });
}

async fn running_output(job: &webcodex_process::Job) -> String {
    let look = Look { job: job.clone(), token: None, raw: None };
    let seen = observe(&[look], LONG, 5).await.remove(0).unwrap().execution;
    assert_eq!(text(&seen.stdout), "working\n");
    seen.observation_token.unwrap()
}

struct Killed {
    folder: tempfile::TempDir,
    ids: Vec<JobId>,
    token: String,
    pids: Vec<u32>,
    runner: Child,
}

impl Killed {
    async fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("project")).unwrap();
        let mut runner = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "restart::role_of_a_runner", "--nocapture"])
            .env(ROLE, folder.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(runner.stdout.take().unwrap()).lines().map_while(Result::ok);
        let line = lines.find(|line| line.starts_with("IDS ")).expect("the Runner started its commands");
        let mut words = line.split(' ').skip(1);
        let ids = words.by_ref().take(3).map(|id| JobId::parse(id).unwrap()).collect();
        let token = words.next().unwrap().to_owned();
        let mut pids = Vec::new();
        for name in ["shell", "daemon", "server"] {
            pids.push(pid_in(&folder.path().join("project").join(name)).await);
        }
        assert!(pids.iter().all(|pid| lives(*pid)));
        Self { folder, ids, token, pids, runner }
    }

    fn kill(&mut self) {
        self.runner.kill().unwrap();
        self.runner.wait().unwrap();
    }

    fn reopen(&self) -> Jobs {
        Jobs::open(JobsConfig::new(self.folder.path().join("data"), "0a1b2c3d")).unwrap()
    }

    fn file(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join("project").join(name)
    }
}

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = std::fs::write(self.file("stop"), "");
        let _ = self.runner.kill();
    }
}

#[tokio::test]
async fn no_process_outlives_a_runner_that_is_killed_but_detached_ones() {
    let mut killed = Killed::start().await;
    killed.kill();
    let [shell, daemon, server] = killed.pids[..] else { panic!() };
    until("the guard has ended them", || !lives(shell) && !lives(daemon)).await;
    assert!(lives(server), "detached");
}

#[tokio::test]
async fn after_a_crash_ordinary_jobs_are_lost_and_detached_ones_are_found_again() {
    let mut killed = Killed::start().await;
    killed.kill();
    let jobs = killed.reopen();
    let [done, running, detached] = [0, 1, 2].map(|at| jobs.find(&killed.ids[at]).unwrap());
    let finished = done.execution(5).await;
    assert_eq!((finished.outcome, finished.exit_code), (Some(Outcome::Passed), Some(0)));
    assert!(finished.notes.iter().any(|note| note.contains("no longer kept")), "{:?}", finished.notes);

    let lost = running.execution(5).await;
    assert_eq!((lost.execution_state, lost.outcome), (ExecutionState::Unknown, Some(Outcome::Lost)));
    assert!(lost.notes.iter().any(|note| note.contains("not run again")), "{:?}", lost.notes);
    assert_eq!(text(&lost.stdout), "working\n", "its output is still there");
    let look = Look { job: running.clone(), token: Some(killed.token.clone()), raw: None };
    let since = observe(&[look], LONG, 5).await.remove(0).unwrap().execution;
    assert_eq!((since.stdout, since.outcome), (None, Some(Outcome::Lost)), "an earlier token still counts");
    assert!(!running.stop().await);

    let serving = detached.execution(5).await;
    assert_eq!((serving.execution_state, text(&serving.stdout)), (ExecutionState::Pending, "serving\n"));
    std::fs::write(killed.file("stop"), "").unwrap();
    let look = Look { job: detached.clone(), token: serving.observation_token, raw: None };
    let mut end = observe(std::slice::from_ref(&look), LONG, 5).await.remove(0).unwrap().execution;
    until("the server has ended", || detached.has_ended()).await;
    if end.execution_state == ExecutionState::Pending {
        end = observe(&[look], LONG, 5).await.remove(0).unwrap().execution;
    }
    assert_eq!((end.execution_state, end.outcome), (ExecutionState::Unknown, Some(Outcome::Lost)));
    assert_eq!(text(&end.stdout), "stopping\n");
    let list = jobs.list(done.project(), false, 10, None).unwrap().jobs;
    assert_eq!(list.len(), 3, "nothing was run again");
}

#[tokio::test]
async fn a_detached_job_is_stopped_by_a_later_runner() {
    let mut killed = Killed::start().await;
    killed.kill();
    let jobs = killed.reopen();
    let detached = jobs.find(&killed.ids[2]).unwrap();
    assert!(detached.stop().await);
    let server = killed.pids[2];
    until("it has ended", || !lives(server)).await;
    assert_eq!(detached.execution(5).await.outcome, Some(Outcome::Stopped));
}

#[tokio::test]
async fn a_detached_job_survives_a_shutdown_and_keeps_its_exit_code_while_watched() {
    let place = Place::new();
    let server =
        executable("sh", &["-c", "echo $$ > server; while [ ! -e stop ]; do sleep 0.01; done; exit 5"]);
    let job = place.jobs.start_detached(place.project.run_access().unwrap(), server.clone()).await.unwrap();
    let pid = pid_in(&place.file("server")).await;
    assert!(job.summary().detached);
    let session = rustix::process::getsid(rustix::process::Pid::from_raw(pid as i32)).unwrap();
    assert_eq!(session.as_raw_nonzero().get() as u32, pid, "a session of its own");
    std::fs::write(place.file("stop"), "").unwrap();
    until("it has ended", || job.has_ended()).await;
    assert_eq!(job.execution(5).await.exit_code, Some(5));

    std::fs::remove_file(place.file("stop")).unwrap();
    std::fs::remove_file(place.file("server")).unwrap();
    place.jobs.start_detached(place.project.run_access().unwrap(), server).await.unwrap();
    let pid = pid_in(&place.file("server")).await;
    place.jobs.shutdown().await;
    assert!(lives(pid));
    std::fs::write(place.file("stop"), "").unwrap();
    until("it has ended", || !lives(pid)).await;
}

#[tokio::test]
async fn two_runners_never_share_a_data_folder() {
    let place = Place::new();
    let error = Jobs::open(JobsConfig::new(place.data.path(), "0a1b2c3d")).unwrap_err();
    assert!(matches!(error, JobsError::InUse { .. }), "{error}");
}
