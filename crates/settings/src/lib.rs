//! Folders, environment variables and files become settings and secrets.
