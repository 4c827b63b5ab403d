//! Uploads that are taken.

use std::collections::BTreeMap;
use std::path::Path;

use intake::{LeftOut, Limits, Unpacked};

use crate::tars::{FILE, entry, file, gzip, pax, raw, tar};
use crate::world::{World, files};
use crate::zips::{Zipped, zip};

/// Unpacks an upload, and compares the files that come out.
fn check(name: &str, upload: &[u8], expected: &[(&str, &str)]) -> (World, Unpacked) {
    let world = World::new();
    let unpacked = world.unpack(name, upload, &Limits::default()).unwrap();
    let found = files(unpacked.folder.path());
    let found: BTreeMap<_, _> =
        found.iter().map(|(name, text)| (name.to_str().unwrap(), &**text)).collect();
    let expected: BTreeMap<_, _> =
        expected.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
    assert_eq!(found, expected);
    assert_eq!(unpacked.files, expected.len());
    let bytes: usize = expected.values().map(|text| text.len()).sum();
    assert_eq!(unpacked.bytes, bytes as u64);
    (world, unpacked)
}

#[cfg(unix)]
fn mode(unpacked: &Unpacked, name: &str) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    let path: &Path = unpacked.folder.path();
    path.join(name).metadata().unwrap().permissions().mode() & 0o7777
}

#[test]
fn single_files_keep_their_names() {
    for (name, content) in [
        ("ada.py", "print('hello')\r\nprint()\r\n"),
        ("stratégie.py", "# é\n"),
        ("bot.js", "console.log(1)"),
        ("Main.java", "class Main {}"),
        ("ada.jar", "PK\x03\x04…"),
        ("BOT.PY", "print()"),
        ("bot", "\x7fELF…"),
        ("bot.sh", "#!/bin/sh\n"),
    ] {
        check(name, content.as_bytes(), &[(name, content)]);
    }
}

#[test]
fn a_folder_removes_itself_when_it_is_dropped() {
    let (world, unpacked) = check("bot.py", b"x", &[("bot.py", "x")]);
    assert!(unpacked.folder.path().starts_with(world.at("parent")) && !world.is_clean());
    drop(unpacked);
    assert!(world.is_clean());
}

#[test]
fn zip_archives_are_unpacked() {
    let bot = Zipped::deflated("main.py", "print()".repeat(1_000));
    let text = "print()".repeat(1_000);
    check(
        "bot.zip",
        &zip(&[bot, Zipped::stored("data/weights", "1")]),
        &[("main.py", &text), ("data/weights", "1")],
    );
    // As Explorer or an old version of .NET writes names.
    let windows = [Zipped::stored("src\\", ""), Zipped::stored("src\\bot.py", "x")];
    let windows = windows.map(|file| Zipped { attributes: 0x20, ..file });
    check(
        "BOT.ZIP",
        &zip(&[windows[0].clone(), windows[1].clone(), Zipped::stored("a", "")]),
        &[("src/bot.py", "x"), ("a", "")],
    );
    check(
        "bot.zip",
        &zip(&[Zipped::stored("Stratégie d'Ada (2).py", "x")]),
        &[("Stratégie d'Ada (2).py", "x")],
    );
}

#[test]
fn tar_archives_are_unpacked_compressed_or_not() {
    let archive = tar(&[
        entry(b'5', "./", ""),
        file("./main.py", "print()"),
        file("./data/weights", "1".repeat(600)),
    ]);
    let ones = "1".repeat(600);
    let expected = [("main.py", "print()"), ("data/weights", &ones)];
    check("bot.tar", &archive, &expected);
    check("bot.tgz", &gzip(&archive), &expected);
    check("bot.tar.gz", &gzip(&archive), &expected);
    // A browser has decompressed it, and another one has not renamed it.
    check("bot.tar.gz", &archive, &expected);
    check("bot.tar", &gzip(&archive), &expected);
    let (first, second) = archive.split_at(700);
    check("bot.tgz", &[gzip(first), gzip(second)].concat(), &expected);
    let padded = [archive, vec![0; 10_240]].concat();
    check("bot.tgz", &gzip(&padded), &expected);
}

#[test]
fn long_names_come_from_gnu_and_from_pax() {
    let long = format!("{}/{}.py", "d".repeat(100), "n".repeat(90));
    let expected = [(long.as_str(), "x"), ("a", "y")];
    let gnu = entry(b'L', "././@LongLink", format!("{long}\0"));
    check("bot.tar", &tar(&[gnu, file("short", "x"), file("a", "y")]), &expected);
    let path = [pax("mtime", "1.5"), pax("path", &long)].concat();
    let global = entry(b'g', "pax_global_header", pax("comment", "0123"));
    let described = [global, entry(b'x', "pax", path), file("short", "x"), file("a", "y")];
    check("bot.tar", &tar(&described), &expected);
}

#[test]
fn a_folder_around_everything_is_removed_once() {
    let files = |names: &[&str]| {
        let files: Vec<_> = names.iter().map(|name| Zipped::stored(name, "x")).collect();
        zip(&files)
    };
    let expected = [("main.py", "x"), ("src/a.py", "x")];
    let github = files(&["ada-bot-main/", "ada-bot-main/main.py", "ada-bot-main/src/a.py"]);
    check("bot.zip", &github, &expected);
    let mac = files(&["ada/main.py", "__MACOSX/ada/._main.py", "ada/src/a.py", "ada/.DS_Store"]);
    let (_, unpacked) = check("bot.zip", &mac, &expected);
    assert_eq!(
        unpacked.left_out,
        [LeftOut { name: ".DS_Store", entries: 1 }, LeftOut { name: "__MACOSX", entries: 1 }]
    );
    let words = unpacked.left_out_words().unwrap();
    assert!(words.en.contains("`__MACOSX` (1)") && words.fr.contains("`.DS_Store` (1)"));
    check("bot.zip", &files(&["a/a/main.py", "a/a/x"]), &[("a/main.py", "x"), ("a/x", "x")]);
    check("bot.zip", &files(&["a/a", "a/b"]), &[("a", "x"), ("b", "x")]);
    check("bot.zip", &files(&["a/x", "b"]), &[("a/x", "x"), ("b", "x")]);
    let (world, unpacked) = check("bot.zip", &files(&["a/x"]), &[("x", "x")]);
    assert_eq!(world.at("parent").read_dir().unwrap().count(), 1);
    assert!(unpacked.left_out_words().is_none());
}

#[test]
fn what_tools_make_is_left_out_whatever_it_is() {
    let deep = format!("node_modules/{}x", "d/".repeat(100));
    let entries = [
        file("bot.py", "x"),
        file("__pycache__/bot.cpython-312.pyc", "x"),
        file(deep, "x"),
        crate::tars::link(b'2', "node_modules/.bin/x", "../../x"),
        crate::tars::link(b'2', ".venv/bin/python", "/usr/bin/python3"),
        file("._bot.py", "x"),
        file("src/.git/config", "x"),
    ];
    let (_, unpacked) = check("bot.tgz", &gzip(tar(&entries)), &[("bot.py", "x")]);
    let found: Vec<_> = unpacked.left_out.iter().map(|one| (one.name, one.entries)).collect();
    let expected = [("._*", 1), (".git", 1), (".venv", 1), ("__pycache__", 1), ("node_modules", 2)];
    assert_eq!(found, expected);
    // These do not count as files.
    let many: Vec<_> = (0..5_000).map(|n| Zipped::stored(format!(".git/{n}"), "")).collect();
    let many = [many, vec![Zipped::stored("bot.py", "x")]].concat();
    check("bot.zip", &zip(&many), &[("bot.py", "x")]);
}

#[test]
fn archives_in_archives_are_files() {
    let inner = zip(&[Zipped::stored("../evil", "x")]);
    let world = World::new();
    let outer = zip(&[Zipped::stored("inner.zip", &inner), Zipped::stored("bot.py", "x")]);
    let unpacked = world.unpack("bot.zip", &outer, &Limits::default()).unwrap();
    assert_eq!(files(unpacked.folder.path())[Path::new("inner.zip")], inner);
}

#[test]
fn limits_are_reached() {
    let world = World::new();
    let deep = format!("{}x", "d/".repeat(12));
    let files: Vec<_> = (0..1_999).map(|n| Zipped::stored(n.to_string(), "")).collect();
    let all = zip(&[files, vec![Zipped::deflated(deep, vec![0; 1_000])]].concat());
    let limits = Limits { unpacked: 1_000, upload: all.len() as u64, ..Limits::default() };
    let unpacked = world.unpack("bot.zip", &all, &limits).unwrap();
    assert_eq!((unpacked.files, unpacked.bytes), (2_000, 1_000));
}

#[cfg(unix)]
#[test]
fn programs_are_executable_and_nothing_else_is() {
    let upload = zip(&[
        Zipped::stored("run", "x").with_mode(0o100_755),
        Zipped::stored("plain", "x").with_mode(0o100_666),
        Zipped::stored("world", "x").with_mode(0o101_777),
        Zipped::stored("script.py", "#!/usr/bin/env python3\r\n").with_mode(0),
        Zipped::stored("elf", "\x7fELF").with_mode(0o100_600),
        Zipped::stored("src/x", "").with_mode(0o100_000),
    ]);
    let world = World::new();
    let unpacked = world.unpack("bot.zip", &upload, &Limits::default()).unwrap();
    for (name, expected) in [
        ("", 0o755),
        ("run", 0o755),
        ("plain", 0o644),
        ("world", 0o755),
        ("script.py", 0o755),
        ("elf", 0o755),
        ("src", 0o755),
        ("src/x", 0o644),
    ] {
        assert_eq!(mode(&unpacked, name), expected, "{name}");
    }
    let run = raw(FILE, 0o700, b"run", b"00000000001\0", b"", b"x");
    let tarred = tar(&[run, file("plain", "x")]);
    let tarred = world.unpack("bot.tar", &tarred, &Limits::default()).unwrap();
    assert_eq!((mode(&tarred, "run"), mode(&tarred, "plain")), (0o755, 0o644));
    let single = world.unpack("bot", b"#!/bin/sh\n", &Limits::default()).unwrap();
    assert_eq!(mode(&single, "bot"), 0o755);
}
