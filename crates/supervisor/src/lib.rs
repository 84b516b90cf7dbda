//! Starts, watches, restarts and ends Server and Runner.
