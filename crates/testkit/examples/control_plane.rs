//! OpenAI's side of the tunnel as a program, for tests that are not written in Rust.
//!
//! The first line on standard input is `{"tunnel": ID, "key": KEY}`; the first line on standard output tells where it
//! listens: `{"address": "http://127.0.0.1:PORT"}`. Then every line is one request, answered by one line:
//!
//! - `{"do": "call", "method": METHOD, "params": {…}}` calls as ChatGPT does: `{"answer": …}` is what came back;
//! - `{"do": "wait_for_poll"}` waits until a client polls: `{"polls": COUNT}`;
//! - `{"do": "refuse", "status": 401}` refuses everything from now on, `null` ends that: `{"refused": …}`;
//! - `{"do": "breaches"}` tells what the client did against the rules: `{"breaches": […]}`.
//!
//! It ends with its standard input.

use std::io::{BufRead, Write};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use webcodex_testkit::control_plane::{Endpoint, FakeControlPlane, Fault};

#[tokio::main]
async fn main() -> Result<()> {
    let mut lines = std::io::stdin().lock().lines();
    let first = lines.next().context("the first line names tunnel and key")??;
    let first: Value = serde_json::from_str(&first)?;
    let text = |field: &str| first[field].as_str().with_context(|| format!("`{field}` is missing"));
    let plane = FakeControlPlane::new(text("tunnel")?, text("key")?);
    say(&json!({"address": format!("http://{}", plane.listen().await?)}))?;
    for line in lines {
        let request: Value = serde_json::from_str(&line?)?;
        say(&answer(&plane, &request).await?)?;
    }
    Ok(())
}

async fn answer(plane: &FakeControlPlane, request: &Value) -> Result<Value> {
    match request["do"].as_str() {
        Some("call") => {
            let method = request["method"].as_str().context("`method` is missing")?;
            let call = plane.call(json!("a-call"), method, request["params"].clone());
            Ok(json!({"answer": plane.ended(&call).await}))
        }
        Some("wait_for_poll") => {
            plane.until(|plane| !plane.polls().is_empty()).await;
            Ok(json!({"polls": plane.polls().len()}))
        }
        Some("refuse") => {
            let status = request["status"].as_u64().map(u16::try_from).transpose()?;
            for endpoint in [Endpoint::Tunnel, Endpoint::Poll] {
                plane.fail_always(endpoint, status.map(|status| Fault::Status(status, None, None)));
            }
            Ok(json!({"refused": status}))
        }
        Some("breaches") => Ok(json!({"breaches": plane.breaches()})),
        _ => bail!("`do` is call, wait_for_poll, refuse or breaches"),
    }
}

/// One line, seen at once by whoever reads it.
fn say(value: &Value) -> Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{value}")?;
    Ok(out.flush()?)
}
