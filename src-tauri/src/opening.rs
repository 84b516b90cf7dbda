//! Opens folders and pages with the programs that the person uses for them.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tauri::AppHandle;
use tauri_plugin_opener::OpenerExt;
use webcodex_contracts::control::Failure;
use webcodex_settings::session;

use crate::links::LinkName;

/// Editors that open a folder, in the order they are looked for on PATH.
const EDITORS: &[&str] =
    &["code", "codium", "cursor", "windsurf", "zed", "zeditor", "subl", "idea", "kate", "gnome-builder"];

/// Shows a folder in the file manager.
pub(crate) fn folder(app: &AppHandle, folder: &Path) -> Result<(), Failure> {
    if !folder.is_dir() {
        return Err(Failure {
            code: "folder_missing".into(),
            message: format!("{} can’t be found.", folder.display()),
            hint: Some("It may be on a drive that is not connected.".into()),
        });
    }
    app.opener().open_path(folder.to_string_lossy(), None::<&str>).map_err(|error| not_opened(&error))
}

/// Opens a page outside.
pub(crate) fn link(app: &AppHandle, link: LinkName) -> Result<(), Failure> {
    app.opener().open_url(link.address(), None::<&str>).map_err(|error| not_opened(&error))
}

fn not_opened(error: &dyn std::error::Error) -> Failure {
    Failure {
        code: "not_opened".into(),
        message: "The system found no program to open it with.".into(),
        hint: Some(error.to_string()),
    }
}

/// Opens a folder in the first editor that is there.
pub(crate) fn in_editor(folder: &Path) -> Result<(), Failure> {
    let editor = session::first_program(EDITORS).ok_or_else(|| Failure {
        code: "editor_not_found".into(),
        message: "No editor was found on this computer.".into(),
        hint: Some(format!("These are looked for: {}.", EDITORS.join(", "))),
    })?;
    start(editor, folder).map_err(|error| not_opened(&error))
}

/// Starts the editor and lets it be; a thread waits for its end, so that nothing is left of it then.
fn start(editor: PathBuf, folder: &Path) -> std::io::Result<()> {
    let mut command = Command::new(editor);
    command.arg(folder).current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn()?;
    std::thread::spawn(move || child.wait());
    Ok(())
}
