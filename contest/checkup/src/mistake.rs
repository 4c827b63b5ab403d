//! Guesses the mistake behind orders that lead into walls. Each mistake is a hypothesis: it is suspected if the orders of
//! a game would lead into corridors without it.

use game::pacman::{Direction, Orders};
use serde::Serialize;

use super::game::{GHOST, Game, PACMAN, Places};

/// Minimum number of blocked orders in different situations for a suspicion.
const ENOUGH: u32 = 6;
/// Minimum percentage of blocked orders that would lead into a corridor without the mistake.
const BLOCKED: u32 = 95;
/// Minimum percentage of all orders that would lead into a corridor without the mistake.
const ORDERS: u32 = 99;
/// Minimum lead over each other mistake, in percent of the orders that they explain.
const CLEARLY: u32 = 3;

/// A mistake that makes a bot walk into walls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mistake {
    /// N and S are swapped.
    NorthSouth,
    /// E and O are swapped.
    EastWest,
    /// Rows are taken for columns, and columns for rows.
    Transposed,
    /// The first letter is meant for the ghost, and the second for the pacman.
    Exchanged,
    /// The order answers the previous state instead of the present one.
    Previous,
}

impl Mistake {
    const ALL: [Self; 5] =
        [Self::NorthSouth, Self::EastWest, Self::Transposed, Self::Exchanged, Self::Previous];
}

/// The mistake that explains blocked orders clearly better than the others do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Suspicion {
    /// The mistake.
    pub mistake: Mistake,
    /// Blocked orders that would have led into a corridor without the mistake.
    pub explained: u32,
    /// Blocked orders in different situations.
    pub blocked: u32,
}

/// Counts of how well each hypothesis explains the orders of a game. An order that a piece repeats without having moved
/// counts once.
#[derive(Debug, Default)]
pub(super) struct Hypotheses {
    orders: u32,
    blocked: u32,
    /// For each hypothesis: orders that would lead into a corridor without the mistake, and how many of these are blocked.
    fits: [Fit; Mistake::ALL.len()],
    /// Positions of the pieces in the last state, and the orders that answered it.
    last: Option<(Places, Orders)>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Fit {
    open: u32,
    explained: u32,
}

impl Hypotheses {
    /// Takes in the answer to the present state of a game.
    pub(super) fn add(&mut self, game: &Game, orders: Orders) {
        let Some(places) = game.places(game.me()) else { return };
        let last = self.last.replace((places, orders));
        let Orders { pacman: Some(pacman), ghost: Some(ghost) } = orders else { return };
        let letters = [pacman, ghost];
        let is_open = game.ways(places, orders);
        let turned = |turn: fn(Direction) -> Direction| {
            game.ways(places, Orders { pacman: Some(turn(pacman)), ghost: Some(turn(ghost)) })
        };
        // `true` for each letter that would move its piece without the mistake.
        let meant = Mistake::ALL.map(|mistake| match mistake {
            Mistake::NorthSouth => turned(|to| if is_vertical(to) { to.opposite() } else { to }),
            Mistake::EastWest => turned(|to| if is_vertical(to) { to } else { to.opposite() }),
            Mistake::Transposed => turned(transposed),
            Mistake::Exchanged => {
                let exchanged = Orders { pacman: Some(ghost), ghost: Some(pacman) };
                let [pacman, ghost] = game.ways(places, exchanged);
                [ghost, pacman]
            }
            Mistake::Previous => last.map_or(is_open, |(before, _)| game.ways(before, orders)),
        });
        for piece in [PACMAN, GHOST] {
            let is_repeated = last.is_some_and(|(before, orders)| {
                before.cells[piece] == places.cells[piece]
                    && [orders.pacman, orders.ghost][piece] == Some(letters[piece])
            });
            if is_repeated {
                continue;
            }
            self.orders += 1;
            self.blocked += u32::from(!is_open[piece]);
            for (fit, meant) in self.fits.iter_mut().zip(&meant) {
                fit.open += u32::from(meant[piece]);
                fit.explained += u32::from(meant[piece] && !is_open[piece]);
            }
        }
    }

    /// The greatest percentage of orders that would lead into corridors without one of the mistakes; 0 without orders.
    pub(super) fn best_percentage(&self) -> u32 {
        let most = self.fits.iter().map(|fit| fit.open).max().unwrap_or_default();
        most * 100 / self.orders.max(1)
    }

    /// The mistake that explains nearly all orders, and clearly more than any other mistake does.
    pub(super) fn suspicion(&self) -> Option<Suspicion> {
        let &Self { orders, blocked, .. } = self;
        let mut fits: Vec<_> = Mistake::ALL.into_iter().zip(self.fits).collect();
        fits.sort_by_key(|(_, fit)| std::cmp::Reverse(fit.open));
        let [(mistake, best), (_, next), ..] = fits[..] else { return None };
        let is_likely = best.explained * 100 >= blocked * BLOCKED
            && best.open * 100 >= orders * ORDERS
            && (best.open - next.open) * 100 >= orders * CLEARLY;
        let explained = best.explained;
        (blocked >= ENOUGH && is_likely).then_some(Suspicion { mistake, explained, blocked })
    }
}

fn is_vertical(direction: Direction) -> bool {
    matches!(direction, Direction::North | Direction::South)
}

fn transposed(direction: Direction) -> Direction {
    match direction {
        Direction::North => Direction::West,
        Direction::West => Direction::North,
        Direction::South => Direction::East,
        Direction::East => Direction::South,
    }
}
