//! Whether ChatGPT works with an old list of tools: it fetches the list once and keeps its copy until somebody presses
//! Refresh, so what another version of the Server handed out counts as well.

use std::collections::BTreeMap;

use parking_lot::Mutex;
use webcodex_store::{Store, ToolList};
use webcodex_tunnel::status::{Moment, Status};

/// The list that was last fetched through a tunnel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fetched {
    /// When.
    pub(super) at_ms: u64,
    /// Whether it is another one than ours.
    pub(super) old: bool,
}

/// The last list of each tunnel, in memory and in the database.
pub(super) struct ToolLists {
    store: Store,
    /// The fingerprint of our list.
    ours: String,
    lists: Mutex<BTreeMap<String, ToolList>>,
}

impl ToolLists {
    /// Nothing is known yet, see [`ToolLists::load`].
    pub(super) fn new(store: Store, ours: String) -> Self {
        Self { store, ours, lists: Mutex::default() }
    }

    /// Learns what earlier starts have noted.
    pub(super) async fn load(&self) {
        match self.store.tool_lists().await {
            Ok(noted) => {
                let mut lists = self.lists.lock();
                for list in noted {
                    // What was fetched meanwhile is newer.
                    lists.entry(list.tunnel.clone()).or_insert(list);
                }
            }
            Err(error) => tracing::warn!(%error, "which lists of tools were handed out is not known"),
        }
    }

    /// What went through `tunnel` last.
    pub(super) fn of(&self, tunnel: &str) -> Option<Fetched> {
        let lists = self.lists.lock();
        let list = lists.get(tunnel)?;
        Some(Fetched { at_ms: list.at_ms, old: list.tools != self.ours })
    }

    /// Our list has just gone through `tunnel`.
    pub(super) async fn fetched(&self, tunnel: &str, at: Moment) {
        let list = ToolList { tunnel: tunnel.to_owned(), at_ms: at.0, tools: self.ours.clone() };
        self.lists.lock().insert(tunnel.to_owned(), list.clone());
        if let Err(error) = self.store.note_tool_list(list).await {
            tracing::warn!(%error, "a list of tools that was handed out was not noted");
        }
    }
}

/// Follows one connection: tells each fetched list once.
#[derive(Default)]
pub(super) struct NewList(Option<Moment>);

impl NewList {
    /// When a list was fetched that was not told before.
    pub(super) fn saw(&mut self, status: &Status) -> Option<Moment> {
        let fetched = status.last_tool_list;
        let is_new = fetched != self.0;
        self.0 = fetched;
        fetched.filter(|_| is_new)
    }
}
