//! The state of a game.

use arrayvec::ArrayVec;
use graph::CellSet;

use crate::pacman::{
    Candidates, Cell, Chance, Colour, ColourSet, Direction, Event, Map, Object, Orders, Piece,
    PieceKind, Player, Rules, Seeded, View, zobrist,
};

/// Complete state of a game at the end of a turn: the view, the rules, and the digesting ghosts.
///
/// [`clone_from`](Clone::clone_from) copies a state without allocating, for look-ahead searches.
///
/// ```
/// use game::pacman::{Colour, Map, Orders, Piece, Quick, Rules, State};
///
/// let map: Map = "3;6\n#    #\n  &.  \n#    #\n".parse()?;
/// let mut chance = Quick::new(7);
/// let mut state = State::start(&map, Rules::SUJET, 20, 2, &mut chance);
/// let start = state.clone();
/// while !state.view().is_over() {
///     // Each pacman takes its first legal move; the ghosts stay.
///     let first = |colour| state.moves(Piece::pacman(colour)).first().copied();
///     let orders: Vec<_> =
///         Colour::first(2).map(|colour| Orders { pacman: first(colour), ghost: None }).collect();
///     state.play_turn(&orders, &mut chance, |_, _| {});
/// }
/// assert_eq!(state.view().elapsed(), 20);
/// assert_ne!(state.zobrist(), start.zobrist());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, PartialEq, Eq)]
pub struct State {
    pub(super) view: View,
    pub(super) rules: Rules,
    /// The ghosts that stay still in the next turn.
    pub(super) digesting: ColourSet,
    /// The ghosts that have eaten in the turn that is being played.
    pub(super) eaten: ColourSet,
    /// The corridors with no object or a vitamin, with or without pieces.
    pub(super) empty: CellSet,
}

impl State {
    /// A game of `total` turns that starts on `map` with pieces on cells that chance draws.
    ///
    /// At most [`Colour::MAX`] players take part.
    #[must_use]
    pub fn start(
        map: &Map,
        rules: Rules,
        total: u32,
        players: usize,
        chance: &mut impl Chance,
    ) -> Self {
        let mut state = Self::from_view(View::new(map, total), rules, ColourSet::EMPTY);
        chance.begin_turn(0);
        for colour in Colour::first(players) {
            let pacman = state.draw_cell(None, chance);
            state.view.players.push(Player { pacman, ghost: pacman, ..Player::default() });
            state.view.players[colour.index()].ghost = state.draw_cell(None, chance);
        }
        state
    }

    /// The state of a game with this view, for look-ahead.
    ///
    /// The view does not show which ghosts are `digesting`, under rules with digestion.
    #[must_use]
    pub fn from_view(view: View, rules: Rules, digesting: ColourSet) -> Self {
        let mut empty = CellSet::new(view.board.dims());
        for cell in view.board.corridors() {
            if matches!(view.objects.get(cell), None | Some(Object::Vitamin)) {
                empty.insert(cell);
            }
        }
        Self { view, rules, digesting, eaten: ColourSet::EMPTY, empty }
    }

    /// The visible part of the state.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// The rules of the game.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The ghosts that stay still in the next turn because they have eaten in the last one.
    pub fn digesting(&self) -> ColourSet {
        self.digesting
    }

    /// The legal moves of a piece: the directions in which it can walk in the next turn, clockwise from north.
    ///
    /// Empty for a ghost that digests or is frozen, and for a player who does not exist. Players who move earlier in the turn may
    /// change the legal moves.
    pub fn moves(&self, piece: Piece) -> &'static [Direction] {
        let Some(player) = self.view.player(piece.colour) else { return &[] };
        match piece.kind {
            PieceKind::Pacman => player.powers.exits(&self.view.board, player.pacman),
            PieceKind::Ghost if self.digesting.contains(piece.colour) => &[],
            PieceKind::Ghost if self.view.is_frozen(player.ghost, &self.rules) => &[],
            PieceKind::Ghost => self.view.board.exits(player.ghost),
        }
    }

    /// Zobrist hash of the position, which is all that affects later turns: the turn, the objects, the pieces, their powers, the
    /// counters of false moves, and the digesting ghosts; not the points. Leaves out the rules and the board.
    ///
    /// Equal positions of a game have equal hashes, different ones almost certainly different hashes. O(players).
    pub fn zobrist(&self) -> u64 {
        // Smaller numbers are those of objects.
        let mut thing = Object::ALL.len() as u32;
        let mut next = |value| {
            thing += 1;
            zobrist::key(thing, value)
        };
        let mut hash =
            self.view.objects.zobrist() ^ next(self.view.elapsed) ^ next(self.view.total);
        for (colour, player) in Colour::first(Colour::MAX).zip(&self.view.players) {
            let Player { false_moves, pacman, ghost, powers, .. } = *player;
            // A board has far fewer than 2³² cells.
            hash ^= next(pacman.index() as u32) ^ next(ghost.index() as u32);
            hash ^= next(powers.glutton) ^ next(powers.freeze) ^ next(powers.wall_pass);
            hash ^= next(false_moves.cast_unsigned());
            hash ^= next(u32::from(self.digesting.contains(colour)));
        }
        hash
    }

    /// Plays a turn: for each player, in the order that chance draws, first its pacman and then its
    /// ghost; then the end of the turn. `orders` come in order of colour, and a missing one counts
    /// as malformed. Every event is handed to `sink` as it happens, with the state at that moment.
    ///
    /// A game that is over stays as it is. Allocates nothing.
    pub fn play_turn(
        &mut self,
        orders: &[Orders],
        chance: &mut impl Chance,
        mut sink: impl FnMut(Event, &Self),
    ) {
        if !self.view.is_over() {
            super::turn::play(self, orders, chance, &mut sink);
        }
    }

    /// [`play_turn`](Self::play_turn) for callers that need its speed less than a small program: it is compiled once.
    pub fn play_recorded(
        &mut self,
        orders: &[Orders],
        chance: &mut Seeded,
        sink: &mut dyn FnMut(Event, &Self),
    ) {
        self.play_turn(orders, chance, sink);
    }

    /// Draws an empty cell. The pacman of `lifted` occupies no cell during the draw.
    pub(super) fn draw_cell(&mut self, lifted: Option<Colour>, chance: &mut impl Chance) -> Cell {
        let Self { view, empty, .. } = self;
        let mut occupied = ArrayVec::<Cell, { 2 * Colour::MAX }>::new();
        let mut hidden = ArrayVec::<Cell, { 2 * Colour::MAX }>::new();
        let lifted = lifted.map(Colour::index);
        for (index, player) in view.players.iter().enumerate() {
            let pacman = if lifted == Some(index) { player.ghost } else { player.pacman };
            for cell in [pacman, player.ghost] {
                occupied.push(cell);
                if empty.remove(cell) {
                    hidden.push(cell);
                }
            }
        }
        let cell = chance.cell(&Candidates::new(&view.board, empty, &occupied));
        for cell in hidden {
            empty.insert(cell);
        }
        cell
    }

    pub(super) fn take_object(&mut self, cell: Cell) -> Option<Object> {
        let object = self.view.objects.take(cell);
        // The cell of a vitamin is empty already, and no object lies on a wall.
        if object.is_some_and(|object| object != Object::Vitamin) {
            self.empty.insert(cell);
        }
        object
    }

    /// Lays an object that is not a vitamin on a cell.
    pub(super) fn lay_object(&mut self, cell: Cell, object: Object) {
        self.view.objects.set(cell, Some(object));
        self.empty.remove(cell);
    }
}

impl Clone for State {
    fn clone(&self) -> Self {
        Self { view: self.view.clone(), empty: self.empty.clone(), ..*self }
    }

    fn clone_from(&mut self, other: &Self) {
        self.view.clone_from(&other.view);
        self.rules = other.rules;
        self.digesting = other.digesting;
        self.eaten = other.eaten;
        self.empty.clone_from(&other.empty);
    }
}
