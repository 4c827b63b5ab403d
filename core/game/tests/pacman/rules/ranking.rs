//! The ranking of the players.

use game::pacman::Rules;

use crate::scenario::Scenario;

#[test]
fn players_rank_by_points_and_equal_points_share_the_rank() {
    for (points, expected) in [
        ([10, 30, 10, -5], "1B 2A 2C 4D"),
        ([0, 0, 0, 0], "1A 1B 1C 1D"),
        ([-3, -2, -1, -2], "1C 2B 2D 4A"),
        ([7, 5, 5, 5], "1A 2B 2C 2D"),
    ] {
        let mut game = Scenario::new(Rules::SUJET, "###### #ABCD# #abcd# ######");
        for (colour, points) in "ABCD".chars().zip(points) {
            game = game.points(colour, points);
        }
        let ranking = game.state.view().ranking();
        for (_, colour, player) in &ranking {
            assert_eq!(game.state.view().player(*colour), Some(player));
        }
        let told = ranking.iter().map(|(rank, colour, _)| format!("{rank}{}", colour.letter()));
        assert_eq!(told.collect::<Vec<_>>().join(" "), expected);
    }
}
