//! Pages under `docs/` that are written from the code.

use std::path::Path;

/// Asserts that `docs/<name>` holds `text`; with `UPDATE_DOCS=1` in the environment, writes it instead.
///
/// # Panics
/// The page differs, or cannot be written.
pub fn check_document(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, text).unwrap_or_else(|error| panic!("docs/{name} cannot be written: {error}"));
        return;
    }
    let present = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(
        present == text,
        "docs/{name} is not what the code says; run the tests with UPDATE_DOCS=1 and commit it"
    );
}
