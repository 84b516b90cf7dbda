//! Registers a folder as a project.

use webcodex_contracts::call::CallContext;
use webcodex_contracts::tools::register_project::{RegisterProjectOutput, RegisterProjectParams};
use webcodex_contracts::{ErrorCode, ToolError, ToolResult};
use webcodex_projects::Registered;

use crate::{Runner, error};

pub(crate) async fn run(
    runner: &Runner,
    call: &CallContext,
    params: RegisterProjectParams,
) -> ToolResult<RegisterProjectOutput> {
    let Registered { project, already } = register(runner, call, &params.path, params.name.as_deref())?;
    let git = runner.git.clone();
    runner
        .blocking(call, move || {
            let project = crate::context::project_info(&git, &project);
            Ok(RegisterProjectOutput { project, already_registered: already })
        })
        .await
}

/// Registers `path` for a caller who may; others may only name a folder that is theirs already.
pub(crate) fn register(
    runner: &Runner,
    call: &CallContext,
    path: &str,
    name: Option<&str>,
) -> Result<Registered, ToolError> {
    if call.grant.may_register() {
        if !is_registered(runner, path)? {
            runner.desk.models_may_register(path)?;
        }
        return runner.projects.register(path, name, None).map_err(|error| error::projects::registry(&error));
    }
    let known = runner.projects.list().map_err(|error| error::projects::registry(&error))?;
    let same =
        |root: &std::path::Path| std::path::Path::new(path).canonicalize().is_ok_and(|real| real == *root);
    known
        .into_iter()
        .find(|project| call.grant.allows(&project.id) && same(&project.root))
        .map(|project| Registered { project, already: true })
        .ok_or_else(|| {
            ToolError::new(
                ErrorCode::ProjectRegistryScopeDenied,
                "this credential is bound to its projects and cannot register another folder",
            )
            .field("path")
            .hint("Use a project you can see (list_projects), or work_on_project with mode `worktree`.")
            .changed(false)
        })
}

fn is_registered(runner: &Runner, path: &str) -> Result<bool, ToolError> {
    let known = runner.projects.list().map_err(|error| error::projects::registry(&error))?;
    let real = dunce::canonicalize(path).unwrap_or_default();
    Ok(known.iter().any(|project| project.root == real))
}
