//! Pacmans and ghosts that meet.

use game::pacman::Rules;

use crate::scenario::{BOTH, Scenario};

const FACING: &str = "
    #########
    #_Ab__aB#
    #########
";

#[test]
fn a_pacman_that_walks_into_a_ghost_is_bitten() {
    for rules in BOTH {
        Scenario::new(rules, FACING).turn("E- --", "A to 1;3, b bites A A-20 B+20");
    }
}

#[test]
fn a_glutton_that_walks_into_a_ghost_eats_it() {
    for rules in BOTH {
        Scenario::new(rules, FACING)
            .power('A', '$', 9)
            .turn("E- --", "A to 1;3, A eats b A+20 B-20");
    }
}

#[test]
fn a_glutton_taken_on_the_cell_of_the_ghost_counts() {
    for rules in BOTH {
        Scenario::new(rules, "####### #A$_aB# #######")
            .put('b', 1, 2)
            .turn("E- --", "A to 1;2, A takes $ at 1;2 A+50, A eats b A+20 B-20");
    }
}

#[test]
fn a_ghost_that_walks_into_a_pacman_bites_it() {
    for rules in BOTH {
        Scenario::new(rules, FACING).turn("-- -O", "b to 1;2, b bites A A-20 B+20");
    }
}

#[test]
fn a_ghost_that_walks_into_a_glutton_is_eaten() {
    for rules in BOTH {
        Scenario::new(rules, FACING)
            .power('A', '$', 9)
            .turn("-- -O", "b to 1;2, A eats b A+20 B-20");
    }
}

#[test]
fn the_last_turn_of_a_glutton_is_its_last() {
    for rules in BOTH {
        Scenario::new(rules, FACING)
            .power('A', '$', 1)
            .turn("-- -O", "b to 1;2, A eats b A+20 B-20")
            .turn("-- -E", "b to 1;3")
            .turn("E- --", "A to 1;3, b bites A A-20 B+20");
    }
}

#[test]
fn a_battle_with_ones_own_ghost_nets_zero() {
    for rules in BOTH {
        let alone = || Scenario::new(rules, "##### #Aa_# #####");
        alone().turn("E-", "A to 1;2, a bites A");
        alone().turn("-O", "a to 1;1, a bites A");
        alone().power('A', '$', 9).turn("E-", "A to 1;2, A eats a");
        alone().power('A', '$', 9).turn("-O", "a to 1;1, A eats a");
    }
}

#[test]
fn a_pacman_fights_every_ghost_of_the_cell() {
    for rules in BOTH {
        let crowd = || {
            let pacmans = Scenario::new(rules, "###### #ABC_# ######");
            pacmans.put('a', 1, 2).put('b', 1, 2).put('c', 1, 2)
        };
        crowd().turn("E- -- --", "A to 1;2, a bites A, b bites A A-20 B+20, c bites A A-20 C+20");
        crowd()
            .power('A', '$', 1)
            .turn("E- -- --", "A to 1;2, A eats a, A eats b A+20 B-20, A eats c A+20 C-20");
    }
}

#[test]
fn a_ghost_fights_every_pacman_of_the_cell() {
    for rules in BOTH {
        Scenario::new(rules, "###### #a_bc# ######")
            .put('A', 1, 2)
            .put('B', 1, 2)
            .put('C', 1, 2)
            .power('B', '$', 1)
            .turn("-E -- --", "a to 1;2, a bites A, B eats a A-20 B+20, a bites C A+20 C-20");
    }
}

#[test]
fn pieces_that_change_places_fight_once() {
    for rules in BOTH {
        let adjacent = || Scenario::new(rules, "####### #Ab_aB# #######");
        adjacent().play_order("AB").turn("E- -O", "A to 1;2, b bites A A-20 B+20, b to 1;1");
        adjacent().play_order("BA").turn("E- -O", "b to 1;1, b bites A A-20 B+20, A to 1;2");
    }
}

#[test]
fn pieces_that_stay_put_do_not_fight() {
    for (rules, slip) in [(Rules::SUJET, "B-1"), (Rules::ORLEANS_2024, "B+1")] {
        Scenario::new(rules, "##### #A_B# ##a## #####")
            .put('b', 1, 1)
            .turn("-- --", "")
            .turn("N- -N", &format!("A blocked A-1, b blocked {slip}"));
    }
}

#[test]
fn pacmans_ignore_pacmans_and_ghosts_ignore_ghosts() {
    for rules in BOTH {
        Scenario::new(rules, "###### #A_B_# #a_b_# ######")
            .turn("EE OO", "A to 1;2, a to 2;2, B to 1;2, b to 2;2");
    }
}
