//! Many games at once in one hall, compared with the same number of bare exchanges.
//!
//! The server is a thread of this process with a current-thread runtime; all clients are in a second process, which
//! runs [`play_all`].

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use arena::hall::{self, Admission, GameRequest, SeatFor, TeamId};
use arena::{EndReason, Hall, Pacman};
use game::pacman::{Map, Rules};
use language::{said, word};
use pulse::Pulse;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::loopback::{barrier, connect, first_state, play, read_message, runtime};
use crate::throughput::PLAYERS;

/// Command of `measure` that runs [`play_all`] in a process of its own, followed by the address and the number of clients.
pub const CLIENTS_COMMAND: &str = "clients";

/// Deadline of an answer: long enough that a busy machine misses none.
const DEADLINE: Duration = Duration::from_secs(10);
/// Connections opened between two pauses: strangers must have time to register.
const BATCH: usize = 50;
/// Pause between two batches, see [`BATCH`].
const PAUSE: Duration = Duration::from_millis(20);

/// Simultaneous games of four trivial players each.
#[derive(Clone, Copy, Debug)]
pub struct Crowd {
    /// Number of simultaneous games.
    pub games: u32,
    /// Turns of each game.
    pub turns: u32,
    /// Seed of the first game; each other one takes the next number.
    pub seed: u64,
}

impl Crowd {
    /// Turns per second of all games together in a hall.
    ///
    /// # Errors
    ///
    /// If sockets or the clients fail, or if an answer is missed.
    pub fn hall(self, map: &Map, rules: Rules) -> anyhow::Result<f64> {
        self.measure(async |listener| {
            let settings = hall::HallSettings {
                admission: Admission::Anybody {
                    max_teams: self.connections(),
                    max_per_address: self.connections(),
                    reserved: Vec::new(),
                },
                max_spectators: 0,
                max_connections: self.connections(),
                pulse: Pulse::start(),
                gallery: None,
            };
            let (hall, controls) = Hall::new(settings, 0)?;
            let hall = tokio::spawn(hall.run());
            let door = controls.host.clone();
            let listening = tokio::spawn(async move { door.listen(listener).await });
            let mut teams = controls.teams();
            let teams: Vec<TeamId> = teams
                .wait_for(|teams| teams.len() == self.connections())
                .await?
                .iter()
                .map(|team| team.team)
                .collect();
            let start = Instant::now();
            let mut playing = Vec::new();
            for (number, teams) in (1..).zip(teams.chunks(PLAYERS)) {
                let table = GameRequest {
                    game: Box::new(Pacman::new(map.clone(), rules)),
                    number,
                    turns: self.turns,
                    seed: self.seed + u64::from(number),
                    deadline: DEADLINE,
                    tempo: Duration::ZERO,
                    patience: DEADLINE,
                    seats: teams.iter().map(|team| SeatFor::Team(*team)).collect(),
                    observers: Vec::new(),
                    practice: None,
                };
                playing.push(controls.play(table).await?);
            }
            for game in playing {
                let played = game.ended().await?;
                let missed = |player: &arena::PlayerResult| player.thinking.missed() > 0;
                ensure!(
                    played.end == EndReason::Finished,
                    said!(
                        "a game was not played to its end",
                        "une partie n'a pas été jouée jusqu'au bout"
                    )
                );
                ensure!(
                    !played.result.players.iter().any(missed),
                    word("an answer was missed", "une réponse a manqué")
                );
            }
            let elapsed = start.elapsed();
            controls.close().await;
            hall.await?;
            listening.abort();
            Ok(elapsed)
        })
    }

    /// Turns per second of all bare exchanges together, on the same number of connections.
    ///
    /// # Errors
    ///
    /// When sockets or the clients fail.
    pub fn bare_barriers(self, map: &Map, rules: Rules) -> anyhow::Result<f64> {
        let message = first_state(map, rules, self.seed, self.turns);
        self.measure(async |listener| {
            let mut clients: Vec<TcpStream> = Vec::new();
            while clients.len() < self.connections() {
                let (mut stream, _) = listener.accept().await?;
                stream.set_nodelay(true)?;
                read_message(&mut stream, &mut Vec::new()).await?;
                clients.push(stream);
            }
            let start = Instant::now();
            let mut exchanges = JoinSet::new();
            let mut clients = clients.into_iter();
            for _ in 0..self.games {
                let mut clients: Vec<_> = clients.by_ref().take(PLAYERS).collect();
                let message = message.clone();
                exchanges.spawn(async move { barrier(&mut clients, &message, self.turns).await });
            }
            while let Some(exchanged) = exchanges.join_next().await {
                exchanged??;
            }
            Ok(start.elapsed())
        })
    }

    fn connections(self) -> usize {
        self.games as usize * PLAYERS
    }

    /// Runs a server and the clients. Returns the turns per second, in the time that the server measures.
    fn measure(
        self,
        serve: impl AsyncFnOnce(TcpListener) -> anyhow::Result<Duration>,
    ) -> anyhow::Result<f64> {
        allow_files(self.connections())?;
        let elapsed = runtime()?.block_on(async {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
            let address = listener.local_addr()?;
            let mut clients = Process(start_clients(address, self.connections())?);
            let elapsed = serve(listener).await?;
            // The clients exit when the server says goodbye; a tokio process would need another runtime.
            let status = clients.0.wait()?;
            ensure!(
                status.success(),
                said!("the clients failed: {status}", "les clients ont échoué : {status}")
            );
            Ok(elapsed)
        })?;
        Ok(f64::from(self.games) * f64::from(self.turns) / elapsed.as_secs_f64())
    }
}

/// A process that is killed when its owner drops it.
#[derive(Debug)]
pub struct Process(pub Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn start_clients(address: SocketAddr, number: usize) -> anyhow::Result<Child> {
    let this_program = std::env::current_exe()
        .with_context(|| said!("cannot find this program", "ce programme est introuvable"))?;
    let mut command = Command::new(this_program);
    command.args([CLIENTS_COMMAND, &address.to_string(), &number.to_string()]);
    command.stdin(Stdio::null()).spawn().with_context(|| {
        said!("cannot start the clients", "les clients ne peuvent pas être lancés")
    })
}

/// Runs this number of trivial clients until the server has said goodbye to all.
///
/// # Errors
///
/// When a connection fails.
pub fn play_all(address: SocketAddr, number: usize) -> anyhow::Result<()> {
    ensure_local(address)?;
    allow_files(number)?;
    runtime()?.block_on(async {
        let mut playing = JoinSet::new();
        for client in 0..number {
            playing.spawn(play(connect(address, "joueur", client).await?));
            if client % BATCH == BATCH - 1 {
                sleep(PAUSE).await;
            }
        }
        while let Some(played) = playing.join_next().await {
            played??;
        }
        Ok(())
    })
}

pub(crate) fn ensure_local(address: SocketAddr) -> anyhow::Result<()> {
    ensure!(
        address.ip() == IpAddr::from(Ipv4Addr::LOCALHOST),
        said!("only this machine is measured", "seule cette machine est mesurée")
    );
    Ok(())
}

/// Raises the limit of open files to this number of connections and some other files.
#[cfg(unix)]
pub(crate) fn allow_files(connections: usize) -> anyhow::Result<()> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let wanted = connections as u64 + 64;
    let limit = getrlimit(Resource::Nofile);
    if limit.current.is_none_or(|current| current >= wanted) {
        return Ok(());
    }
    setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), ..limit }).with_context(|| {
        said!(
            "{wanted} files are not allowed to be open",
            "{wanted} fichiers ne peuvent pas être ouverts à la fois"
        )
    })
}

/// Windows has no such limit.
#[cfg(not(unix))]
pub(crate) fn allow_files(_: usize) -> anyhow::Result<()> {
    Ok(())
}
