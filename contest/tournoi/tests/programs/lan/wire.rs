//! A client, message by message.

use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::process::PATIENCE;

/// A connection to a tournament.
pub(super) struct Wire(BufReader<TcpStream>);

/// An event on a client's connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heard {
    /// A state: turns played, and turns of the game.
    State(u32, u32),
    Quit,
    Refused,
    /// The connection has ended without a farewell.
    Closed,
}

impl Heard {
    /// Tests if a game begins.
    pub(super) fn begins(self) -> bool {
        matches!(self, Self::State(0, _))
    }
}

impl Wire {
    pub(super) async fn connect(port: u16) -> Self {
        let stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
        stream.set_nodelay(true).unwrap();
        Self(BufReader::new(stream))
    }

    pub(super) async fn register(port: u16, name: &str) -> Self {
        let mut wire = Self::connect(port).await;
        wire.send(format!("joueur;{name}\0").as_bytes()).await;
        wire
    }

    /// Registers again; `None` if the tournament is over.
    pub(super) async fn come_back(port: u16, name: &str) -> Option<Self> {
        let stream = TcpStream::connect(("127.0.0.1", port)).await.ok()?;
        let mut wire = Self(BufReader::new(stream));
        wire.send(format!("joueur;{name}\0").as_bytes()).await;
        Some(wire)
    }

    /// Sends these bytes; ignores errors.
    pub(super) async fn send(&mut self, bytes: &[u8]) {
        let _ = self.0.write_all(bytes).await;
    }

    pub(super) async fn answer(&mut self) {
        self.send(b"NS\0").await;
    }

    pub(super) async fn hears(&mut self) -> Heard {
        timeout(PATIENCE, self.next()).await.expect("nothing comes")
    }

    /// Checks that nothing arrives for a while.
    pub(super) async fn hears_nothing(&mut self) {
        let heard = timeout(Duration::from_millis(200), self.next()).await;
        assert!(heard.is_err(), "{heard:?}");
    }

    async fn next(&mut self) -> Heard {
        let mut bytes = Vec::new();
        let read = self.0.read_until(0, &mut bytes).await;
        if read.is_err() || bytes.pop() != Some(0) {
            return Heard::Closed;
        }
        let message = String::from_utf8(bytes).unwrap();
        let (header, rest) = message.split_once('\n').unwrap();
        match header {
            "quit" => Heard::Quit,
            "refused" => Heard::Refused,
            _ => {
                assert!(header.starts_with("jeu;"), "{header}");
                let (elapsed, total) = rest.lines().next().unwrap().split_once(';').unwrap();
                Heard::State(elapsed.parse().unwrap(), total.parse().unwrap())
            }
        }
    }

    /// Plays `turns` turns of one game.
    pub(super) async fn play_turns(&mut self, turns: u32) {
        for _ in 0..turns {
            assert!(matches!(self.hears().await, Heard::State(..)));
            self.answer().await;
        }
    }

    /// Answers all states; returns the number of games that began, and the last event.
    pub(super) async fn play(mut self) -> (u32, Heard) {
        let mut games = 0;
        loop {
            let heard = self.hears().await;
            games += u32::from(heard.begins());
            match heard {
                Heard::State(..) => self.answer().await,
                last => return (games, last),
            }
        }
    }

    /// Answers all states in the background.
    pub(super) fn plays(self) -> JoinHandle<(u32, Heard)> {
        tokio::spawn(self.play())
    }
}
