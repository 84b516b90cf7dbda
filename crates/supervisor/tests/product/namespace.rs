//! Runs a test in namespaces of its own: with a disk or a network that nobody else sees.

use std::process::{Command, Stdio};

/// Set for the process that is inside.
const INSIDE: &str = "SUPERVISOR_TEST_INSIDE";

/// `true` for the process inside. Otherwise runs the test `name` of this program again, inside the given namespaces of
/// `unshare`, and passes its result on.
pub(crate) fn inside(name: &str, namespaces: &[&str]) -> bool {
    if std::env::var_os(INSIDE).is_some_and(|inside| inside == name) {
        return true;
    }
    let mut unshare = Command::new("unshare");
    unshare.args(namespaces);
    if !rustix::process::geteuid().is_root() {
        unshare.arg("--map-root-user");
    }
    let possible = Command::new(unshare.get_program()).args(unshare.get_args()).arg("true").output();
    let why = match possible {
        Ok(output) if output.status.success() => None,
        Ok(output) => Some(String::from_utf8_lossy(&output.stderr).into_owned()),
        Err(error) => Some(error.to_string()),
    };
    if let Some(why) = why {
        panic!("this test needs root, or user namespaces and the program `unshare`: {why}");
    }
    unshare.arg(std::env::current_exe().unwrap()).args(["--exact", name, "--nocapture"]);
    unshare.env(INSIDE, name).env("WEBCODEX_EXE", crate::support::program()).stdin(Stdio::null());
    let ended = unshare.output().unwrap();
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    assert!(ended.status.success(), "{}\n{}", text(&ended.stdout), text(&ended.stderr));
    false
}

/// Runs a program that must succeed.
pub(crate) fn run(program: &str, arguments: &[&str]) {
    let output = Command::new(program).args(arguments).output();
    let output = output.unwrap_or_else(|error| panic!("this test needs the program `{program}`: {error}"));
    let why = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program} {}: {why}", arguments.join(" "));
}
