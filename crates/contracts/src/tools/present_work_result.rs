//! Shows the Work Result of a project in the host's window.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Effect, Exposure, ProjectId, Scope, SessionId, Side, Tool, ToolName};

/// See the text in `present_work_result.md`.
pub struct PresentWorkResult;

impl Tool for PresentWorkResult {
    const NAME: ToolName = ToolName::PresentWorkResult;
    const TITLE: &'static str = "Work Result";
    const ABOUT: &'static str = include_str!("present_work_result.md");
    const EFFECT: Effect = Effect::Record;
    const SCOPE: Option<Scope> = Some(Scope::ProjectRead);
    const SIDE: Side = Side::Server;
    const EXPOSURE: Exposure = Exposure::Direct;
    type Params = PresentWorkResultParams;
    type Output = WorkResultOutput;
}

/// Arguments of `present_work_result`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PresentWorkResultParams {
    /// The project.
    pub project: ProjectId,
    /// The session whose work is shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<SessionId>,
}

/// What a page of the Work Result begins with. The page loads the rest with `work_result_state`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WorkResultOutput {
    /// The project, for every further call of the page.
    pub project: ProjectId,
    /// The session, for every further call of the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<SessionId>,
    /// What the session is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// How it is shown.
    pub view: View,
}

/// How the Work Result is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum View {
    /// In the conversation, Activity first.
    Card,
    /// Beside the conversation, Review first.
    Panel,
}
