//! A page: its identity and its bytes.

use webcodex_contracts::ToolName;

use crate::pages::ALL;

/// The media type of every page.
pub const MIME_TYPE: &str = "text/html;profile=mcp-app";
/// What the URIs of all pages begin with.
const SCHEME: &str = "ui://webcodex/";

/// A page that a host can show.
#[derive(Debug)]
pub struct Page {
    /// The part of the URI that stays.
    pub name: &'static str,
    /// The part of the URI that a change of contract raises.
    pub version: u32,
    /// The title people see.
    pub title: &'static str,
    /// What the page shows, for hosts and models.
    pub about: &'static str,
    /// The whole document.
    pub html: &'static str,
    /// The tool that shows the page in a conversation.
    pub card: ToolName,
    /// The tool that opens the page beside a conversation; it takes no arguments.
    pub panel: Option<ToolName>,
    /// The tools that the page may call: App-only, so that no model is offered them.
    pub calls: &'static [ToolName],
}

impl Page {
    /// The page's address. Hosts keep what they have read by it.
    pub fn uri(&self) -> String {
        format!("{SCHEME}{}/v{}", self.name, self.version)
    }
}

/// What there is at a URI.
#[derive(Debug)]
pub enum Found {
    /// The page.
    Page(&'static Page),
    /// An earlier or later version of a page; what it is called today.
    OtherVersion(&'static Page),
    /// Nothing.
    Nothing,
}

/// Looks for the page at `uri`. Other versions of a page are named and never served: their page would call tools in
/// a way that has changed.
pub fn find(uri: &str) -> Found {
    if let Some(page) = ALL.iter().find(|page| page.uri() == uri) {
        return Found::Page(page);
    }
    let name = uri.strip_prefix(SCHEME).and_then(|rest| rest.split('/').next());
    match ALL.iter().find(|page| Some(page.name) == name) {
        Some(page) => Found::OtherVersion(page),
        None => Found::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use webcodex_contracts::table;

    use super::*;

    #[test]
    fn only_the_present_version_is_served() {
        assert!(
            matches!(find("ui://webcodex/work-result/v1"), Found::Page(page) if page.name == "work-result")
        );
        for uri in
            ["ui://webcodex/work-result/v0", "ui://webcodex/work-result/v2", "ui://webcodex/work-result"]
        {
            assert!(matches!(find(uri), Found::OtherVersion(page) if page.version == 1), "{uri}");
        }
        for uri in ["ui://webcodex/other/v1", "ui://other/work-result/v1", "file:///etc/passwd", ""] {
            assert!(matches!(find(uri), Found::Nothing), "{uri}");
        }
    }

    #[test]
    fn pages_are_whole_small_and_load_nothing() {
        for page in ALL {
            let html = page.html;
            assert!(
                html.starts_with("<!doctype html>") && html.trim_end().ends_with("</html>"),
                "{}",
                page.name
            );
            assert!(html.len() < 120_000, "{} has {} bytes", page.name, html.len());
            for outside in [
                "<link",
                "src=\"http",
                "href=\"http",
                "@import url",
                "@import \"",
                "@import '",
                "<iframe",
                "<base",
            ] {
                assert!(!html.contains(outside), "{}: {outside}", page.name);
            }
        }
    }

    #[test]
    fn pages_call_only_tools_that_models_are_not_offered() {
        let app_only: Vec<_> =
            table::all().iter().filter(|tool| tool.is_app_only()).map(|tool| tool.name).collect();
        for page in ALL {
            assert!(page.calls.iter().all(|tool| app_only.contains(tool)), "{}", page.name);
            assert!(
                !app_only.contains(&page.card) && page.panel.is_none_or(|tool| !app_only.contains(&tool))
            );
        }
        for tool in app_only {
            assert!(ALL.iter().any(|page| page.calls.contains(&tool)), "nobody calls {tool}");
        }
    }
}
