//! Nothing secret is left behind: not in files, not in what is written, not in what everybody sees of a process.

#![cfg(target_os = "linux")]

use anyhow::{Context, Result};
use serde_json::{Value, json};
use webcodex_testkit::control_plane::FakeControlPlane;
use webcodex_testkit::{Launched, SecretScan, TempProject, ToolClient, left};

const TUNNEL: &str = "tunnel_0123456789abcdef0123456789abcdef";
/// Each of these carries a mark by which it is found.
const KEY: &str = "sk-proj_canary-4d7a90b1e8c25f36-tunnel-key";
const WRONG: &str = "wrong-bearer-canary-61f0d3a8c7b2e954";
const FOREIGN: &str = "connector-login-canary-b5e2c8091d7f4a63";

/// Everything that is written down is asked for, so that what must not be in it has a chance to be.
const LOUD: (&str, &str) = ("WEBCODEX_LOG", "trace");
/// A command is handed over after a second, so that it goes on while the rest is looked at.
const HASTY: (&str, &str) = ("WEBCODEX_MCP_BUDGET_SECS", "6");

struct House {
    data: tempfile::TempDir,
    project: TempProject,
    plane: FakeControlPlane,
    base: String,
    key_file: tempfile::NamedTempFile,
}

impl House {
    async fn new() -> Result<Self> {
        let plane = FakeControlPlane::new(TUNNEL, KEY);
        let base = format!("http://{}", plane.listen().await?);
        let key_file = tempfile::NamedTempFile::new()?;
        std::fs::write(key_file.path(), KEY)?;
        let data = left::folder()?;
        Ok(Self { data, project: TempProject::git()?, plane, base, key_file })
    }

    fn start(&self, arguments: &[&str]) -> Result<Launched> {
        let variables = [("CONTROL_PLANE_BASE_URL", self.base.as_str()), LOUD, HASTY];
        Launched::start(&webcodex_testkit::webcodex()?, self.data.path(), arguments, &variables)
    }

    /// Shares the project through the tunnel; gives back what was said when it was ready.
    async fn share(&self) -> Result<(Launched, Value)> {
        let folder = self.project.path().to_str().context("UTF-8")?;
        let key_file = self.key_file.path().to_str().context("UTF-8")?;
        let tunnel = ["--tunnel", "openai", "--tunnel-id", TUNNEL, "--tunnel-key-file", key_file];
        let mut process = self.start(&[&["share"], &tunnel[..], &["--json", folder]].concat())?;
        let ready = serde_json::from_str(&process.line().await?)?;
        Ok((process, ready))
    }

    /// What a command says on its standard output, all of it.
    async fn say(&self, arguments: &[&str]) -> Result<String> {
        let mut run = self.start(arguments)?;
        let line = run.line().await?;
        run.wait().await?;
        left::report(&line)?;
        Ok(line + &run.stderr())
    }
}

/// A call of ChatGPT whose connector sends a login with it.
async fn through_the_tunnel(plane: &FakeControlPlane, project: &Value) -> Result<()> {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "openai-mcp", "version": "1.0.0"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let arguments = json!({"project": project, "executable": "env"});
    let call = plane.submit(json!({
        "headers": {"Authorization": [format!("Bearer {FOREIGN}")], "Cookie": [format!("login={FOREIGN}")]},
        "jsonrpc": {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": "run_process", "arguments": arguments, "_meta": meta}},
    }));
    let answer = plane.ended(&call).await;
    anyhow::ensure!(answer["resp_json"]["result"]["structuredContent"]["success"] == true, "{answer}");
    Ok(())
}

fn descendants(of: u32) -> Vec<u32> {
    let parent = |pid: u32| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse::<u32>().ok()
    };
    let all: Vec<u32> = std::fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .collect();
    let mut found = vec![of];
    let mut next = 0;
    while let Some(&one) = found.get(next) {
        found.extend(all.iter().filter(|pid| parent(**pid) == Some(one)));
        next += 1;
    }
    found
}

#[tokio::test(flavor = "multi_thread")]
async fn no_secret_is_in_logs_argv_environment_database_or_reports_not_even_after_a_crash() -> Result<()> {
    let house = House::new().await?;
    let (mut process, ready) = house.share().await?;
    let credential = ready["credential"].as_str().context("credential")?.to_owned();
    let project = &ready["project"];
    let address = ready["mcp_url"].as_str().context("mcp_url")?;
    let address = address.trim_start_matches("http://").trim_end_matches("/mcp").parse()?;
    let mut client = ToolClient::connect(address, &credential).await?;
    client.output("run_shell", json!({"project": project, "script": "sleep 300"})).await?;
    through_the_tunnel(&house.plane, project).await?;
    let refused = ToolClient::connect(address, WRONG).await?.post("/api/tools/call", "{}").await?;
    assert_eq!(refused.status, 401);

    let mut scan = SecretScan::new([
        ("the tunnel's key", KEY),
        ("a wrong bearer", WRONG),
        ("a connector's login", FOREIGN),
        ("the clients' credential", credential.as_str()),
    ])?
    .kept_in(house.data.path().join("credentials"));
    for report in [&["doctor", "--json"][..], &["status", "--json"]] {
        scan.bytes(&report.join(" "), house.say(report).await?.as_bytes());
    }
    let family = descendants(process.pid().context("it runs")?);
    assert!(family.len() > 1, "the command of the model runs as well: {family:?}");
    for pid in family {
        scan.process(pid)?;
    }

    // It crashes in the middle of the work.
    let pid = process.pid().context("it runs")?.to_string();
    assert!(std::process::Command::new("kill").args(["-ABRT", &pid]).status()?.success());
    process.wait().await?;
    scan.bytes("what it wrote", process.stderr().as_bytes());
    scan.folder(house.data.path())?;
    let databases = scan.files().iter().filter(|file| file.to_string_lossy().contains(".db")).count();
    assert!(databases >= 2, "the database and what is not yet in it: {:?}", scan.files());
    assert!(process.stderr().len() > 1000, "it wrote a lot");
    scan.found_none()
}
