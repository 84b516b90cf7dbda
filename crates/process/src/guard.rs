//! What ends the commands of a Runner that was killed itself.
//!
//! A parent-death signal would have to be set between fork and exec, which takes the slower way of starting, and it
//! follows the thread that started the command, not the process. Instead one small shell per Runner, started with the
//! first command, waits on a pipe that only the Runner holds. When the Runner ends in whatever way, the pipe closes
//! and the shell ends the groups that the ledger still shows as running. It uses no time while it waits.
//!
//! On Windows the system does the same when the last handle of a Job Object is closed.

#[cfg(unix)]
pub(crate) use unix::Guard;
#[cfg(windows)]
pub(crate) use windows::Guard;

#[cfg(unix)]
mod unix {
    use std::path::Path;
    use std::process::Stdio;

    use tokio::process::{Child, ChildStdin, Command};

    use crate::sys::MARK_NAME;

    /// `$1` the ledger, `$2` this Runner's name in it, `$3` the mark that its commands carry in their environment.
    const SCRIPT: &str = r#"
trap '' HUP INT QUIT TERM
read -r _
grep "^R  *[0-9][0-9]* $2 " "$1" 2>/dev/null | while read -r _ pid _; do
    [ "$pid" -gt 1 ] && kill -KILL "-$pid" 2>/dev/null
done
[ -r /proc/self/environ ] || exit 0
for _ in 1 2 3; do
    grep -lsF "$3" /proc/[0-9]*/environ | while IFS=/ read -r _ _ pid _; do kill -KILL "$pid" 2>/dev/null; done
done
"#;

    /// The waiting shell. Dropping it closes the pipe.
    #[derive(Debug)]
    pub(crate) struct Guard {
        _shell: Child,
        _pipe: ChildStdin,
    }

    impl Guard {
        /// Starts it; commands carry marks that begin with `owner.`.
        pub(crate) fn start(ledger: &Path, owner: &str) -> std::io::Result<Self> {
            let mut command = Command::new("/bin/sh");
            command.args(["-c", SCRIPT, "guard"]).arg(ledger).arg(owner).arg(format!("{MARK_NAME}={owner}."));
            command.env_clear().env("PATH", "/usr/bin:/bin:/usr/local/bin").current_dir("/");
            command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
            // Its own group: what ends the Runner's must not end it.
            command.process_group(0);
            let mut shell = command.spawn()?;
            let pipe = shell.stdin.take().ok_or_else(|| std::io::Error::other("no pipe"))?;
            Ok(Self { _shell: shell, _pipe: pipe })
        }
    }
}

#[cfg(windows)]
mod windows {
    use std::path::Path;

    /// Nothing to do: Job Objects end with their last handle.
    #[derive(Debug)]
    pub(crate) struct Guard;

    impl Guard {
        pub(crate) fn start(_ledger: &Path, _owner: &str) -> std::io::Result<Self> {
            Ok(Self)
        }
    }
}
