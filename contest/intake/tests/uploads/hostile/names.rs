//! Names of files that would lie elsewhere, collide or mislead.

use intake::{EntryFault, NameFault, Quoted, Refusal};

use super::Attempt;
use crate::tars::{entry, file, gzip, pax, tar};
use crate::zips::{Zipped, zip};

fn refused(name: impl AsRef<[u8]>, fault: EntryFault) -> Refusal {
    Refusal::Entry(Quoted::new(name), fault)
}

/// A file of this name in a zip archive.
fn zipped(name: impl AsRef<[u8]>, fault: NameFault) -> Attempt {
    let upload = zip(&[Zipped::stored("bot.py", "1"), Zipped::stored(&name, "evil")]);
    Attempt::new("bot.zip", upload, refused(name, EntryFault::Name(fault)))
}

/// These files in a zip archive, the last one of which is refused.
fn together(names: &[&str], fault: EntryFault) -> Attempt {
    let files: Vec<_> = names.iter().map(|name| Zipped::stored(name, "x")).collect();
    Attempt::new("bot.zip", zip(&files), refused(names[names.len() - 1], fault))
}

/// A compressed tar archive with these entries, in which an entry of this name is refused.
fn tarred(entries: &[Vec<u8>], name: impl AsRef<[u8]>, fault: EntryFault) -> Attempt {
    Attempt::new("bot.tgz", gzip(tar(entries)), refused(name, fault))
}

pub(super) fn attempts() -> Vec<Attempt> {
    [elsewhere(), characters(), lengths(), collisions(), described()]
        .into_iter()
        .flatten()
        .collect()
}

fn elsewhere() -> Vec<Attempt> {
    vec![
        zipped("../outside/secret", NameFault::Climbs),
        zipped("a/../../outside/secret", NameFault::Climbs),
        zipped("..\\outside\\secret", NameFault::Climbs),
        zipped("a\\..\\..\\outside\\secret", NameFault::Climbs),
        zipped("..", NameFault::Climbs),
        zipped("./..", NameFault::Climbs),
        zipped(".git/../../outside/secret", NameFault::Climbs),
        zipped("/etc/passwd", NameFault::Absolute),
        zipped("//server/share/x", NameFault::Absolute),
        zipped("\\\\server\\share\\x", NameFault::Absolute),
        zipped("C:\\Windows\\x", NameFault::Absolute),
        zipped("c:x", NameFault::Absolute),
        zipped("./C:/x", NameFault::Character(':')),
        zipped("bot.py:hidden", NameFault::Character(':')),
        Attempt::new(
            "../bot.py",
            b"print()".to_vec(),
            refused("../bot.py", EntryFault::Name(NameFault::Separator)),
        ),
        Attempt::new(
            "C:\\bot.py",
            b"print()".to_vec(),
            refused("C:\\bot.py", EntryFault::Name(NameFault::Separator)),
        ),
        tarred(
            &[file("../outside/secret", "x")],
            "../outside/secret",
            EntryFault::Name(NameFault::Climbs),
        ),
        tarred(&[file("/etc/passwd", "x")], "/etc/passwd", EntryFault::Name(NameFault::Absolute)),
    ]
}

fn characters() -> Vec<Attempt> {
    vec![
        zipped("", NameFault::Empty),
        zipped(".", NameFault::Dot),
        zipped("a/./b", NameFault::Dot),
        zipped("a//b", NameFault::Empty),
        zipped("bot.py\0.txt", NameFault::Invisible('\0')),
        zipped("two\nlines.py", NameFault::Invisible('\n')),
        zipped("\u{1b}[31mred.py", NameFault::Invisible('\u{1b}')),
        zipped("yp.\u{202e}tob", NameFault::Invisible('\u{202e}')),
        zipped("bot\u{200b}.py", NameFault::Invisible('\u{200b}')),
        zipped("\u{feff}bot.py", NameFault::Invisible('\u{feff}')),
        zipped(b"strat\xe9gie.py", NameFault::NotUtf8),
        zipped(b"\xff\xfe/x", NameFault::NotUtf8),
        zipped(b"\xc0\xae\xc0\xae/x", NameFault::NotUtf8),
        zipped("bot.py.", NameFault::End),
        zipped("bot.py ", NameFault::End),
        zipped("...", NameFault::End),
        zipped("CON", NameFault::Device),
        zipped("src/aux.py", NameFault::Device),
        zipped("com1.txt", NameFault::Device),
        zipped("what?.py", NameFault::Character('?')),
        zipped("a|b", NameFault::Character('|')),
        Attempt::new(
            "nul.py",
            b"print()".to_vec(),
            refused("nul.py", EntryFault::Name(NameFault::Device)),
        ),
        Attempt::new(
            "b\u{202e}yp.py",
            b"print()".to_vec(),
            refused("b\u{202e}yp.py", EntryFault::Name(NameFault::Invisible('\u{202e}'))),
        ),
    ]
}

fn lengths() -> Vec<Attempt> {
    let wide = "x".repeat(121);
    let long = format!("{0}/{0}/x", "y".repeat(120));
    let huge = "z".repeat(60_000);
    let deep = "d/".repeat(1_000) + "x";
    vec![
        zipped(wide, NameFault::TooLong(120)),
        zipped(long, NameFault::PathTooLong(240)),
        zipped(huge, NameFault::TooLong(120)),
        zipped(&deep, NameFault::TooDeep(12)),
        tarred(
            &[entry(b'L', "././@LongLink", &deep), file("x", "x")],
            deep,
            EntryFault::Name(NameFault::TooDeep(12)),
        ),
    ]
}

fn collisions() -> Vec<Attempt> {
    let case = |other| EntryFault::Case(Quoted::new(other));
    let both = |name| EntryFault::FileAndFolder(Quoted::new(name));
    vec![
        together(&["bot.py", "bot.py"], EntryFault::Twice),
        together(&["bot.py", "./bot.py"], EntryFault::Twice),
        together(&["a/bot.py", "a\\bot.py"], EntryFault::Twice),
        together(&["Bot.py", "bot.py"], case("Bot.py")),
        together(&["É.py", "é.py"], case("É.py")),
        together(&["src/a.py", "SRC/b.py"], case("src")),
        together(&["bot", "bot/main.py"], both("bot")),
        together(&["bot/main.py", "bot"], both("bot")),
        tarred(&[file("a", "1"), file("a", "2")], "a", EntryFault::Twice),
    ]
}

/// Names in the entries before those that they describe.
fn described() -> Vec<Attempt> {
    let climbs = || EntryFault::Name(NameFault::Climbs);
    let path = |path: &str| entry(b'x', "pax", pax("path", path));
    let evil = "../outside/secret";
    let endless = vec![b'n'; 3_000_000];
    vec![
        tarred(&[entry(b'L', "././@LongLink", evil), file("bot.py", "x")], evil, climbs()),
        tarred(&[path(evil), file("bot.py", "x")], evil, climbs()),
        tarred(
            &[path("a\0b"), file("bot.py", "x")],
            "a\0b",
            EntryFault::Name(NameFault::Invisible('\0')),
        ),
        tarred(&[path("a"), path("b"), file("c", "x")], "pax", EntryFault::Damaged),
        tarred(&[entry(b'g', "pax", pax("path", "a")), file("c", "x")], "pax", EntryFault::Damaged),
        tarred(&[entry(b'x', "pax", "no record"), file("c", "x")], "pax", EntryFault::Damaged),
        tarred(&[entry(b'L', "long", &endless), file("c", "x")], "long", EntryFault::Damaged),
        tarred(&[entry(b'x', "pax", &endless), file("c", "x")], "pax", EntryFault::Damaged),
    ]
}
