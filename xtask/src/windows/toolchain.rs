//! Rust for Windows on a Debian machine.
//!
//! The Windows standard library is built from Debian's `rust-web-src` with Debian's `rustc-web`; mingw compiles the C
//! parts and links. All packages are unpacked into the cache, so the machine's own toolchain stays as it is.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::setup::system;
use crate::{cache, command, workspace};

const TARGET: &str = "x86_64-pc-windows-gnu";
/// A compiler that can build its own standard library, that library's source, and a C compiler.
const PACKAGES: &[&str] = &["rustc-web", "cargo-web", "rust-web-src", "gcc-mingw-w64-x86-64-posix"];

/// Debian's Rust for web and Windows targets, unpacked below this folder.
pub(super) struct Toolchain(PathBuf);

impl Toolchain {
    /// Unpacks it, unless it is there.
    pub(super) fn set_up() -> Result<Self> {
        if command::on_path("apt-get").is_none() {
            bail!("building for Windows from here needs Debian's packages {}", PACKAGES.join(", "));
        }
        Ok(Self(cache::part("windows", &PACKAGES.join(" "), unpack)?))
    }

    /// Type-checks every crate and its tests.
    pub(super) fn check(&self) -> Result<()> {
        command::run(&mut self.cargo(&["check", "--tests"])?)
    }

    /// Builds a package and returns where its executable of this name lies.
    pub(super) fn build(&self, package: &str, executable: &str) -> Result<PathBuf> {
        command::run(&mut self.cargo(&["build", "--quiet", "--package", package])?)?;
        Ok(target()?.join(TARGET).join("debug").join(executable))
    }

    /// `cargo` for Windows with the workspace as its folder.
    pub(super) fn cargo(&self, arguments: &[&str]) -> Result<Command> {
        let mut cargo = Command::new(self.program("cargo"));
        cargo.args(arguments).args(["--locked", "-Zbuild-std=std,panic_abort", "--target", TARGET]);
        cargo.current_dir(workspace::root());
        // A build by cargo leaves variables that would lead back to the machine's own toolchain.
        for variable in ["RUSTUP_TOOLCHAIN", "CARGO", "RUSTC_WRAPPER", "RUSTFLAGS"] {
            cargo.env_remove(variable);
        }
        cargo.env("RUSTC", self.program("rustc")).env("RUSTC_BOOTSTRAP", "1");
        cargo.env("RUSTDOC", self.program("rustdoc"));
        cargo.env("LD_LIBRARY_PATH", self.0.join("usr").join("lib").join("x86_64-linux-gnu"));
        cargo.env("PATH", self.path()?);
        cargo.env("CARGO_TARGET_DIR", target()?);
        cargo.env("CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER", self.program(C_COMPILER));
        cargo.env("CC_x86_64_pc_windows_gnu", self.program(C_COMPILER));
        cargo.env("AR_x86_64_pc_windows_gnu", self.program("x86_64-w64-mingw32-ar"));
        Ok(cargo)
    }

    /// Compiles a C source to a library of Windows.
    pub(super) fn library(&self, source: &Path, library: &Path) -> Result<()> {
        let mut compile = Command::new(self.program(C_COMPILER));
        compile.arg("-shared").arg("-o").args([library, source]).arg("-ladvapi32").env("PATH", self.path()?);
        command::run(&mut compile)
    }

    fn program(&self, name: &str) -> PathBuf {
        self.0.join("usr").join("bin").join(name)
    }

    /// mingw finds its own parts through PATH; rustc looks for its import-library tool there, too.
    fn path(&self) -> Result<OsString> {
        let inherited = std::env::var_os("PATH").unwrap_or_default();
        let own = self.0.join("usr").join("bin");
        Ok(std::env::join_paths(std::iter::once(own).chain(std::env::split_paths(&inherited)))?)
    }
}

const C_COMPILER: &str = "x86_64-w64-mingw32-gcc-posix";

/// The standard library is compiled anew for Windows; its folder is its own so that no other build loses it.
fn target() -> Result<PathBuf> {
    Ok(cache::folder()?.join("target-windows"))
}

/// Downloads the packages with all they depend on that is not installed, and unpacks them.
fn unpack(folder: &Path) -> Result<()> {
    let archives = folder.join("archives");
    std::fs::create_dir_all(archives.join("partial"))?;
    let archives_option = format!("Dir::Cache::archives={}", archives.display());
    let download = [
        "install",
        "--quiet",
        "--yes",
        "--no-install-recommends",
        "--download-only",
        "--option",
        &archives_option,
    ];
    system::apt(&["update", "--quiet"])?;
    system::apt(&[&download[..], PACKAGES].concat())?;
    for entry in std::fs::read_dir(&archives)? {
        let archive = entry?.path();
        if archive.extension().is_some_and(|extension| extension == "deb") {
            command::run(Command::new("dpkg").arg("-x").args([&archive, folder]))?;
        }
    }
    std::fs::remove_dir_all(&archives).context("cannot remove the downloaded packages")
}
