//! Tar archives byte by byte, which may say anything.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

/// A regular file.
pub(crate) const FILE: u8 = b'0';

/// An entry of a tar archive of this kind, with its padding.
pub(crate) fn entry(kind: u8, name: impl AsRef<[u8]>, content: impl AsRef<[u8]>) -> Vec<u8> {
    let content = content.as_ref();
    let size = format!("{:011o}\0", content.len());
    raw(kind, 0o644, name.as_ref(), size.as_bytes(), b"", content)
}

/// A regular file.
pub(crate) fn file(name: impl AsRef<[u8]>, content: impl AsRef<[u8]>) -> Vec<u8> {
    entry(FILE, name, content)
}

/// A link to `target`.
pub(crate) fn link(kind: u8, name: &str, target: &str) -> Vec<u8> {
    raw(kind, 0o777, name.as_bytes(), b"00000000000\0", target.as_bytes(), b"")
}

/// An entry with these fields and this content.
pub(crate) fn raw(
    kind: u8,
    mode: u32,
    name: &[u8],
    size: &[u8],
    target: &[u8],
    content: &[u8],
) -> Vec<u8> {
    let mut header = vec![0; 512];
    let mut put = |place: usize, bytes: &[u8]| {
        header[place..place + bytes.len()].copy_from_slice(bytes);
    };
    put(0, name);
    put(100, format!("{mode:07o}\0").as_bytes());
    put(108, b"0000000\0");
    put(116, b"0000000\0");
    put(124, size);
    put(136, b"00000000000\0");
    put(148, b"        ");
    put(156, &[kind]);
    put(157, target);
    put(257, b"ustar\x0000");
    let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    header.extend(content);
    header.resize(header.len().next_multiple_of(512), 0);
    header
}

/// A record of PAX.
pub(crate) fn pax(key: &str, value: &str) -> Vec<u8> {
    let rest = format!(" {key}={value}\n");
    let digits = (1..9).find(|digits| (rest.len() + digits).to_string().len() == *digits);
    format!("{}{rest}", rest.len() + digits.unwrap()).into_bytes()
}

/// An archive of these entries, with its end.
pub(crate) fn tar(entries: &[Vec<u8>]) -> Vec<u8> {
    let mut archive = entries.concat();
    archive.extend([0; 1024]);
    archive
}

/// Compresses bytes.
pub(crate) fn gzip(bytes: impl AsRef<[u8]>) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes.as_ref()).unwrap();
    encoder.finish().unwrap()
}
