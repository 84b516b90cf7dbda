//! ChatGPT reaches a folder through the OpenAI tunnel: fake control plane, real client, Server, Runner and files.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::{Value, json};
use webcodex_testkit::control_plane::{Endpoint, FakeControlPlane, Fault};
use webcodex_testkit::{Launched, TempProject, TestServer, await_condition};

const TUNNEL: &str = "tunnel_0123456789abcdef0123456789abcdef";
const KEY: &str = "sk-tunnel-planted-key-0123456789";

/// Shares `project` over `plane`, which has a port of its own.
async fn share(project: &TempProject, plane: &FakeControlPlane) -> Result<TestServer> {
    let base = format!("http://{}", plane.listen().await?);
    let variables = [
        ("CONTROL_PLANE_BASE_URL", base.as_str()),
        ("CONTROL_PLANE_TUNNEL_ID", TUNNEL),
        ("CONTROL_PLANE_API_KEY", KEY),
    ];
    TestServer::share_tunnel(&webcodex_testkit::webcodex()?, project.path(), &variables).await
}

fn modern() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "openai-mcp", "version": "1.0.0"},
        "io.modelcontextprotocol/clientCapabilities": {},
        "openai/session": "v1/window",
    })
}

/// Calls a tool as ChatGPT does and gives back its output.
async fn call(plane: &FakeControlPlane, tool: &str, arguments: Value) -> Result<Value> {
    let params = json!({"name": tool, "arguments": arguments, "_meta": modern()});
    let answer = plane.ended(&plane.call(json!(format!("call-{tool}")), "tools/call", params)).await;
    let result = &answer["resp_json"]["result"]["structuredContent"];
    anyhow::ensure!(result["success"] == true, "{tool} failed: {answer}");
    Ok(result["output"].clone())
}

#[tokio::test(flavor = "multi_thread")]
async fn chatgpt_edits_a_file_through_the_tunnel_and_no_secret_leaves() -> Result<()> {
    let project = TempProject::git()?;
    project.write("notes.txt", "one\ntwo\n")?;
    let plane = FakeControlPlane::new(TUNNEL, KEY);
    let server = share(&project, &plane).await?;
    plane.forbid(&server.credential);
    assert_eq!(server.tunnel["id"], TUNNEL);
    assert_eq!(server.tunnel["state"]["name"], "online", "{}", server.process.stderr());

    // What ChatGPT asks when the connector is made. The service passes no `Mcp-*` headers on here.
    let discover = plane.call(json!("openai-mcp-discover"), "server/discover", json!({"_meta": modern()}));
    let discovered = plane.ended(&discover).await;
    assert_eq!(discovered["resp_code"], 200, "{discovered}");
    assert!(
        discovered["resp_json"]["result"]["supportedVersions"]
            .as_array()
            .context("versions")?
            .contains(&json!("2026-07-28"))
    );
    let list = plane.ended(&plane.call(json!(1), "tools/list", json!({"_meta": modern()}))).await;
    assert!(list["resp_json"]["result"]["tools"].as_array().is_some_and(|tools| tools.len() > 10), "{list}");
    let unknown = plane.ended(&plane.call(json!(2), "no/such", json!({"_meta": modern()}))).await;
    assert_eq!(unknown["resp_json"]["error"]["code"], -32601, "{unknown}");
    assert_ne!(unknown["resp_code"], 400);

    let project_id =
        call(&plane, "work_on_project", json!({"project": server.project})).await?["project"].clone();
    let read =
        call(&plane, "read_files", json!({"project": server.project, "items": [{"path": "notes.txt"}]}))
            .await?;
    let change = json!({
        "kind": "replace_exact", "path": "notes.txt", "old_text": "two", "new_text": "zwei",
        "expected_read_revision": read["items"][0]["read_revision"],
    });
    call(&plane, "edit_project_files", json!({"project": server.project, "changes": [change]})).await?;
    assert_eq!(project.read("notes.txt")?, b"one\nzwei\n", "{project_id}");
    // The key is not in the environment of a command that a model starts.
    let printed =
        call(&plane, "run_process", json!({"project": server.project, "executable": "env"})).await?;
    assert!(!printed.to_string().contains(KEY), "{printed}");

    let end =
        plane.submit(json!({"command_type": "session_termination", "headers": {"Mcp-Session-Id": ["5f0c"]}}));
    assert_eq!(plane.ended(&end).await["resp_type"], "session_termination_response");
    assert_eq!(plane.breaches(), Vec::<String>::new());
    assert!(
        !server.process.stderr().contains(KEY) && !server.process.stderr().contains(&server.credential[8..])
    );
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_of_the_older_era_come_through_as_well() -> Result<()> {
    let project = TempProject::git()?;
    project.write("a.txt", "here\n")?;
    let plane = FakeControlPlane::new(TUNNEL, KEY);
    let server = share(&project, &plane).await?;
    let hello = json!({
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "openai-mcp", "version": "1"}
    });
    let begun = plane.ended(&plane.call(json!(0), "initialize", hello)).await;
    assert_eq!(begun["resp_json"]["result"]["protocolVersion"], "2025-11-25", "{begun}");
    let noted = plane.submit(json!({
        "jsonrpc": {"jsonrpc": "2.0", "method": "notifications/initialized"},
        "headers": {"Mcp-Protocol-Version": ["2025-11-25"]},
    }));
    assert_eq!(plane.ended(&noted).await["resp_type"], "notify_ack");
    let arguments = json!({"project": server.project, "items": [{"path": "a.txt"}]});
    let read = plane.submit(json!({
        "jsonrpc": {"jsonrpc": "2.0", "id": "r", "method": "tools/call",
            "params": {"name": "read_files", "arguments": arguments}},
        "headers": {"Mcp-Protocol-Version": ["2025-11-25"]},
    }));
    let read = plane.ended(&read).await;
    assert_eq!(
        read["resp_json"]["result"]["structuredContent"]["output"]["items"][0]["text"], "here\n",
        "{read}"
    );
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_answer_is_posted_again_byte_for_byte_and_the_edit_is_made_once() -> Result<()> {
    let project = TempProject::git()?;
    let plane = FakeControlPlane::new(TUNNEL, KEY);
    let server = share(&project, &plane).await?;
    plane.fail(Endpoint::Response, Fault::Cut(Duration::ZERO));
    plane.fail(Endpoint::Response, Fault::Status(503, None, None));
    let script = "printf x >> once.txt";
    let arguments = json!({"project": server.project, "script": script, "shell": "sh"});
    let params = json!({"name": "run_shell", "arguments": arguments, "_meta": modern()});
    let request = plane.call(json!("once"), "tools/call", params);
    let answer = plane.ended(&request).await;
    assert_eq!(answer["resp_json"]["id"], "once");
    let posts: Vec<_> = plane
        .posts()
        .into_iter()
        .filter(|post| String::from_utf8_lossy(&post.body).contains("once"))
        .collect();
    assert_eq!(posts.len(), 3);
    assert!(posts.iter().all(|post| post.body == posts[0].body));
    assert_eq!(project.read("once.txt")?, b"x");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_key_is_said_and_not_tried_again_and_the_folder_stays_served() -> Result<()> {
    let project = TempProject::git()?;
    project.write("a.txt", "here\n")?;
    let plane = FakeControlPlane::new(TUNNEL, "sk-another-key");
    let server = share(&project, &plane).await?;
    assert_eq!(server.tunnel["state"]["name"], "needs_you");
    assert_eq!(server.tunnel["state"]["reason"], "key_rejected");
    await_condition("the person is told", || server.process.stderr().contains("key")).await?;
    let polls = plane.polls().len();
    let arguments = json!({"project": server.project, "items": [{"path": "a.txt"}]});
    let read = server.client().await?.output("read_files", arguments).await?;
    assert_eq!(read["items"][0]["text"], "here\n");
    assert_eq!(plane.polls().len(), polls);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_tunnel_does_not_start_without_id_and_key() -> Result<()> {
    let project = TempProject::git()?;
    let refused = TestServer::share_tunnel(
        &webcodex_testkit::webcodex()?,
        project.path(),
        &[("CONTROL_PLANE_TUNNEL_ID", TUNNEL)],
    )
    .await;
    let why = format!("{:#}", refused.err().context("it started without a key")?);
    assert!(why.contains("CONTROL_PLANE_API_KEY"), "{why}");
    let variables = [("CONTROL_PLANE_TUNNEL_ID", "tunnel_short"), ("CONTROL_PLANE_API_KEY", KEY)];
    let refused = TestServer::share_tunnel(&webcodex_testkit::webcodex()?, project.path(), &variables).await;
    let why = format!("{:#}", refused.err().context("it started with half an id")?);
    assert!(why.contains("tunnel") && !why.contains(KEY), "{why}");
    Ok(())
}

/// What `doctor --connection ChatGPT --json` says with these variables: its exit code and, for each hop, whether it is
/// well and what was found.
async fn doctor(
    data: &Path,
    variables: &[(&str, &str)],
) -> Result<(Option<i32>, Vec<(String, bool, String)>)> {
    let arguments = ["doctor", "--connection", "ChatGPT", "--json"];
    let mut run = Launched::start(&webcodex_testkit::webcodex()?, data, &arguments, variables)?;
    let line = run.line().await?;
    webcodex_testkit::left::report(&line)?;
    assert!(!line.contains(KEY), "{line}");
    let said: Value = serde_json::from_str(&line)?;
    let checks = said["checks"].as_array().context("checks")?;
    let text = |check: &Value, field: &str| check[field].as_str().unwrap_or_default().to_owned();
    let hops = checks.iter().map(|check| (text(check, "name"), check["ok"] == true, text(check, "found")));
    Ok((run.wait().await?, hops.collect()))
}

#[tokio::test(flavor = "multi_thread")]
async fn doctor_names_the_hop_that_is_broken_and_takes_no_command_away() -> Result<()> {
    let project = TempProject::git()?;
    let plane = FakeControlPlane::new(TUNNEL, KEY);
    let server = share(&project, &plane).await?;
    let (code, hops) = doctor(server.data(), &[]).await?;
    assert_eq!(code, Some(0), "{hops:?}");
    assert!(hops.contains(&("ChatGPT / key".to_owned(), true, "works".to_owned())), "{hops:?}");
    assert!(hops.contains(&("ChatGPT / runner".to_owned(), true, "works".to_owned())), "{hops:?}");

    let other = FakeControlPlane::new(TUNNEL, "sk-another-key");
    let refused = share(&project, &other).await?;
    let (code, hops) = doctor(refused.data(), &[]).await?;
    assert_eq!(code, Some(1));
    let broken: Vec<_> = hops.iter().filter(|(_, well, _)| !well).map(|(name, ..)| name.as_str()).collect();
    assert_eq!(broken, ["ChatGPT / key"], "{hops:?}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn doctor_connects_by_itself_where_nothing_runs_and_carries_out_what_it_receives() -> Result<()> {
    let (project, data) = (TempProject::git()?, webcodex_testkit::left::folder()?);
    let plane = FakeControlPlane::new(TUNNEL, KEY);
    let base = format!("http://{}", plane.listen().await?);
    let variables = [
        ("CONTROL_PLANE_BASE_URL", base.as_str()),
        ("CONTROL_PLANE_TUNNEL_ID", TUNNEL),
        ("CONTROL_PLANE_API_KEY", KEY),
    ];
    let waiting = plane.call(json!(1), "tools/list", json!({"_meta": modern()}));
    let (code, hops) = doctor(data.path(), &variables).await?;
    assert_eq!(code, Some(0), "{hops:?}");
    assert!(plane.ended(&waiting).await["resp_json"]["result"]["tools"].is_array());
    assert!(project.path().is_dir() && plane.breaches().is_empty());
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn doctor_polls_for_no_connection_that_was_not_named_and_says_how_to() -> Result<()> {
    let data = webcodex_testkit::left::folder()?;
    let plane = FakeControlPlane::new(TUNNEL, KEY);
    let base = format!("http://{}", plane.listen().await?);
    let named = [
        ("CONTROL_PLANE_BASE_URL", base.as_str()),
        ("CONTROL_PLANE_TUNNEL_ID", TUNNEL),
        ("CONTROL_PLANE_API_KEY", KEY),
    ];
    for (arguments, variables, says) in [
        (
            &["doctor"][..],
            &named[..],
            "in the environment, not tried\n      next: run `webcodex doctor --connection ChatGPT`",
        ),
        (
            &["doctor", "--connection", "Work"],
            &named,
            "the connection of the environment is called `ChatGPT`",
        ),
        (&["doctor", "--connection", "Work"], &[], "CONTROL_PLANE_TUNNEL_ID and CONTROL_PLANE_API_KEY"),
    ] {
        let mut run = Launched::start(&webcodex_testkit::webcodex()?, data.path(), arguments, variables)?;
        let mut said = String::new();
        while let Ok(line) = run.line().await {
            said = said + &line + "\n";
        }
        assert_eq!(run.wait().await?, Some(1), "{arguments:?}");
        said += &run.stderr();
        assert!(said.contains(says), "{arguments:?}: {said}");
    }
    assert!(plane.polls().is_empty(), "a poll would take commands away");
    Ok(())
}
