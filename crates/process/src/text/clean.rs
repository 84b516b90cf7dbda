//! Terminal control taken out: what stays is what a terminal would show in the end.

use std::borrow::Cow;

use vte::{Params, Parser, Perform};

/// Furthest column that cursor moves reach; programs draw narrower than this.
const MAX_COLUMN: usize = 4096;

/// Colours and cursor moves removed, redrawn lines reduced to their last state, line ends as LF.
///
/// Cleaning what is clean changes nothing.
pub(crate) fn clean(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_control) {
        return Cow::Borrowed(text);
    }
    let mut page = Page::default();
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            page.line_feed();
        }
        // A control string that was never closed ends with its line, so that it cannot swallow the rest.
        Parser::new().advance(&mut page, line.as_bytes());
    }
    Cow::Owned(page.into_text())
}

/// Everything that moves, rings or colours; only LF and TAB are text.
fn is_control(c: char) -> bool {
    c.is_control() && c != '\n' && c != '\t'
}

/// The lines written so far and the place of the cursor.
#[derive(Default)]
struct Page {
    lines: Vec<Line>,
    row: usize,
    column: usize,
    saved: (usize, usize),
}

#[derive(Default)]
struct Line {
    cells: Vec<char>,
    redrawn: bool,
}

impl Page {
    fn line(&mut self) -> &mut Line {
        if self.lines.len() <= self.row {
            self.lines.resize_with(self.row + 1, Line::default);
        }
        &mut self.lines[self.row]
    }

    fn line_feed(&mut self) {
        self.line();
        self.row += 1;
        self.column = 0;
        self.line();
    }

    fn put(&mut self, c: char) {
        let column = self.column;
        let line = self.line();
        match line.cells.get_mut(column) {
            Some(cell) => {
                *cell = c;
                line.redrawn = true;
            }
            None => {
                line.cells.resize(column, ' ');
                line.cells.push(c);
            }
        }
        self.column = column + 1;
    }

    fn tab(&mut self) {
        if self.column >= self.line().cells.len() {
            self.put('\t');
        } else {
            self.column = (self.column / 8 + 1) * 8;
        }
    }

    fn up(&mut self, by: usize) {
        self.row = self.row.saturating_sub(by);
    }

    fn down(&mut self, by: usize) {
        self.row = self.row.saturating_add(by).min(self.lines.len().saturating_sub(1));
    }

    fn right(&mut self, by: usize) {
        self.column = self.column.saturating_add(by).min(MAX_COLUMN.max(self.column));
    }

    fn erase_in_line(&mut self, mode: usize) {
        let column = self.column;
        let line = self.line();
        line.redrawn = true;
        match mode {
            0 => line.cells.truncate(column),
            1 => {
                let end = line.cells.len().min(column + 1);
                line.cells[..end].fill(' ');
            }
            _ => line.cells.clear(),
        }
    }

    fn erase_in_display(&mut self, mode: usize) {
        match mode {
            0 => {
                self.erase_in_line(0);
                self.lines.truncate(self.row + 1);
            }
            1 => {}
            _ => self.fresh_screen(),
        }
    }

    /// A cleared screen hides what was there, but whoever reads a log wants it: go on below.
    fn fresh_screen(&mut self) {
        if self.lines.last().is_some_and(|line| !line.cells.is_empty()) {
            self.lines.push(Line::default());
        }
        self.row = self.lines.len().saturating_sub(1);
        self.column = 0;
    }

    fn delete_cells(&mut self, count: usize) {
        let column = self.column;
        let cells = &mut self.line().cells;
        if column < cells.len() {
            let end = column.saturating_add(count).min(cells.len());
            cells.drain(column..end);
        }
    }

    fn blank_cells(&mut self, count: usize) {
        let column = self.column;
        let cells = &mut self.line().cells;
        if column < cells.len() {
            let end = column.saturating_add(count).min(cells.len());
            cells[column..end].fill(' ');
        }
    }

    fn restore(&mut self) {
        (self.row, self.column) = self.saved;
        self.row = self.row.min(self.lines.len().saturating_sub(1));
    }

    fn into_text(self) -> String {
        let mut text = String::new();
        for (index, line) in self.lines.into_iter().enumerate() {
            if index > 0 {
                text.push('\n');
            }
            let start = text.len();
            text.extend(line.cells);
            if line.redrawn {
                text.truncate(start + text[start..].trim_end_matches(' ').len());
            }
        }
        text
    }
}

impl Perform for Page {
    fn print(&mut self, c: char) {
        if !is_control(c) {
            self.put(c);
        }
    }

    fn execute(&mut self, byte: u8) {
        match byte {
            b'\r' => self.column = 0,
            b'\t' => self.tab(),
            0x08 => self.column = self.column.saturating_sub(1),
            // Vertical tab and form feed move down like a line feed.
            0x0b | 0x0c => self.line_feed(),
            _ => {}
        }
    }

    fn csi_dispatch(&mut self, params: &Params, intermediates: &[u8], _ignore: bool, action: char) {
        let mut numbers = params.iter().map(|param| usize::from(param.first().copied().unwrap_or(0)));
        let first = numbers.next().unwrap_or(0);
        let count = first.max(1);
        if let [b'?'] = intermediates {
            if matches!(first, 47 | 1047 | 1049) && matches!(action, 'h' | 'l') {
                self.fresh_screen();
            }
            return;
        }
        match action {
            'A' => self.up(count),
            'B' | 'e' => self.down(count),
            'C' | 'a' => self.right(count),
            'D' => self.column = self.column.saturating_sub(count),
            'E' => {
                self.down(count);
                self.column = 0;
            }
            'F' => {
                self.up(count);
                self.column = 0;
            }
            'G' | '`' => self.column = (count - 1).min(MAX_COLUMN),
            'H' | 'f' => self.fresh_screen(),
            'J' => self.erase_in_display(first),
            'K' => self.erase_in_line(first),
            'P' => self.delete_cells(count),
            'X' => self.blank_cells(count),
            's' => self.saved = (self.row, self.column),
            'u' => self.restore(),
            _ => {}
        }
    }

    fn esc_dispatch(&mut self, _intermediates: &[u8], _ignore: bool, byte: u8) {
        match byte {
            b'7' => self.saved = (self.row, self.column),
            b'8' => self.restore(),
            b'M' => self.up(1),
            b'c' => self.fresh_screen(),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_progress_bar_is_its_last_state_once() {
        assert_eq!(clean("10%\r20%\r100%\n"), "100%\n");
        assert_eq!(clean("\x1b[2K\x1b[1Gstep 1\x1b[2K\x1b[1Gstep 2 done\n"), "step 2 done\n");
        assert_eq!(clean("longer text\r\x1b[Kshort\n"), "short\n");
        assert_eq!(clean("blank me out\r            \rok\n"), "ok\n", "erased with blanks");
    }

    #[test]
    fn several_lines_redrawn_by_cursor_moves_appear_once() {
        let text = "a: 1\nb: 1\n\x1b[2A\x1b[2Ka: 2\n\x1b[2Kb: 2\n";
        assert_eq!(clean(text), "a: 2\nb: 2\n");
        assert_eq!(clean("one\ntwo\n\x1b[1A\x1b[0Jdone\n"), "one\ndone\n");
    }

    #[test]
    fn colours_links_titles_and_carriage_returns_go() {
        assert_eq!(clean("\x1b[1;31merror\x1b[0m: x\r\n"), "error: x\n");
        assert_eq!(clean("\x1b]8;;https://a.b\x07link\x1b]8;;\x07 \x1b]0;title\x1b\\end"), "link end");
        assert_eq!(clean("bell\x07 nul\0 back\x08K c1\u{9b}"), "bell nul bacK c1");
    }

    #[test]
    fn tabs_and_blanks_of_ordinary_lines_stay() {
        assert_eq!(clean("a\tb  \n\x1b[0m\tc\n"), "a\tb  \n\tc\n");
    }

    #[test]
    fn an_unclosed_control_string_does_not_swallow_the_rest() {
        assert_eq!(clean("\x1b]0;never closed\nnext\n"), "\nnext\n");
        assert_eq!(clean("\x1bPnever\nnext"), "\nnext");
    }

    #[test]
    fn a_cleared_screen_keeps_what_was_reported_before() {
        assert_eq!(clean("error 1\n\x1b[2J\x1b[3J\x1b[Hround 2\n"), "error 1\nround 2\n");
        assert_eq!(clean("first\x1bcsecond"), "first\nsecond");
    }

    proptest! {
        #[test]
        fn cleaning_never_panics_and_is_idempotent(
            parts in proptest::collection::vec(
                prop_oneof!["\\PC{0,6}", "\\x1b\\[[0-9;?]{0,4}[A-Za-z@`]", "[\\r\\n\\t\\x08\\x00-\\x1f]", "\\x1b[\\]PcM78]"],
                0..40,
            )
        ) {
            let text = parts.concat();
            let once = clean(&text).into_owned();
            prop_assert!(!once.chars().any(is_control), "{:?}", once);
            prop_assert_eq!(clean(&once).into_owned(), once);
        }
    }
}
