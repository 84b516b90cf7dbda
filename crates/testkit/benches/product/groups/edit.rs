//! One edit of a 4 kB file, against writing the same bytes atomically: temporary file, sync, rename, sync of the folder.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use anyhow::{Result, ensure};
use serde_json::{Value, json};
use webcodex_testkit::{TempProject, TestServer, ToolClient};

use crate::bench::Bench;
use crate::burst::{Act, Crowd};
use crate::report::{Report, Target};
use crate::samples::{Samples, race};

pub(crate) async fn measure(bench: &Bench, report: &mut Report) -> Result<()> {
    let project = project(33)?;
    let server = bench.share(project.path()).await?;
    let mut editor = Editor::of(&server, 32).await?;
    let floor_file = project.path().join("floor.txt");
    let pair = race(
        bench.rounds(200),
        async |samples| samples.time(editor.act()).await,
        async |samples| samples.time(async { write_atomically(&floor_file, &text(7)) }).await,
    )
    .await?;
    report.pair("one edit of 4 kB, to an atomic write", &pair, Target::Ratio(1.3));
    for count in [8, 32] {
        let mut editors = Vec::new();
        for file in 0..count {
            editors.push(Editor::of(&server, file).await?);
        }
        let mut samples = Samples::default();
        Crowd::new(editors).burst(bench.rounds(40), &mut samples).await?;
        report.times(format!("one edit of 4 kB, {count} clients, each its file"), &samples, Target::None);
    }
    Ok(())
}

/// A repository with `files` files of 4 kB, on the disk that holds temporary files.
fn project(files: usize) -> Result<TempProject> {
    let project = TempProject::git()?;
    for file in 0..files {
        project.write(&name(file), text(0))?;
    }
    project.commit("Start")?;
    Ok(project)
}

fn name(file: usize) -> String {
    format!("file{file}.txt")
}

fn text(counter: u64) -> String {
    format!("counter = {counter};\n{}", "a line of ordinary text, forty bytes long\n".repeat(97))
}

/// Counts up in one file.
struct Editor {
    client: ToolClient,
    project: String,
    path: String,
    counter: u64,
    revision: Value,
}

impl Editor {
    async fn of(server: &TestServer, file: usize) -> Result<Self> {
        let (mut client, path) = (server.client().await?, name(file));
        let arguments = json!({"project": server.project, "items": [{"path": path}]});
        let read = client.output("read_files", arguments).await?;
        let first = read["items"][0]["text"]
            .as_str()
            .unwrap_or_default()
            .lines()
            .next()
            .unwrap_or_default()
            .to_owned();
        let counter = first.trim_start_matches("counter = ").trim_end_matches(';').parse()?;
        let revision = read["items"][0]["read_revision"].clone();
        Ok(Self { client, project: server.project.clone(), path, counter, revision })
    }
}

impl Act for Editor {
    async fn act(&mut self) -> Result<()> {
        let next = self.counter + 1;
        let change = json!({
            "kind": "replace_exact", "path": self.path, "expected_read_revision": self.revision,
            "old_text": format!("counter = {};", self.counter), "new_text": format!("counter = {next};"),
        });
        let arguments = json!({"project": self.project, "changes": [change]});
        let output = self.client.output("edit_project_files", arguments).await?;
        ensure!(output["changed"] == true, "nothing changed: {output}");
        self.revision = output["files"][0]["read_revision"].clone();
        self.counter = next;
        Ok(())
    }
}

fn write_atomically(path: &Path, text: &str) -> Result<()> {
    let temporary = path.with_extension("new");
    let mut file = File::create(&temporary)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(&temporary, path)?;
    if let Some(folder) = path.parent() {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}
