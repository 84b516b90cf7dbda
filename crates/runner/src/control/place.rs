//! In what kind of place a folder is: a disk of this computer, a folder kept in step with a cloud, another computer.

use std::path::Path;

use webcodex_contracts::control::Place;

/// Folders that programs of cloud services keep, by the beginning of their name.
const CLOUD: [&str; 13] = [
    "onedrive",
    "dropbox",
    "google drive",
    "googledrive",
    "my drive",
    "icloud drive",
    "icloud~",
    "com~apple~clouddocs",
    "cloudstorage",
    "nextcloud",
    "nutstore",
    "坚果云",
    "baidusyncdisk",
];

/// The kind of place of `folder`, whose links are resolved. May wait for the disk.
pub(super) fn of(folder: &Path) -> Place {
    if system::is_network(folder) {
        return Place::Network;
    }
    let names = folder.iter().map(|name| name.to_string_lossy().to_lowercase());
    let kept = |name: String| CLOUD.iter().any(|cloud| name.starts_with(cloud));
    match names.into_iter().any(kept) {
        true => Place::Cloud,
        false => Place::Local,
    }
}

#[cfg(target_os = "linux")]
mod system {
    use std::path::Path;

    /// NFS, the three of SMB, AFS, Coda, Ceph and 9P, by the number the kernel gives them.
    const NETWORK: [u64; 8] =
        [0x6969, 0x517b, 0xff53_4d42, 0xfe53_4d42, 0x5346_414f, 0x7375_7245, 0x00c3_6400, 0x0102_1997];

    pub(super) fn is_network(folder: &Path) -> bool {
        // The width of the number differs between machines.
        rustix::fs::statfs(folder).is_ok_and(|about| NETWORK.contains(&(about.f_type as u64 & 0xffff_ffff)))
    }
}

#[cfg(all(unix, not(target_os = "linux")))]
mod system {
    use std::path::Path;

    /// Set for file systems of this computer.
    const LOCAL: u32 = 0x1000;

    pub(super) fn is_network(folder: &Path) -> bool {
        rustix::fs::statfs(folder).is_ok_and(|about| about.f_flags & LOCAL == 0)
    }
}

#[cfg(windows)]
mod system {
    use std::path::{Component, Path, Prefix};

    pub(super) fn is_network(folder: &Path) -> bool {
        // With links resolved, a drive that stands for another computer's folder shows that computer.
        let first = folder.components().next();
        matches!(first, Some(Component::Prefix(prefix)) if matches!(prefix.kind(), Prefix::UNC(..) | Prefix::VerbatimUNC(..)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_cloud_programs_are_known_by_name() {
        let folder = tempfile::tempdir().unwrap();
        for (name, place) in [
            ("OneDrive - Contoso/work", Place::Cloud),
            ("Dropbox/x", Place::Cloud),
            ("坚果云/账本", Place::Cloud),
            ("work/app", Place::Local),
        ] {
            assert_eq!(of(&folder.path().join(name)), place, "{name}");
        }
    }
}
