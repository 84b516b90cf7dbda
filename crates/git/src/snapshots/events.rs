//! Who is at work on a folder right now: needed to tell apart what several sessions do at once.

use std::collections::VecDeque;

use super::record::Side;

/// Edits that are remembered; a command that runs longer than so many edits shares everything.
const MAX_EDITS: usize = 4096;
/// Commands that have ended and are remembered.
const MAX_ENDED: usize = 1024;

/// The things that happened to one folder, numbered in their order.
#[derive(Debug, Default)]
pub(super) struct Events {
    now: u64,
    edits: VecDeque<Edit>,
    /// The oldest number that edits are still known from.
    edits_from: u64,
    running: Vec<(u64, String)>,
    ended: VecDeque<(u64, String)>,
}

#[derive(Debug)]
struct Edit {
    at: u64,
    path: String,
    after: Option<Side>,
}

/// What edits did to a file while a command ran.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Edited {
    /// Nothing.
    No,
    /// They left it with this content.
    To(Option<Side>),
    /// Too much happened to say.
    Unknown,
}

impl Events {
    fn tick(&mut self) -> u64 {
        self.now += 1;
        self.now
    }

    /// An edit was made, or is about to be.
    pub(super) fn edited(&mut self, path: &str, after: Option<&Side>) {
        let at = self.tick();
        self.edits.push_back(Edit { at, path: path.to_owned(), after: after.cloned() });
        while self.edits.len() > MAX_EDITS {
            if let Some(edit) = self.edits.pop_front() {
                self.edits_from = edit.at + 1;
            }
        }
    }

    /// A command of `session` begins; returns its number.
    pub(super) fn begins(&mut self, session: &str) -> u64 {
        let at = self.tick();
        self.running.push((at, session.to_owned()));
        at
    }

    /// Whether a command of another session ran at the same time as the one that began at `start`.
    pub(super) fn is_shared(&self, start: u64, session: &str) -> bool {
        self.running.iter().any(|(_, other)| other != session)
            || self.ended.iter().any(|(end, other)| other != session && *end > start)
    }

    /// The command that began at `start` has ended.
    pub(super) fn ends(&mut self, start: u64, session: &str) {
        let at = self.tick();
        self.running.retain(|(begun, _)| *begun != start);
        self.ended.push_back((at, session.to_owned()));
        if self.ended.len() > MAX_ENDED {
            self.ended.pop_front();
        }
    }

    /// What edits did to the file since `start`.
    pub(super) fn edited_since(&self, start: u64, path: &str) -> Edited {
        if start < self.edits_from {
            return Edited::Unknown;
        }
        let last = self.edits.iter().rev().find(|edit| edit.at > start && edit.path == path);
        last.map_or(Edited::No, |edit| Edited::To(edit.after.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_of_two_sessions_at_once_are_told() {
        let mut events = Events::default();
        let a = events.begins("a");
        let b = events.begins("b");
        assert!(events.is_shared(a, "a"), "b still runs");
        events.ends(a, "a");
        assert!(events.is_shared(b, "b"), "a ran meanwhile");
        events.ends(b, "b");
        let a = events.begins("a");
        let again = events.begins("a");
        assert!(!events.is_shared(a, "a"), "one's own commands are one's own");
        events.ends(a, "a");
        assert!(!events.is_shared(again, "a"));
    }

    #[test]
    fn edits_during_a_command_are_told_apart_from_earlier_ones() {
        let side = |id: &str| Some(Side { id: id.to_owned(), mode: 0o100_644 });
        let mut events = Events::default();
        events.edited("a", side("1").as_ref());
        let start = events.begins("s");
        assert_eq!(events.edited_since(start, "a"), Edited::No);
        events.edited("a", side("2").as_ref());
        events.edited("a", None);
        assert_eq!(events.edited_since(start, "a"), Edited::To(None));
        for _ in 0..=MAX_EDITS {
            events.edited("b", None);
        }
        assert_eq!(events.edited_since(start, "a"), Edited::Unknown);
    }
}
