//! The Server's own tools, and the Server's part of those it shares with the Runner.

pub(crate) mod call_runtime_tool;
pub(crate) mod get_runtime_status;
pub(crate) mod list_projects;
pub(crate) mod read_tool_manifest;
pub(crate) mod register_project;
pub(crate) mod work_on_project;
