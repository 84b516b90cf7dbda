//! Runs a script in a shell, as an explicit choice.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::execution::Execution;
use crate::tools::run_process::TimeoutSecs;
use crate::{Effect, Exposure, ProjectId, ProjectPath, Scope, SessionId, Side, Tool, ToolName};

/// See the text in `run_shell.md`.
pub struct RunShell;

impl Tool for RunShell {
    const NAME: ToolName = ToolName::RunShell;
    const TITLE: &'static str = "Run in a shell";
    const ABOUT: &'static str = include_str!("run_shell.md");
    const EFFECT: Effect = Effect::OpenWorld;
    const SCOPE: Option<Scope> = Some(Scope::JobRun);
    const SIDE: Side = Side::Runner;
    const EXPOSURE: Exposure = Exposure::Direct;
    type Params = RunShellParams;
    type Output = Execution;
}

/// Arguments of `run_shell`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunShellParams {
    /// The project.
    pub project: ProjectId,
    /// The shell text.
    pub script: String,
    /// Which shell; `auto` is bash or sh, on Windows PowerShell.
    #[serde(default, skip_serializing_if = "is_auto")]
    pub shell: Shell,
    /// Folder in the project; default its root.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<ProjectPath>,
    /// Standard input; closed if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stdin: Option<String>,
    /// More environment variables.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// The command is ended after so long; default 600.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_secs: Option<TimeoutSecs>,
    /// Your session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<SessionId>,
}

fn is_auto(shell: &Shell) -> bool {
    *shell == Shell::Auto
}

/// A shell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Shell {
    /// The usual one of the system.
    #[default]
    Auto,
    /// POSIX shell.
    Sh,
    /// Bash.
    Bash,
    /// Zsh.
    Zsh,
    /// Windows PowerShell.
    Powershell,
    /// PowerShell 7 and later.
    Pwsh,
    /// Windows command prompt.
    Cmd,
}
