//! The real Server on a real port, with Runners that answer as a test says.

#![allow(clippy::unwrap_used)]

mod apps;
mod calls;
mod connections;
mod http;
mod mcp;
mod projects;
mod support;
mod window_apps;
