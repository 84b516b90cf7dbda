//! What a model is told when it starts to work on a project: instructions, workflow and status.

mod budget;
mod instructions;
mod workflow;

use std::sync::Arc;

use webcodex_contracts::policy::HostProfile;
use webcodex_contracts::tools::work_on_project::{ContextItem, ContextKey, ProjectInfo, ProjectStatus};
use webcodex_git::Git;
use webcodex_projects::Project;

use self::budget::Budget;

/// A project as callers see it.
pub(crate) fn project_info(git: &Git, project: &Arc<Project>) -> ProjectInfo {
    let summary = match project.root.is_dir() {
        true => git.project_summary(&project.read_access()).map_err(|error| error.to_string()),
        false => Err("the folder is gone or cannot be read".to_owned()),
    };
    let unavailable = summary.as_ref().err().cloned();
    let summary = summary.unwrap_or_default();
    ProjectInfo {
        project: project.id.clone(),
        reference: None,
        name: project.name.clone(),
        path: project.root.display().to_string(),
        git: summary.git,
        branch: summary.at.branch,
        worktree_of: project.worktree_of.clone(),
        unavailable,
    }
}

/// The materials in the order asked for, within the 20 KiB that all bodies share.
///
/// A workflow that was asked for is whole whatever stands before it: its exact bytes are kept aside, and longer
/// instructions are shortened instead (`mcp-client-contract-alignment.md`, "Shared bootstrap budget").
pub(crate) fn materials(
    project: &Arc<Project>,
    keys: &[ContextKey],
    profile: HostProfile,
    status: ProjectStatus,
) -> Vec<ContextItem> {
    let workflow = workflow::text(profile);
    let mut budget = Budget::new();
    if keys.contains(&ContextKey::Workflow) {
        budget.reserve(workflow.len());
    }
    let mut status = Some(status);
    keys.iter()
        .map(|key| match key {
            ContextKey::Instructions => instructions::collect(project, &mut budget),
            ContextKey::Workflow => ContextItem { text: Some(workflow.to_owned()), ..empty(*key) },
            ContextKey::Status => ContextItem { status: status.take(), ..empty(*key) },
        })
        .collect()
}

fn empty(key: ContextKey) -> ContextItem {
    ContextItem { key, text: None, files: Vec::new(), status: None, omitted: Vec::new() }
}

#[cfg(test)]
mod tests;
