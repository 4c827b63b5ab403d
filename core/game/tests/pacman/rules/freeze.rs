//! Ghosts near a pacman with freeze.

use game::pacman::Rules;

use crate::scenario::{BOTH, Scenario, open};

/// The largest Chebyshev distance at which ghosts are frozen.
const RANGES: [(Rules, u16); 2] = [(Rules::SUJET, 4), (Rules::ORLEANS_2024, 5)];
const SIDE: u16 = 13;

/// Two players on an open torus; A's pacman freezes and stands at `pacman`, both ghosts at `ghosts`,
/// B's pacman out of everyone's way.
fn torus(rules: Rules, pacman: (u16, u16), ghosts: (u16, u16)) -> Scenario {
    let game = Scenario::new(rules, &open(SIDE.into(), SIDE.into(), "AB"));
    let game = game.put('A', pacman.0, pacman.1).put('B', (pacman.0 + 6) % SIDE, pacman.1);
    let game = game.put('a', ghosts.0, ghosts.1).put('b', ghosts.0, ghosts.1);
    game.power('A', '@', 9)
}

#[test]
fn ghosts_in_the_square_around_the_pacman_are_frozen_across_edges_and_their_owners_too() {
    for (rules, range) in RANGES {
        for pacman in [(6, 6), (0, 0), (12, 5)] {
            for (rows, cols, distance) in [
                (0, 4, 4),
                (4, 0, 4),
                (4, 9, 4),
                (9, 4, 4),
                (11, 4, 4),
                (0, 5, 5),
                (5, 0, 5),
                (8, 8, 5),
                (8, 1, 5),
                (4, 5, 5),
                (0, 6, 6),
                (7, 2, 6),
                (1, 7, 6),
            ] {
                let ghosts = ((pacman.0 + rows) % SIDE, (pacman.1 + cols) % SIDE);
                let moved = format!("{};{}", ghosts.0, (ghosts.1 + 1) % SIDE);
                let expected = if distance <= range {
                    "a frozen, b frozen".to_owned()
                } else {
                    format!("a to {moved}, b to {moved}")
                };
                torus(rules, pacman, ghosts).turn("-E -E", &expected);
            }
        }
    }
}

#[test]
fn the_distance_is_measured_when_the_ghost_is_about_to_move() {
    for (rules, range) in RANGES {
        let beyond = 3 + range;
        torus(rules, (6, 2), (6, beyond)).turn("EE -E", "A to 6;3, a frozen, b frozen");
        let east = format!("6;{}", beyond + 1);
        torus(rules, (6, 2), (6, beyond))
            .play_order("BA")
            .turn("EE -E", &format!("b to {east}, A to 6;3, a frozen"));
        let at_the_edge = beyond - 1;
        torus(rules, (6, 2), (6, at_the_edge))
            .turn("OE -E", &format!("A to 6;1, a to 6;{beyond}, b to 6;{beyond}"));
    }
}

#[test]
fn a_freeze_taken_earlier_in_the_turn_counts() {
    let board = "
        ##########
        #A@__b__a#
        ##########
    ";
    for rules in BOTH {
        let game = || Scenario::new(rules, board);
        game()
            .play_order("AB")
            .turn("EO -E", "A to 1;2, A takes @ at 1;2 A+50, a frozen, b frozen");
        game()
            .play_order("BA")
            .turn("EO -E", "b to 1;6, A to 1;2, A takes @ at 1;2 A+50, a frozen");
    }
}

#[test]
fn the_last_turn_of_a_freeze_is_its_last() {
    for rules in BOTH {
        torus(rules, (6, 6), (6, 8))
            .power('A', '@', 1)
            .turn("-E -E", "a frozen, b frozen")
            .turn("-E -E", "a to 6;9, b to 6;9");
    }
}

#[test]
fn the_pacman_of_anybody_freezes() {
    for rules in BOTH {
        torus(rules, (0, 0), (6, 6))
            .put('B', 6, 5)
            .power('A', '@', 0)
            .power('B', '@', 3)
            .turn("-E -E", "a frozen, b frozen");
    }
}

#[test]
fn a_frozen_ghost_pays_nothing_whatever_its_order() {
    for rules in BOTH {
        for orders in ["-X -X", "-N -E", "-S -O"] {
            Scenario::new(rules, "###### #ABab# ######")
                .power('A', '@', 3)
                .turn(orders, "a frozen, b frozen");
        }
    }
}

#[test]
fn a_frozen_ghost_still_bites_who_walks_into_it() {
    for rules in BOTH {
        torus(rules, (6, 6), (6, 7))
            .turn("EE -E", "A to 6;7, a bites A, b bites A A-20 B+20, a frozen, b frozen");
    }
}
