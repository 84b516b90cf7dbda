//! Installs what a fresh machine lacks. Every part is quick when nothing is missing.

pub(crate) mod desktop;
pub(crate) mod node;
pub(crate) mod python;
pub(crate) mod system;
