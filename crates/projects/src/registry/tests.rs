use webcodex_contracts::Permission;

use super::*;

fn registry(folder: &Path) -> Registry {
    Registry::open(folder.join("data/projects.toml"), ClientId::parse("me").unwrap(), FolderRules::default())
}

#[test]
fn a_folder_is_registered_once_whatever_its_spelling() {
    let folder = tempfile::tempdir().unwrap();
    let project = folder.path().join("My App");
    std::fs::create_dir(&project).unwrap();
    let registry = registry(folder.path());
    let first = registry.register(project.to_str().unwrap(), None, None).unwrap();
    assert_eq!((first.project.id.as_str(), first.already), ("agent:me:my-app", false));
    let spelled = format!("{}/../My App/.", project.display());
    let second = registry.register(&spelled, Some("other"), None).unwrap();
    assert_eq!((second.project.id.as_str(), second.already), ("agent:me:my-app", true));
    assert!(Arc::ptr_eq(&first.project, &second.project), "one lock for one project");
}

#[test]
fn equal_names_get_different_ids_and_removal_leaves_files() {
    let folder = tempfile::tempdir().unwrap();
    let registry = registry(folder.path());
    for place in ["a/app", "b/app", "c/应用"] {
        std::fs::create_dir_all(folder.path().join(place)).unwrap();
        registry.register(folder.path().join(place).to_str().unwrap(), None, None).unwrap();
    }
    let ids: Vec<_> = registry.list().unwrap().iter().map(|project| project.id.to_string()).collect();
    assert_eq!(ids, ["agent:me:app", "agent:me:app-2", "agent:me:project"]);
    registry.remove("app").unwrap();
    assert!(folder.path().join("a/app").is_dir());
    assert!(registry.find(&ProjectId::parse("agent:me:app").unwrap()).is_err());
    assert!(matches!(registry.remove("app"), Err(RegistryError::Unknown(_))));
}

#[test]
fn a_change_by_another_process_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (registry(folder.path()), registry(folder.path()));
    assert!(first.list().unwrap().is_empty());
    let project = folder.path().join("p");
    std::fs::create_dir(&project).unwrap();
    second.register(project.to_str().unwrap(), None, None).unwrap();
    assert_eq!(first.list().unwrap().len(), 1);
}

#[test]
fn a_damaged_file_is_reported_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let registry = registry(folder.path());
    std::fs::create_dir(folder.path().join("data")).unwrap();
    std::fs::write(folder.path().join("data/projects.toml"), "[[project]\n").unwrap();
    assert!(matches!(registry.list(), Err(RegistryError::Damaged { .. })));
    assert!(registry.register(folder.path().to_str().unwrap(), None, None).is_err());
    assert_eq!(std::fs::read_to_string(folder.path().join("data/projects.toml")).unwrap(), "[[project]\n");
}

fn project_at(registry: &Registry, folder: &Path) -> Arc<Project> {
    std::fs::create_dir_all(folder).unwrap();
    registry.register(folder.to_str().unwrap(), None, None).unwrap().project
}

fn only_read() -> TermsChange {
    TermsChange { permission: Some(Permission::Read), ask_first: None }
}

#[test]
fn a_list_without_terms_stays_valid_and_allows_what_it_always_did() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("data")).unwrap();
    let text = "[[project]]\nslug = \"p\"\nname = \"p\"\npath = \"/nowhere/p\"\n";
    std::fs::write(folder.path().join("data/projects.toml"), text).unwrap();
    let registry = registry(folder.path());
    assert_eq!(registry.list().unwrap()[0].terms, Terms::default());
    let project = registry.set_terms("p", only_read()).unwrap();
    assert_eq!(project.terms.permission, Permission::Read);
}

#[test]
fn terms_that_nobody_understands_damage_the_list_and_allow_nothing() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("data")).unwrap();
    let text = "[[project]]\nslug = \"p\"\nname = \"p\"\npath = \"/p\"\npermission = \"most\"\n";
    std::fs::write(folder.path().join("data/projects.toml"), text).unwrap();
    assert!(matches!(registry(folder.path()).list(), Err(RegistryError::Damaged { .. })));
}

#[tokio::test]
async fn terms_set_by_another_process_hold_at_the_next_look_and_keep_the_lock() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (registry(folder.path()), registry(folder.path()));
    let before = project_at(&first, &folder.path().join("p"));
    let writing = before.write_access().await.unwrap();
    second.set_terms("p", TermsChange { ask_first: Some(true), ..only_read() }).unwrap();
    let after = first.find(&before.id).unwrap();
    assert_eq!((after.terms.permission, after.terms.ask_first), (Permission::Read, true));
    assert!(after.write_access().await.is_err());
    second.set_terms("p", TermsChange { permission: Some(Permission::Edit), ask_first: None }).unwrap();
    let editable = first.find(&before.id).unwrap();
    let next = tokio::spawn(async move { editable.write_access().await.is_ok() });
    tokio::task::yield_now().await;
    assert!(!next.is_finished(), "the first still writes");
    drop(writing);
    assert!(next.await.unwrap());
}

#[test]
fn switching_asking_on_again_is_told_from_never_having_switched_it_off() {
    let folder = tempfile::tempdir().unwrap();
    let registry = registry(folder.path());
    project_at(&registry, &folder.path().join("p"));
    let ask = |ask_first| {
        let change = TermsChange { permission: None, ask_first: Some(ask_first) };
        registry.set_terms("p", change).unwrap().terms
    };
    let first = ask(true);
    // The clock has to go on for the two to differ.
    let later = std::iter::repeat_with(|| ask(true)).find(|terms| terms.asks_since != first.asks_since);
    assert!(later.unwrap().asks_since > first.asks_since);
    assert!(!ask(false).ask_first);
}

#[test]
fn a_worktree_goes_by_the_terms_of_its_source_and_keeps_them_when_that_is_removed() {
    let folder = tempfile::tempdir().unwrap();
    let registry = registry(folder.path());
    let source = project_at(&registry, &folder.path().join("source"));
    let tree = folder.path().join("tree");
    std::fs::create_dir(&tree).unwrap();
    registry.register(tree.to_str().unwrap(), None, Some(&source.id)).unwrap();
    let terms = |which: &str| registry.named(which).unwrap().terms;
    assert_eq!(terms("tree"), Terms::default());
    registry.set_terms("source", TermsChange { ask_first: Some(true), ..only_read() }).unwrap();
    assert_eq!(terms("tree"), terms("source"));
    registry.remove("source").unwrap();
    assert_eq!((terms("tree").permission, terms("tree").ask_first), (Permission::Read, true));
    let own = TermsChange { permission: Some(Permission::EditRun), ask_first: Some(false) };
    registry.set_terms("tree", own).unwrap();
    assert_eq!(terms("tree").permission, Permission::EditRun, "what is set for it itself counts");
}

#[test]
fn registering_a_folder_in_or_around_a_project_is_no_way_around_its_terms() {
    let folder = tempfile::tempdir().unwrap();
    let registry = registry(folder.path());
    let middle = folder.path().join("around/middle");
    project_at(&registry, &middle);
    registry.set_terms("middle", only_read()).unwrap();
    assert_eq!(project_at(&registry, &middle.join("inside")).terms.permission, Permission::Read);
    assert_eq!(project_at(&registry, &folder.path().join("around")).terms.permission, Permission::Read);
    let beside = project_at(&registry, &folder.path().join("around-and-beside"));
    assert_eq!(beside.terms, Terms::default());
}

#[test]
fn new_projects_begin_with_what_is_set_for_them() {
    let folder = tempfile::tempdir().unwrap();
    let registry = registry(folder.path());
    let old = project_at(&registry, &folder.path().join("old"));
    registry.begin_with(Terms { permission: Permission::Edit, ask_first: true, asks_since: 0 });
    let new = project_at(&registry, &folder.path().join("new"));
    assert_eq!((new.terms.permission, new.terms.ask_first), (Permission::Edit, true));
    assert_eq!(registry.find(&old.id).unwrap().terms, Terms::default(), "the old one stays what it is");
}
