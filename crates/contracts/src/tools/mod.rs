//! One file per tool: what it takes, what it gives, and (in the `.md` beside it) the text a model reads.

pub mod batch;
pub mod review;

use crate::table::{Descriptor, descriptor};

macro_rules! tools {
    ($($module:ident :: $tool:ident,)+) => {
        $(pub mod $module;)+

        /// Every tool, direct ones first, in the order of `tools/list`.
        pub(crate) fn descriptors() -> Vec<Descriptor> {
            vec![$(descriptor::<$module::$tool>(),)+]
        }
    };
}

tools! {
    work_on_project::WorkOnProject,
    read_files::ReadFiles,
    search_project_texts::SearchProjectTexts,
    edit_project_files::EditProjectFiles,
    run_process::RunProcess,
    run_shell::RunShell,
    read_workspace_changes::ReadWorkspaceChanges,
    observe_jobs::ObserveJobs,
    wait_for_job_readiness::WaitForJobReadiness,
    finish_coding_task::FinishCodingTask,
    present_work_result::PresentWorkResult,
    work_result_thread_panel::WorkResultThreadPanel,
    get_runtime_status::GetRuntimeStatus,
    read_tool_manifest::ReadToolManifest,
    call_runtime_tool::CallRuntimeTool,
    read_git_history::ReadGitHistory,
    run_script::RunScript,
    run_detached_process::RunDetachedProcess,
    list_jobs::ListJobs,
    wait_for_job_terminal::WaitForJobTerminal,
    stop_job::StopJob,
    list_projects::ListProjects,
    register_project::RegisterProject,
    restore_changes::RestoreChanges,
    work_result_state::WorkResultState,
    changes_file_diff::ChangesFileDiff,
    changes_file_text::ChangesFileText,
    review_decision::ReviewDecision,
}

#[cfg(test)]
mod tests;
