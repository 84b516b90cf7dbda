//! What a caller calls a commit.

use gix::ObjectId;
use gix::bstr::ByteSlice;
use webcodex_contracts::decode::nearest;

use crate::GitError;
use crate::error::explain;

/// Branches and tags that are looked through for a similar name.
const MAX_NAMES: usize = 5000;
/// Similar names that are told.
const MAX_NEAREST: usize = 3;

/// The commit that `given` names; `field` is the argument it came in. It is a name and never an option.
pub(crate) fn commit(repo: &gix::Repository, given: &str, field: &'static str) -> Result<ObjectId, GitError> {
    let not_found = |reason: String| GitError::RevisionNotFound {
        given: given.chars().take(200).collect(),
        field,
        reason,
        nearest: similar_names(repo, given),
    };
    if let Some(reason) = never_a_revision(given) {
        return Err(not_found(reason.to_owned()));
    }
    let found = repo.rev_parse_single(given).map_err(|error| not_found(reason(&error)))?;
    let object = found.object().map_err(|error| not_found(reason(&error)))?;
    match object.peel_to_commit() {
        Ok(commit) => Ok(commit.id),
        Err(_) => Err(not_found("it is there, but it is not a commit".to_owned())),
    }
}

fn never_a_revision(given: &str) -> Option<&'static str> {
    if given.trim().is_empty() {
        return Some("it is empty");
    }
    if given.starts_with('-') {
        return Some("no revision begins with `-`, and options are not accepted");
    }
    if given.contains("..") {
        return Some("it is a range; give one commit in `base` and the other in `target`");
    }
    given.chars().any(char::is_control).then_some("it contains a control character")
}

fn reason(error: &gix::Error) -> String {
    let story = explain(error);
    if story.contains("ambiguous") {
        return "the short id fits several objects; give more of its digits".to_owned();
    }
    "there is no branch, tag or commit of this name".to_owned()
}

/// Names that the caller may have meant, the likeliest first.
fn similar_names(repo: &gix::Repository, given: &str) -> Vec<String> {
    let mut names = Vec::new();
    if let Ok(references) = repo.references()
        && let Ok(all) = references.all()
    {
        let short =
            |reference: gix::Reference<'_>| reference.name().shorten().to_str().ok().map(str::to_owned);
        names.extend(all.flatten().filter_map(short).take(MAX_NAMES));
    }
    let mut similar = Vec::new();
    while let Some(name) = nearest(given, names.iter().map(String::as_str)).map(str::to_owned) {
        names.retain(|other| *other != name);
        similar.push(name);
        if similar.len() == MAX_NEAREST {
            break;
        }
    }
    similar
}
