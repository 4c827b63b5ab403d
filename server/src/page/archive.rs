//! The games that the page can show.

use std::collections::VecDeque;

use bytes::{Bytes, BytesMut};
use game::colour::Colour;
use replay::{Given, Recorder, Replay, Setup, Turn};
use serde_json::{Value, json};

use web::cache::Effort;

/// Maximum number of bytes of all games together; beyond, the oldest games are forgotten.
const ALL: usize = 16 * 1024 * 1024;
/// Maximum number of bytes of one game; only the beginning of a longer game is kept.
const LONGEST: usize = ALL / 4;
/// Maximum number of bytes of a game's recording in memory when it is read; only the beginning of a larger one is kept.
const LARGEST: usize = 48 * 1024 * 1024;
/// Number of bytes in memory from which a recording is read alone.
const LARGE: usize = LARGEST / 4;
/// Maximum number of games kept.
const GAMES: usize = 500;

/// The games since the server started, within the limits.
#[derive(Debug, Default)]
pub(super) struct GameArchive {
    games: VecDeque<Kept>,
}

/// A game, as the bytes of its recording, which are much smaller than the turns in memory.
#[derive(Debug)]
struct Kept {
    id: u32,
    seed: u64,
    /// The constant part of the game's entry in the list of games.
    about: Value,
    players: usize,
    turn: u32,
    points: Vec<f64>,
    is_running: bool,
    /// True if all turns and the end are kept.
    is_whole: bool,
    /// Encodes the next turn; `None` once the recording is final.
    recorder: Option<Recorder>,
    /// Pieces of the recording, which films may share.
    pieces: Vec<Bytes>,
    /// The bytes of the recording after `pieces`.
    tail: BytesMut,
    /// Total number of bytes of the recording.
    len: usize,
    /// Number of bytes of the recording in memory when it is read.
    expanded: usize,
}

/// The state of a game in the archive.
#[derive(Clone, Copy, Debug)]
pub(super) struct GameState {
    /// True if the recording does not change any more.
    pub(super) is_final: bool,
    /// True if all turns and the end are kept.
    pub(super) is_whole: bool,
    /// The cost of reading the recording.
    pub(super) effort: Effort,
}

impl GameArchive {
    /// Adds a game, if possible with this number, and returns its number. A game that has not ended stays incomplete.
    pub(super) fn begin(&mut self, number: u32, setup: Setup) -> u32 {
        self.interrupt();
        // In a tournament, each table numbers its own games.
        let id = self.games.back().map_or(number, |last| number.max(last.id + 1));
        let players = setup.names().len();
        let seed = setup.seed();
        let about = json!({
            "id": id,
            "game": if matches!(setup, Setup::Pacman(_)) { "pacman" } else { "pyrat" },
            "seed": seed.to_string(),
            "players": setup.names(),
            "turns": setup.turns(),
        });
        let (recorder, bytes) = Recorder::start(setup);
        self.games.push_back(Kept {
            id,
            seed,
            about,
            players,
            turn: 0,
            points: vec![0.0; players],
            is_running: true,
            is_whole: false,
            recorder: Some(recorder),
            pieces: Vec::new(),
            len: bytes.len(),
            expanded: bytes.len(),
            tail: BytesMut::from(&*bytes),
        });
        self.forget();
        id
    }

    /// Adds what players thought in the next turn of the latest game.
    pub(super) fn think(&mut self, thoughts: Vec<(Colour, String)>) {
        if let Some(recorder) = self.games.back_mut().and_then(|kept| kept.recorder.as_mut()) {
            recorder.think(thoughts);
        }
    }

    /// Adds a turn to the latest game; `game` is the game after the turn, and `hash` the hash of its text.
    pub(super) fn turn(&mut self, turn: Turn, game: &Replay, hash: u64) {
        let Some(kept) = self.games.back_mut() else { return };
        kept.turn += 1;
        kept.points.clear();
        match game {
            Replay::Pacman(game) => {
                let players = game.state().view().players().iter();
                kept.points.extend(players.map(|player| f64::from(player.points)));
            }
            Replay::PyRat(game) => {
                kept.points.extend(game.state().rats().iter().map(|rat| rat.score.as_f64()));
            }
        }
        kept.expanded += size_of::<Turn>() + kept.players * size_of::<Given>();
        if kept.len >= LONGEST || kept.expanded >= LARGEST {
            kept.recorder = None;
        }
        if let Some(recorder) = &mut kept.recorder {
            let bytes = recorder.turn(turn, hash);
            kept.write(&bytes);
            self.forget();
        }
    }

    /// Ends the latest game; `hash` is the hash of the text of its last state.
    pub(super) fn end(&mut self, hash: u64) {
        if let Some(kept) = self.games.back_mut() {
            kept.is_running = false;
            if let Some(recorder) = kept.recorder.take() {
                kept.write(&recorder.end(hash));
                kept.is_whole = true;
            }
        }
    }

    /// Stops recording the latest game; it stays incomplete if it has not ended.
    pub(super) fn interrupt(&mut self) {
        if let Some(kept) = self.games.back_mut() {
            kept.is_running = false;
            kept.recorder = None;
        }
    }

    /// The state of a game; `None` if there is no game with this number and seed.
    pub(super) fn state(&self, id: u32, seed: Option<u64>) -> Option<GameState> {
        let is_wanted = |kept: &&Kept| kept.id == id && seed.is_none_or(|seed| seed == kept.seed);
        let kept = self.games.iter().find(is_wanted)?;
        let effort = if kept.expanded > LARGE { Effort::Great } else { Effort::Usual };
        Some(GameState { is_final: kept.recorder.is_none(), is_whole: kept.is_whole, effort })
    }

    /// The pieces of a game's recording so far; `None` if there is no such game.
    pub(super) fn pieces(&mut self, id: u32) -> Option<Vec<Bytes>> {
        let kept = self.games.iter_mut().find(|kept| kept.id == id)?;
        if !kept.tail.is_empty() {
            kept.pieces.push(kept.tail.split().freeze());
        }
        Some(kept.pieces.clone())
    }

    /// All games, oldest first.
    pub(super) fn list(&self) -> Value {
        let game = |kept: &Kept| {
            let mut game = kept.about.clone();
            game["turn"] = kept.turn.into();
            game["running"] = kept.is_running.into();
            game["points"] = kept.points.as_slice().into();
            game
        };
        json!({ "games": self.games.iter().map(game).collect::<Vec<_>>() })
    }

    /// Forgets the oldest games, but not the latest one, until the limits hold.
    fn forget(&mut self) {
        let mut bytes: usize = self.games.iter().map(|kept| kept.len).sum();
        while self.games.len() > 1 && (bytes > ALL || self.games.len() > GAMES) {
            bytes -= self.games.pop_front().map_or(0, |kept| kept.len);
        }
    }
}

impl Kept {
    fn write(&mut self, bytes: &[u8]) {
        self.tail.extend_from_slice(bytes);
        self.len += bytes.len();
    }
}

#[cfg(test)]
mod tests {
    use game::pacman::{Map, Orders, Rules};
    use replay::{Answer, PacmanSetup, Recording};

    use super::*;

    /// The setup of a game with these players on a square map with sides of `size`.
    fn setup(players: usize, size: usize) -> Setup {
        let rows = format!("{}\n", ".".repeat(size)).repeat(size);
        Setup::Pacman(PacmanSetup {
            map: format!("{size};{size}\n{rows}").parse::<Map>().unwrap(),
            rules: Rules::default(),
            seed: 3,
            turns: u32::MAX,
            names: vec!["Ada".to_owned(); players],
        })
    }

    fn turn(players: usize) -> Turn {
        let given = Given::nothing(Answer::Orders(Orders::default()));
        Turn { answers: vec![given; players], ..Turn::default() }
    }

    fn bytes(archive: &GameArchive) -> usize {
        archive.games.iter().map(|kept| kept.len).sum()
    }

    fn recording(archive: &mut GameArchive, id: u32) -> Recording {
        Recording::read(&archive.pieces(id).unwrap().concat()).unwrap()
    }

    #[test]
    fn games_are_kept_as_they_were() {
        let mut archive = GameArchive::default();
        let game = Replay::start(&setup(2, 3));
        assert_eq!(archive.begin(1, setup(2, 3)), 1);
        archive.turn(turn(2), &game, 7);
        assert_eq!(recording(&mut archive, 1).turn(), 1);
        archive.turn(turn(2), &game, 8);
        archive.end(8);
        let whole = recording(&mut archive, 1);
        assert_eq!((whole.turn(), whole.is_complete, &whole.damage), (2, true, &None));
        assert_eq!(whole.turns.get(1), Some(turn(2)));

        // A game that does not end, and one with a number that is taken.
        assert_eq!(archive.begin(2, setup(1, 3)), 2);
        assert_eq!(archive.begin(1, setup(1, 3)), 3);
        assert!(!recording(&mut archive, 2).is_complete);
        let list = archive.list();
        let running = |index: usize| list["games"][index]["running"].as_bool().unwrap();
        assert_eq!([running(0), running(1), running(2)], [false, false, true]);
    }

    #[test]
    fn recording_of_the_current_game_is_bounded() {
        let mut archive = GameArchive::default();
        let game = Replay::start(&setup(26, 9));
        archive.begin(1, setup(26, 9));
        archive.end(0);
        archive.begin(2, setup(26, 9));
        for _ in 0..60_000 {
            archive.turn(turn(26), &game, 0);
        }
        assert!(bytes(&archive) <= ALL);
        archive.end(0);
        let kept = recording(&mut archive, 2);
        assert!(!kept.is_complete && kept.damage.is_none());
        assert!(kept.turns.len() * size_of::<Given>() * 26 <= LARGEST);
        assert_eq!(archive.list()["games"].as_array().unwrap().last().unwrap()["turn"], 60_000);
    }

    #[test]
    fn number_and_bytes_of_kept_games_are_bounded() {
        let mut archive = GameArchive::default();
        let [large, small] = [500, 3].map(|size| setup(1, size));
        for number in 1..=100 {
            archive.begin(number, large.clone());
            archive.end(0);
            assert!(bytes(&archive) <= ALL);
        }
        assert!(archive.games.len() < 100);
        for number in 101..=2000 {
            archive.begin(number, small.clone());
        }
        assert_eq!(archive.games.len(), GAMES);
        assert!(archive.pieces(1).is_none() && archive.pieces(2000).is_some());
    }
}
