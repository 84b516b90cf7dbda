//! Registers a folder as a project.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::tools::work_on_project::ProjectInfo;
use crate::{ClientId, Effect, Exposure, Scope, Side, Tool, ToolName};

/// See the text in `register_project.md`.
pub struct RegisterProject;

impl Tool for RegisterProject {
    const NAME: ToolName = ToolName::RegisterProject;
    const TITLE: &'static str = "Register a project";
    const ABOUT: &'static str = include_str!("register_project.md");
    const EFFECT: Effect = Effect::Record;
    const SCOPE: Option<Scope> = Some(Scope::ProjectWrite);
    const SIDE: Side = Side::Both;
    const EXPOSURE: Exposure = Exposure::Gateway;
    type Params = RegisterProjectParams;
    type Output = RegisterProjectOutput;
}

/// Arguments of `register_project`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RegisterProjectParams {
    /// The folder on the Runner's machine, absolute.
    pub path: String,
    /// The name people see; default the folder's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The Runner; needed only if there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_id: Option<ClientId>,
}

/// Output of `register_project`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct RegisterProjectOutput {
    /// The project.
    #[serde(flatten)]
    pub project: ProjectInfo,
    /// Whether it was registered before.
    pub already_registered: bool,
}
