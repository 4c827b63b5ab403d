//! Ratings of the versions that play, from the games so far.
//!
//! The players of the model are the present versions and the house levels. A game with other versions counts for those of
//! its players who are left: by Luce's axiom, the order of some players follows the same model. Games of the same players
//! are summed up, so that memory grows with the number of different groups.
//!
//! House levels never change. Ratings are relative to their mean, 1500: a rating says the same in each week.

use plan::record::GameRanking;
use plan::{Key, SEATS};
use rating::{Fit, Games, elo};

use crate::game::PlayerId;
use crate::{CourseError, CourseReader, Player, TeamId};

/// Quantile of the normal distribution for intervals of 95 %.
const NORMAL: f64 = 1.959_964;

/// The rating of a player.
#[derive(Clone, Debug, PartialEq)]
pub struct LadderRating {
    /// The player.
    pub player: Player,
    /// Its team; `None` for the house.
    pub team: Option<TeamId>,
    /// The rating, as by [`elo`]; 1500 for the mean of the house levels.
    pub rating: f64,
    /// The lower end of its 95 % confidence interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
    /// Number of games of this version or level.
    pub games: u32,
}

/// The games so far, summed up.
#[derive(Debug)]
pub(crate) struct Ladder {
    pub(crate) players: Vec<PlayerId>,
    games: Games,
    /// The last game that is counted.
    last: i64,
    fit: Option<Fit>,
}

impl CourseReader {
    /// The ratings of the present versions, then of the house levels. The first call reads all games, later ones the new
    /// games only, unless a present version has changed.
    ///
    /// # Errors
    ///
    /// When the course cannot be read.
    pub fn ratings(&self) -> Result<Vec<LadderRating>, CourseError> {
        self.with_fit(|players, fit| {
            let counts = "SELECT -id, name, games FROM house ORDER BY id";
            let house: Vec<(PlayerId, String, u32)> =
                self.rows(counts, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
            let covariance = fit.covariance();
            let anchors: Vec<usize> = (0..players.len())
                .filter(|&place| {
                    house.iter().any(|(id, _, games)| *id == players[place] && *games > 0)
                })
                .collect();
            let scale = Scale::new(fit.strengths(), &covariance, &anchors);
            players
                .iter()
                .enumerate()
                .map(|(place, id)| {
                    let (mean, deviation) = scale.relative(place);
                    let (player, team, games) = if let Some(version) = id.version() {
                        let known = self.version(version)?;
                        (Player::Version(version), Some(known.team), known.games)
                    } else {
                        let level = house.iter().find(|(level, ..)| level == id);
                        let (name, games) = level
                            .map(|(_, name, games)| (name.clone(), *games))
                            .unwrap_or_default();
                        (Player::House(name), None, games)
                    };
                    let low = elo(mean - NORMAL * deviation);
                    let high = elo(mean + NORMAL * deviation);
                    Ok(LadderRating { player, team, rating: elo(mean), low, high, games })
                })
                .collect()
        })
    }

    /// Gives the present versions and house levels, and the fit of their games. `work` reads at the same moment.
    pub(crate) fn with_fit<T>(
        &self,
        work: impl FnOnce(&[PlayerId], &Fit) -> Result<T, CourseError>,
    ) -> Result<T, CourseError> {
        let _moment = self.moment()?;
        let versions = self.present()?;
        let mut players: Vec<PlayerId> =
            versions.iter().map(|(_, version)| PlayerId(version.0.into())).collect();
        players.extend(self.house()?.into_iter().map(|(id, _)| id));
        let mut kept = self.ladder.borrow_mut();
        if kept.as_ref().is_none_or(|ladder| ladder.players != players) {
            let games = Games::new(players.len());
            *kept = Some(Ladder { players, games, last: 0, fit: None });
        }
        let ladder = kept.as_mut().expect("set above");
        let before = ladder.last;
        let counted = self.count_games(ladder);
        if counted.is_err() {
            *kept = None;
        }
        counted?;
        let ladder = kept.as_mut().expect("set above");
        if ladder.last > before {
            ladder.fit = None;
        }
        let fit = ladder.fit.get_or_insert_with(|| ladder.games.fit());
        work(&ladder.players, fit)
    }

    /// Counts the games that are new since the last time.
    fn count_games(&self, ladder: &mut Ladder) -> Result<(), CourseError> {
        let Ladder { players, games, last, .. } = ladder;
        let mut places: Vec<(PlayerId, usize)> =
            players.iter().enumerate().map(|(place, &id)| (id, place)).collect();
        places.sort_unstable();
        self.games_after(*last, |game, seats| {
            let mut ranks: Vec<(usize, u32)> = Vec::with_capacity(SEATS);
            for (id, rank) in seats {
                let Ok(found) = places.binary_search_by_key(&id, |(id, _)| *id) else { continue };
                let player = places[found].1;
                // A level of the house may have several seats; its first one counts.
                if ranks.iter().all(|(known, _)| *known != player) {
                    ranks.push((player, rank));
                }
            }
            if let Some(ranking) = GameRanking::new(&ranks) {
                games.add(Key::from_bytes([0; 16]), &ranking);
            }
            *last = game;
        })
    }
}

/// Strengths relative to the mean of some of them.
struct Scale<'a> {
    strengths: &'a [f64],
    covariance: &'a [f64],
    anchors: &'a [usize],
    mean: f64,
    /// The variance of the mean.
    variance: f64,
}

impl<'a> Scale<'a> {
    /// The scale on which the mean of these players is 0; without anchors, the mean of all.
    fn new(strengths: &'a [f64], covariance: &'a [f64], anchors: &'a [usize]) -> Self {
        let mut scale = Self { strengths, covariance, anchors, mean: 0.0, variance: 0.0 };
        if !anchors.is_empty() {
            scale.mean = scale.over_anchors(|anchor| strengths[anchor]);
            scale.variance = scale.over_anchors(|anchor| scale.with_mean(anchor));
        }
        scale
    }

    /// The strength of a player on this scale, and its standard deviation.
    fn relative(&self, player: usize) -> (f64, f64) {
        let own = self.covariance[player * self.strengths.len() + player];
        let common = if self.anchors.is_empty() { 0.0 } else { self.with_mean(player) };
        let variance = own - 2.0 * common + self.variance;
        (self.strengths[player] - self.mean, variance.max(0.0).sqrt())
    }

    /// The covariance of a player and the mean of the anchors.
    fn with_mean(&self, player: usize) -> f64 {
        self.over_anchors(|anchor| self.covariance[player * self.strengths.len() + anchor])
    }

    fn over_anchors(&self, value: impl Fn(usize) -> f64) -> f64 {
        let count = u32::try_from(self.anchors.len()).map_or(f64::INFINITY, f64::from);
        self.anchors.iter().map(|&anchor| value(anchor)).sum::<f64>() / count
    }
}
