//! Arbitrary uploads: whatever comes, nothing panics, and nothing lies where it should not.

use intake::{Limits, manifest};

use crate::tars::{entry, file, gzip, pax, tar};
use crate::world::World;
use crate::zips::{Zipped, zip};

/// Unpacks an upload, and tests that nothing is left of it.
fn try_out(world: &World, name: &str, upload: &[u8]) {
    let limits = Limits { unpacked: 1 << 16, files: 20, ..Limits::default() };
    if let Ok(unpacked) = world.unpack(name, upload, &limits) {
        assert!(unpacked.files <= limits.files && unpacked.bytes <= limits.unpacked);
        // All files are plain.
        assert_eq!(crate::world::files(unpacked.folder.path()).len(), unpacked.files);
        let _ = manifest(unpacked.folder.path());
    }
    assert!(world.is_clean());
    assert_eq!(world.files().len(), 1);
}

#[test]
fn any_bytes_are_taken_or_refused() {
    let world = World::new();
    bolero::check!().for_each(|bytes: &[u8]| {
        let signed = [&b"PK\x03\x04"[..], bytes, b"PK\x05\x06", bytes].concat();
        try_out(&world, "bot.zip", &signed);
        for name in ["bot.zip", "bot.tar", "bot.tgz", "bot.py", "bot"] {
            try_out(&world, name, bytes);
        }
        try_out(&world, "bot.tgz", &gzip(bytes));
    });
}

#[test]
fn changed_archives_are_taken_or_refused() {
    let world = World::new();
    let zip = zip(&[
        Zipped::deflated("a/bot.py", "print()".repeat(50)),
        Zipped::stored("a/x", "x"),
        Zipped::stored("a/y/", ""),
    ]);
    let tar = tar(&[
        entry(b'5', "a/", ""),
        entry(b'L', "long", "a/long\0"),
        file("short", "x"),
        entry(b'x', "pax", pax("path", "a/bot.py")),
        file("other", "print()"),
    ]);
    let archives = [("bot.zip", zip), ("bot.tar", tar.clone()), ("bot.tgz", gzip(tar))];
    bolero::check!().with_type::<(u8, Vec<(u16, u8)>)>().for_each(|(which, changes)| {
        let (name, archive) = &archives[usize::from(*which) % archives.len()];
        let mut archive = archive.clone();
        for (place, byte) in changes.iter().take(3) {
            let place = usize::from(*place) % archive.len();
            archive[place] = *byte;
        }
        try_out(&world, name, &archive);
    });
}

#[test]
fn any_names_are_taken_or_refused() {
    let world = World::new();
    bolero::check!().with_type::<Vec<Vec<u8>>>().for_each(|names| {
        let files: Vec<_> = names.iter().map(|name| Zipped::stored(name, "x")).collect();
        try_out(&world, "bot.zip", &zip(&files));
        if let Some(name) = names.first() {
            let name: &[u8] = name;
            try_out(&world, "bot.tar", &tar(&[entry(b'L', "long", name), file("x", "x")]));
            try_out(&world, &String::from_utf8_lossy(name), b"#!x\n");
        }
    });
}
