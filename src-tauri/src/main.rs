//! The tray application: a thin shell over the supervisor.

fn main() {}
