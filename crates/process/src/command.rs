//! What a caller wants to run.

use std::collections::BTreeMap;
use std::time::Duration;

use webcodex_contracts::limits::DEFAULT_TIMEOUT_SECS;
use webcodex_contracts::tools::run_shell::Shell;
use webcodex_contracts::{ProjectPath, SessionId};

/// Longest description of a command, in bytes.
const MAX_LABEL_BYTES: usize = 300;

/// A command as it was asked for.
#[derive(Debug, Clone)]
pub struct Command {
    /// What is run.
    pub program: Program,
    /// The working folder, in the project.
    pub cwd: ProjectPath,
    /// Text for standard input, which is closed if there is none.
    pub stdin: Option<String>,
    /// More environment variables.
    pub env: BTreeMap<String, String>,
    /// How long it may run.
    pub timeout: Duration,
    /// The session that it belongs to.
    pub session_id: Option<SessionId>,
}

/// What is run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Program {
    /// A program with literal arguments.
    Executable {
        /// A name on the search path, or a path in the project.
        executable: String,
        /// Its arguments.
        args: Vec<String>,
    },
    /// Text for a shell.
    Shell {
        /// Which shell.
        shell: Shell,
        /// The text.
        script: String,
    },
    /// Text for an interpreter, passed as a file.
    Script {
        /// The interpreter, as `executable` above.
        interpreter: String,
        /// The text.
        script: String,
        /// Arguments of the script.
        args: Vec<String>,
    },
}

impl Command {
    /// `program` in the project's folder, without input, with the usual time limit.
    pub fn new(program: Program) -> Self {
        Self {
            program,
            cwd: ProjectPath::root(),
            stdin: None,
            env: BTreeMap::new(),
            timeout: Duration::from_secs(DEFAULT_TIMEOUT_SECS),
            session_id: None,
        }
    }
}

impl Program {
    /// The command in one short line, for lists and messages.
    pub(crate) fn label(&self) -> String {
        let line = match self {
            Program::Executable { executable, args } => {
                let parts = std::iter::once(executable).chain(args).map(|part| quoted(part));
                parts.collect::<Vec<_>>().join(" ")
            }
            Program::Shell { script, .. } => script.trim().to_owned(),
            Program::Script { interpreter, script, args } => {
                let first = script.trim().lines().next().unwrap_or_default();
                format!("{interpreter} <script: {first}> {}", args.join(" ")).trim_end().to_owned()
            }
        };
        shorten(&line)
    }
}

fn quoted(part: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./:=,+@%~\\".contains(c);
    if !part.is_empty() && part.chars().all(plain) { part.to_owned() } else { format!("'{part}'") }
}

fn shorten(line: &str) -> String {
    let mut short = String::new();
    for c in line.chars().map(|c| if c.is_control() { ' ' } else { c }) {
        if short.len() + c.len_utf8() > MAX_LABEL_BYTES {
            short.push('…');
            break;
        }
        short.push(c);
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_short_and_one_line() {
        let args = vec!["test".to_owned(), "a b".to_owned(), "x\ny".to_owned()];
        let program = Program::Executable { executable: "cargo".to_owned(), args };
        assert_eq!(program.label(), "cargo test 'a b' 'x y'");
        let shell = Program::Shell { shell: Shell::Auto, script: "é".repeat(1000) };
        assert!(shell.label().len() <= MAX_LABEL_BYTES + '…'.len_utf8());
        let script = Program::Script {
            interpreter: "python3".to_owned(),
            script: "\nprint(1)\nprint(2)".to_owned(),
            args: Vec::new(),
        };
        assert_eq!(script.label(), "python3 <script: print(1)>");
    }
}
