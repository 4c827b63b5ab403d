//! The program `tournoi lan`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpStream, UdpSocket};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::timeout;

use crate::{Folder, MAP};

/// Longest wait for any event.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);

/// A tournament over a LAN, which is killed when it is dropped.
pub(super) struct Lan {
    process: Child,
    stdin: Option<ChildStdin>,
    lines: mpsc::UnboundedReceiver<String>,
    errors: JoinHandle<String>,
    said: String,
    pub(super) port: u16,
    pub(super) mdns_port: String,
}

impl Lan {
    /// Starts a small tournament with long deadlines.
    pub(super) async fn begin(folder: &Folder, flags: &[&str]) -> Self {
        let game = ["--carte", MAP, "--duree", "6", "--delai", "30s", "--formule", "suisse"];
        Self::start(folder, &[&game, flags].concat()).await
    }

    /// Starts a tournament with these flags.
    pub(super) async fn start(folder: &Folder, flags: &[&str]) -> Self {
        let mdns_port = mdns_port();
        let mut command = command(folder, &mdns_port, flags);
        let mut process = command.stdin(Stdio::piped()).spawn().unwrap();
        let (stdin, stdout) = (process.stdin.take(), process.stdout.take().unwrap());
        let (sender, lines) = mpsc::unbounded_channel();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
        let mut stderr = process.stderr.take().unwrap();
        let errors = thread::spawn(move || {
            let mut text = String::new();
            let _ = stderr.read_to_string(&mut text);
            text
        });
        let mut lan =
            Self { process, stdin, lines, errors, said: String::new(), port: 0, mdns_port };
        let line = lan.says("listening on ").await;
        lan.port = line.rsplit_once(':').unwrap().1.parse().unwrap();
        lan
    }

    /// Waits for a line of output that contains `part`, and returns it.
    pub(super) async fn says(&mut self, part: &str) -> String {
        loop {
            let line = timeout(PATIENCE, self.lines.recv()).await.ok().flatten();
            let line = line.unwrap_or_else(|| panic!("no {part:?} in:\n{}", self.said));
            self.note(&line);
            if line.contains(part) {
                return line;
            }
        }
    }

    fn note(&mut self, line: &str) {
        self.said.push_str(line);
        self.said.push('\n');
    }

    /// The address of the live page, and the organiser's token.
    pub(super) async fn page(&mut self) -> Page {
        let line = self.says("for the organiser only").await;
        let (address, token) = line.split_once("/#jeton=").unwrap();
        let port = address.rsplit_once(':').unwrap().1.parse().unwrap();
        Page { port, token: token.to_owned() }
    }

    pub(super) fn press_enter(&mut self) {
        self.stdin.as_mut().unwrap().write_all(b"\n").unwrap();
    }

    pub(super) fn signal(&self, signal: &str) {
        let pid = self.process.id().to_string();
        assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
    }

    /// Waits for the end; returns the exit code, the output and the error output.
    pub(super) async fn end(mut self) -> (Option<i32>, String, String) {
        loop {
            let line = timeout(PATIENCE, self.lines.recv()).await;
            let line = line.unwrap_or_else(|_| panic!("it goes on after:\n{}", self.said));
            let Some(line) = line else { break };
            self.note(&line);
        }
        let code = self.process.wait().unwrap().code();
        let errors = std::mem::replace(&mut self.errors, thread::spawn(String::new));
        (code, std::mem::take(&mut self.said), errors.join().unwrap())
    }

    /// Waits for a successful end; returns the output.
    pub(super) async fn ends_well(self) -> String {
        let (code, said, errors) = self.end().await;
        assert_eq!((code, errors.as_str()), (Some(0), ""), "{said}");
        said
    }
}

impl Drop for Lan {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A live page.
pub(super) struct Page {
    pub(super) port: u16,
    pub(super) token: String,
}

impl Page {
    /// Performs an action with this token; returns the status of the answer.
    pub(super) fn act(&self, action: &str, token: &str, more: &str) -> u16 {
        self.ask(&format!("POST /api/{action}"), token, more).0
    }

    /// Asks with this token who is refused; returns the status and the text of the answer.
    pub(super) fn refused(&self, token: &str) -> (u16, String) {
        self.ask("GET /api/refused", token, "")
    }

    fn ask(&self, what: &str, token: &str, more: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let head = format!("{what} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0");
        let rest = format!("Authorization: Bearer {token}\r\n{more}Connection: close\r\n\r\n");
        stream.write_all(format!("{head}\r\n{rest}").as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, text) = answer.split_once("\r\n\r\n").unwrap();
        (head.split(' ').nth(1).unwrap().parse().unwrap(), text.to_owned())
    }

    /// Follows the tournament until the page is told all these texts.
    pub(super) fn is_told(&self, texts: &[&str]) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
                       Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n";
        write!(stream, "GET /api/live HTTP/1.1\r\nHost: localhost\r\n{upgrade}").unwrap();
        let (mut told, mut part) = (Vec::new(), [0; 4096]);
        while !texts.iter().all(|text| String::from_utf8_lossy(&told).contains(text)) {
            match stream.read(&mut part).unwrap() {
                0 => panic!("closed after {:?}", String::from_utf8_lossy(&told)),
                size => told.extend_from_slice(&part[..size]),
            }
        }
    }

    /// Performs an action as the organiser.
    pub(super) fn organise(&self, action: &str) {
        assert_eq!(self.act(action, &self.token, ""), 202, "{action}");
    }
}

/// `tournoi lan` on this machine only.
pub(super) fn command(folder: &Folder, mdns_port: &str, flags: &[&str]) -> Command {
    let own = ["lan", "--serveur", "127.0.0.1", "--port", "0", "--port-mdns", mdns_port];
    let mut command = folder.command(&[&own, flags].concat());
    // The wrong secrets of a test need no warnings.
    command.args(["--journal", "error"]);
    command
}

/// A UDP port for multicast DNS that no other process on this machine uses.
pub(super) fn mdns_port() -> String {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).unwrap();
    socket.local_addr().unwrap().port().to_string()
}
