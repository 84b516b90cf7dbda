//! Folders that a person holds over the window, and lets go of.

use serde::Serialize;
use tauri::DragDropEvent;

/// What the page is told; see `DragMessage` in `ui/desktop/bridge/bridge.ts`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum DragMessage {
    /// So many things are over the window; the number may not be known.
    Over { items: Option<usize> },
    /// They have gone again.
    Left,
    /// They were let go.
    Dropped { paths: Vec<String> },
}

impl DragMessage {
    /// What an event means to the page; moving about within the window means nothing.
    pub(crate) fn of(event: &DragDropEvent) -> Option<Self> {
        match event {
            DragDropEvent::Enter { paths, .. } => {
                Some(Self::Over { items: (!paths.is_empty()).then_some(paths.len()) })
            }
            DragDropEvent::Drop { paths, .. } => {
                let text = |path: &std::path::PathBuf| path.to_string_lossy().into_owned();
                Some(Self::Dropped { paths: paths.iter().map(text).collect() })
            }
            DragDropEvent::Leave => Some(Self::Left),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use tauri::PhysicalPosition;

    use super::*;

    #[test]
    fn the_page_is_told_how_many_and_then_which() {
        let position = PhysicalPosition::new(1.0, 2.0);
        let paths = vec!["/a b".into(), "/c".into()];
        let over = DragMessage::of(&DragDropEvent::Enter { paths: paths.clone(), position }).unwrap();
        assert_eq!(serde_json::to_string(&over).unwrap(), r#"{"kind":"over","items":2}"#);
        let unknown = DragMessage::of(&DragDropEvent::Enter { paths: Vec::new(), position }).unwrap();
        assert_eq!(serde_json::to_string(&unknown).unwrap(), r#"{"kind":"over","items":null}"#);
        let dropped = DragMessage::of(&DragDropEvent::Drop { paths, position }).unwrap();
        assert_eq!(serde_json::to_string(&dropped).unwrap(), r#"{"kind":"dropped","paths":["/a b","/c"]}"#);
        let left = DragMessage::of(&DragDropEvent::Leave).unwrap();
        assert_eq!(serde_json::to_string(&left).unwrap(), r#"{"kind":"left"}"#);
        assert_eq!(DragMessage::of(&DragDropEvent::Over { position }), None);
    }
}
