//! Writes git packs: whole objects one after another, with an index to find them by.
//!
//! Thousands of single files would cost many times as much. Format: git's own, `gitformat-pack(5)`, version 2.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use gix::ObjectId;
use gix::hash::{Kind, hasher};
use gix::objs::Kind as ObjectKind;
use gix::zlib::Compression;
use gix::zlib::stream::deflate;

/// Offsets from here on would need a table of their own.
const MAX_PACK: u64 = 0x7fff_ffff;

/// A pack under way.
pub(crate) struct PackWriter {
    folder: PathBuf,
    path: PathBuf,
    file: BufWriter<File>,
    offset: u64,
    /// Id, checksum and place of each object.
    objects: Vec<(ObjectId, u32, u32)>,
}

/// An object as it stands in a pack.
pub(crate) fn encode(kind: ObjectKind, content: &[u8]) -> io::Result<Vec<u8>> {
    let number: u8 = match kind {
        ObjectKind::Commit => 1,
        ObjectKind::Tree => 2,
        ObjectKind::Blob => 3,
        ObjectKind::Tag => 4,
    };
    let mut encoded = Vec::with_capacity(content.len() / 2 + 16);
    let mut size = content.len() as u64;
    let mut byte = number << 4 | (size & 0xf) as u8;
    size >>= 4;
    while size > 0 {
        encoded.push(byte | 0x80);
        byte = (size & 0x7f) as u8;
        size >>= 7;
    }
    encoded.push(byte);
    let mut deflated = deflate::Write::new(encoded, Compression::BEST_SPEED);
    deflated.write_all(content)?;
    deflated.flush()?;
    Ok(deflated.into_inner())
}

impl PackWriter {
    /// The name of a pack that is not complete yet.
    pub(crate) const UNFINISHED: &str = "unfinished.pack";

    /// Begins a pack in the folder `objects/pack`.
    pub(crate) fn begin(folder: &Path) -> io::Result<Self> {
        let path = folder.join(Self::UNFINISHED);
        let mut file = BufWriter::new(File::options().create_new(true).read(true).write(true).open(&path)?);
        // The number of objects is filled in at the end.
        file.write_all(b"PACK\0\0\0\x02\0\0\0\0")?;
        Ok(Self { folder: folder.to_owned(), path, file, offset: 12, objects: Vec::new() })
    }

    /// Appends an object that [`encode`] has made; each id once.
    pub(crate) fn add(&mut self, id: ObjectId, encoded: &[u8]) -> io::Result<()> {
        if self.offset + encoded.len() as u64 > MAX_PACK {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.file.write_all(encoded)?;
        self.objects.push((id, crc32fast::hash(encoded), self.offset as u32));
        self.offset += encoded.len() as u64;
        Ok(())
    }

    /// Completes the pack and writes its index. Without any object nothing is left.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        if self.objects.is_empty() {
            drop(self.file);
            return std::fs::remove_file(&self.path);
        }
        self.file.seek(SeekFrom::Start(8))?;
        self.file.write_all(&(self.objects.len() as u32).to_be_bytes())?;
        let mut file = self.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.seek(SeekFrom::Start(0))?;
        let checksum = checksum(&file)?;
        file.seek(SeekFrom::End(0))?;
        file.write_all(checksum.as_slice())?;
        drop(file);
        self.objects.sort_unstable();
        let index = index(&self.objects, &checksum)?;
        std::fs::write(self.folder.join(format!("pack-{checksum}.idx")), index)?;
        std::fs::rename(&self.path, self.folder.join(format!("pack-{checksum}.pack")))
    }
}

fn checksum(file: &File) -> io::Result<ObjectId> {
    let mut hash = hasher(Kind::Sha1);
    let mut reader = BufReader::with_capacity(128 * 1024, file);
    let mut buffer = vec![0; 128 * 1024];
    loop {
        match reader.read(&mut buffer)? {
            0 => return hash.try_finalize().map_err(io::Error::other),
            read => hash.update(&buffer[..read]),
        }
    }
}

/// The index of a pack, for objects sorted by id.
fn index(objects: &[(ObjectId, u32, u32)], pack: &ObjectId) -> io::Result<Vec<u8>> {
    let mut index = b"\xfftOc\0\0\0\x02".to_vec();
    let mut below = 0;
    for first in 0..=u8::MAX {
        below += objects[below..].partition_point(|(id, ..)| id.first_byte() <= first);
        index.extend_from_slice(&(below as u32).to_be_bytes());
    }
    objects.iter().for_each(|(id, ..)| index.extend_from_slice(id.as_slice()));
    objects.iter().for_each(|(_, crc, _)| index.extend_from_slice(&crc.to_be_bytes()));
    objects.iter().for_each(|(.., offset)| index.extend_from_slice(&offset.to_be_bytes()));
    index.extend_from_slice(pack.as_slice());
    let mut hash = hasher(Kind::Sha1);
    hash.update(&index);
    index.extend_from_slice(hash.try_finalize().map_err(io::Error::other)?.as_slice());
    Ok(index)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_come_out_of_a_pack_as_they_went_in() {
        let folder = tempfile::tempdir().unwrap();
        for inner in ["objects/pack", "refs"] {
            std::fs::create_dir_all(folder.path().join(inner)).unwrap();
        }
        std::fs::write(folder.path().join("HEAD"), "ref: refs/heads/main\n").unwrap();
        let contents: Vec<Vec<u8>> =
            (0..300usize).map(|n| format!("{n} ").repeat(n * n % 5000).into_bytes()).collect();
        let mut pack = PackWriter::begin(&folder.path().join("objects/pack")).unwrap();
        let mut ids = Vec::new();
        for content in &contents {
            let id = gix::objs::compute_hash(Kind::Sha1, ObjectKind::Blob, content).unwrap();
            if !ids.contains(&id) {
                pack.add(id, &encode(ObjectKind::Blob, content).unwrap()).unwrap();
            }
            ids.push(id);
        }
        pack.finish().unwrap();
        let repo = super::super::options().open(folder.path()).unwrap().to_thread_local();
        for (id, content) in ids.iter().zip(&contents) {
            assert_eq!(&repo.find_object(*id).unwrap().data, content);
        }
    }
}
