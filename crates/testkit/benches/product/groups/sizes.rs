//! Bytes of the answers, as they are on the wire.

use anyhow::{Context, Result};
use serde_json::{Value, json};
use webcodex_testkit::ToolClient;

use crate::bench::Bench;
use crate::report::{Report, Target};
use crate::repository::{COMMON_WORD, SMALL_FILE};

pub(crate) async fn measure(bench: &Bench, report: &mut Report) -> Result<()> {
    let server = bench.share(&bench.real()?).await?;
    let mut client = server.client().await?;
    let list = client.mcp("tools/list", json!({})).await?;
    report.value(
        "bytes of tools/list",
        "bytes",
        list["tools"].to_string().len() as f64,
        Target::AtMost(24_000.0),
    );
    for (name, tool, mut arguments) in calls() {
        arguments["project"] = json!(server.project);
        let bytes = bytes_of(&mut client, tool, &arguments).await.with_context(|| name.to_owned())?;
        report.value(format!("bytes of {name}"), "bytes", bytes as f64, Target::None);
    }
    Ok(())
}

fn calls() -> Vec<(&'static str, &'static str, Value)> {
    let lines = |count: u64| json!({"items": [{"path": SMALL_FILE, "line_count": count}]});
    let search = |limit: u64| json!({"queries": [{"pattern": COMMON_WORD, "limit": limit}]});
    vec![
        ("work_on_project", "work_on_project", json!({})),
        ("a read of 10 lines", "read_files", lines(10)),
        ("a read of a file of 5 kB", "read_files", json!({"items": [{"path": SMALL_FILE}]})),
        ("a search with 10 matches", "search_project_texts", search(10)),
        ("a search with 200 matches", "search_project_texts", search(200)),
        ("changes of 7 files, diff none", "read_workspace_changes", json!({"diff": "none"})),
        ("changes of 7 files, diff hunks", "read_workspace_changes", json!({"diff": "hunks"})),
        ("run_process of `true`", "run_process", json!({"executable": "true"})),
    ]
}

async fn bytes_of(client: &mut ToolClient, tool: &str, arguments: &Value) -> Result<usize> {
    let body = json!({"tool": tool, "arguments": arguments}).to_string();
    let answer = client.post("/api/tools/call", body).await?;
    anyhow::ensure!(answer.json()?["success"] == true, "{tool}: {:?}", answer.body);
    Ok(answer.body.len())
}
