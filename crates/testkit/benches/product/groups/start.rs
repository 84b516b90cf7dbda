//! How soon the first answer comes, and the calls that open a session.

use anyhow::Result;
use serde_json::json;

use crate::bench::Bench;
use crate::report::{Report, Target};
use crate::repository::SMALL_FILE;
use crate::samples::Samples;

pub(crate) async fn measure(bench: &Bench, report: &mut Report) -> Result<()> {
    let large = bench.large()?;
    let (mut ready, mut first) = (Samples::default(), Samples::default());
    for _ in 0..bench.rounds(20) {
        let mut one = Samples::default();
        let started = std::time::Instant::now();
        let server = one.time(bench.share(&large)).await?;
        let read = json!({"project": server.project, "items": [{"path": SMALL_FILE, "line_count": 10}]});
        server.client().await?.output("read_files", read).await?;
        first.push(started.elapsed().as_secs_f64() * 1e6);
        ready.append(one);
    }
    report.times("start to the ready line, large repository", &ready, Target::None);
    report.times("start to the first tool result, large repository", &first, Target::AtMost(100.0));

    let server = bench.share(&large).await?;
    let mut client = server.client().await?;
    let (mut work, mut list) = (Samples::default(), Samples::default());
    for _ in 0..bench.rounds(40) {
        work.time(client.output("work_on_project", json!({"project": server.project}))).await?;
    }
    for _ in 0..bench.rounds(200) {
        list.time(client.mcp("tools/list", json!({}))).await?;
    }
    report.times("work_on_project, large repository", &work, Target::AtMost(20.0));
    report.times("tools/list", &list, Target::AtMost(1.0));
    Ok(())
}
