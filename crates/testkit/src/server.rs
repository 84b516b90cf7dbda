//! The product as a user starts it: `webcodex share --tunnel none --json FOLDER`.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::Value;
use tempfile::TempDir;

use crate::client::ToolClient;
use crate::left;
use crate::processes::Launched;

/// A shared folder with its Server and Runner.
pub struct TestServer {
    /// Where MCP clients connect.
    pub mcp_url: String,
    /// The bearer credential that `share` printed.
    pub credential: String,
    /// The id of the shared project.
    pub project: String,
    /// The process that serves HTTP.
    pub server_pid: u32,
    /// The process that touches files; the same one where both share a process.
    pub runner_pid: u32,
    /// What was said about the tunnel; null without one.
    pub tunnel: Value,
    /// The `share` command itself.
    pub process: Launched,
    data: Data,
}

/// The data folder: our own, or one that outlives the server.
enum Data {
    Own(TempDir),
    Lent(PathBuf),
}

impl Data {
    fn path(&self) -> &Path {
        match self {
            Data::Own(folder) => folder.path(),
            Data::Lent(folder) => folder,
        }
    }
}

impl TestServer {
    /// Shares `folder` and returns once it is served.
    pub async fn share(folder: &Path) -> Result<Self> {
        Self::share_with(&crate::webcodex()?, folder, &[]).await
    }

    /// As [`TestServer::share`], with a chosen executable and environment variables.
    pub async fn share_with(executable: &Path, folder: &Path, variables: &[(&str, &str)]) -> Result<Self> {
        let data = left::folder()?;
        Self::start(executable, Data::Own(data), folder, "none", variables).await
    }

    /// As [`TestServer::share`], reachable through the OpenAI tunnel that `variables` name.
    pub async fn share_tunnel(executable: &Path, folder: &Path, variables: &[(&str, &str)]) -> Result<Self> {
        let data = left::folder()?;
        Self::start(executable, Data::Own(data), folder, "openai", variables).await
    }

    /// As [`TestServer::share`], with a data folder that stays, so that a later server finds what this one left.
    pub async fn share_in(data: &Path, folder: &Path) -> Result<Self> {
        Self::start(&crate::webcodex()?, Data::Lent(data.to_owned()), folder, "none", &[]).await
    }

    async fn start(
        executable: &Path,
        data: Data,
        folder: &Path,
        tunnel: &str,
        variables: &[(&str, &str)],
    ) -> Result<Self> {
        let folder = folder.to_str().context("a test folder has a UTF-8 path")?;
        let arguments = ["share", "--tunnel", tunnel, "--json", folder];
        let mut process = Launched::start(executable, data.path(), &arguments, variables)?;
        let line = process.line().await?;
        let ready: Value =
            serde_json::from_str(&line).with_context(|| format!("not a JSON line: {line:?}"))?;
        let credential = text(&ready, "credential")?;
        left::planted("a shared folder's credential", &credential);
        Ok(Self {
            mcp_url: text(&ready, "mcp_url")?,
            credential,
            project: text(&ready, "project")?,
            server_pid: pid(&ready, "server_pid")?,
            runner_pid: pid(&ready, "runner_pid")?,
            tunnel: ready["tunnel"].clone(),
            process,
            data,
        })
    }

    /// The loopback address that `mcp_url` names.
    pub fn address(&self) -> Result<SocketAddr> {
        let authority = self.mcp_url.strip_prefix("http://").and_then(|rest| rest.strip_suffix("/mcp"));
        match authority {
            Some(authority) => {
                authority.parse().with_context(|| format!("{} names no address", self.mcp_url))
            }
            None => bail!("`{}` is not http://ADDRESS/mcp", self.mcp_url),
        }
    }

    /// A client with the printed credential on a connection of its own.
    pub async fn client(&self) -> Result<ToolClient> {
        ToolClient::connect(self.address()?, &self.credential).await
    }

    /// The data folder of this server.
    pub fn data(&self) -> &Path {
        self.data.path()
    }
}

fn text(ready: &Value, field: &str) -> Result<String> {
    ready[field].as_str().map(str::to_owned).with_context(|| format!("`{field}` is missing in {ready}"))
}

fn pid(ready: &Value, field: &str) -> Result<u32> {
    let number = ready[field].as_u64().and_then(|number| u32::try_from(number).ok());
    number.with_context(|| format!("`{field}` is missing in {ready}"))
}
