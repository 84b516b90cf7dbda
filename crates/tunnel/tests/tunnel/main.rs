//! The client against a strict and faulty control plane, mostly in memory and in virtual time.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod commands;
mod deliveries;
mod end_to_end;
mod life;
mod polls;
mod routes;
mod set;
mod soak;
mod stage;
mod target;
