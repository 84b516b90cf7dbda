//! Bytes that a command wrote, as text that a person or a model can read.

mod clean;
mod decode;
mod render;

pub(crate) use clean::clean;
pub(crate) use decode::{Locale, decode};
pub(crate) use render::{Available, marker, render, unfinished};
