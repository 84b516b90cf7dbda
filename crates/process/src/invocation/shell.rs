//! Each shell with the arguments that make it run a text, read nothing of the user's start-up files, and speak UTF-8.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use webcodex_contracts::tools::run_shell::Shell;

use super::{Invocation, write_script};
use crate::JobsError;
use crate::lookup::Lookup;

/// Longest text that is passed as an argument: Linux takes 128 KiB for one, Windows 32 KiB for all.
const MAX_ARGUMENT_BYTES: usize = if cfg!(windows) { 24 * 1024 } else { 96 * 1024 };
/// Longest line that the command prompt of Windows takes is 8191 characters.
const MAX_PROMPT_BYTES: usize = 7 * 1024;

/// What makes Windows PowerShell read a script as UTF-8.
pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
/// No profile, no questions, and no policy that keeps scripts from running; then the file.
pub(super) const POWERSHELL_OPTIONS: &[&str] =
    &["-NoLogo", "-NoProfile", "-NonInteractive", "-ExecutionPolicy", "Bypass", "-File"];

/// UTF-8 between PowerShell, its programs and us.
const PRELUDE: &str = include_str!("prelude.ps1");
/// Windows PowerShell besides reads files in the system's code page and writes them with a mark or in UTF-16: here it
/// reads and writes UTF-8 with LF, as the shells of other systems do.
const PRELUDE_WINDOWS: &str = include_str!("prelude_windows.ps1");
/// PowerShell itself would report success whatever the last program's exit code was.
const POWERSHELL_END: &str = "\nif (-not $?) { if ($LASTEXITCODE) { exit $LASTEXITCODE }; exit 1 }\nexit 0\n";

const ALL: [Shell; 6] = [Shell::Bash, Shell::Sh, Shell::Zsh, Shell::Pwsh, Shell::Powershell, Shell::Cmd];

/// Runs `script` in `shell`.
pub(super) fn invocation(
    shell: Shell,
    script: &str,
    lookup: &Lookup<'_>,
    scripts: &Path,
) -> Result<Invocation, JobsError> {
    let (shell, program) = find(shell, lookup)?;
    match shell {
        Shell::Auto | Shell::Sh | Shell::Bash | Shell::Zsh => posix(program, script, scripts),
        Shell::Powershell | Shell::Pwsh => powershell(program, script, scripts),
        Shell::Cmd => prompt(program, script, scripts),
    }
}

fn name(shell: Shell) -> &'static str {
    match shell {
        Shell::Auto => "auto",
        Shell::Sh => "sh",
        Shell::Bash => "bash",
        Shell::Zsh => "zsh",
        Shell::Powershell => "powershell",
        Shell::Pwsh => "pwsh",
        Shell::Cmd => "cmd",
    }
}

fn find(wanted: Shell, lookup: &Lookup<'_>) -> Result<(Shell, PathBuf), JobsError> {
    let candidates: &[Shell] = match wanted {
        Shell::Auto if cfg!(windows) => &[Shell::Powershell, Shell::Pwsh],
        Shell::Auto => &[Shell::Bash, Shell::Sh],
        _ => &[wanted],
    };
    let found = candidates.iter().find_map(|shell| Some((*shell, lookup.named(name(*shell))?)));
    found.ok_or_else(|| {
        let available = ALL.into_iter().filter(|shell| lookup.named(name(*shell)).is_some()).map(name);
        JobsError::ShellMissing { shell: name(wanted), available: available.collect() }
    })
}

fn posix(program: PathBuf, script: &str, scripts: &Path) -> Result<Invocation, JobsError> {
    if script.len() <= MAX_ARGUMENT_BYTES {
        return Ok(Invocation::plain(program, vec!["-c".into(), script.into()]));
    }
    let file = write_script(scripts, "sh", script.as_bytes())?;
    let args = vec![file.as_os_str().to_owned()];
    Ok(Invocation { program, args, raw_tail: None, file: Some(file) })
}

fn powershell(program: PathBuf, script: &str, scripts: &Path) -> Result<Invocation, JobsError> {
    let file = write_script(scripts, "ps1", &powershell_text(script, cfg!(windows)))?;
    let mut args: Vec<OsString> = POWERSHELL_OPTIONS.iter().map(OsString::from).collect();
    args.push(file.as_os_str().to_owned());
    Ok(Invocation { program, args, raw_tail: None, file: Some(file) })
}

fn powershell_text(script: &str, windows: bool) -> Vec<u8> {
    let windows_prelude = if windows { PRELUDE_WINDOWS } else { "" };
    [
        BYTE_ORDER_MARK,
        PRELUDE.as_bytes(),
        windows_prelude.as_bytes(),
        script.as_bytes(),
        POWERSHELL_END.as_bytes(),
    ]
    .concat()
}

/// One line goes to the prompt as typed; several lines, of which it would run only the first, go as a batch file.
fn prompt(program: PathBuf, script: &str, scripts: &Path) -> Result<Invocation, JobsError> {
    let script = script.trim();
    if !script.contains('\n') && script.len() <= MAX_PROMPT_BYTES {
        return Ok(Invocation { program, args: Vec::new(), raw_tail: Some(prompt_line(script)), file: None });
    }
    let file = write_script(scripts, "cmd", batch_text(script).as_bytes())?;
    // A second pair of quotes for `/s` to take away.
    let raw_tail = Some(format!("/d /s /c \"\"{}\"\"", file.display()));
    Ok(Invocation { program, args: Vec::new(), raw_tail, file: Some(file) })
}

fn prompt_line(script: &str) -> String {
    format!("/d /s /c \"chcp 65001>nul & {script}\"")
}

/// A batch file that reads and writes UTF-8 and does not echo its lines.
pub(super) fn batch_text(script: &str) -> String {
    let lines: Vec<&str> = script.lines().collect();
    format!("@echo off\r\nchcp 65001>nul\r\n{}\r\n", lines.join("\r\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_prompt_gets_its_line_as_typed_in_utf8() {
        assert_eq!(
            prompt_line("echo \"a b\" | find \"a\""),
            "/d /s /c \"chcp 65001>nul & echo \"a b\" | find \"a\"\""
        );
        assert_eq!(batch_text("a\nb\r\n"), "@echo off\r\nchcp 65001>nul\r\na\r\nb\r\n");
    }

    #[test]
    fn several_lines_for_the_command_prompt_are_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let invocation = prompt(PathBuf::from("cmd.exe"), "echo 1\necho 2", folder.path()).unwrap();
        let file = invocation.file.unwrap();
        assert!(invocation.raw_tail.unwrap().contains(file.to_str().unwrap()));
        assert!(std::fs::read_to_string(&file).unwrap().ends_with("echo 1\r\necho 2\r\n"));
    }

    #[test]
    fn a_powershell_script_reads_and_writes_utf8_and_keeps_the_exit_code() {
        let text = String::from_utf8(powershell_text("Get-Content a.txt", true)).unwrap();
        assert!(text.starts_with('\u{feff}'), "Windows PowerShell needs the mark");
        assert!(text.contains("[Console]::OutputEncoding") && text.contains("function global:Out-File"));
        assert!(text.contains("Get-Content a.txt\nif (-not $?)"));
        let elsewhere = String::from_utf8(powershell_text("x", false)).unwrap();
        assert!(!elsewhere.contains("Out-File"), "PowerShell elsewhere writes UTF-8 by itself");
    }
}
