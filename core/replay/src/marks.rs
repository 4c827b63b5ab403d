//! A byte for each part of a state, to find the part that differs.

use game::{pacman, pyrat};
use language::Phrase;

/// A byte of hash for each part of a state after a turn. A changed part has the same byte by chance one time
/// in 256, and then most likely another byte a turn later.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks(pub(crate) [u8; 4]);

/// The parts of a state of Pacman, in the order of its marks.
pub(crate) const PACMAN: [Phrase; 4] = [
    Phrase::new("pieces", "pièces"),
    Phrase::new("points", "points"),
    Phrase::new("powers", "pouvoirs"),
    Phrase::new("objects", "objets"),
];
/// The parts of a state of PyRat.
pub(crate) const PYRAT: [Phrase; 4] = [
    Phrase::new("rats", "rats"),
    Phrase::new("scores", "scores"),
    Phrase::new("cheese", "fromages"),
    Phrase::new("answers missed", "réponses manquées"),
];

impl Marks {
    /// The marks of a state of Pacman.
    #[must_use]
    pub fn of_pacman(state: &pacman::State) -> Self {
        let view = state.view();
        let players = || view.players().iter();
        let pieces = players().flat_map(|p| [p.pacman.index() as u64, p.ghost.index() as u64]);
        let points = players().flat_map(|p| [p.points, p.false_moves]);
        let powers = players().map(|player| player.powers);
        let powers = powers.flat_map(|powers| [powers.glutton, powers.freeze, powers.wall_pass]);
        let objects = view.objects().iter();
        Self([
            mark(pieces),
            mark(points.map(|points| u64::from(points.cast_unsigned()))),
            mark(powers.map(u64::from)),
            mark(objects.flat_map(|(cell, object)| [cell.index() as u64, object as u64])),
        ])
    }

    /// The marks of a state of PyRat.
    #[must_use]
    pub fn of_pyrat(state: &pyrat::State) -> Self {
        let rats = || state.rats().iter();
        let places = rats().flat_map(|rat| {
            let mud = rat.mud.map_or(0, |mud| u64::from(mud.left));
            [rat.cell.index() as u64, mud]
        });
        Self([
            mark(places),
            mark(rats().map(|rat| rat.score.as_f64().to_bits())),
            mark(state.cheese().iter().map(|cell| cell.index() as u64)),
            mark(rats().map(|rat| rat.counts.missed.into())),
        ])
    }

    /// The index of the first part that differs.
    pub(crate) fn first_difference(self, other: Self) -> Option<usize> {
        (0..4).find(|&part| self.0[part] != other.0[part])
    }
}

/// The highest byte of a multiplicative hash (Fibonacci hashing, Knuth 6.4).
fn mark(values: impl Iterator<Item = u64>) -> u8 {
    let mix =
        |hash: u64, value: u64| (hash.rotate_left(23) ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (values.fold(0, mix) >> 56) as u8
}
