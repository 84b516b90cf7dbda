//! One execution, one identity: hand-over, observing, readiness, lists.

use std::time::Duration;

use webcodex_contracts::execution::{ExecutionState, Outcome};
use webcodex_contracts::tools::observe_jobs::ObserveJobsParams;
use webcodex_contracts::{JobId, ToolName};
use webcodex_process::{Job, JobsError, Look, Observed, Reached, Readiness, observe};

use crate::place::{LONG, Place, sh, text, until};

async fn look(job: &Job, token: Option<String>, wait: Duration) -> Result<Observed, JobsError> {
    observe(&[Look { job: job.clone(), token, raw: None }], wait, 5).await.remove(0)
}

fn for_text(text: &str) -> Readiness {
    Readiness { text: Some(text.to_owned()), port: None }
}

#[tokio::test]
async fn a_command_that_outlives_the_wait_becomes_the_job_it_already_was() {
    let place = Place::new();
    let script = "echo one; while [ ! -e go ]; do sleep 0.01; done; echo two; exit 4";
    let job = place
        .jobs
        .start(place.project.run_access().unwrap(), sh(script), Duration::from_millis(200))
        .await
        .unwrap();
    job.ended_or_handed_over().await;
    let pending = job.execution(7).await;
    assert_eq!(pending.execution_state, ExecutionState::Pending);
    assert_eq!((pending.outcome, pending.exit_code), (None, None));
    assert_eq!(text(&pending.stdout), "one\n");
    let continuation = pending.continuation.unwrap();
    assert_eq!(continuation.tool, ToolName::ObserveJobs);
    let params: ObserveJobsParams = serde_json::from_value(continuation.arguments.into()).unwrap();
    assert_eq!((&params.jobs[0].job_id, params.wait_secs.unwrap().get()), (&pending.job_id, 7));
    std::fs::write(place.file("go"), "").unwrap();
    let token = params.jobs[0].observation_token.clone();
    job.wait_until_ready(&Readiness::default(), LONG).await;
    let rest = look(&job, token, LONG).await.unwrap().execution;
    assert_eq!((rest.execution_state, rest.exit_code), (ExecutionState::Finished, Some(4)));
    assert_eq!((rest.job_id, text(&rest.stdout)), (pending.job_id, "two\n"), "only what is new");
}

#[tokio::test]
async fn observing_wakes_on_news_and_on_the_end() {
    let place = Place::new();
    let job = place
        .job("while [ ! -e a ]; do sleep 0.01; done; echo a; while [ ! -e b ]; do sleep 0.01; done")
        .await;
    let first = look(&job, None, Duration::ZERO).await.unwrap().execution;
    assert!(first.stdout.is_none(), "nothing yet");
    let waiting = tokio::spawn({
        let (job, token) = (job.clone(), first.observation_token);
        async move { look(&job, token, LONG).await.unwrap().execution }
    });
    std::fs::write(place.file("a"), "").unwrap();
    let news = waiting.await.unwrap();
    assert_eq!((text(&news.stdout), news.execution_state), ("a\n", ExecutionState::Pending));
    std::fs::write(place.file("b"), "").unwrap();
    let end = look(&job, news.observation_token, LONG).await.unwrap().execution;
    assert_eq!((end.outcome, end.stdout), (Some(Outcome::Passed), None));
    let again = look(&job, end.observation_token, LONG).await.unwrap().execution;
    assert_eq!(again.outcome, Some(Outcome::Passed), "a known end is not waited for");
}

#[tokio::test]
async fn several_jobs_are_waited_for_together_and_errors_belong_to_their_item() {
    let place = Place::new();
    let quiet = place.job("while [ ! -e end ]; do sleep 0.01; done").await;
    let other = place.job("while [ ! -e go ]; do sleep 0.01; done; echo hello").await;
    let waiting = tokio::spawn({
        let looks = [&quiet, &other].map(|job| Look { job: job.clone(), token: None, raw: None });
        async move { observe(&looks, LONG, 5).await }
    });
    std::fs::write(place.file("go"), "").unwrap();
    let both = waiting.await.unwrap();
    assert_eq!(both[0].as_ref().unwrap().execution.execution_state, ExecutionState::Pending);
    assert_eq!(text(&both[1].as_ref().unwrap().execution.stdout), "hello\n");
    let token = both[1].as_ref().unwrap().execution.observation_token.clone();
    let foreign =
        [Look { job: quiet.clone(), token, raw: None }, Look { job: other, token: None, raw: None }];
    let results = observe(&foreign, LONG, 5).await;
    assert!(matches!(results[0], Err(JobsError::CursorInvalid { .. })));
    assert!(results[1].is_ok());
    std::fs::write(place.file("end"), "").unwrap();
    quiet.wait_until_ready(&Readiness::default(), LONG).await;
}

#[tokio::test]
async fn readiness_is_a_text_even_across_writes_and_colours_and_from_before_the_call() {
    let place = Place::new();
    let script = r"printf 'Listen'; sleep 0.2; printf '\033[32ming on\033[0m :80\n'; while [ ! -e end ]; do sleep 0.01; done";
    let job = place.job(script).await;
    assert_eq!(job.wait_until_ready(&for_text("Listening on :80"), LONG).await, Reached::Text);
    assert_eq!(job.wait_until_ready(&for_text("Listening"), LONG).await, Reached::Text, "printed before");
    assert_eq!(job.wait_until_ready(&for_text("absent"), Duration::from_millis(50)).await, Reached::Deadline);
    std::fs::write(place.file("end"), "").unwrap();
    assert_eq!(job.wait_until_ready(&for_text("absent"), LONG).await, Reached::Ended);
    assert_eq!(job.wait_until_ready(&Readiness::default(), LONG).await, Reached::Ended);
}

#[tokio::test]
async fn readiness_is_a_port_that_answers() {
    let place = Place::new();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let job = place.job("while [ ! -e end ]; do sleep 0.01; done").await;
    let readiness = Readiness { text: None, port: Some(port) };
    assert_eq!(job.wait_until_ready(&readiness, LONG).await, Reached::Port);
    drop(listener);
    assert_eq!(job.wait_until_ready(&readiness, Duration::from_millis(200)).await, Reached::Deadline);
    job.stop().await;
}

#[tokio::test]
async fn a_lost_answer_is_found_again_in_the_list() {
    let place = Place::new();
    let mut ids = Vec::new();
    for number in 0..5 {
        ids.push(place.sh(&format!("echo {number}")).await.job_id);
    }
    let running = place.job("while [ ! -e end ]; do sleep 0.01; done").await;
    let list = |running_only, limit, cursor: Option<&str>| {
        place.jobs.list(&place.project.id, running_only, limit, cursor).unwrap()
    };
    assert_eq!(list(true, 10, None).jobs.len(), 1);
    let first = list(false, 4, None);
    let second = list(false, 4, first.cursor.as_deref());
    let found: Vec<JobId> = first.jobs.iter().chain(&second.jobs).map(|job| job.job.job_id.clone()).collect();
    ids.push(running.id().clone());
    ids.reverse();
    assert_eq!((found, second.cursor), (ids.clone(), None), "newest first, without gaps or repeats");
    let lost = place.jobs.find(&ids[1]).unwrap().execution(5).await;
    assert_eq!(text(&lost.stdout), "4\n");
    assert!(matches!(
        place.jobs.list(&place.project.id, false, 4, Some("garbled")),
        Err(JobsError::CursorInvalid { .. })
    ));
    running.stop().await;
}

#[tokio::test]
async fn what_is_remembered_does_not_grow_with_the_number_of_commands() {
    let place = Place::new();
    let first = place.sh("echo first").await.job_id;
    for _ in 0..8 {
        let starts = (0..80).map(|_| place.sh("true"));
        futures_util::future::join_all(starts).await;
    }
    let all = place.jobs.list(&place.project.id, false, 10_000, None).unwrap().jobs;
    assert_eq!(all.len(), 512);
    assert!(matches!(place.jobs.find(&first), Err(JobsError::JobNotFound(_))));
    let files = || std::fs::read_dir(place.data.path().join("jobs")).unwrap().count();
    until("no file stays", || files() == 3).await;
}
