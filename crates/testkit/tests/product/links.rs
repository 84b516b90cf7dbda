//! Server and Runner as two processes: either may hang, crash or come back.
#![cfg(unix)]

use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use webcodex_testkit::{SplitServer, TempProject, ToolClient, await_condition, is_running};

/// Observes a job until it is no longer pending.
async fn end_of(client: &mut ToolClient, job: &Value) -> Result<Value> {
    for _ in 0..60 {
        let observed =
            client.output("observe_jobs", json!({"jobs": [{"job_id": job}], "wait_secs": 5})).await?;
        let execution = &observed["items"][0]["execution"];
        if execution["execution_state"] != "pending" {
            return Ok(execution.clone());
        }
    }
    bail!("{job} did not end")
}

#[tokio::test]
async fn a_job_survives_a_crash_of_the_server_and_is_not_run_again() -> Result<()> {
    let project = TempProject::plain()?;
    let mut split = SplitServer::start_hasty(project.path()).await?;
    let script = "echo ran >> runs.txt; while [ ! -e go ]; do sleep 0.05; done; echo over";
    let arguments = json!({"project": split.project, "script": script});
    let started = split.client().await?.output("run_shell", arguments).await?;
    assert_eq!(started["execution_state"], "pending", "{started}");
    split.restart_server().await?;
    project.write("go", "")?;
    let ended = end_of(&mut split.client().await?, &started["job_id"]).await?;
    assert_eq!((&ended["outcome"], &ended["job_id"]), (&json!("passed"), &started["job_id"]), "{ended}");
    assert_eq!(project.read("runs.txt")?, b"ran\n", "it ran once");
    Ok(())
}

#[tokio::test]
async fn after_a_crash_of_the_runner_ordinary_jobs_are_lost_and_detached_ones_found() -> Result<()> {
    let project = TempProject::plain()?;
    let mut split = SplitServer::start_hasty(project.path()).await?;
    let mut client = split.client().await?;
    let ordinary = json!({"project": split.project, "script": "echo $$ > ordinary.pid; exec sleep 1000"});
    let ordinary = client.output("run_shell", ordinary).await?;
    let detached = json!({"project": split.project, "executable": "sh", "args": ["-c", "echo $$ > detached.pid; exec sleep 1000"]});
    let detached = client.output("run_detached_process", detached).await?;
    let file = project.path().join("detached.pid");
    await_condition("the detached program runs", || {
        std::fs::read_to_string(&file).is_ok_and(|pid| pid.ends_with('\n'))
    })
    .await?;
    split.restart_runner().await?;
    let mut client = split.client().await?;
    let lost = end_of(&mut client, &ordinary["job_id"]).await?;
    assert_eq!(lost["outcome"], "lost", "{lost}");
    let pid =
        |name: &str| project.read(name).map(|text| String::from_utf8_lossy(&text).trim().parse::<u32>());
    let (ordinary_pid, detached_pid) = (pid("ordinary.pid")??, pid("detached.pid")??);
    await_condition("the ordinary command has ended with its Runner", || !is_running(ordinary_pid)).await?;
    let found = client.output("observe_jobs", json!({"jobs": [{"job_id": detached["job_id"]}]})).await?;
    assert_eq!(found["items"][0]["execution"]["execution_state"], "pending", "{found}");
    assert!(is_running(detached_pid), "the detached program goes on");
    client.output("stop_job", json!({"job_id": detached["job_id"]})).await?;
    await_condition("the detached program has been stopped", || !is_running(detached_pid)).await
}

#[tokio::test]
async fn a_hung_runner_fails_calls_with_the_reason_and_may_come_back() -> Result<()> {
    let project = TempProject::plain()?;
    project.write("a.txt", "text\n")?;
    let split = SplitServer::start(project.path()).await?;
    let read = json!({"project": split.project, "items": [{"path": "a.txt"}]});
    signal(split.runner.pid(), "STOP")?;
    let hung = split.client().await?.call("read_files", read.clone()).await;
    signal(split.runner.pid(), "CONT")?;
    let hung = hung?;
    let code = hung["error"]["code"].as_str().unwrap_or_default();
    assert!(matches!(code, "runner_unresponsive" | "agent_offline"), "{hung}");
    let mut client = split.client().await?;
    for _ in 0..600 {
        if client.call("read_files", read.clone()).await?["success"] == true {
            return Ok(());
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    bail!("the Runner did not come back; its stderr:\n{}", split.runner.stderr())
}

#[tokio::test]
async fn a_call_in_flight_when_the_runner_dies_has_an_unknown_outcome() -> Result<()> {
    let project = TempProject::plain()?;
    let mut split = SplitServer::start(project.path()).await?;
    let arguments = json!({"project": split.project, "script": "echo ran >> runs.txt; exec sleep 1000"});
    let mut client = split.client().await?;
    let call = tokio::spawn(async move { client.call("run_shell", arguments).await });
    let runs = project.path().join("runs.txt");
    await_condition("the command runs", || runs.exists()).await?;
    split.restart_runner().await?;
    let result = call.await??;
    assert_eq!(
        (&result["success"], &result["error"]["code"]),
        (&json!(false), &json!("runner_unresponsive")),
        "{result}"
    );
    let state = result.pointer("/output/execution_state").context("no execution_state")?;
    assert_eq!(state, "unknown", "{result}");
    assert_eq!(project.read("runs.txt")?, b"ran\n", "it ran once");
    Ok(())
}

fn signal(pid: Option<u32>, name: &str) -> Result<()> {
    let pid = pid.context("the process has ended")?.to_string();
    let sent = Command::new("kill").args([format!("-{name}"), pid]).status()?;
    anyhow::ensure!(sent.success(), "cannot send {name}");
    Ok(())
}
