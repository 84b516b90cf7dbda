//! The second origin: one static page on a loopback port, in which the pages of MCP Apps are framed.
//!
//! A page of its own origin cannot touch the window, whatever it does. What is served holds nothing of anybody, and its
//! address cannot be guessed.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;

use axum::Router;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::response::IntoResponse;
use axum::routing::get;
use tauri::Url;
use tokio::net::TcpListener;
use tokio::sync::OnceCell;

/// The page; what it does is told in `ui/host`.
const PAGE: &str = include_str!("../../ui/host/sandbox.html");
/// The headers it is served with.
const HEADERS: &str = include_str!("../../ui/host/sandbox-headers.json");
/// The window's own origins: on macOS and Linux, and on Windows.
const WINDOW: &str = "tauri://localhost http://tauri.localhost";

/// The page's address, once it is wanted.
#[derive(Default)]
pub(crate) struct Sandbox(OnceCell<String>);

impl Sandbox {
    /// Where the page is. The first call opens the port; nobody needs it before.
    ///
    /// # Errors
    /// There is no port to be had.
    pub(crate) async fn address(&self) -> std::io::Result<&str> {
        self.0.get_or_try_init(open).await.map(String::as_str)
    }

    /// Whether `url` is the page, or what it puts into its own inner frame.
    pub(crate) fn shows(&self, url: &Url) -> bool {
        let page = |address: &String| url.as_str().split('#').next() == Some(address.as_str());
        url.as_str() == "about:srcdoc" || self.0.get().is_some_and(page)
    }
}

async fn open() -> std::io::Result<String> {
    let headers = headers()?;
    let path = format!("/{}.html", secret_name());
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let address = format!("http://{}{path}", listener.local_addr()?);
    let serve = move || {
        let headers = headers.clone();
        async move { (headers, PAGE).into_response() }
    };
    let router = Router::new().route(&path, get(serve));
    tauri::async_runtime::spawn(async move {
        if let Err(error) = axum::serve(listener, router).await {
            tracing::error!(%error, "the frame of pages is not served any more");
        }
    });
    Ok(address)
}

fn headers() -> std::io::Result<HeaderMap> {
    let stated: BTreeMap<String, String> = serde_json::from_str(HEADERS)?;
    let pair = |(name, value): (String, String)| {
        let value = value.replace("{hosts}", WINDOW);
        Some((HeaderName::try_from(name).ok()?, HeaderValue::try_from(value).ok()?))
    };
    Ok(stated.into_iter().filter_map(pair).collect())
}

/// A name that no other program of this computer knows.
fn secret_name() -> String {
    webcodex_settings::Secret::random("").expose().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_goes_to_the_page_and_to_nothing_else_on_this_computer() {
        let sandbox = Sandbox(OnceCell::new_with(Some("http://127.0.0.1:7/secret.html".to_owned())));
        let shows = |url: &str| sandbox.shows(&Url::parse(url).unwrap());
        assert!(shows("http://127.0.0.1:7/secret.html#tauri%3A%2F%2Flocalhost") && shows("about:srcdoc"));
        for other in
            ["http://127.0.0.1:7/", "http://127.0.0.1:8/secret.html", "https://example.com/", "about:blank"]
        {
            assert!(!shows(other), "{other}");
        }
        assert!(!Sandbox::default().shows(&Url::parse("http://127.0.0.1:7/secret.html").unwrap()));
    }

    #[test]
    fn only_the_window_may_frame_the_page_and_the_page_may_reach_nothing() {
        let headers = headers().unwrap();
        let policy = headers["content-security-policy"].to_str().unwrap();
        assert!(policy.ends_with("frame-ancestors tauri://localhost http://tauri.localhost"), "{policy}");
        for rule in ["default-src 'none'", "connect-src 'none'", "form-action 'none'"] {
            assert!(policy.contains(rule), "{rule}");
        }
        assert_eq!(headers["x-content-type-options"], "nosniff");
    }
}
