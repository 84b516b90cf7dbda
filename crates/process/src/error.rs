//! Why a command could not be started or a job not be looked at.

use std::io;
use std::path::PathBuf;

use webcodex_contracts::{JobId, ProjectPath};
use webcodex_projects::ConfineError;

/// What went wrong before a command ran, or with a job that was asked for. None of them leaves a command running.
#[derive(Debug, thiserror::Error)]
pub enum JobsError {
    /// No program has this name.
    #[error("there is no program `{name}` on the search path")]
    ProgramMissing {
        /// The name as it was given.
        name: String,
        /// What would help.
        advice: String,
    },
    /// A path that leads to nothing.
    #[error("there is no file `{path}` in the project")]
    ProgramPathMissing {
        /// The path as it was given.
        path: String,
    },
    /// The file is there and may not be run.
    #[error("`{}` is not executable", .path.display())]
    ProgramNotExecutable {
        /// The file.
        path: PathBuf,
    },
    /// The path leads to a folder.
    #[error("`{}` is a folder, not a program", .path.display())]
    ProgramIsFolder {
        /// The folder.
        path: PathBuf,
    },
    /// An absolute path that is neither in the project nor in a folder of the search path.
    #[error("`{path}` is neither in the project nor in a folder of the search path")]
    ProgramOutside {
        /// The path as it was given.
        path: String,
    },
    /// The path of the program or of the working folder cannot be used.
    #[error("{source}")]
    Confine {
        /// The argument: `executable` or `cwd`.
        field: &'static str,
        /// What is wrong with it.
        source: ConfineError,
    },
    /// The text is not a path in the project.
    #[error(transparent)]
    Path(#[from] webcodex_contracts::PathError),
    /// The working folder is missing or not a folder.
    #[error("the working folder `{path}` {problem}")]
    WorkingFolder {
        /// The folder as it was given.
        path: ProjectPath,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// The shell is not installed.
    #[error("there is no `{shell}` on the search path; installed are: {}", .available.join(", "))]
    ShellMissing {
        /// The shell that was asked for.
        shell: &'static str,
        /// The shells that are there.
        available: Vec<&'static str>,
    },
    /// An environment variable that may not be set.
    #[error("the environment variable `{name}` cannot be set: {reason}")]
    VariableRefused {
        /// Its name as it was given.
        name: String,
        /// Why not.
        reason: &'static str,
    },
    /// An argument or the program holds a NUL byte.
    #[error("{place} contains a NUL byte, which no program can be given")]
    NulByte {
        /// Where it is.
        place: String,
    },
    /// The system would not start the program.
    #[error("`{program}` could not be started: {source}")]
    Spawn {
        /// The program's path.
        program: String,
        /// What the system said.
        source: io::Error,
    },
    /// A file of ours that the start needs could not be written.
    #[error("`{}` could not be written: {source}", .path.display())]
    Store {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Another Runner works with the same data folder.
    #[error("another Runner uses `{}`", .path.display())]
    InUse {
        /// The folder.
        path: PathBuf,
    },
    /// Too many commands run at once.
    #[error("{running} commands are running, the most that run at once")]
    TooMany {
        /// How many run.
        running: usize,
    },
    /// The Runner is ending.
    #[error("the Runner is shutting down and starts nothing new")]
    ShuttingDown,
    /// The job is not known here.
    #[error("there is no job `{0}`")]
    JobNotFound(JobId),
    /// The token or cursor is damaged or of another job.
    #[error("the {what} does not belong to this request: {given:?}")]
    CursorInvalid {
        /// `observation_token` or `cursor`.
        what: &'static str,
        /// The beginning of what was given.
        given: String,
    },
}

impl JobsError {
    /// The next step.
    pub fn hint(&self) -> String {
        match self {
            Self::ProgramMissing { advice, .. } => advice.clone(),
            Self::ProgramPathMissing { .. } => {
                "Give a name on the search path, or a path from the project's folder (or from `cwd`) with a slash in it."
                    .to_owned()
            }
            Self::ProgramNotExecutable { .. } if cfg!(windows) => {
                "Run it through its interpreter, for example `python` with the file as first argument.".to_owned()
            }
            Self::ProgramNotExecutable { .. } => {
                "Run it through its interpreter (for example `bash` with the file as first argument), or make it executable with `chmod +x`."
                    .to_owned()
            }
            Self::ProgramIsFolder { .. } => "Give the program inside it.".to_owned(),
            Self::ProgramOutside { .. } => {
                "Give the program's name, or a path in the project; run_shell starts anything else.".to_owned()
            }
            Self::Confine { .. } | Self::Path(_) => "Use a path inside the project.".to_owned(),
            Self::WorkingFolder { .. } => {
                "Use a folder of the project; leave `cwd` out for the project's own folder.".to_owned()
            }
            Self::ShellMissing { .. } => "Use `auto` or one of those.".to_owned(),
            Self::VariableRefused { .. } => "Leave it out or choose another name.".to_owned(),
            Self::NulByte { .. } => "Remove it; pass binary data by a file.".to_owned(),
            Self::Spawn { .. } => "Check that the file is a program for this system.".to_owned(),
            Self::Store { .. } => "Check free space and permissions of the data folder.".to_owned(),
            Self::InUse { .. } => "End the other Runner or use another data folder.".to_owned(),
            Self::TooMany { .. } => {
                "Wait for some to end, or stop one: list_jobs with `running_only` shows them.".to_owned()
            }
            Self::ShuttingDown => "Call again when the Runner is back.".to_owned(),
            Self::JobNotFound(_) => "Find the job with list_jobs.".to_owned(),
            Self::CursorInvalid { .. } => {
                "Use it exactly as the last answer gave it, or leave it out to begin anew.".to_owned()
            }
        }
    }

    /// The argument at fault.
    pub fn field(&self) -> Option<&'static str> {
        match self {
            Self::ProgramMissing { .. }
            | Self::ProgramPathMissing { .. }
            | Self::ProgramNotExecutable { .. }
            | Self::ProgramIsFolder { .. }
            | Self::ProgramOutside { .. }
            | Self::Path(_) => Some("executable"),
            Self::Confine { field, .. } => Some(field),
            Self::WorkingFolder { .. } => Some("cwd"),
            Self::ShellMissing { .. } => Some("shell"),
            Self::VariableRefused { .. } => Some("env"),
            Self::JobNotFound(_) => Some("job_id"),
            Self::CursorInvalid { what, .. } => Some(what),
            Self::NulByte { .. }
            | Self::Spawn { .. }
            | Self::Store { .. }
            | Self::InUse { .. }
            | Self::TooMany { .. }
            | Self::ShuttingDown => None,
        }
    }
}
