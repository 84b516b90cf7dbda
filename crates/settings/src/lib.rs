//! Folders, environment variables and files become settings and secrets.
//!
//! **Invariant.** This crate alone asks the operating system for folders and environment variables. A secret is never
//! printed, and a file that holds one is readable by its owner only.

mod change;
pub mod desktop;
pub mod environment;
mod file;
mod folders;
mod private_file;
mod region;
mod secret;
pub mod session;
mod settings;

pub use change::change_settings;
pub use environment::{Environment, VARIABLES, Variable};
pub use file::{McpSection, SettingsFile};
pub use folders::{Folders, config_folder};
pub use private_file::{read_private, write_private};
pub use region::region;
pub use secret::Secret;
pub use settings::{Settings, SettingsError, TunnelSettings};
