//! The visible part of a game.

use std::sync::Arc;

use crate::pacman::{Board, Cell, Colour, Map, Objects, Player, Rules};

/// The public state of a game: all that the wire shows, except the names.
#[derive(Debug, PartialEq, Eq)]
pub struct View {
    pub(crate) board: Arc<Board>,
    pub(crate) elapsed: u32,
    pub(crate) total: u32,
    pub(crate) objects: Objects,
    pub(crate) players: Vec<Player>,
}

impl View {
    /// A map without players.
    pub(crate) fn new(map: &Map, total: u32) -> Self {
        Self {
            board: Arc::clone(&map.board),
            elapsed: 0,
            total,
            objects: map.objects.clone(),
            players: Vec::new(),
        }
    }

    /// Walls and corridors.
    #[inline]
    pub fn board(&self) -> &Arc<Board> {
        &self.board
    }

    /// Turns played.
    #[inline]
    pub fn elapsed(&self) -> u32 {
        self.elapsed
    }

    /// Turns of the whole game.
    #[inline]
    pub fn total(&self) -> u32 {
        self.total
    }

    /// Tests if all turns are played.
    pub fn is_over(&self) -> bool {
        self.elapsed >= self.total
    }

    /// The objects by cell.
    #[inline]
    pub fn objects(&self) -> &Objects {
        &self.objects
    }

    /// The players, in order of colour.
    #[inline]
    pub fn players(&self) -> &[Player] {
        &self.players
    }

    /// The player of this colour; `None` if it does not take part.
    #[inline]
    pub fn player(&self, colour: Colour) -> Option<&Player> {
        self.players.get(colour.index())
    }

    /// Tests if a ghost on this cell cannot move because a freezing pacman is near.
    pub fn is_frozen(&self, ghost: Cell, rules: &Rules) -> bool {
        let near = |pacman| self.board.dims().chebyshev(pacman, ghost) <= rules.freeze_range;
        self.players.iter().any(|player| player.powers.freeze > 0 && near(player.pacman))
    }

    /// The players by points, best first, each with its rank from 1; equal points share a rank and
    /// stand in order of colour.
    pub fn ranking(&self) -> Vec<(usize, Colour, Player)> {
        let mut ranked: Vec<_> = Colour::first(self.players.len())
            .map(|colour| {
                let player = self.players[colour.index()];
                let better = self.players.iter().filter(|other| other.points > player.points);
                (better.count() + 1, colour, player)
            })
            .collect();
        ranked.sort_by_key(|&(rank, colour, _)| (rank, colour));
        ranked
    }
}

impl Clone for View {
    fn clone(&self) -> Self {
        Self {
            board: Arc::clone(&self.board),
            objects: self.objects.clone(),
            players: self.players.clone(),
            ..*self
        }
    }

    /// Copies without allocating when both are views of one game.
    fn clone_from(&mut self, other: &Self) {
        if !Arc::ptr_eq(&self.board, &other.board) {
            self.board = Arc::clone(&other.board);
        }
        self.elapsed = other.elapsed;
        self.total = other.total;
        self.objects.clone_from(&other.objects);
        self.players.clone_from(&other.players);
    }
}
