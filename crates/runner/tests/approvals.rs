//! What the person allows and what they are asked first: every tool under every permission, and calls that wait for an
//! answer over a real link.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by it")]

use std::collections::BTreeSet;
use std::future::Future;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use webcodex_contracts::call::{CallContext, Grant};
use webcodex_contracts::control::{ApprovalAsks, ApprovalScope};
use webcodex_contracts::policy::{HostProfile, WaitingPolicy};
use webcodex_contracts::{CallId, ClientId, Permission, Side, ToolName, table};
use webcodex_link::{
    Call, CallError, CallHandler, Caller, LinkPolicy, Question, RunnerHandle, Runners, Verdict,
};
use webcodex_process::PathSource;
use webcodex_projects::{FolderRules, TermsChange};
use webcodex_runner::{Runner, RunnerConfig};

struct House {
    folder: tempfile::TempDir,
    runner: Arc<Runner>,
    project: String,
}

impl House {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("project")).unwrap();
        let runner = Runner::open(RunnerConfig {
            data_dir: folder.path().join("data"),
            client: ClientId::parse("test").unwrap(),
            version: "0".to_owned(),
            rules: FolderRules::default(),
            path_source: PathSource::Environment,
            region: None,
        })
        .unwrap();
        let root = folder.path().join("project");
        let registered = runner.projects().register(root.to_str().unwrap(), None, None).unwrap();
        let project = registered.project.id.to_string();
        Self { folder, runner, project }
    }

    fn asking() -> Self {
        let house = Self::new();
        house.set(None, Some(true));
        house
    }

    fn set(&self, permission: Option<Permission>, ask_first: Option<bool>) {
        self.runner.projects().set_terms("project", TermsChange { permission, ask_first }).unwrap();
    }

    fn at(&self, path: &str) -> PathBuf {
        self.folder.path().join("project").join(path)
    }

    fn files(&self) -> BTreeSet<String> {
        let entries = std::fs::read_dir(self.at("")).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    /// Calls a tool with nobody to ask.
    async fn call(&self, tool: ToolName, mut arguments: Value) -> Value {
        if arguments.get("project") == Some(&Value::Null) {
            arguments["project"] = json!(self.project);
        }
        let canonical = table::get(tool).canonicalise(arguments);
        let canonical = canonical.unwrap_or_else(|error| panic!("{tool}: {error:?}"));
        let arguments = serde_json::value::to_raw_value(&canonical).unwrap();
        let call = Call { tool, arguments, context: context(20) };
        let caller = Caller::silent(CancellationToken::new());
        serde_json::to_value(Arc::clone(&self.runner).call(call, caller).await).unwrap()
    }

    /// Links the Runner to a Server; it ends with the token.
    async fn link(&self) -> (RunnerHandle, CancellationToken) {
        let (near, far) = tokio::io::duplex(64 * 1024);
        let (runners, killed) = (Runners::new(), CancellationToken::new());
        tokio::spawn({
            let runners = runners.clone();
            async move { runners.serve(near, LinkPolicy::default()).await }
        });
        let (runner, ended) = (Arc::clone(&self.runner), killed.clone());
        tokio::spawn(async move {
            let hello = runner.hello();
            let serving = webcodex_link::serve(far, hello, runner, |_| {});
            tokio::select! { ended = serving => drop(ended), () = ended.cancelled() => {} }
        });
        loop {
            match runners.find("test") {
                Some(runner) => return (runner, killed),
                None => tokio::task::yield_now().await,
            }
        }
    }

    /// Calls a tool over a link; `answer` is the person.
    async fn ask<A: Future<Output = Verdict>>(
        &self,
        budget_secs: u64,
        tool: ToolName,
        mut arguments: Value,
        answer: impl Fn(Question) -> A,
    ) -> Value {
        arguments["project"] = json!(self.project);
        let (runner, _killed) = self.link().await;
        let arguments = table::get(tool).canonicalise(arguments).unwrap();
        let result = runner.call_asking(tool, &arguments, &context(budget_secs), answer).await;
        serde_json::to_value(result.unwrap()).unwrap()
    }
}

fn context(budget_secs: u64) -> CallContext {
    CallContext {
        call_id: CallId::parse("wcc_test").unwrap(),
        grant: Grant::All,
        session_id: None,
        policy: WaitingPolicy::new(HostProfile::Direct, budget_secs),
    }
}

fn create(path: &str) -> Value {
    json!({"changes": [{"kind": "create", "path": path, "new_text": "1\n"}]})
}

async fn allow(_: Question) -> Verdict {
    Verdict::Allowed { scope: ApprovalScope::Once }
}

/// What a tool needs, whether it asks first, and arguments to see it by. A new tool does not compile until it is here.
fn needs(tool: ToolName) -> (Permission, bool, Value) {
    use Permission::{Edit, EditRun, Read};
    let place = json!({"project": null});
    let with = |more: Value| {
        let mut arguments = place.clone();
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        arguments
    };
    let session = "wcs_x";
    let snapshot = json!({"session_id": session, "snapshot_id": "wcx_1", "path": "a"});
    match tool {
        ToolName::EditProjectFiles => (Edit, true, with(create("made"))),
        ToolName::RunProcess | ToolName::RunDetachedProcess => {
            (EditRun, true, with(json!({"executable": "touch", "args": ["made"]})))
        }
        ToolName::RunShell => (EditRun, true, with(json!({"script": "touch made"}))),
        ToolName::RunScript => (EditRun, true, with(json!({"interpreter": "sh", "script": "touch made"}))),
        // A worktree is a branch in the repository; where there is none, there is nothing to ask.
        ToolName::WorkOnProject => (Edit, false, with(json!({"mode": "worktree"}))),
        ToolName::RestoreChanges => (Edit, false, with(json!({"session_id": session}))),
        ToolName::ReviewDecision => {
            let mut arguments = with(snapshot);
            arguments["action"] = json!("reject");
            (Edit, false, arguments)
        }
        ToolName::ReadFiles => (Read, false, with(json!({"items": [{"path": "a"}]}))),
        ToolName::SearchProjectTexts => (Read, false, with(json!({"queries": [{"pattern": "a"}]}))),
        ToolName::ReadWorkspaceChanges | ToolName::ReadGitHistory | ToolName::ListJobs => {
            (Read, false, place)
        }
        ToolName::FinishCodingTask | ToolName::WorkResultState => {
            (Read, false, with(json!({"session_id": session})))
        }
        ToolName::ChangesFileDiff | ToolName::ChangesFileText => (Read, false, with(snapshot)),
        ToolName::ObserveJobs => (Read, false, json!({"jobs": [{"job_id": "wcj_x_y"}]})),
        ToolName::WaitForJobReadiness | ToolName::WaitForJobTerminal | ToolName::StopJob => {
            (Read, false, json!({"job_id": "wcj_x_y"}))
        }
        ToolName::RegisterProject => (Read, false, json!({"path": "/nowhere"})),
        ToolName::ListProjects
        | ToolName::GetRuntimeStatus
        | ToolName::ReadToolManifest
        | ToolName::CallRuntimeTool
        | ToolName::PresentWorkResult
        | ToolName::WorkResultThreadPanel => (Read, false, json!({})),
    }
}

/// Tools whose work is done by a Runner.
fn tools() -> impl Iterator<Item = ToolName> {
    ToolName::ALL.iter().copied().filter(|tool| table::get(*tool).side != Side::Server)
}

#[tokio::test]
async fn every_tool_keeps_to_every_permission() {
    for permission in Permission::ALL {
        for tool in tools() {
            let house = House::new();
            house.set(Some(permission), None);
            let before = house.files();
            let (needed, _, arguments) = needs(tool);
            let result = house.call(tool, arguments).await;
            let refused = result["error"]["code"] == "permission_denied";
            assert_eq!(refused, permission < needed, "{tool} under {permission}: {result}");
            if refused {
                assert_eq!(result["error"]["changed"], false, "{tool}");
                let message = result["error"]["message"].as_str().unwrap();
                assert!(message.contains("the person has set `project`"), "{tool}: {message}");
                assert_eq!(house.files(), before, "{tool}");
            }
        }
    }
}

#[tokio::test]
async fn tools_that_edit_and_run_do_nothing_without_the_persons_word() {
    for tool in tools() {
        let house = House::asking();
        let before = house.files();
        let (_, asks, arguments) = needs(tool);
        let result = house.call(tool, arguments).await;
        assert_eq!(result["error"]["code"] == "approval_missing", asks, "{tool}: {result}");
        if asks {
            assert_eq!((&result["error"]["changed"], house.files()), (&json!(false), before), "{tool}");
        }
    }
}

#[tokio::test]
async fn a_dry_run_asks_nobody() {
    let house = House::asking();
    let mut arguments = create("a");
    arguments["dry_run"] = json!(true);
    arguments["project"] = Value::Null;
    assert_eq!(house.call(ToolName::EditProjectFiles, arguments).await["output"]["would_change"], true);
    assert!(!house.at("a").exists());
}

#[tokio::test]
async fn what_is_shown_is_the_whole_change_and_nothing_is_done_before_the_word() {
    let house = House::asking();
    let result = house
        .ask(20, ToolName::EditProjectFiles, create("a"), async |question| {
            assert!(!house.at("a").exists());
            let ApprovalAsks::Edit { files } = &question.asks else { panic!("{question:?}") };
            let lines = files[0].lines.as_ref().unwrap();
            assert_eq!((files[0].path.as_str(), lines[0].text.as_str()), ("a", "1"));
            // Nobody is kept waiting by a person who thinks: another edit has its turn.
            let found = house.runner.projects().list().unwrap().remove(0);
            drop(found.write_access().await.unwrap());
            allow(question).await
        })
        .await;
    assert_eq!(result["success"], true, "{result}");
    assert_eq!(std::fs::read_to_string(house.at("a")).unwrap(), "1\n");
}

#[tokio::test]
async fn a_file_that_changed_while_the_person_thought_is_a_stale_revision() {
    let house = House::new();
    std::fs::write(house.at("a"), "one\n").unwrap();
    let read = json!({"project": null, "items": [{"path": "a"}]});
    let read = house.call(ToolName::ReadFiles, read).await;
    let revision = &read["output"]["items"][0]["read_revision"];
    house.set(None, Some(true));
    let change = json!({
        "kind": "replace_exact", "path": "a", "expected_read_revision": revision,
        "old_text": "one", "new_text": "two",
    });
    let result = house
        .ask(20, ToolName::EditProjectFiles, json!({"changes": [change]}), async |question| {
            std::fs::write(house.at("a"), "one and mine\n").unwrap();
            allow(question).await
        })
        .await;
    assert_eq!(result["error"]["code"], "stale_revision", "{result}");
    assert_eq!(std::fs::read_to_string(house.at("a")).unwrap(), "one and mine\n");
}

#[tokio::test]
async fn what_is_set_stricter_meanwhile_counts_and_what_is_set_looser_frees_nobody() {
    let house = House::asking();
    for (tool, arguments) in
        [(ToolName::EditProjectFiles, create("a")), (ToolName::RunShell, json!({"script": "touch a"}))]
    {
        house.set(Some(Permission::EditRun), Some(true));
        let result = house
            .ask(20, tool, arguments.clone(), async |question| {
                house.set(Some(Permission::Read), None);
                allow(question).await
            })
            .await;
        assert_eq!(result["error"]["code"], "permission_denied", "{tool}: {result}");
        house.set(Some(Permission::EditRun), Some(true));
        let result = house
            .ask(20, tool, arguments, async |_| {
                house.set(None, Some(false));
                Verdict::Denied { word: "still no".to_owned() }
            })
            .await;
        assert_eq!(result["error"]["code"], "approval_denied", "{tool}: {result}");
        assert!(result["error"]["message"].as_str().unwrap().contains("still no"));
    }
    assert!(!house.at("a").exists());
}

#[tokio::test]
async fn a_short_budget_is_kept_and_a_late_word_does_nothing() {
    let house = House::asking();
    let result = house
        .ask(10, ToolName::RunShell, json!({"script": "touch ran"}), async |question| {
            let within = Duration::from_millis(question.within_ms);
            assert!(within < Duration::from_secs(4), "the work needs time as well: {within:?}");
            tokio::time::sleep(within + Duration::from_secs(30)).await;
            allow(question).await
        })
        .await;
    assert_eq!(result["error"]["code"], "approval_missing", "{result}");
    assert_eq!(result["output"]["execution_state"], "not_started");
    assert!(!house.at("ran").exists());
}

#[tokio::test]
async fn a_link_that_breaks_or_a_caller_that_goes_leaves_nothing_that_runs_later() {
    let house = House::asking();
    for killed in [true, false] {
        let (runner, end) = house.link().await;
        let arguments = json!({"project": house.project, "script": "touch ran"});
        let arguments = table::get(ToolName::RunShell).canonicalise(arguments).unwrap();
        let (asked, context) = (tokio::sync::Notify::new(), context(20));
        let call = runner.call_asking(ToolName::RunShell, &arguments, &context, async |_| {
            asked.notify_one();
            std::future::pending::<Verdict>().await
        });
        tokio::select! {
            ended = call => assert_eq!((ended, killed), (Err(CallError::Lost), true)),
            () = async {
                asked.notified().await;
                if killed {
                    end.cancel();
                    std::future::pending::<()>().await;
                }
            } => assert!(!killed, "the caller has gone"),
        }
    }
    // The next command comes after all that was left; it finds the folder untouched.
    let result = house.ask(20, ToolName::RunShell, json!({"script": "ls"}), allow).await;
    assert_eq!((&result["success"], result["output"].get("stdout")), (&json!(true), None), "{result}");
}

#[tokio::test]
async fn a_command_shows_its_folder_its_environment_and_its_input() {
    let house = House::asking();
    std::fs::create_dir(house.at("sub")).unwrap();
    let arguments = json!({"executable": "cat", "cwd": "sub", "stdin": "in", "env": {"A": "b c"}});
    let result = house
        .ask(20, ToolName::RunProcess, arguments, async |question| {
            assert!(question.folder.ends_with("/project/sub"), "{question:?}");
            let command = "A='b c'\ncat\n<<< in".to_owned();
            assert_eq!(question.asks, ApprovalAsks::Command { command });
            allow(question).await
        })
        .await;
    assert_eq!(result["output"]["stdout"]["text"], "in", "{result}");
}

#[tokio::test]
async fn a_worktree_is_made_only_with_the_persons_word() {
    let house = House::asking();
    let git = |arguments: &[&str]| {
        let mut git = std::process::Command::new("git");
        git.args(["-c", "user.name=T", "-c", "user.email=t@example.com"]).args(arguments);
        git.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null");
        let output = git.current_dir(house.at("")).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    git(&["init", "--quiet"]);
    git(&["commit", "--quiet", "--allow-empty", "--message", "first"]);
    let arguments = json!({"mode": "worktree", "instruction": "try it"});
    let result = house
        .ask(20, ToolName::WorkOnProject, arguments.clone(), async |question| {
            let ApprovalAsks::Command { command } = &question.asks else { panic!("{question:?}") };
            assert!(command.starts_with("git worktree add -b webcodex/try-it-"), "{command}");
            Verdict::Denied { word: "no".to_owned() }
        })
        .await;
    assert_eq!(result["error"]["code"], "approval_denied", "{result}");
    assert_eq!(git(&["worktree", "list"]).lines().count(), 1);
    assert_eq!(git(&["branch", "--list", "webcodex/*"]), "");
    assert_eq!(house.runner.projects().list().unwrap().len(), 1);
    let result = house.ask(20, ToolName::WorkOnProject, arguments, allow).await;
    assert_eq!(result["success"], true, "{result}");
    assert_eq!(git(&["worktree", "list"]).lines().count(), 2);
    let made = house.runner.projects().list().unwrap();
    assert!(made.iter().all(|project| project.terms.ask_first), "it is held to what its source is held to");
}

#[tokio::test]
async fn what_the_first_command_changes_is_told_as_a_change() {
    let house = House::new();
    std::fs::write(house.at("old"), "old\n").unwrap();
    house
        .call(ToolName::RunShell, json!({"project": null, "script": "echo new > made; echo more >> old"}))
        .await;
    let changes = house.call(ToolName::ReadWorkspaceChanges, json!({"project": null})).await;
    let text = changes["output"].to_string();
    assert!(text.contains("\"made\"") && text.contains("\"old\""), "{text}");
}
