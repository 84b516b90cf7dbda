//! What the desktop app needs to be built, and a desktop without a screen needs to be tested on.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Result, bail};

use super::system;
use crate::command;

/// Libraries of the app on Linux: the web view and the tray.
const LIBRARIES: &[&str] =
    &["pkg-config", "libwebkit2gtk-4.1-dev", "libayatana-appindicator3-dev", "librsvg2-dev", "libdbus-1-dev"];
/// Programs of the test's desktop, each with its package.
const PROGRAMS: &[(&str, &str)] = &[
    ("Xvfb", "xvfb"),
    ("xauth", "xauth"),
    ("dbus-run-session", "dbus"),
    ("gdbus", "libglib2.0-bin"),
    ("WebKitWebDriver", "webkit2gtk-driver"),
    ("gnome-keyring-daemon", "gnome-keyring"),
    ("openbox", "openbox"),
    ("xdotool", "xdotool"),
    ("wmctrl", "wmctrl"),
    ("xprop", "x11-utils"),
    ("import", "imagemagick"),
    ("chromium", "chromium"),
];
/// What Debian's Python needs to be a tray, a notification service and a window to drag from.
const PYTHON_MODULES: &[&str] = &["python3-gi", "python3-dbus", "gir1.2-gtk-3.0"];
/// Letters, Chinese ones too.
const FONTS: &[(&str, &str)] = &[
    ("/usr/share/fonts/truetype/dejavu", "fonts-dejavu-core"),
    ("/usr/share/fonts/opentype/noto", "fonts-noto-cjk"),
];

/// Python with the modules of the system's packages, which no virtual environment has.
pub(crate) const SYSTEM_PYTHON: &str = "/usr/bin/python3";

/// Makes the app buildable.
pub(crate) fn build_tools() -> Result<()> {
    system::build_tools()?;
    if cfg!(any(windows, target_os = "macos")) || has_libraries() {
        return Ok(());
    }
    if command::on_path("apt-get").is_none() {
        bail!(
            "the desktop app needs WebKitGTK 4.1, Ayatana AppIndicator and D-Bus with their headers: install them and run this again"
        );
    }
    system::install(LIBRARIES)
}

fn has_libraries() -> bool {
    let mut check = Command::new("pkg-config");
    check.args(["--exists", "webkit2gtk-4.1", "ayatana-appindicator3-0.1", "librsvg-2.0", "dbus-1"]);
    check.stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// Makes a desktop without a screen. One run of the package manager installs all that is missing.
pub(crate) fn test_tools() -> Result<()> {
    let programs = PROGRAMS.iter().filter(|(program, _)| command::on_path(program).is_none());
    let fonts = FONTS.iter().filter(|(folder, _)| !Path::new(folder).is_dir());
    let mut missing: Vec<&str> = programs.chain(fonts).map(|(_, package)| *package).collect();
    if !has_modules() {
        missing.extend(PYTHON_MODULES);
    }
    if missing.is_empty() {
        return Ok(());
    }
    if command::on_path("apt-get").is_none() {
        bail!("the window is tested on Debian only; it would need {}", missing.join(", "));
    }
    system::install(&missing)
}

fn has_modules() -> bool {
    let import = "import dbus, gi; gi.require_version('Gtk', '3.0'); from gi.repository import Gtk";
    let mut check = Command::new(SYSTEM_PYTHON);
    check.args(["-c", import]).stderr(Stdio::null());
    check.status().is_ok_and(|status| status.success())
}
