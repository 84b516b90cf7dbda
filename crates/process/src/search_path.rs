//! The search path of commands and where it came from.
//!
//! A program that was started from a dock, a start menu or at login has not gone through the user's shell and lacks
//! what version managers, Homebrew and the like add to `PATH`. The shell is then asked once.

#[cfg(unix)]
use std::ffi::OsStr;
use std::ffi::OsString;

use crate::config::PathSource;
use crate::config::SearchPathSource;
use crate::environment::Environment;

/// The folders in which programs are looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchPath {
    /// The value of `PATH`.
    pub value: OsString,
    /// Where it came from.
    pub source: SearchPathSource,
}

impl SearchPath {
    /// The path that the Runner itself was started with.
    pub(crate) fn inherited(environment: &Environment) -> Self {
        let value = environment.get("PATH").unwrap_or_default().to_owned();
        Self { value, source: SearchPathSource::Environment }
    }
}

/// The search path that commands of this process would get; for diagnostics.
pub async fn search_path(source: PathSource) -> SearchPath {
    find(source, &Environment::new(std::env::vars_os())).await
}

/// Finds the search path as the configuration wants it.
#[cfg(unix)]
pub(crate) async fn find(source: PathSource, environment: &Environment) -> SearchPath {
    let inherited = SearchPath::inherited(environment);
    if source == PathSource::Environment {
        return inherited;
    }
    match shell::ask(environment).await {
        Ok((shell, path)) => SearchPath {
            value: merge(&path, &inherited.value),
            source: SearchPathSource::LoginShell { shell },
        },
        Err(reason) => SearchPath { source: SearchPathSource::LoginShellFailed { reason }, ..inherited },
    }
}

/// Windows gives every program the path of the user's settings.
#[cfg(windows)]
pub(crate) async fn find(_source: PathSource, environment: &Environment) -> SearchPath {
    SearchPath::inherited(environment)
}

/// The first path, then what only the second has.
#[cfg(unix)]
fn merge(first: &OsStr, second: &OsStr) -> OsString {
    let mut folders: Vec<_> = std::env::split_paths(first).collect();
    for folder in std::env::split_paths(second) {
        if !folders.contains(&folder) {
            folders.push(folder);
        }
    }
    std::env::join_paths(folders).unwrap_or_else(|_| first.to_owned())
}

#[cfg(unix)]
mod shell {
    use std::ffi::{OsStr, OsString};
    use std::os::unix::ffi::OsStrExt;
    use std::path::Path;
    use std::process::Stdio;
    use std::time::Duration;

    use tokio::io::AsyncReadExt;
    use tokio::process::Command;

    use crate::environment::Environment;
    use crate::sys::{self, Session};

    /// A start-up file that takes longer than this is not waited for.
    const DEADLINE: Duration = Duration::from_secs(5);
    /// Output of start-up files that is read at most, in bytes.
    const MAX_OUTPUT: u64 = 256 * 1024;
    /// Stands before and behind the environment, since start-up files print what they like.
    const MARKER: &str = "__webcodex_environment__";

    /// The path that the user's login shell sets up, and the shell that was asked.
    pub(super) async fn ask(environment: &Environment) -> Result<(String, OsString), String> {
        let shell = login_shell(environment).ok_or("no login shell was found")?;
        let shown = shell.to_string_lossy().into_owned();
        let script = format!("echo {MARKER}; /usr/bin/env; echo {MARKER}");
        let mut command = Command::new(&shell);
        command.env_clear().envs(environment.iter());
        // Interactive too: most people set their path in the file for interactive shells.
        command.args(["-l", "-i", "-c", &script]);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        // A session of its own: an interactive shell must not find a terminal.
        let (mut child, group) = sys::spawn(&mut command, Session::Own, "")
            .map_err(|error| format!("{shown} could not be started: {error}"))?;
        let mut output = Vec::new();
        let result = match child.stdout.take() {
            Some(stdout) => {
                tokio::time::timeout(DEADLINE, stdout.take(MAX_OUTPUT).read_to_end(&mut output)).await
            }
            None => Ok(Ok(0)),
        };
        let _ = tokio::task::spawn_blocking(move || group.kill()).await;
        let _ = child.wait().await;
        match (result, parse(&output)) {
            (_, Some(path)) => Ok((shown, path)),
            (Err(_), None) => Err(format!("{shown} did not answer within {} s", DEADLINE.as_secs())),
            (Ok(_), None) => Err(format!("{shown} told no PATH")),
        }
    }

    fn login_shell(environment: &Environment) -> Option<OsString> {
        let named = environment.get("SHELL").map(OsStr::to_owned);
        let usual = ["/bin/zsh", "/bin/bash", "/bin/sh"].map(OsString::from);
        let usual = usual.into_iter().skip(usize::from(!cfg!(target_os = "macos")));
        named
            .into_iter()
            .chain(usual)
            .find(|shell| Path::new(shell).is_absolute() && Path::new(shell).is_file())
    }

    fn parse(output: &[u8]) -> Option<OsString> {
        let mut lines = output.split(|byte| *byte == b'\n').skip_while(|line| *line != MARKER.as_bytes());
        lines.next()?;
        let path = lines
            .take_while(|line| *line != MARKER.as_bytes())
            .find_map(|line| line.strip_prefix(b"PATH="))
            .filter(|path| !path.is_empty())?;
        Some(OsStr::from_bytes(path).to_owned())
    }

    #[cfg(test)]
    mod tests {
        use std::os::unix::fs::PermissionsExt;

        use super::*;

        fn shell(folder: &Path, text: &str) -> Environment {
            let file = folder.join("shell");
            std::fs::write(&file, format!("#!/bin/sh\n{text}\n")).unwrap();
            std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
            Environment::new([
                ("SHELL".into(), file.into_os_string()),
                ("PATH".into(), "/usr/bin:/bin".into()),
            ])
        }

        #[tokio::test]
        async fn the_path_of_the_login_shell_is_used_whatever_its_start_up_files_print() {
            let folder = tempfile::tempdir().unwrap();
            let text = r#"echo "PATH=/wrong"; export PATH="/opt/tools/bin:$PATH"; exec /bin/sh -c "$4""#;
            let found = super::super::find(crate::PathSource::LoginShell, &shell(folder.path(), text)).await;
            assert_eq!(found.value, "/opt/tools/bin:/usr/bin:/bin");
            assert!(matches!(found.source, crate::SearchPathSource::LoginShell { .. }));
        }

        #[tokio::test]
        async fn a_shell_that_fails_is_said_and_the_inherited_path_stays() {
            let folder = tempfile::tempdir().unwrap();
            let found =
                super::super::find(crate::PathSource::LoginShell, &shell(folder.path(), "exit 3")).await;
            assert_eq!(found.value, "/usr/bin:/bin");
            assert!(matches!(found.source, crate::SearchPathSource::LoginShellFailed { .. }));
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn paths_are_merged_without_doubles() {
        assert_eq!(merge(OsStr::new("/a:/b"), OsStr::new("/b:/c:/a")), "/a:/b:/c");
    }
}
