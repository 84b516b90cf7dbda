//! One file per tool: what it takes, what it gives, and (in the `.md` beside it) the text a model reads.

pub mod batch;

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
}

#[cfg(test)]
mod tests;
