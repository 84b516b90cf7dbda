//! Calls, jobs, and edits and commands that wait for the person.

use tauri::State;
use webcodex_contracts::control::{ApprovalAnswer, CallDetail, EarlierCalls};
use webcodex_contracts::{ApprovalId, CallId, JobId};

use super::answer::Answer;
use crate::shell::Shell;

#[tauri::command]
pub(super) async fn call_detail(shell: State<'_, Shell>, call: CallId) -> Result<Answer<CallDetail>, ()> {
    Ok(shell.supervisor.call_detail(call).await.into())
}

#[tauri::command]
pub(super) async fn earlier_calls(
    shell: State<'_, Shell>,
    before: CallId,
) -> Result<Answer<EarlierCalls>, ()> {
    Ok(shell.supervisor.earlier_calls(before).await.into())
}

#[tauri::command]
pub(super) async fn stop_job(shell: State<'_, Shell>, job: JobId) -> Result<Answer<()>, ()> {
    Ok(shell.supervisor.stop_job(job).await.into())
}

#[tauri::command]
pub(super) async fn answer_approval(
    shell: State<'_, Shell>,
    approval: ApprovalId,
    answer: ApprovalAnswer,
) -> Result<Answer<()>, ()> {
    Ok(shell.supervisor.answer_approval(approval, answer).await.into())
}

#[tauri::command]
pub(super) async fn dismiss_approval(
    shell: State<'_, Shell>,
    approval: ApprovalId,
) -> Result<Answer<()>, ()> {
    Ok(shell.supervisor.dismiss_approval(approval).await.into())
}
