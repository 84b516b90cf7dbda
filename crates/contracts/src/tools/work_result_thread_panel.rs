//! Opens the Work Result beside the conversation.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::present_work_result::WorkResultOutput;
use crate::{Effect, Exposure, Scope, Side, Tool, ToolName};

/// See the text in `work_result_thread_panel.md`.
pub struct WorkResultThreadPanel;

impl Tool for WorkResultThreadPanel {
    const NAME: ToolName = ToolName::WorkResultThreadPanel;
    const TITLE: &'static str = "Work Result";
    const ABOUT: &'static str = include_str!("work_result_thread_panel.md");
    const EFFECT: Effect = Effect::Read;
    const SCOPE: Option<Scope> = Some(Scope::ProjectRead);
    const SIDE: Side = Side::Server;
    const EXPOSURE: Exposure = Exposure::Direct;
    type Params = WorkResultThreadPanelParams;
    type Output = WorkResultOutput;
}

/// Arguments of `work_result_thread_panel`: none.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WorkResultThreadPanelParams {}
