//! The supervisor with the real `webcodex` executable and real processes.

mod start;
mod support;
