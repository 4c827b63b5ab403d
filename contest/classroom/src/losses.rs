//! Reasons of lost games: the sources of a team's points beside those of the winners.

use std::collections::BTreeMap;

use course::{SeenGame, SeenPlayer, SeenSeat};
use replay::{Analysis, PlayerAnalysis, Recording};
use serde::Serialize;

/// A summary of lost games. All numbers but [`games`](Self::games) are means of a game.
#[derive(Debug, Default, PartialEq, Serialize)]
pub(crate) struct Losses {
    /// Number of games.
    games: u32,
    /// The points that the winner had more.
    behind: f64,
    /// The sources of points; the one that the winner gained most by first.
    sources: Vec<SourceGap>,
    /// The turns without an answer of the team in time.
    missed: f64,
    /// The turns with a malformed answer of the team.
    malformed: f64,
}

/// A source of points in lost games.
#[derive(Debug, Default, PartialEq, Serialize)]
struct SourceGap {
    /// The source, by its key in an analysis.
    key: String,
    own: Share,
    winner: Share,
}

/// The part of a player in a source.
#[derive(Debug, Default, PartialEq, Serialize)]
struct Share {
    /// Number of events.
    count: f64,
    /// The points from them.
    points: f64,
}

/// Running sums over games.
#[derive(Default)]
struct Sums {
    totals: Losses,
    sources: BTreeMap<String, SourceGap>,
}

impl Losses {
    /// Summarises games of a team with their recordings. A game whose recording cannot be read is left out.
    pub(crate) fn of(games: &[(SeenGame, Vec<u8>)]) -> Self {
        let mut sums = Sums::default();
        for (game, recording) in games {
            let is_own = |seat: &SeenSeat| matches!(seat.player, SeenPlayer::Own(_));
            let own = game.seats.iter().position(is_own);
            let winner = game.seats.iter().position(|seat| seat.place == 1);
            let (Some(own), Some(winner)) = (own, winner) else { continue };
            let Ok(recording) = Recording::read(recording) else { continue };
            let Analysis { players, .. } = Analysis::of(&recording);
            if let (Some(own), Some(winner)) = (players.get(own), players.get(winner)) {
                sums.add(own, winner);
            }
        }
        sums.means()
    }
}

impl Sums {
    fn add(&mut self, own: &PlayerAnalysis, winner: &PlayerAnalysis) {
        let totals = &mut self.totals;
        totals.games += 1;
        totals.behind += winner.points - own.points;
        totals.missed += f64::from(own.missed);
        totals.malformed += f64::from(own.malformed);
        for (player, is_own) in [(own, true), (winner, false)] {
            for (source, count, points) in &player.sources {
                let key = source.key();
                let gap = self.sources.entry(key.clone()).or_default();
                gap.key = key;
                let share = if is_own { &mut gap.own } else { &mut gap.winner };
                share.count += f64::from(*count);
                share.points += points;
            }
        }
    }

    fn means(self) -> Losses {
        let Self { mut totals, sources } = self;
        let games = f64::from(totals.games.max(1));
        totals.sources = sources.into_values().collect();
        let mut sums = vec![&mut totals.behind, &mut totals.missed, &mut totals.malformed];
        for SourceGap { own, winner, .. } in &mut totals.sources {
            sums.extend([&mut own.count, &mut own.points, &mut winner.count, &mut winner.points]);
        }
        for sum in sums {
            *sum /= games;
        }
        totals.sources.sort_by(|a, b| b.gap().total_cmp(&a.gap()));
        totals
    }
}

impl SourceGap {
    /// The points that the winner gained more.
    fn gap(&self) -> f64 {
        self.winner.points - self.own.points
    }
}

#[cfg(test)]
mod tests {
    use plan::Key;

    use super::*;

    fn player(sources: &[(replay::Source, u32, f64)], missed: u32) -> PlayerAnalysis {
        let points = sources.iter().map(|(_, _, points)| points).sum();
        PlayerAnalysis { points, missed, sources: sources.to_vec(), ..PlayerAnalysis::default() }
    }

    #[test]
    fn the_source_that_the_winner_gained_most_by_is_first() {
        use replay::Source::{Bite, Bitten};
        let mut losses = Sums::default();
        losses.add(&player(&[(Bitten, 3, -30.0)], 4), &player(&[(Bite, 2, 40.0)], 0));
        losses.add(&player(&[(Bite, 1, 20.0)], 0), &player(&[(Bite, 3, 60.0)], 9));
        let losses = losses.means();
        assert_eq!(losses.games, 2);
        let told = serde_json::to_string(&losses).unwrap();
        assert_eq!(
            told,
            "{\"games\":2,\"behind\":55.0,\"sources\":[\
             {\"key\":\"bite\",\"own\":{\"count\":0.5,\"points\":10.0},\"winner\":{\"count\":2.5,\"points\":50.0}},\
             {\"key\":\"bitten\",\"own\":{\"count\":1.5,\"points\":-15.0},\"winner\":{\"count\":0.0,\"points\":0.0}}],\
             \"missed\":2.0,\"malformed\":0.0}"
        );
    }

    #[test]
    fn a_recording_that_cannot_be_read_counts_for_nothing() {
        let seat = |player, place| SeenSeat { player, place, points: 0, fault: None, cpu: None };
        let other = || SeenPlayer::Other("Bob".to_owned());
        let own = SeenPlayer::Own(course::VersionId::from_number(1));
        let seats = [seat(other(), 1), seat(own, 2), seat(other(), 3), seat(other(), 4)];
        let key = Key::from_bytes([0; 16]);
        let game = SeenGame { key, at: 0, map: "plan1".to_owned(), seed: 0, seats };
        assert_eq!(Losses::of(&[(game, b"rejeu?".to_vec())]), Losses::default());
    }
}
