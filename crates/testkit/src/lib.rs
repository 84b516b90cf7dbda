//! Real servers, real clients and temporary projects for tests and measurements.
//!
//! Nothing here stands in for a part of the product: a [`TestServer`] is the `webcodex` executable as users start it,
//! a [`ToolClient`] speaks HTTP to it, a [`TempProject`] is a folder on disk made with the `git` program.
//!
//! **Invariant.** Whatever a value of this crate started or created is gone when the value is dropped, but for what
//! [`left`] keeps where it is asked to.
//!
//! ```no_run
//! # async fn example() -> anyhow::Result<()> {
//! use serde_json::json;
//! use webcodex_testkit::{TempProject, TestServer};
//!
//! let project = TempProject::git()?;
//! project.write("a.txt", "hello\n")?;
//! let server = TestServer::share(project.path()).await?;
//! let answer = server.client().await?.call("read_files", json!({"project": server.project, "items": [{"path": "a.txt"}]})).await?;
//! assert_eq!(answer["output"]["items"][0]["text"], "hello\n");
//! # Ok(()) }
//! ```

mod client;
pub mod control_plane;
mod document;
mod executable;
mod http;
pub mod left;
mod processes;
mod project;
pub mod properties;
pub mod raw;
mod secrets;
mod server;
mod split;
mod zoo;

pub use client::ToolClient;
pub use document::check_document;
pub use executable::webcodex;
pub use http::{Answer, Connection};
pub use processes::{Launched, await_condition, is_running};
pub use project::TempProject;
pub use secrets::{Finding, SecretScan};
pub use server::TestServer;
pub use split::SplitServer;
pub use zoo::{ZooFile, zoo};
