//! Zip archives byte by byte, which may say anything.

use std::io::Write;

use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};

/// An entry of a zip archive.
#[derive(Clone)]
pub(crate) struct Zipped {
    pub(crate) name: Vec<u8>,
    /// The name in the local header.
    pub(crate) local_name: Vec<u8>,
    /// The bytes that lie in the archive.
    pub(crate) packed: Vec<u8>,
    pub(crate) size: u32,
    pub(crate) crc: u32,
    pub(crate) method: u16,
    pub(crate) flags: u16,
    /// The mode of Unix and the attributes of Windows.
    pub(crate) attributes: u32,
    /// The place of the local header that the directory tells, instead of its own.
    pub(crate) offset: Option<u32>,
}

impl Zipped {
    /// A file that is stored as it is.
    pub(crate) fn stored(name: impl AsRef<[u8]>, content: impl AsRef<[u8]>) -> Self {
        let (name, content) = (name.as_ref().to_vec(), content.as_ref());
        let mut crc = Crc::new();
        crc.update(content);
        Self {
            local_name: name.clone(),
            name,
            packed: content.to_vec(),
            size: u32::try_from(content.len()).unwrap(),
            crc: crc.sum(),
            method: 0,
            flags: 0,
            attributes: 0o100_644 << 16,
            offset: None,
        }
    }

    /// A file that is compressed.
    pub(crate) fn deflated(name: impl AsRef<[u8]>, content: impl AsRef<[u8]>) -> Self {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(content.as_ref()).unwrap();
        let packed = encoder.finish().unwrap();
        Self { packed, method: 8, ..Self::stored(name, content) }
    }

    pub(crate) fn with_mode(self, mode: u32) -> Self {
        Self { attributes: mode << 16, ..self }
    }
}

/// An archive of these entries.
pub(crate) fn zip(entries: &[Zipped]) -> Vec<u8> {
    zip_of(entries, entries.len())
}

/// An archive of these entries that says it has so many.
pub(crate) fn zip_of(entries: &[Zipped], said: usize) -> Vec<u8> {
    let (mut archive, mut directory) = (Vec::new(), Vec::new());
    for entry in entries {
        let own = length(&archive);
        archive.extend(b"PK\x03\x04");
        archive.extend(20_u16.to_le_bytes());
        archive.extend(fields(entry, &entry.local_name));
        archive.extend(&entry.local_name);
        archive.extend(&entry.packed);

        directory.extend(b"PK\x01\x02");
        // Made on Unix.
        directory.extend(0x0314_u16.to_le_bytes());
        directory.extend(20_u16.to_le_bytes());
        directory.extend(fields(entry, &entry.name));
        // No comment, the first disk, no internal attributes.
        directory.extend([0; 6]);
        directory.extend(entry.attributes.to_le_bytes());
        directory.extend(entry.offset.unwrap_or(own).to_le_bytes());
        directory.extend(&entry.name);
    }
    let (start, size) = (length(&archive), length(&directory));
    archive.extend(directory);
    archive.extend(b"PK\x05\x06\0\0\0\0");
    let said = u16::try_from(said).unwrap();
    archive.extend(said.to_le_bytes());
    archive.extend(said.to_le_bytes());
    archive.extend(size.to_le_bytes());
    archive.extend(start.to_le_bytes());
    archive.extend([0; 2]);
    archive
}

/// The fields that the local and the central header share.
fn fields(entry: &Zipped, name: &[u8]) -> Vec<u8> {
    let mut fields = Vec::new();
    fields.extend(entry.flags.to_le_bytes());
    fields.extend(entry.method.to_le_bytes());
    // Midnight on the first day of 1980.
    fields.extend([0, 0, 0x21, 0]);
    fields.extend(entry.crc.to_le_bytes());
    fields.extend(length(&entry.packed).to_le_bytes());
    fields.extend(entry.size.to_le_bytes());
    fields.extend(u16::try_from(name.len()).unwrap().to_le_bytes());
    fields.extend([0; 2]);
    fields
}

fn length(bytes: &[u8]) -> u32 {
    u32::try_from(bytes.len()).unwrap()
}
