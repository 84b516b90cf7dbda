//! The folder outside the clone that keeps what these commands download and build.
//!
//! `WEBCODEX_CACHE_DIR` moves it; default is the user's cache folder. Deleting it is always safe.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::Hasher;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// The cache folder, made if missing.
pub(crate) fn folder() -> Result<PathBuf> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = variable("WEBCODEX_CACHE_DIR")
        .or_else(|| variable("XDG_CACHE_HOME").map(|cache| cache.join("webcodex")))
        .or_else(|| variable("LOCALAPPDATA").map(|local| local.join("webcodex").join("cache")))
        .or_else(|| variable("HOME").map(|home| home.join(".cache").join("webcodex")))
        .context("no cache folder: set WEBCODEX_CACHE_DIR to a folder that these commands may fill")?;
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    Ok(folder)
}

/// A part of the cache that is filled once for each `key`: a lock file, a list of versions, a generator's seed.
///
/// `fill` gets an empty folder. What it leaves there is used from then on; after a failure or a kill half-way the
/// next run starts again. Parts made for an older key are removed.
pub(crate) fn part(name: &str, key: &str, fill: impl FnOnce(&Path) -> Result<()>) -> Result<PathBuf> {
    let parts = folder()?.join(name);
    let part = parts.join(format!("{:016x}", hash(key)));
    let complete = part.join(".complete");
    if complete.is_file() {
        return Ok(part);
    }
    if parts.exists() {
        fs::remove_dir_all(&parts)
            .with_context(|| format!("cannot remove {}; remove it by hand", parts.display()))?;
    }
    fs::create_dir_all(&part)?;
    fill(&part)?;
    fs::write(&complete, "")?;
    Ok(part)
}

/// The same for every run of the same toolchain, which is all a cache needs.
fn hash(key: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(key.as_bytes());
    hasher.finish()
}
