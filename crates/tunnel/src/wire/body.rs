//! Bodies that are not what was asked for.

/// The control plane's answer cannot be read as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BodyError {
    /// Some web page.
    #[error("the answer is a web page")]
    WebPage,
    /// Anything else.
    #[error("the answer is not what was asked for")]
    Unexpected,
}

impl BodyError {
    /// What `body` is, which is not what was asked for.
    pub(super) fn of(body: &[u8]) -> Self {
        let page = body.trim_ascii_start().first() == Some(&b'<');
        if page { Self::WebPage } else { Self::Unexpected }
    }
}
