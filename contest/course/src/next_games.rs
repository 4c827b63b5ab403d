//! The choice of the next games of the ladder.

use std::collections::BTreeMap;

use plan::SEATS;
use rating::Meetings;

use crate::row::unsigned;
use crate::{BotVersion, Course, CourseError, CourseReader, Player, TeamId, VersionId};

/// The rules by which the ladder chooses games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LadderRules {
    /// Number of games until a version is no longer new. New versions play first.
    pub new_until: u32,
    /// Maximum lead over the team that has used least processor time, in microseconds: a team further ahead waits. A
    /// team with a new version may be four times as far ahead: many versions do not earn much more time.
    pub ahead: u64,
    /// Of the games of a version that is no longer new, each game of this number is one against three copies of a house
    /// level, each level in turn, so that marks have evidence; 0 for none. Such a game tells little about the order of the
    /// teams, so new versions have none.
    pub house_every: u32,
    /// The least that a seat is charged for a game, in microseconds of processor time: a version that needs nearly none
    /// would else play all the time. A caller that changes it also tells [`Course::set_least`], for the games that are
    /// kept.
    pub least: u64,
    /// True if only teams of one group meet, and house levels.
    pub apart: bool,
}

impl Default for LadderRules {
    /// 20 games, two minutes, each fourth game, a fifth of a second, and one ladder.
    fn default() -> Self {
        let (ahead, least) = (120_000_000, 200_000);
        Self { new_until: 20, ahead, house_every: 4, least, apart: false }
    }
}

/// A player of the ladder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entrant {
    /// A team, or a level of the house.
    pub kind: EntrantKind,
    /// Number of its games.
    pub games: u32,
    /// Number of these against three copies of a house level.
    pub house_games: u32,
    /// Processor time that its team is charged, in microseconds.
    pub used: u64,
    /// Expected charge of a game, in microseconds.
    pub expected: u64,
    /// The number of its group.
    pub group: u32,
}

/// The kinds of players of the ladder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EntrantKind {
    /// A team.
    #[default]
    Team,
    /// A level of the house, which plays whenever it is wanted.
    House,
    /// A level of the house that has been taken out: it plays no more.
    Former,
}

/// The next `n` games: for each, the players by their places in the list, two to four of them; a house level may come three
/// times. The list must be that of the players of the fit behind `meetings`.
///
/// Each game is for the first team that is due. Teams with new versions come first, the one with the fewest games before
/// others; then teams that lack a game against a house level; then the others, in both cases by the processor time that they
/// are charged. Teams that are further ahead than the rules allow are not due. The others in the game are chosen by
/// [`Meetings`] among the teams that are due, and among house levels if these teams do not fill the game. If groups are
/// apart, they are of the group of the first team, and being ahead is told within a group. A team that nobody can meet is
/// passed over. Games count as played for the games after them.
pub fn next_games(
    n: usize,
    entrants: &[Entrant],
    meetings: &mut Meetings,
    rules: &LadderRules,
) -> Vec<Vec<usize>> {
    let mut entrants = entrants.to_vec();
    let house: Vec<usize> =
        (0..entrants.len()).filter(|&at| entrants[at].kind == EntrantKind::House).collect();
    let mut games = Vec::new();
    for _ in 0..n {
        let teams = due(&entrants, rules);
        let game = teams.iter().find_map(|&first| {
            if rules.wants_house(&entrants[first]) && !house.is_empty() {
                let level = house[entrants[first].house_games as usize % house.len()];
                meetings.expect(&[first, level]);
                return Some(vec![first, level, level, level]);
            }
            let meets = |&other: &usize| {
                other != first && rules.ladder(&entrants[first]) == rules.ladder(&entrants[other])
            };
            let mut among = vec![first];
            among.extend(teams.iter().copied().filter(meets));
            if among.len() < SEATS {
                among.extend(&house);
            }
            let group = meetings.next(&among).filter(|group| group.teams().len() > 1);
            group.map(|group| group.teams().to_vec())
        });
        let Some(game) = game else { break };
        let is_against_house = game[1..].iter().all(|other| *other == game[1]) && game.len() > 2;
        entrants[game[0]].house_games += u32::from(is_against_house);
        for &player in &game {
            let entrant = &mut entrants[player];
            entrant.games = entrant.games.saturating_add(1);
            entrant.used = entrant.used.saturating_add(entrant.expected);
        }
        games.push(game);
    }
    games
}

impl LadderRules {
    /// Tests if the next game of a team is one against a house level.
    fn wants_house(&self, team: &Entrant) -> bool {
        let counted = team.games.saturating_add(1).saturating_sub(self.new_until);
        counted.checked_div(self.house_every).is_some_and(|due| team.house_games < due)
    }

    /// The number of the ladder on which a team plays.
    fn ladder(&self, team: &Entrant) -> u32 {
        if self.apart { team.group } else { 0 }
    }
}

/// The teams that may play, the first one first.
fn due(entrants: &[Entrant], rules: &LadderRules) -> Vec<usize> {
    let teams = || {
        let all = entrants.iter().enumerate();
        all.filter(|(_, entrant)| entrant.kind == EntrantKind::Team)
    };
    let mut least = BTreeMap::new();
    for (_, entrant) in teams() {
        let least = least.entry(rules.ladder(entrant)).or_insert(entrant.used);
        *least = entrant.used.min(*least);
    }
    let is_new = |entrant: &Entrant| entrant.games < rules.new_until;
    let may_play = |entrant: &Entrant| {
        let ahead = rules.ahead.saturating_mul(if is_new(entrant) { 4 } else { 1 });
        entrant.used - least[&rules.ladder(entrant)] <= ahead
    };
    let mut due: Vec<usize> =
        teams().filter(|(_, entrant)| may_play(entrant)).map(|(place, _)| place).collect();
    due.sort_by_key(|&place| {
        let entrant = &entrants[place];
        if is_new(entrant) {
            (0, u64::from(entrant.games), place)
        } else if rules.wants_house(entrant) {
            (1, entrant.used, place)
        } else {
            (2, entrant.used, place)
        }
    });
    due
}

impl Course {
    /// Sets the house levels that take part in the ladder from now on. Games and ratings of others stay.
    ///
    /// # Errors
    ///
    /// [`Refusal::Name`](crate::Refusal::Name); else, when the course cannot be written.
    pub fn set_house<'a>(
        &mut self,
        levels: impl IntoIterator<Item = &'a str>,
    ) -> Result<(), CourseError> {
        self.try_write(|transaction| {
            transaction.execute("UPDATE house SET plays = 0", [])?;
            let set = "INSERT INTO house (name) VALUES (?) ON CONFLICT DO UPDATE SET plays = 1";
            for level in levels {
                crate::team::check_name(level)?;
                transaction.execute(set, [level])?;
            }
            Ok(())
        })
    }
}

impl CourseReader {
    /// The next `n` games of the ladder, by [`next_games`](crate::next_games): four players each, in no order of seats. Two
    /// versions of one team never meet, for only one of them plays. The games that are `running` count as played. Seats
    /// that stay free are filled with house levels in turn; games that cannot be filled are left out. Games of
    /// [challenges](Course::challenge) come first.
    ///
    /// # Errors
    ///
    /// [`Refusal::NoVersion`](crate::Refusal::NoVersion) for a running game; else, when the course cannot be read.
    pub fn next_games(
        &self,
        n: usize,
        rules: &LadderRules,
        running: &[[Player; SEATS]],
    ) -> Result<Vec<[Player; SEATS]>, CourseError> {
        let _moment = self.moment()?;
        let mut running = running.to_vec();
        let mut challenges = Vec::new();
        while challenges.len() < n
            && let Some(game) = self.next_challenge(&running)?
        {
            running.push(game.clone());
            challenges.push(game);
        }
        let n = n - challenges.len();
        if n == 0 {
            return Ok(challenges);
        }
        let house: BTreeMap<_, _> = self.house()?.into_iter().collect();
        let levels = self.levels_that_play()?;
        let (mut used, groups) = (self.used()?, self.groups()?);
        let mut playing: BTreeMap<VersionId, (u32, u32)> = BTreeMap::new();
        for game in &running {
            let is_against_house = against_house(game.iter()).is_some();
            for version in game.iter().filter_map(Player::version) {
                let known = self.version(version)?;
                let used = used.entry(known.team).or_default();
                *used = used.saturating_add(expected(&known, rules));
                let (games, house_games) = playing.entry(version).or_default();
                *games += 1;
                *house_games += u32::from(is_against_house);
            }
        }
        self.with_fit(|players, fit| {
            let (mut entrants, mut named) = (Vec::new(), Vec::new());
            for id in players {
                let (player, entrant) = if let Some(version) = id.version() {
                    let known = self.version(version)?;
                    let (more, more_house) = playing.get(&version).copied().unwrap_or_default();
                    let entrant = Entrant {
                        kind: EntrantKind::Team,
                        games: known.games.saturating_add(more),
                        house_games: known.house_games.saturating_add(more_house),
                        used: used.get(&known.team).copied().unwrap_or_default(),
                        expected: expected(&known, rules),
                        group: groups.get(&known.team).copied().unwrap_or_default(),
                    };
                    (Player::Version(version), entrant)
                } else {
                    let name = house.get(id).cloned().unwrap_or_default();
                    let plays = levels.contains(&name);
                    let kind = if plays { EntrantKind::House } else { EntrantKind::Former };
                    let level = Entrant { kind, ..Entrant::default() };
                    (Player::House(name), level)
                };
                entrants.push(entrant);
                named.push(player);
            }
            let mut meetings = Meetings::after(fit);
            for game in &running {
                let is_in = |&at: &usize| game.contains(&named[at]);
                meetings.expect(&(0..named.len()).filter(is_in).collect::<Vec<_>>());
            }
            let games = next_games(n, &entrants, &mut meetings, rules);
            let fill = |game: Vec<usize>| {
                let mut seats: Vec<Player> = game.iter().map(|&at| named[at].clone()).collect();
                let free = SEATS - seats.len();
                seats.extend(levels.iter().cycle().take(free).cloned().map(Player::House));
                <[Player; SEATS]>::try_from(seats).ok()
            };
            Ok(challenges.into_iter().chain(games.into_iter().filter_map(fill)).collect())
        })
    }

    /// The processor time that each team is charged, in microseconds, with the credit of teams that began to play later:
    /// they begin with the time of the team of least time, and do not keep all others waiting.
    ///
    /// # Errors
    ///
    /// When the course cannot be read.
    pub fn used(&self) -> Result<BTreeMap<TeamId, u64>, CourseError> {
        let select = "SELECT team.id, credit + coalesce(sum(charged), 0) FROM team \
                      LEFT JOIN version ON team = team.id GROUP BY team.id";
        let used = self.rows(select, [], |row| Ok((row.get(0)?, unsigned(row, 1)?)))?;
        Ok(used.into_iter().collect())
    }

    /// The names of the house levels that take part in the ladder.
    pub(crate) fn levels_that_play(&self) -> Result<Vec<String>, CourseError> {
        self.rows("SELECT name FROM house WHERE plays ORDER BY id", [], |row| row.get(0))
    }

    /// The numbers of the groups of teams.
    fn groups(&self) -> Result<BTreeMap<TeamId, u32>, CourseError> {
        let select = "SELECT id, dense_rank() OVER (ORDER BY cohort) FROM team";
        Ok(self.rows(select, [], |row| Ok((row.get(0)?, row.get(1)?)))?.into_iter().collect())
    }

    /// The processor time that a team lacks to be charged as much as the team of least among those of its group that play,
    /// or of all, if none of its group does.
    pub(crate) fn lag(&self, team: TeamId) -> Result<u64, CourseError> {
        let (used, groups, present) = (self.used()?, self.groups()?, self.present()?);
        if present.iter().any(|(other, _)| *other == team) {
            return Ok(0);
        }
        let of_group = |other: &TeamId| groups.get(other) == groups.get(&team);
        let charges = |is_counted: &dyn Fn(&TeamId) -> bool| {
            let teams = present.iter().map(|(other, _)| other).filter(|&other| is_counted(other));
            teams.filter_map(|other| used.get(other)).min()
        };
        let least = charges(&of_group).or_else(|| charges(&|_| true));
        let own = used.get(&team).copied().unwrap_or_default();
        Ok(least.map_or(0, |least| least.saturating_sub(own)))
    }
}

/// The expected charge of a game of a version. One without games is expected to use a second.
fn expected(version: &BotVersion, rules: &LadderRules) -> u64 {
    version.cpu.checked_div(version.games.into()).unwrap_or(1_000_000).max(rules.least)
}

/// The version that plays against three copies of a house level in these seats; `None` in other games.
pub(crate) fn against_house<'a>(seats: impl Iterator<Item = &'a Player>) -> Option<VersionId> {
    let (versions, levels): (Vec<_>, Vec<_>) = seats.partition(|player| player.version().is_some());
    let is_one = versions.len() == 1 && levels.windows(2).all(|pair| pair[0] == pair[1]);
    is_one.then(|| versions[0].version()).flatten()
}
