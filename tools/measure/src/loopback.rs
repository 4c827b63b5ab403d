//! Turns per second of games over TCP on one machine, compared with a bare exchange of the same bytes.
//!
//! Both run the server on one thread and all clients on another, each a current-thread runtime, with
//! the same trivial clients; so their ratio is the cost of the game on top of the sockets.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use arena::{Observation, Pacman, Series, SeriesControls, Settings};
use game::pacman::{Map, Rules, Seeded, State, StateText};
use language::said;
use protocol::ServerMessage;
use pulse::Pulse;
use server::page;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc;

use crate::throughput::PLAYERS;

/// The clients' answer to every state.
const ORDERS: &[u8] = b"EN\0";

/// The measurements of a game over TCP.
#[derive(Clone, Copy, Debug)]
pub struct Exchange {
    /// Turns per second, from the first state to the last.
    pub turns_per_second: f64,
    /// CPU time of the server's thread for each turn; `None` on systems where it is not measured.
    pub server_cpu_per_turn: Option<Duration>,
}

/// Plays a game with four trivial players, some spectators, and some browsers that watch it live.
///
/// # Errors
///
/// When sockets or threads fail.
pub fn game(
    map: &Map,
    rules: Rules,
    seed: u64,
    turns: u32,
    spectators: usize,
    browsers: usize,
) -> anyhow::Result<Exchange> {
    let settings = Settings { turns, seed, players: PLAYERS, ..Settings::default() };
    let game = Box::new(Pacman::new(map.clone(), rules));
    let page = if browsers > 0 { Some(watched_by(browsers)?) } else { None };
    exchange(turns, spectators, move |listener| async move {
        let settings = Settings { pulse: Pulse::start(), ..settings };
        let (mut series, SeriesControls { host, .. }) = Series::new(settings, game, 0);
        if let Some(page) = page {
            series.observe(page.into());
        }
        let listening = tokio::spawn(async move { host.listen(listener).await });
        series.run().await;
        listening.abort();
        Ok(())
    })
}

/// Starts a web page with `browsers` live connections, which read and discard its messages.
fn watched_by(browsers: usize) -> anyhow::Result<mpsc::Sender<Observation>> {
    let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let address = listener.local_addr()?;
    let page = page::serve(listener, server::page::PageSettings::default())?;
    let (ready, all_ready) = std::sync::mpsc::channel();
    thread::spawn(move || -> io::Result<()> {
        runtime()?.block_on(async {
            let mut looking = Vec::new();
            for _ in 0..browsers {
                let mut stream = TcpStream::connect(address).await?;
                stream.write_all(UPGRADE).await?;
                looking.push(tokio::spawn(look_on(stream)));
            }
            let _ = ready.send(());
            for browser in looking {
                browser.await??;
            }
            Ok(())
        })
    });
    all_ready
        .recv()
        .with_context(|| said!("the browsers did not come", "les navigateurs ne sont pas venus"))?;
    Ok(page)
}

/// A browser's request to watch live, by a WebSocket.
pub(crate) const UPGRADE: &[u8] =
    b"GET /api/live HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n\
    Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
    Sec-WebSocket-Version: 13\r\n\r\n";

/// Exchanges the bytes of a game without playing: repeatedly the same state to each of four clients,
/// then an order from each.
///
/// # Errors
///
/// When sockets or threads fail.
pub fn bare_barrier(map: &Map, rules: Rules, seed: u64, turns: u32) -> anyhow::Result<Exchange> {
    let message = first_state(map, rules, seed, turns);
    exchange(turns, 0, move |listener| async move {
        let mut clients = Vec::new();
        for _ in 0..PLAYERS {
            let (stream, _) = listener.accept().await?;
            stream.set_nodelay(true)?;
            clients.push(stream);
        }
        for client in &mut clients {
            read_message(client, &mut Vec::new()).await?;
        }
        barrier(&mut clients, &message, turns).await?;
        Ok(())
    })
}

pub(crate) fn first_state(map: &Map, rules: Rules, seed: u64, turns: u32) -> Vec<u8> {
    let state = State::start(map, rules, turns, PLAYERS, &mut Seeded::new(seed));
    let names = (0..PLAYERS).map(|player| format!("client {player}")).collect();
    let mut message = Vec::new();
    let mut text = StateText::new(names);
    ServerMessage::State { id: "A", state: text.write(state.view()) }.encode(&mut message);
    message.push(0);
    message
}

/// Sends a message to each client and reads an order from each, once for each turn and the final state; then says
/// goodbye.
pub(crate) async fn barrier(
    clients: &mut [TcpStream],
    message: &[u8],
    turns: u32,
) -> io::Result<()> {
    let mut answer = Vec::new();
    for _ in 0..=turns {
        for client in &mut *clients {
            client.write_all(message).await?;
        }
        for client in &mut *clients {
            read_message(client, &mut answer).await?;
        }
    }
    for client in clients {
        client.write_all(b"quit\n\0").await?;
    }
    Ok(())
}

/// Runs a server on one thread and its clients on another.
fn exchange<F>(
    turns: u32,
    spectators: usize,
    serve: impl FnOnce(TcpListener) -> F + Send + 'static,
) -> anyhow::Result<Exchange>
where
    F: Future<Output = io::Result<()>>,
{
    let (send_address, address) = std::sync::mpsc::channel();
    let server = thread::spawn(move || -> anyhow::Result<Option<Duration>> {
        runtime()?.block_on(async {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
            send_address.send(listener.local_addr()?)?;
            let before = thread_cpu_time();
            serve(listener).await?;
            Ok(thread_cpu_time().zip(before).map(|(now, before)| now.saturating_sub(before)))
        })
    });
    let address = address
        .recv()
        .with_context(|| said!("the server did not start", "le serveur n'a pas démarré"))?;
    let elapsed = runtime()?.block_on(async {
        let mut looking = Vec::new();
        for number in 0..spectators {
            looking.push(tokio::spawn(look_on(connect(address, "afficheur", number).await?)));
        }
        let mut playing = Vec::new();
        for number in 0..PLAYERS {
            playing.push(tokio::spawn(play(connect(address, "joueur", number).await?)));
        }
        let mut elapsed = Duration::ZERO;
        for client in playing {
            let (states, duration) = client.await??;
            if states != u64::from(turns) + 1 {
                return Err(anyhow!(said!(
                    "a client saw {states} states in {turns} turns",
                    "un client a vu {states} états en {turns} tours"
                )));
            }
            elapsed = elapsed.max(duration);
        }
        for client in looking {
            client.await??;
        }
        Ok(elapsed)
    })?;
    let cpu = server
        .join()
        .map_err(|_| anyhow!(said!("the server panicked", "le serveur est tombé en panne")))??;
    Ok(Exchange {
        turns_per_second: f64::from(turns) / elapsed.as_secs_f64(),
        server_cpu_per_turn: cpu.map(|cpu| cpu / turns),
    })
}

pub(crate) fn runtime() -> io::Result<Runtime> {
    Builder::new_current_thread().enable_all().build()
}

/// CPU time of this thread; `None` on systems where it is not measured.
#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "not measured on Windows")]
fn thread_cpu_time() -> Option<Duration> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Some(Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.try_into().unwrap_or(0)))
}

#[cfg(not(unix))]
fn thread_cpu_time() -> Option<Duration> {
    None
}

pub(crate) async fn connect(
    address: SocketAddr,
    role: &str,
    number: usize,
) -> io::Result<TcpStream> {
    let mut stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    stream.write_all(format!("{role};client {number}\0").as_bytes()).await?;
    Ok(stream)
}

/// Answers every state until the server says `quit`. Returns the number of states, and the time from
/// the first state to the last.
pub(crate) async fn play(mut stream: TcpStream) -> io::Result<(u64, Duration)> {
    let mut message = Vec::new();
    let mut states = 0;
    let mut first = None;
    let mut elapsed = Duration::ZERO;
    loop {
        let whole = read_message(&mut stream, &mut message).await?;
        if !whole || message.starts_with(b"quit") {
            return Ok((states, elapsed));
        }
        states += 1;
        elapsed = first.get_or_insert_with(Instant::now).elapsed();
        stream.write_all(ORDERS).await?;
    }
}

/// Reads states until the server closes.
async fn look_on(mut stream: TcpStream) -> io::Result<()> {
    let mut buffer = vec![0; 64 * 1024];
    while stream.read(&mut buffer).await? > 0 {}
    Ok(())
}

/// Reads up to the end of a message; false if the stream ended before. The server sends nothing more before
/// the answer, except a farewell in the same segment as the last state.
pub(crate) async fn read_message(
    stream: &mut TcpStream,
    message: &mut Vec<u8>,
) -> io::Result<bool> {
    message.clear();
    while message.last() != Some(&0) {
        if stream.read_buf(message).await? == 0 {
            return Ok(false);
        }
    }
    Ok(true)
}
