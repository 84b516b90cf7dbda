//! The database with real files: what is kept, what is refused, and what happens to a damaged file.

#![allow(clippy::unwrap_used)]

use std::sync::atomic::{AtomicU64, Ordering};

use webcodex_contracts::call::Grant;
use webcodex_contracts::control::Via;
use webcodex_contracts::{CallId, ErrorCode, ProjectId, Scope, SessionId};
use webcodex_store::{
    CallDetails, CallOutcome, CallRecord, CredentialKind, Door, FileNote, NewCredential, NewSession,
    PrincipalId, RefKind, Store, StoreError, now_ms,
};

/// Makes ids different.
static COUNT: AtomicU64 = AtomicU64::new(0);

fn project(name: &str) -> ProjectId {
    ProjectId::parse(&format!("agent:laptop:{name}")).unwrap()
}

fn principal(name: &str) -> PrincipalId {
    PrincipalId::from(name.to_owned())
}

fn record(tool: &'static str, outcome: CallOutcome) -> CallRecord {
    CallRecord {
        id: CallId::parse(&format!("c-{}", COUNT.fetch_add(1, Ordering::Relaxed))).unwrap(),
        at_ms: now_ms(),
        tool,
        gateway: false,
        project: Some(project("web")),
        session: None,
        principal: principal("cred_a"),
        window: None,
        client_name: Some("client".into()),
        door: Door::Api,
        outcome,
        duration_us: 120,
        request_bytes: Some(80),
        response_bytes: Some(900),
        via: Via::Local,
        job: None,
        details: CallDetails::default(),
    }
}

#[tokio::test]
async fn a_kept_credential_survives_and_a_revoked_one_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deep/webcodex.db");
    let store = Store::open(&path).unwrap();
    let new = NewCredential::new(CredentialKind::Project, "web").for_projects(vec![project("web")]);
    let kept = store.credentials().issue(new).await.unwrap();
    let revoked = store.credentials().issue(NewCredential::new(CredentialKind::Client, "old")).await.unwrap();
    let temporary = NewCredential::new(CredentialKind::Client, "share").for_this_process();
    let temporary = store.credentials().issue(temporary).await.unwrap();
    assert!(store.credentials().verify(&temporary.secret).is_some());
    assert!(store.credentials().revoke(&revoked.credential.id).await.unwrap());
    assert!(store.credentials().verify(&revoked.secret).is_none(), "at once, not at the next start");
    store.close();

    let store = Store::open(&path).unwrap();
    let found = store.credentials().verify(&kept.secret).unwrap();
    assert_eq!(*found, *kept.credential);
    assert_eq!((found.grant.allows(&project("web")), found.grant.allows(&project("other"))), (true, false));
    assert_eq!(found.scopes, Scope::ALL);
    assert!(store.credentials().verify(&revoked.secret).is_none());
    assert!(store.credentials().verify(&temporary.secret).is_none(), "it ended with its process");
    assert!(store.credentials().verify("").is_none());
}

#[tokio::test]
async fn the_secret_is_nowhere_on_disk_and_the_file_is_private() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("webcodex.db");
    let store = Store::open(&path).unwrap();
    let issued =
        store.credentials().issue(NewCredential::new(CredentialKind::Client, "laptop")).await.unwrap();
    assert!(issued.secret.starts_with("wc_client_") && issued.secret.len() == "wc_client_".len() + 64);
    store.close();
    let random = &issued.secret["wc_client_".len()..];
    for entry in std::fs::read_dir(folder.path()).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        assert!(!bytes.windows(random.len()).any(|window| window == random.as_bytes()));
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(
            std::fs::metadata(&path).unwrap().permissions().mode() & 0o077,
            0,
            "nobody else may read it"
        );
    }
}

#[tokio::test]
async fn adopting_another_secret_replaces_the_earlier_one_and_keeps_the_caller() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("webcodex.db");
    let adopt = async |store: &Store, secret: &str| {
        store.credentials().adopt(secret, NewCredential::new(CredentialKind::Client, "file")).await.unwrap()
    };
    let store = Store::open(&path).unwrap();
    let first = adopt(&store, "first").await;
    assert_eq!(adopt(&store, "first").await.id, first.id);
    store.close();

    let store = Store::open(&path).unwrap();
    assert_eq!(adopt(&store, "second").await.id, first.id, "its sessions go on");
    assert!(store.credentials().verify("first").is_none());
    assert_eq!(store.credentials().list().len(), 1);
    store.close();

    let store = Store::open(&path).unwrap();
    assert!(store.credentials().verify("first").is_none() && store.credentials().verify("second").is_some());
    assert!(store.credentials().revoke(&first.id).await.unwrap());
    let anew = adopt(&store, "second").await;
    assert_ne!(anew.id, first.id, "an ended one stays ended");
    assert!(store.credentials().verify("second").is_some());
}

#[tokio::test]
async fn a_worktree_joins_the_grant_of_its_project() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("webcodex.db");
    let store = Store::open(&path).unwrap();
    let new = NewCredential::new(CredentialKind::Project, "web").for_projects(vec![project("web")]);
    let issued = store.credentials().issue(new).await.unwrap();
    store.credentials().extend_grant(&issued.credential.id, &project("web-2")).await.unwrap();
    store.close();
    let grant = Store::open(&path).unwrap().credentials().verify(&issued.secret).unwrap().grant.clone();
    assert_eq!(grant, Grant::Projects(vec![project("web"), project("web-2")]));
}

#[tokio::test]
async fn a_session_belongs_to_its_principal() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("webcodex.db");
    let store = Store::open(&path).unwrap();
    let new = NewSession {
        id: None,
        principal: principal("cred_a"),
        project: project("web"),
        title: "x".repeat(500),
        client_name: None,
    };
    let session = store.create_session(new).await.unwrap();
    assert!(session.id.as_str().starts_with("wcs_"));
    assert_eq!(session.title.len(), 120);
    store.close();
    assert!(matches!(store.session(&principal("cred_a"), &other_id()).await, Err(StoreError::Closed)));

    let store = Store::open(&path).unwrap();
    assert_eq!(store.session(&principal("cred_a"), &session.id).await.unwrap(), Some(session.clone()));
    assert_eq!(store.session(&principal("cred_b"), &session.id).await.unwrap(), None, "somebody else's");
    assert_eq!(store.session(&principal("cred_a"), &other_id()).await.unwrap(), None);
}

fn other_id() -> SessionId {
    SessionId::parse("wcs_none").unwrap()
}

#[tokio::test]
async fn references_are_numbered_per_caller_and_stable() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("webcodex.db");
    let (a, b) = (principal("cred_a"), principal("cred_b"));
    let store = Store::open(&path).unwrap();
    let reference = async |store: &Store, who: &PrincipalId, target: &str| {
        store.reference(who, RefKind::Project, target).await.unwrap()
    };
    assert_eq!(reference(&store, &a, "agent:x:one").await, "~p1");
    assert_eq!(reference(&store, &a, "agent:x:two").await, "~p2");
    assert_eq!(reference(&store, &b, "agent:x:two").await, "~p1");
    assert_eq!(store.reference(&a, RefKind::Session, "wcs_1").await.unwrap(), "~s1");
    store.close();

    let store = Store::open(&path).unwrap();
    assert_eq!(reference(&store, &a, "agent:x:two").await, "~p2");
    let resolve =
        async |who: &PrincipalId, text: &str| store.resolve(who, RefKind::Project, text).await.unwrap();
    assert_eq!(resolve(&a, "~p1").await.as_deref(), Some("agent:x:one"));
    assert_eq!(resolve(&b, "~p2").await, None, "another caller's number");
    for text in ["~p", "~p99", "~s1", "p1", "~p1x", "~p-1", "~p99999999999999999999", ""] {
        assert_eq!(resolve(&a, text).await, None, "{text}");
    }
}

#[tokio::test]
async fn records_reach_the_disk_at_close_with_what_a_reader_needs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("webcodex.db");
    let store = Store::open(&path).unwrap();
    store.record(record("read_files", CallOutcome::Succeeded));
    store.record(record("edit_project_files", CallOutcome::Failed(ErrorCode::StaleRevision)));
    store.record(CallRecord {
        window: Some(store.window_hash("conversation-1")),
        ..record("run_shell", CallOutcome::Abandoned)
    });
    store.close();

    let calls = Store::open(&path).unwrap().recent_calls(10).await.unwrap();
    let seen: Vec<_> =
        calls.iter().map(|call| (call.tool, call.outcome.as_str(), call.outcome.code())).collect();
    assert_eq!(
        seen,
        [
            ("run_shell", "abandoned", None),
            ("edit_project_files", "failed", Some("stale_revision")),
            ("read_files", "succeeded", None),
        ]
    );
    assert_eq!((calls[0].door.as_str(), calls[0].response_bytes), ("api", Some(900)));
}

#[tokio::test]
async fn the_number_of_records_is_bounded() {
    let store = Store::in_memory().unwrap();
    // More than are kept; a query between the parts waits until what came before it is written.
    for _ in 0..13 {
        for _ in 0..4000 {
            store.record(record("read_files", CallOutcome::Succeeded));
        }
        store.recent_calls(1).await.unwrap();
    }
    assert_eq!(store.dropped_records(), 0);
    let calls = store.recent_calls(100_000).await.unwrap();
    assert!((50_000..=51_000).contains(&calls.len()), "{} records kept", calls.len());
    let newest = calls.iter().map(|call| number(&call.id)).max().unwrap();
    let oldest = calls.iter().map(|call| number(&call.id)).min().unwrap();
    assert!(newest - oldest < 52_000, "the newest are the ones that stay");
}

fn number(id: &CallId) -> u64 {
    id.as_str()[2..].parse().unwrap()
}

#[tokio::test]
async fn a_window_is_known_by_a_keyed_hash() {
    let (one, two) = (Store::in_memory().unwrap(), Store::in_memory().unwrap());
    assert_eq!(one.window_hash("w"), one.window_hash("w"));
    assert_ne!(one.window_hash("w"), one.window_hash("v"));
    assert_ne!(one.window_hash("w"), two.window_hash("w"), "the key belongs to the database");
}

#[tokio::test]
async fn a_damaged_database_is_kept_aside() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("webcodex.db");
    std::fs::write(&path, b"this is not a database, it is a letter to the reader".repeat(50)).unwrap();
    let store = Store::open(&path).unwrap();
    let aside = store.set_aside().unwrap().to_owned();
    assert!(std::fs::read(aside).unwrap().starts_with(b"this is not"), "nothing is thrown away");
    store.credentials().issue(NewCredential::new(CredentialKind::Client, "new")).await.unwrap();
    store.close();
    assert_eq!(Store::open(&path).unwrap().set_aside(), None);
}

#[test]
fn a_newer_database_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("webcodex.db");
    Store::open(&path).unwrap().close();
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.pragma_update(None, "user_version", 999).unwrap();
    drop(connection);
    let Err(error) = Store::open(&path) else { panic!("opened") };
    assert!(matches!(error, StoreError::TooNew { .. }), "{error}");
    assert!(error.to_string().contains("newer version"));
}

#[tokio::test]
async fn what_a_crash_leaves_in_flight_is_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("webcodex.db");
    let store = Store::open(&path).unwrap();
    let running = record("run_shell", CallOutcome::Running);
    store.begin(running.clone());
    let quick = record("read_files", CallOutcome::Running);
    store.begin(quick.clone());
    store.record(CallRecord { outcome: CallOutcome::Succeeded, ..quick.clone() });
    let calls = store.recent_calls(10).await.unwrap();
    assert_eq!(calls.len(), 2, "one record for each");
    assert!(calls.contains(&running), "{calls:?}");
    // A second connection finds what the first would have left.
    let after = Store::open(&path).unwrap();
    assert_eq!(after.call(&running.id).await.unwrap().unwrap().outcome, CallOutcome::Interrupted);
    assert_eq!(after.call(&quick.id).await.unwrap().unwrap().outcome, CallOutcome::Succeeded);
    after.close();
    store.record(CallRecord { outcome: CallOutcome::Succeeded, ..running.clone() });
    assert_eq!(store.call(&running.id).await.unwrap().unwrap().outcome, CallOutcome::Succeeded);
}

#[tokio::test]
async fn a_call_of_which_nothing_is_kept_leaves_nothing() {
    let store = Store::in_memory().unwrap();
    let running = record("run_shell", CallOutcome::Running);
    store.begin(running.clone());
    assert!(store.call(&running.id).await.unwrap().is_some());
    store.forget_begun(running.id.clone());
    assert_eq!(store.call(&running.id).await.unwrap(), None);
}

#[tokio::test]
async fn pages_follow_each_other_without_gap_or_repetition() {
    let store = Store::in_memory().unwrap();
    let at = now_ms();
    let mut expected = Vec::new();
    for number in 0..25 {
        // Several at the same moment.
        let call = CallRecord { at_ms: at + number / 4, ..record("read_files", CallOutcome::Succeeded) };
        expected.insert(0, call.id.clone());
        store.record(call);
    }
    let mut seen = Vec::new();
    loop {
        let page = store.calls_before(seen.last(), 10).await.unwrap();
        seen.extend(page.calls.into_iter().map(|call| call.id));
        if !page.more {
            break;
        }
    }
    assert_eq!(seen, expected);
    assert_eq!(store.calls_today().await.unwrap().0, 25);
}

#[tokio::test]
async fn a_session_tells_what_was_done_in_it() {
    let store = Store::in_memory().unwrap();
    let new = NewSession {
        id: None,
        principal: principal("a"),
        project: project("web"),
        title: "t".into(),
        client_name: None,
    };
    let session = store.create_session(new).await.unwrap();
    for files in [vec!["a.rs", "b.rs"], vec!["b.rs"]] {
        let edit = record("edit_project_files", CallOutcome::Succeeded);
        store.record(CallRecord { session: Some(session.id.clone()), ..edit });
        store.note_files(&session.id, files.into_iter().map(str::to_owned).collect(), FileNote::Changed);
    }
    let known = store.sessions(10).await.unwrap();
    assert_eq!((known[0].calls, known[0].files.len()), (2, 2));
}
