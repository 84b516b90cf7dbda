//! The Server's whole state at one moment, and the stream of its changes.

use serde::{Deserialize, Serialize};

use super::{Address, Approval, Call, Client, Job, Project, Session, TunnelConnection};

/// Everything the Server knows that the app shows.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ServerState {
    /// The Server's version.
    pub version: String,
    /// Where clients reach it.
    pub address: Address,
    /// The Runner.
    pub runner: RunnerState,
    /// The registered folders, by name.
    pub projects: Vec<Project>,
    /// Newest first, at most [`ServerState::CALLS_HELD`].
    pub calls: Vec<Call>,
    /// Calls since midnight, local time.
    pub calls_today: u64,
    /// Whether the record holds calls before the last of `calls`.
    pub earlier_calls: bool,
    /// Newest first.
    pub sessions: Vec<Session>,
    /// Newest first.
    pub jobs: Vec<Job>,
    /// Oldest first.
    pub approvals: Vec<Approval>,
    /// Programs that have called.
    pub clients: Vec<Client>,
    /// Connections to OpenAI, in a fixed order.
    #[serde(default)]
    pub connections: Vec<TunnelConnection>,
}

impl ServerState {
    /// How many calls one state carries.
    pub const CALLS_HELD: usize = 5000;
}

/// The Runner as the Server sees it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunnerState {
    /// Whether it is linked now.
    pub linked: bool,
    /// Its version, while it is linked.
    pub version: Option<String>,
    /// Whether it has said which folders and jobs there are; before, the lists are empty because nobody knows.
    #[serde(default)]
    pub listed: bool,
}

/// One line of `GET /control/events`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ServerMessage {
    /// The whole state: the first message, and the first after a listener could not follow.
    State {
        /// The state.
        state: Box<ServerState>,
    },
    /// Everything named has this value now.
    Changed {
        /// The new values.
        changed: Box<StateChange>,
    },
    /// New calls, and calls that stand differently now. Newest first.
    Calls {
        /// The calls.
        calls: Vec<Call>,
    },
    /// Nothing changed, and the Server lives.
    Alive,
}

macro_rules! state_change {
    ($($field:ident: $type:ty),+ $(,)?) => {
        /// The members of a [`ServerState`] that have a new value. Calls come separately.
        #[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
        #[serde(rename_all = "camelCase", default)]
        pub struct StateChange {
            $(
                #[doc = concat!("See [`ServerState::", stringify!($field), "`].")]
                #[serde(skip_serializing_if = "Option::is_none")]
                pub $field: Option<$type>,
            )+
        }

        impl StateChange {
            /// What has to change in `old` to make it `new`, calls aside; nothing where they are equal.
            pub fn between(old: &ServerState, new: &ServerState) -> Option<Self> {
                let change = Self {
                    $($field: (old.$field != new.$field).then(|| new.$field.clone()),)+
                };
                (change != Self::default()).then_some(change)
            }
        }

        impl ServerState {
            /// Takes over the new values.
            pub fn apply(&mut self, change: StateChange) {
                $(if let Some(value) = change.$field { self.$field = value; })+
            }
        }
    };
}

state_change! {
    version: String,
    address: Address,
    runner: RunnerState,
    projects: Vec<Project>,
    calls_today: u64,
    earlier_calls: bool,
    sessions: Vec<Session>,
    jobs: Vec<Job>,
    approvals: Vec<Approval>,
    clients: Vec<Client>,
    connections: Vec<TunnelConnection>,
}

impl ServerState {
    /// Takes over new calls and new outcomes, keeping the order and the limit.
    pub fn merge_calls(&mut self, calls: Vec<Call>) {
        for call in calls.into_iter().rev() {
            match self.calls.iter_mut().find(|known| known.id == call.id) {
                Some(known) => *known = call,
                None => self.calls.insert(0, call),
            }
        }
        if self.calls.len() > Self::CALLS_HELD {
            self.calls.truncate(Self::CALLS_HELD);
            self.earlier_calls = true;
        }
    }
}
