//! Objects that pacmans take.

use game::pacman::{Object, Rules};

use crate::ledger::worth;
use crate::scenario::{BOTH, Scenario};

#[test]
fn each_object_gives_its_points_and_the_turn_counts_as_the_first_of_its_power() {
    for rules in BOTH {
        for (letter, points, powers) in [
            ('.', 3, [0, 0, 0]),
            ('$', 50, [19, 0, 0]),
            ('@', 50, [0, 9, 0]),
            ('~', 50, [0, 0, 19]),
            ('&', 100, [0, 0, 0]),
        ] {
            // The ghost is further away than freeze reaches.
            Scenario::new(
                rules,
                &format!("############### #A{letter}______a____# ###############"),
            )
            .turn("E-", &format!("A to 1;2, A takes {letter} at 1;2 A+{points}"))
            .powers('A', powers)
            .shows("############### #_____________# ###############");
        }
    }
}

#[test]
fn the_second_opinion_prices_objects_as_the_engine_does() {
    for object in Object::ALL {
        let (points, powers) = worth(object);
        assert_eq!(object.points(), points);
        assert_eq!(object.duration(), powers.glutton + powers.freeze + powers.wall_pass);
    }
}

#[test]
fn durations_are_added_to_what_is_left() {
    Scenario::new(Rules::SUJET, "######### #A$~@__a# #########")
        .power('A', '$', 7)
        .power('A', '@', 2)
        .power('A', '~', 9)
        .turn("EE", "A to 1;2, A takes $ at 1;2 A+50, a frozen")
        .powers('A', [26, 1, 8])
        .turn("EE", "A to 1;3, A takes ~ at 1;3 A+50, a frozen")
        .powers('A', [25, 0, 27])
        .turn("EE", "A to 1;4, A takes @ at 1;4 A+50, a frozen")
        .powers('A', [24, 9, 26]);
}

#[test]
fn ghosts_take_nothing() {
    Scenario::new(Rules::SUJET, "##### #A__# #a$_# #####")
        .turn("EE", "A to 1;2, a to 2;2")
        .turn("EE", "A to 1;3, a to 2;3")
        .shows("##### #___# #_$_# #####");
}

#[test]
fn a_teleporter_acts_at_once() {
    for rules in BOTH {
        Scenario::new(rules, "####### #A!_.a# #######")
            .draws(&[(1, 3)])
            .turn("E-", "A to 1;2, A takes ! at 1;2 A+50, A teleported to 1;3")
            .shows("####### #___._# #######");
    }
}

#[test]
fn the_pacman_has_been_lifted_so_that_the_cell_of_the_teleporter_can_be_drawn() {
    Scenario::new(Rules::SUJET, "####### #A!$_a# #######")
        .draws(&[(1, 2)])
        .turn("E-", "A to 1;2, A takes ! at 1;2 A+50, A teleported to 1;2")
        .drawn_among("####### #**_*_# #######");
}

#[test]
fn the_cell_of_the_teleporter_cannot_be_drawn_when_another_piece_stands_there() {
    let board = "
        #######
        #A!$__#
        #B_b_a#
        #######
    ";
    for (other, battle, among) in [
        ('a', "a bites A", "####### #*__**# #_*_**# #######"),
        ('B', "", "####### #*__**# #**_*_# #######"),
        ('b', "b bites A A-20 B+20", "####### #*__**# #_***_# #######"),
    ] {
        let expected = "A to 1;2, A takes ! at 1;2 A+50, A teleported to 1;4";
        Scenario::new(Rules::SUJET, board)
            .put(other, 1, 2)
            .draws(&[(1, 4)])
            .turn("E- --", &format!("{expected}, {battle}"))
            .drawn_among(among);
    }
}

#[test]
fn a_teleporter_takes_nothing_where_it_leads() {
    Scenario::new(Rules::SUJET, "####### #A!_.a# #######")
        .draws(&[(1, 4)])
        .turn("E-", "A to 1;2, A takes ! at 1;2 A+50, A teleported to 1;4")
        .shows("####### #___._# #######");
}

#[test]
fn battles_happen_where_the_teleporter_was_and_none_where_it_leads() {
    // All corridors are occupied, so that the teleporter leads to a ghost.
    for rules in BOTH {
        Scenario::new(rules, "##### #A!B# #####")
            .put('b', 1, 2)
            .put('B', 1, 1)
            .put('a', 1, 3)
            .draws(&[(1, 3)])
            .turn(
                "E- --",
                "A to 1;2, A takes ! at 1;2 A+50, A teleported to 1;3, b bites A A-20 B+20",
            );
    }
}
