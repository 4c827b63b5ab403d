//! The observations of a game's players, as planes of bytes that are updated each turn.
//!
//! A player's planes are row-major arrays of the board, one after the other:
//!
//! | plane | value of a cell |
//! | --- | --- |
//! | 0 | 1 for a wall |
//! | 1, 2 | 1 where the player's own pacman, its own ghost stands |
//! | 3, 4 | 1 where pacmans, ghosts of others stand |
//! | 5, 6, 7 | turns left of glutton, freeze, wall-pass of a pacman that stands there, at most 255 |
//! | 8 … 13 | 1 where a vitamin, glutton, freeze, wall-pass, cherry, teleporter lies |

use game::pacman::{Board, Cell, Event, Object, Player, State, View};

/// Number of planes of a player.
pub(crate) const PLANES: usize = 14;
const PACMAN: usize = 1;
const GHOST: usize = 2;
/// Offset from the plane of an own piece to that of the same pieces of others.
const OTHERS: usize = 2;
const POWERS: usize = 5;
const OBJECTS: usize = 8;

/// The state of a game that its planes show.
#[derive(Default)]
pub(crate) struct Shown {
    players: Vec<Player>,
    /// Objects taken (0) or laid (1) in this turn, with their cells.
    changes: Vec<(Cell, Object, u8)>,
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

    /// Draws the planes of all players of a game anew.
    pub(crate) fn draw(&mut self, planes: &mut [u8], state: &State) {
        let view = state.view();
        let cells = view.board().dims().len();
        planes.fill(0);
        for planes in planes.chunks_exact_mut(PLANES * cells) {
            for cell in view.board().dims().cells() {
                planes[cell.index()] = view.board().is_wall(cell).into();
            }
            for (cell, object) in view.objects().iter() {
                planes[plane_of(object) * cells + cell.index()] = 1;
            }
        }
        self.changes.clear();
        self.players.clear();
        self.players.extend_from_slice(view.players());
        self.pieces(planes, cells);
    }

    /// Draws the changes of a turn.
    pub(crate) fn update(&mut self, planes: &mut [u8], view: &View) {
        let cells = view.board().dims().len();
        for (me, planes) in planes.chunks_exact_mut(PLANES * cells).enumerate() {
            for (index, player) in self.players.iter().enumerate() {
                let offset = if index == me { 0 } else { OTHERS };
                planes[(PACMAN + offset) * cells + player.pacman.index()] = 0;
                planes[(GHOST + offset) * cells + player.ghost.index()] = 0;
                for (power, turns) in powers(player) {
                    if turns > 0 {
                        planes[power * cells + player.pacman.index()] = 0;
                    }
                }
            }
            for &(cell, object, value) in &self.changes {
                planes[plane_of(object) * cells + cell.index()] = value;
            }
        }
        self.changes.clear();
        self.players.copy_from_slice(view.players());
        self.pieces(planes, cells);
    }

    /// Draws the pieces and their powers onto planes without pieces.
    fn pieces(&self, planes: &mut [u8], cells: usize) {
        for (me, planes) in planes.chunks_exact_mut(PLANES * cells).enumerate() {
            for (index, player) in self.players.iter().enumerate() {
                let offset = if index == me { 0 } else { OTHERS };
                planes[(PACMAN + offset) * cells + player.pacman.index()] = 1;
                planes[(GHOST + offset) * cells + player.ghost.index()] = 1;
                for (power, turns) in powers(player) {
                    if turns > 0 {
                        let shown = &mut planes[power * cells + player.pacman.index()];
                        *shown = turns.max(*shown);
                    }
                }
            }
        }
    }
}

/// The planes of the powers, and the player's turns left of each, at most 255.
fn powers(player: &Player) -> [(usize, u8); 3] {
    let left = |turns: u32| u8::try_from(turns).unwrap_or(u8::MAX);
    let powers = player.powers;
    [
        (POWERS, left(powers.glutton)),
        (POWERS + 1, left(powers.freeze)),
        (POWERS + 2, left(powers.wall_pass)),
    ]
}

fn plane_of(object: Object) -> usize {
    OBJECTS + object as usize - 1
}

/// Sets the mask of the 16 pairs of directions, `4 * pacman + ghost`: 1 if neither is a false move, else 0. For a
/// piece that cannot move at all, every direction is allowed.
pub(crate) fn mask(board: &Board, player: &Player, mask: &mut [i8; 16]) {
    let open = |cell: Cell, through: bool| {
        let exits = board.exits(cell);
        let all = through || exits.is_empty();
        let mut open = [all; 4];
        for exit in exits {
            open[exit.index()] = true;
        }
        open
    };
    let (pacman, ghost) =
        (open(player.pacman, player.powers.wall_pass > 0), open(player.ghost, false));
    for (index, legal) in mask.iter_mut().enumerate() {
        *legal = i8::from(pacman[index / 4] && ghost[index % 4]);
    }
}
