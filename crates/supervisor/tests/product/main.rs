//! The supervisor with the real `webcodex` executable and real processes.

#![allow(clippy::unwrap_used)]

mod connections;
#[cfg(target_os = "linux")]
mod full_disk;
mod host;
#[cfg(unix)]
mod kill;
#[cfg(target_os = "linux")]
mod namespace;
#[cfg(target_os = "linux")]
mod no_network;
#[cfg(unix)]
mod proxied;
#[cfg(unix)]
mod restart;
mod secrets;
mod start;
mod support;
#[cfg(unix)]
mod suspended;
mod trouble;
mod tunnel_trouble;
