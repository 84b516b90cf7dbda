//! Bad input always gets a clear error and loses nothing.

use anyhow::Result;
use serde_json::{Value, json};
use webcodex_testkit::{TempProject, TestServer, ToolClient};

/// A project with something to lose, and a neighbour that must stay out of reach.
struct Target {
    project: TempProject,
    server: TestServer,
    client: ToolClient,
}

impl Target {
    async fn new() -> Result<Self> {
        let project = TempProject::git()?;
        project.write("src/main.txt", "one\ntwo\n")?;
        project.commit("Start")?;
        let server = TestServer::share(project.path()).await?;
        let client = server.client().await?;
        Ok(Self { project, server, client })
    }

    /// Calls with `project` filled in; the call must fail with a message and a known code.
    async fn refused(&mut self, tool: &str, mut arguments: Value) -> Result<Value> {
        if let Some(fields) = arguments.as_object_mut() {
            fields.entry("project").or_insert_with(|| json!(self.server.project));
        }
        let shown: String = arguments.to_string().chars().take(200).collect();
        let result = self.client.call(tool, arguments).await?;
        let error = first_error(&result);
        assert!(error["code"].is_string(), "{tool} {shown}: {result}");
        assert!(
            error["message"].as_str().is_some_and(|message| message.len() > 10),
            "{tool} {shown}: {result}"
        );
        assert_ne!(error["code"], "internal", "{tool} {shown}: {result}");
        Ok(error)
    }

    /// Nothing in the project has changed.
    fn assert_untouched(&self) -> Result<()> {
        assert_eq!(self.project.run_git(&["status", "--porcelain", "--ignored"])?, "");
        Ok(())
    }
}

/// The error of the result, or of its first item.
fn first_error(result: &Value) -> Value {
    let of_item = result.pointer("/output/items/0/error");
    result.get("error").or(of_item).cloned().unwrap_or_default()
}

const OUTSIDE: [&str; 10] = [
    "../neighbour.txt",
    "src/../../neighbour.txt",
    "/etc/passwd",
    "~/.ssh/id_rsa",
    "C:\\Windows\\win.ini",
    "C:/Windows/win.ini",
    "\\\\host\\share\\file",
    "src/main.txt\0.png",
    "//etc/passwd",
    "..",
];

#[tokio::test]
async fn paths_that_lead_out_are_refused_by_every_tool() -> Result<()> {
    let mut target = Target::new().await?;
    for path in OUTSIDE {
        target.refused("read_files", json!({"items": [{"path": path}]})).await?;
        target
            .refused("search_project_texts", json!({"queries": [{"pattern": "x", "paths": [path]}]}))
            .await?;
        let create = json!({"kind": "create", "path": path, "new_text": "x"});
        target.refused("edit_project_files", json!({"changes": [create]})).await?;
        target.refused("run_process", json!({"executable": "true", "cwd": path})).await?;
        target.refused("read_workspace_changes", json!({"paths": [path]})).await?;
    }
    target.assert_untouched()
}

#[cfg(unix)]
#[tokio::test]
async fn links_that_lead_out_are_refused_for_reading_and_writing() -> Result<()> {
    let mut target = Target::new().await?;
    let neighbour = TempProject::plain()?;
    let secret = neighbour.write("secret.txt", "secret\n")?;
    std::os::unix::fs::symlink(&secret, target.project.path().join("link.txt"))?;
    std::os::unix::fs::symlink(neighbour.path(), target.project.path().join("folder"))?;
    for path in ["link.txt", "folder/secret.txt"] {
        let error = target.refused("read_files", json!({"items": [{"path": path}]})).await?;
        assert_eq!(error["code"], "path_refused", "{path}: {error}");
        let write = json!({"kind": "write", "path": path, "new_text": "x", "expected_read_revision": 1});
        target.refused("edit_project_files", json!({"changes": [write]})).await?;
    }
    let create = json!({"kind": "create", "path": "folder/new.txt", "new_text": "x"});
    target.refused("edit_project_files", json!({"changes": [create]})).await?;
    assert_eq!(neighbour.read("secret.txt")?, b"secret\n");
    assert!(!neighbour.path().join("new.txt").exists());
    Ok(())
}

#[tokio::test]
async fn names_that_other_systems_cannot_hold_are_refused_for_new_files() -> Result<()> {
    let mut target = Target::new().await?;
    for path in [
        "nul",
        "src/CON.txt",
        "aux.rs",
        "com1",
        "LPT9.log",
        "ends-with-dot.",
        "ends with blank ",
        "a:b",
        "a?b",
    ] {
        let create = json!({"kind": "create", "path": path, "new_text": "x"});
        let error = target.refused("edit_project_files", json!({"changes": [create]})).await?;
        assert_eq!(error["code"], "path_refused", "{path}: {error}");
    }
    target.assert_untouched()
}

#[tokio::test]
async fn names_and_revisions_are_never_options() -> Result<()> {
    let mut target = Target::new().await?;
    for revision in ["--output=leak.txt", "-h", "--help", "HEAD --output=leak.txt", "main; rm -rf .", ""] {
        target.refused("read_workspace_changes", json!({"base": revision})).await?;
        target.refused("read_git_history", json!({"revision": revision})).await?;
    }
    target.assert_untouched()
}

#[tokio::test]
async fn numbers_and_types_that_do_not_fit_name_the_field() -> Result<()> {
    let mut target = Target::new().await?;
    for revision in [
        json!(0),
        json!(-1),
        json!(1.5),
        json!("12"),
        json!(null),
        json!(9_007_199_254_740_992_u64),
        json!(true),
    ] {
        let write = json!({"kind": "write", "path": "src/main.txt", "new_text": "x", "expected_read_revision": revision});
        let error = target.refused("edit_project_files", json!({"changes": [write]})).await?;
        let field = error["field"].as_str().unwrap_or_default();
        assert!(field.is_empty() || field.contains("changes[0]"), "{revision}: {error}");
    }
    for items in
        [json!([]), json!("text"), json!({}), json!([{}]), json!([1]), json!(vec![json!({"path": "a"}); 9])]
    {
        let error = target.refused("read_files", json!({"items": items})).await?;
        assert_eq!(error["code"], "invalid_arguments", "{items}: {error}");
        assert!(error["field"].as_str().is_some_and(|field| field.starts_with("items")), "{items}: {error}");
    }
    target.assert_untouched()
}

#[tokio::test]
async fn strangers_and_home_folders_are_no_projects() -> Result<()> {
    let mut target = Target::new().await?;
    for project in ["agent:nobody:nothing", "~p9", "", "../..", "~s1"] {
        target.refused("read_files", json!({"project": project, "items": [{"path": "a"}]})).await?;
    }
    for path in ["/", "/etc", "/root", "/home", "/no/such/folder", "relative/folder"] {
        target.refused("work_on_project", json!({"project": null, "path": path})).await?;
    }
    target.assert_untouched()
}

#[tokio::test]
async fn a_vanished_folder_is_named_and_nothing_is_made_in_its_place() -> Result<()> {
    let mut target = Target::new().await?;
    let moved = target.project.path().with_extension("moved");
    std::fs::rename(target.project.path(), &moved)?;
    for (tool, arguments) in [
        ("read_files", json!({"items": [{"path": "src/main.txt"}]})),
        ("search_project_texts", json!({"queries": [{"pattern": "one"}]})),
        ("edit_project_files", json!({"changes": [{"kind": "create", "path": "new.txt", "new_text": "x"}]})),
        ("run_process", json!({"executable": "true"})),
        ("read_workspace_changes", json!({})),
    ] {
        let error = target.refused(tool, arguments).await?;
        assert_eq!(error["code"], "workspace_unavailable", "{tool}: {error}");
    }
    assert!(!target.project.path().exists(), "the folder was made again");
    std::fs::rename(&moved, target.project.path())?;
    target.assert_untouched()
}
