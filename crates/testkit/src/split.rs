//! Server and Runner as two processes, each of which can crash and come back by itself.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::client::ToolClient;
use crate::left;
use crate::processes::Launched;

/// `webcodex server` and `webcodex runner` with one data folder and one registered project.
pub struct SplitServer {
    /// The Server.
    pub server: Launched,
    /// The Runner.
    pub runner: Launched,
    /// The id of the project.
    pub project: String,
    executable: PathBuf,
    data: TempDir,
    address: SocketAddr,
    variables: &'static [(&'static str, &'static str)],
}

impl SplitServer {
    /// Registers `folder`, starts both and returns once they are linked.
    pub async fn start(folder: &Path) -> Result<Self> {
        Self::start_with(&crate::webcodex()?, folder, &[]).await
    }

    /// As [`SplitServer::start`], with a budget that hands commands over after one second.
    pub async fn start_hasty(folder: &Path) -> Result<Self> {
        Self::start_with(&crate::webcodex()?, folder, &[("WEBCODEX_MCP_BUDGET_SECS", "6")]).await
    }

    /// As [`SplitServer::start`], with a chosen executable and environment variables of the Server.
    pub async fn start_with(
        executable: &Path,
        folder: &Path,
        variables: &'static [(&'static str, &'static str)],
    ) -> Result<Self> {
        let data = left::folder()?;
        let project = register(executable, data.path(), folder)?;
        let (server, address) = start_server(executable, data.path(), variables).await?;
        let runner = Launched::start(executable, data.path(), &["runner"], &[])?;
        let split =
            Self { server, runner, project, executable: executable.to_owned(), data, address, variables };
        split.linked().await?;
        Ok(split)
    }

    /// Crashes the Server and starts it again; returns once the Runner has found it.
    pub async fn restart_server(&mut self) -> Result<()> {
        self.server.kill().await?;
        (self.server, self.address) =
            start_server(&self.executable, self.data.path(), self.variables).await?;
        self.linked().await
    }

    /// Crashes the Runner and starts it again; returns once it is linked.
    pub async fn restart_runner(&mut self) -> Result<()> {
        self.runner.kill().await?;
        self.runner = Launched::start(&self.executable, self.data.path(), &["runner"], &[])?;
        self.linked().await
    }

    /// A client with the installation's credential.
    pub async fn client(&self) -> Result<ToolClient> {
        let file = self.data.path().join("credentials").join("client");
        let credential =
            std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        ToolClient::connect(self.address, credential.trim()).await
    }

    /// The data folder of both.
    pub fn data(&self) -> &Path {
        self.data.path()
    }

    /// Waits until a call reaches the Runner and comes back.
    async fn linked(&self) -> Result<()> {
        let mut last = Value::Null;
        for _ in 0..600 {
            let mut client = self.client().await?;
            let arguments = json!({"project": self.project, "items": [{"path": "any"}]});
            last = client.call("read_files", arguments).await?;
            let code = last["error"]["code"].as_str();
            if !matches!(code, Some("agent_offline" | "runner_unresponsive")) {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        bail!("the Runner was not linked in time: {last}; its stderr:\n{}", self.runner.stderr())
    }
}

fn register(executable: &Path, data: &Path, folder: &Path) -> Result<String> {
    let mut add = Command::new(executable);
    add.args(["project", "add", "--json"]).arg(folder).env("WEBCODEX_DATA_DIR", data);
    let output = add.output().with_context(|| format!("cannot start {}", executable.display()))?;
    let problem = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "`project add` failed: {problem}");
    let added: Value = serde_json::from_slice(&output.stdout)?;
    added["project"].as_str().map(str::to_owned).with_context(|| format!("no project in {added}"))
}

async fn start_server(
    executable: &Path,
    data: &Path,
    variables: &[(&str, &str)],
) -> Result<(Launched, SocketAddr)> {
    let mut server = Launched::start(executable, data, &["server", "--json"], variables)?;
    let ready: Value = serde_json::from_str(&server.line().await?)?;
    let authority =
        ready["mcp_url"].as_str().and_then(|url| url.strip_prefix("http://")?.strip_suffix("/mcp"));
    let address = authority.with_context(|| format!("no mcp_url in {ready}"))?.parse()?;
    Ok((server, address))
}
