//! Whatever a command starts ends with it, and everything ends with the product.
#![cfg(unix)]

use std::path::Path;

use anyhow::{Context, Result};
use serde_json::{Value, json};
use webcodex_testkit::{TempProject, TestServer, ToolClient, await_condition, is_running};

/// A command that leaves a grandchild and stays; both write their process ids to files.
const FAMILY: &str = "sleep 1000 & echo $! > grandchild.pid; echo $$ > child.pid; echo up; wait";

/// Starts [`FAMILY`] and returns the answer and both process ids once they run.
async fn start_family(client: &mut ToolClient, project: &str, folder: &Path) -> Result<(Value, [u32; 2])> {
    let job = client.output("run_shell", json!({"project": project, "script": FAMILY})).await?;
    assert_eq!(job["execution_state"], "pending", "{job}");
    let pid = |name: &str| -> Result<u32> {
        let text = std::fs::read_to_string(folder.join(name)).with_context(|| name.to_owned())?;
        Ok(text.trim().parse()?)
    };
    let pids = [pid("child.pid")?, pid("grandchild.pid")?];
    assert!(pids.iter().all(|pid| is_running(*pid)), "the family runs: {pids:?}");
    Ok((job, pids))
}

/// Shares a folder with a budget that hands commands over after one second.
async fn hasty_share(folder: &Path) -> Result<TestServer> {
    TestServer::share_with(&webcodex_testkit::webcodex()?, folder, &[("WEBCODEX_MCP_BUDGET_SECS", "6")]).await
}

async fn await_end(pids: [u32; 2]) -> Result<()> {
    await_condition("the command and its child have ended", || pids.iter().all(|pid| !is_running(*pid))).await
}

#[tokio::test]
async fn a_killed_share_leaves_no_process() -> Result<()> {
    let project = TempProject::plain()?;
    let mut server = hasty_share(project.path()).await?;
    let (_, pids) = start_family(&mut server.client().await?, &server.project, project.path()).await?;
    server.process.kill().await?;
    await_end(pids).await?;
    let own = [server.server_pid, server.runner_pid];
    await_condition("Server and Runner have ended", || own.iter().all(|pid| !is_running(*pid))).await
}

#[tokio::test]
async fn an_interrupted_share_ends_its_commands_and_exits_cleanly() -> Result<()> {
    let project = TempProject::plain()?;
    let mut server = hasty_share(project.path()).await?;
    let (_, pids) = start_family(&mut server.client().await?, &server.project, project.path()).await?;
    let code = server.process.interrupt().await?;
    assert_eq!(code, Some(0), "{}", server.process.stderr());
    await_end(pids).await
}

#[tokio::test]
async fn stopping_a_job_ends_every_process_it_started() -> Result<()> {
    let project = TempProject::plain()?;
    let server = hasty_share(project.path()).await?;
    let mut client = server.client().await?;
    let (job, pids) = start_family(&mut client, &server.project, project.path()).await?;
    let stopped = client.output("stop_job", json!({"job_id": job["job_id"]})).await?;
    assert_eq!((&stopped["stopped"], &stopped["outcome"]), (&json!(true), &json!("stopped")), "{stopped}");
    await_end(pids).await
}

#[tokio::test]
async fn a_time_limit_ends_every_process_and_says_so() -> Result<()> {
    let project = TempProject::plain()?;
    let server = TestServer::share(project.path()).await?;
    let arguments = json!({"project": server.project, "script": FAMILY, "timeout_secs": 1});
    let result = server.client().await?.call("run_shell", arguments).await?;
    assert_eq!(result["error"]["code"], "command_timed_out", "{result}");
    assert_eq!(result["output"]["stdout"]["text"], "up\n", "the output so far is kept: {result}");
    let pid =
        |name: &str| project.read(name).map(|text| String::from_utf8_lossy(&text).trim().parse::<u32>());
    await_end([pid("child.pid")??, pid("grandchild.pid")??]).await
}

#[tokio::test]
async fn a_command_is_over_when_it_ends_even_if_a_child_holds_its_output() -> Result<()> {
    let project = TempProject::plain()?;
    let server = TestServer::share(project.path()).await?;
    let arguments = json!({"project": server.project, "script": "sleep 300 & echo $! > left.pid; echo done"});
    let output = server.client().await?.output("run_shell", arguments).await?;
    assert_eq!(
        (&output["outcome"], &output["stdout"]["text"]),
        (&json!("passed"), &json!("done\n")),
        "{output}"
    );
    Ok(())
}

#[tokio::test]
async fn a_command_sees_no_key_of_ours_and_no_terminal() -> Result<()> {
    let project = TempProject::plain()?;
    let secret = "do-not-show-this-0123456789";
    let variables = [("WEBCODEX_TOKEN", secret), ("CONTROL_PLANE_API_KEY", secret)];
    let server = TestServer::share_with(&webcodex_testkit::webcodex()?, project.path(), &variables).await?;
    let script = "env; if [ -t 0 ] || [ -t 1 ]; then echo terminal; fi; read line || echo 'input is closed'";
    let output = server
        .client()
        .await?
        .output("run_shell", json!({"project": server.project, "script": script}))
        .await?;
    let text = output["stdout"]["text"].as_str().unwrap_or_default();
    assert!(!text.contains(secret) && !text.contains(&server.credential), "a key is visible to commands");
    assert!(text.ends_with("input is closed\n") && !text.contains("\nterminal\n"), "{text}");
    Ok(())
}

#[tokio::test]
async fn an_interrupted_share_ends_detached_commands_too() -> Result<()> {
    let project = TempProject::plain()?;
    let mut server = hasty_share(project.path()).await?;
    let mut client = server.client().await?;
    let arguments = json!({"project": server.project, "executable": "sh", "args": ["-c", FAMILY]});
    client.output("run_detached_process", arguments).await?;
    let file = |name: &str| project.path().join(name);
    await_condition("the detached family runs", || {
        file("child.pid").exists() && file("grandchild.pid").exists()
    })
    .await?;
    let pid = |name: &str| -> Result<u32> { Ok(std::fs::read_to_string(file(name))?.trim().parse()?) };
    let pids = [pid("child.pid")?, pid("grandchild.pid")?];
    assert_eq!(server.process.interrupt().await?, Some(0), "{}", server.process.stderr());
    await_end(pids).await
}
