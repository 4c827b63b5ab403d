//! Ghosts that have eaten.

use game::pacman::Rules;

use crate::scenario::Scenario;

const FACING: &str = "
    #########
    #_Ab__aB#
    #########
";

fn orleans() -> Scenario {
    Scenario::new(Rules::ORLEANS_2024, FACING)
}

#[test]
fn a_ghost_that_bit_stays_still_in_the_next_turn_only_and_pays_nothing() {
    for order in ["E", "N", "X"] {
        orleans()
            .turn("-- -O", "b to 1;2, b bites A A-20 B+20")
            .turn(&format!("-- -{order}"), "b digests")
            .turn("-- -E", "b to 1;3");
    }
}

#[test]
fn a_ghost_that_was_walked_into_digests_from_the_next_turn_on() {
    orleans()
        .turn("E- -E", "A to 1;3, b bites A A-20 B+20, b to 1;4")
        .turn("-- -E", "b digests")
        .turn("-- -E", "b to 1;5");
}

#[test]
fn the_subject_knows_no_digestion() {
    Scenario::new(Rules::SUJET, FACING)
        .turn("-- -O", "b to 1;2, b bites A A-20 B+20")
        .turn("-- -X", "b malformed B-1")
        .turn("-- -E", "b to 1;3");
}

#[test]
fn a_ghost_eaten_by_a_glutton_does_not_digest() {
    orleans()
        .power('A', '$', 9)
        .turn("-- -O", "b to 1;2, A eats b A+20 B-20")
        .turn("-- -E", "b to 1;3")
        .turn("E- --", "A to 1;3, A eats b A+20 B-20")
        .turn("-- -E", "b to 1;4");
}

#[test]
fn a_digesting_ghost_bites_who_walks_into_it_and_digests_again() {
    orleans()
        .digesting('b')
        .turn("E- -E", "A to 1;3, b bites A A-20 B+20, b digests")
        .turn("-- -E", "b digests")
        .turn("-- -E", "b to 1;4");
}

#[test]
fn biting_ones_own_pacman_counts_as_eating() {
    let alone = || Scenario::new(Rules::ORLEANS_2024, "##### #Aa_# #####");
    alone().turn("-O", "a to 1;1, a bites A").turn("-E", "a digests").turn("-E", "a to 1;2");
    alone().turn("E-", "A to 1;2, a bites A").turn("-E", "a digests");
}

#[test]
fn a_ghost_that_is_frozen_as_well_digests() {
    orleans().digesting('b').power('A', '@', 9).turn("-- -E", "a frozen, b digests");
}
