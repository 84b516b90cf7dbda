//! The proxy settings of the GNOME desktop and its relatives, as their own program `gsettings` tells them.
//!
//! A program that such a desktop starts has no proxy in its environment, so that the browser's way would stay unknown.

use std::collections::HashMap;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use super::{ControlPlaneAddress, ProxyAddress};
use crate::status::Reason;

const SCHEMA: &str = "org.gnome.system.proxy";
/// Where no session answers, nothing is known.
const PATIENCE: Duration = Duration::from_secs(1);

/// The desktop's proxy for `address`, or why it cannot be used; nothing where it sets none. Blocks for a moment.
pub(super) fn proxy(address: &ControlPlaneAddress) -> Option<Result<ProxyAddress, Reason>> {
    // Without a session bus the program would start one.
    std::env::var_os("DBUS_SESSION_BUS_ADDRESS")?;
    let (tell, told) = mpsc::channel();
    std::thread::spawn(move || {
        let asked = Command::new("gsettings")
            .args(["list-recursively", SCHEMA])
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .output();
        // Whoever asked may have stopped waiting.
        let _ = tell.send(asked);
    });
    let output = told.recv_timeout(PATIENCE).ok()?.ok()?;
    choose(&String::from_utf8_lossy(&output.stdout), address.host())
}

/// What the settings, one `SCHEMA KEY VALUE` a line, say about `host`.
fn choose(settings: &str, host: &str) -> Option<Result<ProxyAddress, Reason>> {
    let read: HashMap<(&str, &str), &str> = settings.lines().filter_map(line).collect();
    let text = |part: &str, key: &str| read.get(&(part, key)).map(|value| value.trim_matches('\''));
    match text("", "mode")? {
        "auto" => return Some(Err(Reason::ProxyUnsupported)),
        "manual" => {}
        _ => return None,
    }
    if text("", "ignore-hosts").is_some_and(|hosts| is_ignored(hosts, host)) {
        return None;
    }
    let at = |part: &str, scheme: &str| {
        let host = text(part, "host").filter(|host| !host.is_empty())?;
        let port = text(part, "port").filter(|port| *port != "0")?;
        Some(ProxyAddress::parse(&format!("{scheme}://{host}:{port}")))
    };
    at(".https", "http").or_else(|| at(".http", "http")).or_else(|| at(".socks", "socks5"))
}

/// Part of the schema, key and value.
fn line(line: &str) -> Option<((&str, &str), &str)> {
    let mut words = line.strip_prefix(SCHEMA)?.splitn(3, ' ');
    Some(((words.next()?, words.next()?), words.next()?.trim()))
}

/// Whether a list as `['localhost', '*.example.org', '10.0.0.0/8']` names `host`, itself or with what lies below it.
fn is_ignored(hosts: &str, host: &str) -> bool {
    let hosts = hosts.trim_start_matches("@as ").trim_matches(['[', ']']);
    let mut names = hosts.split(',').map(|name| name.trim().trim_matches('\''));
    names.any(|name| {
        let name = name.trim_start_matches('*').trim_start_matches('.');
        let below = host.strip_suffix(name).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
        !name.is_empty() && below
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As `gsettings` writes them, with some lines replaced.
    fn settings(replaced: &[(&str, &str)]) -> String {
        let lines = [
            ("mode", "'manual'"),
            ("autoconfig-url", "''"),
            ("ignore-hosts", "['localhost', '127.0.0.0/8', '::1']"),
            ("use-same-proxy", "true"),
        ];
        let own = lines.iter().map(|(key, value)| (format!("{SCHEMA} {key}"), *value));
        let parts = [".ftp", ".http", ".https", ".socks"]
            .into_iter()
            .flat_map(|part| [(format!("{SCHEMA}{part} host"), "''"), (format!("{SCHEMA}{part} port"), "0")]);
        let mut all: Vec<(String, &str)> = own.chain(parts).collect();
        for (key, value) in replaced {
            all.push((format!("{SCHEMA}{key}"), value));
        }
        all.iter().map(|(key, value)| format!("{key} {value}\n")).collect()
    }

    fn chosen(replaced: &[(&str, &str)]) -> Option<Result<String, Reason>> {
        let found = choose(&settings(replaced), "api.openai.com")?;
        Some(found.map(|proxy| proxy.to_string()))
    }

    #[test]
    fn a_proxy_of_the_desktop_is_found() {
        let proxy = |text: &str| Some(Ok(text.to_owned()));
        let https = [(".https host", "'proxy.lan'"), (".https port", "3128")];
        let socks = [(".socks host", "'127.0.0.1'"), (".socks port", "1080")];
        assert_eq!(chosen(&https), proxy("http://proxy.lan:3128"));
        assert_eq!(chosen(&[&socks[..], &https].concat()), proxy("http://proxy.lan:3128"));
        assert_eq!(chosen(&[(".http host", "'p'"), (".http port", "8080")]), proxy("http://p:8080"));
        assert_eq!(chosen(&socks), proxy("socks5://127.0.0.1:1080"));
        assert_eq!(
            chosen(&[&https[..], &[(" mode", "'auto'")]].concat()),
            Some(Err(Reason::ProxyUnsupported))
        );
    }

    #[test]
    fn none_is_found_where_none_is_set_or_the_host_is_excepted() {
        let https = (".https host", "'proxy.lan'");
        let port = (".https port", "3128");
        assert_eq!(choose("", "api.openai.com"), None);
        assert_eq!(choose("No such schema “org.gnome.system.proxy”\n", "api.openai.com"), None);
        assert_eq!(chosen(&[https, port, (" mode", "'none'")]), None);
        assert_eq!(chosen(&[]), None, "manual, but with nothing entered");
        assert_eq!(chosen(&[https]), None, "a host without a port");
        for excepted in ["['api.openai.com']", "['a', '*.openai.com']", "['.openai.com']", "['openai.com']"] {
            assert_eq!(chosen(&[https, port, (" ignore-hosts", excepted)]), None, "{excepted}");
        }
        for other in ["@as []", "['penai.com']", "['10.0.0.0/8', '']"] {
            assert!(chosen(&[https, port, (" ignore-hosts", other)]).is_some(), "{other}");
        }
    }
}
