//! Tar archives.

use std::cell::Cell;
use std::io::{self, ErrorKind, Read};

use tar::{Archive, EntryType, Header, PaxExtensions};

use crate::staging::{Kind, Staging};
use crate::stream::{Metered, StreamFault};
use crate::{ArchiveFault, EntryFault, Format, Quoted, Refusal};

/// Maximum length of the text that describes the next entry, in bytes.
const DESCRIPTION: u64 = 1 << 16;
/// Number of bytes that headers and padding may take for each file, and for the end.
const HEADERS: u64 = 2_048;

/// Unpacks a tar archive, of which `format` is the outermost layer.
///
/// The library is asked for raw entries: it would keep descriptions of any length in memory, and fill the holes of sparse
/// files.
pub(crate) fn unpack(
    upload: impl Read,
    format: Format,
    staging: &mut Staging<'_>,
) -> Result<(), Refusal> {
    let is_at_end = Cell::new(false);
    let overhead = (staging.limits.files as u64 + 64).saturating_mul(HEADERS);
    let left = staging.limits.unpacked.saturating_add(overhead);
    let mut archive = Archive::new(Metered { reader: upload, left, is_at_end: &is_at_end });
    let limit = staging.limits.unpacked;
    let broken = |error| broken(error, format, limit, is_at_end.get());
    let mut described = Described::default();
    for entry in archive.entries().map_err(broken)?.raw(true) {
        let mut entry = entry.map_err(broken)?;
        let header = entry.header().clone();
        if described.read(&header, &mut entry, broken)? {
            continue;
        }
        let described = std::mem::take(&mut described);
        let name = described.name.unwrap_or_else(|| header.path_bytes().into_owned());
        let damaged = |_| Refusal::Entry(Quoted::new(&name), EntryFault::Damaged);
        let size = header.entry_size().map_err(damaged)?;
        let mode = header.mode().map_err(damaged)?;
        if described.size.is_some_and(|other| other != size) {
            return Err(Refusal::Entry(Quoted::new(&name), EntryFault::Disagrees));
        }
        let kind = if described.is_sparse { Kind::Sparse } else { kind(header.entry_type()) };
        if let Some(place) = staging.admit(&name, kind, mode)? {
            staging.write(&place, size, entry, broken)?;
        }
    }
    // The end is marked by blocks of zeros; without them, files may be missing.
    if is_at_end.get() {
        return Err(ArchiveFault::Truncated(format).into());
    }
    if described != Described::default() {
        return Err(ArchiveFault::Damaged(format).into());
    }
    drain(archive.into_inner(), format).map_err(broken)?
}

/// Reads zeros to the end.
fn drain(mut rest: impl Read, format: Format) -> io::Result<Result<(), Refusal>> {
    let mut buffer = vec![0; 1 << 15];
    loop {
        match rest.read(&mut buffer)? {
            0 => return Ok(Ok(())),
            read if buffer[..read].iter().any(|&byte| byte != 0) => {
                return Ok(Err(ArchiveFault::Trailing(format).into()));
            }
            _ => {}
        }
    }
}

fn kind(of: EntryType) -> Kind {
    match of {
        EntryType::Regular => Kind::File,
        EntryType::Directory => Kind::Folder,
        EntryType::Link | EntryType::Symlink => Kind::Link,
        EntryType::GNUSparse => Kind::Sparse,
        _ => Kind::Special,
    }
}

/// The description of the next entry by the entries before it, in the formats of GNU and of POSIX (PAX).
#[derive(Debug, Default, PartialEq, Eq)]
struct Described {
    name: Option<Vec<u8>>,
    size: Option<u64>,
    is_sparse: bool,
}

impl Described {
    /// Reads an entry that describes the next one; false if this entry is a file or anything else.
    fn read(
        &mut self,
        header: &Header,
        content: &mut impl Read,
        broken: impl Fn(io::Error) -> Refusal,
    ) -> Result<bool, Refusal> {
        let kind = header.entry_type();
        let is_pax = kind.is_pax_local_extensions() || kind.is_pax_global_extensions();
        if !is_pax && !kind.is_gnu_longname() && !kind.is_gnu_longlink() {
            return Ok(false);
        }
        let damaged = || Refusal::Entry(Quoted::new(header.path_bytes()), EntryFault::Damaged);
        let mut text = Vec::new();
        content.take(DESCRIPTION + 1).read_to_end(&mut text).map_err(broken)?;
        if text.len() as u64 > DESCRIPTION {
            return Err(damaged());
        }
        if kind.is_gnu_longname() {
            let name = text.strip_suffix(b"\0").unwrap_or(&text);
            self.set_name(name).ok_or_else(damaged)?;
        } else if is_pax {
            let is_local = kind.is_pax_local_extensions();
            self.read_pax(&text, is_local).ok_or_else(damaged)?;
        }
        Ok(true)
    }

    /// Reads records of PAX; `None` if one is malformed, or gives all entries the same name or size.
    fn read_pax(&mut self, text: &[u8], is_local: bool) -> Option<()> {
        for record in PaxExtensions::new(text) {
            let record = record.ok()?;
            match record.key_bytes() {
                b"path" | b"size" if !is_local => return None,
                b"path" => self.set_name(record.value_bytes())?,
                b"size" => self.size = Some(record.value().ok()?.parse().ok()?),
                key if key.starts_with(b"GNU.sparse.") => self.is_sparse = true,
                _ => {}
            }
        }
        Some(())
    }

    /// Sets the name; `None` if it was set.
    fn set_name(&mut self, name: &[u8]) -> Option<()> {
        self.name.replace(name.to_owned()).is_none().then_some(())
    }
}

/// The refusal for an error of the reader.
fn broken(error: io::Error, format: Format, limit: u64, is_at_end: bool) -> Refusal {
    match (StreamFault::of(&error), error.kind()) {
        (Some(StreamFault::TooMuch), _) => ArchiveFault::TooManyBytes(None, limit).into(),
        (Some(StreamFault::Trailing), _) => ArchiveFault::Trailing(format).into(),
        (None, ErrorKind::UnexpectedEof) => ArchiveFault::Truncated(format).into(),
        (None, ErrorKind::Other) if is_at_end => ArchiveFault::Truncated(format).into(),
        (None, ErrorKind::Other | ErrorKind::InvalidData | ErrorKind::InvalidInput) => {
            ArchiveFault::Damaged(format).into()
        }
        _ => Refusal::Disk(error),
    }
}
