//! The desktop app's side of a real Server with a real Runner, over HTTP.

#![allow(clippy::unwrap_used)]

mod approvals;
mod calls;
mod folders;
mod house;
#[cfg(unix)]
mod jobs;
mod reviews;
mod settings;
mod stream;
