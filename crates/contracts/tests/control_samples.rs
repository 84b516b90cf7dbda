//! One sample of everything that crosses the bridge, as TypeScript that must satisfy the window's types.
//!
//! `UPDATE_DOCS=1 cargo test -p webcodex-contracts --test control_samples` writes it anew.

#![allow(clippy::unwrap_used)]

use std::path::Path;

use serde::Serialize;
use serde_json::json;
use webcodex_contracts::control::*;
use webcodex_contracts::{ApprovalId, CallId, JobId, Permission, ProjectId, SessionId};

const FILE: &str = "ui/desktop/bridge/generated/server-samples.ts";

fn call_id() -> CallId {
    CallId::numbered(1, 7)
}

fn project_id() -> ProjectId {
    ProjectId::parse("agent:here:web").unwrap()
}

fn failure() -> Failure {
    Failure { code: "io_failed".into(), message: "no".into(), hint: Some("try again".into()) }
}

fn facts() -> FolderFacts {
    FolderFacts {
        git: Some(GitFacts { branch: Some("main".into()), uncommitted: 2 }),
        files: Some(10),
        bytes: Some(1000),
        inside: Some("outer".into()),
        contains: vec!["inner".into()],
        place: Place::Network,
        linked_from: Some("/link".into()),
    }
}

fn projects() -> Vec<Project> {
    let project = |permission, facts, last_use| Project {
        id: project_id(),
        name: "web".into(),
        path: "/src/web".into(),
        permission,
        ask_first: true,
        facts,
        reachable: true,
        last_use,
        working: false,
    };
    let last = LastUse { client: "ChatGPT".into(), at: 1 };
    vec![
        project(Permission::Read, facts(), Some(last)),
        project(Permission::Edit, FolderFacts { place: Place::Cloud, ..FolderFacts::default() }, None),
        project(Permission::EditRun, FolderFacts::default(), None),
    ]
}

fn folder_results() -> Vec<FolderResult> {
    let (name, path) = ("web".to_owned(), "/src/web".to_owned());
    let refusals = [
        FolderRefusal::Duplicate { project: "web".into() },
        FolderRefusal::Home,
        FolderRefusal::System,
        FolderRefusal::Missing,
        FolderRefusal::NotAFolder,
        FolderRefusal::Unreadable,
        FolderRefusal::NoAnswer { after_ms: 5000 },
        FolderRefusal::OutsideAllowed { allowed: vec!["/src".into()] },
        FolderRefusal::Failed { error: failure() },
    ];
    let refused = refusals.map(|why| FolderResult::Refused { name: name.clone(), path: path.clone(), why });
    let added =
        FolderResult::Added { project: project_id(), name: name.clone(), path: path.clone(), facts: facts() };
    std::iter::once(added).chain(refused).collect()
}

fn calls() -> Vec<Call> {
    let subjects = [
        Subject::Read { files: vec!["a".into()] },
        Subject::Search { query: "x".into(), matches: Some(3) },
        Subject::Edit { files: vec!["a".into()] },
        Subject::Command { command: "make".into() },
        Subject::Session { title: "Fix it".into() },
        Subject::Review { files: 2 },
        Subject::Other,
        Subject::Other,
        Subject::Other,
    ];
    let outcomes = [
        Outcome::Running,
        Outcome::Waiting,
        Outcome::Finished,
        Outcome::Exit { code: 1 },
        Outcome::Refused,
        Outcome::Denied,
        Outcome::NoAnswer,
        Outcome::Failed,
        Outcome::Interrupted,
    ];
    let call = |(subject, outcome)| Call {
        id: call_id(),
        at: 1,
        tool: "run_shell".into(),
        subject,
        project_name: Some("web".into()),
        client: "ChatGPT".into(),
        outcome,
        took_ms: Some(5),
        lines: Some(LineCount { added: 3, removed: 1 }),
    };
    subjects.into_iter().zip(outcomes).map(call).collect()
}

fn details() -> Vec<CallDetail> {
    use StepKind::{Answered as Sent, Arrived, WaitedPerson, WaitedRunner, Worked};
    let steps = [Arrived, WaitedRunner, WaitedPerson, Worked, Sent];
    let steps = steps.map(|kind| Step { kind, start_ms: 0, length_ms: 1 });
    let doors = [
        (CallDoor::Local, Some(AllowedBy::Permission { permission: Permission::EditRun })),
        (CallDoor::Public, Some(AllowedBy::Person { scope: ApprovalScope::Once })),
        (CallDoor::Tunnel, None),
    ];
    let detail = |(door, allowed_by)| CallDetail {
        id: call_id(),
        session: SessionId::parse("wcs_1").ok(),
        door,
        allowed_by,
        steps: steps.to_vec(),
        total_ms: 5,
        answer: Some(Answered { bytes: 10, cut: true, handed_over_at: 2 }),
        failure: Some(failure()),
        word: Some("not now".into()),
    };
    doors.map(detail).to_vec()
}

fn sessions() -> Vec<Session> {
    let session = |review| Session {
        id: SessionId::parse("wcs_1").unwrap(),
        title: "Fix it".into(),
        project_id: project_id(),
        project: "web".into(),
        client: "ChatGPT".into(),
        review,
        started_at: 1,
        last_at: 2,
        calls: 3,
        changed_files: 4,
        accepted_files: 1,
    };
    let finished = |sealed| SessionReview::Finished { sealed, at: 2 };
    let reviews = [SessionReview::Running, SessionReview::WaitingForReview, finished(true), finished(false)];
    reviews.map(session).to_vec()
}

fn jobs() -> Vec<Job> {
    use JobState::{Failed, Finished, Lost, Running, Stopped, Stopping, TimedOut};
    let job = |state| Job {
        id: JobId::parse("wcj_a_b").unwrap(),
        call: Some(call_id()),
        project: "web".into(),
        client: "ChatGPT".into(),
        command: "make".into(),
        folder: "/src/web".into(),
        started_at: 1,
        ended_at: Some(2),
        limit_ms: 1000,
        output_bytes: 10,
        last_line_at: Some(2),
        state,
        exit_code: Some(1),
    };
    [Running, Stopping, Finished, Failed, Stopped, TimedOut, Lost].map(job).to_vec()
}

fn approvals() -> Vec<Approval> {
    let signs = [Sign::Added, Sign::Removed, Sign::Same];
    let lines = signs.map(|sign| DiffLine { sign, old: Some(1), new: None, text: "x".into() }).to_vec();
    let changes = [FileChange::Modified, FileChange::Added, FileChange::Deleted, FileChange::Renamed];
    let file =
        |change| ChangedFile { path: "a".into(), change, added: 1, removed: 0, lines: Some(lines.clone()) };
    let approval = |asks, state| Approval {
        id: ApprovalId::parse("a1").unwrap(),
        call: call_id(),
        asked_at: 1,
        expires_at: 2,
        client: "ChatGPT".into(),
        project: "web".into(),
        folder: "/src/web".into(),
        because: Some("to build".into()),
        for_session: true,
        asks,
        state,
    };
    vec![
        approval(ApprovalAsks::Edit { files: changes.map(file).to_vec() }, ApprovalState::Waiting),
        approval(ApprovalAsks::Command { command: "make".into() }, ApprovalState::Expired),
    ]
}

fn hops() -> Vec<Hop> {
    use HopName::{Address as Where, App, Credential, LastCall as Last, Proxy, Runner, Server, Tools};
    let address = "http://127.0.0.1:1".to_owned();
    let findings = [
        (App, HopFinding::Running { version: "1".into() }),
        (Server, HopFinding::Answers { ms: 1 }),
        (Server, HopFinding::NoAnswer { after_ms: 1 }),
        (Runner, HopFinding::Linked { projects: 1 }),
        (Runner, HopFinding::NotLinked),
        (Where, HopFinding::Listening { address: address.clone() }),
        (Where, HopFinding::Reachable { address: address.clone(), ms: 1 }),
        (Where, HopFinding::Unreachable { address, detail: "refused".into() }),
        (Proxy, HopFinding::NotSet),
        (Credential, HopFinding::Accepted { at: 1 }),
        (Credential, HopFinding::Rejected { at: 1 }),
        (Last, HopFinding::LastCall { at: 1, took_ms: None }),
        (Last, HopFinding::NoCall),
        (Tools, HopFinding::ToolsOld { from: 1 }),
        (Tools, HopFinding::NotChecked),
    ];
    let states = [HopState::Ok, HopState::Broken, HopState::Unknown, HopState::Notice];
    let states = states.into_iter().cycle();
    findings.into_iter().zip(states).map(|((name, finding), state)| Hop { name, state, finding }).collect()
}

fn clients() -> Vec<Client> {
    use ClientEventKind::{CallFailed, CallFinished, Offline, Online as Back, Rejected};
    use ClientState::{Checking, NeedsYou, Off, Online, Quiet, Unknown, Waiting};
    let events = [CallFinished, CallFailed, Rejected, Offline, Back];
    let events = events.map(|kind| ClientEvent { at: 1, kind, tool: Some("run_shell".into()), ms: None });
    let kinds = [ClientKind::ChatGpt, ClientKind::ClaudeDesktop, ClientKind::ClaudeCode, ClientKind::Other];
    let ways = [Via::Local, Via::Public, Via::Tunnel];
    let told_apart = kinds.into_iter().cycle().zip(ways.into_iter().cycle());
    let last = LastCall { at: 1, tool: "run_shell".into(), outcome: Outcome::Finished, took_ms: Some(1) };
    let client = |(state, (kind, via))| Client {
        id: "chatgpt:public".into(),
        kind,
        name: "ChatGPT".into(),
        via,
        state,
        last_call: Some(last.clone()),
        hops: hops(),
        old_tools_from: Some(1),
        events: events.to_vec(),
    };
    let states = [Online, Checking, Waiting, NeedsYou, Quiet, Off, Unknown];
    states.into_iter().zip(told_apart).map(client).collect()
}

/// One `export` and the type that it satisfies.
fn sample(name: &str, of: &str, value: impl Serialize) -> String {
    let shown = serde_json::to_string_pretty(&value).unwrap();
    format!("\nexport const {name} = {shown} satisfies {of};\n")
}

fn text() -> String {
    let output = OutputMessage { starts_over: true, text: "a".into(), left_out_bytes: 0, total_bytes: 1 };
    let address = Address { local: "http://127.0.0.1:1/mcp".into(), public: Some("https://x.io".into()) };
    let answers = [
        ApprovalAnswer::Allow { scope: ApprovalScope::Once },
        ApprovalAnswer::Allow { scope: ApprovalScope::Session },
        ApprovalAnswer::Deny { word: "not now".into() },
    ];
    let samples = [
        sample("projects", "Project[]", projects()),
        sample("folderResults", "FolderResult[]", folder_results()),
        sample("calls", "Call[]", calls()),
        sample("details", "CallDetail[]", details()),
        sample("sessions", "Session[]", sessions()),
        sample("jobs", "Job[]", jobs()),
        sample("output", "OutputMessage", output),
        sample("approvals", "Approval[]", approvals()),
        sample("answers", "ApprovalAnswer[]", answers),
        sample("clients", "Client[]", clients()),
        sample("address", "Address", address),
        sample("failure", "Failure", failure()),
    ];
    let head = "// Written by a test of `crates/contracts`: what the Server says, as the window must understand it.\n\
        import type {\n  Address, Approval, ApprovalAnswer, Call, CallDetail, Client, Failure, FolderResult, Job, \
        OutputMessage, Project,\n  Session,\n} from \"../types\";\n";
    format!("{head}{}", samples.concat())
}

#[test]
fn the_window_understands_what_the_server_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(FILE);
    let text = text();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
    assert!(kept == text, "{FILE} is out of date; run with UPDATE_DOCS=1");
}

#[test]
fn a_state_survives_the_way_and_a_change_is_only_what_changed() {
    let state = ServerState {
        projects: projects(),
        calls: calls(),
        sessions: sessions(),
        jobs: jobs(),
        approvals: approvals(),
        clients: clients(),
        ..ServerState::default()
    };
    let message = ServerMessage::State { state: Box::new(state.clone()) };
    let line = serde_json::to_string(&message).unwrap();
    assert_eq!(serde_json::from_str::<ServerMessage>(&line).unwrap(), message);
    let later = ServerState { calls_today: 4, ..state.clone() };
    let change = StateChange::between(&state, &later).unwrap();
    assert_eq!(serde_json::to_value(&change).unwrap(), json!({"callsToday": 4}));
    let mut followed = state;
    followed.apply(change);
    assert_eq!(followed, later);
    assert_eq!(StateChange::between(&later, &followed), None);
}

#[test]
fn new_calls_come_first_and_known_ones_stay_in_place() {
    let call = |number, outcome| Call { id: CallId::numbered(1, number), outcome, ..calls()[0].clone() };
    let mut state = ServerState::default();
    state.merge_calls(vec![call(2, Outcome::Running), call(1, Outcome::Running)]);
    state.merge_calls(vec![call(3, Outcome::Running), call(1, Outcome::Finished)]);
    let seen: Vec<_> = state.calls.iter().map(|call| (call.id.to_string(), call.outcome)).collect();
    let id = |number| CallId::numbered(1, number).to_string();
    assert_eq!(seen, [(id(3), Outcome::Running), (id(2), Outcome::Running), (id(1), Outcome::Finished)]);
}
