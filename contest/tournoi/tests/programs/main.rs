//! `tournoi` as users run it: real processes, real sockets, real files.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod attacks;
mod course;
mod faults;
mod folders;
mod killed;
mod lan;
mod languages;
mod local;
mod mark;
mod nats;
mod results;
mod trial;
mod verify;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use plan::Outcome;
use tempfile::TempDir;
use tournament::tournament::Tournament;

use killed::numbers_in;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
const MAP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../cartes/petit.txt");

/// A folder in which `tournoi` runs.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tournoi"));
        command.current_dir(self.0.path()).args(arguments).env("LC_ALL", "C");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Runs `tournoi`, which must succeed, and returns its output.
    fn done(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs `tournoi`, which should fail; returns its exit code and its error output.
    fn fails(&self, arguments: &[&str]) -> (Option<i32>, String) {
        let output = self.run(arguments);
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    }

    /// The games that count, in order of their keys.
    fn outcomes(&self, base: &str) -> Vec<Outcome> {
        outcomes(&self.path(base))
    }
}

/// The games in a file of results that count, in order of their keys.
fn outcomes(results: &Path) -> Vec<Outcome> {
    let tournament = Tournament::look(results).unwrap();
    let outcome = |(key, _)| tournament.store().outcome(key).unwrap().unwrap();
    tournament.games().map(outcome).collect()
}

impl Drop for Folder {
    /// Kills all processes that a test has started in the folder, however the test ends.
    fn drop(&mut self) {
        for number in numbers_in(self) {
            let _ = Command::new("kill").args(["-KILL", &number]).status();
        }
    }
}

/// The client program, which belongs to another package. The variable `BUILT` names a folder that already has it.
fn client() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        if let Some(folder) = std::env::var_os("BUILT") {
            return Path::new(&folder).join("client");
        }
        let own = Path::new(env!("CARGO_BIN_EXE_tournoi"));
        let profile = own.parent().unwrap();
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--quiet", "--package", "client", "--bin", "client"]);
        if profile.ends_with("release") {
            build.arg("--release");
        }
        build.arg("--target-dir").arg(profile.parent().unwrap());
        assert!(build.current_dir(ROOT).status().unwrap().success());
        profile.join("client")
    })
}

/// A team that plays with the client program and this bot.
fn client_team(name: &str, bot: &str) -> String {
    let client = client().display();
    format!("{name}={client} --equipe {{nom}} --port {{port}} --ia {bot} --journal off")
}

/// The outcomes of the games, without their times.
fn table(outcomes: &[Outcome]) -> Vec<String> {
    let line = |outcome: &Outcome| {
        let seats: Vec<_> = outcome.seats.iter().map(|s| (&s.team, s.points, s.rank)).collect();
        format!("{} {} {} {seats:?}", outcome.key, outcome.round, outcome.map)
    };
    outcomes.iter().map(line).collect()
}
