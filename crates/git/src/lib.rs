//! Status, differences and history of a project, with or without git, without the git program.
