//! The tray application: a thin shell over the supervisor.
//!
//! It shows what the supervisor says and passes on what a person asks for. Nothing about projects, calls or processes
//! is decided here.

#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

mod app;
mod commands;
mod follow;
#[cfg(target_os = "linux")]
mod graphics;
mod links;
mod logging;
mod login;
mod memory;
mod notices;
mod opening;
mod places;
#[cfg(test)]
mod samples;
mod sandbox;
mod shell;
mod tray;
mod update;
mod watches;
mod window;
mod words;

use std::process::ExitCode;

fn main() -> ExitCode {
    #[cfg(target_os = "linux")]
    graphics::choose();
    let hidden = std::env::args().skip(1).any(|argument| argument == login::HIDDEN);
    app::run(hidden)
}
