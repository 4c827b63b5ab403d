//! Orders that are malformed or impossible.

use game::pacman::Rules;

use crate::scenario::Scenario;

const ROOM: &str = "
    #######
    #A.__a#
    #######
";

fn sujet(counter: i32) -> Scenario {
    Scenario::new(Rules::SUJET, ROOM).counter('A', counter)
}

fn orleans(counter: i32) -> Scenario {
    Scenario::new(Rules::ORLEANS_2024, ROOM).counter('A', counter)
}

#[test]
fn a_malformed_order_costs_a_point_and_counts() {
    sujet(0).turn("XX", "A malformed (1) A-1, a malformed (2) A-1");
    orleans(4).turn("XX", "A malformed (3) A-1, a malformed (2) A-1");
}

#[test]
fn a_blocked_pacman_pays_a_point_and_a_blocked_ghost_pays_or_earns_one() {
    sujet(0).turn("NE", "A blocked (1) A-1, a blocked (2) A-1");
    orleans(4).turn("NE", "A blocked (3) A-1, a blocked (2) A+1");
}

#[test]
fn a_missing_order_is_malformed() {
    for orders in ["", "X"] {
        sujet(0).turn(orders, "A malformed (1) A-1, a malformed (2) A-1");
    }
    sujet(0).turn("E", "A to 1;2, A takes . at 1;2 A+3, a malformed (1) A-1");
}

#[test]
fn the_subject_teleports_the_piece_that_makes_the_fourth_false_move() {
    sujet(0)
        .turn("XE", "A malformed (1) A-1, a blocked (2) A-1")
        .turn("NO", "A blocked (3) A-1, a to 1;4")
        .draws(&[(1, 1)])
        .turn("EX", "A to 1;2, A takes . at 1;2 A+3, a malformed (0) A-1, a teleported to 1;1")
        .turn("XX", "A malformed (1) A-1, a malformed (2) A-1")
        .draws(&[(1, 5)])
        .turn("XX", "A malformed (3) A-1, a malformed (0) A-1, a teleported to 1;5");
    for (order, cause) in [("X", "malformed"), ("O", "blocked")] {
        let expected = format!("A {cause} (0) A-1, A teleported to 1;3, a to 1;4");
        sujet(3).draws(&[(1, 3)]).turn(&format!("{order}O"), &expected);
    }
}

#[test]
fn the_original_teleports_at_the_first_false_move_and_then_after_four() {
    orleans(0)
        .draws(&[(1, 4)])
        .turn("XE", "A malformed (4) A-1, A teleported to 1;4, a blocked (3) A+1")
        .turn("OX", "A to 1;3, a malformed (2) A-1")
        .draws(&[(1, 1)])
        .turn("XE", "A malformed (1) A-1, a blocked (4) A+1, a teleported to 1;1")
        .turn("XX", "A malformed (3) A-1, a malformed (2) A-1")
        .draws(&[(1, 4)])
        .turn("XX", "A malformed (1) A-1, a malformed (4) A-1, a teleported to 1;4");
}

#[test]
fn every_player_has_a_counter_of_its_own() {
    let room = "
        #####
        #A_a#
        #B_b#
        #####
    ";
    Scenario::new(Rules::SUJET, room)
        .counter('A', 0)
        .counter('B', 2)
        .turn("XX XO", "A malformed (1) A-1, a malformed (2) A-1, B malformed (3) B-1, b to 2;2");
}

#[test]
fn the_piece_still_stands_on_its_cell_while_the_cell_is_drawn() {
    for (game, counter) in [(sujet(3), 0), (orleans(0), 4)] {
        game.draws(&[(1, 3)])
            .turn("N-", &format!("A blocked ({counter}) A-1, A teleported to 1;3"))
            .drawn_among("####### #_***_# #######");
    }
}

#[test]
fn a_teleported_pacman_takes_nothing_where_it_lands() {
    sujet(3)
        .draws(&[(1, 2)])
        .turn("X-", "A malformed (0) A-1, A teleported to 1;2")
        .shows("####### #_.___# #######");
}

#[test]
fn a_teleported_piece_fights_nobody_where_it_lands() {
    // All corridors are occupied, so that there is no other place to land.
    let full = "
        ###
        #A#
        #a#
        #B#
        #b#
        ###
    ";
    Scenario::new(Rules::SUJET, full)
        .counter('A', 3)
        .draws(&[(4, 1)])
        .turn("X- --", "A malformed (0) A-1, A teleported to 4;1");
    Scenario::new(Rules::SUJET, full)
        .counter('A', 2)
        .draws(&[(3, 1)])
        .turn("XE --", "A malformed (3) A-1, a blocked (0) A-1, a teleported to 3;1");
}
