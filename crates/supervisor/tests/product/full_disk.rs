//! A disk without room: said as it is, nothing lost, and all is well by itself once there is room.

use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use webcodex_supervisor::status::{PartState, Reason, Remark, SettingsChange, StateName};
use webcodex_supervisor::{Status, Supervisor};
use webcodex_testkit::{TempProject, ToolClient};

use crate::namespace;
use crate::support::{Home, client, reach, serves};

/// A disk of its own, of few megabytes; gone when dropped.
pub(crate) struct Disk {
    folder: PathBuf,
}

impl Disk {
    pub(crate) fn mount(folder: &Path, megabytes: u32) -> Self {
        let (size, path) = (format!("size={megabytes}m"), folder.display().to_string());
        namespace::run("mount", &["-t", "tmpfs", "-o", &size, "tmpfs", &path]);
        Self { folder: folder.to_owned() }
    }

    /// Leaves no room, not even for a file of one byte.
    pub(crate) fn fill(&self) {
        let mut file = File::options().create(true).append(true).open(self.filler()).unwrap();
        for piece in [vec![b'x'; 1 << 20], vec![b'x'; 4096]] {
            loop {
                match file.write_all(&piece) {
                    Ok(()) => {}
                    Err(error) if error.kind() == ErrorKind::StorageFull => break,
                    Err(error) => panic!("{error}"),
                }
            }
        }
        let probe = std::fs::write(self.folder.join("probe"), "x");
        assert_eq!(probe.unwrap_err().kind(), ErrorKind::StorageFull);
        std::fs::remove_file(self.folder.join("probe")).unwrap();
    }

    pub(crate) fn make_room(&self) {
        std::fs::remove_file(self.filler()).unwrap();
    }

    fn filler(&self) -> PathBuf {
        self.folder.join("filler")
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // Lazily: on the way out of a failed test the programs may still use it.
        let _ = std::process::Command::new("umount").arg("--lazy").arg(&self.folder).status();
    }
}

fn is_full(status: &Status) -> bool {
    matches!(status.reason, Reason::DiskFull { .. })
}

fn server_pid(home: &Home) -> u32 {
    home.pids()[0]
}

/// Registers a folder that models may edit without asking; gives its id.
async fn editable(supervisor: &Supervisor, folder: &Path) -> String {
    supervisor.add_folder(folder.display().to_string()).await.unwrap();
    let status = reach(supervisor, "the folder is listed", |status| !status.projects.is_empty()).await;
    let project = status.projects[0].id.clone();
    supervisor.set_ask_first(project.clone(), false).await.unwrap();
    reach(supervisor, "nobody asks", |status| !status.projects[0].ask_first).await;
    project.to_string()
}

/// Reads the first line.
async fn read(client: &mut ToolClient, project: &str) -> Value {
    let items = json!([{"path": "a.txt", "start_line": 1, "line_count": 1}]);
    let read = client.output("read_files", json!({"project": project, "items": items})).await.unwrap();
    read["items"][0].clone()
}

/// Replaces the first line.
async fn write(client: &mut ToolClient, project: &str, text: &str) -> Value {
    let seen = read(client, project).await;
    let (old, revision) = (&seen["text"], &seen["read_revision"]);
    let change = json!({
        "kind": "replace_exact", "path": "a.txt", "old_text": old, "new_text": text, "expected_read_revision": revision
    });
    client.call("edit_project_files", json!({"project": project, "changes": [change]})).await.unwrap()
}

#[tokio::test]
async fn a_full_data_folder_is_said_and_nothing_of_it_is_lost() {
    if !namespace::inside("full_disk::a_full_data_folder_is_said_and_nothing_of_it_is_lost", &["--mount"]) {
        return;
    }
    let home = Home::new();
    let settings = std::fs::read(home.folders().settings_file()).unwrap();
    let disk = Disk::mount(home.data(), 24);
    std::fs::write(home.folders().settings_file(), settings).unwrap();
    let work = TempProject::plain().unwrap();
    work.write("a.txt", "old\n").unwrap();
    let supervisor = home.start();
    reach(&supervisor, "it serves", serves).await;
    let project = editable(&supervisor, work.path()).await;
    let credential = supervisor.reveal_credential().await.unwrap();
    let mut tools = client(&supervisor).await;
    read(&mut tools, &project).await;
    let before = reach(&supervisor, "the call is listed", |status| !status.calls.is_empty()).await;
    let first = before.calls.last().unwrap().id.clone();
    // Whoever asks for earlier ones gets what is written, after it is written.
    supervisor.earlier_calls(first.clone()).await.unwrap();
    let kept = ["settings.toml", "port", "runner/projects.toml"].map(|file| home.data().join(file));
    let as_they_were = kept.clone().map(|file| std::fs::read(file).unwrap());

    disk.fill();
    let refused = supervisor
        .change_settings(SettingsChange { wait_seconds: Some(40), ..SettingsChange::default() })
        .await
        .unwrap_err();
    assert_eq!(refused.code, "settings_not_saved");
    let status = reach(&supervisor, "the full disk is said", is_full).await;
    assert_eq!(status.state, StateName::Problem);
    assert_eq!(status.settings.wait_seconds, before.settings.wait_seconds, "nothing else than the file says");
    assert_eq!(read(&mut tools, &project).await["text"], "old\n", "reading needs no room");
    let edited = write(&mut tools, &project, "new\n").await;
    println!("an edit while the data folder is full: {edited}");
    let expected = if edited["success"] == true { "new\n" } else { "old\n" };
    assert_eq!(work.read("a.txt").unwrap(), expected.as_bytes(), "{edited}");
    let while_full = supervisor.status().calls[0].id.clone();
    supervisor.earlier_calls(first.clone()).await.unwrap();

    disk.make_room();
    let fine = |status: &Status| serves(status) && !is_full(status) && !status.projects.is_empty();
    reach(&supervisor, "all is well by itself", fine).await;
    supervisor.earlier_calls(first.clone()).await.unwrap();

    disk.fill();
    kill_process(Pid::from_raw(server_pid(&home) as i32).unwrap(), Signal::KILL).unwrap();
    let cannot = |status: &Status| is_full(status) && status.server.state != PartState::Running;
    reach(&supervisor, "the Server cannot start, and why is said", cannot).await;

    disk.make_room();
    let status = reach(&supervisor, "all is well by itself", fine).await;
    assert!(!status.remarks.iter().any(|remark| matches!(remark, Remark::HistoryRestored { .. })));
    assert_eq!(status.address, before.address, "clients find the same address");
    assert_eq!(supervisor.reveal_credential().await.unwrap(), credential);
    for kept in [first, while_full] {
        assert!(status.calls.iter().any(|call| call.id == kept), "{kept} is not in the history");
    }
    for (file, bytes) in kept.iter().zip(as_they_were) {
        assert_eq!(std::fs::read(file).unwrap(), bytes, "{}", file.display());
    }
    let mut tools = client(&supervisor).await;
    let edited = write(&mut tools, &project, "newer\n").await;
    assert_eq!(edited["success"], true, "{edited}");
    let change = SettingsChange { wait_seconds: Some(40), ..SettingsChange::default() };
    supervisor.change_settings(change).await.unwrap();
    supervisor.shut_down().await;
}

#[tokio::test]
async fn an_edit_that_has_no_room_leaves_every_byte_as_it_was() {
    if !namespace::inside("full_disk::an_edit_that_has_no_room_leaves_every_byte_as_it_was", &["--mount"]) {
        return;
    }
    let (home, work) = (Home::new(), tempfile::tempdir().unwrap());
    let disk = Disk::mount(work.path(), 2);
    let old = format!("the first\n{}", "an old line\n".repeat(20_000));
    std::fs::write(work.path().join("a.txt"), &old).unwrap();
    std::fs::write(work.path().join("b.txt"), &old).unwrap();
    let supervisor = home.start();
    reach(&supervisor, "it serves", serves).await;
    let project = editable(&supervisor, work.path()).await;
    let mut tools = client(&supervisor).await;
    disk.fill();
    let names = || {
        let entries = std::fs::read_dir(work.path()).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let there = names();

    let refused = write(&mut tools, &project, &"a new line\n".repeat(20_000)).await;
    assert_eq!(refused["error"]["code"], "disk_full", "{refused}");
    assert_eq!(std::fs::read_to_string(work.path().join("a.txt")).unwrap(), old);
    assert_eq!(names(), there, "nothing is left lying about");
    let status = supervisor.status();
    assert!(serves(&status) && !is_full(&status), "the app's own disk has room: {:?}", status.reason);

    disk.make_room();
    let edited = write(&mut tools, &project, "new\n").await;
    assert_eq!(edited["success"], true, "{edited}");
    let new = old.replacen("the first\n", "new\n", 1);
    assert_eq!(std::fs::read_to_string(work.path().join("a.txt")).unwrap(), new);
    assert_eq!(std::fs::read_to_string(work.path().join("b.txt")).unwrap(), old);
    supervisor.shut_down().await;
}
