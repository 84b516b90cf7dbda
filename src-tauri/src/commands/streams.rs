//! Streams: the status, drags over the window, pages asked for from outside, and the output of a job.

use tauri::ipc::Channel;
use tauri::{AppHandle, Manager, State};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::oneshot;
use webcodex_contracts::JobId;
use webcodex_contracts::control::OutputMessage;
use webcodex_supervisor::Message;

use super::answer::Answer;
use crate::places::PlaceName;
use crate::shell::Shell;
use crate::window::DragMessage;

/// The whole status, then what changes.
#[tauri::command]
pub(super) async fn subscribe(
    shell: State<'_, Shell>,
    watch: u32,
    channel: Channel<Message>,
) -> Result<Answer<()>, ()> {
    let mut messages = shell.supervisor.subscribe();
    shell.watches.open(watch, async move {
        while let Some(message) = messages.next().await {
            if channel.send(message).is_err() {
                break;
            }
        }
    });
    Ok(Answer::from(Ok(())))
}

#[tauri::command]
pub(super) async fn watch_drags(
    shell: State<'_, Shell>,
    watch: u32,
    channel: Channel<DragMessage>,
) -> Result<Answer<()>, ()> {
    let mut drags = shell.drags.subscribe();
    shell.watches.open(watch, async move {
        loop {
            match drags.recv().await {
                Ok(message) => {
                    if channel.send(message).is_err() {
                        break;
                    }
                }
                Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => break,
            }
        }
    });
    Ok(Answer::from(Ok(())))
}

/// Pages that the tray or a second start asked for, also from before the page was there to hear of it.
#[tauri::command]
pub(super) async fn watch_places(
    shell: State<'_, Shell>,
    watch: u32,
    channel: Channel<PlaceName>,
) -> Result<Answer<()>, ()> {
    let places = shell.places.clone();
    shell.watches.open(watch, async move {
        loop {
            let place = places.next().await;
            if channel.send(place).is_err() {
                // The next page hears of it.
                places.go(place);
                break;
            }
        }
    });
    Ok(Answer::from(Ok(())))
}

/// What a job has written so far, then what follows. The stream counts as open from the start, so that the page can end it
/// while it is still being opened.
#[tauri::command]
pub(super) async fn watch_output(
    app: AppHandle,
    shell: State<'_, Shell>,
    watch: u32,
    job: JobId,
    channel: Channel<OutputMessage>,
) -> Result<Answer<()>, ()> {
    let (tell, told) = oneshot::channel();
    shell.watches.open(watch, async move {
        let opened = app.state::<Shell>().supervisor.watch_output(job).await;
        let (answer, output) = match opened {
            Ok(output) => (Ok(()), Some(output)),
            Err(failure) => (Err(failure), None),
        };
        let _ = tell.send(answer);
        let Some(mut output) = output else { return };
        while let Some(message) = output.next().await {
            if channel.send(message).is_err() {
                break;
            }
        }
    });
    // Nothing is told where the page has ended it meanwhile.
    Ok(Answer::from(told.await.unwrap_or(Ok(()))))
}

#[tauri::command]
pub(super) async fn unwatch(shell: State<'_, Shell>, watch: u32) -> Result<Answer<()>, ()> {
    shell.watches.close(watch);
    Ok(Answer::from(Ok(())))
}
