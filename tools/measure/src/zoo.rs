//! The cost of hostile peers for honest players: a server with and without a zoo of hostile peers, all in separate
//! processes.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{anyhow, ensure};
use lab::quantile;
use language::said;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::crowd::{allow_files, ensure_local};
use crate::loopback::{UPGRADE, connect, read_message, runtime};

/// Number of players whose turns are measured.
pub const MEASURED: usize = 4;
/// Number of orders with which the flooding player answers each state.
const FLOOD: usize = 20;
/// Seats of the game: of the two players that are not measured, one answers as the others or floods, one never answers.
pub const SEATS: usize = MEASURED + 2;

/// Durations of the turns of honest players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurnTimes {
    /// Number of measured turns of all players together.
    pub measured: usize,
    /// The median duration.
    pub median: Duration,
    /// The 99th percentile.
    pub p99: Duration,
}

/// A game of honest players.
#[derive(Clone, Copy, Debug)]
pub struct Honest {
    /// Thinking time of each player for a state.
    pub thinking: Duration,
    /// Time from the first state to the start of the measurement.
    pub warm_up: Duration,
    /// Duration of the measurement.
    pub measured: Duration,
    /// True if one more player, which is not measured, answers each state with many orders. It runs in the process of
    /// the honest players, because turns wait for its first answer.
    pub has_flood: bool,
}

impl Honest {
    /// Plays, and measures the time from each state to the next one. Calls `seated` as soon as all players have a seat.
    ///
    /// # Errors
    ///
    /// If a connection or `seated` fails.
    pub fn play(
        self,
        address: SocketAddr,
        seated: impl FnOnce() -> io::Result<()>,
    ) -> anyhow::Result<TurnTimes> {
        ensure_local(address)?;
        runtime()?.block_on(async {
            let mut playing = JoinSet::new();
            for number in 0..MEASURED {
                let stream = connect(address, "joueur", number).await?;
                playing.spawn(self.play_one(stream, 1));
            }
            let stream = connect(address, "joueur", MEASURED).await?;
            tokio::spawn(self.play_one(stream, if self.has_flood { FLOOD } else { 1 }));
            let silent = connect(address, "joueur", MEASURED + 1).await?;
            // This player registered last, and a server sends messages only to players with a seat.
            silent.readable().await?;
            seated()?;
            let mut turns = Vec::new();
            while let Some(played) = playing.join_next().await {
                turns.append(&mut played??);
            }
            drop(silent);
            TurnTimes::of(&turns)
        })
    }

    /// Answers each state with this number of orders. Returns the duration of each measured turn.
    async fn play_one(self, mut stream: TcpStream, orders: usize) -> io::Result<Vec<Duration>> {
        let orders = b"EN\0".repeat(orders);
        let mut turns = Vec::new();
        let mut message = Vec::new();
        let mut first = None;
        let mut last: Option<Instant> = None;
        while read_message(&mut stream, &mut message).await? {
            let now = Instant::now();
            let elapsed = now.duration_since(*first.get_or_insert(now));
            if elapsed > self.warm_up + self.measured {
                break;
            }
            // The first state of a game ends no turn.
            let is_turn = !message.get(6..).is_some_and(|state| state.starts_with(b"0;"));
            if let Some(last) = last.filter(|_| is_turn && elapsed > self.warm_up) {
                turns.push(now.duration_since(last));
            }
            last = Some(now);
            if !self.thinking.is_zero() {
                sleep(self.thinking).await;
            }
            stream.write_all(&orders).await?;
        }
        Ok(turns)
    }
}

impl TurnTimes {
    fn of(turns: &[Duration]) -> anyhow::Result<Self> {
        ensure!(
            turns.len() >= 100,
            said!("only {} turns were played", "seulement {} tours ont été joués", turns.len())
        );
        let mut sorted: Vec<f64> = turns.iter().map(Duration::as_secs_f64).collect();
        sorted.sort_by(f64::total_cmp);
        let at = |share| Duration::from_secs_f64(quantile(&sorted, share).unwrap_or_default());
        Ok(Self { measured: turns.len(), median: at(0.5), p99: at(0.99) })
    }

    /// Reads the output of [`Display`](fmt::Display).
    ///
    /// # Errors
    ///
    /// If the text is not three numbers.
    pub fn parse(text: &str) -> anyhow::Result<Self> {
        let numbers: Vec<u64> =
            text.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
        let &[measured, median, p99] = &numbers[..] else {
            return Err(anyhow!(said!(
                "expected three numbers, not {text:?}",
                "trois nombres sont attendus, et non {text:?}"
            )));
        };
        let [median, p99] = [median, p99].map(Duration::from_micros);
        Ok(Self { measured: usize::try_from(measured)?, median, p99 })
    }
}

impl fmt::Display for TurnTimes {
    /// The number of turns, and the median and the 99th percentile in microseconds.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { measured, median, p99 } = self;
        write!(f, "{measured} {} {}", median.as_micros(), p99.as_micros())
    }
}

/// A kind of hostile peer: its messages, and their rate.
#[derive(Clone, Copy, Debug)]
struct Species {
    /// Number of animals of the kind, each with one connection at a time.
    number: usize,
    /// True if the animal connects to the web page instead of the game's port.
    is_web: bool,
    opening: &'static [u8],
    /// Bytes to send repeatedly after the opening, and their number of repetitions in one write.
    chunk: (&'static [u8], usize),
    /// Pause before each chunk.
    pause: Duration,
    /// True if the animal reads from the connection.
    reads: bool,
    /// Duration of a connection, after which the animal connects again.
    stays: Duration,
}

const PEER: Species = Species {
    number: 1,
    is_web: false,
    opening: b"",
    chunk: (b"", 0),
    pause: Duration::from_secs(1),
    reads: true,
    stays: Duration::from_secs(3600),
};

/// A WebSocket message of 4 bytes from a client.
const MESSAGE: &[u8] = b"\x82\x84\0\0\0\0zoo!";
/// The beginning of a WebSocket message of 1 GiB.
const LONG_MESSAGE: &[u8] = b"\x82\xff\0\0\0\0\x40\0\0\0\0\0\0\0";

const ZOO: [Species; 16] = [
    // Idle peers, which the server disconnects after 5 s.
    Species { number: 1000, ..PEER },
    // Unfinished registrations.
    Species { number: 50, opening: b"joueur;Ada", ..PEER },
    // One byte at a time.
    Species { number: 50, chunk: (b"j", 1), pause: ms(100), ..PEER },
    // Malformed registrations, and registrations with a wrong secret.
    Species { number: 20, opening: b"hello\0", stays: ms(200), ..PEER },
    Species { number: 10, opening: b"joueur;client 0#wrongsecret\0", stays: ms(200), ..PEER },
    // A storm of players who come back.
    Species { number: 20, opening: b"joueur;Ada\0", stays: ms(100), ..PEER },
    // An endless message, until the server disconnects.
    Species { number: 5, opening: b"joueur;", chunk: (b"x", 1 << 16), pause: ms(20), ..PEER },
    // Spectators that never read, and spectators that flood.
    Species { number: 20, opening: b"afficheur;deaf\0", reads: false, ..PEER },
    Species {
        number: 5,
        opening: b"afficheur;flood\0",
        chunk: (b"x\0", 2048),
        pause: ms(10),
        ..PEER
    },
    Species { number: 5, opening: b"afficheur;look\0", ..PEER },
    // Slow web clients: half a request, one byte at a time, unread answers.
    Species { number: 100, is_web: true, opening: b"GET / HTTP/1.1\r\nHost: ", ..PEER },
    Species {
        number: 50,
        is_web: true,
        opening: b"GET / HTTP/1.1\r\nA: ",
        chunk: (b"a", 1),
        pause: ms(100),
        ..PEER
    },
    Species {
        number: 20,
        is_web: true,
        opening: b"GET /page.js HTTP/1.1\r\nHost: localhost\r\n\r\n",
        chunk: (b"GET /page.js HTTP/1.1\r\nHost: localhost\r\n\r\n", 1),
        pause: ms(50),
        reads: false,
        ..PEER
    },
    // WebSockets: a flood of messages, messages of 1 GiB, peers that never read.
    Species {
        number: 5,
        is_web: true,
        opening: UPGRADE,
        chunk: (MESSAGE, 100),
        pause: ms(10),
        ..PEER
    },
    Species {
        number: 5,
        is_web: true,
        opening: UPGRADE,
        chunk: (LONG_MESSAGE, 1 << 12),
        pause: ms(20),
        ..PEER
    },
    Species { number: 20, is_web: true, opening: UPGRADE, reads: false, ..PEER },
];

/// Number of hostile peers at once.
fn animals() -> usize {
    ZOO.iter().map(|species| species.number).sum()
}

const fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

/// Runs the zoo against a server and its web page until this process is killed. The process takes the lowest
/// priority of the system, so that the measured processes keep the machine.
///
/// # Errors
///
/// If the addresses are not of this machine.
pub fn run(game: SocketAddr, page: SocketAddr) -> anyhow::Result<()> {
    ensure_local(game)?;
    ensure_local(page)?;
    allow_files(animals())?;
    // A process may always lower its priority.
    #[cfg(unix)]
    let _ = rustix::process::nice(19);
    runtime()?.block_on(async {
        let mut animals = JoinSet::new();
        for species in ZOO {
            for _ in 0..species.number {
                let address = if species.is_web { page } else { game };
                animals.spawn(async move { species.haunt(address).await });
                sleep(ms(1)).await;
            }
        }
        while animals.join_next().await.is_some() {}
    });
    Ok(())
}

impl Species {
    /// Connects again and again.
    async fn haunt(self, address: SocketAddr) {
        loop {
            if let Ok(stream) = TcpStream::connect(address).await {
                // The connection is meant to fail.
                let _ = timeout(self.stays, self.stay(stream)).await;
            }
            sleep(ms(100)).await;
        }
    }

    /// Sends, and reads at the same time, until the connection ends.
    async fn stay(self, mut stream: TcpStream) -> io::Result<()> {
        stream.write_all(self.opening).await?;
        let (mut reader, mut writer) = stream.split();
        let (bytes, times) = self.chunk;
        let chunk = bytes.repeat(times);
        let sends = async {
            loop {
                sleep(self.pause).await;
                writer.write_all(&chunk).await?;
            }
        };
        let reads = async {
            let mut buffer = vec![0; 1 << 14];
            while reader.read(&mut buffer).await? > 0 {}
            Ok(())
        };
        tokio::select! {
            ended = sends => ended,
            ended = reads, if self.reads => ended,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    #[test]
    fn a_flooding_spectator_floods_while_it_is_sent_states() {
        let flooding = Species { chunk: (b"x\0", 2048), pause: ms(300), ..PEER };
        let received = runtime().expect("a runtime").block_on(async {
            let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
            let address = listener.local_addr()?;
            let flood = async { flooding.stay(TcpStream::connect(address).await?).await };
            let server = async {
                let (mut stream, _) = listener.accept().await?;
                let (mut reader, mut writer) = stream.split();
                let states = async {
                    loop {
                        writer.write_all(&[b'.'; 1 << 14]).await?;
                    }
                };
                let mut chunks = vec![0; 3 * 2 * 2048];
                let chunks = reader.read_exact(&mut chunks);
                tokio::select! {
                    ended = states => ended,
                    read = chunks => read,
                }
            };
            let both = async {
                tokio::select! {
                    ended = flood => ended.map(|()| 0),
                    read = server => read,
                }
            };
            timeout(Duration::from_secs(60), both).await?
        });
        assert_eq!(received.expect("the flood arrives"), 3 * 2 * 2048);
    }

    #[test]
    fn turn_times_parse_their_display() {
        let turns = TurnTimes::of(&(1..=201).map(Duration::from_micros).collect::<Vec<_>>())
            .expect("enough");
        assert_eq!(turns.to_string(), "201 101 199");
        assert_eq!(TurnTimes::parse(&turns.to_string()).expect("it is whole"), turns);
        assert!(TurnTimes::parse("1 2").is_err());
    }
}
