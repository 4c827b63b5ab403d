//! Knowledge of the viewer, and the part of it that is shown.

use std::time::Duration;

use game::colour::Colour;
use game::pacman::{Dims, Pos, Rules};
use replay::{Recording, Thought};

use crate::viewer::recorded::Recorded;
use crate::viewer::{Command, History, Moment, Sample, Scene};
use crate::{Line, News};

/// The whole state of the viewer. It changes by [news](Self::hear), by [commands](Self::obey) and
/// by the [end](Self::end) of the connection; what the screen shows follows from it alone.
#[derive(Debug)]
pub struct Model {
    server: String,
    rules: Rules,
    history: History,
    paused_at: Option<u64>,
    follow: Option<Colour>,
    size: Option<BoardSize>,
    help: bool,
    status: Status,
    /// A recording instead of a server.
    film: Option<Playback>,
}

/// Playback of a recording.
#[derive(Debug)]
struct Playback {
    recorded: Recorded,
    plays: bool,
    /// States a second, as a power of two.
    speed: u32,
}

impl Playback {
    /// Eight states a second.
    const USUAL: u32 = 3;
    /// 256 states a second.
    const FASTEST: u32 = 8;
}

/// State of the line to the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// States come.
    Live,
    /// The connection is gone, a new one is tried.
    Lost,
    /// The connection is gone for good.
    Gone,
    /// The server has said that it is over.
    Over,
    /// The server does not speak the protocol: what it did.
    Broken(String),
}

/// Size of the drawn cells of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardSize {
    /// One column, one row.
    Small,
    /// Two columns, one row: a square.
    Medium,
    /// Four columns, two rows.
    Large,
}

/// Kind of exit that the user wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leave {
    /// The user pressed the key for it.
    Quit,
    /// The user pressed Ctrl-C.
    Interrupt,
}

impl Model {
    /// Before any state has come. `server` is shown as it is.
    #[must_use]
    pub fn new(server: String, rules: Rules) -> Self {
        Self {
            server,
            rules,
            history: History::default(),
            paused_at: None,
            follow: None,
            size: None,
            help: false,
            status: Status::Live,
            film: None,
        }
    }

    /// A recording, which plays from its beginning; `name` is shown as it is.
    ///
    /// The recording is played once; then any of its states can be shown at once. Memory does not grow with
    /// its turns, but for the recording itself.
    #[must_use]
    pub fn recording(name: String, recording: Recording) -> Self {
        let recorded = Recorded::new(recording);
        let mut model = Self::new(name, recorded.rules());
        model.paused_at = Some(0);
        model.film = Some(Playback { recorded, plays: true, speed: Playback::USUAL });
        model.load();
        model
    }

    /// Loads the state to be shown from the recording, if there is one, into the history.
    fn load(&mut self) {
        if let (Some(film), Some(at)) = (&mut self.film, self.paused_at) {
            film.recorded.load(at, &mut self.history);
        }
    }

    /// Time for which the state of a recording is shown; `None` while it is paused.
    pub fn pace(&self) -> Option<Duration> {
        let film = self.film.as_ref().filter(|film| film.plays)?;
        (self.behind() > Some(0)).then(|| Duration::from_secs(1) / (1 << film.speed))
    }

    /// Goes on to the next state of a recording.
    pub fn advance(&mut self) {
        if let (Some((_, newest)), Some(at)) = (self.ends(), self.at()) {
            self.paused_at = Some((at + 1).min(newest));
            self.load();
        }
    }

    /// The numbers of the oldest and of the newest state that can be shown.
    fn ends(&self) -> Option<(u64, u64)> {
        match &self.film {
            Some(film) => Some((0, film.recorded.last())),
            None => self.history.ends(),
        }
    }

    /// The cells that players of a recorded game had in mind in the state that is shown.
    pub(super) fn thoughts(&self, dims: Dims) -> Vec<(Colour, Pos)> {
        let Some((film, shown)) = self.film.as_ref().zip(self.shown()) else { return Vec::new() };
        let followed = |thought: &Thought| self.followed().is_none_or(|it| it == thought.player);
        let thoughts = film.recorded.thoughts(shown.elapsed()).filter(followed);
        let cells = thoughts.flat_map(|thought| {
            let cells: Vec<_> = thought.items().flat_map(|item| item.cells(dims)).collect();
            cells.into_iter().map(move |cell| (thought.player, cell))
        });
        cells.collect()
    }

    /// Standing of the players throughout a recorded game.
    pub(super) fn samples(&self) -> Option<&[Sample]> {
        self.film.as_ref().map(|film| film.recorded.samples())
    }

    /// True if the recording plays, and its speed in states per second; `None` without a recording.
    pub fn playing(&self) -> Option<(bool, u32)> {
        self.film.as_ref().map(|film| (self.pace().is_some(), 1 << film.speed))
    }

    /// Takes in what comes from the server.
    pub fn hear(&mut self, news: News) {
        match news {
            News::State(reading) => self.see(reading.view.into(), &reading.names),
            News::PyRat(reading) => self.see(reading.state.into(), &reading.names),
            News::Line(Line::Lost) => self.status = Status::Lost,
            // The server is found again when a state comes.
            News::Line(Line::Waiting | Line::Connected | Line::NotFree) => {}
        }
    }

    fn see(&mut self, scene: Scene, names: &[String]) {
        self.status = Status::Live;
        self.history.push(scene, names);
        let players = self.newest().map_or(0, Moment::players);
        self.follow = self.follow.filter(|colour| colour.index() < players);
    }

    /// Nothing more will come.
    pub fn end(&mut self, status: Status) {
        self.status = status;
    }

    /// Does what the user wants.
    pub fn obey(&mut self, command: Command) -> Option<Leave> {
        match command {
            Command::Quit => return Some(Leave::Quit),
            Command::Interrupt => return Some(Leave::Interrupt),
            Command::Help => self.help = !self.help,
            Command::Resize => {
                self.size = match self.size {
                    None => Some(BoardSize::Small),
                    Some(BoardSize::Small) => Some(BoardSize::Medium),
                    Some(BoardSize::Medium) => Some(BoardSize::Large),
                    Some(BoardSize::Large) => None,
                };
            }
            Command::Follow(colour) => self.follow(colour),
            Command::FollowNext => self.follow_beside(1),
            Command::FollowLast => self.follow_beside(-1),
            Command::Faster | Command::Slower => {
                if let Some(film) = &mut self.film {
                    film.speed = match command {
                        Command::Faster => (film.speed + 1).min(Playback::FASTEST),
                        _ => film.speed.saturating_sub(1),
                    };
                }
            }
            Command::Pause if self.film.is_some() => self.start_or_stop(),
            Command::Pause
            | Command::Newest
            | Command::Oldest
            | Command::Back
            | Command::Forward
            | Command::TurnBack
            | Command::TurnForward => {
                let newest = self.ends().map(|(_, newest)| newest);
                self.step(command);
                if let Some(film) = &mut self.film {
                    film.plays = false;
                    self.paused_at = self.paused_at.or(newest);
                }
            }
        }
        self.load();
        None
    }

    /// Lets a recording play or stand still; at its end, it plays once more.
    fn start_or_stop(&mut self) {
        let plays = self.pace().is_some();
        if self.behind() == Some(0) {
            self.paused_at = self.ends().map(|(oldest, _)| oldest);
        }
        if let Some(film) = &mut self.film {
            film.plays = !plays;
        }
    }

    fn step(&mut self, command: Command) {
        let (Some((oldest, newest)), Some(at)) = (self.ends(), self.at()) else {
            return;
        };
        let (turn_before, turn_after) = match &self.film {
            Some(Playback { recorded, .. }) => {
                (Some(recorded.turn_before(at)), Some(recorded.turn_after(at)))
            }
            None => (self.history.turn_before(at), self.history.turn_after(at)),
        };
        self.paused_at = match command {
            Command::Newest => None,
            Command::Pause => self.paused_at.is_none().then_some(at),
            Command::Oldest => Some(oldest),
            Command::Back => Some(at.saturating_sub(1).max(oldest)),
            // The state that is shown live is the newest already.
            Command::Forward => self.paused_at.map(|_| (at + 1).min(newest)),
            Command::TurnBack => Some(turn_before.unwrap_or(oldest)),
            Command::TurnForward => self.paused_at.map(|_| turn_after.unwrap_or(newest)),
            _ => self.paused_at,
        };
    }

    fn follow(&mut self, colour: Colour) {
        let plays = self.shown().is_some_and(|moment| colour.index() < moment.players());
        if plays {
            self.follow = Some(colour).filter(|_| self.follow != Some(colour));
        }
    }

    /// Follows the next player or the one before; nobody comes between the last and the first.
    fn follow_beside(&mut self, step: isize) {
        let players = self.shown().map_or(0, Moment::players);
        let place = self.follow.map_or(players, Colour::index);
        let next = place.checked_add_signed(step).unwrap_or(players);
        let next = if next > players { 0 } else { next };
        self.follow = Colour::new(next).filter(|_| next < players);
    }

    /// The number of the state that is shown.
    fn at(&self) -> Option<u64> {
        let (oldest, newest) = self.ends()?;
        Some(self.paused_at.map_or(newest, |at| at.max(oldest)))
    }

    /// The state that is shown, once there is one.
    pub fn shown(&self) -> Option<&Moment> {
        self.history.get(self.at()?)
    }

    /// The newest state that is remembered, once there is one.
    pub fn newest(&self) -> Option<&Moment> {
        let (_, newest) = self.history.ends()?;
        self.history.get(newest)
    }

    /// The states up to the one that is shown, newest first.
    pub fn past(&self) -> impl Iterator<Item = &Moment> {
        self.at().into_iter().flat_map(|at| self.history.back_from(at))
    }

    /// The states that are remembered.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Number of states between the one that is shown and the newest one; `None` unless paused.
    pub fn behind(&self) -> Option<u64> {
        self.paused_at?;
        let (_, newest) = self.ends()?;
        Some(newest - self.at()?)
    }

    /// Tests if the server still waits, for players or for their first orders.
    pub fn awaits_players(&self) -> bool {
        let begins = |moment: &Moment| moment.view().elapsed() == 0;
        self.status == Status::Live && self.behind().is_none() && self.shown().is_some_and(begins)
    }

    /// The player that is followed.
    pub fn followed(&self) -> Option<Colour> {
        self.follow
    }

    /// Wanted size of the board; `None` for the largest that fits.
    pub fn size(&self) -> Option<BoardSize> {
        self.size
    }

    /// Tests if keys and signs are explained.
    pub fn helps(&self) -> bool {
        self.help
    }

    /// State of the line to the server.
    pub fn status(&self) -> &Status {
        &self.status
    }

    /// Address of the server.
    pub fn server(&self) -> &str {
        &self.server
    }

    /// The rules of Pacman that the server plays by.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }
}

#[cfg(test)]
mod tests;
