//! The parameters of a student's program.

use game::pacman::{Chance, Direction, Quick};

/// The style of a student's program.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    /// Weights of objects for its pacman.
    pub weighing: Weighing,
    /// Points of objects for it.
    pub taste: Taste,
    /// Factor of an object that another pacman is nearer to.
    pub late: f32,
    /// Its pacman's fear of ghosts.
    pub fear: Fear,
    /// True if it fears no ghost while it is a glutton.
    pub knows_powers: bool,
    /// True if its pacman keeps a goal until the object is taken.
    pub keeps_goal: bool,
    /// Factor of the worth of turning back; 1 if it does not mind.
    pub turning_back: f32,
    /// Whom its ghost hunts.
    pub prey: Prey,
    /// True if its ghost avoids gluttons.
    pub spares_gluttons: bool,
    /// Turns that its ghost foresees a prey to walk on in its direction.
    pub lead: usize,
    /// The order in which it tries directions.
    pub order: [Direction; 4],
    /// Percent of the turns in which it gives no orders.
    pub misses: u32,
    /// Percent of the game after which its program is gone; `None` if it stays.
    pub leaves_at: Option<u32>,
}

/// A pacman's weight of an object, from its points and its distance.
#[derive(Clone, Copy, Debug)]
pub(super) enum Weighing {
    /// The nearest object.
    Nearest,
    /// The best one by points / distance ^ exponent.
    Ratio(f32),
    /// The sum of all, each discounted by this factor a step.
    Sum(f32),
    /// The sum of all by points / distance ^ exponent.
    Attraction(f32),
}

/// Points of objects for a pacman.
#[derive(Clone, Copy, Debug)]
pub(super) enum Taste {
    /// Those of the rules.
    Rules,
    /// The same for each.
    Alike,
    /// Vitamins count nothing while there is something else.
    NoVitamins,
    /// Gluttons count double.
    Gluttons,
    /// Teleporters count nothing.
    NoTeleporters,
}

/// A pacman's fear of ghosts.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fear {
    /// It fears nobody.
    None,
    /// It never enters cells within this distance of a ghost if it can help it.
    Refuses(u32),
    /// A step costs this share of what it brings for each step by which a ghost is nearer than four.
    Costs(f32),
    /// It flees while a ghost is within this distance, and collects otherwise.
    Flees(u32),
}

/// Whom a ghost hunts.
#[derive(Clone, Copy, Debug)]
pub(super) enum Prey {
    /// The nearest pacman.
    Nearest,
    /// The pacman of the player with most points.
    Richest,
    /// The nearest one, but points draw: steps that a hundred points are worth.
    Drawn(f32),
    /// The pacman that is nearest to its own.
    Guards,
    /// Nobody: it goes straight on, and turns by chance.
    Nobody,
    /// The object with most points, where pacmans come.
    Ambush,
    /// The one that it hunts, until it has bitten it.
    Keeps,
}

impl Style {
    /// The style of the student of this number.
    pub(super) fn of(number: u64) -> Self {
        let mut draws = Quick::new(0x5eed_0000 + number);
        let mut below = |n| draws.below(n);
        let weighing = match below(8) {
            0 => Weighing::Nearest,
            1 => Weighing::Ratio(0.5),
            2 => Weighing::Ratio(1.0),
            3 => Weighing::Ratio(1.5),
            4 => Weighing::Ratio(2.0),
            5 => Weighing::Sum(0.7),
            6 => Weighing::Sum(0.88),
            _ => Weighing::Attraction(2.0),
        };
        let taste = match below(7) {
            0 => Taste::Alike,
            1 => Taste::NoVitamins,
            2 => Taste::Gluttons,
            3 => Taste::NoTeleporters,
            _ => Taste::Rules,
        };
        let late = [1.0, 1.0, 0.6, 0.25][below(4) as usize];
        let fear = match below(8) {
            0 => Fear::None,
            1 => Fear::Refuses(1),
            2 | 3 => Fear::Refuses(2),
            4 => Fear::Costs(0.2),
            5 => Fear::Costs(1.0),
            6 => Fear::Flees(2),
            _ => Fear::Flees(3),
        };
        let prey = match below(10) {
            0..=2 => Prey::Nearest,
            3 => Prey::Richest,
            4 => Prey::Drawn(2.0),
            5 => Prey::Drawn(6.0),
            6 => Prey::Guards,
            7 => Prey::Nobody,
            8 => Prey::Ambush,
            _ => Prey::Keeps,
        };
        let mut order = Direction::ALL;
        for last in (1..order.len()).rev() {
            // At most four directions.
            order.swap(last, below(last as u32 + 1) as usize);
        }
        Self {
            weighing,
            taste,
            late,
            fear,
            knows_powers: below(3) > 0,
            keeps_goal: below(4) == 0,
            turning_back: [1.0, 1.0, 0.9, 0.5][below(4) as usize],
            prey,
            spares_gluttons: below(3) > 0,
            lead: [0, 0, 0, 2, 4][below(5) as usize],
            order,
            misses: [0, 0, 0, 0, 2, 10][below(6) as usize],
            leaves_at: [None, None, None, None, None, None, None, Some(40)][below(8) as usize],
        }
    }
}
