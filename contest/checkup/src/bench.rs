//! Plays scenes with the bot, one after the other.

use std::time::Duration;

use tokio::time::Instant;

use game::pacman::{Colour, Map};
use plan::Team;

use super::Options;
use super::case::Case;
use super::fact::Fact;
use super::finding::Finding;
use super::finding_list::FindingList;
use super::game::{GHOST, Game, PACMAN};
use super::game_record::{self, End, GameRecord, Time};
use super::scene::Scene;
use super::session::{Departure, Session};

/// Longest wait for the answer to the final state where no check depends on it.
const LAST: Duration = Duration::from_millis(500);
/// Percentages of moves that end at a wall: lost above the first one, if usually below the second.
const LOST: u32 = 60;
const USUAL: u32 = 30;
/// Minimum number of turns for such a percentage to mean anything.
const ENOUGH: u32 = 8;

/// The team to check, the options, and what is known of the bot.
#[derive(Clone, Copy)]
pub(super) struct Bench<'a> {
    pub(super) team: &'a Team,
    pub(super) options: &'a Options,
    pub(super) known: KnownFaults,
}

/// Faults of the bot in its first game, which later checks do not report again.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct KnownFaults {
    pub(super) malformed: bool,
    pub(super) missed: bool,
    /// Percentages of the moves of its pacman and of its ghost that end at a wall.
    pub(super) walls: [u32; 2],
}

#[derive(Debug)]
pub(super) struct Played {
    pub(super) record: GameRecord,
    pub(super) latest: Option<Duration>,
    /// The number of messages that answered no state.
    pub(super) surplus: u32,
    /// The end of the session, if it ended before the game.
    departure: Option<Departure>,
    /// The number of turns of the whole game.
    pub(super) of: u32,
}

impl Bench<'_> {
    /// A game on a map with the rules of the options, in which the bot has this letter.
    pub(super) fn scene(&self, case: Case, map: &Map, turns: u32, me: Colour) -> Scene {
        Scene::new(case, map, self.options.rules, turns, (me, &self.team.name))
    }

    /// Starts the bot and waits until it has registered.
    pub(super) async fn open(&self, name: &str) -> Result<Session, Finding> {
        Session::open(self.team, self.options, name, false).await
    }

    /// Starts the bot, plays a scene with it for at most `time`, and ends the bot.
    pub(super) async fn play(&self, scene: Scene, time: Duration) -> Result<Played, Finding> {
        let name = &scene.names[scene.me.index()];
        let session = self.open(name).await.map_err(|finding| finding.during(&scene.case))?;
        let time = Time { until: Instant::now() + time, last: LAST };
        let (played, session) = self.play_on(session, scene, time).await;
        if let Some(session) = session {
            session.end().await;
        }
        Ok(played)
    }

    /// Plays a scene on a connection for at most `time`. Returns the connection if it is still usable.
    pub(super) async fn go_on(
        &self,
        session: Session,
        scene: Scene,
        time: Duration,
    ) -> (Played, Option<Session>) {
        let time = Time { until: Instant::now() + time, last: self.options.deadline };
        self.play_on(session, scene, time).await
    }

    async fn play_on(
        &self,
        mut session: Session,
        scene: Scene,
        time: Time,
    ) -> (Played, Option<Session>) {
        let of = scene.state.view().total();
        let mut game = Game::new(scene.state, scene.me, scene.names);
        let deadline = self.options.deadline;
        let record = game_record::play(&mut session, &mut game, deadline, time).await;
        let (latest, surplus) = (session.latest, session.surplus);
        let (departure, session) = match record.end {
            End::Over { .. } | End::CutShort => (None, Some(session)),
            End::Gone { .. } | End::Broken(_) => (Some(session.collapse().await), None),
        };
        (Played { record, latest, surplus, departure, of }, session)
    }

    /// Plays each scene with a new process of the bot, in an equal share of the time. `look` may add findings to
    /// those of a scene, or remove some.
    pub(super) async fn play_all(
        &self,
        scenes: Vec<Scene>,
        time: Duration,
        mut look: impl FnMut(&Case, &Played, Vec<Finding>) -> Vec<Finding>,
    ) -> FindingList {
        let mut list = FindingList::default();
        let count = scenes.len().max(1) as u32;
        for scene in scenes {
            let case = scene.case.clone();
            match self.play(scene, time / count).await {
                Ok(played) => {
                    let found = self.faults(&played);
                    list.add(&case, &played, look(&case, &played, found));
                    // Each further scene would wait for the silent bot again.
                    if played.record.is_stuck() {
                        break;
                    }
                }
                // A bot that fails to start once would fail again.
                Err(finding) => {
                    list.push(finding);
                    break;
                }
            }
        }
        list
    }

    /// The faults in a scene that are not known yet.
    pub(super) fn faults(&self, played: &Played) -> Vec<Finding> {
        let mut findings = Vec::new();
        findings.extend(played.end());
        if !self.known.missed {
            findings.extend(
                played.record.missed(self.options.deadline, played.latest).map(Finding::failure),
            );
        }
        if !self.known.malformed {
            // A few malformed orders may be intentional: they keep a piece in its place, for example where it has no path.
            let [malformed, asked] = [played.record.malformed.len(), played.record.asked()];
            let fact = played.record.malformed().filter(|_| 2 * malformed > asked);
            findings.extend(fact.map(Finding::failure));
        }
        findings
    }

    /// The fact that pieces run into walls much more often than in the first game, if they do.
    pub(super) fn lost(&self, played: &Played) -> Option<Fact> {
        let [pacman, ghost] = played.record.walls();
        let is_lost = |piece: usize, now: u32| now > LOST && self.known.walls[piece] < USUAL;
        let is_lost = is_lost(PACMAN, pacman) || is_lost(GHOST, ghost);
        (is_lost && played.record.played >= ENOUGH).then(|| played.record.wall_fact())
    }
}

impl Played {
    /// The failure that ended the game early; `None` if the game was complete or its time was over.
    pub(super) fn end(&self) -> Option<Finding> {
        let departure = self.departure.as_ref();
        let fact = match &self.record.end {
            End::Over { .. } | End::CutShort => return None,
            End::Gone { turn, moments } => {
                let ending = departure.and_then(|departure| departure.ending);
                Fact::gone(*turn, moments.clone(), ending)
            }
            End::Broken(fact) => fact.clone(),
        };
        let output = departure.map_or(&[][..], |departure| &departure.output);
        Some(Finding::failure(fact).with(output))
    }
}
