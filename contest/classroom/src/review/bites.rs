//! Which teams spare each other, in the games of which there is a recording.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::time::Instant;

use collusion::{BiteGame, Findings, SEATS, Treatment};
use course::{CourseError, CourseReader, LadderGame, Player, TeamId, VersionId};
use plan::Key;
use replay::Recording;

/// Maximum number of games that are played again, the newest ones.
const GAMES: usize = 20_000;
/// Number of games that are read at a time.
const BATCH: u32 = 100;
/// Number of games that are told of a pair.
const TOLD: usize = 3;

/// The pairs of teams that spare each other.
#[derive(Debug, Default)]
pub(crate) struct Spared {
    /// The pairs, the least probable one first.
    pub(crate) pairs: Vec<SparedPair>,
    /// Number of games that were played again.
    pub(crate) games: usize,
    /// Number of pairs of teams that were tested.
    pub(crate) tested: usize,
}

/// Two teams that spare each other.
#[derive(Debug)]
pub(crate) struct SparedPair {
    pub(crate) teams: [TeamId; 2],
    /// The bites of the first team's ghosts on the second team's pacmans, then those the other way round.
    pub(crate) treatments: [Treatment; 2],
    /// Number of common games.
    pub(crate) games: usize,
    /// The games with the most bites missing.
    pub(crate) examples: Vec<Key>,
    /// The probability that chance alone makes such a pair in an honest class.
    pub(crate) chance: f64,
}

/// Looks at the newest games with a recording. Calls `played` with the number of games so far.
pub(super) fn find(
    reader: &CourseReader,
    deadline: Instant,
    mut played: impl FnMut(u32),
) -> Result<Spared, CourseError> {
    let mut players = Players::default();
    let (mut games, mut keys) = (Vec::new(), Vec::new());
    let mut before = None;
    while games.len() < GAMES && Instant::now() < deadline {
        let batch = reader.recorded_games(before, BATCH)?;
        let Some(last) = batch.last() else { break };
        before = Some(last.key);
        for game in &batch {
            let recording = reader.recording(game.key)?;
            let Some(bites) = recording.and_then(|bytes| bites(&bytes)) else { continue };
            games.push(BiteGame { players: players.of(reader, game)?, bites });
            keys.push(game.key);
        }
        played(u32::try_from(games.len()).unwrap_or(u32::MAX));
    }
    let Findings { sparing, pairs: tested, .. } = collusion::find(&games);
    let pair = |it: collusion::Sparing| SparedPair {
        teams: it.teams.map(TeamId::from_number),
        treatments: it.treatments,
        games: it.games.len(),
        examples: it.games.iter().take(TOLD).map(|game| keys[*game]).collect(),
        chance: it.chance,
    };
    let pairs = sparing.into_iter().map(pair).collect();
    Ok(Spared { pairs, games: games.len(), tested })
}

/// The bites of a recorded game, by ghost and pacman; `None` if the recording is damaged or has not four players.
fn bites(bytes: &[u8]) -> Option<[[u32; SEATS]; SEATS]> {
    let recording = Recording::read(bytes).ok().filter(|recording| recording.is_complete)?;
    let rows = replay::bites(&recording)?.into_iter().map(|row| row.try_into().ok());
    rows.collect::<Option<Vec<_>>>()?.try_into().ok()
}

/// The players of games, as the test knows them. Names in recordings tell nothing: pseudonyms change.
#[derive(Debug, Default)]
struct Players {
    teams: BTreeMap<VersionId, TeamId>,
    levels: Vec<String>,
}

impl Players {
    fn of(
        &mut self,
        reader: &CourseReader,
        game: &LadderGame,
    ) -> Result<[collusion::Player; SEATS], CourseError> {
        let mut players = [collusion::Player { team: 0, version: 0, is_house: true }; SEATS];
        for (player, seat) in players.iter_mut().zip(&game.seats) {
            *player = match &seat.player {
                Player::Version(id) => {
                    let team = match self.teams.get(id) {
                        Some(team) => *team,
                        None => *self.teams.entry(*id).or_insert(reader.version(*id)?.team),
                    };
                    let (team, version) = (team.number(), id.number());
                    collusion::Player { team, version, is_house: false }
                }
                Player::House(name) => self.level(name),
            };
        }
        Ok(players)
    }

    /// A level of the house, with the highest numbers, which no team has.
    fn level(&mut self, name: &str) -> collusion::Player {
        let known = self.levels.iter().position(|level| level == name);
        let index = known.unwrap_or_else(|| {
            self.levels.push(name.to_owned());
            self.levels.len() - 1
        });
        let number = u32::MAX - u32::try_from(index).unwrap_or(0);
        collusion::Player { team: number, version: number, is_house: true }
    }
}
