//! Where the window was, and where it may be now.

use std::path::Path;

use serde::{Deserialize, Serialize};

/// Size of a first window, in logical pixels.
pub(super) const FIRST: (f64, f64) = (1100.0, 760.0);
/// The smallest window in which nothing is cut off, in logical pixels.
pub(super) const SMALLEST: (f64, f64) = (720.0, 520.0);
/// How much of the title bar has to be on a screen, so that the window can be taken hold of, in pixels.
const HOLD: i64 = 64;

/// A rectangle in physical pixels: a window or the usable part of a screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Area {
    pub(crate) x: i32,
    pub(crate) y: i32,
    pub(crate) width: u32,
    pub(crate) height: u32,
}

/// Where the window was when it was last seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Remembered {
    #[serde(flatten)]
    pub(crate) area: Area,
    pub(crate) maximized: bool,
}

impl Remembered {
    /// Reads the file; a missing or damaged one is as good as none.
    pub(crate) fn read(file: &Path) -> Option<Self> {
        serde_json::from_slice(&std::fs::read(file).ok()?).ok()
    }

    /// Writes the file so that a crash leaves the old or the new one.
    pub(crate) fn write(&self, file: &Path) -> std::io::Result<()> {
        let fresh = file.with_extension("json.new");
        std::fs::write(&fresh, serde_json::to_vec(self)?)?;
        std::fs::rename(fresh, file)
    }
}

/// The place to show the window at: as it was if a person can still reach it there, else in the middle of the first
/// screen, and never larger than that screen.
pub(crate) fn repair(was: Area, screens: &[Area]) -> Area {
    let Some(first) = screens.first() else { return was };
    if let Some(screen) = screens.iter().find(|screen| can_be_held(was, **screen)) {
        return Area { width: was.width.min(screen.width), height: was.height.min(screen.height), ..was };
    }
    let (width, height) = (was.width.min(first.width), was.height.min(first.height));
    Area { x: first.x + half(first.width - width), y: first.y + half(first.height - height), width, height }
}

/// Whether enough of the top edge lies on the screen.
fn can_be_held(window: Area, screen: Area) -> bool {
    let left = i64::from(window.x).max(i64::from(screen.x));
    let right = end(window.x, window.width).min(end(screen.x, screen.width));
    let top = i64::from(window.y);
    right - left >= HOLD && top >= i64::from(screen.y) && top + HOLD / 2 <= end(screen.y, screen.height)
}

fn end(start: i32, length: u32) -> i64 {
    i64::from(start) + i64::from(length)
}

fn half(length: u32) -> i32 {
    i32::try_from(length / 2).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCREEN: Area = Area { x: 0, y: 0, width: 1280, height: 800 };
    const RIGHT: Area = Area { x: 1280, y: 0, width: 1920, height: 1080 };

    fn window(x: i32, y: i32) -> Area {
        Area { x, y, width: 1100, height: 760 }
    }

    #[test]
    fn a_window_that_can_be_reached_stays_where_it_was() {
        assert_eq!(repair(window(20, 10), &[SCREEN, RIGHT]), window(20, 10));
        assert_eq!(repair(window(1500, 200), &[SCREEN, RIGHT]), window(1500, 200));
        assert_eq!(repair(window(-900, 10), &[SCREEN]), window(-900, 10));
    }

    #[test]
    fn a_window_whose_screen_is_gone_comes_to_the_middle_of_the_first() {
        let middle = Area { x: 90, y: 20, width: 1100, height: 760 };
        assert_eq!(repair(window(1500, 200), &[SCREEN]), middle);
        assert_eq!(repair(window(-32_000, -32_000), &[SCREEN]), middle);
        assert_eq!(repair(window(100, -300), &[SCREEN]), middle);
        assert_eq!(repair(window(100, 799), &[SCREEN]), middle);
    }

    #[test]
    fn a_window_is_never_larger_than_its_screen() {
        let huge = Area { x: 0, y: 0, width: 4000, height: 3000 };
        assert_eq!(repair(huge, &[SCREEN]), SCREEN);
        assert_eq!(repair(Area { x: 5000, ..huge }, &[SCREEN]), SCREEN);
    }

    #[test]
    fn without_a_known_screen_nothing_is_changed() {
        assert_eq!(repair(window(5, 5), &[]), window(5, 5));
    }

    #[test]
    fn a_place_comes_back_from_its_file_and_a_damaged_file_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("window.json");
        assert_eq!(Remembered::read(&file), None);
        let place = Remembered { area: window(1, 2), maximized: true };
        place.write(&file).unwrap();
        assert_eq!(Remembered::read(&file), Some(place));
        std::fs::write(&file, "{\"x\":").unwrap();
        assert_eq!(Remembered::read(&file), None);
    }
}
