//! What every tool declares once; descriptors, schemas, scopes and annotations are projections of it.

use std::fmt;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::Scope;

/// A tool: its name, the prose a model reads, what it may do, its parameters and its output.
pub trait Tool {
    /// The name, unique and stable.
    const NAME: ToolName;
    /// A short title for people.
    const TITLE: &'static str;
    /// The description that a model reads.
    const ABOUT: &'static str;
    /// What the tool may do to the world.
    const EFFECT: Effect;
    /// The scope a caller needs; `None` where the target decides (the gateway).
    const SCOPE: Option<Scope>;
    /// Who does the work.
    const SIDE: Side;
    /// Where the tool is offered.
    const EXPOSURE: Exposure;
    /// The arguments. Deserialising them is checking them.
    type Params: DeserializeOwned + Serialize + JsonSchema;
    /// `output` of a successful result.
    type Output: Serialize + DeserializeOwned + JsonSchema;
}

/// What a tool may do; source of the MCP annotations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Changes nothing.
    Read,
    /// Changes records of ours only, and may be repeated.
    Record,
    /// Changes project files, possibly losing what was there.
    Destructive,
    /// Runs what the caller names; anything may happen.
    OpenWorld,
}

impl Effect {
    /// Whether the tool changes nothing (`readOnlyHint`).
    pub fn is_read_only(self) -> bool {
        self == Effect::Read
    }

    /// Whether the tool may lose something (`destructiveHint`).
    pub fn is_destructive(self) -> bool {
        matches!(self, Effect::Destructive | Effect::OpenWorld)
    }

    /// Whether repeating a call does no more than one call (`idempotentHint`).
    pub fn is_idempotent(self) -> bool {
        self == Effect::Read
    }

    /// Whether the tool reaches beyond the project (`openWorldHint`).
    pub fn is_open_world(self) -> bool {
        self == Effect::OpenWorld
    }
}

/// Who does the work of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The Server alone.
    Server,
    /// The Runner; the Server passes the call on.
    Runner,
    /// The Runner does a part, the Server completes the answer.
    Both,
}

/// Where a tool is offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exposure {
    /// In `tools/list`, in the order of the table, and through the gateway.
    Direct,
    /// Through `call_runtime_tool` only.
    Gateway,
    /// In `tools/list` but never through the gateway: the gateway itself and the manifest.
    DirectOnly,
    /// In `tools/list` for pages of ours alone (`_meta.ui.visibility: ["app"]`): hosts keep it from the model.
    App,
}

macro_rules! tool_names {
    ($($variant:ident = $text:literal,)+) => {
        /// The name of a tool. A closed list: a suggestion cannot name a tool that does not exist.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
        pub enum ToolName {
            $(#[doc = concat!("`", $text, "`")] #[serde(rename = $text)] $variant,)+
        }

        impl ToolName {
            /// Every tool name.
            pub const ALL: &'static [ToolName] = &[$(ToolName::$variant,)+];

            /// The name as it is written.
            pub fn as_str(self) -> &'static str {
                match self { $(ToolName::$variant => $text,)+ }
            }
        }
    };
}

tool_names! {
    WorkOnProject = "work_on_project",
    ReadFiles = "read_files",
    SearchProjectTexts = "search_project_texts",
    EditProjectFiles = "edit_project_files",
    RunProcess = "run_process",
    RunShell = "run_shell",
    ReadWorkspaceChanges = "read_workspace_changes",
    ObserveJobs = "observe_jobs",
    WaitForJobReadiness = "wait_for_job_readiness",
    FinishCodingTask = "finish_coding_task",
    PresentWorkResult = "present_work_result",
    WorkResultThreadPanel = "work_result_thread_panel",
    GetRuntimeStatus = "get_runtime_status",
    ReadToolManifest = "read_tool_manifest",
    CallRuntimeTool = "call_runtime_tool",
    ReadGitHistory = "read_git_history",
    RunScript = "run_script",
    RunDetachedProcess = "run_detached_process",
    ListJobs = "list_jobs",
    WaitForJobTerminal = "wait_for_job_terminal",
    StopJob = "stop_job",
    ListProjects = "list_projects",
    RegisterProject = "register_project",
    RestoreChanges = "restore_changes",
    WorkResultState = "work_result_state",
    ChangesFileDiff = "changes_file_diff",
    ChangesFileText = "changes_file_text",
    ReviewDecision = "review_decision",
}

impl ToolName {
    /// The tool written as `text`.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|name| name.as_str() == text)
    }
}

impl fmt::Display for ToolName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
