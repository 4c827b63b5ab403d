//! Events between two states that a spectator has seen.

use game::pacman::rules::BATTLE;
use game::pacman::{Cell, Colour, Direction, Object, Piece, Player, View};

use super::turns_left;

/// One thing that happened, as far as two successive states tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happening {
    /// A pacman took an object.
    Took {
        /// Owner of the pacman.
        colour: Colour,
        /// The object that it took.
        object: Object,
    },
    /// A pacman and a ghost met; the winner took 20 points from the other.
    Battle {
        /// Owner of the pacman.
        pacman: Colour,
        /// Owner of the ghost.
        ghost: Colour,
        /// `true` if the ghost ate the pacman; else the glutton ate the ghost.
        bitten: bool,
    },
    /// A player's order was malformed or led into a wall.
    FalseMove(Colour),
    /// A teleporter or a false move carried a piece elsewhere.
    Teleported(Piece),
    /// An object appeared.
    Appeared(Object),
    /// A power of a pacman is over.
    PowerEnded {
        /// Whose pacman.
        colour: Colour,
        /// The object that gave the power.
        power: Object,
    },
    /// Points changed more than what is known to have happened tells: battles that were not seen.
    Points {
        /// The player.
        colour: Colour,
        /// The unexplained change, in points.
        change: i32,
    },
}

impl Happening {
    /// Events between two states of one game, in the order of the rules.
    ///
    /// A server shows its spectators a state after each move and one at the end of each turn; what
    /// happened is then known exactly, but that a teleport may end where it began. When states are
    /// missing in between, it is what can be told all the same.
    pub fn between(before: &View, after: &View) -> Vec<Self> {
        let change = Change { before, after };
        let exact = match after.elapsed().checked_sub(before.elapsed()) {
            Some(0) => change.move_of_a_piece(),
            Some(1) => change.end_of_a_turn(),
            _ => None,
        };
        exact.unwrap_or_else(|| change.roughly())
    }
}

/// Two states of one game.
#[derive(Clone, Copy)]
struct Change<'a> {
    before: &'a View,
    after: &'a View,
}

/// An explanation of a move, and its effect on the points of each player.
#[derive(Default)]
struct Story {
    happenings: Vec<Happening>,
    points: [i32; Colour::MAX],
}

impl Change<'_> {
    /// Events if one piece has moved, or none.
    fn move_of_a_piece(self) -> Option<Vec<Happening>> {
        let objects = self.objects();
        if objects.iter().any(|change| change.2.is_some()) {
            return None;
        }
        let gone = match objects[..] {
            [] => None,
            [(cell, Some(object), _)] => Some((cell, object)),
            _ => return None,
        };
        let moved: Vec<_> = self.moved().collect();
        let erring: Vec<_> = self.erring().collect();
        match (&moved[..], &erring[..], gone) {
            ([], [], None) => self.check(Story::default()),
            (&[], &[colour], None) => self.false_move(colour, None),
            (&[piece], &[colour], None) if piece.colour == colour => {
                self.false_move(colour, Some(piece))
            }
            (&[piece], [], None) if piece == Piece::ghost(piece.colour) => {
                self.check(self.walk_of_a_ghost(piece.colour)?)
            }
            (&[Piece { colour, .. }], [], None) => {
                let arrival = self.after.player(colour)?.pacman;
                self.check(self.walk_of_a_pacman(colour, arrival, None)?)
            }
            (&[piece], [], Some((cell, object))) if piece == Piece::pacman(piece.colour) => {
                self.check(self.walk_of_a_pacman(piece.colour, cell, Some(object))?)
            }
            // A teleporter may carry a pacman back to where it came from.
            ([], [], Some((cell, object @ Object::Teleporter))) => self
                .colours()
                .filter_map(|colour| self.walk_of_a_pacman(colour, cell, Some(object)))
                .find_map(|story| self.check(story)),
            _ => None,
        }
    }

    fn false_move(self, colour: Colour, teleported: Option<Piece>) -> Option<Vec<Happening>> {
        // A point is lost, or won by a ghost ordered into a wall under the rules of 2024.
        [-1, 1].into_iter().find_map(|points| {
            let mut story = Story::default();
            story.happenings.push(Happening::FalseMove(colour));
            story.happenings.extend(teleported.map(Happening::Teleported));
            story.points[colour.index()] = points;
            self.check(story)
        })
    }

    /// A pacman's step to a cell that may hold an object.
    fn walk_of_a_pacman(
        self,
        colour: Colour,
        arrival: Cell,
        object: Option<Object>,
    ) -> Option<Story> {
        let (before, after) = self.player(colour)?;
        let stays = object != Some(Object::Teleporter);
        if !self.is_step(before.pacman, arrival) || (stays && after.pacman != arrival) {
            return None;
        }
        let mut story = Story::default();
        if let Some(object) = object {
            story.happenings.push(Happening::Took { colour, object });
            story.points[colour.index()] += object.points();
            if object == Object::Teleporter {
                story.happenings.push(Happening::Teleported(Piece::pacman(colour)));
            }
        }
        for ghost in self.colours() {
            if self.before.player(ghost)?.ghost == arrival {
                story.battle(colour, ghost, after.powers.glutton == 0);
            }
        }
        Some(story)
    }

    fn walk_of_a_ghost(self, colour: Colour) -> Option<Story> {
        let (before, after) = self.player(colour)?;
        if !self.is_step(before.ghost, after.ghost) {
            return None;
        }
        let mut story = Story::default();
        for pacman in self.colours() {
            let met = self.after.player(pacman)?;
            if met.pacman == after.ghost {
                story.battle(pacman, colour, met.powers.glutton == 0);
            }
        }
        Some(story)
    }

    /// Events if a turn has ended: powers fade, an object may appear.
    fn end_of_a_turn(self) -> Option<Vec<Happening>> {
        if self.moved().next().is_some() || self.erring().next().is_some() {
            return None;
        }
        let mut story = Story::default();
        story.happenings.extend(self.powers_ended());
        match self.objects()[..] {
            [] => {}
            [(_, None | Some(Object::Vitamin), Some(object))] => {
                story.happenings.push(Happening::Appeared(object));
            }
            _ => return None,
        }
        self.check(story)
    }

    /// Events of a story, if the points of all players agree with it.
    fn check(self, story: Story) -> Option<Vec<Happening>> {
        let agrees = |colour: Colour| self.points(colour) == story.points[colour.index()];
        self.colours().all(agrees).then_some(story.happenings)
    }

    /// Events that can be told when states are missing in between.
    fn roughly(self) -> Vec<Happening> {
        let mut happenings = Vec::new();
        let mut rest = [0; Colour::MAX];
        for colour in self.colours() {
            rest[colour.index()] = self.points(colour);
        }
        let objects = self.objects();
        for &(cell, before, _) in &objects {
            let Some(object) = before else { continue };
            let mut takers = self.colours().filter(|&colour| {
                self.player(colour).is_some_and(|(before, after)| {
                    before.pacman != after.pacman && after.pacman == cell
                })
            });
            // The taker is known when just one pacman has come there.
            if let (Some(colour), None) = (takers.next(), takers.next()) {
                happenings.push(Happening::Took { colour, object });
                rest[colour.index()] -= object.points();
            }
        }
        happenings.extend(self.erring().map(Happening::FalseMove));
        // A piece makes at most one step a turn.
        let turns = self.after.elapsed().saturating_sub(self.before.elapsed()) + 1;
        happenings
            .extend(self.moved().filter(|&p| self.leaps(p, turns)).map(Happening::Teleported));
        for colour in self.colours() {
            let change = rest[colour.index()];
            if change.abs() >= BATTLE / 2 {
                happenings.push(Happening::Points { colour, change });
            }
        }
        happenings.extend(self.powers_ended());
        let appeared = objects.iter().filter_map(|change| change.2);
        happenings.extend(appeared.map(Happening::Appeared));
        happenings
    }

    /// The pieces that stand elsewhere now.
    fn moved(self) -> impl Iterator<Item = Piece> {
        self.colours().flat_map(move |colour| {
            let (before, after) = self.player(colour).unwrap_or_default();
            let pacman = (before.pacman != after.pacman).then(|| Piece::pacman(colour));
            let ghost = (before.ghost != after.ghost).then(|| Piece::ghost(colour));
            pacman.into_iter().chain(ghost)
        })
    }

    /// The players whose counter of false moves has changed; a false move always changes it.
    fn erring(self) -> impl Iterator<Item = Colour> {
        self.colours().filter(move |&colour| {
            let (before, after) = self.player(colour).unwrap_or_default();
            before.false_moves != after.false_moves
        })
    }

    fn powers_ended(self) -> impl Iterator<Item = Happening> {
        self.colours().flat_map(move |colour| {
            let (before, after) = self.player(colour).unwrap_or_default();
            let powers = turns_left(before.powers).into_iter().zip(turns_left(after.powers));
            powers
                .filter(|((_, before), (_, after))| *before > 0 && *after == 0)
                .map(move |((power, _), _)| Happening::PowerEnded { colour, power })
        })
    }

    /// The cells whose object is another one now, with both.
    fn objects(self) -> Vec<(Cell, Option<Object>, Option<Object>)> {
        let (before, after) = (self.before.objects(), self.after.objects());
        if before == after {
            return Vec::new();
        }
        let dims = self.after.board().dims();
        let both = dims.cells().map(|cell| (cell, before.get(cell), after.get(cell)));
        both.filter(|(_, before, after)| before != after).collect()
    }

    fn is_step(self, from: Cell, to: Cell) -> bool {
        let board = self.after.board();
        Direction::ALL.into_iter().any(|direction| board.neighbour(from, direction) == to)
    }

    /// Tests if a piece stands farther away than it can have walked.
    fn leaps(self, piece: Piece, turns: u32) -> bool {
        let dims = self.after.board().dims();
        let (before, after) = self.player(piece.colour).unwrap_or_default();
        let (from, to) = if piece == Piece::pacman(piece.colour) {
            (before.pacman, after.pacman)
        } else {
            (before.ghost, after.ghost)
        };
        u32::from(dims.chebyshev(from, to)) > turns
    }

    fn points(self, colour: Colour) -> i32 {
        let (before, after) = self.player(colour).unwrap_or_default();
        after.points.saturating_sub(before.points)
    }

    fn player(self, colour: Colour) -> Option<(Player, Player)> {
        Some((*self.before.player(colour)?, *self.after.player(colour)?))
    }

    fn colours(self) -> impl Iterator<Item = Colour> {
        Colour::first(self.after.players().len())
    }
}

impl Story {
    fn battle(&mut self, pacman: Colour, ghost: Colour, bitten: bool) {
        let (winner, loser) = if bitten { (ghost, pacman) } else { (pacman, ghost) };
        self.points[winner.index()] += BATTLE;
        self.points[loser.index()] -= BATTLE;
        self.happenings.push(Happening::Battle { pacman, ghost, bitten });
    }
}
