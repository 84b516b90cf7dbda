//! Does the calls: one effect file per tool.
