//! A command as a person is shown it: all of it that decides what it does.

use std::fmt::Write;

use webcodex_contracts::tools::run_shell::Shell;
use webcodex_contracts::{ErrorCode, ToolError};
use webcodex_files::visible;
use webcodex_process::{Command, Program};

/// Longest command that is shown, in bytes. A longer one cannot be judged and is refused.
const MAX_BYTES: usize = 64 * 1024;

/// The whole command with its environment and its input, as one would type it.
pub(crate) fn in_full(command: &Command) -> Result<String, ToolError> {
    let mut text = String::new();
    for (name, value) in &command.env {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{name}={}", quoted(value));
    }
    match &command.program {
        Program::Executable { executable, args } => text.push_str(&line(executable, args)),
        Program::Shell { shell: Shell::Auto, script } => text.push_str(script.trim_end()),
        Program::Shell { shell, script } => {
            let _ = write!(text, "# {}\n{}", format!("{shell:?}").to_lowercase(), script.trim_end());
        }
        Program::Script { interpreter, script, args } => {
            let _ = write!(text, "{}\n{}", line(interpreter, args), script.trim_end());
        }
    }
    if let Some(stdin) = &command.stdin {
        let _ = write!(text, "\n<<< {}", quoted(stdin));
    }
    if text.len() > MAX_BYTES {
        return Err(ToolError::new(
            ErrorCode::InvalidArguments,
            format!(
                "this project asks the person first, and a command of {} bytes is too long to be shown; at most {MAX_BYTES} are",
                text.len()
            ),
        )
        .hint("Put the script into a file of the project with edit_project_files and run that.")
        .changed(false));
    }
    Ok(visible(&text).into_owned())
}

/// A program with its arguments, as one would type it.
pub(crate) fn line(program: &str, args: &[String]) -> String {
    let parts = std::iter::once(program).chain(args.iter().map(String::as_str));
    parts.map(quoted).collect::<Vec<_>>().join(" ")
}

/// In quotes where it would otherwise not be told apart from what stands around it.
fn quoted(part: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./:=@%+,".contains(c);
    match !part.is_empty() && part.chars().all(plain) {
        true => part.to_owned(),
        false => format!("'{}'", part.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn all_that_decides_what_a_command_does_is_shown() {
        let program = Program::Executable {
            executable: "cargo".into(),
            args: vec!["test".into(), "it's here".into(), String::new()],
        };
        let env = BTreeMap::from([("RUSTC_WRAPPER".to_owned(), "./evil it".to_owned())]);
        let command = Command { env, stdin: Some("y\n".into()), ..Command::new(program) };
        let shown = "RUSTC_WRAPPER='./evil it'\ncargo test 'it'\\''s here' ''\n<<< 'y\n'";
        assert_eq!(in_full(&command).unwrap(), shown);
    }

    #[test]
    fn scripts_are_shown_whole_and_nothing_in_them_hides() {
        let script = "echo a\u{202E}b\r\nrm x\u{1b}[2K\n".to_owned();
        let shell = Program::Shell { shell: Shell::Auto, script };
        assert_eq!(in_full(&Command::new(shell)).unwrap(), "echo a\\u{202e}b\\u{d}\nrm x\\u{1b}[2K");
        let long = Program::Shell { shell: Shell::Bash, script: "x".repeat(MAX_BYTES) };
        let refused = in_full(&Command::new(long)).unwrap_err();
        assert_eq!(refused.code, ErrorCode::InvalidArguments);
    }
}
