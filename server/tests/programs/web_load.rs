//! The web page under hostile and careless browsers: neither players nor memory may suffer.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::web::{get, json, live, page_port, with_page};
use crate::{Server, ended_well, interrupt, server_command};

/// Limit of open descriptors of a server.
const DESCRIPTORS: u32 = 256;
/// Number of turns of a long game, which all fit into the page's queue.
const TURNS: usize = 16_000;
/// Maximum memory of the whole server, in KiB.
pub(crate) const MEMORY: u64 = 60 * 1024;

fn connect(port: u16) -> TcpStream {
    let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    stream.set_write_timeout(Some(Duration::from_secs(20))).unwrap();
    stream
}

/// Requests whose heads never end.
pub(crate) fn half_requests(port: u16, count: usize) -> Vec<TcpStream> {
    let half = |_| {
        let mut stream = connect(port);
        // The server may have closed the connection already.
        let _ = stream.write_all(b"GET / HTTP/1.1\r\nHost: local");
        stream
    };
    (0..count).map(half).collect()
}

/// A connection upgraded to a WebSocket, on which the test writes raw frames.
fn raw_socket(port: u16) -> TcpStream {
    let mut stream = connect(port);
    let upgrade = "Host: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
                   Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13";
    let _ = write!(stream, "GET /api/live HTTP/1.1\r\n{upgrade}\r\n\r\n");
    stream
}

/// The peak memory of a process, in KiB.
pub(crate) fn peak(server: &Server) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.process.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

#[test]
fn half_requests_take_no_descriptors_from_players_and_files() {
    let mut command = Command::new("sh");
    let script = format!("ulimit -n {DESCRIPTORS}; exec \"$0\" \"$@\"");
    command.stderr(Stdio::null()).args(["-c", &script]).arg(server_command().get_program());
    let flags = ["--web", "0", "--remplir", "prudent", "--attente", "0"];
    let mut server =
        Server::run(command, &["--carte", "cartes/petit.txt", "--duree", "30"], &flags);
    let port = page_port(&mut server);
    let half = half_requests(port, 2 * DESCRIPTORS as usize);
    assert!(get(port, "/").0.starts_with("HTTP/1.1 200"));
    drop(server.connect());
    ended_well(&server.client("Ada").wait_with_output().unwrap());
    let start = Instant::now();
    let scores = server.folder.path().join("score.csv");
    while std::fs::read_to_string(&scores).map_or(0, |scores| scores.lines().count()) < 4 {
        assert!(start.elapsed() < Duration::from_secs(20), "no scores were written");
        std::thread::sleep(Duration::from_millis(10));
    }
    drop(half);
    interrupt(&server.process);
    assert_eq!(server.end().0, Some(0));
}

#[test]
fn a_request_that_does_not_end_is_given_up() {
    let (mut server, port) = with_page(&["--remplir", "prudent"]);
    let mut half = half_requests(port, 1).remove(0);
    let mut rest = Vec::new();
    // The connection ends without an answer, and before the time-out of this read.
    half.read_to_end(&mut rest).unwrap();
    assert_eq!(String::from_utf8_lossy(&rest), "");
    interrupt(&server.process);
    server.end();
}

#[test]
fn a_browser_that_talks_is_dropped() {
    let (mut server, port) = with_page(&["--remplir", "prudent"]);
    let mut socket = live(port);
    if let tungstenite::stream::MaybeTlsStream::Plain(stream) = socket.get_ref() {
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    }
    for _ in 0..1000 {
        let _ = socket.send(tungstenite::Message::text("hello"));
    }
    // Reads past the first messages to the error, which must not be the time-out of the read.
    let failure = loop {
        if let Err(failure) = socket.read() {
            break failure;
        }
    };
    assert!(!failure.to_string().contains("temporarily unavailable"), "{failure}");
    interrupt(&server.process);
    server.end();
}

#[test]
fn memory_stays_small_whatever_browsers_do() {
    let turns = TURNS.to_string();
    let long = ["--carte", "cartes/petit.txt", "--duree", &turns, "--joueurs", "2"];
    let flags = ["--web", "0", "--remplir", "aleatoire", "--attente", "0"];
    let mut server = Server::run(server_command(), &long, &flags);
    let port = page_port(&mut server);
    let player = server.client("Ada");
    while json(port, "/api/games")["games"][0]["turn"].as_u64().is_none_or(|turn| turn < 1000) {}

    // During the game, the page is hit by half requests, huge messages, and repeated requests for films.
    let half = half_requests(port, 400);
    std::thread::scope(|scope| {
        for _ in 0..30 {
            scope.spawn(|| {
                let mut socket = raw_socket(port);
                // A masked binary message of 64 MiB.
                let head = [&[0x82, 0xff][..], &(64_u64 << 20).to_be_bytes(), &[0; 4]].concat();
                let _ = socket.write_all(&head);
                let zeros = vec![0; 1 << 20];
                let _ = (0..64).try_for_each(|_| socket.write_all(&zeros));
            });
        }
    });
    drop(half);
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    let mut stream = connect(port);
                    let _ = stream.write_all(
                        b"GET /api/games/1/film HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
                    );
                    let _ = std::io::copy(&mut stream, &mut std::io::sink());
                }
            });
        }
        ended_well(&player.wait_with_output().unwrap());
        over.store(true, Ordering::Relaxed);
    });
    // Readers that never read.
    let slow: Vec<_> = (0..200)
        .map(|_| {
            let mut stream = connect(port);
            let request = b"GET /api/games/1/film HTTP/1.1\r\nHost: localhost\r\n\r\n";
            let _ = stream.write_all(request);
            stream
        })
        .collect();
    let start = Instant::now();
    while json(port, "/api/games")["games"][0]["running"] != false {
        assert!(start.elapsed() < Duration::from_secs(60), "the page has not seen the end");
    }
    let film = json(port, "/api/games/1/film");
    assert_eq!(film["frames"].as_array().unwrap().len(), TURNS + 1);
    assert_eq!(film["complete"], true);
    drop(slow);
    let peak = peak(&server);
    assert!(peak < MEMORY, "{peak} KiB");
    interrupt(&server.process);
    assert_eq!(server.end().0, Some(0));
}
