//! Archives that are damaged, locked or something else, and files that are no programs.

use intake::{ArchiveFault, EntryFault, Format, LeftOut, Limits, Quoted, Refusal};

use super::Attempt;
use crate::tars::{FILE, entry, file, gzip, pax, raw, tar};
use crate::zips::{Zipped, zip, zip_of};

pub(super) fn attempts() -> Vec<Attempt> {
    [zips(), tars(), gzips(), without_files(), disguises()].into_iter().flatten().collect()
}

/// A zip archive of one file, which is refused.
fn zipped(file: Zipped, fault: EntryFault) -> Attempt {
    let refused = Refusal::Entry(Quoted::new(&file.name), fault);
    Attempt::new("bot.zip", zip(&[file]), refused)
}

fn zips() -> Vec<Attempt> {
    let file = || Zipped::deflated("bot.py", "print()".repeat(100));
    let whole = zip(&[file()]);
    let cut = whole[..whole.len() - 30].to_vec();
    let start = whole[..60].to_vec();
    let mut damaged = file();
    damaged.packed[..4].fill(0xff);
    let short = Zipped { size: 900, ..file() };
    let directory_only = {
        let directory = whole.windows(4).position(|four| four == b"PK\x01\x02").unwrap();
        [b"PK\x03\x04", &whole[directory..]].concat()
    };
    let after = [&whole[..], b"more"].concat();
    let before = [b"MZ", &whole[..]].concat();
    vec![
        Attempt::new("bot.zip", after, ArchiveFault::Trailing(Format::Zip)),
        Attempt::new("bot.zip", before, ArchiveFault::Not(Format::Zip)),
        zipped(Zipped { flags: 1, ..file() }, EntryFault::Encrypted),
        zipped(Zipped { flags: 1 << 6, ..file() }, EntryFault::Encrypted),
        zipped(Zipped { method: 12, ..file() }, EntryFault::Method(12)),
        zipped(Zipped { method: 93, ..file() }, EntryFault::Method(93)),
        zipped(Zipped { method: 99, flags: 1, ..file() }, EntryFault::Encrypted),
        zipped(Zipped { crc: 1, ..file() }, EntryFault::Damaged),
        zipped(Zipped { local_name: b"other.py".to_vec(), ..file() }, EntryFault::Disagrees),
        zipped(damaged, EntryFault::Damaged),
        zipped(short, EntryFault::Size),
        zipped(Zipped { offset: Some(70_000), ..file() }, EntryFault::Damaged),
        Attempt::new("bot.zip", cut, ArchiveFault::Truncated(Format::Zip)),
        Attempt::new("bot.zip", start, ArchiveFault::Truncated(Format::Zip)),
        Attempt::new("bot.zip", zip_of(&[file()], 2), ArchiveFault::Damaged(Format::Zip)),
        Attempt::new("bot.zip", directory_only, ArchiveFault::Damaged(Format::Zip)),
    ]
}

fn tars() -> Vec<Attempt> {
    let whole = tar(&[file("bot.py", "print()"), file("other.py", "print()")]);
    let mut wrong_sum = whole.clone();
    wrong_sum[1_024 + 1] ^= 1;
    let no_size = raw(FILE, 0o644, b"evil", b"no number\0\0\0", b"", b"");
    let size = entry(b'x', "pax", pax("size", "3"));
    let damaged = |name| Refusal::Entry(Quoted::new(name), EntryFault::Damaged);
    let disagrees = Refusal::Entry(Quoted::new("bot.py"), EntryFault::Disagrees);
    let trailing = [whole.clone(), file("hidden", "x")].concat();
    vec![
        Attempt::new("bot.tar", whole[..700].to_vec(), ArchiveFault::Truncated(Format::Tar)),
        Attempt::new("bot.tar", whole[..1_024].to_vec(), ArchiveFault::Truncated(Format::Tar)),
        Attempt::new("bot.tar", whole[..1_100].to_vec(), ArchiveFault::Truncated(Format::Tar)),
        Attempt::new("bot.tar", wrong_sum, ArchiveFault::Damaged(Format::Tar)),
        Attempt::new(
            "bot.tar",
            tar(&[file("a", "x"), no_size]),
            ArchiveFault::Damaged(Format::Tar),
        ),
        Attempt::new("bot.tar", tar(&[size, file("bot.py", "print()")]), disagrees),
        Attempt::new(
            "bot.tar",
            tar(&[raw(FILE, 0o644, b"evil", b"00000000000\0", b"", b"")])
                .into_iter()
                .enumerate()
                .map(|(place, byte)| if (100..107).contains(&place) { b'z' } else { byte })
                .collect(),
            ArchiveFault::Not(Format::Tar),
        ),
        Attempt::new("bot.tar", tar(&[mode_of_letters()]), damaged("evil")),
        Attempt::new("bot.tar", trailing, ArchiveFault::Trailing(Format::Tar)),
        Attempt::new(
            "bot.tar",
            tar(&[file("a", "x"), entry(b'L', "long", "b")]),
            ArchiveFault::Damaged(Format::Tar),
        ),
    ]
}

/// A file whose mode is no number, with the right checksum.
fn mode_of_letters() -> Vec<u8> {
    let mut header = raw(FILE, 0, b"evil", b"00000000000\0", b"", b"");
    header[100..107].fill(b'z');
    header[148..156].fill(b' ');
    let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    header
}

fn gzips() -> Vec<Attempt> {
    let archive = tar(&[file("bot.py", "print()".repeat(1_000))]);
    let whole = gzip(&archive);
    let mut wrong_sum = whole.clone();
    let sum = whole.len() - 8;
    wrong_sum[sum] ^= 1;
    let mut damaged = whole.clone();
    damaged[20..30].fill(0xff);
    let garbage = [&whole[..], b"garbage"].concat();
    let second = [whole.clone(), gzip("more")].concat();
    vec![
        Attempt::new(
            "bot.tgz",
            whole[..whole.len() - 12].to_vec(),
            ArchiveFault::Truncated(Format::Gzip),
        ),
        Attempt::new("bot.tgz", whole[..15].to_vec(), ArchiveFault::Truncated(Format::Gzip)),
        Attempt::new("bot.tgz", wrong_sum, ArchiveFault::Damaged(Format::Gzip)),
        Attempt::new("bot.tgz", damaged, ArchiveFault::Damaged(Format::Gzip)),
        Attempt::new("bot.tgz", garbage, ArchiveFault::Trailing(Format::Gzip)),
        Attempt::new("bot.tgz", second, ArchiveFault::Trailing(Format::Gzip)),
        Attempt::new("bot.tgz", gzip(&archive[..600]), ArchiveFault::Truncated(Format::Gzip)),
        Attempt::new(
            "bot.tar.gz",
            gzip("print()".repeat(100)),
            ArchiveFault::Damaged(Format::Gzip),
        ),
    ]
}

fn without_files() -> Vec<Attempt> {
    let only = |name, entries| ArchiveFault::NoFiles(vec![LeftOut { name, entries }]);
    let folders = [Zipped::stored("a/", ""), Zipped::stored("a/b/", "")];
    let apple = [Zipped::stored("__MACOSX/._bot.py", "x"), Zipped::stored("__MACOSX/", "")];
    vec![
        Attempt::new("bot.zip", zip(&[]), ArchiveFault::NoFiles(Vec::new())),
        Attempt::new("bot.zip", zip(&folders), ArchiveFault::NoFiles(Vec::new())),
        Attempt::new("bot.zip", zip(&apple), only("__MACOSX", 2)),
        Attempt::new("bot.tar", tar(&[]), ArchiveFault::NoFiles(Vec::new())),
        Attempt::new("bot.tar", tar(&[entry(b'5', "a/", "")]), ArchiveFault::NoFiles(Vec::new())),
        Attempt::new("bot.tgz", gzip(tar(&[file(".git/HEAD", "x")])), only(".git", 1)),
    ]
}

fn disguises() -> Vec<Attempt> {
    let archive = zip(&[Zipped::stored("bot.py", "print()")]);
    let disguised = |name, format| ArchiveFault::Disguised(Quoted::new(name), format);
    let unknown = |name| ArchiveFault::UnknownKind(Quoted::new(name));
    let not_text = |name| ArchiveFault::NotText(Quoted::new(name));
    let utf16 = "print()".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let tiny = Limits { upload: 10, ..Limits::default() };
    let text = b"print('hello')".to_vec();
    vec![
        Attempt::new("bot.py", Vec::new(), ArchiveFault::Empty),
        Attempt::new("bot.zip", Vec::new(), ArchiveFault::Empty),
        Attempt::new("bot.py", text.clone(), ArchiveFault::UploadTooLarge(10)).within(tiny),
        Attempt::new("bot.zip", text.clone(), ArchiveFault::Not(Format::Zip)),
        Attempt::new("bot.tar.gz", text.clone(), ArchiveFault::Not(Format::Tar)),
        Attempt::new("bot.tgz", archive.clone(), ArchiveFault::Not(Format::Tar)),
        Attempt::new("bot.jar", text.clone(), ArchiveFault::Not(Format::Jar)),
        Attempt::new("bot.py", archive.clone(), disguised("bot.py", Format::Zip)),
        Attempt::new("bot", archive, disguised("bot", Format::Zip)),
        Attempt::new("bot.js", gzip("x"), disguised("bot.js", Format::Gzip)),
        Attempt::new("bot.py", b"\x7fELF\0\0".to_vec(), not_text("bot.py")),
        Attempt::new("Main.java", utf16, not_text("Main.java")),
        Attempt::new("notes.txt", text.clone(), unknown("notes.txt")),
        Attempt::new("bot.exe", b"MZ\x90\0".to_vec(), unknown("bot.exe")),
        Attempt::new("bot.rar", b"Rar!\x1a\x07".to_vec(), unknown("bot.rar")),
        Attempt::new("", text.clone(), unknown("")),
        Attempt::new(".DS_Store", b"#!/bin/sh\n".to_vec(), unknown(".DS_Store")),
    ]
}
