//! Entries that are no plain files.

use intake::{EntryFault, Quoted, Refusal};

use super::Attempt;
use crate::tars::{entry, file, gzip, link, pax, raw, tar};
use crate::zips::{Zipped, zip};

fn tarred(entries: &[Vec<u8>], name: &str, fault: EntryFault) -> Attempt {
    Attempt::new("bot.tar.gz", gzip(tar(entries)), Refusal::Entry(Quoted::new(name), fault))
}

/// A file with this mode of Unix in a zip archive.
fn zipped(mode: u32, fault: EntryFault) -> Attempt {
    let upload = zip(&[Zipped::stored("evil", "../outside/secret").with_mode(mode)]);
    Attempt::new("bot.zip", upload, Refusal::Entry(Quoted::new("evil"), fault))
}

pub(super) fn attempts() -> Vec<Attempt> {
    let no_size = b"00000000000\0";
    let setuid = raw(b'0', 0o4755, b"evil", no_size, b"", b"");
    let setgid = raw(b'0', 0o2755, b"evil", no_size, b"", b"");
    vec![
        tarred(&[link(b'2', "evil", "../outside/secret")], "evil", EntryFault::Link),
        tarred(
            &[link(b'2', "evil", "../outside"), file("evil/secret", "x")],
            "evil",
            EntryFault::Link,
        ),
        tarred(&[link(b'2', "evil", "/")], "evil", EntryFault::Link),
        tarred(&[link(b'1', "evil", "../outside/secret")], "evil", EntryFault::Link),
        tarred(&[file("a", "x"), link(b'1', "evil", "a")], "evil", EntryFault::Link),
        tarred(&[entry(b'3', "evil", "")], "evil", EntryFault::Special),
        tarred(&[entry(b'4', "evil", "")], "evil", EntryFault::Special),
        tarred(&[entry(b'6', "evil", "")], "evil", EntryFault::Special),
        tarred(&[entry(b'M', "evil", "x")], "evil", EntryFault::Special),
        tarred(&[entry(b'~', "evil", "x")], "evil", EntryFault::Special),
        tarred(&[setuid], "evil", EntryFault::Setuid),
        tarred(&[setgid], "evil", EntryFault::Setuid),
        tarred(&[entry(b'S', "evil", "x")], "evil", EntryFault::Sparse),
        tarred(
            &[entry(b'x', "pax", pax("GNU.sparse.major", "1")), file("evil", "x")],
            "evil",
            EntryFault::Sparse,
        ),
        zipped(0o120_777, EntryFault::Link),
        zipped(0o020_644, EntryFault::Special),
        zipped(0o060_644, EntryFault::Special),
        zipped(0o010_644, EntryFault::Special),
        zipped(0o140_644, EntryFault::Special),
        zipped(0o104_755, EntryFault::Setuid),
    ]
}
