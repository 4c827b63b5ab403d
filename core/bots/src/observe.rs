//! Observation functions of the course: possible directions, objects and pieces within reach, and junctions.
//!
//! The French names are those of the course (*Idées de fonctions d'observation*).

use game::pacman::{Board, Cell, Colour, Direction, Object, Pos, View};
use graph::Distances;

/// The directions to walk from a position (*`directions_possibles`*), clockwise from north: those to corridors, or all four with
/// the wall-pass.
///
/// A position that is not on the board has none.
pub fn possible_directions(board: &Board, pos: Pos, wall_pass: bool) -> Vec<Direction> {
    match board.dims().cell(pos) {
        None => Vec::new(),
        Some(_) if wall_pass => Direction::ALL.to_vec(),
        Some(cell) => board.exits(cell).to_vec(),
    }
}

/// Objects and pieces within reach, each with its distance in steps, nearest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sightings {
    /// Objects.
    pub objects: Vec<(u32, Object)>,
    /// Pacmans, by their owners.
    pub pacmans: Vec<(u32, Colour)>,
    /// Ghosts, by their owners.
    pub ghosts: Vec<(u32, Colour)>,
}

/// Objects and pieces within `max_distance` steps, the first of which goes in this direction (*`analyse_plateau`*): the first
/// cell is at distance 1, and the start itself may be reached again at 2. Walls block. `None` if the first step leads into a
/// wall, or `pos` is not on the board.
pub fn analyse_board(
    view: &View,
    pos: Pos,
    direction: Direction,
    max_distance: u32,
) -> Option<Sightings> {
    let board = view.board();
    let first = first_cell(board, pos, direction)?;
    let mut distances = Distances::new();
    distances.fill(board, first);
    let mut sightings = Sightings::default();
    for &cell in distances.reached() {
        let distance = distances.to(cell) + 1;
        if distance > max_distance {
            break;
        }
        sightings.objects.extend(view.objects().get(cell).map(|object| (distance, object)));
        for (player, colour) in view.players().iter().zip(Colour::first(Colour::MAX)) {
            sightings.pacmans.extend((player.pacman == cell).then_some((distance, colour)));
            sightings.ghosts.extend((player.ghost == cell).then_some((distance, colour)));
        }
    }
    Some(sightings)
}

/// Number of steps from the first cell in this direction to a cell with more than two exits (*`prochaine_intersection`*): 0 if
/// the first cell is such a cell. `None` (−1 in the course) if a wall, a dead end or a loop comes before.
pub fn next_junction(board: &Board, pos: Pos, direction: Direction) -> Option<u32> {
    let mut cell = first_cell(board, pos, direction)?;
    let mut heading = direction;
    // A walk longer than the number of cells is a loop.
    for walked in 0..board.dims().len() as u32 {
        let exits = board.exits(cell);
        if exits.len() > 2 {
            return Some(walked);
        }
        heading = *exits.iter().find(|&&exit| exit != heading.opposite())?;
        cell = board.neighbour(cell, heading);
    }
    None
}

fn first_cell(board: &Board, pos: Pos, direction: Direction) -> Option<Cell> {
    let start = board.dims().cell(pos)?;
    board.is_open(start, direction).then(|| board.neighbour(start, direction))
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::pacman::StateReader;

    /// A ring with a dead end, and a separate closed loop in the corner.
    const STATE: &str = "0;9\n--------------------\n\
        6;9\n\
        #########\n\
        #.   #  #\n\
        # ## #  #\n\
        #  & ####\n\
        ## ######\n\
        ##$######\n\
        1\nA;1;1\n1\na;3;4\n--------------------\nA;0;0;1;1;3;4;0;0;0;Ada\n";

    fn view() -> View {
        StateReader::new().read(STATE.as_bytes()).unwrap().view.clone()
    }

    fn at(row: u16, col: u16) -> Pos {
        Pos { row, col }
    }

    #[test]
    fn directions_lead_to_corridors_or_with_the_wall_pass_anywhere() {
        let view = view();
        let corner = possible_directions(view.board(), at(1, 1), false);
        assert_eq!(corner, [Direction::East, Direction::South]);
        assert_eq!(possible_directions(view.board(), at(1, 1), true), Direction::ALL);
        assert_eq!(possible_directions(view.board(), at(99, 1), true), []);
    }

    #[test]
    fn everything_within_reach_is_seen_the_start_included() {
        let me = Colour::new(0).unwrap();
        let east = analyse_board(&view(), at(1, 1), Direction::East, 6).unwrap();
        assert_eq!(east.pacmans, [(2, me)]);
        assert_eq!(east.ghosts, [(5, me)]);
        assert_eq!(east.objects, [(2, Object::Vitamin), (6, Object::Cherry)]);
        let near = analyse_board(&view(), at(1, 1), Direction::East, 1).unwrap();
        assert_eq!(near, Sightings::default());
        assert_eq!(analyse_board(&view(), at(1, 1), Direction::North, 9), None);
    }

    #[test]
    fn walls_block_what_is_seen() {
        let inside = analyse_board(&view(), at(1, 6), Direction::East, 99).unwrap();
        assert_eq!(inside, Sightings::default());
    }

    #[test]
    fn junctions_have_more_than_two_exits() {
        let view = view();
        let next = |row, col, direction| next_junction(view.board(), at(row, col), direction);
        assert_eq!(next(3, 1, Direction::East), Some(0));
        assert_eq!(next(1, 1, Direction::South), Some(2));
        assert_eq!(next(1, 1, Direction::East), Some(6));
        assert_eq!(next(3, 2, Direction::South), None, "a dead end");
        assert_eq!(next(1, 6, Direction::East), None, "a loop");
        assert_eq!(next(1, 1, Direction::North), None, "a wall");
    }
}
