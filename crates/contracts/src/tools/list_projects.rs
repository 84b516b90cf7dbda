//! Lists the projects that the caller may see.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::tools::work_on_project::ProjectInfo;
use crate::{Effect, Exposure, Scope, Side, Tool, ToolName};

/// See the text in `list_projects.md`.
pub struct ListProjects;

impl Tool for ListProjects {
    const NAME: ToolName = ToolName::ListProjects;
    const TITLE: &'static str = "List projects";
    const ABOUT: &'static str = include_str!("list_projects.md");
    const EFFECT: Effect = Effect::Read;
    const SCOPE: Option<Scope> = Some(Scope::ProjectRead);
    const SIDE: Side = Side::Both;
    const EXPOSURE: Exposure = Exposure::Gateway;
    type Params = ListProjectsParams;
    type Output = ListProjectsOutput;
}

/// Arguments of `list_projects`: none.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListProjectsParams {}

/// Output of `list_projects`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct ListProjectsOutput {
    /// The projects, by name.
    pub projects: Vec<ProjectInfo>,
    /// Runners that did not answer, so that their projects are missing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub offline: Vec<String>,
}
