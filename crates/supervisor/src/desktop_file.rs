//! `desktop.json`: how things stand, for `webcodex status` and other programs of the same user.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use webcodex_settings::{Folders, write_private};

use crate::board::{Board, Message};

/// The file is written this often at most.
const PAUSE: Duration = Duration::from_millis(500);
/// After a failure the file is tried again this often.
const RETRY: Duration = Duration::from_secs(3);

/// Writes the status into the file whenever it has changed; `not_written` is told when that fails. Ends with the board.
pub(crate) async fn keep(board: Arc<Board>, folders: Folders, not_written: impl Fn()) {
    let mut messages = board.subscribe();
    let mut due = true;
    loop {
        if due {
            let text = text(&board);
            let path = folders.desktop_file();
            let written = tokio::task::spawn_blocking(move || write_private(&path, &text?)).await;
            due = match written {
                Ok(Ok(())) => false,
                Ok(Err(error)) => {
                    tracing::debug!(%error, "the status could not be written down");
                    not_written();
                    true
                }
                Err(_) => return,
            };
        }
        let pause = if due { RETRY } else { PAUSE };
        tokio::time::sleep(pause).await;
        let waited = async {
            loop {
                match messages.next().await {
                    Some(Message::Calls { .. }) => {}
                    Some(Message::Lost) | None => return false,
                    Some(_) => return true,
                }
            }
        };
        if due {
            continue;
        }
        if !waited.await {
            return;
        }
        due = true;
    }
}

/// Whether an error says that nothing more can be written.
pub(crate) fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

fn text(board: &Board) -> io::Result<String> {
    let mut value = serde_json::to_value(&*board.status()).map_err(io::Error::other)?;
    if let Value::Object(members) = &mut value {
        members.shift_remove("calls");
        members.insert("pid".to_owned(), std::process::id().into());
    }
    serde_json::to_string(&value).map_err(io::Error::other)
}
