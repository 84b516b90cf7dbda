use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde_json::json;

use super::Tree;
use crate::search::{Deadline, SearchError, Shortfall};

#[test]
fn a_path_that_does_not_exist_is_an_error() {
    let tree = Tree::new(&[("a", "x")]);
    let error = tree.error(json!({"pattern": "x", "paths": ["a", "b/c"]}));
    assert!(matches!(&error, SearchError::Missing { path, index: 1 } if path.as_str() == "b/c"), "{error:?}");
    assert_eq!((error.stage().as_str(), error.detail_code()), ("scope", "path_missing"));
}

#[test]
fn a_project_that_is_gone_is_an_error() {
    let tree = Tree::new(&[]);
    std::fs::remove_dir(tree.path()).unwrap();
    let error = tree.error(json!({"pattern": "x"}));
    assert_eq!(error.detail_code(), "project_folder_unavailable", "{error:?}");
}

#[test]
fn without_time_nothing_is_claimed() {
    let tree = Tree::new(&[("a", "x")]);
    let answer = tree.search_within(json!([{"pattern": "x"}]), Duration::ZERO).remove(0);
    match answer {
        Err(error) => assert!(matches!(error, SearchError::Deadline), "{error:?}"),
        Ok(found) => assert!(!found.completed || found.matches.len() == 1, "{found:?}"),
    }
}

#[test]
fn a_cancelled_search_ends() {
    let tree = Tree::new(&[("a", "x")]);
    let deadline = Deadline::within(Duration::from_secs(600)).or_cancelled(Arc::new(AtomicBool::new(true)));
    let queries = serde_json::from_value(json!([{"pattern": "x"}])).unwrap();
    let answer = tree.searcher.search(&tree.project.read_access(), &queries, &deadline).remove(0);
    if let Ok(found) = answer {
        assert!(!found.completed || found.matches.len() == 1, "{found:?}");
    }
}

#[test]
fn a_text_too_large_to_read_is_said() {
    let tree = Tree::new(&[("a", "x")]);
    let file = std::fs::File::create(tree.path().join("big.txt")).unwrap();
    let line = vec![b'a'; 1024 * 1024];
    for _ in 0..65 {
        std::io::Write::write_all(&mut &file, &line).unwrap();
    }
    let found = tree.one(json!({"pattern": "x"}));
    assert_eq!(found.shortfall, Some(Shortfall::FileTooLarge));
    assert!(!found.completed && found.matches.len() == 1);
    assert_eq!(found.skipped, ["larger than 64 MiB, not searched: `big.txt`"]);
    let without = tree.one(json!({"pattern": "x", "exclude": ["big.txt"]}));
    assert!(without.completed && without.skipped.is_empty());
}

#[cfg(unix)]
mod unix {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::PermissionsExt;

    use rustix::fs::{CWD, Mode, OFlags, mkdirat, mkfifoat, openat};

    use super::*;

    #[test]
    fn pipes_are_never_opened() {
        let tree = Tree::new(&[("a", "x")]);
        mkfifoat(CWD, tree.path().join("pipe"), Mode::RWXU).unwrap();
        mkfifoat(CWD, tree.path().join(".gitignore"), Mode::RWXU).unwrap();
        let found = tree.one(json!({"pattern": "x"}));
        assert!(found.completed && found.matches.len() == 1 && found.skipped.is_empty());
        let error = tree.error(json!({"pattern": "x", "paths": ["pipe"]}));
        assert!(matches!(error, SearchError::NotSearchable { .. }), "{error:?}");
    }

    #[test]
    fn a_file_that_cannot_be_read_is_said() {
        let tree = Tree::new(&[("a", "x"), ("secret", "x")]);
        let path = tree.path().join("secret");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o0)).unwrap();
        let found = tree.one(json!({"pattern": "x"}));
        // The system lets some users (root) read everything.
        if std::fs::File::open(&path).is_ok() {
            assert!(found.completed && found.matches.len() == 2);
            return;
        }
        assert_eq!((found.completed, found.shortfall), (false, Some(Shortfall::FileUnreadable)));
        assert_eq!(found.skipped, ["cannot be read: `secret` (permission denied)"]);
    }

    #[test]
    fn a_folder_that_cannot_be_listed_is_said() {
        let tree = Tree::new(&[("a", "x")]);
        // A chain of folders whose path is longer than the system takes.
        let name = "n".repeat(200);
        let mut folder = openat(CWD, tree.path(), OFlags::RDONLY | OFlags::DIRECTORY, Mode::empty()).unwrap();
        for _ in 0..25 {
            mkdirat(&folder, &name, Mode::RWXU).unwrap();
            folder = openat(&folder, &name, OFlags::RDONLY | OFlags::DIRECTORY, Mode::empty()).unwrap();
        }
        let found = tree.one(json!({"pattern": "x"}));
        assert_eq!((found.completed, found.shortfall), (false, Some(Shortfall::FolderUnreadable)));
        assert_eq!(found.matches.len(), 1, "the rest is found");
        assert!(found.skipped[0].starts_with("cannot be listed: `nnn"), "{:?}", found.skipped);
        assert!(!found.skipped[0].contains(tree.path().to_str().unwrap()), "only paths in the project");
    }

    #[test]
    fn names_that_no_path_can_say_are_counted() {
        let tree = Tree::new(&[("d/a", "x")]);
        let name = OsStr::from_bytes(b"caf\xE9.txt");
        if std::fs::write(tree.path().join("d").join(name), "x").is_err() {
            return; // Some systems refuse such names.
        }
        let found = tree.one(json!({"pattern": "x"}));
        assert_eq!((found.completed, found.shortfall), (false, Some(Shortfall::NameNotUnicode)));
        assert_eq!(found.skipped, ["names that are not Unicode: in `d`"]);
    }
}

#[cfg(target_os = "linux")]
mod hanging {
    use std::os::fd::AsRawFd;
    use std::path::{Path, PathBuf};
    use std::time::Instant;

    use rustix::mount::{MountFlags, UnmountFlags, mount, unmount};

    use super::*;

    /// A file system that never answers. Needs the right to mount; `None` where there is none.
    struct Dead {
        place: PathBuf,
        device: Option<std::fs::File>,
    }

    impl Dead {
        fn at(place: &Path) -> Option<Self> {
            std::fs::create_dir_all(place).unwrap();
            let device = std::fs::OpenOptions::new().read(true).write(true).open("/dev/fuse").ok()?;
            let options = format!("fd={},rootmode=40000,user_id=0,group_id=0", device.as_raw_fd());
            let options = std::ffi::CString::new(options).unwrap();
            mount("dead", place, "fuse", MountFlags::empty(), &*options).ok()?;
            Some(Self { place: place.to_owned(), device: Some(device) })
        }
    }

    impl Drop for Dead {
        fn drop(&mut self) {
            self.device.take();
            let _ = unmount(&self.place, UnmountFlags::DETACH);
        }
    }

    #[test]
    fn a_file_system_that_does_not_answer_costs_the_deadline_only() {
        let tree = Tree::new(&[("a", "x"), ("z/b", "x")]);
        let Some(dead) = Dead::at(&tree.path().join("m")) else { return };
        let time = Duration::from_millis(600);
        let first = tree.search_within(json!([{"pattern": "x"}]), time).remove(0).unwrap();
        assert_eq!((first.completed, first.shortfall), (false, Some(Shortfall::NoAnswer)));
        assert_eq!(first.skipped, ["no answer in time, perhaps from a dead network drive: `m`"]);
        assert_eq!(first.matches.len(), 2, "what lies behind it is found");

        let began = Instant::now();
        let again =
            tree.search_within(json!([{"pattern": "x"}]), Duration::from_secs(600)).remove(0).unwrap();
        assert!(began.elapsed() < Duration::from_secs(300), "nobody waits there twice");
        assert_eq!((again.shortfall, again.matches.len()), (Some(Shortfall::NoAnswer), 2));
        let named = tree.error(json!({"pattern": "x", "paths": ["m"]}));
        assert!(matches!(named, SearchError::NoAnswer { .. }), "{named:?}");

        drop(dead);
        while !tree.one(json!({"pattern": "x"})).completed {
            std::thread::yield_now();
        }
    }

    #[test]
    fn a_named_path_that_does_not_answer_ends_at_the_deadline() {
        let tree = Tree::new(&[("a", "x")]);
        let Some(_dead) = Dead::at(&tree.path().join("m")) else { return };
        let answers = tree.search_within(
            json!([{"pattern": "x", "paths": ["m/deep"]}, {"pattern": "x", "paths": ["a"]}]),
            Duration::from_millis(400),
        );
        for answer in answers {
            assert!(matches!(answer, Err(SearchError::Deadline)), "{answer:?}");
        }
    }
}
