//! A client that starts its servers itself speaks over standard input and output.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};

use anyhow::{Context, Result};
use serde_json::{Value, json};
use webcodex_testkit::{Launched, TempProject, webcodex};

/// `webcodex connect`, as a client starts it.
struct Connected {
    child: Child,
    input: ChildStdin,
    output: std::io::Lines<BufReader<std::process::ChildStdout>>,
}

impl Connected {
    fn start(data: &Path) -> Result<Self> {
        let mut command = Command::new(webcodex()?);
        command.arg("connect").env("WEBCODEX_DATA_DIR", data);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = child.stdin.take().context("stdin is piped")?;
        let output = BufReader::new(child.stdout.take().context("stdout is piped")?).lines();
        Ok(Self { child, input, output })
    }

    fn tell(&mut self, message: &Value) -> Result<()> {
        Ok(writeln!(self.input, "{message}")?)
    }

    fn ask(&mut self, id: u64, method: &str, params: Value) -> Result<Value> {
        self.tell(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        let answer: Value = serde_json::from_str(&self.output.next().context("it ended")??)?;
        anyhow::ensure!(answer["id"] == id, "{answer}");
        Ok(answer)
    }

    /// Ends standard input; what is left on standard output, and whether it ended well.
    fn end(self) -> Result<(usize, bool)> {
        let Self { mut child, input, output } = self;
        drop(input);
        let left = output.count();
        Ok((left, child.wait()?.success()))
    }
}

fn hello() -> Value {
    json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "Claude", "version": "1"}})
}

#[tokio::test(flavor = "multi_thread")]
async fn claude_desktop_works_in_a_folder_over_standard_input() -> Result<()> {
    let (project, data) = (TempProject::git()?, webcodex_testkit::left::folder()?);
    project.write("a.txt", "here\n")?;
    // No keychain is touched by a test.
    std::fs::write(data.path().join("settings.toml"), "[desktop]\nsecrets = \"owner_file\"\n")?;
    let folder = project.path().to_str().context("a test folder has a UTF-8 path")?;
    let mut serving = Launched::start(&webcodex()?, data.path(), &["run", "--json", folder], &[])?;
    let ready: Value = serde_json::from_str(&serving.line().await?)?;

    let mut client = Connected::start(data.path())?;
    let begun = client.ask(0, "initialize", hello())?;
    assert_eq!(begun["result"]["protocolVersion"], "2025-11-25", "{begun}");
    client.tell(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
    let items = json!({"project": ready["project"], "items": [{"path": "a.txt"}]});
    let read = client.ask(1, "tools/call", json!({"name": "read_files", "arguments": items}))?;
    assert_eq!(read["result"]["structuredContent"]["output"]["items"][0]["text"], "here\n", "{read}");
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {},
    });
    let listed = client.ask(2, "tools/list", json!({"_meta": meta}))?;
    assert!(listed["result"]["tools"].is_array(), "{listed}");

    // While nothing serves, a call says so; once something does again, the same client goes on.
    serving.kill().await?;
    let refused = client.ask(3, "tools/call", json!({"name": "read_files", "arguments": items}))?;
    assert!(refused["error"]["message"].as_str().is_some_and(|why| why.contains("not running")), "{refused}");
    let mut again = Launched::start(&webcodex()?, data.path(), &["run", "--json"], &[])?;
    again.line().await?;
    let read = client.ask(4, "tools/call", json!({"name": "read_files", "arguments": items}))?;
    assert_eq!(read["result"]["structuredContent"]["success"], true, "{read}");
    assert_eq!(client.end()?, (0, true), "it says nothing by itself and ends with its client");
    Ok(())
}
