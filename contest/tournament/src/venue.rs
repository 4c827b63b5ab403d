//! Venues: the places where games are played.
//!
//! A [`Venue`] plays one [`Job`] after the other, or many at a time, and knows nothing of rounds or results. The
//! [`dispatcher`](crate::dispatcher) hands out the games of a round.

mod hall;
mod local;
mod witness;

use std::io;
use std::time::Duration;

use crate::house_game;
use crate::store::Attempt;
use arena::hall::{GameRequest, RefusedPlayer, SeatFor, TeamPresence};
use arena::{HouseBot, Observation, Pacman, Progress};
use game::pacman::Rules;
use language::said;
use plan::{Fixture, Job, JobSeat, Key, Outcome, Plan};
use protocol::Name;
use sandbox::LaunchError;
use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;

pub use hall::HallVenue;
pub use local::LocalVenue;

/// A place where games are played: this machine, a hall on a network, or other machines.
pub trait Venue {
    /// Greatest number of attempts at a game that the host spoils each time.
    const ATTEMPTS: u32;
    /// Pause before the second attempt; it doubles with each further one.
    const PAUSE: Duration;
    /// True if all games of a matchup are handed out together.
    const WHOLE_MATCHUPS: bool = false;

    /// Plays a game.
    ///
    /// # Errors
    ///
    /// The future gives a host fault when the game has no valid outcome and no team is to blame. The future ends soon
    /// after the token of the ticket is cancelled.
    fn play(
        &mut self,
        job: Job,
        ticket: Ticket,
    ) -> impl Future<Output = Result<Outcome, HostFault>> + Send + 'static;

    /// Tests if the players of a game are ready for it.
    fn is_ready(&self, plan: &Plan, game: &Fixture) -> bool {
        let _ = (plan, game);
        true
    }

    /// Takes note that the result of a game is on the disk.
    fn recorded(&mut self, game: Key) {
        let _ = game;
    }

    /// Takes note that the future of a game has ended.
    fn ended(&mut self, plan: &Plan, game: &Fixture) {
        let _ = (plan, game);
    }

    /// Waits until [`is_ready`](Self::is_ready) may give other answers. Cancel safe.
    ///
    /// # Errors
    ///
    /// [`HostFault::Closed`] when nothing can be played here any more.
    fn changed(&mut self) -> impl Future<Output = Result<(), HostFault>> {
        std::future::pending()
    }

    /// The teams that the venue knows, if that has changed since the last call.
    fn new_teams(&mut self) -> Option<Vec<TeamPresence>> {
        None
    }

    /// The players that are refused, if that has changed since the last call.
    fn new_refusals(&mut self) -> Option<Vec<RefusedPlayer>> {
        None
    }

    /// Shows this game to the spectators at the venue; `None` for any game.
    fn feature(&self, game: Option<Key>) -> impl Future<Output = ()> {
        let _ = game;
        std::future::ready(())
    }
}

/// A venue's means to report news of a game, and the token that stops the game.
#[derive(Clone, Debug)]
pub struct Ticket {
    /// The game and the channel for its news; `None` if the ticket is silent.
    told: Option<(Fixture, mpsc::UnboundedSender<GameEvent>)>,
    /// Token that is cancelled to stop the game.
    pub stop: CancellationToken,
}

/// News of a game that a venue plays.
#[derive(Clone, Debug)]
pub enum GameEvent {
    /// The game starts.
    Begun(Fixture),
    /// The game is in progress.
    Running(Key, watch::Receiver<Progress>),
    /// A result that does not count, or a host fault on another machine: evidence to be kept.
    Evidence(Attempt),
    /// One more result of a game, to be compared with the result that counts.
    Late(Box<Outcome>),
}

impl Ticket {
    /// A ticket that sends news of a game to `news`.
    #[must_use]
    pub fn new(
        game: Fixture,
        news: mpsc::UnboundedSender<GameEvent>,
        stop: CancellationToken,
    ) -> Self {
        Self { told: Some((game, news)), stop }
    }

    /// A ticket that drops all news.
    #[must_use]
    pub fn silent(stop: CancellationToken) -> Self {
        Self { told: None, stop }
    }

    /// Reports that the game starts.
    pub fn begun(&self) {
        self.tell(GameEvent::Begun);
    }

    /// Reports the progress of the game.
    pub fn running(&self, progress: watch::Receiver<Progress>) {
        self.tell(|game| GameEvent::Running(game.key, progress));
    }

    /// Reports any news. Returns false if nobody receives them: the ticket is silent, or the tournament has ended.
    pub fn tell(&self, news: impl FnOnce(Fixture) -> GameEvent) -> bool {
        self.told.as_ref().is_some_and(|(game, sender)| sender.send(news(*game)).is_ok())
    }
}

/// The reason why a game has no valid outcome although no team is to blame.
#[derive(Debug, thiserror::Error)]
pub enum HostFault {
    /// There is no thread for the game, or no port for a program.
    #[error("{}", said!(
        "this machine cannot begin a game: {why}",
        "cette machine ne peut pas commencer une partie : {why}",
        why = language::in_language(_0)
    ))]
    Io(io::Error),
    /// This machine cannot start the process of a program.
    #[error("{}", said!(
        "this machine cannot start a program: {why}",
        "cette machine ne peut pas lancer un programme : {why}",
        why = language::in_language(_0)
    ))]
    Start(LaunchError),
    /// The game gave no result.
    #[error("{}", said!("the game gave no result", "la partie n'a pas donné de résultat"))]
    NoResult,
    /// This machine stood still for a while, and a deadline was missed; with the outcome of the game.
    #[error("{}", said!(
        "this machine stood still for a while, and deadlines were missed",
        "cette machine s'est figée un moment, et des délais ont été dépassés"
    ))]
    Stalled(Box<Outcome>),
    /// All teams were gone at once: the network failed; with the outcome of the game.
    #[error("{}", said!(
        "all its teams were gone at once",
        "toutes ses équipes se sont déconnectées en même temps"
    ))]
    Deserted(Box<Outcome>),
    /// The game has not started: a player was not ready after all.
    #[error("{}", said!("it cannot start yet: {_0}", "elle ne peut pas encore commencer : {_0}"))]
    NotReady(String),
    /// The machines that had the game fell silent or gave it back, one after the other; with the last reason, if known.
    #[error("{}", match _0 {
        None => said!(
            "each machine that had it fell silent or gave it back",
            "les machines qui l'avaient ne répondent plus ou l'ont rendue"
        ),
        Some(why) => said!(
            "each machine that had it fell silent or gave it back; the last reason: {why}",
            "les machines qui l'avaient ne répondent plus ou l'ont rendue ; dernière raison : {why}"
        ),
    })]
    Abandoned(Option<String>),
    /// A message of the game exceeds the broker's limit.
    #[error("{}", said!(
        "the broker takes messages of at most {allowed} bytes, and this one has {bytes}: give it a greater `max_payload` \
         in its configuration (at most 64MB), then `{tournoi} resume`",
        "le serveur de messages accepte au plus {allowed} octets à la fois, et il y en a {bytes} : donnez-lui un plus \
         grand `max_payload` dans sa configuration (au plus 64MB), puis `{tournoi} reprendre`",
        tournoi = cli::command("tournoi")
    ))]
    TooLarge {
        /// The size of the message.
        bytes: usize,
        /// The broker's limit.
        allowed: usize,
    },
    /// The venue is closed.
    #[error("{}", said!("the hall is closed", "la salle est fermée"))]
    Closed,
    /// The game was given up because it was to be stopped.
    #[error("{}", said!("the game was stopped", "la partie a été arrêtée"))]
    Stopped,
}

impl HostFault {
    /// The outcome of the spoilt game, if it was played to its end.
    pub fn spoilt(&self) -> Option<&Outcome> {
        match self {
            Self::Stalled(outcome) | Self::Deserted(outcome) => Some(outcome),
            _ => None,
        }
    }
}

/// The seat of a bot of the house; `None` if something else plays.
fn house_seat(seat: &JobSeat, rules: Rules) -> Result<Option<SeatFor>, HostFault> {
    let bot =
        house_game::bot_of(seat).map_err(|unknown| HostFault::Io(io::Error::other(unknown)))?;
    Ok(bot.map(|bot| SeatFor::House {
        bot: HouseBot::Pacman(bot, rules),
        name: Name::new(&seat.name),
        seed: seat.seed,
    }))
}

/// A channel with room for all observations of a game: the start of the game, its turns, each with thoughts, and its end.
fn observations(job: &Job) -> (mpsc::Sender<Observation>, mpsc::Receiver<Observation>) {
    mpsc::channel(2 * job.turns as usize + 2)
}

/// The request for a game in a hall, and the game's observations, for which there is always room. A turn lasts at least
/// `tempo`, and the hall awaits answers to the final state for `patience`.
fn request(
    job: &Job,
    seats: Vec<SeatFor>,
    tempo: Duration,
    patience: Duration,
) -> (GameRequest, mpsc::Receiver<Observation>) {
    let (observer, observations) = observations(job);
    let request = GameRequest {
        game: Box::new(Pacman::new(job.map.map.clone(), job.rules.rules())),
        number: 1,
        turns: job.turns,
        seed: job.seed,
        deadline: job.deadline,
        tempo,
        patience,
        seats,
        observers: vec![observer.into()],
        practice: None,
    };
    (request, observations)
}
