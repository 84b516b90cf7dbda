//! The Server's own tools, and the Server's part of those it shares with the Runner.

pub(crate) mod call_runtime_tool;
pub(crate) mod finish_coding_task;
pub(crate) mod get_runtime_status;
pub(crate) mod list_projects;
pub(crate) mod present_work_result;
pub(crate) mod read_tool_manifest;
pub(crate) mod register_project;
pub(crate) mod review_decision;
pub(crate) mod work;
pub(crate) mod work_on_project;
pub(crate) mod work_result_state;
pub(crate) mod work_result_thread_panel;
