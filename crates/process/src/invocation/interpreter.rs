//! Scripts as files, with the name and the options that each interpreter wants.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::shell::{BYTE_ORDER_MARK, POWERSHELL_OPTIONS, batch_text};
use super::{Invocation, write_script};
use crate::JobsError;

/// How an interpreter takes a file.
struct Dialect {
    extension: &'static str,
    /// Options before the file.
    options: &'static [&'static str],
}

/// Runs `script` as a file with `program`, which the caller calls `interpreter`.
pub(super) fn invocation(
    program: PathBuf,
    interpreter: &str,
    script: &str,
    args: Vec<OsString>,
    scripts: &Path,
) -> Result<Invocation, JobsError> {
    let dialect = dialect(&family(interpreter));
    let text = match dialect.extension {
        // Without the mark, Windows PowerShell reads a script in the system's code page.
        "ps1" => [BYTE_ORDER_MARK, script.as_bytes()].concat(),
        "cmd" => batch_text(script).into_bytes(),
        _ => script.as_bytes().to_vec(),
    };
    let file = write_script(scripts, dialect.extension, &text)?;
    let mut all: Vec<OsString> = dialect.options.iter().map(OsString::from).collect();
    all.push(file.as_os_str().to_owned());
    all.extend(args);
    Ok(Invocation { program, args: all, raw_tail: None, file: Some(file) })
}

/// `/usr/bin/python3.12` and `Python.exe` are `python`.
fn family(interpreter: &str) -> String {
    let name = interpreter.rsplit(['/', '\\']).next().unwrap_or_default().to_ascii_lowercase();
    let name = name.strip_suffix(".exe").unwrap_or(&name);
    name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-').to_owned()
}

fn dialect(family: &str) -> Dialect {
    let (extension, options): (_, &[&str]) = match family {
        "python" | "pypy" | "uv" | "pythonw" | "py" => ("py", &[]),
        "node" | "nodejs" => ("js", &[]),
        "deno" => ("ts", &["run", "-A"]),
        "bun" => ("ts", &["run"]),
        "tsx" | "ts-node" => ("ts", &[]),
        "ruby" => ("rb", &[]),
        "perl" => ("pl", &[]),
        "php" => ("php", &[]),
        "lua" | "luajit" => ("lua", &[]),
        "rscript" => ("R", &[]),
        "julia" => ("jl", &[]),
        "elixir" => ("exs", &[]),
        "swift" => ("swift", &[]),
        "groovy" => ("groovy", &[]),
        "awk" | "gawk" | "mawk" => ("awk", &["-f"]),
        "sed" => ("sed", &["-f"]),
        "osascript" => ("applescript", &[]),
        "sh" | "bash" | "zsh" | "dash" | "ksh" | "fish" => ("sh", &[]),
        "powershell" | "pwsh" => ("ps1", POWERSHELL_OPTIONS),
        "cmd" => ("cmd", &["/d", "/c"]),
        _ => ("txt", &[]),
    };
    Dialect { extension, options }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interpreter_is_known_by_its_name_in_any_spelling() {
        for name in ["python", "python3", "python3.12", "/usr/bin/python3", "C:\\Python\\Python.EXE"] {
            assert_eq!(dialect(&family(name)).extension, "py", "{name}");
        }
        assert_eq!(dialect(&family("node")).extension, "js");
        assert_eq!(dialect(&family("gawk")).options, ["-f"]);
        assert_eq!(dialect(&family("unheard-of")).extension, "txt");
    }
}
