//! The log tells why a connection is refused, and no secrets.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use super::{ROOT, Server, server_command};

/// A server with a piped log.
fn logging() -> Server {
    let folder = tempfile::tempdir().unwrap();
    let mut command = server_command();
    command
        .args(["--carte", "cartes/petit.txt", "--port", "0", "--joueurs", "2", "--nom-partie"])
        .arg(folder.path().join("score.csv"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    Server::welcomed(command.spawn().unwrap(), folder)
}

/// Sends bytes on a new connection; returns the server's answer once the server has closed the connection.
fn send(server: &Server, bytes: &[u8]) -> Vec<u8> {
    let mut stream = server.connect();
    stream.write_all(bytes).unwrap();
    answer(&mut stream)
}

fn answer(stream: &mut TcpStream) -> Vec<u8> {
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    answer
}

/// Stops a server, and returns its log.
fn log(process: &mut Child) -> String {
    let pid = process.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    process.wait().unwrap();
    let mut log = String::new();
    process.stderr.take().unwrap().read_to_string(&mut log).unwrap();
    log
}

#[test]
fn refused_connections_are_told_with_what_was_found_and_expected() {
    let mut server = logging();
    for _ in 0..3 {
        assert_eq!(send(&server, b"Joueur;\x1b[31mAda#hunter2hunter2\0"), b"refused\n\0");
    }
    assert_eq!(send(&server, b"GET / HTTP/1.1\r\nHost: here\r\n\r\n"), b"refused\n\0");
    assert_eq!(send(&server, b"joueur;Ada#hunter2hunter2"), b"", "no NUL within its time");
    let mut ada = server.connect();
    ada.write_all(b"joueur;Ada#hunter2-hunter2\0").unwrap();
    let mut spectator = server.connect();
    spectator.write_all(b"afficheur;here\0").unwrap();
    let mut state = [0; 6];
    spectator.read_exact(&mut state).unwrap();
    assert_eq!(&state, b"jeu;1\n");
    let log = log(&mut server.process);
    for expected in [
        r#"127.0.0.1: refused: expected "joueur;NAME" or "afficheur;NAME" and a NUL byte, found "Joueur;""#,
        "127.0.0.1: refused: it is a web browser",
        r#"127.0.0.1: sent 25 bytes without the NUL byte that ends a message: "joueur;Ada#…""#,
        "127.0.0.1: the text after the # in its name may be a secret and is not shown",
        "Ada is there, at 127.0.0.1",
    ] {
        let lines = log.lines().filter(|line| line.contains(expected)).count();
        assert_eq!(lines, 1, "{expected:?} in {log}");
    }
    assert!(!log.contains("hunter2") && !log.contains("\x1b[31m"), "{log}");
}

/// Starts a server with a limit of 64 open files, set by this flag of `ulimit`. Checks that a spectator gets in beside
/// 200 idle connections. Returns the log.
fn log_of_a_crowd(ulimit: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new("sh");
    command
        .current_dir(ROOT)
        .args(["-c", &format!("ulimit {ulimit} 64 && exec \"$@\""), "sh"])
        .args([env!("CARGO_BIN_EXE_server"), "--carte", "cartes/petit.txt", "--port", "0"])
        .arg("--nom-partie")
        .arg(folder.path().join("score.csv"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut server = Server::welcomed(command.spawn().unwrap(), folder);
    let _idle: Vec<_> = (0..200).map(|_| server.connect()).collect();
    // With few places, the spectator may be turned away for a moment.
    let is_in = || {
        let mut spectator = server.connect();
        let mut state = [0; 6];
        let shown = spectator.write_all(b"afficheur;here\0");
        shown.and_then(|()| spectator.read_exact(&mut state)).is_ok() && &state == b"jeu;1\n"
    };
    while !is_in() {}
    log(&mut server.process)
}

#[test]
fn the_limit_of_open_files_is_raised_where_that_is_allowed() {
    let log = log_of_a_crowd("-Sn");
    assert!(!log.contains("cannot accept"), "{log}");
}

#[test]
fn a_crowd_leaves_files_to_others_where_few_may_be_open() {
    let log = log_of_a_crowd("-n");
    assert!(!log.contains("cannot accept"), "{log}");
}
