//! The canonical result, the same from MCP `structuredContent` and from `/api/tools/call` (`contract.md` 2).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{ToolError, ToolName};

/// What a tool's effect returns.
pub type ToolResult<T> = Result<T, Box<ToolFailure>>;

/// A failure with what the caller needs to decide the next step.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolFailure {
    /// What went wrong.
    pub error: ToolError,
    /// Facts that help: the present state, partial results, captured output.
    pub output: Map<String, Value>,
    /// A call that would help.
    pub recovery: Option<Recovery>,
}

impl ToolFailure {
    /// A failure that carries more than its error.
    pub fn new(error: ToolError) -> Self {
        Self { error, output: Map::new(), recovery: None }
    }

    /// Adds facts; values that are not objects are ignored.
    #[must_use]
    pub fn with_output(mut self, output: impl Serialize) -> Self {
        if let Ok(Value::Object(output)) = serde_json::to_value(output) {
            self.output = output;
        }
        self
    }

    /// Suggests a call that needs a new decision.
    #[must_use]
    pub fn with_recovery(mut self, tool: ToolName, arguments: impl Serialize) -> Self {
        self.recovery = Recovery::new(Posture::FallbackRecovery, tool, arguments);
        self
    }
}

impl From<ToolError> for Box<ToolFailure> {
    fn from(error: ToolError) -> Self {
        Box::new(ToolFailure::new(error))
    }
}

/// Whether a suggested call is the one to make or one that may help.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Posture {
    /// Exactly this call continues the work; no new decision is needed.
    MechanicallyFollowable,
    /// This call helps to decide.
    FallbackRecovery,
}

/// A suggested next call. It grants nothing and is never made by itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Recovery {
    /// How firmly the call is meant.
    pub posture: Posture,
    /// The tool to call.
    pub tool: ToolName,
    /// Arguments that fit the tool's published schema as they are.
    pub arguments: Map<String, Value>,
}

impl Recovery {
    /// A suggestion; `None` if `arguments` is not an object.
    pub fn new(posture: Posture, tool: ToolName, arguments: impl Serialize) -> Option<Self> {
        match serde_json::to_value(arguments) {
            Ok(Value::Object(arguments)) => Some(Self { posture, tool, arguments }),
            _ => None,
        }
    }
}

/// The call that returns what comes next, with its arguments as they are.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Continuation {
    /// The tool to call.
    pub tool: ToolName,
    /// Arguments that fit the tool's published schema as they are.
    pub arguments: Map<String, Value>,
}

impl Continuation {
    /// A continuation; `None` if `arguments` is not an object.
    pub fn new(tool: ToolName, arguments: impl Serialize) -> Option<Self> {
        match serde_json::to_value(arguments) {
            Ok(Value::Object(arguments)) => Some(Self { tool, arguments }),
            _ => None,
        }
    }
}

/// The result of a call as every client gets it. `success` alone says whether the business succeeded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CanonicalResult {
    /// Whether the tool did what was asked.
    pub success: bool,
    /// What went wrong; only on failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ToolError>,
    /// The tool's data.
    #[serde(default)]
    pub output: Map<String, Value>,
    /// A call that would help; only on failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recovery: Option<Recovery>,
}

impl CanonicalResult {
    /// A success with a tool's output.
    pub fn success(output: impl Serialize) -> Self {
        let output = match serde_json::to_value(output) {
            Ok(Value::Object(output)) => output,
            Ok(other) => Map::from_iter([("value".to_owned(), other)]),
            Err(error) => return Self::from(internal(&error)),
        };
        Self { success: true, error: None, output, recovery: None }
    }

    /// The result as JSON. The tool's data is moved, not copied.
    ///
    /// # Errors
    /// If the error or the recovery cannot be written, which those of ours always can.
    pub fn into_json(self) -> serde_json::Result<Value> {
        let Self { success, error, output, recovery } = self;
        let mut json = Map::new();
        json.insert("success".to_owned(), success.into());
        if let Some(error) = error {
            json.insert("error".to_owned(), serde_json::to_value(error)?);
        }
        json.insert("output".to_owned(), output.into());
        if let Some(recovery) = recovery {
            json.insert("recovery".to_owned(), serde_json::to_value(recovery)?);
        }
        Ok(json.into())
    }
}

fn internal(error: &serde_json::Error) -> ToolError {
    ToolError::new(crate::ErrorCode::Internal, format!("the result could not be written as JSON: {error}"))
}

impl From<ToolError> for CanonicalResult {
    fn from(error: ToolError) -> Self {
        Self { success: false, error: Some(error), output: Map::new(), recovery: None }
    }
}

impl From<ToolFailure> for CanonicalResult {
    fn from(failure: ToolFailure) -> Self {
        let ToolFailure { error, output, recovery } = failure;
        Self { success: false, error: Some(error), output, recovery }
    }
}

impl<T: Serialize> From<ToolResult<T>> for CanonicalResult {
    fn from(result: ToolResult<T>) -> Self {
        match result {
            Ok(output) => Self::success(output),
            Err(failure) => Self::from(*failure),
        }
    }
}
