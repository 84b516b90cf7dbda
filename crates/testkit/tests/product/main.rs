//! The product end to end: real processes, real sockets, real files.

mod bad_input;
mod connect;
mod crash;
mod guard;
mod kinds_of_files;
mod links;
mod processes;
mod secrets;
mod tunnel;
mod two_servers;
