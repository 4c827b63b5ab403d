//! The state of a game.

use arrayvec::ArrayVec;
use graph::CellSet;

use crate::pacman::{
    Candidates, Cell, Chance, Colour, ColourSet, Event, Map, Object, Orders, Player, Rules, View,
};

/// Everything there is to know of a game at the end of a turn: what is seen, which rules hold, and
/// which ghosts digest.
///
/// [`clone_from`](Clone::clone_from) copies it without allocating, for searches that look ahead.
#[derive(Debug, PartialEq, Eq)]
pub struct State {
    pub(super) view: View,
    pub(super) rules: Rules,
    /// The ghosts that stay still in the next turn.
    pub(super) digesting: ColourSet,
    /// The ghosts that have eaten in the turn that is being played.
    pub(super) eaten: ColourSet,
    /// The corridors with no object or a vitamin, whoever stands there.
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

    /// The game that is seen, to look ahead in it.
    ///
    /// What the wire does not show must be told: the ghosts that digest, under rules with
    /// digestion.
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

    /// What the players see.
    #[must_use]
    pub fn view(&self) -> &View {
        &self.view
    }

    /// The rules that hold.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The ghosts that stay still in the next turn because they have eaten in the last one.
    #[must_use]
    pub fn digesting(&self) -> ColourSet {
        self.digesting
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

    /// Draws an empty cell, for which `lifted` is the owner of a pacman that stands nowhere.
    pub(super) fn draw_cell(&mut self, lifted: Option<Colour>, chance: &mut impl Chance) -> Cell {
        let mut occupied = ArrayVec::<Cell, { 2 * Colour::MAX }>::new();
        for (index, player) in self.view.players.iter().enumerate() {
            if lifted.is_none_or(|colour| colour.index() != index) {
                occupied.push(player.pacman);
            }
            occupied.push(player.ghost);
        }
        let mut hidden = ArrayVec::<Cell, { 2 * Colour::MAX }>::new();
        hidden.extend(occupied.iter().copied().filter(|&cell| self.empty.remove(cell)));
        let cell = chance.cell(&Candidates::new(&self.view.board, &self.empty, &occupied));
        for cell in hidden {
            self.empty.insert(cell);
        }
        cell
    }

    /// Takes the object of a cell away.
    pub(super) fn take_object(&mut self, cell: Cell) -> Option<Object> {
        let object = self.view.objects.take(cell);
        if object.is_some() && !self.view.board.is_wall(cell) {
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
        Self {
            view: self.view.clone(),
            rules: self.rules,
            digesting: self.digesting,
            eaten: self.eaten,
            empty: self.empty.clone(),
        }
    }

    fn clone_from(&mut self, other: &Self) {
        self.view.clone_from(&other.view);
        self.rules = other.rules;
        self.digesting = other.digesting;
        self.eaten = other.eaten;
        self.empty.clone_from(&other.empty);
    }
}
