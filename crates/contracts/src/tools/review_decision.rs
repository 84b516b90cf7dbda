//! What the person decides about a changed file or a single hunk.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::review::Rejection;
use crate::{Effect, Exposure, ProjectId, Scope, SessionId, Side, SnapshotId, Tool, ToolName};

/// See the text in `review_decision.md`.
pub struct ReviewDecision;

impl Tool for ReviewDecision {
    const NAME: ToolName = ToolName::ReviewDecision;
    const TITLE: &'static str = "Decide on a change";
    const ABOUT: &'static str = include_str!("review_decision.md");
    const EFFECT: Effect = Effect::Destructive;
    const SCOPE: Option<Scope> = Some(Scope::ProjectWrite);
    const SIDE: Side = Side::Both;
    const EXPOSURE: Exposure = Exposure::App;
    type Params = ReviewDecisionParams;
    type Output = ReviewDecisionOutput;
}

/// Arguments of `review_decision`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewDecisionParams {
    /// The project.
    pub project: ProjectId,
    /// The session whose work is reviewed.
    pub session_id: SessionId,
    /// What to do.
    pub action: ReviewAction,
    /// The snapshot that the person looks at. Not for a rejection that is taken back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snapshot_id: Option<SnapshotId>,
    /// The file's `path` in that snapshot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// One hunk of the file; without it the whole file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hunk_id: Option<String>,
    /// take_back: the rejection.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rejection_id: Option<String>,
    /// reject: what the person says about it; the model is told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// What is done with a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReviewAction {
    /// Marks it as accepted; changes no file.
    Accept,
    /// Undoes exactly this change, if the file still is what the snapshot shows.
    Reject,
    /// Takes an acceptance or a rejection back; the latter puts the change in place again.
    TakeBack,
}

/// Output of `review_decision`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReviewDecisionOutput {
    /// The file.
    pub path: String,
    /// Whether the file on disk was changed; look at the state again then.
    pub changed: bool,
    /// The rejection, for taking it back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rejection: Option<Rejection>,
}
