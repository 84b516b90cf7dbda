//! The Server's SQLite database: credentials, sessions, windows and calls.
