//! The opponents between a player and the first place: a point taken from one of them is worth more than from another.
#![expect(clippy::cast_precision_loss, reason = "what is expected need not be exact")]

use game::pacman::{Colour, View};

/// Standard deviation of the difference of two players' points that a turn adds.
const SPREAD: f32 = 14.0;
/// Least number of turns for that deviation: points differ in the last turn, too.
const LEAST: f32 = 2.0;

/// For each player, the share of the first place's chance that a point of theirs takes, beside a point of ours: the shares of
/// all opponents are 1 together.
pub(super) fn shares(view: &View, me: Colour) -> Vec<f32> {
    let left = view.total().saturating_sub(view.elapsed()) as f32;
    let spread = SPREAD * left.max(LEAST).sqrt();
    let players = view.players();
    let own = players.get(me.index()).map_or(0, |player| player.points);
    let ahead = |other: usize| (own.saturating_sub(players[other].points)) as f32 / spread;
    let opponents = || (0..players.len()).filter(|&other| other != me.index());
    // The density of a tie with one opponent, times the probability to be ahead of each other one.
    let mut shares = vec![0.0; players.len()];
    for other in opponents() {
        let deviations = ahead(other).clamp(-6.0, 6.0);
        let tie = libm::expf(-0.5 * deviations * deviations);
        let rest = opponents().filter(|&third| third != other).map(|third| logistic(ahead(third)));
        shares[other] = (tie * rest.product::<f32>()).max(1e-9);
    }
    let sum: f32 = shares.iter().sum();
    shares.iter().map(|share| share / sum.max(1e-9)).collect()
}

/// An approximation of the normal distribution function.
fn logistic(deviations: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-1.702 * deviations.clamp(-20.0, 20.0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::pacman::StateReader;

    /// The shares of three opponents with these points, for a player with 100 points and this number of turns left.
    fn shares_of(points: [i32; 3], left: u32) -> Vec<f32> {
        let line = "-".repeat(20);
        let player =
            |(letter, points): (char, i32)| format!("{letter};{points};0;1;0;1;1;0;0;0;{letter}\n");
        let points = [100].into_iter().chain(points);
        let players: String = "ABCD".chars().zip(points).map(player).collect();
        let pacmans = "A;1;0\nB;1;0\nC;1;1\nD;1;2\n";
        let ghosts = pacmans.to_lowercase();
        let text = format!(
            "{};200\n{line}\n3;3\n###\n   \n###\n4\n{pacmans}4\n{ghosts}{line}\n{players}",
            200 - left
        );
        let mut reader = StateReader::new();
        let view = &reader.read(text.as_bytes()).unwrap().view;
        shares(view, Colour::new(0).unwrap())
    }

    #[test]
    fn the_rival_who_decides_the_first_place_has_most_of_the_shares() {
        let equal = shares_of([100; 3], 50);
        assert!(equal[0] == 0.0 && equal[1..].iter().all(|share| (share - 1.0 / 3.0).abs() < 1e-3));
        let close = shares_of([120, 20, 20], 5);
        assert!(close[1] > 0.95, "{close:?}");
        // With many turns left, the others may still catch up.
        let early = shares_of([120, 20, 20], 150);
        assert!(early[1] > early[2] && early[2] > 0.2, "{early:?}");
        for points in [[i32::MAX, i32::MIN, 0], [i32::MIN; 3]] {
            let sum: f32 = shares_of(points, 0).iter().sum();
            assert!((sum - 1.0).abs() < 1e-3, "{points:?}: {sum}");
        }
    }
}
