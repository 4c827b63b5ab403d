//! A game between the bot to be checked and house bots on the other seats.

use bots::glouton::Glouton;
use bots::{Bot, Situation};
use game::pacman::{
    Cell, Chance, Colour, Direction, Event, FalseMove, Object, Orders, Piece, PieceKind, Seeded,
    State, StateText, View,
};
use protocol::ServerMessage;

use super::case::GameMoment;

/// Index of the pacman in a pair of values for both pieces.
pub(super) const PACMAN: usize = 0;
/// Index of the ghost in such a pair.
pub(super) const GHOST: usize = 1;

/// A game, and the events of its last turn that concern the bot.
pub(super) struct Game {
    me: Colour,
    state: State,
    text: StateText,
    others: Vec<(Colour, Glouton)>,
    chance: Seeded,
    last: OwnTurn,
}

/// The events of a turn that concern one player.
#[derive(Clone, Debug, Default)]
pub(super) struct OwnTurn {
    /// `true` for its pacman, and for its ghost, if a wall blocked the move.
    pub(super) blocked: [bool; 2],
    /// The object that its pacman took, if any.
    pub(super) took: Option<Object>,
    /// Other events.
    moments: Vec<GameMoment>,
}

impl Game {
    /// Creates a game that starts in this state, with the names of the players in order of colour.
    pub(super) fn new(state: State, me: Colour, names: Vec<String>) -> Self {
        let others = Colour::first(state.view().players().len()).filter(|&colour| colour != me);
        let mut others: Vec<_> = others.map(|colour| (colour, Glouton::default())).collect();
        for (colour, bot) in &mut others {
            bot.new_game(&Situation::new(state.view(), *colour, state.rules()));
        }
        let text = StateText::new(names);
        Self { me, state, text, others, chance: Seeded::new(1), last: OwnTurn::default() }
    }

    /// The part of the state that every player sees.
    pub(super) fn view(&self) -> &View {
        self.state.view()
    }

    /// The number of the turn that the order to the current state belongs to, from 1.
    pub(super) fn turn(&self) -> u32 {
        (self.view().elapsed() + 1).min(self.view().total())
    }

    /// The colour of the bot.
    pub(super) fn me(&self) -> Colour {
        self.me
    }

    /// The message with the current state, without its NUL.
    pub(super) fn message(&mut self) -> Vec<u8> {
        let state = self.text.write(self.state.view());
        let mut message = Vec::new();
        ServerMessage::State { id: self.me.as_str(), state }.encode(&mut message);
        message
    }

    pub(super) fn advance(&mut self, own: Orders) -> &OwnTurn {
        let Self { me, state, others, chance, last, .. } = self;
        let mut orders = vec![own; state.view().players().len()];
        for (colour, bot) in others {
            let situation = Situation::new(state.view(), *colour, state.rules());
            orders[colour.index()] = bot.play(&situation);
        }
        chance.begin_turn(state.view().elapsed() + 1);
        *last = OwnTurn::default();
        state.play_turn(&orders, chance, |event, _| last.note(event, *me));
        &self.last
    }

    /// Special circumstances in the current state.
    pub(super) fn moments(&self) -> Vec<GameMoment> {
        let view = self.view();
        let Some(own) = view.player(self.me) else { return Vec::new() };
        let mut moments = Vec::new();
        if view.is_over() {
            moments.push(GameMoment::Final);
        }
        if view.board().is_wall(own.pacman) {
            moments.push(GameMoment::InWall(own.powers.wall_pass));
        }
        let OwnTurn { took, moments: last, .. } = &self.last;
        // Vitamins are taken too often to be special.
        if let Some(object) = took.filter(|object| *object != Object::Vitamin) {
            moments.push(GameMoment::Took(object.letter()));
        }
        moments.extend(last);
        if own.points < 0 {
            moments.push(GameMoment::Negative);
        }
        moments
    }

    pub(super) fn places(&self, colour: Colour) -> Option<Places> {
        let player = self.view().player(colour)?;
        let passes = player.powers.wall_pass > 0;
        Some(Places { cells: [player.pacman, player.ghost], passes })
    }

    /// For the pacman and the ghost at these positions: `true` if its order moves it, `false` if the order leads into a
    /// wall.
    pub(super) fn ways(&self, Places { cells, passes }: Places, orders: Orders) -> [bool; 2] {
        let board = self.view().board();
        let is_open = |from: Cell, order: Option<Direction>| {
            order.is_some_and(|direction| !board.is_wall(board.neighbour(from, direction)))
        };
        let passes = passes && orders.pacman.is_some();
        [passes || is_open(cells[PACMAN], orders.pacman), is_open(cells[GHOST], orders.ghost)]
    }

    /// For the pacman and the ghost of a player: `true` if its order moves it, `false` if the order leads into a wall.
    pub(super) fn is_way(&self, colour: Colour, orders: Orders) -> [bool; 2] {
        self.places(colour).map_or([false; 2], |places| self.ways(places, orders))
    }
}

/// Positions of the pieces of a player.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places {
    /// The cells of its pacman and of its ghost.
    pub(super) cells: [Cell; 2],
    /// The pacman has the wall-pass.
    passes: bool,
}

impl OwnTurn {
    fn note(&mut self, event: Event, me: Colour) {
        let moment = match event {
            Event::FalseMove { piece: Piece { colour, kind }, cause: FalseMove::Blocked }
                if colour == me =>
            {
                self.blocked[if kind == PieceKind::Ghost { GHOST } else { PACMAN }] = true;
                return;
            }
            Event::Took { colour, object, .. } if colour == me => {
                self.took = Some(object);
                return;
            }
            Event::Teleported { piece, .. } if piece.colour == me => GameMoment::Teleported,
            Event::Battle { pacman, ghost, .. } if pacman == ghost => return,
            Event::Battle { pacman, ghost, bitten } if pacman == me || ghost == me => {
                if (ghost == me) == bitten { GameMoment::Won } else { GameMoment::Lost }
            }
            Event::Frozen(colour) | Event::Digesting(colour) if colour == me => GameMoment::Frozen,
            _ => return,
        };
        if !self.moments.contains(&moment) {
            self.moments.push(moment);
        }
    }
}
