//! Every page there is.

use webcodex_contracts::ToolName;

use crate::page::Page;

/// The pages, in the order in which they are listed.
pub static ALL: &[Page] = &[Page {
    name: "work-result",
    version: 1,
    title: "Work Result",
    about: "What was done in a project: changed files with their diffs, commands, and sealed Final Changes. The user \
            can accept or undo each change.",
    html: include_str!("../../../ui/dist/apps/work-result.html"),
    card: ToolName::PresentWorkResult,
    panel: Some(ToolName::WorkResultThreadPanel),
    calls: &[
        ToolName::WorkResultState,
        ToolName::ChangesFileDiff,
        ToolName::ChangesFileText,
        ToolName::ReviewDecision,
    ],
}];
