//! What serves here, and how it stands.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::policy::{HostProfile, WaitingPolicy};
use crate::{Effect, Exposure, Scope, Side, Tool, ToolName};

/// See the text in `get_runtime_status.md`.
pub struct GetRuntimeStatus;

impl Tool for GetRuntimeStatus {
    const NAME: ToolName = ToolName::GetRuntimeStatus;
    const TITLE: &'static str = "Runtime status";
    const ABOUT: &'static str = include_str!("get_runtime_status.md");
    const EFFECT: Effect = Effect::Read;
    const SCOPE: Option<Scope> = Some(Scope::RuntimeRead);
    const SIDE: Side = Side::Server;
    const EXPOSURE: Exposure = Exposure::Direct;
    type Params = GetRuntimeStatusParams;
    type Output = GetRuntimeStatusOutput;
}

/// Arguments of `get_runtime_status`: none.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetRuntimeStatusParams {}

/// Output of `get_runtime_status`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct GetRuntimeStatusOutput {
    /// Version of the Server.
    pub version: String,
    /// Whether the Server has its store and at least one Runner answers.
    pub ready: bool,
    /// The Runners that are or were linked.
    pub runners: Vec<RunnerStatus>,
    /// Scopes of the caller's credential.
    pub scopes: Vec<Scope>,
    /// The deployment's default, not the policy of this request.
    pub mcp_host: McpHostStatus,
    /// Whether file addresses that the host puts into your calls would be believed; no tool takes them yet.
    #[serde(default)]
    pub host_files: HostFilesStatus,
    /// Connections through the OpenAI tunnel.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub connections: Vec<ConnectionStatus>,
}

/// Whether file addresses that a host puts into the caller's calls are believed.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct HostFilesStatus {
    /// Whether they are.
    pub trusted: bool,
    /// Why not: `switched_off`, `not_loopback`, `from_outside` or `credential`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// One connection through the OpenAI tunnel.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct ConnectionStatus {
    /// What the user calls it.
    pub name: String,
    /// `off`, `starting`, `checking`, `online`, `degraded`, `waiting`, `needs_you` or `stopping`.
    pub state: String,
    /// Why it is not simply online.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The way to ChatGPT in the order of travel; what works comes before what does not.
    pub hops: Vec<ConnectionHop>,
    /// When OpenAI last answered, in milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_success_at_ms: Option<u64>,
    /// When a call of ChatGPT last ended, in milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_call_at_ms: Option<u64>,
}

/// One part of the way.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct ConnectionHop {
    /// Which part.
    pub hop: String,
    /// `unknown`, `works`, `attention` or `broken`.
    pub state: String,
    /// What is wrong or to be known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// One Runner.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct RunnerStatus {
    /// The Runner's id.
    pub client_id: String,
    /// Whether it is linked and answered lately.
    pub online: bool,
    /// Its version.
    pub version: String,
    /// Calls in flight.
    pub calls_in_flight: u64,
    /// When it was last heard of, in milliseconds since 1970.
    pub last_heard_at_ms: u64,
}

/// The waiting policy that requests get which state none.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct McpHostStatus {
    /// The default profile.
    pub profile: HostProfile,
    /// The deployment's budget in seconds.
    pub budget_secs: u64,
    /// Seconds until a running command is handed over.
    pub handoff_secs: u64,
    /// Longest synchronous wait in seconds.
    pub max_wait_secs: u64,
}

impl From<WaitingPolicy> for McpHostStatus {
    fn from(policy: WaitingPolicy) -> Self {
        let WaitingPolicy { profile, budget_secs, handoff_secs, max_wait_secs, .. } = policy;
        Self { profile, budget_secs, handoff_secs, max_wait_secs }
    }
}
