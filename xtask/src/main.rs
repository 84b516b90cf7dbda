//! Set-up, run, test, bench and cross checks.

use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let passed = Command::new("cargo").args(["test", "--workspace"]).status().is_ok_and(|status| status.success());
    if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
