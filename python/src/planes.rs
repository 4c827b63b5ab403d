//! The observations of a game's learners, which are updated each turn: planes of bytes, a vector of numbers, and a mask of actions.
//!
//! The planes of a learner are row-major arrays of the board, one after the other. Players are counted from the learner itself,
//! then in order of colour around the table: player 0 is the learner, player 1 the next colour.
//!
//! | plane, for n players | value of a cell |
//! | --- | --- |
//! | 0 | 1 for a wall |
//! | 1 … 6 | 1 where a vitamin, glutton, freeze, wall-pass, cherry, teleporter lies |
//! | 7 … 6 + n | 1 where the pacman of player 0, 1, … stands |
//! | 7 + n … 6 + 2n | 1 where the ghost of player 0, 1, … stands |
//!
//! The vector has the turns left in the game, and then six numbers of each player: points, the counter of false moves, the turns
//! left of glutton, freeze and wall-pass, and 1 if its ghost digests.

use game::pacman::{Board, Cell, Colour, Event, Object, Player, State};

use crate::many::Seen;

/// The planes of walls and of objects, which come before those of the pieces.
const STILL: usize = 7;
/// Numbers of each player in the vector.
const FIELDS: usize = 6;
/// Number of actions.
pub(crate) const ACTIONS: usize = 16;

/// Number of planes of a learner.
pub(crate) const fn planes(players: usize) -> usize {
    STILL + 2 * players
}

/// Length of the vector of a learner.
pub(crate) const fn numbers(players: usize) -> usize {
    1 + FIELDS * players
}

/// The state of a game that its planes show.
#[derive(Default)]
pub(crate) struct Shown {
    /// The cells of each player's pacman and ghost.
    pieces: Vec<(Cell, Cell)>,
    /// Objects taken (0) or laid (1) in this turn, with their cells.
    changes: Vec<(Cell, Object, u8)>,
}

/// A piece on another cell than a turn earlier.
#[derive(Clone, Copy, Default)]
struct Move {
    player: usize,
    /// The first plane of pieces of its kind.
    plane: usize,
    from: Cell,
    to: Cell,
}

impl Shown {
    /// Records the change of an event, to be drawn at the end of the turn.
    pub(crate) fn note(&mut self, event: Event) {
        match event {
            Event::Took { object, cell, .. } => self.changes.push((cell, object, 0)),
            Event::Appeared { object, cell } => {
                // A new object may replace a vitamin.
                self.changes.push((cell, Object::Vitamin, 0));
                self.changes.push((cell, object, 1));
            }
            _ => {}
        }
    }

    /// Draws the whole observations of the learners in these seats.
    pub(crate) fn draw(&mut self, seen: &mut Seen<'_, i32>, seats: &[usize], state: &State) {
        let view = state.view();
        let (cells, players) = (view.board().dims().len(), view.players().len());
        self.changes.clear();
        self.pieces.clear();
        self.pieces.extend(view.players().iter().map(|player| (player.pacman, player.ghost)));
        if seats.is_empty() {
            return;
        }
        seen.planes.fill(0);
        let size = planes(players) * cells;
        let (first, _) = seen.planes.split_at_mut(STILL * cells);
        for cell in view.board().dims().cells() {
            first[cell.index()] = view.board().is_wall(cell).into();
        }
        for (cell, object) in view.objects().iter() {
            first[plane_of(object) * cells + cell.index()] = 1;
        }
        for learner in 1..seats.len() {
            seen.planes.copy_within(..STILL * cells, learner * size);
        }
        for (&seat, planes) in seats.iter().zip(seen.planes.chunks_exact_mut(size)) {
            for (player, &(pacman, ghost)) in self.pieces.iter().enumerate() {
                let plane = STILL + relative(player, seat, players);
                planes[plane * cells + pacman.index()] = 1;
                planes[(plane + players) * cells + ghost.index()] = 1;
            }
        }
        Self::write_numbers(seen, seats, state);
    }

    /// Draws the changes of a turn.
    pub(crate) fn update(&mut self, seen: &mut Seen<'_, i32>, seats: &[usize], state: &State) {
        let view = state.view();
        let (cells, players) = (view.board().dims().len(), view.players().len());
        let size = planes(players) * cells;
        let mut moves = [Move::default(); 2 * Colour::MAX];
        let mut count = 0;
        for (player, (before, now)) in self.pieces.iter_mut().zip(view.players()).enumerate() {
            let (pacman, ghost) = std::mem::replace(before, (now.pacman, now.ghost));
            for (kind, from, to) in [(0, pacman, now.pacman), (1, ghost, now.ghost)] {
                // Branch-free: the move is always written, and counted only if the piece has moved.
                moves[count] = Move { player, plane: STILL + kind * players, from, to };
                count += usize::from(from != to);
            }
        }
        for &Move { player, plane, from, to } in &moves[..count] {
            for (&seat, planes) in seats.iter().zip(seen.planes.chunks_exact_mut(size)) {
                let plane =
                    &mut planes[(plane + relative(player, seat, players)) * cells..][..cells];
                plane[from.index()] = 0;
                plane[to.index()] = 1;
            }
        }
        for &(cell, object, value) in &self.changes {
            for planes in seen.planes.chunks_exact_mut(size) {
                planes[plane_of(object) * cells + cell.index()] = value;
            }
        }
        self.changes.clear();
        Self::write_numbers(seen, seats, state);
    }

    /// Writes the vectors and the masks.
    fn write_numbers(seen: &mut Seen<'_, i32>, seats: &[usize], state: &State) {
        let (view, players) = (state.view(), state.view().players());
        let digesting = state.digesting();
        let left = number(view.total().saturating_sub(view.elapsed()));
        let length = numbers(players.len());
        for vector in seen.vectors.chunks_exact_mut(length) {
            vector[0] = left;
        }
        for (index, (colour, player)) in Colour::first(players.len()).zip(players).enumerate() {
            let fields: [i32; FIELDS] = [
                player.points,
                player.false_moves,
                number(player.powers.glutton),
                number(player.powers.freeze),
                number(player.powers.wall_pass),
                digesting.contains(colour).into(),
            ];
            for (&seat, vector) in seats.iter().zip(seen.vectors.chunks_exact_mut(length)) {
                let place = 1 + FIELDS * relative(index, seat, players.len());
                vector[place..place + FIELDS].copy_from_slice(&fields);
            }
        }
        for (&seat, mask) in seats.iter().zip(seen.masks.chunks_exact_mut(ACTIONS)) {
            mask.copy_from_slice(mask_of(view.board(), &players[seat]));
        }
    }
}

/// The number of a player as the learner in a seat counts it.
fn relative(player: usize, seat: usize, players: usize) -> usize {
    if player >= seat { player - seat } else { player + players - seat }
}

/// A number of turns, at most the largest of 32 bits with a sign.
fn number(turns: u32) -> i32 {
    i32::try_from(turns).unwrap_or(i32::MAX)
}

fn plane_of(object: Object) -> usize {
    object as usize
}

/// The mask of the 16 pairs of directions, `4 * pacman + ghost`: 1 if neither is a false move, else 0. For a piece that
/// cannot move at all, every direction is allowed.
fn mask_of(board: &Board, player: &Player) -> &'static [i8; ACTIONS] {
    let open = |cell: Cell, through: bool| match board.exit_bits(cell) {
        0 => 0b1111,
        _ if through => 0b1111,
        open => usize::from(open),
    };
    let pacman = open(player.pacman, player.powers.wall_pass > 0);
    &MASKS[16 * pacman + open(player.ghost, false)]
}

/// The masks, by the open directions of the pacman and of the ghost, as bits from north on.
static MASKS: [[i8; ACTIONS]; 256] = masks();

const fn masks() -> [[i8; ACTIONS]; 256] {
    let mut masks = [[0; ACTIONS]; 256];
    let mut open = 0;
    while open < 256 {
        let mut action = 0;
        while action < ACTIONS {
            let (pacman, ghost) =
                ((open / 16) >> (action / 4) & 1, (open % 16) >> (action % 4) & 1);
            masks[open][action] = (pacman & ghost) as i8;
            action += 1;
        }
        open += 1;
    }
    masks
}
