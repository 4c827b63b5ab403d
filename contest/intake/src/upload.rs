//! Uploads: from a file that was received to a folder of plain files.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek};
use std::path::Path;

use language::Note;
use tempfile::TempDir;

use crate::format::{GZIP, ZIP, is_program};
use crate::staging::{Kind, Staging};
use crate::stream::Gunzip;
use crate::{
    ArchiveFault, EntryFault, Format, LeftOut, Limits, NameFault, Quoted, Refusal, left_out, tar,
    zip,
};

/// Number of bytes at the start of a file by which it is recognised.
const START: u64 = 1_024;

/// The files of an upload.
#[derive(Debug)]
pub struct Unpacked {
    /// The folder of the files, which removes itself when it is dropped. Files have the mode 0644, or 0755 if they are
    /// executable; folders have 0755.
    pub folder: TempDir,
    /// Number of files.
    pub files: usize,
    /// Size of all files, in bytes.
    pub bytes: u64,
    /// Files and folders that were left out, in the order of the names.
    pub left_out: Vec<LeftOut>,
}

impl Unpacked {
    /// A sentence for the student that lists what was left out; `None` if nothing was.
    pub fn left_out_words(&self) -> Option<Note> {
        left_out::words(&self.left_out)
    }
}

/// The kind of an upload, by the end of its name.
enum Promise {
    Zip,
    Tar,
    Text,
    Jar,
    Program,
}

/// Unpacks the file `upload`, which the student calls `name`, into a fresh folder in the folder `parent`.
///
/// The end of the name tells the kind of the upload: `.zip`; `.tar.gz`, `.tgz` or `.tar`, compressed or not; otherwise a
/// single file, which keeps its name. This function blocks; its memory does not depend on the size of the upload.
///
/// # Errors
///
/// If the upload is refused, or the files cannot be written; then nothing is left in `parent`. Only a process that is
/// killed leaves a folder there, whose name starts with `.intake-`.
pub fn unpack(
    upload: &Path,
    name: &str,
    parent: &Path,
    limits: &Limits,
) -> Result<Unpacked, Refusal> {
    let file = File::open(upload).map_err(Refusal::Disk)?;
    let length = file.metadata().map_err(Refusal::Disk)?.len();
    if length == 0 {
        return Err(ArchiveFault::Empty.into());
    }
    if length > limits.upload {
        return Err(ArchiveFault::UploadTooLarge(limits.upload).into());
    }
    let mut staging = Staging::new(parent, limits)?;
    fill(&mut staging, file, length, name)?;
    staging.finish()
}

/// Unpacks a file of this length and name.
fn fill(staging: &mut Staging<'_>, mut file: File, length: u64, name: &str) -> Result<(), Refusal> {
    let start = start(&mut file).map_err(Refusal::Disk)?;
    match promise(name) {
        Promise::Zip if !start.starts_with(b"PK") => Err(ArchiveFault::Not(Format::Zip).into()),
        Promise::Zip => zip::unpack(file, staging),
        // Some browsers decompress what they download, and keep its name.
        Promise::Tar if start.starts_with(GZIP) => {
            tar::unpack(Gunzip::new(BufReader::new(file)), Format::Gzip, staging)
        }
        Promise::Tar if !is_tar(&start) => Err(ArchiveFault::Not(Format::Tar).into()),
        Promise::Tar => tar::unpack(BufReader::new(file), Format::Tar, staging),
        single => {
            check_single(&single, name, &start)?;
            copy(file, length, name, staging)
        }
    }
}

fn promise(name: &str) -> Promise {
    let name = name.to_lowercase();
    let ends = |ends: &[&str]| ends.iter().any(|end| name.ends_with(end));
    match () {
        () if ends(&[".zip"]) => Promise::Zip,
        () if ends(&[".tar", ".tar.gz", ".tgz"]) => Promise::Tar,
        () if ends(&[".py", ".js", ".java"]) => Promise::Text,
        () if ends(&[".jar"]) => Promise::Jar,
        () => Promise::Program,
    }
}

/// The first bytes of a file, which is then read from its start again.
fn start(file: &mut File) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    file.take(START).read_to_end(&mut start)?;
    file.rewind()?;
    Ok(start)
}

/// Tests if a file starts as a tar archive: with the checksum of a header, or with the zeros of an empty archive.
fn is_tar(start: &[u8]) -> bool {
    let Some(block) = start.first_chunk::<512>() else { return false };
    let sum = |bytes: &[u8]| bytes.iter().map(|&byte| u32::from(byte)).sum::<u32>();
    // The checksum is taken with blanks in its own place.
    let expected = sum(&block[..148]) + 8 * u32::from(b' ') + sum(&block[156..]);
    let header = ::tar::Header::from_byte_slice(block);
    block.iter().all(|&byte| byte == 0) || header.cksum().is_ok_and(|found| found == expected)
}

/// Tests if a single file is what its name promises.
fn check_single(promise: &Promise, name: &str, start: &[u8]) -> Result<(), Refusal> {
    let quoted = || Quoted::new(name);
    let is_zip = start.starts_with(ZIP);
    if let Promise::Jar = promise {
        return if is_zip { Ok(()) } else { Err(ArchiveFault::Not(Format::Jar).into()) };
    }
    if is_zip {
        return Err(ArchiveFault::Disguised(quoted(), Format::Zip).into());
    }
    if start.starts_with(GZIP) {
        return Err(ArchiveFault::Disguised(quoted(), Format::Gzip).into());
    }
    match promise {
        Promise::Text if start.contains(&0) => Err(ArchiveFault::NotText(quoted()).into()),
        Promise::Program if !is_program(start) => Err(ArchiveFault::UnknownKind(quoted()).into()),
        _ => Ok(()),
    }
}

/// Copies a single file, which may name no folder.
fn copy(file: File, length: u64, name: &str, staging: &mut Staging<'_>) -> Result<(), Refusal> {
    if name.contains(['/', '\\']) {
        let fault = EntryFault::Name(NameFault::Separator);
        return Err(Refusal::Entry(Quoted::new(name), fault));
    }
    match staging.admit(name.as_bytes(), Kind::File, 0)? {
        Some(place) => staging.write(&place, length, file, Refusal::Disk),
        None => Err(ArchiveFault::UnknownKind(Quoted::new(name)).into()),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    /// An archive of files of zeros, each of this many bytes.
    fn zeros(files: usize, bytes: u64) -> Vec<u8> {
        let gzip = GzEncoder::new(Vec::new(), Compression::best());
        let mut archive = ::tar::Builder::new(gzip);
        for file in 0..files {
            let mut header = ::tar::Header::new_gnu();
            header.set_size(bytes);
            header.set_mode(0o644);
            let name = format!("zeros/{file}");
            archive.append_data(&mut header, name, io::repeat(0).take(bytes)).unwrap();
        }
        archive.into_inner().unwrap().finish().unwrap()
    }

    /// Number of files and bytes below a folder.
    fn used(folder: &Path) -> (usize, u64) {
        let sum = |(files, bytes), entry: io::Result<fs::DirEntry>| {
            let found = entry.unwrap();
            let (more, longer) = if found.file_type().unwrap().is_dir() {
                used(&found.path())
            } else {
                (1, found.metadata().unwrap().len())
            };
            (files + more, bytes + longer)
        };
        fs::read_dir(folder).unwrap().fold((0, 0), sum)
    }

    #[test]
    fn nothing_is_written_beyond_the_limits() {
        let world = tempfile::tempdir().unwrap();
        let limits = Limits { unpacked: 1_000_000, files: 50, ..Limits::default() };
        for (files, bytes) in [(30, 100_000), (1, 20_000_000), (60, 10), (60, 16_700)] {
            let upload = world.path().join("upload");
            fs::write(&upload, zeros(files, bytes)).unwrap();
            let mut staging = Staging::new(world.path(), &limits).unwrap();
            let (file, length) =
                (File::open(&upload).unwrap(), fs::metadata(&upload).unwrap().len());
            fill(&mut staging, file, length, "bomb.tgz").unwrap_err();
            let (files, bytes) = used(staging.path());
            assert!(files <= limits.files && bytes <= limits.unpacked, "{files} {bytes}");
        }
    }

    #[test]
    fn content_that_lies_about_its_size_is_not_written_beyond_the_limit() {
        let world = tempfile::tempdir().unwrap();
        let limits = Limits { unpacked: 1_000_000, ..Limits::default() };
        let mut staging = Staging::new(world.path(), &limits).unwrap();
        let place = staging.admit(b"zeros", Kind::File, 0).unwrap().unwrap();
        staging.write(&place, 1_000, io::repeat(0), Refusal::Disk).unwrap_err();
        let place = staging.admit(b"more", Kind::File, 0).unwrap().unwrap();
        staging.write(&place, 1_000_000, io::repeat(0), Refusal::Disk).unwrap_err();
        assert!(used(staging.path()).1 <= limits.unpacked);
    }
}
