//! A family of policies of a pacman: how it weighs points against distance, which objects count for it, how it fears ghosts,
//! and its habits.

use std::sync::LazyLock;

use game::pacman::{Cell, Direction, Object};

use super::super::prospect::Prospect;
use super::super::step::Step;
use super::members::{Members, Moves};

/// Distance from which on a distance makes no difference.
const FAR: usize = 128;

/// The rule by which a pacman compares objects: their points against their distances.
#[derive(Clone, Copy, Debug)]
enum Weighing {
    /// The nearest one counts.
    Nearest,
    /// The best one counts, by points / distance ^ exponent.
    Best(f32),
    /// All count, by points / distance ^ exponent.
    Power(f32),
    /// All count, discounted by this factor a step.
    Discount(f32),
}

const WEIGHINGS: [Weighing; 9] = [
    Weighing::Nearest,
    Weighing::Best(0.5),
    Weighing::Best(1.0),
    Weighing::Best(1.5),
    Weighing::Best(2.0),
    Weighing::Power(1.0),
    Weighing::Power(2.0),
    Weighing::Discount(0.7),
    Weighing::Discount(0.88),
];

/// Points of objects in its eyes.
#[derive(Clone, Copy, Debug)]
enum Taste {
    /// Those of the rules.
    Rules,
    /// The same for each.
    Alike,
    /// Vitamins count only if there is nothing else.
    NoVitamins,
    /// Gluttons count double.
    Gluttons,
    NoTeleporters,
}

const TASTES: [Taste; 5] =
    [Taste::Rules, Taste::Alike, Taste::NoVitamins, Taste::Gluttons, Taste::NoTeleporters];

/// Factors of an object that another pacman is nearer to.
const LATE: [f32; 3] = [1.0, 0.6, 0.25];

/// The pacman's response to ghosts near it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fear {
    None,
    /// It enters no cell within this distance of a ghost if it can help it.
    Refuses(u32),
    /// A step loses this share of its worth for each step by which a ghost is nearer than `COSTLY`.
    Costs(f32),
    /// It flees while a ghost is within this distance.
    Flees(u32),
}

const FEARS: [Fear; 10] = [
    Fear::None,
    Fear::Refuses(1),
    Fear::Refuses(2),
    Fear::Refuses(3),
    Fear::Costs(0.2),
    Fear::Costs(0.5),
    Fear::Costs(1.0),
    Fear::Flees(2),
    Fear::Flees(3),
    Fear::Flees(4),
];

/// Distance from which on a ghost takes nothing off the worth of a step.
const COSTLY: u16 = 4;

/// Factors of the worth of turning back.
const BACK: [f32; 3] = [1.0, 0.9, 0.5];

/// A policy without ghosts: the worth of each direction by the objects alone.
#[derive(Debug)]
struct Appetite {
    weighing: Weighing,
    taste: Taste,
    late: f32,
    /// Factors of points by distance.
    factors: [f32; FAR],
}

/// A correction of that worth by ghosts, and for turning back.
#[derive(Debug)]
struct Caution {
    fear: Fear,
    /// True if it fears nothing while it has a power that keeps ghosts away.
    trusts_powers: bool,
    back: f32,
}

/// The effect of a caution in a situation.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Effect {
    fear: Fear,
    back: f32,
}

/// The effects of all cautions in a situation.
#[derive(Debug)]
struct Effects {
    distinct: Vec<Effect>,
    /// For each caution, the index of its effect.
    of_cautions: Vec<usize>,
}

static APPETITES: LazyLock<Vec<Appetite>> = LazyLock::new(|| {
    let mut all = Vec::new();
    for weighing in WEIGHINGS {
        let factors = std::array::from_fn(|steps| weighing.factor(steps));
        for taste in TASTES {
            all.extend(LATE.map(|late| Appetite { weighing, taste, late, factors }));
        }
    }
    all
});

static CAUTIONS: LazyLock<Vec<Caution>> = LazyLock::new(|| {
    let mut all = Vec::new();
    for fear in FEARS {
        for trusts_powers in [false, true] {
            all.extend(BACK.map(|back| Caution { fear, trusts_powers, back }));
        }
    }
    all
});

/// The family, for one pacman. Each appetite comes twice, with each caution: the second time, the pacman keeps its goal until the
/// object is taken.
#[derive(Clone, Debug)]
pub(super) struct PacmanFamily {
    members: Members,
    /// Goals by appetite.
    goals: Vec<Option<Cell>>,
}

impl Default for PacmanFamily {
    fn default() -> Self {
        let appetites = APPETITES.len();
        let members = Members::new(2 * appetites * CAUTIONS.len());
        Self { members, goals: vec![None; appetites] }
    }
}

impl PacmanFamily {
    /// Learns from the pacman's last step; `None` if it has stayed or was teleported.
    pub(super) fn observe(&mut self, step: Option<Direction>) {
        self.members.observe(step);
    }

    /// Distribution of the pacman's next move.
    pub(super) fn foresee(&mut self, prospect: &Prospect<'_>) -> Step {
        let effects = Effects::new(prospect);
        self.members.foresee(prospect.from, |moves| {
            // Those that weigh alike come together.
            const ALIKE: usize = TASTES.len() * LATE.len();
            for (goals, appetites) in self.goals.chunks_mut(ALIKE).zip(APPETITES.chunks(ALIKE)) {
                let factors = appetites[0].factors_after(prospect);
                for (goal, appetite) in goals.iter_mut().zip(appetites) {
                    *goal = appetite.goal(*goal, prospect);
                    effects.add_moves(appetite.worths(prospect, &factors), prospect, moves);
                    effects.add_moves(appetite.worths_of_goal(*goal, prospect), prospect, moves);
                }
            }
        })
    }

    pub(super) fn forget(&mut self) {
        self.members.forget();
    }

    /// The move of the likeliest member.
    pub(super) fn likeliest(&self, prospect: &Prospect<'_>) -> Option<Direction> {
        let (appetite, caution) =
            (self.members.likeliest() / CAUTIONS.len(), self.members.likeliest() % CAUTIONS.len());
        let (appetite, keeps_goal) = (appetite / 2, appetite % 2 == 1);
        let (goal, appetite) = (self.goals[appetite], &APPETITES[appetite]);
        let worths = if keeps_goal {
            appetite.worths_of_goal(appetite.goal(goal, prospect), prospect)
        } else {
            appetite.worths(prospect, &appetite.factors_after(prospect))
        };
        self.members.choose(CAUTIONS[caution].effect(prospect).moves(worths, prospect))
    }
}

impl Weighing {
    /// Factor of an object's points at a distance.
    fn factor(self, steps: usize) -> f32 {
        let steps = f32::from(u16::try_from(steps + 1).unwrap_or(u16::MAX));
        match self {
            Self::Nearest => 1.0 / steps,
            Self::Best(exponent) | Self::Power(exponent) => libm::powf(steps, -exponent),
            Self::Discount(factor) => libm::powf(factor, steps),
        }
    }
}

impl Appetite {
    /// Points of an object. Where only the nearest one counts, all that count are alike.
    fn points(&self, object: Object, is_late: bool, only_vitamins: bool) -> f32 {
        let points = f32::from(u8::try_from(object.points()).unwrap_or(u8::MAX));
        let points = match (self.taste, object) {
            (Taste::NoVitamins, Object::Vitamin) if !only_vitamins => return 0.0,
            (Taste::NoTeleporters, Object::Teleporter) => return 0.0,
            (Taste::Alike, _) => 1.0,
            (Taste::Gluttons, Object::Glutton) => 2.0 * points,
            _ => points,
        };
        match self.weighing {
            Weighing::Nearest => 1.0,
            _ if is_late => self.late * points,
            _ => points,
        }
    }

    fn factor(&self, steps: u32) -> f32 {
        self.factors[(steps as usize).min(FAR - 1)]
    }

    /// Factor of each object's points after a move in each direction.
    fn factors_after(&self, prospect: &Prospect<'_>) -> Vec<[f32; 4]> {
        let objects = prospect.objects.iter();
        objects.map(|object| object.after.map(|steps| self.factor(steps))).collect()
    }

    /// Worth of each direction, from those factors.
    fn worths(&self, prospect: &Prospect<'_>, factors: &[[f32; 4]]) -> [f32; 4] {
        match self.weighing {
            Weighing::Nearest | Weighing::Best(_) => self.joined(prospect, factors, f32::max),
            Weighing::Power(_) | Weighing::Discount(_) => {
                self.joined(prospect, factors, |sum, worth| sum + worth)
            }
        }
    }

    /// The worths of the objects, joined in each direction.
    fn joined(
        &self,
        prospect: &Prospect<'_>,
        factors: &[[f32; 4]],
        join: impl Fn(f32, f32) -> f32,
    ) -> [f32; 4] {
        let mut worths = [0.0; 4];
        for (object, factors) in prospect.objects.iter().zip(factors) {
            let points = self.points(object.kind, object.is_late, prospect.only_vitamins);
            for (worth, factor) in worths.iter_mut().zip(factors) {
                *worth = join(*worth, points * factor);
            }
        }
        worths
    }

    /// The goal of a pacman that keeps it while it is there.
    fn goal(&self, goal: Option<Cell>, prospect: &Prospect<'_>) -> Option<Cell> {
        let objects = &prospect.objects;
        goal.filter(|&goal| objects.iter().any(|object| object.cell == goal)).or_else(|| {
            let worths = objects.iter().map(|object| {
                let points = self.points(object.kind, object.is_late, prospect.only_vitamins);
                (points * self.factor(object.now), object.cell)
            });
            let counting = worths.filter(|(worth, _)| *worth > 0.0);
            counting.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, cell)| cell)
        })
    }

    /// Worth of each direction to a pacman that has a goal.
    fn worths_of_goal(&self, goal: Option<Cell>, prospect: &Prospect<'_>) -> [f32; 4] {
        let goal = prospect.objects.iter().find(|object| Some(object.cell) == goal);
        goal.map_or([0.0; 4], |goal| goal.after.map(|steps| self.factor(steps)))
    }
}

impl Caution {
    /// The effect of this caution in a situation. A fear that changes no move there counts as none, so that cautions that act alike
    /// have equal effects.
    fn effect(&self, prospect: &Prospect<'_>) -> Effect {
        let ghosts = prospect.exits.iter().map(|exit| prospect.ghost_after[exit.index()]);
        let nearest = ghosts.min().map_or(u32::MAX, u32::from);
        let fear = match self.fear {
            _ if self.trusts_powers && prospect.is_powerful => Fear::None,
            Fear::Refuses(within) if nearest > within => Fear::None,
            Fear::Costs(_) if nearest >= COSTLY.into() => Fear::None,
            Fear::Flees(within) if prospect.ghost_now > within => Fear::None,
            // All that flee do the same.
            Fear::Flees(_) => return Effect { fear: Fear::Flees(u32::MAX), back: 1.0 },
            fear => fear,
        };
        Effect { fear, back: prospect.back.map_or(1.0, |_| self.back) }
    }
}

impl Effect {
    /// The best moves, from the worth of each direction.
    fn moves(self, worths: [f32; 4], prospect: &Prospect<'_>) -> Moves {
        Moves::best(prospect.exits.iter().map(|&exit| {
            let is_back = prospect.back == Some(exit);
            let worth = worths[exit.index()] * if is_back { self.back } else { 1.0 };
            let ghost = prospect.ghost_after[exit.index()];
            let worth = match self.fear {
                Fear::Flees(_) => f32::from(ghost),
                Fear::Refuses(within) if u32::from(ghost) <= within => {
                    worth + 1e5 * f32::from(ghost) - 1e6
                }
                Fear::Costs(share) if ghost < COSTLY => {
                    worth * (1.0 - share * f32::from(COSTLY - ghost))
                }
                _ => worth,
            };
            (exit, worth)
        }))
    }
}

impl Effects {
    fn new(prospect: &Prospect<'_>) -> Self {
        let mut all = Self { distinct: Vec::new(), of_cautions: Vec::new() };
        for caution in &*CAUTIONS {
            let effect = caution.effect(prospect);
            let known = all.distinct.iter().position(|&known| known == effect);
            all.of_cautions.push(known.unwrap_or(all.distinct.len()));
            if known.is_none() {
                all.distinct.push(effect);
            }
        }
        all
    }

    /// Adds the best moves in the eyes of each caution to a list, from the worth of each direction.
    fn add_moves(&self, worths: [f32; 4], prospect: &Prospect<'_>, all: &mut Vec<Moves>) {
        let mut moves = [Moves::default(); FEARS.len() * 2 * BACK.len()];
        for (moves, effect) in moves.iter_mut().zip(&self.distinct) {
            *moves = effect.moves(worths, prospect);
        }
        all.extend(self.of_cautions.iter().map(|&effect| moves[effect]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::pacman::Dims;

    /// The moves of a caution by its definition.
    fn plain(caution: &Caution, worths: [f32; 4], prospect: &Prospect<'_>) -> Moves {
        let is_safe = caution.trusts_powers && prospect.is_powerful;
        let worth = |exit: Direction| {
            let ghost = prospect.ghost_after[exit.index()];
            let back = if prospect.back == Some(exit) { caution.back } else { 1.0 };
            let worth = worths[exit.index()] * back;
            match caution.fear {
                _ if is_safe => worth,
                Fear::Flees(within) if prospect.ghost_now <= within => f32::from(ghost),
                Fear::Refuses(within) if u32::from(ghost) <= within => {
                    worth + 1e5 * f32::from(ghost) - 1e6
                }
                Fear::Costs(share) => {
                    worth * (1.0 - share * f32::from(COSTLY.saturating_sub(ghost)))
                }
                _ => worth,
            }
        };
        Moves::best(prospect.exits.iter().map(|&exit| (exit, worth(exit))))
    }

    #[test]
    fn cautions_that_act_alike_are_those_whose_moves_are_the_same() {
        use Direction::{East, North, South, West};
        let from = Dims::new(3, 3).unwrap().nth(4).unwrap();
        let distances = [0, 1, 2, 3, 4, u16::MAX];
        let worths = [[3.0, 2.9, 1.0, 2.0], [0.0; 4], [5.0, 10.0, 5.0, 4.6]];
        let exits: [&[Direction]; 4] = [&[], &[East], &[North, South], &[North, East, South, West]];
        let mut distinct = 0;
        for (case, exits) in exits.into_iter().cycle().take(4 * 6 * 6 * 6).enumerate() {
            let ghosts = [case / 4, case / 24, case / 144, case + 1];
            let ghosts = ghosts.map(|at| distances[at % distances.len()]);
            for (is_powerful, back) in [(false, None), (false, Some(East)), (true, Some(South))] {
                let prospect = Prospect {
                    from,
                    exits,
                    back: back.filter(|back| exits.contains(back)),
                    objects: Vec::new(),
                    only_vitamins: false,
                    is_powerful,
                    ghost_now: u32::from(ghosts[0]) + 1,
                    ghost_after: ghosts,
                };
                let effects = Effects::new(&prospect);
                distinct += effects.distinct.len();
                for worths in worths {
                    let mut moves = Vec::new();
                    effects.add_moves(worths, &prospect, &mut moves);
                    let plain = CAUTIONS.iter().map(|caution| plain(caution, worths, &prospect));
                    assert_eq!(moves, plain.collect::<Vec<_>>(), "{prospect:?}");
                }
            }
        }
        assert!(distinct > 1000, "{distinct}");
    }
}
