//! The text of one listed file as the snapshot holds it, 32 KiB a load.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::changes_file_diff::ChangesFileParams;
use super::review::Loaded;
use crate::{Effect, Exposure, Scope, Side, SnapshotId, Tool, ToolName};

/// See the text in `changes_file_text.md`.
pub struct ChangesFileText;

impl Tool for ChangesFileText {
    const NAME: ToolName = ToolName::ChangesFileText;
    const TITLE: &'static str = "Text of a changed file";
    const ABOUT: &'static str = include_str!("changes_file_text.md");
    const EFFECT: Effect = Effect::Read;
    const SCOPE: Option<Scope> = Some(Scope::ProjectRead);
    const SIDE: Side = Side::Runner;
    const EXPOSURE: Exposure = Exposure::App;
    type Params = ChangesFileParams;
    type Output = ChangesFileTextOutput;
}

/// Output of `changes_file_text`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChangesFileTextOutput {
    /// The snapshot.
    pub snapshot_id: SnapshotId,
    /// The file.
    pub path: String,
    /// The text of this load; cut between characters.
    pub text: String,
    /// How much is loaded; bytes of the file.
    #[serde(flatten)]
    pub loaded: Loaded,
}
