//! The projects that the caller may see, of all Runners, with the caller's short references.

use futures_util::future::join_all;
use serde_json::json;
use webcodex_contracts::tools::list_projects::ListProjectsOutput;
use webcodex_contracts::tools::work_on_project::ProjectInfo;
use webcodex_contracts::{CanonicalResult, ProjectId, ToolError, ToolFailure, ToolName};
use webcodex_store::RefKind;

use crate::dispatch::{Call, call_runner, store_failed};

pub(crate) async fn run(call: &Call<'_>) -> Result<CanonicalResult, Box<ToolFailure>> {
    let mut listed = visible(call).await?;
    for project in &mut listed.projects {
        project.reference = Some(reference(call, &project.project).await?);
    }
    Ok(CanonicalResult::success(listed))
}

/// Asks every Runner at once. One that does not answer is named, the others' projects are listed all the same.
pub(crate) async fn visible(call: &Call<'_>) -> Result<ListProjectsOutput, Box<ToolFailure>> {
    let runners = call.app.runners.all();
    if runners.is_empty() {
        return Err(Box::new(crate::dispatch::no_runner()));
    }
    let arguments = json!({});
    let listing = Call { tool: ToolName::ListProjects, arguments: arguments.clone(), session: None, ..*call };
    let answers = join_all(runners.iter().map(|runner| call_runner(&listing, runner, &arguments))).await;
    let mut listed = ListProjectsOutput::default();
    for (runner, answer) in runners.iter().zip(answers) {
        match answer.ok().and_then(|result| projects(&result)) {
            Some(projects) => listed.projects.extend(projects),
            None => listed.offline.push(runner.client().to_string()),
        }
    }
    let unlinked = call.app.runners.status().into_iter().filter(|runner| !runner.online);
    listed.offline.extend(unlinked.map(|runner| runner.client_id));
    listed.projects.retain(|project| call.incoming.caller.grant.allows(&project.project));
    listed.projects.sort_by(|a, b| (&a.name, &a.project).cmp(&(&b.name, &b.project)));
    Ok(listed)
}

fn projects(result: &CanonicalResult) -> Option<Vec<ProjectInfo>> {
    let projects = result.output.get("projects").filter(|_| result.success)?;
    serde_json::from_value(projects.clone()).ok()
}

/// The caller's short reference for `project`.
pub(crate) async fn reference(call: &Call<'_>, project: &ProjectId) -> Result<ProjectId, ToolError> {
    let store = &call.app.store;
    let text = store.reference(&call.incoming.caller.id, RefKind::Project, project.as_str()).await;
    let text = text.map_err(|error| store_failed(&error))?;
    // A reference of ours has the alphabet of an id; if not, the id itself is the best reference.
    Ok(ProjectId::parse(&text).unwrap_or_else(|_| project.clone()))
}
