//! Which list of tools was last fetched through each tunnel, so that an old one is known as such also after a start.

use rusqlite::params;

use crate::{Store, StoreError};

/// The last list of tools that went through one tunnel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolList {
    /// The tunnel it went through.
    pub tunnel: String,
    /// When, in milliseconds since 1970.
    pub at_ms: u64,
    /// The fingerprint of the list.
    pub tools: String,
}

impl Store {
    /// Notes the list that just went through a tunnel, in place of the one before.
    pub async fn note_tool_list(&self, list: ToolList) -> Result<(), StoreError> {
        self.worker()
            .run(move |connection| {
                connection
                    .prepare_cached(
                        "INSERT INTO tool_lists (tunnel, at_ms, tools) VALUES (?1, ?2, ?3)
                         ON CONFLICT (tunnel) DO UPDATE SET at_ms = excluded.at_ms, tools = excluded.tools",
                    )?
                    .execute(params![list.tunnel, list.at_ms, list.tools])
                    .map(drop)
            })
            .await
    }

    /// The last list of each tunnel.
    pub async fn tool_lists(&self) -> Result<Vec<ToolList>, StoreError> {
        self.worker()
            .run(|connection| {
                let mut select = connection.prepare_cached("SELECT tunnel, at_ms, tools FROM tool_lists")?;
                let rows = select.query_map([], |row| {
                    Ok(ToolList { tunnel: row.get(0)?, at_ms: row.get(1)?, tools: row.get(2)? })
                })?;
                rows.collect()
            })
            .await
    }
}
