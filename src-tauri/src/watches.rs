//! Streams that the page listens to. Each ends when the page says so, and all of them with the page.

use std::collections::HashMap;
use std::future::Future;

use parking_lot::Mutex;
use tauri::async_runtime::{JoinHandle, spawn};

/// The open ones, by the number that the page gave them.
#[derive(Default)]
pub(crate) struct Watches(Mutex<HashMap<u32, JoinHandle<()>>>);

impl Watches {
    /// Runs a stream; one that a page before had under the same number ends.
    pub(crate) fn open(&self, watch: u32, stream: impl Future<Output = ()> + Send + 'static) {
        if let Some(before) = self.0.lock().insert(watch, spawn(stream)) {
            before.abort();
        }
    }

    /// Ends a stream.
    pub(crate) fn close(&self, watch: u32) {
        if let Some(stream) = self.0.lock().remove(&watch) {
            stream.abort();
        }
    }

    /// Ends all of them: their page is gone.
    pub(crate) fn close_all(&self) {
        self.0.lock().drain().for_each(|(_, stream)| stream.abort());
    }
}
