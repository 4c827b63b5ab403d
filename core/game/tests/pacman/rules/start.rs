//! The start of a game.

use game::pacman::{Cell, Map, Player, Pos, Rules, Scripted, State};

use crate::scenario::BOTH;

const MAP: &str = "4;6\n######\n#. $.#\n#  ! #\n######\n";

fn cells(map: &Map, places: &[(u16, u16)]) -> Vec<Cell> {
    let cell = |&(row, col)| map.board().dims().cell(Pos { row, col }).expect("a cell");
    places.iter().map(cell).collect()
}

#[test]
fn pieces_are_placed_by_colour_each_pacman_before_its_ghost_and_take_nothing() {
    let map: Map = MAP.parse().unwrap();
    for rules in BOTH {
        let places = cells(&map, &[(1, 1), (2, 1), (1, 4), (2, 4)]);
        let mut chance = Scripted { cells: places.clone().into(), ..Scripted::default() };
        let state = State::start(&map, rules, 50, 2, &mut chance);
        assert_eq!(chance.contradictions, 0);
        let player = |pacman, ghost| Player { pacman, ghost, ..Player::default() };
        assert_eq!(
            state.view().players(),
            [player(places[0], places[1]), player(places[2], places[3])]
        );
        assert_eq!((state.view().elapsed(), state.view().total()), (0, 50));
        assert_eq!(state.view().objects(), map.objects());
        assert!(state.digesting().iter().next().is_none());
    }
}

#[test]
fn every_piece_starts_on_an_empty_cell() {
    let map: Map = MAP.parse().unwrap();
    for (places, contradictions) in [
        ([(1, 1), (1, 2)], 0),
        ([(1, 1), (1, 1)], 1), // the pacman stands there
        ([(1, 1), (1, 3)], 1), // glutton
        ([(2, 3), (2, 1)], 1), // teleporter
        ([(0, 1), (2, 1)], 1), // wall
    ] {
        let mut chance = Scripted { cells: cells(&map, &places).into(), ..Scripted::default() };
        let _ = State::start(&map, Rules::SUJET, 50, 1, &mut chance);
        assert_eq!(chance.contradictions, contradictions, "{places:?}");
    }
}

#[test]
fn at_most_26_players_take_part() {
    let map = crate::cartes::load("plan1.txt");
    for (players, expected) in [(0, 0), (26, 26), (27, 26)] {
        let state = State::start(&map, Rules::SUJET, 1, players, &mut Scripted::default());
        assert_eq!(state.view().players().len(), expected);
    }
}
