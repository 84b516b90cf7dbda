//! `webcodex --build-info-json`

use serde_json::json;

use crate::failure::Failure;

/// Prints what this program was built from.
#[expect(clippy::print_stdout, reason = "the data that was asked for")]
pub(crate) fn run() -> Result<(), Failure> {
    let info = json!({
        "name": "webcodex",
        "version": env!("CARGO_PKG_VERSION"),
        "target": env!("WEBCODEX_BUILD_TARGET"),
        "profile": env!("WEBCODEX_BUILD_PROFILE"),
        "link_generation": webcodex_link::PROTOCOL_GENERATION,
    });
    println!("{info}");
    Ok(())
}
