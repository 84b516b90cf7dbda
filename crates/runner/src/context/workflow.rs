//! How to use the tools well, for each way in which a host drives them.

use webcodex_contracts::policy::HostProfile;

/// The workflow text, written for models.
pub(super) fn text(profile: HostProfile) -> &'static str {
    match profile {
        HostProfile::Direct => include_str!("workflow_direct.md"),
        HostProfile::HostCodeMode => include_str!("workflow_host_code_mode.md"),
    }
}
