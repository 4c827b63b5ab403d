//! The games of the ladder, played all the time on what is free.

mod elsewhere;
mod game;
mod pause;

use std::sync::Arc;
use std::time::Duration;

use course::{CourseError, CourseReader, LadderGame, Player, Seconds, Traces};
use language::said;
use parking_lot::Mutex;
use plan::{Fixture, Job, Key, Outcome, SEATS};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;
use tournament::venue::{HostFault, LocalVenue, Ticket};

use crate::Rest;
use crate::machines::Machines;
use crate::room::{LadderNow, Room, Work, now, unblocked};
use elsewhere::Elsewhere;
use game::{job, kept, shuffle};
use pause::Pause;

/// Pause between two looks at what there is to do.
const IDLE: Duration = Duration::from_secs(2);
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

/// A game that is being played.
#[derive(Clone)]
struct Running {
    key: Key,
    players: [Player; SEATS],
    place: Place,
    /// The time at which it was handed out.
    since: Seconds,
}

/// The machine that plays a game: this one or another one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Here,
    Elsewhere,
}

/// The end of a game.
struct Ended {
    game: Running,
    played: Result<(Outcome, Vec<Vec<u8>>), HostFault>,
}

/// Plays games until the course is closed. Games that are under way then do not count.
pub(crate) struct LadderPlayer {
    room: Arc<Room>,
    /// Its own reader: a long computation of ratings keeps no page waiting.
    reader: Arc<Mutex<CourseReader>>,
    venue: LocalVenue,
    elsewhere: Option<Elsewhere>,
    running: Vec<Running>,
    games: JoinSet<Ended>,
    since_thinning: u32,
    /// Games that could not be kept yet, as on a full disk.
    unkept: Vec<(LadderGame, Traces)>,
    /// The time until the next game after those that this machine could not play.
    pause: Pause,
    shown_at: Option<Instant>,
    /// The time at which the ratings of the day were noted last.
    noted_at: Option<Instant>,
}

impl LadderPlayer {
    pub(crate) fn new(room: Arc<Room>, venue: LocalVenue) -> Result<Self, CourseError> {
        Ok(Self {
            reader: Arc::new(Mutex::new(room.reader()?)),
            room,
            venue,
            elsewhere: None,
            running: Vec::new(),
            games: JoinSet::new(),
            since_thinning: THINNED,
            unkept: Vec::new(),
            pause: Pause::default(),
            shown_at: None,
            noted_at: None,
        })
    }

    /// Lets other machines play, too.
    pub(crate) fn play_elsewhere(&mut self, machines: Box<dyn Machines>) {
        self.elsewhere = Some(Elsewhere::new(machines));
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
        let may_begin = self.may_begin();
        if let Some(elsewhere) = &mut self.elsewhere {
            elsewhere.look(&self.room, may_begin);
        }
        while let Some(place) = self.free_place() {
            let Some((job, fixture, players)) = self.next().await? else { break };
            self.begin(place, job, fixture, players, stop);
        }
        Ok(())
    }

    fn begin(
        &mut self,
        place: Place,
        job: Job,
        fixture: Fixture,
        players: [Player; SEATS],
        stop: &CancellationToken,
    ) {
        let game = Running { key: job.key, players, place, since: now() };
        self.running.push(game.clone());
        match &mut self.elsewhere {
            Some(elsewhere) if place == Place::Elsewhere => {
                let played = elsewhere.play(job, fixture, stop);
                self.games.spawn(async { Ended { game, played: played.await } });
            }
            _ => {
                let played = self.venue.play_and_read(job, Ticket::silent(stop.clone()));
                self.games.spawn(async { Ended { game, played: played.await } });
            }
        }
        self.tell();
    }

    /// Tests if games may begin now, wherever there is room.
    fn may_begin(&self) -> bool {
        let is_over = self.room.ladder.borrow().ended.is_some();
        !self.room.now.borrow().is_paused && !is_over && !Rest::is_now(&self.room.settings.rest)
    }

    /// The place where a further game may begin, if there is one. On this machine, checks go first, but a long one does not keep
    /// the ladder waiting.
    fn free_place(&self) -> Option<Place> {
        if !self.may_begin() || !self.unkept.is_empty() {
            return None;
        }
        let checking = self.room.now.borrow().checking;
        let is_free = checking.is_none_or(|(_, since)| since.elapsed() > CHECK);
        let here = self.running.iter().filter(|game| game.place == Place::Here).count();
        if is_free && self.pause.is_over() && here < self.room.settings.parallel {
            return Some(Place::Here);
        }
        self.elsewhere.as_ref().filter(|it| it.has_room()).map(|_| Place::Elsewhere)
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
    async fn next(&self) -> Result<Option<(Job, Fixture, [Player; SEATS])>, CourseError> {
        let rules = self.room.settings.ladder;
        let running: Vec<_> = self.running.iter().map(|game| game.players.clone()).collect();
        let room = Arc::clone(&self.room);
        self.read(move |reader| {
            let Some(mut players) = reader.next_games(1, &rules, &running)?.pop() else {
                return Ok(None);
            };
            let seed = getrandom::u64().map_err(CourseError::Random)?;
            shuffle(&mut players, seed);
            let (job, fixture) = job(&room, reader, &players, seed)?;
            Ok(Some((job, fixture, players)))
        })
        .await
    }

    /// Takes in a game that has ended.
    fn take_in(&mut self, ended: Ended) {
        let Ended { game: Running { key, players, place, since }, played } = ended;
        self.running.retain(|game| game.key != key);
        self.tell();
        let (pause, work) = match &mut self.elsewhere {
            Some(elsewhere) if place == Place::Elsewhere => {
                elsewhere.ended(key, played.is_ok());
                (&mut elsewhere.pause, Work::Machines)
            }
            _ => (&mut self.pause, Work::Ladder),
        };
        match played {
            Ok((outcome, outputs)) => {
                pause.end();
                self.unkept.push(kept(since, players, &outcome, outputs));
            }
            Err(HostFault::Stopped) => {}
            Err(fault) => {
                pause.fault();
                let trouble = match place {
                    Place::Here => fault.to_string(),
                    Place::Elsewhere => said!(
                        "a game on other machines: {fault}",
                        "une partie sur d'autres machines : {fault}"
                    ),
                };
                self.room.note_trouble(work, &trouble);
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
        if let Some(elsewhere) = &mut self.elsewhere {
            elsewhere.recorded();
        }
        if notes {
            self.noted_at = Some(Instant::now());
        }
        if self.pause.is_clear() {
            self.room.forget_trouble(Work::Ladder);
        }
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
