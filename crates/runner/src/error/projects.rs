//! Errors of registering and of paths.

use std::io;

use webcodex_contracts::{ErrorCode, ToolError};
use webcodex_projects::{ConfineError, FolderError, NotAllowed, Project, RegistryError};

/// An error about the list of projects.
pub(crate) fn registry(error: &RegistryError) -> ToolError {
    let message = error.to_string();
    match error {
        RegistryError::Folder(error) => folder(error),
        RegistryError::Unknown(_) => ToolError::new(ErrorCode::ProjectNotFound, message)
            .field("project")
            .hint("Use a `project` from work_on_project or list_projects."),
        RegistryError::Damaged { .. } => ToolError::new(ErrorCode::IoFailed, message)
            .hint("Repair the file or move it away; the projects can then be registered again."),
        RegistryError::Io { source, .. } => io_error(source, message),
    }
    .changed(false)
}

/// An error about a folder that was to become a project.
pub(crate) fn folder(error: &FolderError) -> ToolError {
    let refused = ToolError::new(ErrorCode::FolderRefused, error.to_string()).field("path");
    match error {
        FolderError::NotAbsolute(_)
        | FolderError::NotAFolder(_)
        | FolderError::Home(_)
        | FolderError::System(_)
        | FolderError::Own(_)
        | FolderError::NotUnicode(_) => refused,
        FolderError::OutsideRoots { .. } => {
            refused.hint("The person at the computer can allow more folders in the settings.")
        }
        FolderError::Unreadable { source, .. } => match source.kind() {
            io::ErrorKind::NotFound => {
                refused.hint("Check the spelling; the folder must exist on the Runner's machine.")
            }
            _ => refused.hint("Check that the folder may be read."),
        },
    }
    .changed(false)
}

/// The person has not allowed this in the project.
pub(crate) fn not_allowed(error: &NotAllowed) -> ToolError {
    ToolError::new(ErrorCode::PermissionDenied, error.to_string())
        .hint("Only the person at the computer can change that, in WebCodex under Projects or with `webcodex project set`.")
        .changed(false)
}

/// The project's folder is not there.
pub(crate) fn vanished(project: &Project) -> ToolError {
    let message =
        format!("the folder of `{}` is gone or cannot be read: {}", project.name, project.root.display());
    ToolError::new(ErrorCode::WorkspaceUnavailable, message).hint(PUT_BACK).changed(false)
}

/// What to do about a folder that is gone.
const PUT_BACK: &str = "Put the folder back, or remove the project and register the new place.";

/// An error about a path inside a project.
pub(crate) fn confine(error: &ConfineError, field: &str) -> ToolError {
    let message = error.to_string();
    let refused = |hint: &str| ToolError::new(ErrorCode::PathRefused, message.clone()).hint(hint);
    match error {
        ConfineError::LeavesProject { .. } => refused("Only files inside the project can be used."),
        ConfineError::DanglingLink { .. } => refused("Remove the link or make its target first."),
        ConfineError::NotAFolder { .. } => refused("Choose another path."),
        ConfineError::GitFolder { .. } => refused("Use git commands for what lies there."),
        ConfineError::NotUnicode { .. } => refused("Rename the file first."),
        ConfineError::WorkspaceUnavailable { .. } => {
            ToolError::new(ErrorCode::WorkspaceUnavailable, message).hint(PUT_BACK)
        }
        ConfineError::Io { source, .. } => io_error(source, message),
    }
    .field(field)
    .changed(false)
}

/// The code for what the system said.
pub(crate) fn io_error(source: &io::Error, message: String) -> ToolError {
    match source.kind() {
        io::ErrorKind::NotFound => ToolError::new(ErrorCode::NotFound, message),
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            ToolError::new(ErrorCode::PermissionDenied, message).hint("Check who may read or change it.")
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            ToolError::new(ErrorCode::DiskFull, message).hint("Make room and try again.")
        }
        io::ErrorKind::AlreadyExists => ToolError::new(ErrorCode::AlreadyExists, message),
        _ => ToolError::new(ErrorCode::IoFailed, message),
    }
}
