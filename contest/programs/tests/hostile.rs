//! Hostile folders of teams: whatever lies in them, nothing of others comes into a package. `hostile.txt` has the attempts.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::ffi::OsString;
use std::fs::{self, File};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use plan::{CommandLine, Files};
use programs::package::{Package, PackageError, Packages};
use tempfile::TempDir;

const SECRET: &str = "the rival's secret";
const OWN: &str = "Eve's own";
/// Longest time to take a package; an attempt that takes longer hangs the start of a tournament.
const PATIENCE: Duration = Duration::from_secs(60);

/// The folder of a tournament: those of two teams, and the results.
struct World(TempDir);

impl World {
    fn new() -> Self {
        let world = Self(tempfile::tempdir().unwrap());
        for folder in ["eve/data", "eve/src", "ada/bin", "ada/lib", "packages"] {
            fs::create_dir_all(world.at(folder)).unwrap();
        }
        fs::write(world.at("eve/bot.py"), "import helper\n").unwrap();
        fs::write(world.at("eve/data/weights"), OWN).unwrap();
        for secret in ["ada/strategy.py", "ada/bin/bot", "t.sqlite", "key"] {
            fs::write(world.at(secret), SECRET).unwrap();
        }
        world
    }

    fn at(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.path().join(name)
    }

    fn text(&self) -> &str {
        self.0.path().to_str().unwrap()
    }

    /// Does what Eve does to her folder.
    fn prepare(&self, deed: &str) {
        let mut words = deed.split_whitespace().map(|word| unescaped(word, self));
        let Some(what) = words.next() else { return };
        let first = words.next().unwrap();
        let (path, second) = (self.at(&first), words.next().map(|name| self.at(name)));
        match (what.to_str().unwrap(), second) {
            ("link", Some(at)) => symlink(first, at).unwrap(),
            ("hard", Some(at)) => fs::hard_link(path, at).unwrap(),
            ("folder", None) => fs::create_dir_all(path).unwrap(),
            ("file", None) => {
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, OWN).unwrap();
            }
            ("fifo", None) => assert!(Command::new("mkfifo").arg(path).status().unwrap().success()),
            ("socket", None) => drop(UnixListener::bind(path).unwrap()),
            ("sparse", None) => File::create(path).unwrap().set_len(1 << 40).unwrap(),
            ("files", None) => (0..10_001).for_each(|it| {
                File::create(path.join(it.to_string())).unwrap();
            }),
            ("folders", None) => {
                (0..10_001).for_each(|it| fs::create_dir(path.join(it.to_string())).unwrap());
            }
            ("deep", None) => {
                fs::create_dir_all(path.join("d/".repeat(101))).unwrap();
            }
            // Two links in each folder lead to the next one: there are 2²⁰ ways to the last.
            ("twins", None) => (0..20).for_each(|depth| {
                let next = path.join((depth + 1).to_string());
                fs::create_dir_all(&next).unwrap();
                let folder = path.join(depth.to_string());
                fs::create_dir_all(&folder).unwrap();
                for twin in ["a", "b"] {
                    symlink(&next, folder.join(twin)).unwrap();
                }
            }),
            _ => panic!("{deed}"),
        }
    }

    /// Takes the package of Eve's program; `None` if that hangs.
    fn take(&self, command: CommandLine, files: Files) -> Option<Result<Package, PackageError>> {
        let (sender, receiver) = mpsc::channel();
        let packages = Packages::new(self.at("packages"));
        thread::spawn(move || sender.send(packages.take(&command, &files)));
        match receiver.recv_timeout(PATIENCE) {
            Ok(taken) => Some(taken),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => panic!("the thread has panicked"),
        }
    }

    /// The first file below the packages with something in it that is not Eve's.
    fn leak(&self) -> Option<PathBuf> {
        let mut unread = vec![self.at("packages")];
        while let Some(folder) = unread.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    unread.push(path);
                } else if !["import helper\n", OWN, ""].contains(&&*text_of(&path)) {
                    return Some(path);
                }
            }
        }
        None
    }
}

fn text_of(path: &Path) -> String {
    String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned()
}

/// A word of an attempt, in which `\n` and `\xff` are bytes.
fn unescaped(escaped: &str, world: &World) -> OsString {
    let escaped = escaped.replace("{world}", world.text());
    let mut parts = escaped.split('\\');
    let mut bytes = parts.next().unwrap().as_bytes().to_vec();
    for part in parts {
        let (byte, rest) = match part.strip_prefix('x') {
            Some(digits) => (u8::from_str_radix(&digits[..2], 16).unwrap(), &digits[2..]),
            None => (b'\n', &part[1..]),
        };
        bytes.push(byte);
        bytes.extend_from_slice(rest.as_bytes());
    }
    OsString::from_vec(bytes)
}

/// Eve's program, whose folder is hers, or the tournament's if the command names her files.
fn eve(world: &World, line: &str, files: &Files) -> CommandLine {
    let folder = if *files == Files::Folder { world.at("eve") } else { world.at("") };
    let words = line.split(' ').map(|word| word.replace("{world}", world.text())).collect();
    CommandLine { words, folder: folder.canonicalize().unwrap(), environment: [].into() }
}

#[test]
fn nothing_of_others_comes_into_a_package() {
    let (mut tried, mut succeeded, mut wrong) = (0, 0, Vec::new());
    let lines = include_str!("hostile.txt").lines();
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let fields: Vec<_> = line.split('|').map(str::trim).collect();
        let [name, files, command, deeds, expected] = fields[..] else { panic!("{line}") };
        let world = World::new();
        deeds.split(';').for_each(|deed| world.prepare(deed));
        let files = match files {
            "folder" => Files::Folder,
            "named" => Files::Named,
            listed => Files::These(vec![listed.into()]),
        };
        let taken = world.take(eve(&world, command, &files), files);
        let leaked = taken.as_ref().and_then(|_| world.leak());
        tried += 1;
        succeeded += usize::from(leaked.is_some() || taken.is_none());
        let file = |package: &Package, name: &str| {
            let path = world.at("packages").join(&package.hash).join(unescaped(name, &world));
            path.exists().then(|| text_of(&path))
        };
        let (is_right, found) = match (&taken, expected.split_once(": ").unwrap()) {
            (None, _) => (false, "hangs".to_owned()),
            (Some(Err(error)), (kind, words)) => {
                let said = error.to_string();
                let is_plain = said.contains(words) && !said.contains(char::is_control);
                (kind == "refused" && is_plain, format!("refused: {said}"))
            }
            (Some(Ok(package)), ("without", name)) => {
                (file(package, name).is_none(), "taken".to_owned())
            }
            (Some(Ok(package)), (kind, name)) => {
                let is_there = file(package, name).is_some_and(|text| text == OWN);
                (kind == "with" && is_there, "taken".to_owned())
            }
        };
        let leaks = if leaked.is_some() { ", LEAKS" } else { "" };
        println!("{name:22} {found}{leaks}");
        if !is_right || leaked.is_some() {
            wrong.push(format!("{name}: expected {expected}, found {found}{leaks}"));
        }
    }
    println!("{tried} attempts, {succeeded} succeeded");
    assert!(tried > 50 && wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A folder and a file are swapped for links to a rival's again and again while packages are taken.
#[test]
fn a_swap_while_packaging_gains_nothing() {
    let world = World::new();
    fs::write(world.at("ada/weights"), SECRET).unwrap();
    symlink("../ada", world.at("eve/.folder")).unwrap();
    symlink("../key", world.at("eve/.file")).unwrap();
    fs::write(world.at("eve/x"), OWN).unwrap();
    let done = AtomicBool::new(false);
    let packages = Packages::new(world.at("packages"));
    let command = eve(&world, "python3 bot.py", &Files::Folder);
    let (mut taken, mut refused) = (0, 0);
    thread::scope(|scope| {
        scope.spawn(|| {
            let swap = |one: &str, other: &str| {
                for (from, to) in [(one, "eve/.swap"), (other, one), ("eve/.swap", other)] {
                    fs::rename(world.at(from), world.at(to)).unwrap();
                }
            };
            while !done.load(Ordering::Relaxed) {
                swap("eve/data", "eve/.folder");
                swap("eve/x", "eve/.file");
            }
        });
        for _ in 0..500 {
            match packages.take(&command, &Files::Folder) {
                Ok(_) => taken += 1,
                Err(_) => refused += 1,
            }
        }
        done.store(true, Ordering::Relaxed);
    });
    println!("{taken} packages taken, {refused} refused");
    assert_eq!(world.leak(), None);
}
