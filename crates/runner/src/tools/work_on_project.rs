//! The Runner's part of `work_on_project`: the project and what a model should know about it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use webcodex_contracts::call::CallContext;
use webcodex_contracts::control::ApprovalAsks;
use webcodex_contracts::tools::work_on_project::{
    ContextKey, ProjectStatus, WorkMode, WorkOnProjectOutput, WorkOnProjectParams,
};
use webcodex_contracts::{ErrorCode, ProjectId, ToolError, ToolResult};
use webcodex_link::Caller;
use webcodex_projects::Project;

use super::register_project::register;
use crate::access::write_access;
use crate::{Runner, approval, context, error};

/// Counting changed files may take so much of the 20 ms that the call is allowed; what is not counted by then is not told.
const COUNT_WITHIN: Duration = Duration::from_millis(12);

pub(crate) async fn run(
    runner: &Runner,
    call: &CallContext,
    params: WorkOnProjectParams,
    caller: &Caller,
) -> ToolResult<WorkOnProjectOutput> {
    let began = Instant::now();
    let source = find(runner, call, &params)?;
    let project = match params.mode {
        WorkMode::Direct => source,
        WorkMode::Worktree => {
            let new = NewWorktree::of(runner, &source, params.instruction.as_deref());
            new.ask(runner, call, caller, &source, began).await?;
            new.make(runner, call, &source.id).await?
        }
    };
    let keys = if params.context.is_empty() { ContextKey::DEFAULT.to_vec() } else { params.context };
    let profile = params.guidance_profile.unwrap_or(call.policy.profile);
    let running_jobs = runner.jobs.running_in(&project.id);
    let beginning = Arc::clone(&project);
    let git = Arc::clone(&runner.git);
    let opened = runner
        .blocking(call, move || {
            let access = project.read_access();
            git.ensure_baseline(&access).map_err(|error| error::git::to_tool_error(&error))?;
            let info = context::project_info(&git, &project);
            // A repository that cannot be read is told in the project's facts and keeps nobody from working.
            let summary = git.project_summary(&access).unwrap_or_default();
            let status = ProjectStatus {
                at: summary.at,
                changed_files: git.changed_count(&access, COUNT_WITHIN).unwrap_or_default(),
                running_jobs,
            };
            let context = context::materials(&project, &keys, profile, status);
            Ok(WorkOnProjectOutput { session: None, project: info, context })
        })
        .await?;
    runner.session_begins(&beginning, call.session_id.as_ref());
    Ok(opened)
}

/// The project that was named by id or folder, or the only one there is.
fn find(
    runner: &Runner,
    call: &CallContext,
    params: &WorkOnProjectParams,
) -> Result<Arc<Project>, ToolError> {
    match (&params.project, &params.path) {
        (Some(project), _) => runner.project(call, project),
        (None, Some(path)) => Ok(register(runner, call, path, None)?.project),
        (None, None) => only_project(runner, call),
    }
}

fn only_project(runner: &Runner, call: &CallContext) -> Result<Arc<Project>, ToolError> {
    let all = runner.projects.list().map_err(|error| error::projects::registry(&error))?;
    let visible: Vec<_> = all.into_iter().filter(|project| call.grant.allows(&project.id)).collect();
    match visible.as_slice() {
        [only] => runner.project(call, &only.id),
        [] => Err(ToolError::new(ErrorCode::ProjectNotConfigured, "no project is registered yet")
            .hint("Pass `path` with the absolute path of a folder, or register one in the app.")
            .changed(false)),
        several => {
            let ids: Vec<_> = several.iter().map(|project| format!("`{}`", project.id)).collect();
            Err(ToolError::new(ErrorCode::InvalidArguments, "there are several projects; say which one")
                .field("project")
                .hint(format!("Pass `project` as one of {}.", ids.join(", ")))
                .changed(false))
        }
    }
}

/// A linked worktree that is not made yet.
struct NewWorktree {
    name: String,
    branch: String,
    folder: PathBuf,
}

impl NewWorktree {
    fn of(runner: &Runner, source: &Project, instruction: Option<&str>) -> Self {
        let name = worktree_name(&source.name, instruction);
        Self { branch: format!("webcodex/{name}"), folder: runner.worktrees.join(&name), name }
    }

    /// Asks the person where the project is set so: a branch and many files are made. What would fail anyway is not
    /// asked.
    async fn ask(
        &self,
        runner: &Runner,
        call: &CallContext,
        caller: &Caller,
        source: &Arc<Project>,
        began: Instant,
    ) -> ToolResult<()> {
        if !source.terms.ask_first {
            return Ok(());
        }
        let (git, access) = (Arc::clone(&runner.git), write_access(call, source).await?);
        let looking = move || {
            let summary = git.project_summary(&access);
            Ok(summary.map_err(|error| error::git::to_tool_error(&error))?.at.head)
        };
        // Without a commit there is nothing to make a worktree of, and making says so.
        if runner.blocking(call, looking).await?.is_none() {
            return Ok(());
        }
        // It is made without the program, with the same result.
        let args = ["worktree", "add", "-b", &self.branch, &self.folder.to_string_lossy()];
        let command = approval::line("git", &args.map(str::to_owned));
        let folder = source.root.display().to_string();
        approval::ask(call, caller, source, folder, ApprovalAsks::Command { command }, began).await?;
        match caller.unwanted().is_cancelled() {
            true => Err(approval::too_late("command", &source.name).into()),
            false => Ok(()),
        }
    }

    /// Makes it and registers it as a project of its own.
    async fn make(self, runner: &Runner, call: &CallContext, source: &ProjectId) -> ToolResult<Arc<Project>> {
        // Looked up only now: while a person thought, the project may have been set to something stricter.
        let source = runner.project(call, source)?;
        let git = Arc::clone(&runner.git);
        // Nobody else changes the project meanwhile.
        let access = write_access(call, &source).await?;
        let Self { name, branch, folder } = self;
        let making = move || {
            git.create_worktree(&access, &folder, &branch)
                .map_err(|error| error::git::to_tool_error(&error).into())
        };
        let made = runner.blocking(call, making).await?;
        let path = made.root.to_string_lossy().into_owned();
        let registered =
            runner.projects.register(&path, Some(&format!("{} ({name})", source.name)), Some(&source.id));
        Ok(registered.map_err(|error| error::projects::registry(&error))?.project)
    }
}

/// A short name that says what the worktree is for and is not taken.
fn worktree_name(project: &str, instruction: Option<&str>) -> String {
    let words = instruction.unwrap_or(project).split_whitespace().take(5).collect::<Vec<_>>().join("-");
    let plain: String =
        words.to_lowercase().chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').take(40).collect();
    let plain = plain.trim_matches('-');
    let base = if plain.is_empty() { "work" } else { plain };
    format!("{base}-{:06x}", rand::random::<u32>() & 0xff_ffff)
}
