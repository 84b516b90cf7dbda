//! `webcodex connect`: MCP over standard input and output, passed on to the Server that runs.
//!
//! For clients such as Claude Desktop that start their servers themselves. The credential stays on this side; the
//! client's configuration holds none.

use std::io::Write;
use std::sync::{Arc, OnceLock};

use anyhow::Context;
use bytes::Bytes;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::sync::Mutex;
use tokio::task::JoinSet;
use webcodex_settings::{Environment, Folders, Secret, Settings};

use crate::failure::Failure;
use crate::instance::ServerFile;
use crate::{household, logging, request};

/// JSON-RPC: the server cannot do it now.
const NOT_NOW: i64 = -32000;

/// Arguments of `webcodex connect`: none.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {}

/// Passes messages on until standard input ends.
pub(crate) fn run(_: Arguments) -> Result<(), Failure> {
    let settings = Settings::load(&Environment::of_process())?;
    logging::start(&settings);
    household::runtime()?.block_on(pass_on(settings.folders))
}

async fn pass_on(folders: Folders) -> Result<(), Failure> {
    let way = Arc::new(Way { folders, revision: OnceLock::new(), credential: Mutex::default() });
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    let mut calls = JoinSet::new();
    let failed = |error| Failure::new("standard input broke off").why(error);
    while let Some(line) = lines.next_line().await.map_err(failed)? {
        if line.trim().is_empty() {
            continue;
        }
        let way = Arc::clone(&way);
        // A call may take a minute; others go on beside it.
        calls.spawn(async move { way.carry(line.into()).await });
        while calls.try_join_next().is_some() {}
    }
    while calls.join_next().await.is_some() {}
    Ok(())
}

/// The way to the Server, found anew for each message: it may have been started again.
struct Way {
    folders: Folders,
    /// The revision that the client and the Server have agreed on.
    revision: OnceLock<String>,
    /// As it was read last: a keychain may ask the person, or take its time, at every reading.
    credential: Mutex<Option<Secret>>,
}

impl Way {
    /// Carries one message there and its answer back.
    async fn carry(&self, message: Bytes) {
        let head = serde_json::from_slice::<Value>(&message).unwrap_or_default();
        let id = head.get("id").filter(|_| head.get("method").is_some()).cloned();
        let answer = match self.ask(message).await {
            Ok(answer) => answer,
            Err(why) => json!({
                "jsonrpc": "2.0", "id": id, "error": {"code": NOT_NOW, "message": format!("{why:#}")},
            }),
        };
        if let Some(revision) = answer.pointer("/result/protocolVersion").and_then(Value::as_str)
            && head.get("method").and_then(Value::as_str) == Some("initialize")
        {
            // A client that begins again speaks the same revision.
            let _ = self.revision.set(revision.to_owned());
        }
        if id.is_some() && !answer.is_null() {
            // One that has gone reads no answer; standard input then ends as well.
            let mut out = std::io::stdout().lock();
            let _ = writeln!(out, "{answer}").and_then(|()| out.flush());
        }
    }

    async fn ask(&self, message: Bytes) -> anyhow::Result<Value> {
        let Some(server) = ServerFile::of_running(&self.folders) else {
            anyhow::bail!(
                "WebCodex is not running: start the app (or `webcodex run`), then try again; nothing was done"
            );
        };
        let revision = self.revision.get().map(String::as_str);
        let known = self.credential.lock().await.clone();
        if let Some(known) = known
            && let Some(answer) =
                request::mcp(server.address, message.clone(), revision, known.expose()).await?
        {
            return Ok(answer);
        }
        // None was read yet, or the person has replaced it.
        let read = self.read_credential().await?;
        let answer = request::mcp(server.address, message, revision, read.expose()).await?;
        answer.context("the Server does not accept the credential of this installation; nothing was done")
    }

    async fn read_credential(&self) -> anyhow::Result<Secret> {
        let mut kept = self.credential.lock().await;
        let read = webcodex_supervisor::client_credential(&self.folders).await?;
        let read =
            read.context("this installation has no credential yet: start the app once; nothing was done")?;
        Ok(kept.insert(read).clone())
    }
}
