//! Pages of the window that something outside of it asks for.

use std::sync::Arc;

use parking_lot::Mutex;
use serde::Serialize;
use tokio::sync::Notify;

/// A page; see `PlaceName` in `ui/desktop/bridge/bridge.ts`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PlaceName {
    Home,
    Projects,
    Activity,
    Approvals,
    Connections,
    Settings,
}

/// The page that was asked for last, until the window has heard of it. The window may not be there yet.
#[derive(Clone, Default)]
pub(crate) struct Places(Arc<Inner>);

#[derive(Default)]
struct Inner {
    wanted: Mutex<Option<PlaceName>>,
    news: Notify,
}

impl Places {
    /// Asks for a page.
    pub(crate) fn go(&self, place: PlaceName) {
        *self.0.wanted.lock() = Some(place);
        self.0.news.notify_one();
    }

    /// Waits until one is asked for, and takes it.
    pub(crate) async fn next(&self) -> PlaceName {
        loop {
            if let Some(place) = self.take() {
                return place;
            }
            self.0.news.notified().await;
        }
    }

    fn take(&self) -> Option<PlaceName> {
        self.0.wanted.lock().take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_page_asked_for_before_anybody_listens_is_heard_of_once() {
        let places = Places::default();
        places.go(PlaceName::Projects);
        places.go(PlaceName::Settings);
        assert_eq!(places.next().await, PlaceName::Settings);
        let waiting = tokio::spawn({
            let places = places.clone();
            async move { places.next().await }
        });
        places.go(PlaceName::Home);
        assert_eq!(waiting.await.unwrap(), PlaceName::Home);
        assert_eq!(places.take(), None);
    }
}
