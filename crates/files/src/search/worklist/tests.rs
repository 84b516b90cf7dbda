use std::path::PathBuf;

use proptest::prelude::*;

use super::super::folder::Folder;
use super::super::outcome::{Skip, SkipReason};
use super::super::walk::Listing;
use super::*;

fn queries() -> Mask {
    Mask::one(0)
}

/// A task of `count` files in the folder `path`.
fn files(path: &str, count: usize) -> Task {
    let file = |number: usize| ListedFile { name: format!("{number:03}").into(), queries: queries() };
    let listing = Listing {
        path: path.to_owned(),
        folder: Folder::unlisted(PathBuf::from(path)),
        files: (0..count).map(file).collect(),
    };
    Task::Files(FilesTask { listing: Arc::new(listing), range: 0..count, queries: queries() })
}

fn outcome(path: String) -> Outcome {
    Outcome::Skipped(Skip { path, queries: queries(), reason: SkipReason::Binary })
}

fn path(outcome: &Outcome) -> &str {
    match outcome {
        Outcome::Found { path, .. } => path,
        Outcome::Skipped(skip) => &skip.path,
    }
}

/// A list that has begun, with these tasks in it.
fn begun(tasks: Vec<Task>) -> WorkList {
    let mut list = WorkList::new(Task::Begin(queries()));
    let begin = list.take(queries()).unwrap();
    list.finish(&begin, Vec::new(), tasks);
    list
}

fn files_of(job: &Job) -> &Files {
    match &job.work {
        Work::Files(files) => files,
        other => panic!("{other:?}"),
    }
}

/// Looks at one file of a job.
fn look(job: &Job) -> bool {
    let files = files_of(job);
    let Some(file) = files.current() else { return false };
    files.advance(Some(outcome(files.task.listing.path_of(file))));
    true
}

#[test]
fn files_behind_one_that_does_not_answer_are_freed() {
    let mut list = begun(vec![files("a/", 5), files("b/", 1)]);
    let stalled = list.take(queries()).unwrap();
    assert!(look(&stalled));
    list.free_stalled();
    assert!(look(&stalled), "it moves");
    list.free_stalled();
    list.free_stalled();
    let freed = list.take(queries()).unwrap();
    assert_eq!(freed_paths(&freed), ["a/003", "a/004"]);
    while look(&freed) {}
    let (outcomes, rest) = files_of(&freed).give_back();
    assert!(rest.is_none());
    list.finish(&freed, outcomes, Vec::new());
    let last = list.take(queries()).unwrap();
    assert_eq!(freed_paths(&last), ["b/000"]);

    let left: Vec<String> = list
        .into_left()
        .map(|left| match left {
            Left::Done(outcomes) => {
                format!("done {}", outcomes.iter().map(path).collect::<Vec<_>>().join(" "))
            }
            Left::Unanswered { path, .. } => format!("unanswered {path}"),
            Left::Untouched { path, .. } => format!("untouched {path}"),
            Left::Unbegun { .. } => "unbegun".to_owned(),
        })
        .collect();
    let expected = ["done a/000 a/001", "unanswered a/002", "done a/003 a/004", "done ", "unanswered b/000"];
    assert_eq!(left, expected);
}

fn freed_paths(job: &Job) -> Vec<String> {
    let FilesTask { listing, range, .. } = &files_of(job).task;
    range.clone().map(|at| listing.path_at(at)).collect()
}

#[test]
fn what_no_query_wants_any_more_is_not_handed_out() {
    let mut list = begun(vec![files("a/", 40)]);
    assert!(list.has_ready());
    assert!(list.take(Mask::one(3)).is_none());
    assert!(list.is_empty());
}

proptest! {
    #[test]
    fn outcomes_leave_in_order_whatever_takes_long(
        counts in proptest::collection::vec(0_usize..40, 1..6),
        choices in proptest::collection::vec((0_usize..4, 0_usize..20), 0..400),
    ) {
        let tasks = counts.iter().enumerate().map(|(folder, count)| files(&format!("{folder}/"), *count)).collect();
        let expected: Vec<String> = counts
            .iter()
            .enumerate()
            .flat_map(|(folder, count)| (0..*count).map(move |file| format!("{folder}/{file:03}")))
            .collect();
        let mut list = begun(tasks);
        let mut running: Vec<Job> = Vec::new();
        let mut seen = Vec::new();
        let mut choices = choices.into_iter();
        loop {
            let (which, looks) = choices.next().unwrap_or((0, 40));
            if running.len() < 3 && let Some(job) = list.take(queries()) {
                running.push(job);
                continue;
            }
            if running.is_empty() {
                break;
            }
            let job = running.remove(which % running.len());
            for _ in 0..looks {
                look(&job);
            }
            if looks % 5 == 1 {
                list.free_stalled();
            }
            let (outcomes, rest) = files_of(&job).give_back();
            list.finish(&job, outcomes, rest.into_iter().collect());
            while let Some(ripe) = list.ripe() {
                seen.extend(ripe.iter().map(|outcome| path(outcome).to_owned()));
            }
        }
        prop_assert!(list.is_empty());
        prop_assert_eq!(list.waiting_bytes(), 0);
        prop_assert_eq!(seen, expected);
    }
}
