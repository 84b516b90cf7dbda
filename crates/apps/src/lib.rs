//! The pages that hosts of MCP Apps show for some of our tools, and the one registry of their identity.
//!
//! Each page is one self-contained HTML document that is built from `ui/apps` and committed. ChatGPT and the desktop
//! window get the same bytes from here.
//!
//! **Invariant.** A page declares no domain: a host that keeps to the declaration gives it no network at all. A
//! change of what a page and its tools say to each other raises the version in its URI, because hosts keep pages by it.
//!
//! ```
//! use webcodex_apps::{Found, find, tool_meta};
//! use webcodex_contracts::ToolName;
//!
//! let Found::Page(page) = find("ui://webcodex/work-result/v1") else { panic!("not there") };
//! assert!(page.html.starts_with("<!doctype html>"));
//! assert_eq!(tool_meta(ToolName::PresentWorkResult).unwrap()["ui"]["resourceUri"], page.uri());
//! assert!(tool_meta(ToolName::ReadFiles).is_none());
//! ```

mod meta;
mod page;
mod pages;

pub use meta::{EXTENSION, extension, tool_meta};
pub use page::{Found, MIME_TYPE, Page, find};
pub use pages::ALL;
