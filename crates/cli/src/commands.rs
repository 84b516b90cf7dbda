//! One file per subcommand.

pub(crate) mod build_info;
pub(crate) mod connect;
pub(crate) mod doctor;
pub(crate) mod project;
pub(crate) mod run;
pub(crate) mod runner;
pub(crate) mod server;
pub(crate) mod share;
pub(crate) mod status;
