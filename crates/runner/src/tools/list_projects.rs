//! The Runner's part of `list_projects`: its projects that the caller may see.

use webcodex_contracts::ToolResult;
use webcodex_contracts::call::CallContext;
use webcodex_contracts::tools::list_projects::{ListProjectsOutput, ListProjectsParams};

use crate::{Runner, error};

pub(crate) async fn run(
    runner: &Runner,
    call: &CallContext,
    _: ListProjectsParams,
) -> ToolResult<ListProjectsOutput> {
    let visible: Vec<_> = runner
        .projects
        .list()
        .map_err(|error| error::projects::registry(&error))?
        .into_iter()
        .filter(|project| call.grant.allows(&project.id))
        .collect();
    let git = runner.git.clone();
    runner
        .blocking(call, move || {
            let projects =
                visible.iter().map(|project| crate::context::project_info(&git, project)).collect();
            Ok(ListProjectsOutput { projects, offline: Vec::new() })
        })
        .await
}
