//! Answers `read_git_history`.

use gix::ObjectId;
use gix::bstr::{BStr, ByteSlice};
use gix::date::time::format::ISO8601_STRICT;
use gix::revision::walk::Sorting;
use gix::traverse::commit::simple::CommitTimeOrder;
use webcodex_contracts::tools::read_git_history::{
    CommitSummary, ReadGitHistoryOutput, ReadGitHistoryParams,
};
use webcodex_contracts::tools::read_workspace_changes::ChangeStatus;
use webcodex_contracts::{Continuation, ToolName};

use crate::cursor::request_tag;
use crate::filters::Filters;
use crate::repository::Workspace;
use crate::scope::Scope;
use crate::status::{self, Change};
use crate::{GitError, Interrupt, names, revision, trees};

/// Commits in one answer where the caller states none.
const DEFAULT_LIMIT: usize = 20;
/// Files listed for one commit.
const MAX_FILES: usize = 100;
/// Longest subject and longest body that are shown, in bytes.
const MAX_SUBJECT: usize = 300;
const MAX_BODY: usize = 2000;
/// Text in one answer, in bytes.
const MAX_ANSWER: usize = 64 * 1024;
/// Memory for trees that neighbouring commits share, in bytes.
const TREE_CACHE: usize = 16 * 1024 * 1024;
/// Version of the cursor's form.
const FORM: &str = "h1";

/// Reads one page of commits, newest first.
pub(crate) fn read(
    mut workspace: Workspace,
    params: &ReadGitHistoryParams,
    interrupt: &Interrupt,
) -> Result<ReadGitHistoryOutput, GitError> {
    workspace.repo.object_cache_size_if_unset(TREE_CACHE);
    let workspace = &workspace;
    let start = match &params.revision {
        Some(given) => revision::commit(&workspace.repo, given, "revision")?,
        None => match workspace.repo.head()?.try_into_peeled_id()? {
            Some(head) => head.detach(),
            None => return Ok(ReadGitHistoryOutput::default()),
        },
    };
    let tag = tag(params, start);
    let skip = params.cursor.as_deref().map_or(Ok(0), |cursor| parse(cursor, &tag))?;
    let history = History {
        workspace,
        scope: Scope::new(workspace.prefix.as_ref(), &params.paths),
        filters: Filters::of(workspace, interrupt),
        shallow: workspace.repo.shallow_commits()?,
        interrupt,
        params,
    };
    let (commits, walked) = history.page(start, skip)?;
    let continuation = walked.and_then(|walked| {
        let mut next = params.clone();
        next.revision = Some(start.to_string());
        next.cursor = Some(format!("{FORM}.{tag}.{walked}"));
        Continuation::new(ToolName::ReadGitHistory, next)
    });
    Ok(ReadGitHistoryOutput { commits, continuation })
}

/// Names the walk that a cursor belongs to.
fn tag(params: &ReadGitHistoryParams, start: ObjectId) -> String {
    let start = start.to_string();
    let mut parts = vec![params.project.as_str(), &start];
    parts.extend(params.paths.iter().map(|path| path.as_str()));
    request_tag(&parts)
}

fn parse(cursor: &str, tag: &str) -> Result<usize, GitError> {
    let mut parts = cursor.splitn(3, '.');
    if parts.next() != Some(FORM) {
        return Err(GitError::CursorInvalid { reason: "it is not a cursor of this tool" });
    }
    if parts.next() != Some(tag) {
        return Err(GitError::CursorInvalid { reason: "it was given for other arguments" });
    }
    let walked = parts.next().and_then(|walked| walked.parse().ok());
    walked.ok_or(GitError::CursorInvalid { reason: "it is damaged" })
}

struct History<'a> {
    workspace: &'a Workspace,
    scope: Scope,
    filters: Filters,
    /// Commits whose parents were not fetched.
    shallow: Option<gix::shallow::Commits>,
    interrupt: &'a Interrupt,
    params: &'a ReadGitHistoryParams,
}

impl History<'_> {
    /// The commits of this page, and how many commits were walked before the next one, if there is a next one.
    fn page(&self, start: ObjectId, skip: usize) -> Result<(Vec<CommitSummary>, Option<usize>), GitError> {
        let limit = self.params.limit.map_or(DEFAULT_LIMIT, |limit| limit.as_usize());
        let order = Sorting::ByCommitTime(CommitTimeOrder::NewestFirst);
        let walk = self.workspace.repo.rev_walk([start]).sorting(order).all()?;
        let (mut commits, mut bytes) = (Vec::new(), 0);
        for (walked, info) in walk.enumerate() {
            let info = info?;
            if walked < skip {
                if walked % 1024 == 0 {
                    self.interrupt.check()?;
                }
                continue;
            }
            let full = commits.len() >= limit || bytes > MAX_ANSWER;
            // At least one commit is looked at, so that asking again always gets on.
            if full || walked > skip && self.interrupt.is_raised() {
                return Ok((commits, Some(walked)));
            }
            let cut = self.shallow.as_ref().is_some_and(|shallow| shallow.contains(&info.id));
            if let Some(commit) = self.commit(info.id, if cut { &[] } else { &info.parent_ids })? {
                bytes += cost(&commit);
                commits.push(commit);
            }
        }
        Ok((commits, None))
    }

    /// The commit, if it touches what is asked for.
    fn commit(&self, id: ObjectId, parents: &[ObjectId]) -> Result<Option<CommitSummary>, GitError> {
        let repo = &self.workspace.repo;
        let commit = repo.find_commit(id)?;
        let tree = commit.tree_id()?.detach();
        let parent_trees = parents
            .iter()
            .map(|parent| Ok(repo.find_commit(*parent)?.tree_id()?.detach()))
            .collect::<Result<Vec<_>, GitError>>()?;
        if !self.scope.is_everything() && !self.touches(tree, &parent_trees)? {
            return Ok(None);
        }
        let mut summary = describe(&commit, parents)?;
        if self.params.files {
            let changes = self.files(parent_trees.first().copied(), tree)?;
            summary.files_cut = changes.len() > MAX_FILES;
            summary.files = changes.iter().take(MAX_FILES).map(|change| self.file(change)).collect();
        }
        Ok(Some(summary))
    }

    /// Whether what is asked for differs from every parent, as for git.
    fn touches(&self, tree: ObjectId, parents: &[ObjectId]) -> Result<bool, GitError> {
        let differs = |parent: Option<ObjectId>| -> Result<bool, GitError> {
            for root in self.scope.roots() {
                if differs_at(&self.workspace.repo, Some(tree), parent, root)? {
                    return Ok(true);
                }
            }
            Ok(false)
        };
        if parents.is_empty() {
            return differs(None);
        }
        for parent in parents {
            if !differs(Some(*parent))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn files(&self, old: Option<ObjectId>, new: ObjectId) -> Result<Vec<Change>, GitError> {
        Ok(status::of_trees(self.workspace, &self.scope, old, new, &self.filters, self.interrupt)?.list)
    }

    fn file(&self, change: &Change) -> String {
        let letter = match change.status {
            ChangeStatus::Added => 'A',
            ChangeStatus::Modified => 'M',
            ChangeStatus::Deleted => 'D',
            ChangeStatus::Renamed => 'R',
            ChangeStatus::TypeChanged => 'T',
            ChangeStatus::Conflicted => 'U',
        };
        let shown = |path: &BStr| names::text(self.scope.in_project(path).unwrap_or(path));
        match &change.old_path {
            Some(old) => format!("{letter} {} → {}", shown(old.as_ref()), shown(change.path.as_ref())),
            None => format!("{letter} {}", shown(change.path.as_ref())),
        }
    }
}

/// Whether what lies at `path` differs between two trees. Equal folders on the way end the search.
fn differs_at(
    repo: &gix::Repository,
    mut a: Option<ObjectId>,
    mut b: Option<ObjectId>,
    path: &BStr,
) -> Result<bool, GitError> {
    let parts: Vec<&[u8]> = path.split_str("/").filter(|part| !part.is_empty()).collect();
    for (at, part) in parts.iter().enumerate() {
        if a == b {
            return Ok(false);
        }
        let find = |tree: Option<ObjectId>| -> Result<Option<trees::Entry>, GitError> {
            Ok(trees::entries(repo, tree)?.into_iter().find(|entry| entry.name == *part))
        };
        let (in_a, in_b) = (find(a)?, find(b)?);
        let whole = |entry: &Option<trees::Entry>| entry.as_ref().map(|entry| (entry.mode, entry.id));
        if at + 1 == parts.len() {
            return Ok(whole(&in_a) != whole(&in_b));
        }
        let folder = |entry: Option<trees::Entry>| entry.filter(trees::Entry::is_tree).map(|entry| entry.id);
        (a, b) = (folder(in_a), folder(in_b));
    }
    Ok(a != b)
}

/// The commit in words.
fn describe(commit: &gix::Commit<'_>, parents: &[ObjectId]) -> Result<CommitSummary, GitError> {
    let decoded = commit.decode()?;
    let encoding = decoded.encoding.and_then(|label| encoding_rs::Encoding::for_label(label));
    let text = |bytes: &BStr, longest: usize| {
        let text = encoding.unwrap_or(encoding_rs::UTF_8).decode_without_bom_handling(bytes).0;
        shorten(text.trim_end(), longest)
    };
    let message = decoded.message();
    let author = decoded.author()?;
    let time = author.time().unwrap_or_default();
    Ok(CommitSummary {
        id: commit.id.to_string(),
        subject: text(message.summary().as_ref(), MAX_SUBJECT),
        body: message.body.map(|body| text(body, MAX_BODY)).filter(|body| !body.is_empty()),
        author: format!("{} <{}>", text(author.name, MAX_SUBJECT), text(author.email, MAX_SUBJECT)),
        authored_at: time.format(ISO8601_STRICT).unwrap_or_else(|_| time.seconds.to_string()),
        parents: parents.iter().map(ObjectId::to_string).collect(),
        files: Vec::new(),
        files_cut: false,
    })
}

fn shorten(text: &str, longest: usize) -> String {
    if text.len() <= longest {
        return text.to_owned();
    }
    let end = (0..=longest).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    format!("{}…", &text[..end])
}

fn cost(commit: &CommitSummary) -> usize {
    let files: usize = commit.files.iter().map(|file| file.len() + 3).sum();
    200 + commit.subject.len() + commit.body.as_ref().map_or(0, String::len) + files
}
