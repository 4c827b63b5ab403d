//! Zip archives.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;

use flate2::read::DeflateDecoder;
use rawzip::{
    CompressionMethod, ErrorKind, FileReader, MAX_CENTRAL_DIRECTORY_RECORD_SIZE, ZipArchive,
    ZipArchiveEntryWayfinder, ZipFileHeaderRecord,
};

use crate::staging::{Kind, Place, Staging};
use crate::{ArchiveFault, EntryFault, Format, Refusal};

/// Maximum length of the variable part of a local header: a name and extra fields.
const LOCAL_HEADER: usize = 2 * u16::MAX as usize;
/// The attribute of folders in archives of Windows.
const WINDOWS_FOLDER: u32 = 0x10;

/// Unpacks a zip archive, by its directory at the end.
///
/// The library gives the raw names, does not merge entries of the same name, and checks sizes and checksums of contents.
pub(crate) fn unpack(upload: File, staging: &mut Staging<'_>) -> Result<(), Refusal> {
    let length = upload.metadata().map_err(Refusal::Disk)?.len();
    let mut directory = vec![0; MAX_CENTRAL_DIRECTORY_RECORD_SIZE];
    let archive = ZipArchive::from_file(upload, &mut directory).map_err(broken)?;
    if archive.end_offset() != length {
        return Err(ArchiveFault::Trailing(Format::Zip).into());
    }
    let mut contents =
        Contents { archive: &archive, taken: BTreeMap::new(), local_header: vec![0; LOCAL_HEADER] };
    let mut found = 0;
    let mut entries = archive.entries(&mut directory);
    while let Some(entry) = entries.next_entry().map_err(broken)? {
        found += 1;
        let name = entry.file_path();
        let name: &[u8] = name.as_ref();
        let (kind, mode) = kind(&entry);
        if let Some(place) = staging.admit(name, kind, mode)? {
            contents.unpack(&entry, name, &place, staging)?;
        }
    }
    if found != archive.entries_hint() {
        return Err(ArchiveFault::Damaged(Format::Zip).into());
    }
    Ok(())
}

/// The kind of an entry, and its mode. Every entry may have a Unix mode, whichever system its header names.
fn kind(entry: &ZipFileHeaderRecord<'_>) -> (Kind, u32) {
    let attributes = entry.external_attributes();
    let mode = attributes >> 16;
    let kind = match mode & 0o170_000 {
        0o120_000 => Kind::Link,
        0o040_000 => Kind::Folder,
        0 if attributes & WINDOWS_FOLDER != 0 => Kind::Folder,
        0 | 0o100_000 => Kind::File,
        _ => Kind::Special,
    };
    (kind, mode)
}

/// The contents of the entries of an archive.
struct Contents<'a> {
    archive: &'a ZipArchive<FileReader>,
    /// Ends of the parts of the archive that were read, by their starts.
    taken: BTreeMap<u64, u64>,
    local_header: Vec<u8>,
}

impl Contents<'_> {
    fn unpack(
        &mut self,
        entry: &ZipFileHeaderRecord<'_>,
        name: &[u8],
        place: &Place,
        staging: &mut Staging<'_>,
    ) -> Result<(), Refusal> {
        let method = entry.compression_method();
        if entry.flags().is_encrypted() || entry.flags().has_strong_encryption() {
            return Err(place.refuse(EntryFault::Encrypted));
        }
        if ![CompressionMethod::STORE, CompressionMethod::DEFLATE].contains(&method) {
            return Err(place.refuse(EntryFault::Method(method.as_u16())));
        }
        let damaged = |error: rawzip::Error| match error.into_kind() {
            ErrorKind::IO(error) => content_broken(place, error),
            _ => place.refuse(EntryFault::Damaged),
        };
        let wayfinder: ZipArchiveEntryWayfinder = entry.wayfinder();
        let content = self.archive.get_entry(wayfinder).map_err(damaged)?;
        let local = content.local_header(&mut self.local_header).map_err(damaged)?;
        let local_name = local.file_path();
        let local_name: &[u8] = local_name.as_ref();
        if local_name != name || local.compression_method() != method {
            return Err(place.refuse(EntryFault::Disagrees));
        }
        let (_, end) = content.compressed_data_range();
        if !self.take(entry.local_header_offset(), end) {
            return Err(place.refuse(EntryFault::Overlaps));
        }
        let declared = entry.uncompressed_size_hint();
        let broken = |error| content_broken(place, error);
        if method == CompressionMethod::STORE {
            let content = content.verifying_reader(content.reader());
            staging.write(place, declared, content, broken)
        } else {
            let content = content.verifying_reader(DeflateDecoder::new(content.reader()));
            staging.write(place, declared, content, broken)
        }
    }

    /// Takes a part of the archive; false if another entry or the directory has a part of it.
    fn take(&mut self, start: u64, end: u64) -> bool {
        let before = self.taken.range(..=start).next_back();
        let after = self.taken.range(start..).next();
        let is_free = before.is_none_or(|(_, &end)| end <= start)
            && after.is_none_or(|(&start, _)| end <= start)
            && end <= self.archive.directory_offset();
        self.taken.insert(start, end);
        is_free
    }
}

/// The refusal for an error in the content of an entry.
fn content_broken(place: &Place, error: io::Error) -> Refusal {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<rawzip::Error>());
    match inner.map(rawzip::Error::kind) {
        Some(ErrorKind::InvalidSize { .. }) => return place.refuse(EntryFault::Size),
        Some(_) => return place.refuse(EntryFault::Damaged),
        None => {}
    }
    match error.kind() {
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::UnexpectedEof => {
            place.refuse(EntryFault::Damaged)
        }
        _ => Refusal::Disk(error),
    }
}

/// The refusal for an error of the archive itself.
fn broken(error: rawzip::Error) -> Refusal {
    match error.into_kind() {
        ErrorKind::IO(error) if error.kind() != io::ErrorKind::UnexpectedEof => {
            Refusal::Disk(error)
        }
        ErrorKind::Eof | ErrorKind::IO(_) | ErrorKind::MissingEndOfCentralDirectory => {
            ArchiveFault::Truncated(Format::Zip).into()
        }
        _ => ArchiveFault::Damaged(Format::Zip).into(),
    }
}
