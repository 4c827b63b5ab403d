//! Random sequences of operations against a model in memory.

use std::collections::BTreeSet;

use course::{Kept, Limits, Player, TeamId, VersionId, VersionState, Who};
use proptest::prelude::*;

use crate::world::{World, check_files, game, hand_in, house, recorded};

const KEPT: u32 = 4;

#[derive(Clone, Debug)]
enum Step {
    AddTeam,
    HandIn(usize, u8),
    Check,
    Judge(bool),
    Withdraw(usize),
    Disqualify(usize, bool),
    Game(usize, u32),
    Thin(u64),
    Reopen,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        2 => Just(Step::AddTeam),
        8 => (0..4_usize, 0..20_u8).prop_map(|(team, content)| Step::HandIn(team, content)),
        6 => Just(Step::Check),
        6 => any::<bool>().prop_map(Step::Judge),
        3 => (0..20_usize).prop_map(Step::Withdraw),
        1 => (0..4_usize, any::<bool>()).prop_map(|(team, is_out)| Step::Disqualify(team, is_out)),
        3 => (0..20_usize, 0..9_u32).prop_map(|(version, number)| Step::Game(version, number)),
        1 => (0..4000_u64).prop_map(Step::Thin),
        2 => Just(Step::Reopen),
    ]
}

#[derive(Debug)]
struct Version {
    id: VersionId,
    team: usize,
    state: VersionState,
    is_withdrawn: bool,
    has_files: bool,
    games: u32,
}

#[derive(Debug, Default)]
struct Model {
    teams: Vec<(TeamId, bool)>,
    versions: Vec<Version>,
    games: BTreeSet<u32>,
    /// The teams that were served, the last one last.
    turns: Vec<usize>,
}

impl Model {
    fn able(&self, team: usize) -> Vec<usize> {
        let able = |version: &Version| {
            let is_able = version.state == VersionState::Passed && !version.is_withdrawn;
            version.team == team && is_able && version.has_files
        };
        (0..self.versions.len()).filter(|&at| able(&self.versions[at])).collect()
    }

    fn playing(&self, team: usize) -> Option<VersionId> {
        let newest = self.able(team).last().map(|&at| self.versions[at].id);
        newest.filter(|_| !self.teams[team].1)
    }

    fn prune(&mut self, team: usize) {
        let able = self.able(team);
        let protected = &able[able.len().saturating_sub(2)..];
        let of_team = |at: &usize| self.versions[*at].team == team && self.versions[*at].has_files;
        let mut all: Vec<usize> = (0..self.versions.len()).filter(of_team).collect();
        let surplus = all.len().saturating_sub(KEPT as usize);
        all.retain(|at| {
            let state = self.versions[*at].state;
            let is_judged = matches!(state, VersionState::Passed | VersionState::Failed);
            is_judged && !protected.contains(at)
        });
        let order = |at: &usize| {
            let version = &self.versions[*at];
            (version.state == VersionState::Passed, !version.is_withdrawn, *at)
        };
        all.sort_by_key(order);
        for at in all.into_iter().take(surplus) {
            self.versions[at].has_files = false;
        }
    }

    fn next_check(&self) -> Option<usize> {
        let turn =
            |team: usize| self.turns.iter().rposition(|it| *it == team).map_or(0, |it| it + 1);
        let waits = |at: &usize| self.versions[*at].state == VersionState::Received;
        let waiting = (0..self.versions.len()).filter(waits);
        waiting.min_by_key(|&at| (turn(self.versions[at].team), at))
    }

    fn checking(&self) -> Option<usize> {
        self.versions.iter().position(|version| version.state == VersionState::Checking)
    }
}

fn apply(world: &mut World, model: &mut Model, step: &Step) {
    let course = &mut world.course;
    match *step {
        Step::AddTeam => {
            let name = format!("team {}", model.teams.len());
            model.teams.push((world.team(&name), false));
        }
        Step::HandIn(team, content) if team < model.teams.len() => {
            let id = hand_in(course, model.teams[team].0, &content.to_string(), 10).unwrap();
            let state = VersionState::Received;
            let version =
                Version { id, team, state, is_withdrawn: false, has_files: true, games: 0 };
            model.versions.push(version);
            model.prune(team);
        }
        Step::Check => {
            let next = model.next_check();
            let found = course.next_check().unwrap();
            assert_eq!(found.map(|it| it.id), next.map(|at| model.versions[at].id));
            if let Some(at) = next {
                model.versions[at].state = VersionState::Checking;
                model.turns.push(model.versions[at].team);
            }
        }
        Step::Judge(is_ready) => {
            let Some(at) = model.checking() else { return };
            course.judge(model.versions[at].id, "[1]", is_ready).unwrap();
            model.versions[at].state =
                if is_ready { VersionState::Passed } else { VersionState::Failed };
        }
        Step::Withdraw(at) if at < model.versions.len() => {
            let version = &mut model.versions[at];
            course.withdraw(version.id, Who::Teacher, 20).unwrap();
            version.is_withdrawn = true;
            if version.state == VersionState::Received {
                version.state = VersionState::Failed;
            }
        }
        Step::Disqualify(team, is_out) if team < model.teams.len() => {
            let reason = is_out.then_some("copied");
            course.disqualify(model.teams[team].0, reason, 30).unwrap();
            model.teams[team].1 = is_out;
        }
        Step::Game(at, number) if at < model.versions.len() => {
            let seats =
                [Player::Version(model.versions[at].id), house("a"), house("b"), house("c")];
            let kept = course.keep_games(&[(game(number, seats), recorded(1000))]).unwrap();
            let is_new = model.games.insert(number);
            assert_eq!(kept, [if is_new { Kept::New } else { Kept::Again }]);
            model.versions[at].games += u32::from(is_new);
        }
        Step::Thin(budget) => assert!(course.thin(budget, 100).unwrap().bytes <= budget),
        _ => {}
    }
}

fn check(world: &World, model: &Model) {
    for (team, (id, _)) in model.teams.iter().enumerate() {
        assert_eq!(world.course.playing(*id).unwrap(), model.playing(team));
    }
    for version in &model.versions {
        let found = world.course.version(version.id).unwrap();
        assert_eq!(found.team, model.teams[version.team].0);
        assert_eq!((found.state, found.is_withdrawn), (version.state, version.is_withdrawn));
        assert_eq!((found.has_files, found.games), (version.has_files, version.games), "{found:?}");
    }
    assert_eq!(world.course.game_count().unwrap(), model.games.len() as u64);
    check_files(&world.course);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 30, ..ProptestConfig::default() })]

    #[test]
    fn a_course_is_what_was_done_to_it(steps in prop::collection::vec(step(), 1..60)) {
        let (mut world, mut model) = (World::with_house(), Model::default());
        world.course.set_limits(Limits { per_hour: 1000, kept: KEPT, ..Limits::default() });
        for step in &steps {
            if matches!(step, Step::Reopen) {
                world = world.reopen();
                world.course.set_limits(Limits { per_hour: 1000, kept: KEPT, ..Limits::default() });
                // A check that was interrupted is made again; one of a withdrawn version is not.
                for version in &mut model.versions {
                    if version.state == VersionState::Checking {
                        let is_over = version.is_withdrawn;
                        version.state = if is_over { VersionState::Failed } else { VersionState::Received };
                    }
                }
            } else {
                apply(&mut world, &mut model, step);
            }
            check(&world, &model);
        }
    }
}
