//! The supervisor with the real `webcodex` executable and real processes.

<<<<<<< HEAD
mod host;
#[cfg(unix)]
mod kill;
=======
mod connections;
>>>>>>> 2a83fa9 (supervisor: test that connections outlive Server and app)
mod start;
mod support;
mod trouble;
