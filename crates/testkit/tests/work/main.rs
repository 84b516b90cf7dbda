//! The Work Result end to end: real processes, real repositories, the calls that its page makes.

mod flow;
mod support;
mod undo;
mod window;
