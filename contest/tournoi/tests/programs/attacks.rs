//! Programs that attack the tournament: each attack succeeds without isolation, and fails with it.

use std::collections::BTreeSet;
use std::fs::{self, Permissions};
use std::io::Write;
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::process::Output;
use std::thread;

use plan::{FaultKind, Outcome};

use crate::killed::processes_in;
use crate::{Folder, MAP, client};

const BOTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/bots");
const SECRET: &str = "key-of-the-organiser";

/// Greets all clients of some services of the organiser; returns the ports of TCP and UDP.
fn serve(folder: &Folder) -> (u16, u16) {
    fn greet<S: Write>(mut guests: impl Iterator<Item = std::io::Result<S>> + Send + 'static) {
        thread::spawn(move || {
            while let Some(Ok(mut guest)) = guests.next() {
                let _ = guest.write_all(b"hello");
            }
        });
    }
    let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = tcp.local_addr().unwrap().port();
    greet(std::iter::from_fn(move || Some(tcp.accept().map(|(guest, _)| guest))));
    let name = SocketAddr::from_abstract_name(folder.0.path().as_os_str().as_encoded_bytes());
    for listener in [
        UnixListener::bind(folder.path("socket")).unwrap(),
        UnixListener::bind_addr(&name.unwrap()).unwrap(),
    ] {
        greet(std::iter::from_fn(move || Some(listener.accept().map(|(guest, _)| guest))));
    }
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let udp = socket.local_addr().unwrap().port();
    thread::spawn(move || {
        while let Ok((_, guest)) = socket.recv_from(&mut [0; 16]) {
            let _ = socket.send_to(b"hello", guest);
        }
    });
    (port, udp)
}

/// Plays four games of a hostile program and three rivals at a level of isolation.
fn attack(level: &str) -> (Folder, Output) {
    let folder = Folder::new();
    let (port, udp) = serve(&folder);
    let base = folder.path("tournoi.sqlite").display().to_string();
    let path = folder.0.path().display();
    // Files that a command names belong to its program: these are not named as paths.
    let mallory = format!(
        "Mallory=python3 {BOTS}/hostile.py {{port}} folder=@{path} secret={SECRET} service={port} udp={udp} results=@{base} \
         rival=@{BOTS}/faulty.py"
    );
    let rival = |name: &str| format!("{name}=python3 {BOTS}/faulty.py {{port}} well @{path}");
    let [ada, bob, eve] = ["Ada", "Bob", "Eve"].map(rival);
    let game = ["jouer", "--carte", MAP, "--duree", "12", "--delai", "20s", "--base", &base];
    let teams = ["--equipe", &mallory, "--equipe", &ada, "--equipe", &bob, "--equipe", &eve];
    let limits = ["--memoire", "256MiB", "--processus", "64", "--brouillon", "8MiB"];
    let mut command =
        folder.command(&[&game[..], &teams, &limits, &["--isolement", level]].concat());
    let output = command.env("API_KEY", SECRET).output().unwrap();
    (folder, output)
}

/// The attacks that succeeded by the hostile program's own output, and all that it tried.
fn attacks(folder: &Folder) -> (BTreeSet<String>, BTreeSet<String>) {
    let text = fs::read_to_string(folder.path("tournoi.journaux/Mallory.txt")).unwrap();
    let name = |line: &str| line.split(' ').nth(1).unwrap_or_default().to_owned();
    let said =
        |word: &'static str| text.lines().filter(move |line| line.starts_with(word)).map(name);
    let succeeded: BTreeSet<_> = said("SUCCEEDED ").collect();
    let tried = said("failed ").chain(succeeded.iter().cloned()).collect();
    (succeeded, tried)
}

#[test]
fn attacks_succeed_without_isolation() {
    let (folder, output) = attack("aucun");
    assert!(output.status.success(), "{output:?}");
    let (succeeded, mut tried) = attacks(&folder);
    // At all levels, the environment is a new one and no process survives. Written files are seen here.
    for attack in ["leave_survivors", "environment", "write_beside"] {
        assert!(tried.remove(attack), "{tried:?}");
    }
    assert_eq!(succeeded, tried);
    assert_eq!(processes_in(&folder), 0);
    assert!(folder.path("dropped").exists());
}

#[test]
fn attacks_fail_with_isolation_and_nobody_suffers() {
    let strict = attack("strict");
    let is_strict = strict.1.status.code() != Some(2);
    // Only root has all protections, unless `LACKS` names some that this machine has not.
    let may_lack = !rustix::process::geteuid().is_root() || std::env::var_os("LACKS").is_some();
    assert!(is_strict || may_lack, "{:?}", strict.1);
    let levels = if is_strict { vec![strict, attack("auto")] } else { vec![attack("auto")] };
    for (folder, output) in levels {
        assert!(output.status.success(), "{output:?}");
        let said = String::from_utf8(output.stdout).unwrap();
        let is_isolated = said.contains("Programs are isolated");
        assert_eq!(is_isolated, is_strict, "{said}");
        let (succeeded, tried) = attacks(&folder);
        println!("{} attacks through tournoi, {} succeeded", tried.len(), succeeded.len());
        assert_eq!(tried.len(), 34, "{tried:?}");
        if is_isolated {
            assert!(succeeded.is_empty(), "{succeeded:?}");
        }
        let games = folder.outcomes("tournoi.sqlite");
        assert_eq!(games.len(), 4);
        for seat in games.iter().flat_map(|game| &game.seats) {
            assert!(seat.fault.is_none() && seat.thinking.missed() == 0, "{seat:?}");
        }
        assert_eq!(processes_in(&folder), 0);
        assert!(!folder.path("dropped").exists());
    }
}

/// A tournament in a folder of the system, where programs see more than elsewhere. Ada's program is in a folder `bin`
/// beside its libraries, as an interpreter is.
#[test]
fn a_spy_finds_nothing_of_others_in_a_folder_of_the_system() {
    // Only root can write there.
    let folder = tempfile::tempdir_in("/opt").or_else(|_| tempfile::tempdir());
    let folder = Folder(folder.unwrap());
    fs::set_permissions(folder.0.path(), Permissions::from_mode(0o755)).unwrap();
    for inner in ["ada/bin", "ada/lib", "eve"] {
        fs::create_dir_all(folder.path(inner)).unwrap();
    }
    fs::copy(format!("{BOTS}/faulty.py"), folder.path("ada/lib/faulty.py")).unwrap();
    fs::copy(format!("{BOTS}/spy.py"), folder.path("eve/spy.py")).unwrap();
    let script = "#!/bin/sh\nexec python3 \"$(dirname \"$0\")/../lib/faulty.py\" \"$@\"\n";
    fs::write(folder.path("ada/bin/bot"), script).unwrap();
    fs::set_permissions(folder.path("ada/bin/bot"), Permissions::from_mode(0o755)).unwrap();
    fs::write(folder.path("tournoi.toml"), "# the commands of all teams").unwrap();
    let wanted = [
        "ada",
        "ada/bin/bot",
        "ada/lib/faulty.py",
        "eve/spy.py",
        "tournoi.toml",
        "tournoi.sqlite",
        "tournoi.sqlite-wal",
        "tournoi.journaux",
        "tournoi.journaux/*",
        "tournoi.paquets/*/ada/lib/faulty.py",
    ];
    let path = folder.0.path().display();
    let wanted: Vec<_> = wanted.iter().map(|name| format!("@{path}/{name}")).collect();
    let eve = format!("Eve=python3 eve/spy.py @eve/spy.py {}", wanted.join(" "));
    let ada = "Ada=ada/bin/bot {port} well";
    let game = ["jouer", "--carte", MAP, "--duree", "12", "--delai", "20s"];
    folder.done(&[&game[..], &["--equipe", ada, "--equipe", &eve]].concat());
    let games = folder.outcomes("tournoi.sqlite");
    assert_eq!(games.len(), 4);
    for ada in games.iter().flat_map(|game| &game.seats).filter(|seat| seat.team == "Ada") {
        assert!(ada.fault.is_none() && ada.thinking.missed() == 0, "{ada:?}");
    }
    let text = fs::read_to_string(folder.path("tournoi.journaux/Eve.txt")).unwrap();
    let said = |word: &str| text.lines().filter(|line| line.starts_with(word)).count();
    assert_eq!(said("SUCCEEDED eve/spy.py"), 4, "its own file: {text}");
    assert_eq!((said("SUCCEEDED"), said("failed")), (4, 4 * wanted.len()), "{text}");
}

/// Plays four games of Ada's program and a good program at the level `auto`.
fn against_a_good_one(ada: &str, flags: &[&str]) -> Vec<Outcome> {
    let folder = Folder::new();
    let good = format!("Bob=python3 {BOTS}/faulty.py {{port}} well");
    let game = ["jouer", "--carte", MAP, "--duree", "12", "--delai", "20s"];
    folder.done(&[&game[..], &["--equipe", ada, "--equipe", &good], flags].concat());
    let games = folder.outcomes("tournoi.sqlite");
    assert_eq!(games.len(), 4);
    for bob in games.iter().flat_map(|game| &game.seats).filter(|seat| seat.team == "Bob") {
        assert!(bob.fault.is_none() && bob.thinking.missed() == 0, "{bob:?}");
    }
    assert_eq!(processes_in(&folder), 0);
    games
}

#[test]
fn program_that_exceeds_its_limits_is_blamed_alone() {
    for (how, flags, detail) in [
        ("eat", &["--memoire", "128MiB"][..], "memory"),
        ("fork", &["--processus", "40"], "too many processes"),
        ("burn", &["--cpu", "1s"], "processor time"),
    ] {
        let ada = format!("Ada=python3 {BOTS}/faulty.py {{port}} {how}");
        for game in against_a_good_one(&ada, flags) {
            let ada = game.seats.iter().find(|seat| seat.team == "Ada").unwrap();
            let fault = ada.fault.clone().unwrap();
            assert_eq!(fault.kind, FaultKind::Crashed, "{how}: {fault:?}");
            assert!(fault.detail.en.contains(detail), "{how}: {fault:?}");
            assert!(ada.usage.as_ref().unwrap().cpu.is_some());
        }
    }
}

#[test]
fn a_program_that_is_being_written_plays_from_its_copy() {
    let folder = Folder::new();
    fs::copy(client(), folder.path("bot")).unwrap();
    // An open writer makes execution fail with ETXTBSY.
    let _writer = fs::File::options().append(true).open(folder.path("bot")).unwrap();
    let team = "Ada=./bot --equipe {nom} --port {port} --journal off";
    folder.done(&["jouer", "--carte", MAP, "--duree", "5", "--equipe", team]);
    let games = folder.outcomes("tournoi.sqlite");
    assert_eq!(games.len(), 4);
    assert!(
        games.iter().flat_map(|game| &game.seats).all(|seat| seat.fault.is_none()),
        "{games:?}"
    );
}

#[test]
fn a_program_that_is_changed_during_a_tournament_plays_on_as_it_was() {
    let folder = Folder::new();
    let script = |version: &str| {
        let text = fs::read_to_string(format!("{BOTS}/faulty.py")).unwrap();
        fs::write(folder.path("ada.py"), format!("print({version:?}, flush=True)\n{text}"))
            .unwrap();
    };
    script("version one");
    let team = "Ada=python3 ada.py {port} well";
    let game = ["jouer", "--carte", MAP, "--duree", "12", "--parallele", "1", "--equipe", team];
    let mut playing = folder.command(&game).spawn().unwrap();
    let journal = folder.path("tournoi.journaux/Ada.txt");
    while !journal.exists() {
        assert!(playing.try_wait().unwrap().is_none(), "it ended before its first game did");
        thread::yield_now();
    }
    script("version two");
    assert!(playing.wait().unwrap().success());
    let text = fs::read_to_string(&journal).unwrap();
    assert_eq!((text.matches("version one").count(), text.matches("version two").count()), (4, 0));
    let versions = |games: &[Outcome]| {
        let seats = games.iter().flat_map(|game| &game.seats).filter(|seat| !seat.is_house);
        seats.map(|seat| seat.version.clone()).collect::<BTreeSet<_>>()
    };
    let before = versions(&folder.outcomes("tournoi.sqlite"));
    let said = folder.done(&["reprendre"]);
    assert!(said.contains("Ada has changed"), "{said}");
    let after = versions(&folder.outcomes("tournoi.sqlite"));
    assert!(before.len() == 1 && after.len() == 1 && before != after, "{before:?} {after:?}");
}

#[test]
fn bots_that_think_at_once_on_few_cores_are_not_blamed() {
    let folder = Folder::new();
    let teams: Vec<_> = ["Ada", "Bob", "Eve", "Zoe"]
        .iter()
        .flat_map(|name| {
            ["--equipe".to_owned(), format!("{name}=python3 {BOTS}/faulty.py {{port}} think")]
        })
        .collect();
    let teams: Vec<_> = teams.iter().map(String::as_str).collect();
    let game = ["jouer", "--carte", MAP, "--duree", "3", "--delai", "500ms"];
    folder.done(&[&game[..], &teams].concat());
    let games = folder.outcomes("tournoi.sqlite");
    assert_eq!(games.len(), 4);
    for seat in games.iter().flat_map(|game| &game.seats) {
        assert_eq!((&seat.fault, seat.thinking.misses.bot), (&None, 0), "{seat:?}");
    }
}
