//! What the tests leave behind, for the scan for secrets that is their last step.
//!
//! Test programs make the product's folders in a folder that `WEBCODEX_LEFT` names, and leave them there. What can be
//! seen only while a process runs, its command line and its environment, is noted here meanwhile.

use std::path::Path;

use anyhow::Result;
use tempfile::TempDir;

#[cfg(target_os = "linux")]
mod processes;

/// The variable that names the folder.
pub(crate) const VARIABLE: &str = "WEBCODEX_LEFT";

/// The name of each run's folder, before the id of its process.
const NAME: &str = "webcodex-left-";

/// The folder of one run. It goes when the value is dropped.
pub(crate) struct Left {
    /// Dropped first: what it notes lies in the folder.
    #[cfg(target_os = "linux")]
    _watch: processes::Watch,
    folder: TempDir,
}

impl Left {
    /// An empty folder, and a look at every process of the product from now on.
    ///
    /// It has a short path, since sockets lie in it, and nobody else may look into it.
    pub(crate) fn new() -> Result<Self> {
        #[cfg(target_os = "linux")]
        remove_those_of_killed_runs();
        let name = format!("{NAME}{}-", std::process::id());
        let folder = tempfile::Builder::new().prefix(&name).tempdir()?;
        Ok(Self {
            #[cfg(target_os = "linux")]
            _watch: processes::Watch::start(&folder.path().join("processes"))?,
            folder,
        })
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }
}

/// A run that is killed cannot tidy up.
#[cfg(target_os = "linux")]
fn remove_those_of_killed_runs() {
    for entry in std::fs::read_dir(std::env::temp_dir()).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let run = name.to_str().and_then(|name| name.strip_prefix(NAME)?.split('-').next());
        if run.is_some_and(|run| !Path::new("/proc").join(run).exists()) {
            // Another's folder stays.
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}
