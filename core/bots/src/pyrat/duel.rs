//! `duel`: the cheese that it can reach before its rival.

use game::pyrat::{Cell, Direction, Score, State};
use graph::DistanceTable;

use super::{Bot, Situation};

/// Maximum number of pieces of cheese considered: the nearest ones.
const MOST_CHEESE: usize = 32;
/// Beam width: number of orders kept for each length.
const WIDTH: usize = 100;
/// Number of candidates for the next piece of an order: the nearest ones.
const CHOICES: usize = 8;
/// Turns after which a piece is worth half of its present value, as much may happen until then.
const HALVED: i64 = 100;
/// Value of a piece that is eaten at once.
const PIECE: i64 = 1 << 20;

/// Beam search for the order of pieces that wins the most cheese against its rival. The rival is assumed to walk to the nearest
/// piece each time.
///
/// The rival is the other rat with the most cheese.
#[derive(Debug, Default)]
pub(super) struct Duel {
    table: DistanceTable,
}

impl Bot for Duel {
    fn play(&mut self, situation: &Situation<'_>) -> Option<Direction> {
        let state = situation.state;
        let here = situation.rat()?.cell;
        let cheese = self.nearest_cheese(state, here);
        let race = Race::new(situation, &cheese, &mut self.table);
        let next = race.best_first().or(race.nearest(race.start().at[0]))?;
        self.table.from(state.maze(), here).first_step(state.maze(), cheese[next])
    }
}

impl Duel {
    /// The pieces of cheese considered, in the order of the state; of those equally far, the first ones.
    fn nearest_cheese(&mut self, state: &State, here: Cell) -> Vec<Cell> {
        let mut cheese = state.cheese().to_vec();
        if cheese.len() > MOST_CHEESE {
            // The sort is stable.
            let distances = self.table.from(state.maze(), here);
            cheese.sort_by_key(|&cheese| distances.to(cheese));
            let nearest = &cheese[..MOST_CHEESE];
            return state
                .cheese()
                .iter()
                .copied()
                .filter(|cheese| nearest.contains(cheese))
                .collect();
        }
        cheese
    }
}

/// A race of two rats for pieces of cheese. Places are numbered: first the pieces, then the starts of the two rats.
struct Race {
    /// By place, the turns to each reachable piece, nearest first.
    roads: Vec<Vec<(u32, usize)>>,
    /// Turn in which the rival leaves its start: 0 unless it is in the mud; `u32::MAX` without a rival.
    rival_starts: u32,
    /// Present lead of this rat, in half pieces.
    ahead: i64,
}

/// State of the race after the first pieces of an order.
#[derive(Clone, Copy, Debug)]
struct Plan {
    /// Bit set of the remaining pieces.
    left: u32,
    /// Last places of this rat and of its rival, and the turns of their arrival there.
    at: [usize; 2],
    since: [u32; 2],
    /// Lead of this rat, in half pieces.
    ahead: i64,
    /// Lead gained during the race, with later pieces discounted, in units of `PIECE` for each piece.
    value: i64,
    first: Option<usize>,
}

impl Race {
    fn new(situation: &Situation<'_>, cheese: &[Cell], table: &mut DistanceTable) -> Self {
        let state = situation.state;
        let me = situation.me.index();
        let own = &state.rats()[me];
        let others = state.rats().iter().enumerate().filter(|(index, _)| *index != me);
        let rival = others.map(|(_, rat)| rat).max_by_key(|rat| rat.score);
        let (rival_cell, rival_starts) = match rival {
            Some(rival) => rival.mud.map_or((rival.cell, 0), |mud| (mud.target, mud.left.into())),
            None => (own.cell, u32::MAX),
        };
        let roads = |from| {
            let distances = table.from(state.maze(), from);
            let roads = cheese.iter().enumerate();
            let roads = roads.map(|(piece, &to)| (distances.to(to), piece));
            let mut roads: Vec<_> =
                roads.filter(|road| road.0 < graph::Distances::UNREACHED).collect();
            roads.sort_unstable();
            roads
        };
        let places = cheese.iter().copied().chain([own.cell, rival_cell]);
        let halves = |score: Score| (2.0 * score.as_f64()).round() as i64;
        let theirs = rival.map_or(0, |rival| halves(rival.score));
        let ahead = halves(own.score) - theirs;
        Self { roads: places.map(roads).collect(), rival_starts, ahead }
    }

    fn start(&self) -> Plan {
        let pieces = self.roads.len() - 2;
        let left = (1_u64 << pieces) - 1;
        Plan {
            // At most 32 pieces.
            left: left as u32,
            at: [pieces, pieces + 1],
            since: [0, self.rival_starts],
            ahead: self.ahead,
            value: 0,
            first: None,
        }
    }

    /// First piece of the best order; `None` if this rat can win none.
    fn best_first(&self) -> Option<usize> {
        let mut plans = vec![self.start()];
        let mut best: Option<Plan> = None;
        while !plans.is_empty() {
            let mut longer: Vec<Plan> = Vec::with_capacity(plans.len() * CHOICES);
            for plan in &plans {
                let before = longer.len();
                if !plan.is_decided() {
                    let next = self.left(plan, 0).take(CHOICES);
                    longer.extend(next.filter_map(|(turns, piece)| self.go(*plan, turns, piece)));
                }
                if longer.len() == before {
                    let end = self.leave_the_rest(*plan);
                    if best.is_none_or(|best| end.value > best.value) {
                        best = Some(end);
                    }
                }
            }
            longer.sort_by_key(|plan| -plan.value);
            longer.truncate(WIDTH);
            plans = longer;
        }
        best?.first
    }

    /// The remaining pieces, each with the turns from a rat's last place, nearest first.
    fn left(&self, plan: &Plan, rat: usize) -> impl Iterator<Item = (u32, usize)> {
        let left = plan.left;
        let roads = self.roads[plan.at[rat]].iter().copied();
        roads.filter(move |(_, piece)| left >> piece & 1 == 1)
    }

    fn nearest(&self, place: usize) -> Option<usize> {
        self.roads[place].first().map(|(_, piece)| *piece)
    }

    /// Arrival of the rival at its next piece, and that piece; `None` if it can reach none.
    fn rival_next(&self, plan: &Plan) -> Option<(u32, usize)> {
        let (turns, piece) = self.left(plan, 1).next()?;
        // Not before this rat's last meal, of which the rival learns only then.
        Some((plan.since[1].saturating_add(turns).max(plan.since[0]), piece))
    }

    /// Lets this rat eat a piece, after the rival has eaten those it reaches first; `None` if this piece is one of them.
    fn go(&self, mut plan: Plan, turns: u32, piece: usize) -> Option<Plan> {
        let arrival = plan.since[0] + turns;
        while let Some((time, other)) = self.rival_next(&plan).filter(|next| next.0 <= arrival) {
            if other == piece && time < arrival {
                return None;
            }
            // A piece that both eat in the same turn cancels out.
            plan.eat(1, other, time);
            if other == piece {
                break;
            }
        }
        plan.eat(0, piece, arrival);
        plan.first = plan.first.or(Some(piece));
        Some(plan)
    }

    /// Lets the rival eat the remaining pieces until the race is decided.
    fn leave_the_rest(&self, mut plan: Plan) -> Plan {
        while let Some((time, piece)) = self.rival_next(&plan).filter(|_| !plan.is_decided()) {
            plan.eat(1, piece, time);
        }
        plan
    }
}

impl Plan {
    /// Lets this rat (0) or its rival (1) eat a piece.
    fn eat(&mut self, rat: usize, piece: usize, time: u32) {
        let sign = if rat == 0 { 1 } else { -1 };
        self.left &= !(1 << piece);
        (self.at[rat], self.since[rat]) = (piece, time);
        self.ahead += sign * 2;
        self.value += sign * worth(time);
    }

    /// Tests if the lead of either rat exceeds the remaining pieces.
    fn is_decided(&self) -> bool {
        self.ahead.abs() > 2 * i64::from(self.left.count_ones())
    }
}

/// Value of a piece that is eaten in `turns` turns.
fn worth(turns: u32) -> i64 {
    PIECE * HALVED / (HALVED + i64::from(turns))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pyrat::by_name;
    use game::pyrat::{Colour, Maze, Pos, Recipe};

    /// Answer of a player in cell 4 of a corridor with cheese in the cells 2 and 7, against the given rival.
    fn answer(name: &str, rival: &str) -> Option<Direction> {
        const LENGTH: u16 = 12;
        let passages = (0..u64::from(LENGTH)).map(|cell| {
            let around = [cell.checked_sub(1), Some(cell + 1).filter(|&to| to < LENGTH.into())];
            (cell, around.into_iter().flatten().map(|to| (to, 1)).collect())
        });
        let maze = Maze::from_passages(LENGTH, None, passages).unwrap();
        let dashes = "-".repeat(20);
        let text = format!("0;\n{dashes}\n2\n2\n7\n{dashes}\nA;0;4;0;;0;\n{rival}");
        let state = State::decode(&maze, text.as_bytes()).unwrap().state;
        let me = Colour::first(1).next().unwrap();
        let mut player = by_name(name).unwrap().make(0);
        player.new_game(&Situation { state: &state, me });
        player.play(&Situation { state: &state, me })
    }

    #[test]
    fn the_nearest_pieces_are_considered_in_whatever_order_they_are_listed() {
        let open = Recipe {
            width: 31,
            height: 31,
            cells: 100.0,
            walls: 0.0,
            mud: 0.0,
            ..Recipe::default()
        };
        let maze = open.make(1).unwrap();
        let here = Maze::centre(maze.dims());
        let from = maze.dims().pos(here);
        let far = |&cell: &Cell| {
            let Pos { row, col } = maze.dims().pos(cell);
            u32::from(row.abs_diff(from.row) + col.abs_diff(from.col))
        };
        // Forty pieces are ten cells away; the nearest piece is the last one.
        let mut cheese: Vec<Cell> = maze.dims().cells().filter(|cell| far(cell) == 10).collect();
        cheese.extend(maze.dims().cells().find(|cell| far(cell) == 1));
        let places: Vec<_> = cheese.iter().map(|cell| cell.index().to_string()).collect();
        let places = places.join("\n");
        let dashes = "-".repeat(20);
        let text = format!(
            "0;\n{dashes}\n{}\n{places}\n{dashes}\nA;0;{};0;;0;\n",
            cheese.len(),
            here.index()
        );
        let state = State::decode(&maze, text.as_bytes()).unwrap().state;
        let considered = Duel::default().nearest_cheese(&state, here);
        let last = cheese.len() - 1;
        cheese.drain(MOST_CHEESE - 1..last);
        assert_eq!(considered, cheese);
    }

    #[test]
    fn contested_cheese_comes_first() {
        let cases = [
            ("B;0;11;0;;0;\n", Direction::East, "it is there one turn before the rival"),
            ("B;0;9;0;;0;\n", Direction::West, "the rival is there first anyway"),
            ("B;0;11;9;10;0;\n", Direction::West, "the rival is in the mud long enough"),
            ("", Direction::West, "there is nobody else"),
        ];
        for (rival, expected, why) in cases {
            assert_eq!(answer("duel", rival), Some(expected), "{why}");
            assert_eq!(answer("glouton", rival), Some(Direction::West));
        }
    }
}
