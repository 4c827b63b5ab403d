//! Cells for teleports and for objects that appear.

use game::pacman::Rules;

use crate::scenario::Scenario;

#[test]
fn corridors_without_pieces_and_with_nothing_or_a_vitamin_are_empty() {
    Scenario::new(Rules::SUJET, "####### #A.$@~# #_&!a_# #######")
        .draws(&[(2, 1)])
        .appears('$')
        .turn("--", "$ appears at 2;1")
        .drawn_among("####### #_*___# #*___*# #######");
}

#[test]
fn a_cell_that_was_emptied_is_empty_again() {
    Scenario::new(Rules::SUJET, "####### #A$@&a# #######")
        .turn("E-", "A to 1;2, A takes $ at 1;2 A+50")
        .draws(&[(1, 1)])
        .appears('$')
        .turn("--", "$ appears at 1;1")
        .drawn_among("####### #*____# #######")
        .draws(&[(1, 2)])
        .appears('@')
        .turn("EO", "A to 1;3, A takes @ at 1;3 A+50, a frozen, @ appears at 1;2")
        .drawn_among("####### #_*___# #######");
}

#[test]
fn a_pacman_inside_a_wall_occupies_no_corridor() {
    Scenario::new(Rules::SUJET, "##### #A_a# #####")
        .put('A', 0, 1)
        .draws(&[(1, 1)])
        .appears('$')
        .turn("--", "$ appears at 1;1")
        .drawn_among("##### #**_# #####");
}

#[test]
fn without_an_empty_cell_any_corridor_without_pieces_will_do() {
    Scenario::new(Rules::SUJET, "###### #A$a&# ######")
        .draws(&[(1, 2)])
        .appears('@')
        .turn("--", "@ appears at 1;2")
        .drawn_among("###### #_*_*# ######")
        .shows("###### #_@_&# ######");
    // A teleported piece does not take the object of its new cell.
    Scenario::new(Rules::SUJET, "###### #A$a&# ######")
        .counter('A', 3)
        .draws(&[(1, 4)])
        .turn("X-", "A malformed (0) A-1, A teleported to 1;4")
        .drawn_among("###### #_*_*# ######")
        .shows("###### #_$_&# ######");
}

#[test]
fn when_all_corridors_are_occupied_any_will_do() {
    Scenario::new(Rules::SUJET, "#### #Aa# ####")
        .draws(&[(1, 2)])
        .appears('$')
        .turn("--", "$ appears at 1;2")
        .drawn_among("#### #**# ####")
        .shows("#### #_$# ####");
}
