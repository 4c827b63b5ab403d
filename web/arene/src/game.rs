//! A game that is played turn by turn, and can be branched.

use bots::Evaluation;
use coach::{Advice, Effort};
use game::colour::Colour;
use game::pacman::Orders;
use game::pyrat::Action;
use replay::film::Film;
use replay::{
    Analysis, Answer, AnswerFault, Difference, Excerpt, Flaw, Given, Recorder, Recording, Replay,
    Setup, Turn, hash,
};
use serde_json::{Value, json};

use crate::house::Seated;
use crate::terms::Players;
use crate::{Check, Error};

/// A game between bots of the house and players whose messages are given.
///
/// ```
/// use arene::{Game, PacmanTerms};
///
/// let players = ["champion", "glouton"].map(|bot| Some(bot.to_owned())).into_iter().chain([None]);
/// let terms = PacmanTerms { seed: "7".to_owned(), turns: 20, players: players.collect(), ..PacmanTerms::default() };
/// let mut game = Game::start(terms.setup()?, &terms.players)?;
/// while !game.is_over() {
///     game.step(&[("C", b"NE")])?;
/// }
/// let other = game.branch(10, None)?;
/// assert_eq!(other.turn(), 10);
/// # Ok::<(), arene::Error>(())
/// ```
pub struct Game {
    players: Players,
    recording: Recording,
    film: Film,
    seats: Vec<Option<Seated>>,
    /// The answers of the house bots in this turn, once they have thought about it.
    thought: Option<Vec<Given>>,
    /// The frame of the last turn, as a page shows it.
    frame: Value,
    recorder: Recorder,
    bytes: Vec<u8>,
    advisers: Vec<Adviser>,
}

/// A bot of the house that sees what a player sees, and says what it would play.
struct Adviser {
    me: Colour,
    bot: String,
    seat: Seated,
    /// The game up to the last turn in which it was asked.
    game: Replay,
    answer: Given,
}

impl Adviser {
    fn new(setup: &Setup, bot: &str, me: Colour) -> Result<Self, Error> {
        let seat = Seated::new(setup, bot, me)?;
        let answer = Given::nothing(Answer::Missed);
        Ok(Self { me, bot: bot.to_owned(), seat, game: Replay::start(setup), answer })
    }

    /// The adviser as it was after some turns of a recording, or earlier; `None` if nothing of it was kept.
    fn at(&self, recording: &Recording, turns: u32) -> Option<Self> {
        let seat = self.seat.at(turns)?;
        let mut game = Replay::start(&recording.setup);
        for turn in recording.turns.range(0..seat.asked() as usize) {
            game.play(&turn);
        }
        Some(Self { me: self.me, bot: self.bot.clone(), seat, game, answer: self.answer })
    }

    /// Shows it the game up to a number of turns.
    fn follow(&mut self, recording: &Recording, turns: u32) {
        loop {
            let now = self.game.turn();
            if self.seat.asked() <= now {
                self.answer = self.seat.answer(&self.game);
            }
            let mut next = recording.turns.range(now as usize..turns as usize);
            let Some(turn) = next.next() else { break };
            self.game.play(&turn);
        }
    }
}

impl Game {
    /// Starts a game.
    ///
    /// # Errors
    ///
    /// If there are more or fewer `players` than the setup has, or one of the bots does not exist.
    pub fn start(setup: Setup, players: &Players) -> Result<Self, Error> {
        let (found, expected) = (players.len(), setup.names().len());
        if found != expected {
            return Err(Error::Players { what: "players", found, players: expected });
        }
        let seat = |(me, player): (Colour, &Option<String>)| {
            player.as_deref().map(|bot| Seated::new(&setup, bot, me)).transpose()
        };
        let seats =
            Colour::first(expected).zip(players).map(seat).collect::<Result<Vec<_>, _>>()?;
        let film = Film::start(&setup);
        let (recorder, bytes) = Recorder::start(setup.clone());
        let frame = film.whole(None);
        let recording = Recording::new(setup);
        let players = players.clone();
        let advisers = Vec::new();
        Ok(Self {
            players,
            recording,
            film,
            seats,
            thought: None,
            frame,
            recorder,
            bytes,
            advisers,
        })
    }

    /// Opens a recording, to look at or to branch.
    ///
    /// # Errors
    ///
    /// If the bytes are no recording.
    pub fn open(bytes: &[u8]) -> Result<Self, Error> {
        let recording = Recording::read(bytes)?;
        let nobody = vec![None; recording.setup.names().len()];
        let mut game = Self::start(recording.setup.clone(), &nobody)?;
        game.go_on(&recording, recording.turn());
        // With the states that were recorded, which `verify` compares.
        Ok(Self { recording, ..game })
    }

    /// Plays the first turns of a recording again. Bots of the house see those that they have not seen.
    fn go_on(&mut self, recording: &Recording, turns: u32) {
        for turn in recording.turns.range(0..turns as usize) {
            self.ask();
            self.play(turn.answers);
        }
    }

    /// The game after its first `turn` turns, with these players from there on; `None` for the same players.
    ///
    /// # Errors
    ///
    /// If the game has fewer turns, other players, or one of the bots does not exist.
    pub fn branch(&self, turn: u32, players: Option<&Players>) -> Result<Self, Error> {
        if turn > self.turn() {
            return Err(Error::NoTurn { turn, last: self.turn() });
        }
        let players = players.unwrap_or(&self.players);
        let mut game = Self::start(self.recording.setup.clone(), players)?;
        // A bot that keeps its seat need not think again about earlier turns.
        let stays = players.iter().zip(&self.players).map(|(new, old)| new == old);
        for ((seat, own), stays) in game.seats.iter_mut().zip(&self.seats).zip(stays) {
            if let Some(own) = own.as_ref().filter(|_| stays).and_then(|own| own.at(turn)) {
                *seat = Some(own);
            }
        }
        let advisers = self.advisers.iter();
        game.advisers = advisers.filter_map(|own| own.at(&self.recording, turn)).collect();
        game.go_on(&self.recording, turn);
        Ok(game)
    }

    /// Plays a turn, unless the game is over. `messages` are those of players by letter, as they would send them; who sends
    /// none misses the turn.
    ///
    /// # Errors
    ///
    /// If a letter is no player's, or a bot of the house plays for it; nothing is played then.
    pub fn step(&mut self, messages: &[(&str, &[u8])]) -> Result<(), Error> {
        let mut others = Vec::with_capacity(messages.len());
        for (letter, message) in messages {
            let me = self.colour(letter)?;
            if self.seats[me.index()].is_some() {
                return Err(Error::House(me.as_str()));
            }
            others.push((me.index(), self.read(me, message)));
        }
        if !self.is_over() {
            let mut answers = self.ask();
            for (player, given) in others {
                answers[player] = given;
            }
            self.play(answers);
        }
        Ok(())
    }

    /// The message that a bot of the house would send for a player in this turn. It has seen the game so far as that player.
    ///
    /// # Errors
    ///
    /// If the letter is no player's, or the bot does not exist.
    pub fn advise(&mut self, letter: &str, bot: &str) -> Result<String, Error> {
        Ok(self.ask_adviser(letter, bot)?.answer.letters().unwrap_or_default())
    }

    /// A house bot's evaluation of the message that it [advises](Self::advise) in this turn; `None` if it does not value
    /// moves in points.
    ///
    /// # Errors
    ///
    /// If the letter is no player's, or the bot does not exist.
    pub fn evaluation(&mut self, letter: &str, bot: &str) -> Result<Option<Evaluation>, Error> {
        let Adviser { seat, game, .. } = self.ask_adviser(letter, bot)?;
        Ok(seat.evaluation(game))
    }

    fn ask_adviser(&mut self, letter: &str, bot: &str) -> Result<&Adviser, Error> {
        let me = self.colour(letter)?;
        let Self { recording, advisers, film, .. } = self;
        let known = advisers.iter().position(|adviser| adviser.me == me && adviser.bot == bot);
        let number = known.unwrap_or(advisers.len());
        if known.is_none() {
            advisers.push(Adviser::new(&recording.setup, bot, me)?);
        }
        let adviser = &mut advisers[number];
        adviser.follow(recording, film.turn());
        Ok(adviser)
    }

    /// The player of a letter.
    fn colour(&self, letter: &str) -> Result<Colour, Error> {
        let found = Colour::first(self.seats.len()).find(|colour| colour.as_str() == letter);
        found.ok_or_else(|| Error::NoPlayer(letter.to_owned()))
    }

    /// Reads a message as a server does.
    fn read(&mut self, me: Colour, message: &[u8]) -> Given {
        let answer = match self.film.game() {
            Replay::Pacman(_) => Answer::Orders(Orders::decode(message)),
            Replay::PyRat(game) if game.state().rats()[me.index()].mud.is_some() => Answer::Unasked,
            Replay::PyRat(_) => Answer::Action(Action::decode(message)),
        };
        let given = Given::nothing(answer);
        let is_malformed = given.fault() == Some(AnswerFault::Malformed);
        Given {
            excerpt: is_malformed.then(|| Excerpt::of_answer(Flaw::Malformed, message)),
            ..given
        }
    }

    /// Lets the bots of the house think about this turn, so that the next step takes less time. Plays nothing.
    pub fn think(&mut self) {
        if self.thought.is_none() && !self.is_over() {
            self.thought = Some(self.ask());
        }
    }

    /// The answers of the house bots that have not yet answered this turn; the others miss it.
    fn ask(&mut self) -> Vec<Given> {
        let Self { film, seats, thought, .. } = self;
        thought.take().unwrap_or_else(|| {
            let mut answers = vec![Given::nothing(Answer::Missed); seats.len()];
            for (seat, answer) in seats.iter_mut().zip(&mut answers) {
                if let Some(seat) = seat.as_mut().filter(|seat| seat.asked() <= film.turn()) {
                    *answer = seat.answer(film.game());
                }
            }
            answers
        })
    }

    fn play(&mut self, answers: Vec<Given>) {
        let mut turn = Turn { answers, marks: replay::Marks::default() };
        self.frame = self.film.next(&turn);
        turn.marks = self.film.game().marks();
        self.recording.turns.push(&turn);
        let now = hash(self.film.game().text());
        self.bytes.extend(self.recorder.turn(turn, now));
    }

    /// Tests if the game is over.
    pub fn is_over(&mut self) -> bool {
        self.film.game().is_over()
    }

    /// The number of turns played.
    pub fn turn(&self) -> u32 {
        self.film.turn()
    }

    /// The text of the maze of PyRat, which players are told before the first state.
    pub fn maze(&self) -> Option<String> {
        let Setup::PyRat(setup) = &self.recording.setup else { return None };
        let mut text = Vec::new();
        setup.start.maze().encode(&mut text);
        Some(String::from_utf8_lossy(&text).into_owned())
    }

    /// The texts of the states before the present one.
    pub fn past(&self) -> Vec<String> {
        let mut game = Replay::start(&self.recording.setup);
        let state = |turn: Turn| {
            let text = String::from_utf8_lossy(game.text()).into_owned();
            game.play(&turn);
            text
        };
        self.recording.turns.iter().map(state).collect()
    }

    /// The answers of a player by turn, as letters; `None` for a missed turn.
    ///
    /// # Errors
    ///
    /// If the letter is no player's.
    pub fn orders(&self, letter: &str) -> Result<Vec<Option<String>>, Error> {
        let me = self.colour(letter)?.index();
        Ok(self.recording.turns.iter().map(|turn| turn.answers[me].letters()).collect())
    }

    /// The decisions of a player that cost most, each with a better one, as the coach finds them. Takes seconds.
    ///
    /// # Errors
    ///
    /// If the letter is no player's.
    pub fn coach(&self, letter: &str) -> Result<Value, Error> {
        let advices = coach::advise(&self.recording, self.colour(letter)?, Effort::default());
        let letters = |orders: Orders| String::from_utf8_lossy(&orders.encode()).into_owned();
        let told = advices.into_iter().map(|Advice { turn, played, advised, gain, margin }| {
            json!([turn, letters(played), letters(advised), gain, margin])
        });
        Ok(told.collect())
    }

    /// The faults in the orders of a player.
    ///
    /// # Errors
    ///
    /// If the letter is no player's.
    pub fn check(&self, letter: &str) -> Result<Check, Error> {
        Ok(Check::of(&self.recording, self.colour(letter)?))
    }

    /// The text of the state, as a server sends it.
    pub fn state(&mut self) -> &[u8] {
        self.film.game().text()
    }

    /// The ranking: `[{"letter", "name", "points", "rank"}]`, the best first.
    pub fn ranking(&self) -> Value {
        let analysis = Analysis::of(&self.recording);
        let players = Colour::first(analysis.players.len()).zip(&analysis.players);
        let mut players: Vec<_> = players.collect();
        players.sort_by_key(|(_, player)| player.rank);
        let told = players.into_iter().map(|(letter, player)| {
            json!({
                "letter": letter.as_str(),
                "name": player.name,
                "points": player.points,
                "rank": player.rank,
            })
        });
        told.collect()
    }

    /// The frame of the last turn, which a page can show after the frame of the turn before; a whole one at the start.
    pub fn frame(&self) -> &Value {
        &self.frame
    }

    /// The beginning of the film, which a page needs before frames.
    pub fn beginning(&self) -> Value {
        replay::film::beginning(&self.recording.setup)
    }

    /// The film of the game so far, as JSON.
    pub fn film(&mut self) -> String {
        self.recording.is_complete |= self.is_over();
        let mut text = Vec::new();
        replay::film::write(&self.recording, &mut text).expect("memory takes what is written");
        String::from_utf8(text).expect("JSON is text")
    }

    /// Plays the game again and compares its states with the recorded ones.
    ///
    /// # Errors
    ///
    /// With the first difference.
    pub fn verify(&self) -> Result<(), Difference> {
        replay::verify(&self.recording)
    }

    /// The bytes of the recording so far, with a compressed block of thoughts, which may be empty, and the number of those dropped.
    pub fn recording(&mut self, dropped: u32, block: Vec<u8>) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        if !block.is_empty() || dropped > 0 {
            bytes.extend(replay::thoughts::record(dropped, block));
        }
        if self.recording.is_complete || self.is_over() {
            bytes.extend(self.recorder.clone().end(hash(self.state())));
        }
        bytes
    }
}
