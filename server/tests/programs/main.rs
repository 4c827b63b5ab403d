//! The programs as users run them, with real processes, sockets and files.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod browsers;
mod doors;
mod languages;
mod limits;
mod loaded;
mod mdns;
mod practice;
mod recordings;
mod scripts;
mod signals;
mod slips;
mod stopped;
mod web;
mod web_load;

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

use tempfile::TempDir;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// The state folder, in which the servers of these tests keep the last games.
const STATE: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/state");

/// A server on a free port, with a folder of its own for the scores.
struct Server {
    process: Child,
    output: BufReader<ChildStdout>,
    port: u16,
    folder: TempDir,
}

fn server_command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_server"));
    command.env("XDG_STATE_HOME", STATE).env("LC_ALL", "C");
    command.current_dir(ROOT).stdin(Stdio::null()).stderr(Stdio::null());
    command
}

impl Server {
    fn start(flags: &[&str]) -> Self {
        Self::play(&["--carte", "cartes/petit.txt", "--duree", "30"], flags)
    }

    fn play(game: &[&str], flags: &[&str]) -> Self {
        Self::run(server_command(), game, flags)
    }

    /// Starts a server by a command that ends with the path of the program.
    fn run(mut command: Command, game: &[&str], flags: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let process = command
            .current_dir(ROOT)
            .stdin(Stdio::null())
            .args(game)
            .args(["--port", "0", "--nom-partie"])
            .arg(folder.path().join("score.csv"))
            .args(flags)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        Self::welcomed(process, folder)
    }

    /// Reads the port of a started server from its welcome.
    fn welcomed(mut process: Child, folder: TempDir) -> Self {
        let mut output = BufReader::new(process.stdout.take().unwrap());
        let port = port(&mut output);
        Self { process, output, port, folder }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        stream
    }

    fn client(&self, name: &str) -> Child {
        client(name, self.port)
    }

    fn scores(&self) -> String {
        fs::read_to_string(self.folder.path().join("score.csv")).unwrap()
    }

    /// Waits for the end of the server; returns the exit code, and the output since the welcome.
    fn end(&mut self) -> (Option<i32>, String) {
        let mut printed = String::new();
        self.output.read_to_string(&mut printed).unwrap();
        (self.process.wait().unwrap().code(), printed)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The port in the first line of a server's output.
fn port(output: &mut impl BufRead) -> u16 {
    let mut welcome = String::new();
    output.read_line(&mut welcome).unwrap();
    welcome
        .strip_prefix("listening on ")
        .and_then(|rest| rest.split(' ').next()?.rsplit(':').next()?.parse().ok())
        .unwrap_or_else(|| panic!("no port in {welcome:?}"))
}

/// Starts a server on a free port with both outputs piped; returns the process, the standard output and the port.
fn start(command: &mut Command) -> (Child, BufReader<ChildStdout>, u16) {
    let command = command.args(["--port", "0"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut server = command.spawn().unwrap();
    let mut output = BufReader::new(server.stdout.take().unwrap());
    let port = port(&mut output);
    (server, output, port)
}

/// A number of a test that an environment variable can override.
fn from_environment(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).map_or(otherwise, |text| text.parse().unwrap())
}

fn client(name: &str, port: u16) -> Child {
    client_of("prudent", name, port)
}

/// A client with this bot.
fn client_of(bot: &str, name: &str, port: u16) -> Child {
    Command::new(client_program())
        .args(["--equipe", name, "--ia", bot, "--port", &port.to_string(), "--journal", "warn"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Runs a server whose only player is a client; returns its whole output.
fn played(mut server: Command) -> Output {
    let mut process = server.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut output = BufReader::new(process.stdout.take().unwrap());
    let mut log = process.stderr.take().unwrap();
    let said = std::thread::spawn(move || {
        let mut said = Vec::new();
        log.read_to_end(&mut said).map(|_| said)
    });
    let mut player = client("Ada", port(&mut output));
    let player_prints = std::thread::spawn({
        let mut prints = player.stdout.take().unwrap();
        move || std::io::copy(&mut prints, &mut std::io::sink())
    });
    let mut stdout = Vec::new();
    output.read_to_end(&mut stdout).unwrap();
    let status = process.wait().unwrap();
    assert!(player.wait().unwrap().success());
    player_prints.join().unwrap().unwrap();
    Output { status, stdout, stderr: said.join().unwrap().unwrap() }
}

/// The path of the client's program, built on first use.
fn client_program() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| program_of("client", "client"))
}

/// The path of a program of another package, which is built unless the variable `BUILT` names a folder with all
/// programs.
fn program_of(package: &str, program: &str) -> PathBuf {
    if let Some(folder) = std::env::var_os("BUILT") {
        return Path::new(&folder).join(program);
    }
    let server = Path::new(env!("CARGO_BIN_EXE_server"));
    let profile = server.parent().unwrap();
    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--quiet", "--package", package, "--bin", program]);
    if profile.ends_with("release") {
        build.arg("--release");
    }
    build.arg("--target-dir").arg(profile.parent().unwrap());
    assert!(build.current_dir(ROOT).status().unwrap().success());
    profile.join(program)
}

fn ended_well(output: &Output) {
    assert!(output.status.success(), "{output:?}");
}

fn interrupt(process: &Child) {
    let pid = process.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
}

#[test]
fn four_clients_play_a_game_and_everybody_ends() {
    let mut server = Server::start(&["--graine", "3"]);
    let clients = ["Ada", "Bob", "Eve", "Zoé"].map(|name| server.client(name));
    let (code, printed) = server.end();
    assert_eq!(code, Some(0));
    assert!(printed.starts_with("game 1, seed 3: 30 of 30 turns\n"), "{printed}");
    for client in clients {
        let output = client.wait_with_output().unwrap();
        ended_well(&output);
        assert!(String::from_utf8(output.stdout).unwrap().starts_with("game over: rank "));
    }
    let scores = server.scores();
    for column in [
        "Rank", "Player", "Team", "Points", "False", "moves", "Missed", "turns", "Mean", "Longest",
        "thinking",
    ] {
        assert!(printed.contains(column), "{printed}");
    }
    let mut names: Vec<_> = scores.lines().map(|line| line.split(';').next().unwrap()).collect();
    names.sort_unstable();
    assert_eq!(names, ["Ada", "Bob", "Eve", "Zoé"]);
    assert!(scores.lines().all(|line| line.split(';').nth(1).unwrap().parse::<i32>().is_ok()));
}

#[test]
fn short_command_lines_play_a_game() {
    for game in [&[][..], &["cartes/petit.txt"]] {
        let folder = tempfile::tempdir().unwrap();
        let mut server = server_command()
            .args(game)
            .args(["--serveur", "[::1]:0", "--joueurs", "1", "--duree", "2"])
            .current_dir(if game.is_empty() { folder.path() } else { Path::new(ROOT) })
            .arg("--nom-partie")
            .arg(folder.path().join("score.csv"))
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut output = BufReader::new(server.stdout.take().unwrap());
        let address = format!("[::1]:{}", port(&mut output));
        let client = Command::new(client_program())
            .args(["Ada", "--serveur", &address, "--journal", "off"])
            .output()
            .unwrap();
        ended_well(&client);
        output.read_to_end(&mut Vec::new()).unwrap();
        assert!(server.wait().unwrap().success());
        let scores = fs::read_to_string(folder.path().join("score.csv")).unwrap();
        assert!(scores.starts_with("Ada;"), "{game:?}: {scores}");
    }
}

#[test]
fn secrets_are_sent_when_they_are_asked_for() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    for (flags, expected) in [
        (&[][..], "joueur;Ada"),
        (&["--secret=correcthorse"], "joueur;Ada#correcthorse"),
        (&["--secret"], "joueur;Ada#fromthevariable"),
    ] {
        let mut client = Command::new(client_program())
            .env("PACMAN_SECRET", "fromthevariable")
            .args(["--equipe", "Ada", "--journal", "off", "--port", &port])
            .args(flags)
            .spawn()
            .unwrap();
        let (mut stream, _) = listener.accept().unwrap();
        let mut registration = vec![0; expected.len() + 1];
        stream.read_exact(&mut registration).unwrap();
        assert_eq!(String::from_utf8_lossy(&registration), format!("{expected}\0"));
        stream.write_all(b"quit\n\0").unwrap();
        assert!(client.wait().unwrap().success());
    }
}

#[test]
fn enter_starts_the_game() {
    let folder = tempfile::tempdir().unwrap();
    let mut process = server_command()
        .args(["--carte", "cartes/petit.txt", "--port", "0", "--duree", "3", "--attendre-entree"])
        .args(["--remplir", "prudent", "--nom-partie"])
        .arg(folder.path().join("score.csv"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    process.stdin.take().unwrap().write_all(b"\n").unwrap();
    let output = process.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed.contains("press Enter to start\n") && printed.contains("prudent_4"));
}

#[test]
fn an_output_that_nobody_reads_costs_no_scores() {
    let folder = tempfile::tempdir().unwrap();
    let scores = folder.path().join("score.csv");
    let mut process = server_command()
        .args(["--carte", "cartes/petit.txt", "--port", "0", "--duree", "3", "--attendre-entree"])
        .args(["--remplir", "prudent", "--nom-partie"])
        .arg(&scores)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    drop(process.stdout.take());
    process.stdin.take().unwrap().write_all(b"\n").unwrap();
    assert_eq!(process.wait().unwrap().code(), Some(0));
    assert_eq!(fs::read_to_string(scores).unwrap().lines().count(), 4);
}

#[test]
fn scores_that_cannot_be_written_are_said() {
    let mut process = server_command()
        .args(["--carte", "cartes/petit.txt", "--port", "0", "--duree", "3", "--attendre-entree"])
        .args(["--remplir", "prudent", "--nom-partie", "/dev/full"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    process.stdin.take().unwrap().write_all(b"\n").unwrap();
    let output = process.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let log = String::from_utf8(output.stderr).unwrap();
    assert!(log.contains("cannot write the scores to /dev/full: "), "{log}");
    assert!(String::from_utf8(output.stdout).unwrap().contains("prudent_4"));
}

#[test]
fn partie_sh_can_be_interrupted() {
    let mut script = Command::new(format!("{ROOT}/scripts/partie.sh"))
        .args(["--tempo", "50ms", "--nom-partie", "/dev/null"])
        .env("PROFILE", "dev")
        .env("XDG_STATE_HOME", STATE)
        .process_group(0)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut log = BufReader::new(script.stderr.take().unwrap());
    let mut line = String::new();
    while !line.contains("turn 20 of 200") {
        line.clear();
        assert!(log.read_line(&mut line).unwrap() > 0, "the game did not begin");
    }
    // Signals the whole process group, as a terminal does.
    let group = format!("-{}", script.id());
    assert!(Command::new("kill").args(["-INT", "--", &group]).status().unwrap().success());
    let mut printed = String::new();
    script.stdout.take().unwrap().read_to_string(&mut printed).unwrap();
    assert_eq!(script.wait().unwrap().code(), Some(130));
    assert!(printed.contains(" of 200 turns\n") && printed.contains("Points"), "{printed}");
}

#[test]
fn pyrat_is_played_by_programs_of_any_language() {
    let maze = ["--graine", "0", "--boue", "30", "--delai", "10s"];
    let mut server = Server::play(&["pyrat"], &maze);
    let port = server.port.to_string();
    let client = Command::new(client_program())
        .args(["pyrat", "--equipe", "Ratatouille", "--port", &port, "--journal", "warn"])
        .output()
        .unwrap();
    ended_well(&client);
    let said = String::from_utf8(client.stdout).unwrap();
    assert_eq!(said, "game over after 15 turns: rank 1 of 1, 1 cheese\n");
    assert_eq!(server.end().0, Some(0));
    assert_eq!(server.scores(), "Ratatouille;1\n");

    let mut server = Server::play(&["pyrat"], &maze);
    let bot = Command::new("python3")
        .args(["exemples/rat.py", "Ada", "127.0.0.1", &server.port.to_string()])
        .current_dir(ROOT)
        .output()
        .unwrap();
    ended_well(&bot);
    assert_eq!(bot.stdout, b"rank, rang: 1/1, cheese, fromages: 1\n");
    let (code, printed) = server.end();
    assert_eq!(code, Some(0));
    assert!(printed.starts_with("game 1, seed 0: 15 of 1000 turns\n"), "{printed}");
    assert!(printed.contains("Preparation"), "{printed}");
}

#[test]
fn wrong_mazes_are_said_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("maze.json");
    fs::write(&file, r#"{"0": {"1": 1}, "1": {"0": 2}}"#).unwrap();
    let file = file.to_str().unwrap();
    for (flags, expected) in [
        (&["--boue", "200"][..], "expected 0 to 100 % mud, got 200 %"),
        (&["--fromages", "156"], "expected 1 to 155 pieces of cheese"),
        (&["--depart", "195"], "expected a place from 0 to 194, got 195"),
        (&["--depart", "nord"], "expected centre, coins, hasard, meme, or numbers of places"),
        (&["--tours-boue", "x"], "expected the least and the most turns, as 4..9"),
        (&["--labyrinthe", file], "--largeur"),
        (&["--labyrinthe", file, "--largeur", "2"], "takes 1 turns, the way back 2"),
        (&["--labyrinthe", "nowhere", "--largeur", "2"], "cannot read the maze nowhere"),
        (&["--remplir", "prudent"], "there is no bot \"prudent\""),
    ] {
        let output = server_command()
            .arg("pyrat")
            .args(flags)
            .args(["--port", "0", "--nom-partie", "/dev/null"])
            .stderr(Stdio::piped())
            .output()
            .unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{flags:?}: {error}");
        assert!(error.contains(expected), "{flags:?}: {error}");
    }
}

#[test]
fn a_client_as_strict_as_those_of_the_course_reads_every_state() {
    let mut server = Server::start(&["--remplir", "aleatoire", "--attente", "0"]);
    let output = Command::new("python3")
        .current_dir(ROOT)
        .args(["server/tests/programs/course_client.py", &server.port.to_string(), "Strict"])
        .output()
        .unwrap();
    ended_well(&output);
    assert_eq!(output.stdout, b"games 1, turns 30\n");
    assert_eq!(server.end().0, Some(0));
}

#[test]
fn ctrl_c_says_quit_and_saves_the_scores_so_far() {
    let mut server = Server::start(&["--remplir", "prudent", "--attente", "0", "--tempo", "50ms"]);
    let client = server.client("Ada");
    let mut spectator = server.connect();
    spectator.write_all(b"afficheur;Beamer\0").unwrap();
    // The number of bytes covers some turns of nine states each.
    spectator.read_exact(&mut vec![0; 20_000]).unwrap();
    interrupt(&server.process);
    let (code, printed) = server.end();
    assert_eq!(code, Some(130));
    assert!(printed.contains(" of 30 turns\n") && printed.contains("Ada"), "{printed}");
    ended_well(&client.wait_with_output().unwrap());
    let mut rest = Vec::new();
    spectator.read_to_end(&mut rest).unwrap();
    assert!(rest.ends_with(b"\0quit\n\0"));
    assert_eq!(server.scores().lines().count(), 4);
}

#[test]
fn a_client_that_answers_the_last_state_late_still_sees_quit() {
    let mut server = Server::start(&["--joueurs", "1", "--duree", "1"]);
    let mut player = server.connect();
    player.write_all(b"joueur;Ada\0").unwrap();
    let mut received = Vec::new();
    // The first state, and then the last one.
    while received.split(|&byte| byte == 0).count() <= 2 {
        let mut more = [0; 4096];
        let count = player.read(&mut more).unwrap();
        received.extend(&more[..count]);
        player.write_all(b"NN\0").unwrap();
    }
    // If the server closed with unread input, its last messages would be lost.
    player.write_all(&b"NN\0".repeat(100)).unwrap();
    player.shutdown(Shutdown::Write).unwrap();
    player.read_to_end(&mut received).unwrap();
    assert!(received.ends_with(b"\0quit\n\0"));
    assert_eq!(server.end().0, Some(0));
}

#[test]
fn hostile_sockets_harm_nobody() {
    let mut server = Server::start(&["--joueurs", "2", "--duree", "200", "--delai", "200ms"]);
    let mut hostile = Vec::new();
    for bytes in [&b"joueur;"[..], b"GET / HTTP/1.1\r\n\r\n\0", &[b'x'; 5000], b"\0\0\0"] {
        let mut stream = server.connect();
        stream.write_all(bytes).unwrap();
        hostile.push(stream);
    }
    let client = server.client("Ada");
    // This connection floods, never reads, and does not close.
    let mut flood = server.connect();
    flood.write_all(b"joueur;flood\0").unwrap();
    flood.set_write_timeout(Some(Duration::from_millis(100))).unwrap();
    let _ = flood.write_all(&b"\xff\xff\0".repeat(100_000));
    ended_well(&client.wait_with_output().unwrap());
    assert_eq!(server.end().0, Some(0));
}

#[test]
fn wrong_commands_are_said_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let map = folder.path().join("carte.txt");
    fs::write(&map, "3;4\n####\n#..\n####\n").unwrap();
    let map = map.to_str().unwrap();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken_port = taken.local_addr().unwrap().port();
    let port = taken_port.to_string();
    let good = "cartes/petit.txt";
    for (flags, expected) in [
        (&["--carte", "missing.txt"][..], "cannot read the map missing.txt: "),
        (&["cartes/plan2.txt"], "; the maps here are cartes/dense.txt, "),
        (&["plan9"], ", cartes/plan1.txt"),
        (&["--port", "0", "pyrat"], "server pyrat --port 2222`"),
        (&[good, "--carte", good], "cannot be used with"),
        (&["--serveur", "127.0.0.1:1", "--port", "2"], "--host 127.0.0.1:1 or --host 127.0.0.1:2"),
        (&["--serveur", "192.0.2.1", "--port", "0"], "0.0.0.0 lets other machines in"),
        (&["--serveur", "no.such.host.invalid"], "expected an address of this machine"),
        (&["--port", "65536"], "65536 is not in 0..=65535"),
        (
            &["--port", "0", "--web", &port],
            &format!("stop it, or choose another port, as --web {}", taken_port + 1),
        ),
        (&["--enregistrer", "x.rejeu", "--sans-enregistrement"], "cannot be used with"),
        (&["--carte", map], "carte.txt: line 3, column 4: this row has 3 characters, expected 4"),
        (&["--carte", good, "--joueurs", "26", "--nom-partie", "/missing/x"], "/missing/x: "),
        (
            &["--carte", good, "--port", &port],
            &format!("127.0.0.1, port {port}: Address already in use"),
        ),
        (
            &["--serveur", &format!("127.0.0.1:{port}")],
            &format!(
                "(process {}) listens there already; stop it, or choose another port, as --port {}",
                std::process::id(),
                taken_port + 1
            ),
        ),
        (&["--carte", "cartes/petit.txt", "--joueurs", "27"], "27 is not in 1..=26"),
        (&["--carte", good, "--delai", "0"], "expected more than 0"),
        (&["--carte", good, "--tempo", "5"], "as `500ms` or `2s`"),
        (&["--carte", good, "--remplir", "hal"], "there is no bot \"hal\", expected one of:"),
    ] {
        let output = server_command().args(flags).stderr(Stdio::piped()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{flags:?}");
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains(expected), "{flags:?}: {error}");
        assert!(error.starts_with("error: "));
        assert_eq!(output.stdout, b"");
    }
    let small = folder.path().join("small.txt");
    fs::write(&small, "3;4\n####\n#..#\n####\n").unwrap();
    let output =
        server_command().arg("--carte").arg(&small).stderr(Stdio::piped()).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    let expected = "small.txt: line 2, column 1: 4 players need 8 empty cells, the board has 2\n";
    assert!(error.ends_with(expected), "{error}");
}
