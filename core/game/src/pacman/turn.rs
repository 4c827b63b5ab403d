//! A turn, step by step, as the rule book has it.

use crate::pacman::rules::BATTLE;
use crate::pacman::{
    Cell, Chance, Colour, ColourSet, Direction, Event, FalseMove, Object, Orders, Piece, PieceKind,
    Player, State,
};

/// Points for a false move, except that of a blocked ghost, which depends on the rules.
const PENALTY: i32 = -1;

/// Plays a turn of a game that is not over.
pub(super) fn play<C: Chance, S: FnMut(Event, &State)>(
    state: &mut State,
    orders: &[Orders],
    chance: &mut C,
    sink: &mut S,
) {
    chance.begin_turn(state.view.elapsed + 1);
    let mut colours = Colour::all();
    let play_order = &mut colours[..state.view.players.len()];
    chance.play_order(play_order);

    let (mut pacmans, mut ghosts, mut may_freeze) =
        (CellFilter::default(), CellFilter::default(), false);
    for player in &state.view.players {
        pacmans.insert(player.pacman);
        ghosts.insert(player.ghost);
        may_freeze |= player.powers.freeze > 0;
    }
    let mut turn = Turn { state, chance, sink, pacmans, ghosts, may_freeze };
    for &mut colour in play_order {
        let orders = orders.get(colour.index()).copied().unwrap_or_default();
        turn.play_pacman(colour, orders.pacman);
        turn.say(Event::Done(Piece::pacman(colour)));
        turn.play_ghost(colour, orders.ghost);
        turn.say(Event::Done(Piece::ghost(colour)));
    }
    turn.end();
}

struct Turn<'a, C, S> {
    state: &'a mut State,
    chance: &'a mut C,
    sink: &'a mut S,
    pacmans: CellFilter,
    ghosts: CellFilter,
    /// `true` if any pacman has had the freeze power in this turn.
    may_freeze: bool,
}

/// A superset of the cells on which pieces stand or have stood in this turn, for a quick test that a cell is free: a Bloom filter
/// with one hash function, the index of the cell modulo 64.
#[derive(Clone, Copy, Default)]
struct CellFilter(u64);

impl CellFilter {
    fn insert(&mut self, cell: Cell) {
        self.0 |= 1 << (cell.index() % 64);
    }

    fn may_contain(self, cell: Cell) -> bool {
        self.0 >> (cell.index() % 64) & 1 == 1
    }
}

impl<C: Chance, S: FnMut(Event, &State)> Turn<'_, C, S> {
    fn play_pacman(&mut self, colour: Colour, order: Option<Direction>) {
        let piece = Piece::pacman(colour);
        let Some(direction) = order else {
            return self.false_move(piece, FalseMove::Malformed);
        };
        let Player { pacman: from, powers, .. } = *self.player(colour);
        let board = &self.state.view.board;
        let through_a_wall = || (powers.wall_pass > 0).then(|| board.neighbour(from, direction));
        let Some(to) = board.step(from, direction).or_else(through_a_wall) else {
            return self.false_move(piece, FalseMove::Blocked);
        };
        self.player(colour).pacman = to;
        self.pacmans.insert(to);
        self.say(Event::Moved { piece, from, to });
        if let Some(object) = self.state.take_object(to) {
            self.take(colour, object, to);
        }
        if self.ghosts.may_contain(to) {
            for ghost in self.colours() {
                if self.player(ghost).ghost == to {
                    self.battle(colour, ghost);
                }
            }
        }
    }

    fn play_ghost(&mut self, colour: Colour, order: Option<Direction>) {
        let piece = Piece::ghost(colour);
        if self.state.digesting.contains(colour) {
            return self.say(Event::Digesting(colour));
        }
        let from = self.player(colour).ghost;
        if self.may_freeze && self.state.view.is_frozen(from, &self.state.rules) {
            return self.say(Event::Frozen(colour));
        }
        let Some(direction) = order else {
            return self.false_move(piece, FalseMove::Malformed);
        };
        let Some(to) = self.state.view.board.step(from, direction) else {
            return self.false_move(piece, FalseMove::Blocked);
        };
        self.player(colour).ghost = to;
        self.ghosts.insert(to);
        self.say(Event::Moved { piece, from, to });
        if self.pacmans.may_contain(to) {
            for pacman in self.colours() {
                if self.player(pacman).pacman == to {
                    self.battle(pacman, colour);
                }
            }
        }
    }

    /// Scores and counts a false move, and teleports the piece if the counter requires it.
    fn false_move(&mut self, piece: Piece, cause: FalseMove) {
        let rules = self.state.rules;
        let player = self.player(piece.colour);
        let points = match (piece.kind, cause) {
            (PieceKind::Ghost, FalseMove::Blocked) => rules.blocked_ghost,
            _ => PENALTY,
        };
        player.points = player.points.saturating_add(points);
        let teleports = rules.false_moves.count(&mut player.false_moves);
        self.say(Event::FalseMove { piece, cause });
        if teleports {
            self.teleport(piece, None);
        }
    }

    /// Gives a pacman the object of the cell it has entered: its points, its power, its effect.
    fn take(&mut self, colour: Colour, object: Object, cell: Cell) {
        let player = self.player(colour);
        player.points = player.points.saturating_add(object.points());
        player.powers.gain(object);
        self.may_freeze |= object == Object::Freeze;
        self.say(Event::Took { colour, object, cell });
        if object == Object::Teleporter {
            self.teleport(Piece::pacman(colour), Some(colour));
        }
    }

    /// Moves a piece to an empty cell. The pacman of `lifted` occupies no cell during the draw.
    fn teleport(&mut self, piece: Piece, lifted: Option<Colour>) {
        let to = self.state.draw_cell(lifted, self.chance);
        let player = &mut self.state.view.players[piece.colour.index()];
        let (place, filter) = match piece.kind {
            PieceKind::Pacman => (&mut player.pacman, &mut self.pacmans),
            PieceKind::Ghost => (&mut player.ghost, &mut self.ghosts),
        };
        filter.insert(to);
        let from = std::mem::replace(place, to);
        self.say(Event::Teleported { piece, from, to });
    }

    /// Scores the battle of a pacman and a ghost that meet. No piece moves or disappears.
    fn battle(&mut self, pacman: Colour, ghost: Colour) {
        let bitten = self.player(pacman).powers.glutton == 0;
        let (winner, loser) = if bitten { (ghost, pacman) } else { (pacman, ghost) };
        let winner = self.player(winner);
        winner.points = winner.points.saturating_add(BATTLE);
        let loser = self.player(loser);
        loser.points = loser.points.saturating_sub(BATTLE);
        if bitten {
            self.state.eaten.insert(ghost);
        }
        self.say(Event::Battle { pacman, ghost, bitten });
    }

    /// Counts the turn; then powers fade and perhaps an object appears, unless the game is over.
    fn end(&mut self) {
        self.state.view.elapsed += 1;
        let eaten = std::mem::replace(&mut self.state.eaten, ColourSet::EMPTY);
        self.state.digesting = if self.state.rules.digestion { eaten } else { ColourSet::EMPTY };
        if !self.state.view.is_over() {
            for player in &mut self.state.view.players {
                player.powers.lose_a_turn();
            }
            if let Some(object) = self.chance.appearing() {
                let cell = self.state.draw_cell(None, self.chance);
                self.state.lay_object(cell, object);
                self.say(Event::Appeared { object, cell });
            }
        }
        self.say(Event::TurnEnded);
    }

    /// A player that takes part.
    fn player(&mut self, colour: Colour) -> &mut Player {
        &mut self.state.view.players[colour.index()]
    }

    fn colours(&self) -> impl Iterator<Item = Colour> + use<C, S> {
        Colour::first(self.state.view.players.len())
    }

    fn say(&mut self, event: Event) {
        (self.sink)(event, self.state);
    }
}
