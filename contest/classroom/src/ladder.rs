//! The games of the ladder, played all the time on what is free.

use std::io;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use course::{CourseError, CourseReader, LadderGame, LadderSeat, Player, Traces};
use game::colour::Colour;
use language::{Language, said};
use parking_lot::Mutex;
use plan::{
    Conditions, Fixture, Format, Group, Job, Key, Matchup, Outcome, Plan, Program, SEATS, Schedule,
    SeatOutcome, Seating, Seatings, Team,
};
use protocol::Name;
use replay::Recording;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;
use tournament::venue::{HostFault, LocalVenue, Ticket};

use crate::Rest;
use crate::about::team;
use crate::room::{LadderNow, Room, Work, now, unblocked};

/// Pause between two looks at what there is to do.
const IDLE: Duration = Duration::from_secs(2);
/// Pause after a game that this machine could not play; it doubles with each further one, up to [`LONGEST_PAUSE`].
const PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
/// Time of a check after which games begin beside it.
const CHECK: Duration = Duration::from_secs(30);
/// Minimum pause between two computations of the ladder as it is shown.
const FRESH: Duration = Duration::from_secs(2);
/// Number of games between two looks at the size of recordings.
const THINNED: u32 = 200;
/// Pause between two notes of the ratings of the day.
const NOTED: Duration = Duration::from_secs(600);
/// Number of recordings that are removed at a time.
const BATCH: usize = 500;
/// Maximum number of bytes that are kept of what a program has written in a game.
const OUTPUT: usize = 64 << 10;

/// A game that is being played.
struct Running {
    number: u64,
    players: [Player; SEATS],
}

/// The end of a game.
struct Ended {
    number: u64,
    players: [Player; SEATS],
    played: Result<(Outcome, Vec<Vec<u8>>), HostFault>,
}

/// Plays games until the course is closed. Games that are under way then do not count.
pub(crate) struct LadderPlayer {
    room: Arc<Room>,
    /// Its own reader: a long computation of ratings keeps no page waiting.
    reader: Arc<Mutex<CourseReader>>,
    venue: LocalVenue,
    running: Vec<Running>,
    games: JoinSet<Ended>,
    begun: u64,
    since_thinning: u32,
    /// Games that could not be kept yet, as on a full disk.
    unkept: Vec<(LadderGame, Traces)>,
    /// Number of games in a row that this machine could not play, and when the next one may begin.
    faults: u32,
    not_before: Option<Instant>,
    shown_at: Option<Instant>,
    /// When the ratings of the day were noted last.
    noted_at: Option<Instant>,
}

impl LadderPlayer {
    pub(crate) fn new(room: Arc<Room>, venue: LocalVenue) -> Result<Self, CourseError> {
        Ok(Self {
            reader: Arc::new(Mutex::new(room.reader()?)),
            room,
            venue,
            running: Vec::new(),
            games: JoinSet::new(),
            begun: 0,
            since_thinning: THINNED,
            unkept: Vec::new(),
            faults: 0,
            not_before: None,
            shown_at: None,
            noted_at: None,
        })
    }

    pub(crate) async fn play(mut self, stop: CancellationToken) {
        while !stop.is_cancelled() {
            if let Err(error) = self.step(&stop).await {
                self.room.note_trouble(Work::Ladder, &error.to_string());
            }
            tokio::select! {
                () = stop.cancelled() => break,
                Some(ended) = self.games.join_next() => {
                    if let Ok(ended) = ended {
                        self.take_in(ended);
                    }
                }
                () = self.room.resumed.notified() => {}
                () = sleep(IDLE) => {}
            }
        }
        self.games.shutdown().await;
    }

    /// Keeps the games that have ended, brings the ladder that is shown up to date, and begins games as long as there is room.
    async fn step(&mut self, stop: &CancellationToken) -> Result<(), CourseError> {
        self.keep().await?;
        self.show().await?;
        while self.may_begin() {
            let Some((job, players)) = self.next().await? else { break };
            self.begun += 1;
            let number = self.begun;
            self.running.push(Running { number, players: players.clone() });
            let played = self.venue.play_and_read(job, Ticket::silent(stop.clone()));
            self.games.spawn(async move { Ended { number, players, played: played.await } });
            self.tell();
        }
        Ok(())
    }

    /// Tests if a further game may begin. Checks go first, but a long one does not keep the ladder waiting.
    fn may_begin(&self) -> bool {
        let now = self.room.now.borrow();
        let settings = &self.room.settings;
        let is_over = self.room.ladder.borrow().ended.is_some();
        let is_free = now.checking.is_none_or(|(_, since)| since.elapsed() > CHECK);
        let is_calm = !now.is_paused && !is_over && !Rest::is_now(&settings.rest);
        is_free
            && is_calm
            && self.unkept.is_empty()
            && self.not_before.is_none_or(|at| at <= Instant::now())
            && self.running.len() < settings.parallel
    }

    fn tell(&self) {
        let playing = self.running.len();
        self.room.now.send_modify(|now| now.playing = playing);
    }

    /// Works with the reader on a thread that may block.
    async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&CourseReader) -> Result<T, CourseError> + Send + 'static,
    ) -> Result<T, CourseError> {
        let reader = Arc::clone(&self.reader);
        unblocked(move || work(&reader.lock())).await
    }

    /// The next game, if there is one to be played.
    async fn next(&self) -> Result<Option<(Job, [Player; SEATS])>, CourseError> {
        let rules = self.room.settings.ladder;
        let running: Vec<_> = self.running.iter().map(|game| game.players.clone()).collect();
        let room = Arc::clone(&self.room);
        self.read(move |reader| {
            let Some(mut players) = reader.next_games(1, &rules, &running)?.pop() else {
                return Ok(None);
            };
            let seed = getrandom::u64().map_err(CourseError::Random)?;
            shuffle(&mut players, seed);
            Ok(Some((job(&room, reader, &players, seed)?, players)))
        })
        .await
    }

    /// Takes in a game that has ended.
    fn take_in(&mut self, ended: Ended) {
        let Ended { number, players, played } = ended;
        self.running.retain(|game| game.number != number);
        self.tell();
        match played {
            Ok((outcome, outputs)) => {
                self.faults = 0;
                self.unkept.push(kept(players, &outcome, outputs));
            }
            Err(HostFault::Stopped) => {}
            Err(fault) => {
                self.room.note_trouble(Work::Ladder, &fault.to_string());
                let pause = (PAUSE * (1 << self.faults.min(8))).min(LONGEST_PAUSE);
                self.not_before = Some(Instant::now() + pause);
                self.faults += 1;
            }
        }
    }

    /// Keeps the games that have ended. They stay for the next attempt if that fails, and no other game begins; old recordings
    /// go first.
    async fn keep(&mut self) -> Result<(), CourseError> {
        if self.unkept.is_empty() {
            return Ok(());
        }
        let thins = self.since_thinning >= THINNED;
        let notes = self.noted_at.is_none_or(|at| at.elapsed() >= NOTED);
        let budget = self.room.settings.recordings;
        let games = self.unkept.clone();
        self.room
            .write(move |course| {
                if thins {
                    course.thin(budget, BATCH)?;
                }
                course.keep_games(&games)?;
                if notes {
                    course.note_ratings(now())?;
                }
                Ok::<_, CourseError>(())
            })
            .await?;
        self.since_thinning = if thins { 0 } else { self.since_thinning };
        self.since_thinning += u32::try_from(self.unkept.len()).unwrap_or(THINNED);
        self.unkept.clear();
        if notes {
            self.noted_at = Some(Instant::now());
        }
        self.room.forget_trouble(Work::Ladder);
        Ok(())
    }

    /// Computes the ladder that is shown, unless it is fresh.
    async fn show(&mut self) -> Result<(), CourseError> {
        if self.shown_at.is_some_and(|at| at.elapsed() < FRESH) {
            return Ok(());
        }
        let shown = self.read(|reader| {
            let public = reader.public();
            Ok(LadderNow {
                rows: public.ladder()?,
                games: public.games()?,
                ratings: reader.ratings()?,
                ended: reader.ended()?,
            })
        });
        let shown = shown.await?;
        self.room.ladder.send_replace(Arc::new(shown));
        self.shown_at = Some(Instant::now());
        Ok(())
    }
}

/// Draws the seats.
fn shuffle(players: &mut [Player; SEATS], seed: u64) {
    let mut left = seed;
    for last in (1..SEATS).rev() {
        let count = last as u64 + 1;
        // Its remainder is below 4.
        players.swap(last, (left % count) as usize);
        left /= count;
    }
}

/// The game of these players, by colour.
fn job(
    room: &Room,
    reader: &CourseReader,
    players: &[Player; SEATS],
    seed: u64,
) -> Result<Job, CourseError> {
    let settings = &room.settings;
    let mut teams: Vec<Team> = Vec::with_capacity(SEATS);
    for player in players {
        let name = |wanted: &str| {
            let is_taken = |name: &str| teams.iter().any(|team| team.name == name);
            Name::new(wanted).distinct(is_taken).to_string()
        };
        let team = match player {
            Player::Version(id) => {
                let version = reader.version(*id)?;
                let known = reader.team(version.team)?;
                team(name(known.public_name()), &version, reader.versions_folder())
            }
            Player::House(level) => Team::new(name(level), Program::House(level.clone()), ""),
        };
        teams.push(team);
    }
    // Its remainder is a place in the list.
    let map = (seed / 24 % settings.maps.len() as u64) as usize;
    let plan = Plan {
        conditions: Conditions {
            name: settings.name.clone(),
            seed,
            rules: settings.rules,
            turns: settings.turns,
            deadline: settings.deadline,
            house: settings.levels[0].clone(),
            seatings: Seatings::Cyclic,
        },
        maps: vec![settings.maps[map].clone()],
        teams,
        schedule: Schedule { format: Format::Swiss, rounds: 1, until: None, lots: seed },
        limits: settings.programs.clone(),
        notes: Vec::new(),
    };
    let group = Group::new(&[0, 1, 2, 3]).expect("four teams");
    let matchup = Matchup { round: 1, map: 0, group };
    let seating = Seating([0, 1, 2, 3]);
    Ok(plan.job(&Fixture { key: Key::of_game(&plan, &matchup, seating), matchup, seating }))
}

/// Converts the outcome of a game to the record and the traces that the course stores.
fn kept(
    players: [Player; SEATS],
    outcome: &Outcome,
    outputs: Vec<Vec<u8>>,
) -> (LadderGame, Traces) {
    let mut outcomes = outcome.seats.iter();
    let seats = players.map(|player| {
        let seat = outcomes.next().expect("a game has four seats");
        LadderSeat {
            place: u8::try_from(seat.rank).unwrap_or(u8::MAX),
            points: seat.points,
            fault: seat.fault.as_ref().map(|fault| fault.kind),
            cpu: used(seat),
            player,
        }
    });
    let began = outcome.began.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let game = LadderGame {
        key: outcome.key,
        at: began,
        map: outcome.map.to_string(),
        seed: outcome.seed,
        seats,
    };
    let outputs = outputs.into_iter().map(last_of).zip(&outcome.seats);
    let mut outputs = outputs.map(|(output, seat)| [fault_of(seat), output].concat());
    let outputs = std::array::from_fn(|_| outputs.next().unwrap_or_default());
    let thoughts = thoughts_of(&outcome.recording);
    (game, Traces { recording: without_thoughts(&outcome.recording), thoughts, outputs })
}

/// Processor time of a seat in microseconds.
fn used(seat: &SeatOutcome) -> u32 {
    let cpu = seat.usage.as_ref().and_then(|usage| usage.cpu).unwrap_or_default();
    u32::try_from(cpu.as_micros()).unwrap_or(u32::MAX)
}

/// The fault of a seat in words, for its team; nothing without one.
fn fault_of(seat: &SeatOutcome) -> Vec<u8> {
    let Some(fault) = &seat.fault else { return Vec::new() };
    let turn =
        fault.turn().map_or_else(String::new, |turn| said!(", turn {turn}", ", tour {turn}"));
    let detail = fault.detail.say(Language::chosen());
    said!("=== fault{turn}: {detail}\n", "=== faute{turn} : {detail}\n").into_bytes()
}

/// The end of an output.
fn last_of(mut output: Vec<u8>) -> Vec<u8> {
    output.drain(..output.len().saturating_sub(OUTPUT));
    output
}

/// The thoughts of the players in a recording, by colour.
fn thoughts_of(recording: &[u8]) -> [Vec<u8>; SEATS] {
    let Ok(Recording { thoughts, .. }) = Recording::read(recording) else {
        return Default::default();
    };
    let mut records = Colour::first(SEATS).map(|player| thoughts.record_of(player));
    std::array::from_fn(|_| records.next().unwrap_or_default())
}

/// A recording without what players thought aloud: each team of the game may get it.
fn without_thoughts(recording: &[u8]) -> Vec<u8> {
    let records: io::Result<Vec<_>> = replay::without_thoughts(recording).collect();
    // Reading from memory does not fail; a recording that cannot be read is not kept.
    records.map(|records| records.concat()).unwrap_or_default()
}
