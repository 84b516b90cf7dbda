//! The one list of tools. Everything that needs to know the tools reads it.

use std::sync::LazyLock;

use serde_json::Value;

use crate::decode::{decode, nearest};
use crate::{Effect, ErrorCode, Exposure, Scope, Side, Tool, ToolError, ToolName, schema, tools};

/// A tool as data: what `tools/list`, the manifest, the gateway and dispatch need.
pub struct Descriptor {
    /// The name.
    pub name: ToolName,
    /// A short title for people.
    pub title: &'static str,
    /// The description that a model reads.
    pub about: &'static str,
    /// What the tool may do.
    pub effect: Effect,
    /// The scope a caller needs.
    pub scope: Option<Scope>,
    /// Who does the work.
    pub side: Side,
    /// Where the tool is offered.
    pub exposure: Exposure,
    /// The schema of the arguments.
    pub input_schema: Value,
    /// The schema of the whole result.
    pub result_schema: Value,
    canonicalise: fn(Value, &Value) -> Result<Value, ToolError>,
}

impl Descriptor {
    fn of<T: Tool>() -> Self {
        Self {
            name: T::NAME,
            title: T::TITLE,
            about: T::ABOUT.trim_ascii_end(),
            effect: T::EFFECT,
            scope: T::SCOPE,
            side: T::SIDE,
            exposure: T::EXPOSURE,
            input_schema: schema::input_schema::<T::Params>(),
            result_schema: schema::result_schema::<T::Output>(),
            canonicalise: canonicalise::<T>,
        }
    }

    /// Checks the arguments and returns them in their one canonical form.
    pub fn canonicalise(&self, arguments: Value) -> Result<Value, ToolError> {
        (self.canonicalise)(arguments, &self.input_schema)
    }

    /// Whether the tool is in `tools/list` for models.
    pub fn is_direct(&self) -> bool {
        matches!(self.exposure, Exposure::Direct | Exposure::DirectOnly)
    }

    /// Whether the tool is for pages of ours alone.
    pub fn is_app_only(&self) -> bool {
        self.exposure == Exposure::App
    }

    /// Whether `call_runtime_tool` may call it.
    pub fn has_gateway(&self) -> bool {
        matches!(self.exposure, Exposure::Direct | Exposure::Gateway)
    }
}

fn canonicalise<T: Tool>(arguments: Value, schema: &Value) -> Result<Value, ToolError> {
    let params = decode::<T>(arguments, schema)?;
    serde_json::to_value(&params)
        .map_err(|error| ToolError::new(ErrorCode::Internal, format!("arguments of `{}`: {error}", T::NAME)))
}

/// All tools, direct ones first, in the order in which they are listed.
pub fn all() -> &'static [Descriptor] {
    static TABLE: LazyLock<Vec<Descriptor>> = LazyLock::new(tools::descriptors);
    &TABLE
}

/// The tool called `name`.
pub fn find(name: &str) -> Option<&'static Descriptor> {
    ToolName::parse(name).map(get)
}

/// The tool's descriptor.
pub fn get(name: ToolName) -> &'static Descriptor {
    // The table holds every name once; a test pins it.
    all().iter().find(|descriptor| descriptor.name == name).unwrap_or(&all()[0])
}

/// Makes the descriptor of `T`; used by the list in [`tools`].
pub(crate) fn descriptor<T: Tool>() -> Descriptor {
    Descriptor::of::<T>()
}

/// The error for a name that no tool has; retired names say what to use today.
pub fn unknown_tool(name: &str) -> ToolError {
    let shown: String = name.chars().take(80).collect();
    let error = ToolError::new(ErrorCode::UnknownTool, format!("there is no tool `{shown}`")).changed(false);
    let known = || all().iter().filter(|tool| !tool.is_app_only()).map(|tool| tool.name.as_str());
    match RETIRED.iter().find(|(retired, _)| *retired == name) {
        Some((_, today)) => error.hint(format!("It was retired; use `{today}`.")),
        None => match nearest(name, known()) {
            Some(nearest) => error.hint(format!("Did you mean `{nearest}`?")),
            None => error.hint(format!("Known tools: {}.", known().collect::<Vec<_>>().join(", "))),
        },
    }
}

/// Names that earlier versions had, with the tool that does it today.
const RETIRED: &[(&str, &str)] = &[
    ("task_start", "work_on_project"),
    ("start_session", "work_on_project"),
    ("task_finish", "finish_coding_task"),
    ("task_status", "get_runtime_status"),
    ("files_read", "read_files"),
    ("read_file", "read_files"),
    ("files_search", "search_project_texts"),
    ("search_project_text", "search_project_texts"),
    ("edits_apply", "edit_project_files"),
    ("apply_text_edits", "edit_project_files"),
    ("apply_patch", "edit_project_files"),
    ("write_file", "edit_project_files"),
    ("save_project_file", "edit_project_files"),
    ("git_status", "read_workspace_changes"),
    ("git_diff", "read_workspace_changes"),
    ("show_changes", "read_workspace_changes"),
    ("git_log", "read_git_history"),
    ("run_job", "run_process"),
    ("job_status", "observe_jobs"),
    ("job_log", "observe_jobs"),
    ("list_tools", "read_tool_manifest"),
    ("tool_manifest", "read_tool_manifest"),
    ("runtime_status", "get_runtime_status"),
];
