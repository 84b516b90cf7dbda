//! The app without its window: a process of its own that runs a supervisor, so that it can be killed.

use std::process::Stdio;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use webcodex_contracts::{Permission, ProjectId};
use webcodex_supervisor::status::SettingsChange;
use webcodex_supervisor::{Message, Supervisor, SupervisorConfig};

use crate::support::{Home, PATIENCE};

/// The data folder, for the process that is to be the host.
const HOST_DATA: &str = "SUPERVISOR_TEST_DATA";

/// The host's own side: it tells every state on standard output and ends with its standard input's line.
#[tokio::test]
async fn host_process() {
    let Some(data) = std::env::var_os(HOST_DATA) else { return };
    let home = Home::at(data.into());
    let supervisor = Supervisor::start(SupervisorConfig { ..home.config() }).unwrap();
    let mut messages = supervisor.subscribe();
    let (tell, mut input) = tokio::sync::mpsc::unbounded_channel();
    // The thread ends with the process.
    std::thread::spawn(move || {
        std::io::stdin().lines().map_while(Result::ok).try_for_each(|line| tell.send(line))
    });
    loop {
        tokio::select! {
            message = messages.next() => if matches!(message, Some(Message::Status { .. } | Message::Changed { .. })) {
                let status = serde_json::to_string(&*supervisor.status()).unwrap();
                println!("status {status}");
            },
            Some(line) = input.recv() => match line.as_str() {
                "shutdown" => break,
                order => match order.split_once(' ') {
                    Some(("run", project)) => allow(&supervisor, project).await,
                    Some(("wait", seconds)) => if wait(&supervisor, seconds).await {
                        println!("waits {seconds}");
                    },
                    _ => drop(supervisor.add_folder(order.to_owned()).await),
                },
            },
        }
    }
    supervisor.shut_down().await;
}

/// Lets models run commands in a project without asking.
async fn allow(supervisor: &Supervisor, project: &str) {
    let project = ProjectId::parse(project).unwrap();
    supervisor.set_permission(project.clone(), Permission::EditRun).await.unwrap();
    supervisor.set_ask_first(project, false).await.unwrap();
}

/// Changes a setting; tells whether it is changed.
async fn wait(supervisor: &Supervisor, seconds: &str) -> bool {
    let change = SettingsChange { wait_seconds: Some(seconds.parse().unwrap()), ..SettingsChange::default() };
    supervisor.change_settings(change).await.is_ok()
}

/// The other side.
pub(crate) struct Host {
    child: Child,
    input: ChildStdin,
    lines: Lines<BufReader<ChildStdout>>,
    pub(crate) status: Value,
    /// The setting that was changed last, where one was.
    pub(crate) waits: Option<u64>,
}

impl Host {
    pub(crate) fn start(home: &Home, variables: &[(&str, &str)]) -> Self {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "host::host_process", "--nocapture"]).env(HOST_DATA, home.data());
        command.env("WEBCODEX_EXE", crate::support::program()).envs(variables.iter().copied());
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { input: child.stdin.take().unwrap(), lines, status: Value::Null, waits: None, child }
    }

    pub(crate) async fn say(&mut self, line: &str) {
        self.input.write_all(format!("{line}\n").as_bytes()).await.unwrap();
    }

    /// Reads until the status is as wanted.
    pub(crate) async fn reach(&mut self, what: &str, wanted: impl Fn(&Value) -> bool) {
        let reached = async {
            while !wanted(&self.status) {
                assert!(self.hear().await, "the host ended before this came true: {what}");
            }
        };
        let reached = tokio::time::timeout(PATIENCE, reached).await.is_ok();
        assert!(reached, "this did not come true: {what}; last {}", self.status["reason"]);
    }

    /// Takes in what it says next; `false` once it has ended.
    pub(crate) async fn hear(&mut self) -> bool {
        let Some(line) = self.lines.next_line().await.unwrap() else { return false };
        match line.split_once(' ') {
            Some(("status", text)) => self.status = serde_json::from_str(text).unwrap(),
            Some(("waits", seconds)) => self.waits = Some(seconds.parse().unwrap()),
            _ => {}
        }
        true
    }

    /// Its process.
    #[cfg(unix)]
    pub(crate) fn pid(&self) -> u32 {
        self.child.id().unwrap()
    }

    /// Ends it as a crash would.
    #[cfg(unix)]
    pub(crate) async fn kill(mut self) {
        self.child.kill().await.unwrap();
    }

    /// Ends it in order.
    pub(crate) async fn shut_down(mut self) {
        self.say("shutdown").await;
        let ended = tokio::time::timeout(PATIENCE, self.child.wait()).await;
        assert!(ended.unwrap().unwrap().success());
    }
}

/// Whether both parts of a status serve.
pub(crate) fn serves(status: &Value) -> bool {
    status["server"]["state"] == "running"
        && status["runner"]["state"] == "running"
        && status["state"] != "starting"
}
