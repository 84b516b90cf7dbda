//! Which folders are projects, path confinement and access tokens.
