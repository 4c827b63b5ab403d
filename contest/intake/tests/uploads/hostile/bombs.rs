//! Uploads that would fill the disk or the memory, or take for ever.

use intake::{ArchiveFault, EntryFault, Limits, Quoted, Refusal};

use super::Attempt;
use crate::tars::{FILE, entry, file, gzip, raw, tar};
use crate::zips::{Zipped, zip};

const MEGABYTE: u64 = 1_000_000;

fn small() -> Limits {
    Limits { unpacked: MEGABYTE, ..Limits::default() }
}

/// More bytes than a megabyte, from this entry on.
fn too_much(name: &str) -> ArchiveFault {
    ArchiveFault::TooManyBytes(Some(Quoted::new(name)), MEGABYTE)
}

pub(super) fn attempts() -> Vec<Attempt> {
    [zips(), tars(), numbers()].into_iter().flatten().collect()
}

fn zips() -> Vec<Attempt> {
    let zeros = vec![0; 1_500_000];
    let part = Zipped::deflated("x", &zeros[..300_000]);
    let named = |name: String| Zipped {
        name: name.clone().into(),
        local_name: name.into(),
        ..part.clone()
    };
    let parts: Vec<_> = (0..9).map(|number| named(number.to_string())).collect();
    let bomb = Zipped::deflated("bomb", &zeros);
    let lying = Zipped { size: 10, ..bomb.clone() };
    let large = Zipped { size: 4_000_000_000, ..Zipped::stored("bomb", "x") };
    // Each entry of the directory tells the place of the same content.
    let shared = vec![Zipped { offset: Some(0), ..Zipped::stored("x", "x") }; 9];
    let renamed: Vec<_> = (0..9)
        .map(|n| Zipped { name: vec![b'a' + n], local_name: b"a".to_vec(), ..shared[0].clone() })
        .collect();
    // The second local header lies in the content of the first one.
    let inner = Zipped::stored("inner", "x");
    let header = zip(std::slice::from_ref(&inner));
    let quoting = Zipped::stored("outer", &header[..36]);
    let place = u32::try_from(30 + quoting.name.len()).unwrap();
    let quoted = zip(&[quoting, Zipped { offset: Some(place), ..inner }]);
    let overlaps = |name| Refusal::Entry(Quoted::new(name), EntryFault::Overlaps);
    vec![
        Attempt::new("bot.zip", zip(&parts), too_much("3")).within(small()),
        Attempt::new("bot.zip", zip(&[bomb]), too_much("bomb")).within(small()),
        Attempt::new(
            "bot.zip",
            zip(&[lying]),
            Refusal::Entry(Quoted::new("bomb"), EntryFault::Size),
        ),
        Attempt::new(
            "bot.zip",
            zip(&[large]),
            ArchiveFault::TooManyBytes(Some(Quoted::new("bomb")), 100 * MEGABYTE),
        ),
        Attempt::new("bot.zip", zip(&shared), Refusal::Entry(Quoted::new("x"), EntryFault::Twice)),
        Attempt::new(
            "bot.zip",
            zip(&renamed),
            Refusal::Entry(Quoted::new("b"), EntryFault::Disagrees),
        ),
        Attempt::new("bot.zip", quoted, overlaps("inner")),
        Attempt::new("bot.zip", over_directory(), overlaps("x")),
    ]
}

/// A file whose content is said to reach into the directory of its archive.
fn over_directory() -> Vec<u8> {
    let mut archive = zip(&[Zipped::stored("x", "content")]);
    let directory = archive.windows(4).position(|four| four == b"PK\x01\x02").unwrap();
    for size in [directory + 20, directory + 24] {
        archive[size..size + 4].copy_from_slice(&40_u32.to_le_bytes());
    }
    archive
}

fn tars() -> Vec<Attempt> {
    let zeros = vec![0; 300_000];
    let files: Vec<_> = (0..9).map(|number| file(number.to_string(), &zeros)).collect();
    let ten_gigabytes = |name: &[u8]| {
        // Sizes above 8 GiB are binary.
        let mut size = [0; 12];
        size[0] = 0x80;
        size[4..].copy_from_slice(&10_000_000_000_u64.to_be_bytes());
        raw(FILE, 0o644, name, &size, b"", b"x")
    };
    let endless_name = raw(b'L', 0o644, b"long", b"77777777777\0", b"", &vec![b'n'; 1 << 17]);
    // As 42 kB that unpack to 4 GB: members that repeat each other.
    let member = gzip(vec![0; 1_000_000]);
    let mut repeated = gzip(raw(FILE, 0o644, b"bomb", b"35000000000\0", b"", b""));
    repeated.extend(member.repeat(4_000));
    let mut after_end = gzip(tar(&[file("bot.py", "x")]));
    after_end.extend(member.repeat(4_000));
    let hidden = gzip(tar(&[
        file("bot.py", "x"),
        entry(FILE, ".git/pack", vec![0; 2_000_000]),
        file("x", "x"),
    ]));
    let far = || ArchiveFault::TooManyBytes(None, MEGABYTE);
    let many_members = [gzip(tar(&[file("bot.py", "x")])), gzip([]).repeat(4_500)].concat();
    let declared = ArchiveFault::TooManyBytes(Some(Quoted::new("bomb")), 100 * MEGABYTE);
    vec![
        Attempt::new("bot.tgz", gzip(tar(&files)), too_much("3")).within(small()),
        Attempt::new("bot.tar", tar(&files), too_much("3")).within(small()),
        Attempt::new("bot.tar", tar(&[ten_gigabytes(b"bomb")]), declared.clone()),
        Attempt::new("bot.tgz", repeated, declared),
        Attempt::new("bot.tgz", after_end, far()).within(small()),
        Attempt::new("bot.tgz", hidden, far()).within(Limits { files: 10, ..small() }),
        Attempt::new(
            "bot.tar",
            tar(&[ten_gigabytes(b".git/pack")]),
            ArchiveFault::Truncated(intake::Format::Tar),
        ),
        Attempt::new(
            "bot.tgz",
            gzip(tar(&[endless_name])),
            Refusal::Entry(Quoted::new("long"), EntryFault::Damaged),
        ),
        Attempt::new("bot.tgz", many_members, ArchiveFault::Trailing(intake::Format::Gzip)),
    ]
}

fn numbers() -> Vec<Attempt> {
    let many = |name: &str| ArchiveFault::TooManyFiles(Quoted::new(name), 2_000);
    let zipped: Vec<_> = (0..60_000).map(|n| Zipped::stored(format!("f/{n}"), "")).collect();
    let folders: Vec<_> = (0..60_000).map(|n| Zipped::stored(format!("{n}/"), "")).collect();
    let tarred: Vec<u8> = (0..10_000).flat_map(|n| file(format!("f/{n}"), "")).collect();
    let thin: Vec<_> = (0..500).map(|n| Zipped::stored(format!("{n}/a/b/c/d/e/x"), "")).collect();
    vec![
        Attempt::new("bot.zip", zip(&zipped), many("f/2000")),
        Attempt::new("bot.zip", zip(&folders), many("2000/")),
        Attempt::new(
            "bot.tgz",
            gzip(tar(&[tarred])),
            ArchiveFault::TooManyFiles(Quoted::new("f/100"), 100),
        )
        .within(Limits { files: 100, ..small() }),
        Attempt::new(
            "bot.zip",
            zip(&thin),
            ArchiveFault::TooManyFiles(Quoted::new("16/a/b/c/d/e/x"), 100),
        )
        .within(Limits { files: 100, ..small() }),
    ]
}
