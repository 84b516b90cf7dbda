//! What every group measures with: the executable, the repositories and the number of rounds.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use webcodex_testkit::TestServer;

use crate::repository::{self, Generated};

/// The things under measurement.
pub(crate) struct Bench {
    executable: PathBuf,
    quick: bool,
    folder: PathBuf,
}

impl Bench {
    /// Finds the folder that keeps repositories between runs.
    pub(crate) fn prepare(executable: PathBuf, quick: bool) -> Result<Self> {
        let folder =
            std::env::var_os("WEBCODEX_BENCH_REPOSITORIES").context("start this with `cargo xtask bench`")?;
        Ok(Self { executable, quick, folder: PathBuf::from(folder) })
    }

    /// `full`, or a quarter of it in a quick run.
    pub(crate) fn rounds(&self, full: usize) -> usize {
        if self.quick { full.div_ceil(4) } else { full }
    }

    /// `full`, or `quick` in a quick run.
    pub(crate) fn choose<T>(&self, full: T, quick: T) -> T {
        if self.quick { quick } else { full }
    }

    /// The executable.
    pub(crate) fn executable(&self) -> &Path {
        &self.executable
    }

    /// 20 000 files, 100 MB; 5 changed, 2 untracked.
    pub(crate) fn large(&self) -> Result<PathBuf> {
        repository::generated(&self.folder, Generated { folders: 1000, files_per_folder: 20 })
    }

    /// A quarter of the large one.
    pub(crate) fn quarter(&self) -> Result<PathBuf> {
        repository::generated(&self.folder, Generated { folders: 250, files_per_folder: 20 })
    }

    /// Some hundred files of real Rust.
    pub(crate) fn real(&self) -> Result<PathBuf> {
        repository::real(&self.folder)
    }

    /// Shares a folder with the executable.
    pub(crate) async fn share(&self, folder: &Path) -> Result<TestServer> {
        TestServer::share_with(&self.executable, folder, &[]).await
    }
}
