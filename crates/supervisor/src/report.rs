//! A report for whoever helps: how things stand, without names, paths of projects or secrets.

use std::fmt::Write;

use serde::Serialize;
use webcodex_contracts::control::Outcome;

use crate::logs;
use crate::process::Role;
use crate::status::Status;
use crate::supervisor::SupervisorConfig;

/// Lines of each log that go into the report.
const LOG_LINES: usize = 40;

/// The report as text.
pub(crate) fn text(config: &SupervisorConfig, status: &Status) -> String {
    let mut text = String::new();
    // Writing into a String cannot fail.
    let _ = write_report(&mut text, config, status);
    redacted(text, config, status)
}

fn write_report(text: &mut String, config: &SupervisorConfig, status: &Status) -> std::fmt::Result {
    writeln!(text, "WebCodex {} on {:?} {}", status.version, status.system, std::env::consts::ARCH)?;
    writeln!(text, "State    {:?}: {}", status.state, code(&status.reason))?;
    writeln!(text, "Server   {:?}", status.server.state)?;
    writeln!(text, "Runner   {:?}", status.runner.state)?;
    writeln!(text, "Address  {}", status.address.local)?;
    writeln!(text, "Public   {}", if status.address.public.is_some() { "set" } else { "not set" })?;
    writeln!(text, "Projects {} (names left out)", status.projects.len())?;
    for client in &status.clients {
        writeln!(text, "Client   {:?} via {:?}: {:?}", client.kind, client.via, client.state)?;
    }
    let failed = status.calls.iter().filter(|call| call.outcome == Outcome::Failed).count();
    writeln!(
        text,
        "Calls    {} today, {failed} failed of the {} listed",
        status.calls_today,
        status.calls.len()
    )?;
    let settings = &status.settings;
    writeln!(
        text,
        "Settings wait {} s ({:?}), record {:?}, secrets in {:?}, proxy {:?}",
        settings.wait_seconds, settings.wait_profile, settings.record, settings.secrets, settings.proxy.mode
    )?;
    for remark in &status.remarks {
        writeln!(text, "Remark   {}", code(remark))?;
    }
    for role in [Role::Server, Role::Runner] {
        writeln!(text, "\nEnd of the log of the {}:", role.title())?;
        let tail = logs::tail(&logs::path(&config.folders, role), 0);
        let lines: Vec<_> = tail.lines().collect();
        for line in &lines[lines.len().saturating_sub(LOG_LINES)..] {
            writeln!(text, "  {line}")?;
        }
    }
    Ok(())
}

/// What it is, without the names and paths that come along.
fn code(said: &impl Serialize) -> String {
    let said = serde_json::to_value(said).unwrap_or_default();
    said["code"].as_str().unwrap_or("?").to_owned()
}

/// Takes out what tells who the person is and what they work on, and whatever looks like one of our secrets.
fn redacted(mut text: String, config: &SupervisorConfig, status: &Status) -> String {
    for project in &status.projects {
        text = without_path(text, &project.path, "(project)");
        text = text.replace(&format!(":{}", project.name), ":(project)");
    }
    text = without_path(text, &config.folders.data.display().to_string(), "(data)");
    if let Some(home) = &config.folders.home {
        text = without_path(text, &home.display().to_string(), "~");
    }
    if let Some(public) = &status.address.public {
        text = text.replace(public, "(public address)");
    }
    without_secrets(&text)
}

/// Logs write paths as they are, or quoted, which doubles the backslashes of Windows.
fn without_path(text: String, path: &str, instead: &str) -> String {
    if path.is_empty() {
        return text;
    }
    text.replace(&path.replace('\\', "\\\\"), instead).replace(path, instead)
}

/// Every word that begins as our credentials do is taken out.
fn without_secrets(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("wc_") {
        let (before, secret) = rest.split_at(at);
        let end = secret.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(secret.len());
        clean.push_str(before);
        clean.push_str("(secret)");
        rest = &secret[end..];
    }
    clean.push_str(rest);
    clean
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::status::{Reason, Remark};

    #[test]
    fn what_is_at_work_and_where_stays_here() {
        let client = "Claude".to_owned();
        let working = Reason::Working {
            client,
            project: "divorce".to_owned(),
            command: Some("cat will.txt".to_owned()),
        };
        assert_eq!(code(&working), "working");
        let kept_as = r"C:\Users\Lin\settings.damaged".to_owned();
        assert_eq!(code(&Remark::SettingsRestored { kept_as }), "settings_restored");
        let text = r#"at C:\Users\Lin\a and "C:\\Users\\Lin\\b""#.to_owned();
        assert_eq!(without_path(text, r"C:\Users\Lin", "~"), r#"at ~\a and "~\\b""#);
    }

    #[test]
    fn nothing_that_looks_like_a_secret_gets_through() {
        let text = "a Bearer wc_client_0a1b, then wc_runner_ff\nend";
        assert_eq!(without_secrets(text), "a Bearer (secret), then (secret)\nend");
    }
}
