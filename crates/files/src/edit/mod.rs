//! Changing files: what a request means, a snapshot of what it touches, and a pure plan of what will be.

mod error;
mod matching;
mod nearest;
mod plan;
mod put;
mod request;
mod shown;
mod snapshot;
mod splice;
mod text;

use webcodex_contracts::tools::edit_project_files::Change;
use webcodex_projects::WriteAccess;

use crate::Files;

pub use error::{Current, CurrentFile, EditError, EditProblem};
pub use nearest::NearMiss;
pub use plan::Plan;
pub(crate) use plan::{Effect, Report};
pub use put::{PlannedContent, Put};
pub use shown::{PlanFingerprint, visible};
pub(crate) use snapshot::Before;

impl Files {
    /// Reads what the changes touch, checks every guard and plans the whole request. Writes nothing.
    pub fn plan_edits(&self, access: &WriteAccess, changes: &[Change]) -> Result<Plan, EditError> {
        plan::plan(snapshot::take(self, access, changes)?)
    }
}

#[cfg(test)]
mod tests;
