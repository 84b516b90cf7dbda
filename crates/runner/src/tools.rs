//! One effect file per tool, named like its contract.

pub(crate) mod changes_file_diff;
pub(crate) mod changes_file_text;
mod command;
pub(crate) mod edit_project_files;
pub(crate) mod finish_coding_task;
pub(crate) mod list_jobs;
pub(crate) mod list_projects;
pub(crate) mod observe_jobs;
pub(crate) mod read_files;
pub(crate) mod read_git_history;
pub(crate) mod read_workspace_changes;
pub(crate) mod register_project;
pub(crate) mod restore_changes;
pub(crate) mod review_decision;
pub(crate) mod run_detached_process;
pub(crate) mod run_process;
pub(crate) mod run_script;
pub(crate) mod run_shell;
pub(crate) mod search_project_texts;
pub(crate) mod stop_job;
pub(crate) mod wait_for_job_readiness;
pub(crate) mod wait_for_job_terminal;
pub(crate) mod work_on_project;
pub(crate) mod work_result_state;
