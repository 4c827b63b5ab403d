//! A series of games: a hall with one table, and a lobby in which players gather for it.

use std::pin::pin;
use std::time::Duration;

use language::log;
use protocol::Name;
use tokio::sync::mpsc::error::SendTimeoutError;
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use crate::games::Game;
use crate::hall::{
    self, Admission, GameRequest, Hall, Order, Played, Presence, Preview, SeatFor, TeamPresence,
};
use crate::host::Host;
use crate::observers::Observer;
use crate::results::{EndReason, GameResult, Progress};
use crate::settings::{House, Settings};

/// Capacity of the queue of results; the next game waits a moment when it is full.
const RESULTS: usize = 1024;
/// Longest wait for room in the queue of results.
const TAKEN: Duration = Duration::from_secs(1);
/// Longest wait for answers to the final state of the last game.
const FAREWELL: Duration = Duration::from_millis(100);

/// Games in succession between the players that register.
#[derive(Debug)]
pub struct Series {
    settings: Settings,
    /// The game to play; it also draws the previews of the lobby.
    game: Box<dyn Game>,
    hall: Hall,
    organiser: Organiser,
}

/// The part of a series that starts the games: everything but the hall and the rules.
#[derive(Debug)]
struct Organiser {
    hall: hall::Controls,
    teams: watch::Receiver<Vec<TeamPresence>>,
    start: mpsc::Receiver<()>,
    shutdown: CancellationToken,
    results: mpsc::Sender<GameResult>,
    progress: watch::Sender<watch::Receiver<Progress>>,
    observers: Vec<Observer>,
    /// Number of games started.
    games: u32,
}

/// The controls and outputs of a running series.
#[derive(Debug)]
pub struct SeriesControls {
    /// The host that accepts connections.
    pub host: Host,
    /// Starts the game, under [`Settings::wait_for_start`].
    pub start: mpsc::Sender<()>,
    /// Stops the series when cancelled; the running game still has a result, and peers are sent `quit`.
    pub shutdown: CancellationToken,
    /// The result of each game when it ends. To be received or dropped.
    pub results: mpsc::Receiver<GameResult>,
    /// The progress of the latest game: the outer receiver changes with each game, the inner one with each turn.
    pub progress: watch::Receiver<watch::Receiver<Progress>>,
}

/// The series was told to stop.
struct Interrupted;

impl Series {
    /// Creates an empty series and its controls. `salt` is a secret random number.
    pub fn new(settings: Settings, game: Box<dyn Game>, salt: u64) -> (Self, SeriesControls) {
        let (start_sender, start) = mpsc::channel(1);
        let (results, result_receiver) = mpsc::channel(RESULTS);
        let (progress, progress_receiver) = watch::channel(watch::channel(Progress::default()).1);
        let shutdown = CancellationToken::new();
        let hall_settings = hall::HallSettings {
            admission: Admission::Lobby { seats: settings.players },
            max_spectators: settings.max_spectators,
            max_connections: settings.max_connections,
            pulse: settings.pulse.clone(),
            gallery: settings.gallery.clone(),
        };
        let (hall, hall_controls) =
            Hall::new(hall_settings, salt).expect("a lobby has no list with names");
        let controls = SeriesControls {
            host: hall_controls.host.clone(),
            start: start_sender,
            shutdown: shutdown.clone(),
            results: result_receiver,
            progress: progress_receiver,
        };
        let organiser = Organiser {
            teams: hall_controls.teams(),
            hall: hall_controls,
            start,
            shutdown,
            results,
            progress,
            observers: Vec::new(),
            games: 0,
        };
        (Self { settings, game, hall, organiser }, controls)
    }

    /// Adds an observer of every turn of every game, as far as it keeps up.
    pub fn observe(&mut self, observer: Observer) {
        self.organiser.observers.push(observer);
    }

    /// Gathers players and plays the games until all are played, all players are gone, or the series is told to stop;
    /// then sends `quit` to all peers.
    pub async fn run(self) -> EndReason {
        let Self { settings, mut game, hall, mut organiser } = self;
        let play = async {
            let end = organiser.play_games(&settings, game.as_mut()).await;
            organiser.hall.close().await;
            end.unwrap_or(EndReason::Interrupted)
        };
        tokio::join!(hall.run(), play).1
    }
}

impl Organiser {
    async fn play_games(
        &mut self,
        settings: &Settings,
        game: &mut dyn Game,
    ) -> Result<EndReason, Interrupted> {
        let mut has_broken_off = false;
        loop {
            let seats = self.gather(settings, game).await?;
            self.games += 1;
            let is_last = self.games == settings.games;
            if is_last {
                self.hall.order(Order::Limit(0)).await;
            }
            let table = GameRequest {
                game: game.another(),
                number: self.games,
                turns: settings.turns,
                seed: seed(settings, self.games - 1),
                deadline: settings.deadline,
                tempo: settings.tempo,
                patience: if is_last || settings.practice.is_some() {
                    settings.deadline.min(FAREWELL)
                } else {
                    settings.deadline
                },
                seats,
                observers: self.observers.clone(),
                practice: settings.practice.clone(),
            };
            // The request fails if a player has left the lobby meanwhile: the others gather again.
            let Ok(playing) = self.hall.play(table).await else {
                self.games -= 1;
                continue;
            };
            let Some(Played { result, end }) = self.follow(playing).await else {
                match std::mem::replace(&mut has_broken_off, true) {
                    // All further games would probably break off as well.
                    true => return Err(Interrupted),
                    false if is_last => return Ok(EndReason::Finished),
                    false => continue,
                }
            };
            has_broken_off = false;
            let sent = self.results.send_timeout(result, TAKEN).await;
            if let Err(SendTimeoutError::Timeout(result)) = sent {
                log!(
                    error,
                    "the result of game {} is lost: nobody takes the results",
                    "le résultat de la partie {} est perdu : personne ne prend les résultats",
                    result.game
                );
            }
            match end {
                EndReason::Interrupted => return Err(Interrupted),
                _ if is_last => return Ok(EndReason::Finished),
                EndReason::Deserted => self.hall.order(Order::Dismiss).await,
                EndReason::Finished => {}
            }
            if present(&self.teams.borrow_and_update()).is_empty() && settings.games > 0 {
                return Ok(EndReason::Deserted);
            }
        }
    }

    /// Waits until a game has ended; `None` if it broke off.
    async fn follow(&mut self, playing: hall::Playing) -> Option<Played> {
        self.progress.send_replace(playing.progress.clone());
        let stop = playing.stop.clone();
        let mut ended = pin!(playing.ended());
        let mut is_stopped = false;
        loop {
            tokio::select! {
                played = &mut ended => return played.ok(),
                () = self.shutdown.cancelled(), if !is_stopped => {
                    stop.cancel();
                    is_stopped = true;
                }
            }
        }
    }

    /// Waits until the players of a game are there; returns the seats in order of colour. Spectators see the start of the
    /// game with the players so far.
    async fn gather(
        &mut self,
        settings: &Settings,
        game: &mut dyn Game,
    ) -> Result<Vec<SeatFor>, Interrupted> {
        let is_first = self.games == 0 || present(&self.teams.borrow()).is_empty();
        let mut waits_for_start = settings.wait_for_start && is_first;
        let mut is_started = false;
        let mut fill_at = None;
        let mut shown = None;
        loop {
            let teams = present(&self.teams.borrow_and_update());
            if self.games > 0 && !is_first && settings.house.is_none() {
                // The next game starts with the players present, old and new.
                return Ok(seats(&teams));
            }
            let names: Vec<_> = teams.iter().map(|team| team.name.to_string()).collect();
            if shown.as_ref() != Some(&names) {
                game.set_up(seed(settings, self.games), settings.turns, names.clone());
                let maze = game.maze().map(<[u8]>::to_vec);
                let state = game.text().to_vec();
                self.hall.order(Order::Preview(Preview { maze, state })).await;
                for observer in &self.observers {
                    observer.gathering(names.clone(), settings.players);
                }
                shown = Some(names);
            }
            if teams.len() == settings.players && !waits_for_start {
                return Ok(seats(&teams));
            }
            fill_at = match settings.house {
                Some(_) if waits_for_start || (teams.is_empty() && !is_started) => None,
                // The house waits only for the first game.
                Some(house) => fill_at.or_else(|| {
                    let now = Instant::now();
                    Some(if is_first && !is_started { now + house.wait } else { now })
                }),
                None => None,
            };
            tokio::select! {
                () = self.shutdown.cancelled() => return Err(Interrupted),
                changed = self.teams.changed() => if changed.is_err() { return Err(Interrupted) },
                () = sleep_until(fill_at.unwrap_or_else(Instant::now)), if fill_at.is_some() => if let Some(house) = settings.house {
                    return Ok(filled(&teams, settings, house));
                },
                started = self.start.recv(), if waits_for_start => match started {
                    Some(()) if settings.house.is_some() => {
                        is_started = true;
                        waits_for_start = false;
                    }
                    Some(()) if !teams.is_empty() => return Ok(seats(&teams)),
                    Some(()) => log!(warn, "nobody has registered yet", "personne ne s'est encore inscrit"),
                    None => {
                        log!(warn, "nobody can press Enter: the game starts when all seats are taken", "personne ne peut appuyer sur Entrée : la partie commence \
                              quand toutes les places sont prises");
                        waits_for_start = false;
                    }
                },
            }
        }
    }
}

/// The seed of the game after `games` earlier ones.
fn seed(settings: &Settings, games: u32) -> u64 {
    settings.seed.wrapping_add(games.into())
}

fn present(teams: &[TeamPresence]) -> Vec<TeamPresence> {
    teams.iter().filter(|team| team.presence != Presence::Gone).cloned().collect()
}

fn seats(teams: &[TeamPresence]) -> Vec<SeatFor> {
    teams.iter().map(|team| SeatFor::Team(team.team)).collect()
}

/// The seats of the teams, and bots of the house in the others.
fn filled(teams: &[TeamPresence], settings: &Settings, House { bot, .. }: House) -> Vec<SeatFor> {
    log!(
        info,
        "the house fills the empty seats with {}",
        "la maison occupe les places vides avec {}",
        bot.name()
    );
    let mut names: Vec<Name> = teams.iter().map(|team| team.name.clone()).collect();
    let mut seats = seats(teams);
    for seat in seats.len()..settings.players {
        let name = Name::new(bot.name()).distinct(|name| names.iter().any(|n| n.as_str() == name));
        names.push(name.clone());
        seats.push(SeatFor::House { bot, name, seed: settings.seed.wrapping_add(seat as u64) });
    }
    seats
}
