//! Steps, walls and the play order.

use game::pacman::Rules;

use crate::scenario::{BOTH, Scenario, open};

#[test]
fn pieces_move_one_cell_in_the_four_directions() {
    for rules in BOTH {
        for (orders, expected) in [
            ("NN", "A to 1;2, a to 4;5"),
            ("EE", "A to 2;3, a to 5;6"),
            ("SS", "A to 3;2, a to 6;5"),
            ("OO", "A to 2;1, a to 5;4"),
            ("NO", "A to 1;2, a to 5;4"),
        ] {
            let open = Scenario::new(rules, &open(8, 8, "A")).put('A', 2, 2).put('a', 5, 5);
            open.turn(orders, expected);
        }
    }
}

#[test]
fn pieces_cross_the_edge_of_the_torus() {
    for (row, col, order, arrival) in
        [(0, 3, "N", "6;3"), (2, 8, "E", "2;0"), (6, 3, "S", "0;3"), (2, 0, "O", "2;8")]
    {
        let at_the_edge =
            |piece| Scenario::new(Rules::SUJET, &open(7, 9, "_Aa")).put(piece, row, col);
        at_the_edge('A').turn(&format!("{order}-"), &format!("A to {arrival}"));
        at_the_edge('a').turn(&format!("-{order}"), &format!("a to {arrival}"));
    }
}

#[test]
fn a_wall_across_the_edge_blocks() {
    let board = "
        #A_a#
        #___#
        #####
    ";
    Scenario::new(Rules::SUJET, board).turn("NN", "A blocked A-1, a blocked A-1");
}

#[test]
fn with_wall_pass_walls_do_not_block() {
    let board = "
        ##_##
        #A_a#
        #####
    ";
    for rules in BOTH {
        Scenario::new(rules, board)
            .power('A', '~', 5)
            .turn("S-", "A to 2;1")
            .turn("O-", "A to 2;0")
            .turn("S-", "A to 0;0")
            .turn("S-", "A to 1;0")
            .turn("E-", "A to 1;1")
            .shows("##_## #___# #####");
    }
}

#[test]
fn walls_block_again_when_wall_pass_has_ended() {
    let board = "
        #######
        #A___a#
        #######
    ";
    for rules in BOTH {
        Scenario::new(rules, board)
            .power('A', '~', 1)
            .turn("N-", "A to 0;1")
            .turn("E-", "A blocked A-1")
            .turn("S-", "A to 1;1")
            .turn("N-", "A blocked A-1");
    }
}

#[test]
fn a_pacman_stuck_in_a_wall_leaves_it_to_a_corridor_only() {
    let board = "
        #######
        #A_#_a#
        #######
    ";
    for (order, expected) in [
        ("N-", "A blocked A-1"),
        ("E-", "A to 1;4"),
        ("S-", "A blocked A-1"),
        ("O-", "A to 1;2"),
        ("X-", "A malformed A-1"),
    ] {
        Scenario::new(Rules::SUJET, board).put('A', 1, 3).turn(order, expected);
    }
}

#[test]
fn ghosts_never_pass_walls() {
    Scenario::new(Rules::SUJET, "##### #A_a# #####").power('A', '~', 5).turn("-N", "a blocked A-1");
}

#[test]
fn players_move_in_the_order_drawn_each_pacman_before_its_ghost() {
    for (play_order, expected) in [
        ("CAB", "C to 1;4, c to 1;5, A to 1;0, a to 1;1, B to 1;2, b to 1;3"),
        ("ABC", "A to 1;0, a to 1;1, B to 1;2, b to 1;3, C to 1;4, c to 1;5"),
    ] {
        Scenario::new(Rules::SUJET, &open(5, 6, "AaBbCc"))
            .play_order(play_order)
            .turn("SS SS SS", expected);
    }
}
