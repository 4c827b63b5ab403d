//! The teams of a hall: which of them are present, and which play.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use arena::hall::{Presence, TeamId, TeamPresence};

use plan::{Fixture, Job, Plan, Program, Team};

/// The teams of the hall, by their names.
#[derive(Debug, Default)]
pub(crate) struct HallAttendance {
    teams: BTreeMap<String, Member>,
    /// Remote teams whose game is in progress.
    busy: BTreeSet<String>,
    /// Time of the first call of `see`; `None` before.
    since: Option<Instant>,
}

#[derive(Debug)]
struct Member {
    id: TeamId,
    /// Time when the team was first absent; `None` while it is present.
    gone: Option<Instant>,
}

impl HallAttendance {
    /// Records which teams are present.
    pub(super) fn see(&mut self, teams: &[TeamPresence]) {
        let now = Instant::now();
        self.since.get_or_insert(now);
        for team in teams {
            let is_there = team.presence != Presence::Gone;
            let new = || Member { id: team.team, gone: Some(now) };
            let member = self.teams.entry(team.name.to_string()).or_insert_with(new);
            member.id = team.team;
            member.gone = if is_there { None } else { member.gone.or(Some(now)) };
        }
        // A team that the hall has forgotten may come anew.
        self.teams.retain(|name, _| teams.iter().any(|team| team.name.as_str() == name));
    }

    pub(crate) fn present(&self) -> usize {
        self.teams.values().filter(|member| member.gone.is_none()).count()
    }

    /// Adds the present teams that are not in the list yet; returns their names.
    pub(crate) fn newcomers(&self, teams: &mut Vec<Team>) -> Vec<String> {
        // The first remote teams share generation 0 with bots of the house.
        let others = teams.iter().filter(|team| team.program == Program::Remote);
        let generation = others.map(|team| team.generation + 1).max().unwrap_or(0);
        let is_new = |(name, member): &(&String, &Member)| {
            member.gone.is_none() && teams.iter().all(|team| team.name != **name)
        };
        let mut new: Vec<_> = self.teams.iter().filter(is_new).collect();
        new.sort_by_key(|(_, member)| member.id);
        let names: Vec<_> = new.into_iter().map(|(name, _)| name.clone()).collect();
        let team = |name| Team { generation, ..Team::new(name, Program::Remote, "") };
        teams.extend(names.iter().map(team));
        names
    }

    /// Tests if a game can begin: all its teams are free, and present or absent for at least `patience`.
    pub(super) fn can_play(&self, plan: &Plan, game: &Fixture, patience: Duration) -> bool {
        names(plan, game).all(|name| {
            let gone = match self.teams.get(name) {
                Some(member) => member.gone,
                // The team has not come since the program was started.
                None => self.since,
            };
            !self.busy.contains(name) && gone.is_none_or(|since| since.elapsed() >= patience)
        })
    }

    /// The team of the hall that has this name.
    pub(super) fn team(&self, name: &str) -> Option<TeamId> {
        self.teams.get(name).map(|member| member.id)
    }

    /// Marks the remote teams of a game as playing.
    pub(super) fn occupy(&mut self, job: &Job) {
        let teams = job.seats.iter().filter(|seat| seat.program == Program::Remote);
        self.busy.extend(teams.map(|seat| seat.name.clone()));
    }

    /// Marks the remote teams of a game as free.
    pub(super) fn free(&mut self, plan: &Plan, game: &Fixture) {
        names(plan, game).for_each(|name| {
            self.busy.remove(name);
        });
    }
}

/// The names of the remote teams of a game.
fn names<'a>(plan: &'a Plan, game: &Fixture) -> impl Iterator<Item = &'a str> {
    let teams = game.matchup.group.teams().to_vec().into_iter().map(|team| &plan.teams[team]);
    teams.filter(|team| team.program == Program::Remote).map(|team| team.name.as_str())
}
