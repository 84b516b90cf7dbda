//! The Runner's part of `work_on_project`: the project and what a model should know about it.

use std::sync::Arc;
use std::time::Duration;

use webcodex_contracts::call::CallContext;
use webcodex_contracts::tools::work_on_project::{
    ContextKey, ProjectStatus, WorkMode, WorkOnProjectOutput, WorkOnProjectParams,
};
use webcodex_contracts::{ErrorCode, ToolError, ToolResult};
use webcodex_projects::Project;

use super::register_project::register;
use crate::access::write_access;
use crate::{Runner, context, error};

/// Counting changed files may take so much of the 20 ms that the call is allowed; what is not counted by then is not told.
const COUNT_WITHIN: Duration = Duration::from_millis(12);

pub(crate) async fn run(
    runner: &Runner,
    call: &CallContext,
    params: WorkOnProjectParams,
) -> ToolResult<WorkOnProjectOutput> {
    let source = find(runner, call, &params)?;
    let project = match params.mode {
        WorkMode::Direct => source,
        WorkMode::Worktree => worktree(runner, call, source, params.instruction.as_deref()).await?,
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
                branch: summary.branch,
                head: summary.head,
                changed_files: git.changed_count(&access, COUNT_WITHIN).unwrap_or_default(),
                operation: summary.operation,
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

/// A new linked worktree of `source`, registered as a project of its own.
async fn worktree(
    runner: &Runner,
    call: &CallContext,
    source: Arc<Project>,
    instruction: Option<&str>,
) -> ToolResult<Arc<Project>> {
    let name = worktree_name(&source.name, instruction);
    let destination = runner.worktrees.join(&name);
    let git = Arc::clone(&runner.git);
    // It makes a branch in the repository; nobody else changes the project meanwhile.
    let access = write_access(call, &source).await?;
    let made = {
        let destination = destination.clone();
        let branch = format!("webcodex/{name}");
        runner
            .blocking(call, move || {
                git.create_worktree(&access, &destination, &branch)
                    .map_err(|error| error::git::to_tool_error(&error).into())
            })
            .await?
    };
    let path = made.root.to_string_lossy().into_owned();
    let registered =
        runner.projects.register(&path, Some(&format!("{} ({name})", source.name)), Some(&source.id));
    Ok(registered.map_err(|error| error::projects::registry(&error))?.project)
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
