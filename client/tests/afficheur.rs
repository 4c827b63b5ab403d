//! The program `afficheur` as users run it: in a terminal, against a server on a socket.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod played;

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::num::NonZeroU16;
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use game::pacman::{Reading, Rules, StateText};
use game::pyrat::{self, Start};
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use referee::Cause;
use replay::{Answer, Excerpt, Flaw, Given, PacmanSetup, Recorder, Setup, Turn};

const PROGRAM: &str = env!("CARGO_BIN_EXE_afficheur");
const MAP: &str = include_str!("../../cartes/petit.txt");
/// For anything to happen; only a test that fails waits as long.
const PATIENCE: Duration = Duration::from_secs(30);

/// The program in a terminal of 80×24, and what the terminal shows.
struct Viewer {
    child: Box<dyn Child + Send + Sync>,
    terminal: Box<dyn MasterPty>,
    keys: Box<dyn Write + Send>,
    output: Receiver<Vec<u8>>,
    shown: vt100::Parser,
}

fn size(rows: u16, cols: u16) -> PtySize {
    PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }
}

fn lines(rows: u16, cols: u16) -> (NonZeroU16, NonZeroU16) {
    (NonZeroU16::new(rows).unwrap(), NonZeroU16::new(cols).unwrap())
}

impl Viewer {
    fn start(port: u16, flags: &[&str]) -> Self {
        Self::with(&[&["--port", &port.to_string(), "--insister", "300ms"], flags].concat())
    }

    fn with(flags: &[&str]) -> Self {
        let mut command = CommandBuilder::new(PROGRAM);
        command.args(flags);
        Self::run(command)
    }

    /// With this many KiB of address space: a program that needs more of it aborts.
    fn within(kilobytes: u32, flags: &[&str]) -> Self {
        let mut command = CommandBuilder::new("sh");
        let script = format!("ulimit -v {kilobytes} && exec {PROGRAM} \"$@\"");
        command.args([&["-c", &script, "sh"], flags].concat());
        Self::run(command)
    }

    fn run(mut command: CommandBuilder) -> Self {
        let pair = native_pty_system().openpty(size(24, 80)).unwrap();
        command.env("TERM", "xterm-256color");
        let child = pair.slave.spawn_command(command).unwrap();
        let mut reader = pair.master.try_clone_reader().unwrap();
        let (sender, output) = mpsc::channel();
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            // On Linux, reading fails once the program has gone.
            while let Ok(len @ 1..) = reader.read(&mut buffer) {
                if sender.send(buffer[..len].to_vec()).is_err() {
                    return;
                }
            }
        });
        let keys = pair.master.take_writer().unwrap();
        let (rows, cols) = lines(24, 80);
        let shown = vt100::Parser::new(rows, cols, 100);
        Self { child, terminal: pair.master, keys, output, shown }
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    fn resize(&mut self, rows: u16, cols: u16) {
        self.terminal.resize(size(rows, cols)).unwrap();
        let (rows, cols) = lines(rows, cols);
        self.shown.screen_mut().set_size(rows, cols);
    }

    /// Waits until the terminal shows this.
    fn wait_for(&mut self, text: &str) {
        let deadline = Instant::now() + PATIENCE;
        while !self.contents().contains(text) {
            match self.output.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(bytes) => self.shown.process(&bytes),
                Err(error) => panic!("no {text:?} ({error}) in\n{}", self.contents()),
            }
        }
    }

    fn contents(&self) -> String {
        self.shown.screen().contents()
    }

    /// Waits for the end of the program: its exit code, and what it leaves on the terminal, which
    /// must be as it was before.
    fn end(mut self) -> (u32, String) {
        let code = self.child.wait().unwrap().exit_code();
        // The program was the last one to hold the other end of the terminal.
        while let Ok(bytes) = self.output.recv_timeout(Duration::from_secs(2)) {
            self.shown.process(&bytes);
        }
        assert!(!self.shown.screen().alternate_screen(), "on the wrong screen");
        assert!(!self.shown.screen().hide_cursor(), "without a cursor");
        (code, self.contents())
    }
}

/// A server on a free port, and the first states of a game.
fn server() -> (TcpListener, u16, Vec<Reading>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    (listener, port, played::game(MAP, 20))
}

/// A connection of the viewer, whose registration has been read.
fn accept(listener: &TcpListener, name: &str) -> TcpStream {
    let (mut stream, _) = listener.accept().unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let expected = format!("afficheur;{name}\0");
    let mut registration = vec![0; expected.len()];
    stream.read_exact(&mut registration).unwrap();
    assert_eq!(String::from_utf8(registration).unwrap(), expected);
    stream
}

fn show(stream: &mut TcpStream, reading: &Reading) {
    let mut message = b"jeu;1\n".to_vec();
    message.extend_from_slice(StateText::new(reading.names.clone()).write(&reading.view));
    message.push(0);
    stream.write_all(&message).unwrap();
}

fn show_maze(stream: &mut TcpStream, maze: &pyrat::Maze) {
    let mut message = b"labyrinthe;1\n".to_vec();
    maze.encode(&mut message);
    message.push(0);
    stream.write_all(&message).unwrap();
}

fn show_rats(stream: &mut TcpStream, reading: &pyrat::Reading) {
    let mut message = b"jeu;1\n".to_vec();
    reading.state.encode(&reading.names, &mut message);
    message.push(0);
    stream.write_all(&message).unwrap();
}

#[test]
fn it_shows_a_game_until_the_user_quits() {
    let (listener, port, states) = server();
    let mut viewer = Viewer::start(port, &["--nom", "Beamer"]);
    let mut stream = accept(&listener, "Beamer");
    show(&mut stream, &states[0]);
    viewer.wait_for("turn 0 of 20");
    viewer.wait_for("Les Pacmaniaques");
    viewer.press(" ");
    viewer.wait_for("paused, 0 states behind");
    for state in &states[1..=18] {
        show(&mut stream, state);
    }
    viewer.wait_for("paused, 18 states behind");
    assert!(viewer.contents().contains("turn 0 of 20"));
    viewer.press("\x1b[C");
    viewer.wait_for("paused, 17 states behind");
    viewer.press(" ");
    viewer.wait_for("turn 2 of 20");

    viewer.resize(20, 60);
    viewer.wait_for("needs 80 and 24");
    viewer.resize(30, 100);
    viewer.wait_for("what happened");

    stream.write_all(b"quit\n\0").unwrap();
    viewer.wait_for("the game is over at turn 2");
    viewer.press("q");
    assert_eq!(viewer.end().0, 0);
}

/// A server that plays PyRat is shown as well, and one that comes back with another game.
#[test]
fn it_shows_the_game_that_the_server_plays() {
    let (listener, port, pacman) = server();
    let mut viewer = Viewer::start(port, &["--insister", "2s"]);
    let mut stream = accept(&listener, "afficheur");
    let states = played::rats(15, 13, &Start::Corners, 21);
    show_maze(&mut stream, states[0].state.maze());
    show_rats(&mut stream, &states[0]);
    viewer.wait_for("PyRat   turn 0 of 1000");
    viewer.wait_for("cheese, 21 left");
    for state in &states[1..] {
        show_rats(&mut stream, state);
    }
    viewer.wait_for("eats cheese, none left");
    viewer.wait_for("the game is over");
    viewer.press("\x1b[D");
    viewer.wait_for("paused, 1 state behind");
    viewer.wait_for("cheese, 1 left");
    viewer.press("d");
    viewer.wait_for("▸");
    viewer.press(" ");

    drop(stream);
    let mut stream = accept(&listener, "afficheur");
    show(&mut stream, &pacman[0]);
    viewer.wait_for("Pacman IUT'O   turn 0 of 20");
    viewer.press("\x1b[D");
    viewer.wait_for("cheese, 0 left");
    viewer.press("q");
    assert_eq!(viewer.end().0, 0);
}

/// A recorded game of two players; the first misses every turn, the second is late with "NE".
fn recorded(map: &str, turns: u32) -> Vec<u8> {
    let setup = Setup::Pacman(PacmanSetup {
        map: map.parse().unwrap(),
        rules: Rules::SUJET,
        seed: 1,
        turns,
        names: vec!["Ada".to_owned(), "Bob".to_owned()],
    });
    let mut answers = vec![Given::nothing(Answer::Missed); 2];
    answers[0].cause = Some(Cause::Bot);
    answers[1].excerpt = Some(Excerpt::new(Flaw::Late, b"NE\x1b"));
    let (mut recorder, mut bytes) = Recorder::start(setup);
    for _ in 0..turns {
        bytes.extend(recorder.turn(Turn { answers: answers.clone(), ..Turn::default() }, 0));
    }
    bytes
}

#[test]
fn it_plays_a_recorded_game() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("partie.rejeu");
    std::fs::write(&file, recorded(MAP, 200)).unwrap();
    let mut viewer = Viewer::with(&["--rejouer", file.to_str().unwrap()]);
    viewer.resize(30, 160);
    // A viewer that is late skips states: what is waited for stays for many of them.
    viewer.wait_for("▶ 8 states/s");
    viewer.press("<<<");
    viewer.wait_for("▶ 1 state/s");
    viewer.press("\x1b[F");
    viewer.wait_for("turn 200 of 200");
    viewer.wait_for("A nothing came in time (bot)");
    viewer.wait_for(r#"B nothing came in time, late answer "NE\u{1b}""#);
    viewer.press(" ");
    viewer.wait_for("▶ 1 state/s");
    assert!(!viewer.contents().contains("turn 200 of 200"));
    viewer.press(">>>>>>>>");
    viewer.wait_for("turn 200 of 200");
    viewer.press("q");
    assert_eq!(viewer.end().0, 0);

    std::fs::write(&file, "no recording").unwrap();
    let (code, left) = Viewer::with(&["--rejouer", file.to_str().unwrap()]).end();
    assert_eq!(code, 2);
    assert!(left.replace('\n', "").contains("this is no recording of a game"), "{left}");
}

/// Not all keys of a recording fit into 80 columns in French.
#[test]
fn the_keys_that_fit_are_whole_words() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("partie.rejeu");
    std::fs::write(&file, recorded(MAP, 3)).unwrap();
    let file = file.to_str().unwrap();
    let mut viewer = Viewer::with(&["--rejouer", file, "--langue", "fr"]);
    viewer.wait_for("? aide  q quitter");
    viewer.press("q");
    assert_eq!(viewer.end().0, 0);
}

/// All states of this game at once would take 500 MB.
#[test]
fn a_recording_on_a_large_board_takes_little_memory() {
    let map = format!("500;500\n{}", format!("{}\n", " ".repeat(500)).repeat(500));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("partie.rejeu");
    std::fs::write(&file, recorded(&map, 400)).unwrap();
    let mut viewer = Viewer::within(350_000, &["--rejouer", file.to_str().unwrap()]);
    viewer.wait_for("turn 0 of 400");
    viewer.press("\x1b[F");
    viewer.wait_for("turn 400 of 400");
    viewer.press("\x1b[H");
    viewer.wait_for("turn 0 of 400");
    viewer.press("q");
    assert_eq!(viewer.end().0, 0);
}

#[test]
fn it_leaves_by_itself_when_it_is_asked_to() {
    let (listener, port, states) = server();
    let viewer = Viewer::start(port, &["--quitter"]);
    let mut stream = accept(&listener, "afficheur");
    for state in &states {
        show(&mut stream, state);
    }
    stream.write_all(b"quit\n\0").unwrap();
    assert_eq!(viewer.end().0, 0);
}

#[test]
fn a_request_to_terminate_leaves_the_terminal_as_it_was() {
    let (listener, port, states) = server();
    let mut viewer = Viewer::start(port, &[]);
    show(&mut accept(&listener, "afficheur"), &states[0]);
    viewer.wait_for("turn 0 of 20");
    let pid = viewer.child.process_id().unwrap().to_string();
    assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
    assert_eq!(viewer.end().0, 130);
}

#[test]
fn it_comes_back_when_the_line_drops_and_says_when_the_server_is_gone() {
    let (listener, port, states) = server();
    let mut viewer = Viewer::start(port, &["--insister", "2s"]);
    show(&mut accept(&listener, "afficheur"), &states[0]);
    viewer.wait_for("turn 0 of 20");
    let mut stream = accept(&listener, "afficheur");
    show(&mut stream, &states[9]);
    viewer.wait_for("turn 1 of 20");
    viewer.wait_for("live");
    drop((stream, listener));
    viewer.wait_for("the server is gone");
    assert!(viewer.contents().contains("turn 1 of 20"));
    viewer.press("\x03");
    assert_eq!(viewer.end().0, 130);
}

#[test]
fn a_server_that_is_gone_for_good_makes_a_difference_to_the_exit_code() {
    let (listener, port, states) = server();
    let mut viewer = Viewer::start(port, &["--insister", "0"]);
    show(&mut accept(&listener, "afficheur"), &states[0]);
    drop(listener);
    viewer.wait_for("  the server is gone ");
    viewer.press("q");
    let (code, left) = viewer.end();
    assert_eq!(code, 1);
    assert!(left.contains(&format!("127.0.0.1:{port} is gone")), "{left}");
}

#[test]
fn what_is_wrong_from_the_start_is_told_in_a_line() {
    let (listener, port, _) = server();
    let viewer = Viewer::start(port, &[]);
    accept(&listener, "afficheur").write_all(b"refused\n\0").unwrap();
    let (code, left) = viewer.end();
    assert_eq!(code, 1);
    assert!(left.contains("refused the spectator"), "{left}");

    let viewer = Viewer::start(port, &["--journal", "error"]);
    accept(&listener, "afficheur").write_all(b"hello\n\0").unwrap();
    let (code, left) = viewer.end();
    assert_eq!(code, 1);
    assert!(left.contains("the server sent a message that it should not"), "{left}");

    let viewer = Viewer::start(port, &["--journal", "error"]);
    accept(&listener, "afficheur").write_all(b"quit\n\0").unwrap();
    let (code, left) = viewer.end();
    assert_eq!(code, 1);
    assert!(left.contains("says that the game is over"), "{left}");

    drop(listener);
    let (code, left) = Viewer::start(port, &["--journal", "error"]).end();
    assert_eq!(code, 2);
    assert!(left.starts_with(&format!("error: no server at 127.0.0.1:{port} within")), "{left}");

    let unused = port.to_string();
    let auto = ["--journal", "error", "--serveur", "auto", "--port-mdns", &unused];
    let (code, left) = Viewer::start(port, &auto).end();
    assert_eq!(code, 2);
    assert!(left.starts_with("error: no server announces itself on this network"), "{left}");

    let output = Command::new(PROGRAM).stdin(Stdio::null()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(error, "error: afficheur draws on a terminal, and the standard output is none\n");
}
