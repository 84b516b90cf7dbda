//! From what a caller wants to run to a program with its arguments.

mod interpreter;
mod shell;

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};

use tempfile::TempPath;

use crate::JobsError;
use crate::command::Program;
use crate::lookup::Lookup;

/// A program that is there, with its arguments.
#[derive(Debug)]
pub(crate) struct Invocation {
    pub(crate) program: PathBuf,
    pub(crate) args: Vec<OsString>,
    /// The end of the command line as Windows is to see it, without quoting.
    pub(crate) raw_tail: Option<String>,
    /// A script of ours, removed when this is dropped.
    pub(crate) file: Option<TempPath>,
}

impl Invocation {
    /// Finds the program; scripts that must be files are written to `scripts`.
    pub(crate) fn new(program: &Program, lookup: &Lookup<'_>, scripts: &Path) -> Result<Self, JobsError> {
        match program {
            Program::Executable { executable, args } => {
                Ok(Self::plain(lookup.find(executable)?, checked(args)?))
            }
            Program::Shell { shell, script } => {
                no_nul(script, "`script`")?;
                shell::invocation(*shell, script, lookup, scripts)
            }
            Program::Script { interpreter, script, args } => {
                let program = lookup.find(interpreter)?;
                interpreter::invocation(program, interpreter, script, checked(args)?, scripts)
            }
        }
    }

    fn plain(program: PathBuf, args: Vec<OsString>) -> Self {
        Self { program, args, raw_tail: None, file: None }
    }
}

fn checked(args: &[String]) -> Result<Vec<OsString>, JobsError> {
    args.iter()
        .enumerate()
        .map(|(index, arg)| no_nul(arg, &format!("`args[{index}]`")).map(|()| OsString::from(arg)))
        .collect()
}

fn no_nul(text: &str, place: &str) -> Result<(), JobsError> {
    match text.contains('\0') {
        true => Err(JobsError::NulByte { place: place.to_owned() }),
        false => Ok(()),
    }
}

/// Writes a script that only the user may read.
fn write_script(scripts: &Path, extension: &str, text: &[u8]) -> Result<TempPath, JobsError> {
    let failed = |source| JobsError::Store { path: scripts.to_owned(), source };
    let suffix = format!(".{extension}");
    let mut file =
        tempfile::Builder::new().prefix("script-").suffix(&suffix).tempfile_in(scripts).map_err(failed)?;
    file.write_all(text).map_err(failed)?;
    Ok(file.into_temp_path())
}
