//! Reads a stream of server-sent events.

use std::collections::VecDeque;

/// A larger event ends the stream.
pub(crate) const MAX_EVENT: usize = 4 * 1024 * 1024;

/// An event is too big.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct EventTooBig;

/// Takes bytes in pieces of any size and gives the data of whole events.
///
/// Lines end with LF, CR or CRLF; a byte order mark at the start, comments and events without data are skipped.
#[derive(Debug, Default)]
pub(crate) struct Events {
    line: Vec<u8>,
    data: Option<Vec<u8>>,
    ready: VecDeque<Vec<u8>>,
    after_cr: bool,
    past_start: bool,
}

impl Events {
    /// Takes more bytes.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Result<(), EventTooBig> {
        for &byte in bytes {
            let second_of_pair = byte == b'\n' && std::mem::take(&mut self.after_cr);
            match byte {
                b'\n' if second_of_pair => {}
                b'\n' | b'\r' => self.end_line(),
                _ => self.line.push(byte),
            }
            self.after_cr = byte == b'\r';
            if self.line.len() + self.data.as_ref().map_or(0, Vec::len) > MAX_EVENT {
                return Err(EventTooBig);
            }
        }
        Ok(())
    }

    /// The data of the next whole event.
    pub(crate) fn next(&mut self) -> Option<Vec<u8>> {
        self.ready.pop_front()
    }

    fn end_line(&mut self) {
        let mut line = std::mem::take(&mut self.line);
        if !std::mem::replace(&mut self.past_start, true) && line.starts_with(b"\xEF\xBB\xBF") {
            line.drain(..3);
        }
        if line.is_empty() {
            self.ready.extend(self.data.take().filter(|data| !data.is_empty()));
            return;
        }
        let (field, value) = match line.iter().position(|byte| *byte == b':') {
            Some(colon) => (&line[..colon], &line[colon + 1..]),
            None => (&line[..], &[][..]),
        };
        if field == b"data" {
            let value = value.strip_prefix(b" ").unwrap_or(value);
            match &mut self.data {
                Some(data) => {
                    data.push(b'\n');
                    data.extend_from_slice(value);
                }
                None => self.data = Some(value.to_vec()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &[u8], step: usize) -> Vec<String> {
        let mut events = Events::default();
        let mut list = Vec::new();
        for piece in text.chunks(step) {
            events.push(piece).unwrap();
            while let Some(event) = events.next() {
                list.push(String::from_utf8(event).unwrap());
            }
        }
        list
    }

    #[test]
    fn every_line_end_and_every_cut_gives_the_same_events() {
        let text = "\u{FEFF}: hello\nid: 1\ndata:\n\ndata: {\"a\":\ndata:1}\nevent: message\n\nretry: 5\n\ndata\ndata: x\n\n";
        for end in ["\n", "\r", "\r\n"] {
            let text = text.replace('\n', end);
            for step in 1..=text.len() {
                assert_eq!(read(text.as_bytes(), step), ["{\"a\":\n1}", "\nx"], "{end:?} by {step}");
            }
        }
    }

    #[test]
    fn an_event_is_bounded() {
        let mut events = Events::default();
        assert_eq!(events.push(&vec![b'x'; MAX_EVENT + 1]), Err(EventTooBig));
        let mut events = Events::default();
        let line = [b"data: ", vec![b'x'; 1024 * 1024].as_slice(), b"\n"].concat();
        assert!((0..5).any(|_| events.push(&line).is_err()));
    }

    proptest! {
        #[test]
        fn no_bytes_upset_it(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            prop_assert!(Events::default().push(&bytes).is_ok());
        }
    }
}
