//! Folders: added with their facts, refused with a reason each, changed, and removed without touching a file.

use std::path::Path;
use std::process::Command;

use http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::house::House;

async fn add(house: &House, path: &Path) -> Value {
    let body = json!({"path": path.to_str().unwrap()});
    let (status, result) = house.ask(Method::POST, "/control/projects", body).await;
    assert_eq!(status, StatusCode::OK, "{result}");
    result
}

#[tokio::test]
async fn every_refusal_has_its_reason() {
    let house = House::open().await;
    let here = |name: &str| house.work.join(name);
    for folder in ["home", "web"] {
        std::fs::create_dir(here(folder)).unwrap();
    }
    std::fs::write(here("file"), "").unwrap();
    assert_eq!(add(&house, &here("web")).await["kind"], "added");
    for (path, code) in [
        (here("web"), "duplicate"),
        (here("home"), "home"),
        (house.work.clone(), "home"),
        (house.work.join("../data"), "system"),
        (here("nothing"), "missing"),
        (here("file"), "not_a_folder"),
        (here("file/deeper"), "not_a_folder"),
    ] {
        let result = add(&house, &path).await;
        assert_eq!((&result["kind"], &result["why"]["code"]), (&json!("refused"), &json!(code)), "{path:?}");
    }
    assert_eq!(add(&house, &here("web")).await["why"]["project"], "web");
    #[cfg(unix)]
    assert_eq!(add(&house, Path::new("/etc")).await["why"]["code"], "system");
    let relative = add(&house, Path::new("web")).await;
    assert_eq!(relative["why"]["code"], "failed");
    assert!(relative["why"]["error"]["message"].as_str().unwrap().contains("absolute"), "{relative}");
}

#[tokio::test]
async fn a_folder_comes_with_its_facts() {
    let house = House::open().await;
    let mut lines = house.listen().await;
    lines.message().await;
    let outer = house.work.join("outer");
    let inner = outer.join("inner");
    std::fs::create_dir_all(&inner).unwrap();
    let git = |arguments: &[&str]| {
        let done = Command::new("git").arg("-C").arg(&outer).args(arguments).output().unwrap();
        assert!(done.status.success(), "{done:?}");
    };
    git(&["init", "-q", "-b", "main"]);
    std::fs::write(outer.join("a.txt"), "12345").unwrap();
    let added = add(&house, &outer).await;
    assert_eq!((&added["name"], &added["facts"]["git"]["branch"]), (&json!("outer"), &json!("main")));
    assert_eq!((&added["facts"]["place"], &added["facts"]["linkedFrom"]), (&json!("local"), &Value::Null));
    let nested = add(&house, &inner).await;
    assert_eq!(nested["facts"]["inside"], "outer");
    lines
        .until("the counts", |state| {
            let found = state.projects.iter().find(|project| project.name == "outer");
            found.is_some_and(|outer| outer.facts.files == Some(1) && outer.facts.bytes == Some(5))
        })
        .await;
    let outer_facts = &lines.state.projects.iter().find(|project| project.name == "outer").unwrap().facts;
    assert_eq!(
        (outer_facts.git.as_ref().unwrap().uncommitted, outer_facts.contains.as_slice()),
        (1, ["inner".to_owned()].as_slice())
    );
    // Work in it is counted again.
    let mut tools = house.tools().await;
    let create = json!([{"kind": "create", "path": "b.txt", "new_text": "1\n"}]);
    tools
        .output("edit_project_files", json!({"project": added["project"], "changes": create}))
        .await
        .unwrap();
    lines
        .until("the new count", |state| {
            let found = state.projects.iter().find(|project| project.name == "outer").unwrap();
            found.facts.git.as_ref().unwrap().uncommitted == 2 && found.last_use.is_some()
        })
        .await;
    #[cfg(unix)]
    {
        let link = house.work.join("link");
        let real = house.work.join("real");
        std::fs::create_dir(&real).unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        let linked = add(&house, &link).await;
        assert_eq!(linked["facts"]["linkedFrom"], link.to_str().unwrap());
        assert_eq!(linked["path"], real.to_str().unwrap());
    }
}

#[tokio::test]
async fn a_folder_that_goes_away_is_seen_to_be_gone() {
    let house = House::open().await;
    let (_, folder) = house.project("web");
    std::fs::remove_dir(&folder).unwrap();
    let mut lines = house.listen().await;
    lines
        .until("its absence", |state| state.projects.first().is_some_and(|project| !project.reachable))
        .await;
}

#[tokio::test]
async fn terms_change_at_once_and_removal_keeps_files() {
    let house = House::open().await;
    let (project, folder) = house.project("web");
    std::fs::write(folder.join("a.txt"), "precious").unwrap();
    let mut lines = house.listen().await;
    lines.until("the project", |state| !state.projects.is_empty()).await;
    let route = format!("/control/projects/{project}");
    let (status, _) = house.ask(Method::PATCH, &route, json!({"permission": "read"})).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    lines.until("its terms", |state| state.projects[0].permission.as_str() == "read").await;
    let mut tools = house.tools().await;
    let create =
        json!({"project": project, "changes": [{"kind": "create", "path": "b.txt", "new_text": ""}]});
    assert_eq!(tools.call("edit_project_files", create).await.unwrap()["error"]["code"], "permission_denied");
    let (status, _) = house.ask(Method::DELETE, &route, Value::Null).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    lines.until("its absence", |state| state.projects.is_empty()).await;
    assert_eq!(std::fs::read_to_string(folder.join("a.txt")).unwrap(), "precious");
    let (status, failure) = house.ask(Method::DELETE, &route, Value::Null).await;
    assert_eq!((status, &failure["code"]), (StatusCode::NOT_FOUND, &json!("project_not_found")));
}

#[tokio::test]
async fn what_was_kept_of_a_folder_goes_with_its_removal() {
    let house = House::open().await;
    let folder = house.work.join("plain");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("a.txt"), "1").unwrap();
    let project = add(&house, &folder).await["project"].clone();
    let mut tools = house.tools().await;
    let mut changed = async |project: &Value| {
        let changes = tools.output("read_workspace_changes", json!({"project": project})).await.unwrap();
        changes["file_count"].clone()
    };
    assert_eq!(changed(&project).await, 0);
    std::fs::write(folder.join("a.txt"), "12").unwrap();
    assert_eq!(changed(&project).await, 1);
    let place = format!("/control/projects/{}", project.as_str().unwrap());
    assert_eq!(house.ask(Method::DELETE, &place, Value::Null).await.0, StatusCode::NO_CONTENT);
    let project = add(&house, &folder).await["project"].clone();
    assert_eq!(changed(&project).await, 0, "the first look is a new one");
}
