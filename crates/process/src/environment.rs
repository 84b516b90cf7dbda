//! The environment of commands: the user's own, without what is ours and without what would ask the user.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};

use crate::JobsError;
use crate::sys::MARK_NAME;
use crate::text::Locale;

/// Beginnings of names that belong to the product; they hold keys and addresses that no command needs.
const OWN_PREFIXES: [&str; 2] = ["WEBCODEX_", "CONTROL_PLANE_"];

/// Programs that would ask on the user's screen.
const ASKING: [&str; 3] = ["GIT_ASKPASS", "SSH_ASKPASS", "SUDO_ASKPASS"];

/// What makes programs fail at once instead of asking or paging. Each may be overridden by the caller.
///
/// Colour is left to the programs: the output is a pipe, and it is cleaned. `GIT_EDITOR=true` accepts the proposed
/// message (merge, rebase) and refuses an empty one (commit), where an editor would wait for ever. `CI` is not set: it
/// changes what programs do.
const QUIET: [(&str, &str); 7] = [
    ("TERM", "dumb"),
    ("PAGER", "cat"),
    ("GIT_PAGER", "cat"),
    ("GIT_EDITOR", "true"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GCM_INTERACTIVE", "never"),
    ("SSH_ASKPASS_REQUIRE", "never"),
];

/// The variables that every command gets.
#[derive(Debug, Clone)]
pub(crate) struct Environment {
    variables: BTreeMap<Name, OsString>,
}

/// A name of a variable; Windows does not tell cases apart.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Name(OsString);

impl Name {
    fn new(name: &OsStr) -> Self {
        if cfg!(windows) { Self(name.to_ascii_uppercase()) } else { Self(name.to_owned()) }
    }
}

impl Environment {
    /// The user's variables, made fit for commands.
    pub(crate) fn new(user: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        let kept = user.into_iter().filter(|(name, _)| !is_own(name) && !is_asking(name));
        let mut variables: BTreeMap<Name, OsString> =
            kept.map(|(name, value)| (Name::new(&name), value)).collect();
        for (name, value) in QUIET {
            variables.insert(Name::new(OsStr::new(name)), value.into());
        }
        Self { variables }
    }

    /// The value of a variable.
    pub(crate) fn get(&self, name: &str) -> Option<&OsStr> {
        self.variables.get(&Name::new(OsStr::new(name))).map(OsString::as_os_str)
    }

    /// Sets a variable for every command.
    pub(crate) fn set(&mut self, name: &str, value: &OsStr) {
        self.variables.insert(Name::new(OsStr::new(name)), value.to_owned());
    }

    /// Adds what a caller asks for.
    pub(crate) fn with(&self, additions: &BTreeMap<String, String>) -> Result<Self, JobsError> {
        let mut environment = self.clone();
        for (name, value) in additions {
            if let Some(reason) = refusal(name, value) {
                return Err(JobsError::VariableRefused { name: name.chars().take(80).collect(), reason });
            }
            environment.set(name, OsStr::new(value));
        }
        Ok(environment)
    }

    /// All variables.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&OsStr, &OsStr)> {
        self.variables.iter().map(|(name, value)| (name.0.as_os_str(), value.as_os_str()))
    }

    /// The user's language settings.
    pub(crate) fn locale(&self) -> Locale {
        let value = ["LC_ALL", "LC_CTYPE", "LANG"].iter().filter_map(|name| self.get(name)?.to_str());
        value.into_iter().find(|value| !value.is_empty()).map(Locale::parse).unwrap_or_default()
    }
}

fn is_own(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    let begins = |prefix: &str| {
        name.get(..prefix.len()).is_some_and(|beginning| beginning.eq_ignore_ascii_case(prefix))
    };
    OWN_PREFIXES.iter().any(|prefix| begins(prefix)) || name == MARK_NAME
}

fn is_asking(name: &OsStr) -> bool {
    ASKING.iter().any(|asking| name.eq_ignore_ascii_case(asking))
}

fn refusal(name: &str, value: &str) -> Option<&'static str> {
    if name.is_empty() {
        return Some("its name is empty");
    }
    if name.contains(['=', '\0']) {
        return Some("its name contains `=` or a NUL byte");
    }
    if value.contains('\0') {
        return Some("its value contains a NUL byte");
    }
    is_own(OsStr::new(name)).then_some("names that begin so belong to WebCodex itself")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user(variables: &[(&str, &str)]) -> Environment {
        Environment::new(variables.iter().map(|(name, value)| (name.into(), value.into())))
    }

    #[test]
    fn keys_of_the_product_are_not_visible_to_commands() {
        let environment = user(&[
            ("WEBCODEX_TOKEN", "secret"),
            ("webcodex_addr", "x"),
            ("CONTROL_PLANE_API_KEY", "secret"),
            ("WEBCODEXISH", "kept"),
            ("HOME", "/home/me"),
        ]);
        let names: Vec<_> =
            environment.iter().map(|(name, _)| name.to_string_lossy().to_uppercase()).collect();
        assert!(!names.iter().any(|name| name.starts_with("WEBCODEX_") || name.starts_with("CONTROL_PLANE")));
        assert_eq!(environment.get("WEBCODEXISH").unwrap(), "kept");
        assert_eq!(environment.get("HOME").unwrap(), "/home/me");
    }

    #[test]
    fn nothing_pops_up_and_nothing_pages() {
        let environment = user(&[("SSH_ASKPASS", "/usr/bin/ssh-askpass"), ("PAGER", "less")]);
        assert_eq!(environment.get("SSH_ASKPASS"), None);
        assert_eq!(environment.get("PAGER").unwrap(), "cat");
        assert_eq!(environment.get("GIT_TERMINAL_PROMPT").unwrap(), "0");
    }

    #[test]
    fn callers_add_variables_but_not_ours_and_not_broken_ones() {
        let environment = user(&[]);
        let add = |name: &str, value: &str| {
            environment.with(&BTreeMap::from([(name.to_owned(), value.to_owned())]))
        };
        assert_eq!(add("PAGER", "more").unwrap().get("PAGER").unwrap(), "more");
        assert_eq!(add("X", "").unwrap().get("X").unwrap(), "");
        for (name, value) in [
            ("", "x"),
            ("A=B", "x"),
            ("A\0", "x"),
            ("A", "\0"),
            ("WEBCODEX_TOKEN", "x"),
            ("Control_Plane_X", "x"),
            ("__WCJ", "x"),
        ] {
            assert!(matches!(add(name, value), Err(JobsError::VariableRefused { .. })), "{name:?}");
        }
    }
}
