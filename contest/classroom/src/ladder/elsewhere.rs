//! The games that other machines play.

use std::time::Duration;

use cluster::state::{Activity, ClusterState};
use language::said;
use plan::{Fixture, Job, Key};
use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tournament::venue::{GameEvent, Ticket};

use super::pause::Pause;
use crate::machines::{Machines, Playing};
use crate::room::{Room, Work};

/// Maximum number of places of all machines that are used.
const PLACES: usize = 256;
/// Time without any machine after which its games are taken back.
const DESERTED: Duration = Duration::from_secs(60);
/// Time after which a game is taken back in any case. No game lasts that long.
const LONGEST: Duration = Duration::from_secs(30 * 60);

/// Other machines, and the games that they have.
pub(super) struct Elsewhere {
    machines: Box<dyn Machines>,
    news: mpsc::UnboundedSender<GameEvent>,
    told: mpsc::UnboundedReceiver<GameEvent>,
    games: Vec<Given>,
    /// Number of games that the machines play at a time.
    places: usize,
    /// Since when no machine has been there, although the broker is.
    deserted_since: Option<Instant>,
    /// True after the broker was there.
    was_connected: bool,
    /// The time until the next game after those that no machine could play.
    pub(super) pause: Pause,
    /// Results that are not on the disk yet.
    unrecorded: Vec<Key>,
}

/// A game that a machine has, or will take.
struct Given {
    key: Key,
    since: Instant,
    has_begun: bool,
}

impl Elsewhere {
    pub(super) fn new(machines: Box<dyn Machines>) -> Self {
        let (news, told) = mpsc::unbounded_channel();
        Self {
            machines,
            news,
            told,
            games: Vec::new(),
            places: 0,
            deserted_since: None,
            was_connected: false,
            pause: Pause::default(),
            unrecorded: Vec::new(),
        }
    }

    /// Tests if the machines may get a further game. One more than they have places waits for the first place that gets free.
    pub(super) fn has_room(&self) -> bool {
        self.places > 0 && self.games.len() <= self.places && self.pause.is_over()
    }

    pub(super) fn play(&mut self, job: Job, fixture: Fixture, stop: &CancellationToken) -> Playing {
        self.games.push(Given { key: job.key, since: Instant::now(), has_begun: false });
        self.machines.play(job, Ticket::new(fixture, self.news.clone(), stop.clone()))
    }

    /// Takes note that a game has ended; a result is recorded later.
    pub(super) fn ended(&mut self, key: Key, has_result: bool) {
        self.games.retain(|game| game.key != key);
        self.unrecorded.extend(has_result.then_some(key));
    }

    /// Takes note that all results are on the disk.
    pub(super) fn recorded(&mut self) {
        for key in self.unrecorded.drain(..) {
            self.machines.recorded(key);
        }
    }

    /// Looks at the machines, shows them to the teacher, and takes back the games that they will not play.
    pub(super) fn look(&mut self, room: &Room, may_begin: bool) {
        let state = self.machines.state();
        self.count(&state);
        self.tell(room, state);
        while let Ok(event) = self.told.try_recv() {
            // Results that do not count are of no use here.
            if let GameEvent::Begun(fixture) = event {
                self.begun(fixture.key);
            }
        }
        for key in self.lost(may_begin) {
            self.machines.cancel(key);
        }
    }

    fn begun(&mut self, key: Key) {
        if let Some(game) = self.games.iter_mut().find(|game| game.key == key) {
            game.has_begun = true;
        }
    }

    /// The games that are to be taken back. Those that have not begun are among them while none may begin.
    fn lost(&self, may_begin: bool) -> Vec<Key> {
        let is_deserted = self.deserted_since.is_some_and(|since| since.elapsed() > DESERTED);
        let is_lost = |game: &&Given| {
            is_deserted || game.since.elapsed() > LONGEST || !may_begin && !game.has_begun
        };
        self.games.iter().filter(is_lost).map(|game| game.key).collect()
    }

    fn count(&mut self, state: &ClusterState) {
        let at_work = state
            .workers
            .iter()
            .filter(|it| it.activity <= Activity::Waiting && state.is_connected);
        let places = at_work.map(|machine| machine.places as usize);
        self.places = places.fold(0, |sum, places| sum.saturating_add(places).min(PLACES));
        if self.places > 0 || !state.is_connected {
            self.deserted_since = None;
        } else {
            self.deserted_since.get_or_insert_with(Instant::now);
        }
    }

    fn tell(&mut self, room: &Room, state: ClusterState) {
        if state.is_connected {
            self.was_connected = true;
            if self.pause.is_clear() {
                room.forget_trouble(Work::Machines);
            }
        } else if self.was_connected {
            let away = said!(
                "the broker is away: other machines get no games",
                "le serveur de messages est absent : les autres machines n'ont pas de parties"
            );
            room.note_trouble(Work::Machines, &away);
        }
        room.now.send_if_modified(|now| {
            let is_new = now.machines != state.workers;
            now.machines = state.workers;
            is_new
        });
    }
}

#[cfg(test)]
mod tests {
    use cluster::state::WorkerState;
    use tokio::time::advance;

    use super::*;

    /// Machines that do nothing.
    struct Idle;

    impl Machines for Idle {
        fn play(&self, _: Job, _: Ticket) -> Playing {
            Box::pin(std::future::pending())
        }

        fn recorded(&mut self, _: Key) {}

        fn cancel(&self, _: Key) {}

        fn state(&self) -> ClusterState {
            ClusterState::default()
        }
    }

    /// A connected broker with machines of these activities and places.
    fn cluster(machines: &[(Activity, u32)]) -> ClusterState {
        let machine = |(activity, places): &(Activity, u32)| WorkerState {
            name: "a".to_owned(),
            activity: *activity,
            places: *places,
            leases: 0,
            speed: 1,
            lateness: 0,
            load: None,
            games: 0,
            rate: 0,
            rejected: 0,
            faults: 0,
        };
        let workers = machines.iter().map(machine).collect();
        ClusterState { is_connected: true, workers, ..ClusterState::default() }
    }

    fn key(number: u8) -> Key {
        Key::from_bytes([number; 16])
    }

    fn given(elsewhere: &mut Elsewhere, number: u8) {
        elsewhere.games.push(Given { key: key(number), since: Instant::now(), has_begun: false });
    }

    #[tokio::test(start_paused = true)]
    async fn machines_get_one_game_more_than_they_have_places() {
        let mut elsewhere = Elsewhere::new(Box::new(Idle));
        assert!(!elsewhere.has_room(), "nobody is there");
        elsewhere.count(&cluster(&[(Activity::Silent, 9), (Activity::TooSlow, 9)]));
        assert!(!elsewhere.has_room());
        elsewhere.count(&cluster(&[(Activity::Playing, 1), (Activity::Waiting, 1)]));
        for number in 0..3 {
            assert!(elsewhere.has_room(), "{number}");
            given(&mut elsewhere, number);
        }
        assert!(!elsewhere.has_room());
        elsewhere.ended(key(0), true);
        assert!(elsewhere.has_room());
        elsewhere.pause.fault();
        assert!(!elsewhere.has_room());
        elsewhere.pause.end();
        let many = (Activity::Waiting, u32::MAX);
        elsewhere.count(&cluster(&[many, many]));
        assert_eq!(elsewhere.places, PLACES);
        elsewhere.count(&ClusterState { is_connected: false, ..cluster(&[many]) });
        assert!(!elsewhere.has_room(), "the broker is away");
    }

    #[tokio::test(start_paused = true)]
    async fn games_that_nobody_will_play_are_taken_back() {
        let mut elsewhere = Elsewhere::new(Box::new(Idle));
        let one = cluster(&[(Activity::Playing, 1)]);
        elsewhere.count(&one);
        given(&mut elsewhere, 1);
        given(&mut elsewhere, 2);
        elsewhere.begun(key(1));
        assert_eq!(elsewhere.lost(true), []);
        assert_eq!(elsewhere.lost(false), [key(2)], "the other one is under way");

        // The only machine is killed. While the broker is away, nobody knows.
        let nobody = cluster(&[(Activity::Silent, 1)]);
        elsewhere.count(&nobody);
        advance(DESERTED / 2).await;
        elsewhere.count(&ClusterState { is_connected: false, ..nobody.clone() });
        advance(DESERTED).await;
        elsewhere.count(&nobody);
        assert_eq!(elsewhere.lost(true), []);
        advance(DESERTED + Duration::from_secs(1)).await;
        elsewhere.count(&nobody);
        assert_eq!(elsewhere.lost(true), [key(1), key(2)]);

        elsewhere.count(&one);
        assert_eq!(elsewhere.lost(true), []);
        advance(LONGEST).await;
        assert_eq!(elsewhere.lost(true), [key(1), key(2)]);
    }
}
