//! Jobs: their facts, their output as it comes, and their end.

use http::{Method, StatusCode};
use serde_json::{Value, json};
use webcodex_contracts::control::{JobState, RecordLevel, ServerSettings};

use crate::house::House;

/// Commands become jobs after a moment.
fn hasty() -> ServerSettings {
    ServerSettings { wait_seconds: 6, record: RecordLevel::Subjects, ..ServerSettings::default() }
}

#[tokio::test]
async fn a_job_is_shown_read_along_and_stopped() {
    let house = House::with(hasty()).await;
    let (project, folder) = house.project("web");
    let mut lines = house.listen().await;
    lines.message().await;
    let mut tools = house.tools().await;
    let script = "echo one; while [ ! -e go ]; do sleep 0.05; done; echo two; sleep 600";
    let started = tools.output("run_shell", json!({"project": project, "script": script})).await.unwrap();
    assert_eq!(started["execution_state"], "pending");
    let id = started["job_id"].as_str().unwrap().to_owned();
    lines.until("the job", |state| state.jobs.first().is_some_and(|job| job.call.is_some())).await;
    let job = lines.state.jobs[0].clone();
    assert_eq!((job.id.as_str(), job.state, job.project.as_str()), (id.as_str(), JobState::Running, "web"));
    assert_eq!(job.folder, folder.to_str().unwrap());
    assert_eq!(job.call.as_ref(), lines.state.calls.first().map(|call| &call.id));
    assert!(lines.state.projects[0].working);

    let mut output = house.lines(&format!("/control/jobs/{id}/output")).await;
    let first = output.next().await.unwrap();
    assert_eq!(first, json!({"startsOver": true, "text": "one\n", "leftOutBytes": 0, "totalBytes": 4}));
    std::fs::write(folder.join("go"), "").unwrap();
    let second = output.next().await.unwrap();
    assert_eq!((&second["startsOver"], &second["text"]), (&json!(false), &json!("two\n")));
    lines.until("the bytes", |state| state.jobs[0].output_bytes == 8).await;

    let (status, _) = house.ask(Method::POST, &format!("/control/jobs/{id}/stop"), Value::Null).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    lines.until("its end", |state| state.jobs[0].state == JobState::Stopped).await;
    assert!(lines.state.jobs[0].ended_at.is_some());
    while output.next().await.is_some() {}
    lines.until("quiet", |state| !state.projects[0].working).await;
}

#[tokio::test]
async fn long_output_keeps_both_ends_and_marks_the_gap() {
    let house = House::with(hasty()).await;
    let (project, _) = house.project("web");
    let mut tools = house.tools().await;
    let script = "echo first; seq 1 600000; echo last; sleep 600";
    let started = tools.output("run_shell", json!({"project": project, "script": script})).await.unwrap();
    let id = started["job_id"].as_str().unwrap().to_owned();
    let mut output = house.lines(&format!("/control/jobs/{id}/output")).await;
    let first = output.next().await.unwrap();
    let text = first["text"].as_str().unwrap();
    assert!(text.starts_with("first\n") && text.ends_with("last\n"));
    assert_eq!(text.matches('\0').count(), 1);
    assert!(first["leftOutBytes"].as_u64().unwrap() > 1_000_000);
    house.runner.shutdown().await;
}

#[tokio::test]
async fn a_job_that_is_not_known_is_told_so() {
    let house = House::open().await;
    let tag = webcodex_contracts::ClientId::parse("here").unwrap().routing_tag();
    let path = format!("/control/jobs/wcj_{tag}_none/output");
    let (status, failure) = house.ask(Method::GET, &path, Value::Null).await;
    assert_eq!((status, &failure["code"]), (StatusCode::NOT_FOUND, &json!("job_not_found")));
    let (status, failure) = house.ask(Method::POST, "/control/jobs/wcj_other_x/stop", Value::Null).await;
    assert_eq!((status, &failure["code"]), (StatusCode::SERVICE_UNAVAILABLE, &json!("agent_offline")));
}
