//! What the viewer knows and what of it is shown.

use std::time::Duration;

use game::colour::Colour;
use game::pacman::Rules;
use replay::Recording;

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
    film: Option<Film>,
}

/// How a recording is played.
#[derive(Debug)]
struct Film {
    recorded: Recorded,
    plays: bool,
    /// States a second, as a power of two.
    speed: u32,
}

impl Film {
    /// Eight states a second.
    const USUAL: u32 = 3;
    /// 256 states a second.
    const FASTEST: u32 = 8;
}

/// How it stands with the server.
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

/// How large a cell of the board is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardSize {
    /// One column, one row.
    Small,
    /// Two columns, one row: a square.
    Medium,
    /// Four columns, two rows.
    Large,
}

/// How the user wants to leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leave {
    /// By the key for it.
    Quit,
    /// By Ctrl-C.
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
        model.film = Some(Film { recorded, plays: true, speed: Film::USUAL });
        model.load();
        model
    }

    /// Of a recording: sees to it that the state to be shown is in the history.
    fn load(&mut self) {
        if let (Some(film), Some(at)) = (&mut self.film, self.paused_at) {
            film.recorded.load(at, &mut self.history);
        }
    }

    /// How long the state of a recording is shown; `None` while it stands still.
    #[must_use]
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

    /// How the players stood all over a recorded game.
    pub(super) fn samples(&self) -> Option<&[Sample]> {
        self.film.as_ref().map(|film| film.recorded.samples())
    }

    /// Of a recording: whether it plays, and how many states a second.
    #[must_use]
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
                        Command::Faster => (film.speed + 1).min(Film::FASTEST),
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
            Some(Film { recorded, .. }) => {
                (Some(recorded.turn_before(at)), Some(recorded.turn_after(at)))
            }
            None => (self.history.turn_before(at), self.history.turn_after(at)),
        };
        self.paused_at = match command {
            Command::Newest => None,
            Command::Pause => self.paused_at.is_none().then_some(at),
            Command::Oldest => Some(oldest),
            Command::Back => Some(at.saturating_sub(1).max(oldest)),
            // What is shown live is the newest already.
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
    #[must_use]
    pub fn shown(&self) -> Option<&Moment> {
        self.history.get(self.at()?)
    }

    /// The newest state that is remembered, once there is one.
    #[must_use]
    pub fn newest(&self) -> Option<&Moment> {
        let (_, newest) = self.history.ends()?;
        self.history.get(newest)
    }

    /// The states up to the one that is shown, newest first.
    pub fn past(&self) -> impl Iterator<Item = &Moment> {
        self.at().into_iter().flat_map(|at| self.history.back_from(at))
    }

    /// The states that are remembered.
    #[must_use]
    pub fn history(&self) -> &History {
        &self.history
    }

    /// By how many states what is shown is behind, while it stands still.
    #[must_use]
    pub fn behind(&self) -> Option<u64> {
        self.paused_at?;
        let (_, newest) = self.ends()?;
        Some(newest - self.at()?)
    }

    /// The player that is followed.
    #[must_use]
    pub fn followed(&self) -> Option<Colour> {
        self.follow
    }

    /// How large the board shall be; as large as fits when nothing is wanted.
    #[must_use]
    pub fn size(&self) -> Option<BoardSize> {
        self.size
    }

    /// Whether keys and signs are explained.
    #[must_use]
    pub fn helps(&self) -> bool {
        self.help
    }

    /// How it stands with the server.
    #[must_use]
    pub fn status(&self) -> &Status {
        &self.status
    }

    /// Where the server is.
    #[must_use]
    pub fn server(&self) -> &str {
        &self.server
    }

    /// The rules of Pacman that the server plays by.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }
}

#[cfg(test)]
mod tests {
    use game::pacman::{Event, Map, Orders, Reading, Seeded, State};
    use referee::Cause;
    use replay::{Answer, Given, PacmanSetup, Setup, Turn};

    use super::*;

    /// What a spectator hears of a game of four turns, which has 21 states.
    fn news() -> Vec<News> {
        let map: Map = include_str!("../../../cartes/petit.txt").parse().unwrap();
        let mut chance = Seeded::new(1);
        let mut state = State::start(&map, Rules::SUJET, 4, 2, &mut chance);
        let names = vec!["Ada".to_owned(), "Bob".to_owned()];
        let news = |state: &State| {
            News::State(Reading { view: state.view().clone(), names: names.clone() })
        };
        let mut all = vec![news(&state)];
        for _ in 0..4 {
            state.play_turn(&[Orders::default(); 2], &mut chance, |event, state| {
                if matches!(event, Event::Done(_) | Event::TurnEnded) {
                    all.push(news(state));
                }
            });
        }
        all
    }

    fn model(states: usize) -> Model {
        let mut model = Model::new("here:1111".to_owned(), Rules::SUJET);
        news().into_iter().take(states).for_each(|news| model.hear(news));
        model
    }

    /// A recording of a game in which two players miss every turn.
    fn recording(map: &str, turns: u32) -> Recording {
        let mut recording = Recording::new(Setup::Pacman(PacmanSetup {
            map: map.parse().unwrap(),
            rules: Rules::SUJET,
            seed: 1,
            turns,
            names: vec!["Ada".to_owned(), "Bob".to_owned()],
        }));
        for turn in 0..turns {
            let mut answers = vec![Given::nothing(Answer::Missed); 2];
            answers[1].cause = Some(Cause::Host(Duration::from_millis(turn.into())));
            recording.turns.push(&Turn { answers, ..Turn::default() });
        }
        recording
    }

    const MAP: &str = include_str!("../../../cartes/petit.txt");

    #[test]
    fn a_recording_shows_every_state_wherever_it_is_entered() {
        use Command::{Back, Forward, Newest, Oldest, TurnBack, TurnForward};
        let turns = 3000;
        let mut model = Model::recording("game".to_owned(), recording(MAP, turns));
        model.obey(Oldest);
        // What the states are, one after the other.
        let mut views = Vec::new();
        while model.behind() > Some(0) {
            views.push(format!("{:?}", model.shown().unwrap().scene));
            model.obey(Forward);
        }
        assert_eq!((views.len(), model.at()), (5 * 3000, Some(15_000)));
        assert!(model.shown().unwrap().is_over());
        let remark =
            |model: &Model, index: usize| model.past().flat_map(|m| &m.remarks).nth(index).cloned();
        let told = "nothing came in time (host: stalled for 2999 ms)";
        assert_eq!(remark(&model, 1).unwrap().1, told);
        assert_eq!(remark(&model, 0).unwrap().1, "nothing came in time");
        for at in (0..15_000).rev() {
            model.obey(Back);
            assert_eq!(model.at(), Some(at));
            // The first state of a history has no past.
            let shown = model.shown().unwrap();
            assert_eq!(shown.elapsed(), (at / 5) as u32);
            if at % 500 == 3 {
                assert_eq!(format!("{:?}", shown.scene), views[at as usize]);
            }
        }
        for (command, at) in [
            (Newest, 15_000),
            (TurnBack, 14_995),
            (Back, 14_994),
            (TurnBack, 14_990),
            (TurnForward, 14_995),
            (TurnForward, 15_000),
            (TurnForward, 15_000),
            (Oldest, 0),
            (TurnBack, 0),
            (Forward, 1),
            (TurnForward, 5),
        ] {
            model.obey(command);
            assert_eq!(model.at(), Some(at), "after {command:?}");
            assert_eq!(u64::from(model.shown().unwrap().elapsed()), at / 5);
        }
    }

    #[test]
    fn the_states_of_a_recording_on_a_large_board_are_not_all_remembered() {
        let map = format!("500;500\n{}", format!("{}\n", " ".repeat(500)).repeat(500));
        let mut model = Model::recording("game".to_owned(), recording(&map, 100));
        for (command, at) in [
            (Command::Newest, 500),
            (Command::Oldest, 0),
            (Command::TurnForward, 5),
            (Command::Newest, 500),
        ] {
            model.obey(command);
            assert_eq!(model.at(), Some(at));
            assert_eq!(u64::from(model.shown().unwrap().elapsed()), at / 5);
            let (oldest, newest) = model.history().ends().unwrap();
            assert!((0..=300).contains(&(newest - oldest)), "{oldest} to {newest}");
        }
    }

    #[test]
    fn a_recording_plays_from_its_beginning_at_the_speed_that_is_wanted() {
        use Command::{Back, Faster, Forward, Newest, Oldest, Pause, Slower};
        let mut model = Model::recording("game".to_owned(), recording(MAP, 4));
        assert_eq!((model.at(), model.playing()), (Some(0), Some((true, 8))));
        model.obey(Faster);
        assert_eq!(model.pace(), Some(Duration::from_secs(1) / 16));
        for _ in 0..20 {
            assert_eq!(model.obey(Slower), None);
        }
        assert_eq!(model.pace(), Some(Duration::from_secs(1)));
        for at in 1..=20 {
            model.advance();
            assert_eq!(model.at(), Some(at));
        }
        assert_eq!((model.pace(), model.playing()), (None, Some((false, 1))), "at its end");
        for (command, at, plays) in [
            (Pause, 0, true),
            (Forward, 1, false),
            (Pause, 1, true),
            (Newest, 20, false),
            (Back, 19, false),
            (Oldest, 0, false),
            (Pause, 0, true),
            (Pause, 0, false),
        ] {
            assert_eq!(model.obey(command), None);
            let playing = model.playing().map(|(plays, _)| plays);
            assert_eq!((model.at(), playing), (Some(at), Some(plays)), "after {command:?}");
        }
    }

    #[test]
    fn stepping_goes_through_what_was_seen() {
        use Command::{Back, Forward, Newest, Oldest, Pause, TurnBack, TurnForward};
        let mut model = model(12);
        for (command, at, behind) in [
            (Forward, 11, None),
            (TurnForward, 11, None),
            (Back, 10, Some(1)),
            (Back, 9, Some(2)),
            (TurnBack, 5, Some(6)),
            (TurnBack, 0, Some(11)),
            (TurnBack, 0, Some(11)),
            (Back, 0, Some(11)),
            (Forward, 1, Some(10)),
            (TurnForward, 5, Some(6)),
            (TurnForward, 10, Some(1)),
            (TurnForward, 11, Some(0)),
            (Forward, 11, Some(0)),
            (Oldest, 0, Some(11)),
            (Newest, 11, None),
            (Pause, 11, Some(0)),
            (Pause, 11, None),
        ] {
            assert_eq!(model.obey(command), None);
            assert_eq!((model.at(), model.behind()), (Some(at), behind), "after {command:?}");
        }
    }

    #[test]
    fn the_game_goes_on_behind_a_pause() {
        let mut model = model(5);
        model.obey(Command::Pause);
        let before = model.shown().unwrap().elapsed();
        news().into_iter().skip(5).for_each(|news| model.hear(news));
        assert_eq!(model.behind(), Some(16));
        assert_eq!(model.shown().unwrap().elapsed(), before);
        assert!(model.newest().unwrap().is_over());
        model.obey(Command::Pause);
        assert_eq!(model.behind(), None);
        assert!(model.shown().unwrap().is_over());
    }

    #[test]
    fn what_is_forgotten_is_not_shown_any_more() {
        let mut model = model(21);
        model.obey(Command::Oldest);
        for _ in 0..=History::MOMENTS / 21 {
            for news in news() {
                model.hear(news);
            }
        }
        assert_eq!(model.behind(), Some(History::MOMENTS as u64 - 1));
        model.obey(Command::Back);
        assert_eq!(model.behind(), Some(History::MOMENTS as u64 - 1));
    }

    #[test]
    fn players_are_followed_in_turn_or_by_their_letter() {
        let mut model = model(1);
        let followed = |model: &mut Model, command| {
            model.obey(command);
            model.followed().map(Colour::letter)
        };
        let [a, b, c] = [0, 1, 2].map(|index| Colour::new(index).unwrap());
        for (command, expected) in [
            (Command::FollowNext, Some('A')),
            (Command::FollowNext, Some('B')),
            (Command::FollowNext, None),
            (Command::FollowLast, Some('B')),
            (Command::FollowLast, Some('A')),
            (Command::FollowLast, None),
            (Command::Follow(b), Some('B')),
            (Command::Follow(a), Some('A')),
            (Command::Follow(c), Some('A')),
            (Command::Follow(a), None),
        ] {
            assert_eq!(followed(&mut model, command), expected, "after {command:?}");
        }
    }

    #[test]
    fn a_lost_line_is_forgotten_when_a_state_comes() {
        let mut model = model(1);
        model.hear(News::Line(Line::Lost));
        model.hear(News::Line(Line::Connected));
        assert_eq!(*model.status(), Status::Lost);
        model.hear(news().swap_remove(1));
        assert_eq!(*model.status(), Status::Live);
    }
}
