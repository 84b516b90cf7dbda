//! Files that only their owner may read.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

/// Replaces `path` by `text`, all or nothing, readable by the owner only. Makes the folder if needed.
pub fn write_private(path: &Path, text: &str) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    make_private_folder(folder)?;
    // Temporary files are made with mode 600; on Windows the user's profile protects them.
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// The text in `path`, or `None` where there is no such file. A file that others may read is refused.
pub fn read_private(path: &Path) -> io::Result<Option<String>> {
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    require_private(&file)?;
    let mut text = String::new();
    file.read_to_string(&mut text)?;
    Ok(Some(text.trim().to_owned()))
}

#[cfg(unix)]
fn make_private_folder(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

#[cfg(not(unix))]
fn make_private_folder(folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder)
}

#[cfg(unix)]
fn require_private(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mode = file.metadata()?.permissions().mode();
    if mode & 0o077 == 0 {
        return Ok(());
    }
    let why = format!("other users may read it (mode {:o}); run `chmod 600` on it", mode & 0o777);
    Err(io::Error::new(io::ErrorKind::PermissionDenied, why))
}

#[cfg(not(unix))]
fn require_private(_: &File) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_private_file_is_read_back_and_an_open_one_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("credentials/x");
        assert_eq!(read_private(&path).unwrap(), None);
        write_private(&path, "secret\n").unwrap();
        assert_eq!(read_private(&path).unwrap().as_deref(), Some("secret"));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            std::fs::set_permissions(&path, PermissionsExt::from_mode(0o644)).unwrap();
            assert!(read_private(&path).unwrap_err().to_string().contains("chmod 600"));
        }
    }
}
