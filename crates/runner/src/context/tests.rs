use webcodex_contracts::ProjectId;
use webcodex_contracts::limits::MAX_CONTEXT_BYTES;

use super::*;

fn project(files: &[(&str, String)]) -> (tempfile::TempDir, Arc<Project>) {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        std::fs::write(folder.path().join(path), text).unwrap();
    }
    let project = Project::new(ProjectId::parse("agent:me:demo").unwrap(), "demo", folder.path()).unwrap();
    (folder, project)
}

fn bodies(items: &[ContextItem]) -> usize {
    let files = items.iter().flat_map(|item| &item.files).map(|file| file.text.len()).sum::<usize>();
    files + items.iter().filter_map(|item| item.text.as_ref()).map(String::len).sum::<usize>()
}

#[test]
fn a_workflow_behind_long_instructions_is_whole_and_all_fit() {
    let (_folder, project) =
        project(&[("AGENTS.md", "rule\n".repeat(8000)), ("CLAUDE.md", "more\n".repeat(10))]);
    let keys = [ContextKey::Instructions, ContextKey::Workflow];
    let items = materials(&project, &keys, HostProfile::Direct, ProjectStatus::default());
    assert_eq!(items.iter().map(|item| item.key).collect::<Vec<_>>(), keys, "the caller's order");
    assert_eq!(items[1].text.as_deref(), Some(workflow::text(HostProfile::Direct)));
    assert!(bodies(&items) <= MAX_CONTEXT_BYTES);
    let agents = &items[0].files[0];
    assert!(agents.truncated && agents.text.ends_with("rule\n"));
    let next = agents.continuation.as_ref().unwrap();
    let line = next.arguments["items"][0]["start_line"].as_u64().unwrap();
    assert_eq!(line as usize, agents.text.lines().count() + 1);
    assert!(items[0].omitted.iter().any(|omission| omission.what == "CLAUDE.md"), "{:?}", items[0].omitted);
}

#[test]
fn the_same_text_is_given_once_and_order_does_not_change_the_workflow() {
    let (_folder, project) = project(&[("AGENTS.md", "a".into()), ("CLAUDE.md", "a".into())]);
    let keys = [ContextKey::Status, ContextKey::Workflow, ContextKey::Instructions];
    let items = materials(&project, &keys, HostProfile::HostCodeMode, ProjectStatus::default());
    assert!(items[0].status.is_some());
    assert_eq!(items[2].files.len(), 1);
    assert_eq!(items[2].omitted[0].reason, "same content as AGENTS.md");
}

#[cfg(unix)]
#[test]
fn instructions_outside_the_project_are_not_read() {
    let outside = tempfile::NamedTempFile::new().unwrap();
    let (folder, project) = project(&[]);
    std::os::unix::fs::symlink(outside.path(), folder.path().join("AGENTS.md")).unwrap();
    let items =
        materials(&project, &[ContextKey::Instructions], HostProfile::Direct, ProjectStatus::default());
    assert!(items[0].files.is_empty());
    assert!(items[0].omitted[0].reason.contains("leads out of the project"));
}

#[test]
fn a_project_whose_folder_is_gone_says_so() {
    let data = tempfile::tempdir().unwrap();
    let git = Git::open(data.path()).unwrap();
    let (folder, project) = project(&[]);
    assert_eq!(project_info(&git, &project).unavailable, None);
    drop(folder);
    assert!(project_info(&git, &project).unavailable.unwrap().contains("gone"));
}
