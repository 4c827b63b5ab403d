//! People at the server are told why somebody does not get in, and no secret.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use super::{Server, server_command};

/// A server whose log is read.
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

/// Sends these bytes on a connection of its own, and waits for the server to close it.
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

/// What a server has logged until it is stopped.
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
        "Ada at 127.0.0.1 takes a seat",
    ] {
        let lines = log.lines().filter(|line| line.contains(expected)).count();
        assert_eq!(lines, 1, "{expected:?} in {log}");
    }
    assert!(!log.contains("hunter2") && !log.contains("\x1b[31m"), "{log}");
}
