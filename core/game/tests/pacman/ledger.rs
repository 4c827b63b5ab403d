//! The books of a game, kept by its events alone.

use game::pacman::{
    Cell, Event, FalseMove, Object, Piece, PieceKind, Player, Powers, Rules, State, View,
};

/// Players and objects according to the events alone, compared with the state after each event.
pub(crate) struct Ledger {
    rules: Rules,
    players: Vec<Player>,
    /// By cell, in row-major order.
    objects: Vec<Option<Object>>,
    elapsed: u32,
    /// The piece that has begun its part of the turn.
    acting: Option<Piece>,
    /// A false move that must be followed by a teleport of its piece.
    teleports: Option<Piece>,
    /// The pieces that have played their part of the turn.
    done: Vec<Piece>,
    faded: bool,
}

impl Ledger {
    pub(crate) fn open(state: &State) -> Self {
        Self {
            rules: *state.rules(),
            players: state.view().players().to_vec(),
            objects: objects(state.view()),
            elapsed: state.view().elapsed(),
            acting: None,
            teleports: None,
            done: Vec::new(),
            faded: false,
        }
    }

    /// Books an event; `state` is the state after it.
    pub(crate) fn enter(&mut self, event: Event, state: &State) {
        let due = self.teleports.take();
        if let Some(piece) = due {
            let teleported =
                matches!(event, Event::Teleported { piece: other, .. } if other == piece);
            assert!(teleported, "{piece:?} is not teleported but {event:?}");
        }
        match event {
            Event::FalseMove { piece, cause } => {
                self.begin(piece);
                let earns = piece.kind == PieceKind::Ghost
                    && cause == FalseMove::Blocked
                    && self.rules == Rules::ORLEANS_2024;
                self.player(piece).points += if earns { 1 } else { -1 };
                let orleans = self.rules == Rules::ORLEANS_2024;
                let counter = &mut self.player(piece).false_moves;
                let (shown, teleports) = match (orleans, *counter) {
                    (false, 3) => (0, true),
                    (false, made) => (made + 1, false),
                    (true, 0 | 1) => (4, true),
                    (true, left) => (left - 1, false),
                };
                *counter = shown;
                self.teleports = teleports.then_some(piece);
            }
            Event::Moved { piece, from, to } => {
                self.begin(piece);
                let dims = state.view().board().dims();
                assert_eq!(dims.chebyshev(from, to), 1, "{event:?} is a step");
                assert_eq!(std::mem::replace(self.place(piece), to), from, "{event:?}");
            }
            Event::Teleported { piece, from, to } => {
                assert_eq!(self.acting, Some(piece), "{event:?}");
                assert_eq!(std::mem::replace(self.place(piece), to), from, "{event:?}");
            }
            Event::Took { colour, object, cell } => {
                let piece = Piece::pacman(colour);
                assert_eq!(self.acting, Some(piece), "{event:?}");
                assert_eq!(*self.place(piece), cell, "{event:?}");
                assert_eq!(self.objects[cell.index()].take(), Some(object), "{event:?}");
                let (points, gained) = worth(object);
                let player = self.player(piece);
                player.points += points;
                player.powers.glutton += gained.glutton;
                player.powers.freeze += gained.freeze;
                player.powers.wall_pass += gained.wall_pass;
            }
            Event::Battle { pacman, ghost, bitten } => {
                let (pacman, ghost) = (Piece::pacman(pacman), Piece::ghost(ghost));
                assert!([Some(pacman), Some(ghost)].contains(&self.acting), "{event:?}");
                assert_eq!(bitten, self.player(pacman).powers.glutton == 0, "{event:?}");
                let won = if bitten { -20 } else { 20 };
                self.player(pacman).points += won;
                self.player(ghost).points -= won;
            }
            Event::Frozen(colour) | Event::Digesting(colour) => self.begin(Piece::ghost(colour)),
            Event::Done(piece) => {
                assert_eq!(self.acting.take(), Some(piece), "{event:?}");
                self.done.push(piece);
            }
            Event::Appeared { object, cell } => {
                self.fade(state);
                self.objects[cell.index()] = Some(object);
            }
            Event::TurnEnded => {
                self.fade(state);
                self.end_turn(state);
            }
        }
        assert_eq!(self.players, state.view().players(), "after {event:?}");
    }

    /// A piece begins its part of the turn, once.
    fn begin(&mut self, piece: Piece) {
        assert_eq!(self.acting.replace(piece), None, "{piece:?} begins");
        assert!(!self.done.contains(&piece), "{piece:?} begins");
    }

    /// The powers lose a turn after all pieces have played, but not when the game is over.
    fn fade(&mut self, state: &State) {
        if !self.faded && !state.view().is_over() {
            for Player { powers, .. } in &mut self.players {
                powers.glutton -= u32::from(powers.glutton > 0);
                powers.freeze -= u32::from(powers.freeze > 0);
                powers.wall_pass -= u32::from(powers.wall_pass > 0);
            }
        }
        self.faded = true;
    }

    fn end_turn(&mut self, state: &State) {
        self.elapsed += 1;
        assert_eq!(state.view().elapsed(), self.elapsed);
        assert_eq!(objects(state.view()), self.objects);
        assert_eq!(self.done.len(), 2 * self.players.len());
        for pair in self.done.chunks(2) {
            let colour = pair[0].colour;
            assert_eq!(pair, [Piece::pacman(colour), Piece::ghost(colour)]);
        }
        self.done.clear();
        self.faded = false;
    }

    fn player(&mut self, piece: Piece) -> &mut Player {
        &mut self.players[piece.colour.index()]
    }

    fn place(&mut self, piece: Piece) -> &mut Cell {
        match piece.kind {
            PieceKind::Pacman => &mut self.player(piece).pacman,
            PieceKind::Ghost => &mut self.player(piece).ghost,
        }
    }
}

/// Points and turns of power that an object gives.
pub(crate) fn worth(object: Object) -> (i32, Powers) {
    let none = Powers::default();
    match object {
        Object::Vitamin => (3, none),
        Object::Glutton => (50, Powers { glutton: 20, ..none }),
        Object::Freeze => (50, Powers { freeze: 10, ..none }),
        Object::WallPass => (50, Powers { wall_pass: 20, ..none }),
        Object::Cherry => (100, none),
        Object::Teleporter => (50, none),
    }
}

fn objects(view: &View) -> Vec<Option<Object>> {
    view.board().dims().cells().map(|cell| view.objects().get(cell)).collect()
}
