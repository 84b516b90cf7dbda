//! The tray's picture: a function of the state and of how bright the bar behind it is.

use tauri::image::Image;
use webcodex_supervisor::status::StateName;

#[cfg_attr(target_os = "linux", path = "bar_linux.rs")]
#[cfg_attr(windows, path = "bar_windows.rs")]
#[cfg_attr(target_os = "macos", path = "bar_macos.rs")]
mod bar;

/// macOS colours the picture itself, from its shape.
pub(super) const IS_TEMPLATE: bool = cfg!(target_os = "macos");

macro_rules! pictures {
    ($kind:literal) => {
        Pictures {
            off: include_bytes!(concat!("../../icons/tray/off-", $kind, ".png")),
            starting: include_bytes!(concat!("../../icons/tray/starting-", $kind, ".png")),
            ready: include_bytes!(concat!("../../icons/tray/ready-", $kind, ".png")),
            working: include_bytes!(concat!("../../icons/tray/working-", $kind, ".png")),
            problem: include_bytes!(concat!("../../icons/tray/problem-", $kind, ".png")),
        }
    };
}

struct Pictures {
    off: &'static [u8],
    starting: &'static [u8],
    ready: &'static [u8],
    working: &'static [u8],
    problem: &'static [u8],
}

const TEMPLATE: Pictures = pictures!("template");
const ON_LIGHT: Pictures = pictures!("on-light");
const ON_DARK: Pictures = pictures!("on-dark");

/// The picture of a state.
pub(super) fn of(state: StateName) -> tauri::Result<Image<'static>> {
    let pictures = match bar::is_light() {
        _ if IS_TEMPLATE => TEMPLATE,
        true => ON_LIGHT,
        false => ON_DARK,
    };
    Image::from_bytes(match state {
        StateName::Off => pictures.off,
        StateName::Starting => pictures.starting,
        StateName::Ready => pictures.ready,
        StateName::Working => pictures.working,
        StateName::Problem => pictures.problem,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const STATES: [StateName; 5] =
        [StateName::Off, StateName::Starting, StateName::Ready, StateName::Working, StateName::Problem];

    #[test]
    fn each_state_has_a_picture_of_its_own_shape() {
        let shapes: Vec<Vec<u8>> = STATES
            .iter()
            .map(|state| of(*state).unwrap().rgba().chunks(4).map(|pixel| pixel[3]).collect())
            .collect();
        for (index, shape) in shapes.iter().enumerate() {
            assert!(shape.iter().any(|alpha| *alpha > 0));
            assert!(!shapes[..index].contains(shape), "{:?} looks like another state", STATES[index]);
        }
    }
}
