//! Identifiers: always text, never interchangeable.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A text that is not an identifier of the wanted kind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{given}` is not {wanted}")]
pub struct IdError {
    given: String,
    wanted: &'static str,
}

/// Longest identifier accepted, in bytes.
const MAX_ID_BYTES: usize = 200;

macro_rules! id_type {
    ($(#[$doc:meta])* $name:ident, $prefix:literal, $wanted:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
        #[serde(try_from = "String", into = "String")]
        #[schemars(with = "String")]
        pub struct $name(String);

        impl $name {
            /// Checks prefix, alphabet (letters, digits, `_ - : . ~`) and length.
            pub fn parse(text: &str) -> Result<Self, IdError> {
                let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"_-:.~".contains(&byte);
                let shaped = text.strip_prefix($prefix).is_some_and(|rest| !rest.is_empty());
                if shaped && text.len() <= MAX_ID_BYTES && text.bytes().all(allowed) {
                    return Ok(Self(text.to_owned()));
                }
                let given = text.chars().take(80).collect();
                Err(IdError { given, wanted: $wanted })
            }

            /// The identifier as it is written.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl FromStr for $name {
            type Err = IdError;
            fn from_str(text: &str) -> Result<Self, IdError> {
                Self::parse(text)
            }
        }

        impl TryFrom<String> for $name {
            type Error = IdError;
            fn try_from(text: String) -> Result<Self, IdError> {
                Self::parse(&text)
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> String {
                id.0
            }
        }
    };
}

id_type!(
    /// One Runner installation; part of every project id it serves.
    ClientId, "", "a Runner id (letters, digits, `-`, `_`)"
);
id_type!(
    /// A registered project, `agent:<client_id>:<name>`, or the short reference `~p1` that `work_on_project` gave.
    ProjectId, "", "a project id: use `project` from work_on_project or list_projects"
);
id_type!(
    /// A session of work, `wcs_…`, or the short reference `~s1`.
    SessionId, "", "a session id: use `session_id` from work_on_project"
);
id_type!(
    /// One execution, `wcj_…`: the same identity while it runs in the foreground, as a job and when finished.
    JobId, "wcj_", "a job id (`wcj_…`): use `job_id` from the call that started it, or list_jobs"
);
id_type!(
    /// One state of a project's files, kept outside of it for a while: `wcx_…`.
    SnapshotId, "wcx_", "a snapshot id (`wcx_…`): use `snapshot_id` from work_result_state"
);
id_type!(
    /// One call from the Server to a Runner.
    CallId, "", "a call id"
);
id_type!(
    /// One question to a person about a call.
    ApprovalId, "", "an approval id"
);

impl CallId {
    /// The id of the `number`th call of a Server that began with `start`, which is random.
    pub fn numbered(start: u64, number: u64) -> Self {
        Self(format!("c{start:012x}-{number}"))
    }
}

impl ApprovalId {
    /// The id of the question of a call, which asks at most one at a time.
    pub fn of(call: &CallId) -> Self {
        Self(format!("a-{call}"))
    }
}

impl ProjectId {
    /// The id of the project `name` (already a slug) served by `client`.
    pub fn new(client: &ClientId, name: &str) -> Result<Self, IdError> {
        Self::parse(&format!("agent:{client}:{name}"))
    }

    /// The Runner that serves this project; `None` for a short reference.
    pub fn client(&self) -> Option<&str> {
        let mut parts = self.0.splitn(3, ':');
        (parts.next() == Some("agent")).then(|| parts.next()).flatten()
    }
}

impl SnapshotId {
    /// Prefix of every snapshot id.
    pub const PREFIX: &'static str = "wcx_";
}

impl JobId {
    /// Prefix of every job id.
    pub const PREFIX: &'static str = "wcj_";

    /// Makes an id from the Runner's routing tag and `random` characters: `wcj_<tag>_<random>`.
    pub fn new(tag: &str, random: &str) -> Result<Self, IdError> {
        Self::parse(&format!("{}{tag}_{random}", Self::PREFIX))
    }

    /// The routing tag of the Runner that made this id, see [`ClientId::routing_tag`].
    pub fn routing_tag(&self) -> Option<&str> {
        self.0.strip_prefix(Self::PREFIX)?.split_once('_').map(|(tag, _)| tag)
    }
}

impl ClientId {
    /// A short stable tag (8 hex digits, FNV-1a) by which the Server finds the Runner that owns a job. A selector,
    /// never a credential.
    pub fn routing_tag(&self) -> String {
        let hash = self
            .0
            .bytes()
            .fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
        format!("{hash:08x}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_keep_their_kind_and_alphabet() {
        assert!(JobId::parse("wcj_ab_c1").is_ok());
        assert!(JobId::parse("wcs_ab").is_err(), "another kind's prefix");
        assert!(JobId::parse("wcj_").is_err(), "nothing behind the prefix");
        assert!(ProjectId::parse("agent:a:b c").is_err(), "a blank");
        assert!(ProjectId::parse(&"x".repeat(201)).is_err(), "too long");
    }

    #[test]
    fn a_project_id_names_its_runner() {
        let client = ClientId::parse("laptop-1").unwrap();
        let id = ProjectId::new(&client, "web:app").unwrap();
        assert_eq!(id.as_str(), "agent:laptop-1:web:app");
        assert_eq!(id.client(), Some("laptop-1"));
        assert_eq!(ProjectId::parse("~p1").unwrap().client(), None);
    }

    #[test]
    fn a_job_id_names_its_runner() {
        let client = ClientId::parse("laptop-1").unwrap();
        let job = JobId::new(&client.routing_tag(), "k3j2").unwrap();
        assert_eq!(job.routing_tag(), Some(client.routing_tag().as_str()));
    }
}
