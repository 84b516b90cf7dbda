//! Closes a task: looks at what there is, says what blocks, and seals Final Changes if nothing does.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::UNIX_EPOCH;

use webcodex_contracts::call::CallContext;
use webcodex_contracts::execution::Outcome;
use webcodex_contracts::tools::finish_coding_task::{
    Evidence, FinishCode, FinishCodingTaskOutput, FinishCodingTaskParams, FinishItem, OutputFact, OutputKind,
};
use webcodex_contracts::tools::review::{ChangedBy, Check, ReviewFile};
use webcodex_contracts::tools::work_result_state::Review;
use webcodex_contracts::{ErrorCode, ProjectPath, ToolError, ToolFailure, ToolResult};
use webcodex_git::{Asked, Interrupt, Reviewed, SnapshotError, Summary};
use webcodex_projects::ReadAccess;

use super::work_result_state::checks;
use crate::{Runner, error};

/// Paths, commands and the like that are told.
const MAX_TOLD: usize = 20;

pub(crate) async fn run(
    runner: &Runner,
    call: &CallContext,
    params: FinishCodingTaskParams,
) -> ToolResult<FinishCodingTaskOutput> {
    let project = runner.project(call, &params.project)?;
    let access = project.read_access();
    let git = Arc::clone(&runner.git);
    let interrupt = Interrupt::after(call.policy.deadline().mul_f64(0.45));
    let session = params.session_id.clone();
    let outputs: Vec<ProjectPath> = params.outputs.map(|outputs| outputs.into_vec()).unwrap_or_default();
    let looking = {
        let (git, access, session) = (Arc::clone(&git), access.clone(), session.clone());
        move || {
            let asked = Asked { session: Some(&session), ..Asked::default() };
            let reviewed = git.review(&access, &asked, &interrupt);
            let reviewed = reviewed.map_err(|error| error::snapshots::to_failure(&error))?;
            let summary = git.project_summary(&access).unwrap_or_default();
            let facts = outputs.iter().map(|path| output_fact(&access, path)).collect::<Vec<_>>();
            Ok((reviewed, summary, facts))
        }
    };
    let (reviewed, summary, outputs) = runner.blocking(call, looking).await?;
    let Reviewed { review: Some(review), last_change_ms, .. } = reviewed else {
        let what = reviewed.unavailable.unwrap_or_else(|| "the state of the files is not known".to_owned());
        let error =
            SnapshotError::Expired { what: what.trim_end_matches(" is not kept any more").to_owned() };
        return Err(error::snapshots::to_failure(&error));
    };
    let checks = checks(runner, &project.id, &session, last_change_ms);
    let looked =
        Looked { review: &review, checks: &checks, outputs: &outputs, summary: &summary, last_change_ms };
    let (blocking, advisory) = (looked.blocking(), looked.advisory());
    let mut output = FinishCodingTaskOutput {
        closed: false,
        blocking,
        advisory,
        evidence: looked.evidence(),
        final_changes: None,
    };
    if !output.blocking.is_empty() {
        return Err(blocked(output));
    }
    let interrupt = Interrupt::after(call.policy.deadline().mul_f64(0.45));
    let sealing = move || {
        git.seal(&access, &session, params.summary.as_deref(), &interrupt)
            .map_err(|error| error::snapshots::to_failure(&error))
    };
    let mut sealed = runner.blocking(call, sealing).await?;
    // The page lists them; the model has made them.
    (sealed.files, sealed.next_offset, sealed.summary) = (Vec::new(), None, None);
    (output.closed, output.final_changes) = (true, Some(sealed));
    Ok(output)
}

fn blocked(output: FinishCodingTaskOutput) -> Box<ToolFailure> {
    let first = output.blocking.first().map(|item| item.message.clone()).unwrap_or_default();
    let more = match output.blocking.len() {
        0 | 1 => String::new(),
        count => format!(" ({} more)", count - 1),
    };
    let error = ToolError::new(ErrorCode::FinishBlocked, format!("the task is not closed: {first}{more}"))
        .hint("Settle what `blocking` names and call finish_coding_task again.")
        .changed(false);
    Box::new(ToolFailure::new(error).with_output(output))
}

struct Looked<'a> {
    review: &'a Review,
    checks: &'a [Check],
    outputs: &'a [OutputFact],
    summary: &'a Summary,
    last_change_ms: Option<u64>,
}

impl Looked<'_> {
    fn blocking(&self) -> Vec<FinishItem> {
        let mut items = Vec::new();
        let running: Vec<&Check> = self.checks.iter().filter(|check| check.job.outcome.is_none()).collect();
        if let Some(check) = running.first() {
            let message = format!("`{}` still runs as job `{}`", check.job.command, check.job.job_id);
            items.push(item(FinishCode::JobRunning, message, Vec::new()));
        }
        if !self.review.conflicted.is_empty() {
            let message = format!("{} files are in conflict", self.review.conflicted.len());
            items.push(item(FinishCode::Conflict, message, self.review.conflicted.clone()));
        }
        let missing = self.paths(|output| output.kind == OutputKind::Missing);
        if !missing.is_empty() {
            let message = format!("{} of the outputs do not exist", missing.len());
            items.push(item(FinishCode::OutputMissing, message, missing));
        }
        items
    }

    fn advisory(&self) -> Vec<FinishItem> {
        let mut items = Vec::new();
        let mut note = |code, message: String, paths: Vec<String>| items.push(item(code, message, paths));
        let last_runs = self.last_runs();
        for check in
            last_runs.iter().filter(|check| !matches!(check.job.outcome, None | Some(Outcome::Passed)))
        {
            let ended = match check.job.exit_code {
                Some(code) => format!("exit code {code}"),
                None => format!("{:?}", check.job.outcome.unwrap_or(Outcome::Lost)).to_lowercase(),
            };
            note(
                FinishCode::CheckFailed,
                format!("the last run of `{}` failed: {ended}", check.job.command),
                Vec::new(),
            );
        }
        let checked =
            last_runs.iter().any(|check| check.job.outcome == Some(Outcome::Passed) && !check.outdated);
        if self.last_change_ms.is_some() && !checked {
            let message = "no command has passed since the last change, so nothing was checked in this state";
            note(FinishCode::NotChecked, message.to_owned(), Vec::new());
        }
        let empty = self.paths(|output| output.size_bytes == Some(0));
        if !empty.is_empty() {
            note(FinishCode::OutputEmpty, "outputs are empty files".to_owned(), empty);
        }
        let began = self.review.base.at_ms.unwrap_or(0);
        let old = |output: &OutputFact| output.modified_ms.is_some_and(|modified| modified < began);
        let unchanged = self.paths(|output| output.kind == OutputKind::File && old(output));
        if !unchanged.is_empty() {
            note(FinishCode::OutputUnchanged, "outputs are older than this session".to_owned(), unchanged);
        }
        if let Some(operation) = &self.summary.at.operation {
            note(FinishCode::OperationUnfinished, format!("a {operation} is unfinished"), Vec::new());
        }
        let left_out: Vec<String> = self.review.left_out.iter().map(|file| file.what.clone()).collect();
        if !left_out.is_empty() {
            note(
                FinishCode::LeftOut,
                "files are not in Final Changes with their content".to_owned(),
                left_out,
            );
        }
        let others = self.files(|file| matches!(file.by, Some(ChangedBy::Others | ChangedBy::Mixed)));
        if !others.is_empty() {
            note(FinishCode::OthersChanged, "somebody else changed files too".to_owned(), others);
        }
        if self.review.file_count == 0 {
            note(FinishCode::NothingChanged, "no file was changed".to_owned(), Vec::new());
        }
        items
    }

    fn evidence(&self) -> Evidence {
        Evidence {
            file_count: self.review.file_count,
            added_lines: self.review.added_lines,
            removed_lines: self.review.removed_lines,
            files: self.review.files.iter().take(MAX_TOLD).map(|file| file.path.clone()).collect(),
            checks: self.last_runs().into_iter().take(MAX_TOLD).cloned().collect(),
            outputs: self.outputs.to_vec(),
            branch: self.summary.at.branch.clone(),
            head: self.summary.at.head.clone(),
        }
    }

    /// The last run of each command, newest first.
    fn last_runs(&self) -> Vec<&Check> {
        let mut seen = HashSet::new();
        self.checks.iter().filter(|check| seen.insert(check.job.command.as_str())).collect()
    }

    fn paths(&self, which: impl Fn(&OutputFact) -> bool) -> Vec<String> {
        self.outputs.iter().filter(|output| which(output)).map(|output| output.path.to_string()).collect()
    }

    fn files(&self, which: impl Fn(&ReviewFile) -> bool) -> Vec<String> {
        self.review.files.iter().filter(|file| which(file)).map(|file| file.path.clone()).collect()
    }
}

fn item(code: FinishCode, message: String, mut paths: Vec<String>) -> FinishItem {
    paths.truncate(MAX_TOLD);
    FinishItem { code, message, paths }
}

/// What lies where an output should be; what leads out of the project is not looked at.
fn output_fact(access: &ReadAccess, path: &ProjectPath) -> OutputFact {
    let missing =
        OutputFact { path: path.clone(), kind: OutputKind::Missing, size_bytes: None, modified_ms: None };
    let Ok(confined) = access.confine(path) else { return missing };
    let Ok(metadata) = confined.absolute.metadata() else { return missing };
    let kind = match metadata.file_type() {
        kind if kind.is_file() => OutputKind::File,
        kind if kind.is_dir() => OutputKind::Folder,
        _ => OutputKind::Other,
    };
    let modified = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    OutputFact {
        kind,
        size_bytes: (kind == OutputKind::File).then_some(metadata.len()),
        modified_ms: modified.and_then(|time| u64::try_from(time.as_millis()).ok()),
        ..missing
    }
}
