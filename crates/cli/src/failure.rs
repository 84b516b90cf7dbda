//! How a command says that it failed: what, why, what to do next, and an exit code that scripts can use.

use std::process::ExitCode;

use webcodex_settings::SettingsError;

/// Shown at the end of `--help`.
pub(crate) const EXIT_CODES: &str = "Exit codes:
  0  done
  1  failed; the message says what, why and what to do
  2  the command line is wrong
  3  not running, or not ready
  4  already running";

/// A command that could not do what it was asked for.
#[derive(Debug)]
pub(crate) struct Failure {
    what: String,
    why: Option<String>,
    next: Option<String>,
    code: u8,
}

impl Failure {
    /// Something failed.
    pub(crate) fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), why: None, next: None, code: 1 }
    }

    /// The command line is wrong.
    pub(crate) fn usage(what: &str, next: &str) -> Self {
        Self { code: 2, ..Self::new(what).next(next) }
    }

    /// Nothing runs, or what runs is not ready.
    pub(crate) fn not_ready(what: impl Into<String>) -> Self {
        Self { code: 3, ..Self::new(what) }
    }

    /// Another one runs already.
    pub(crate) fn already_running(what: impl Into<String>) -> Self {
        Self { code: 4, ..Self::new(what) }
    }

    /// Adds the cause.
    pub(crate) fn why(mut self, why: impl ToString) -> Self {
        self.why = Some(why.to_string());
        self
    }

    /// Adds the next step.
    pub(crate) fn next(mut self, next: impl Into<String>) -> Self {
        self.next = Some(next.into());
        self
    }

    /// What failed and why, in one line.
    pub(crate) fn detail(&self) -> String {
        match &self.why {
            Some(why) => format!("{}: {why}", self.what),
            None => self.what.clone(),
        }
    }

    /// Prints the failure to standard error and gives the exit code.
    pub(crate) fn report(self) -> ExitCode {
        anstream::eprintln!("error: {}", self.what);
        if let Some(why) = self.why {
            anstream::eprintln!("  why: {why}");
        }
        if let Some(next) = self.next {
            anstream::eprintln!("  next: {next}");
        }
        ExitCode::from(self.code)
    }
}

impl From<SettingsError> for Failure {
    fn from(error: SettingsError) -> Self {
        Failure::new("the settings cannot be used")
            .why(error)
            .next("correct the value named above and start again")
    }
}
