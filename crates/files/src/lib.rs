//! Reading, searching and changing files: text encodings, pure edit plans and all-or-nothing commits.

pub mod text;
