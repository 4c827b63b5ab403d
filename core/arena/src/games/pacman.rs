//! Pacman IUT'O for a driver.

use game::colour::Colour;
use game::pacman::{Event, Map, Orders, Piece, PieceKind, Player, Rules, Seeded, State, StateText};

use replay::{Answer, Marks, PacmanSetup, Setup};

use super::{Game, Show, Slip, SlipKind, StatePosition};
use crate::results::{Points, Standing};

/// Games of Pacman IUT'O on one map.
#[derive(Debug)]
pub struct Pacman {
    map: Map,
    rules: Rules,
    seed: u64,
    state: State,
    text: StateText,
    /// True if `text` holds the current state; it is written once and sent to every player.
    is_written: bool,
    chance: Seeded,
    /// Number of given orders that were malformed or led into a wall, by colour.
    false_moves: Vec<u32>,
}

impl Pacman {
    /// Games on this map, by these rules.
    #[must_use]
    pub fn new(map: Map, rules: Rules) -> Self {
        let mut chance = Seeded::new(0);
        let nobody = State::start(&map, rules, 0, 0, &mut chance);
        let (text, false_moves) = (StateText::new(Vec::new()), Vec::new());
        Self { map, rules, seed: 0, state: nobody, text, is_written: false, chance, false_moves }
    }
}

impl Game for Pacman {
    fn set_up(&mut self, seed: u64, turns: u32, names: Vec<String>) {
        self.seed = seed;
        self.chance = Seeded::new(seed);
        self.state = State::start(&self.map, self.rules, turns, names.len(), &mut self.chance);
        self.false_moves = vec![0; names.len()];
        self.text = StateText::new(names);
        self.is_written = false;
    }

    fn text(&mut self) -> &[u8] {
        if !self.is_written {
            self.text.write(self.state.view());
            self.is_written = true;
        }
        self.text.last()
    }

    fn elapsed(&self) -> u32 {
        self.state.view().elapsed()
    }

    fn is_over(&self) -> bool {
        self.state.view().is_over()
    }

    fn play_turn(
        &mut self,
        answers: &[Option<&[u8]>],
        mut show: Option<&mut Show<'_>>,
        slips: &mut Vec<Slip>,
    ) {
        let Self { state, text, is_written, chance, false_moves, .. } = self;
        *is_written = false;
        let mut orders = [Orders::default(); Colour::MAX];
        for (order, answer) in orders.iter_mut().zip(answers) {
            *order = answer.map(Orders::decode).unwrap_or_default();
        }
        let orders = &orders[..answers.len()];
        // Two intermediate states for each player, and the new state.
        let mut part = StatePosition { number: 0, of: 2 * orders.len() as u32 + 1 };
        state.play_turn(orders, chance, |event, state| match event {
            Event::TurnEnded | Event::Done(_) => {
                if let Some(show) = &mut show {
                    part.number += 1;
                    show(text.write(state.view()), part);
                }
            }
            Event::FalseMove { piece: Piece { colour, kind }, .. } => {
                let player = colour.index();
                if answers[player].is_some() {
                    let Orders { pacman, ghost } = orders[player];
                    let order = if kind == PieceKind::Pacman { pacman } else { ghost };
                    let kind = order.map_or(SlipKind::Malformed, SlipKind::Blocked);
                    false_moves[player] += 1;
                    slips.push(Slip { player, kind });
                }
            }
            _ => {}
        });
    }

    fn another(&self) -> Box<dyn Game> {
        Box::new(Self::new(self.map.clone(), self.rules))
    }

    fn setup(&self) -> Setup {
        Setup::Pacman(PacmanSetup {
            map: self.map.clone(),
            rules: self.rules,
            seed: self.seed,
            turns: self.state.view().total(),
            names: self.text.names().to_vec(),
        })
    }

    fn read(&self, message: &[u8]) -> Answer {
        Answer::Orders(Orders::decode(message))
    }

    fn marks(&self) -> Marks {
        Marks::of_pacman(&self.state)
    }

    fn standings(&self) -> Vec<Standing> {
        let mut ranking = self.state.view().ranking();
        ranking.sort_by_key(|(_, colour, _)| *colour);
        let standing = |(rank, colour, player): (_, Colour, Player)| Standing {
            points: Points::Whole(player.points),
            rank,
            false_moves: self.false_moves[colour.index()],
            counts: None,
        };
        ranking.into_iter().map(standing).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn false_moves_are_those_of_orders_that_were_given() {
        let map = Map::parse(b"3;4\n####\n#..#\n####\n").unwrap();
        let mut game = Pacman::new(map, Rules::SUJET);
        let text = |text: &'static str| Some(text.as_bytes());
        let names = || vec!["Ada".to_owned(), "Bob".to_owned()];
        let counted =
            |game: &Pacman| game.standings().iter().map(|s| s.false_moves).collect::<Vec<_>>();
        for is_shown in [false, true] {
            game.set_up(7, 10, names());
            assert_eq!(counted(&game), [0, 0]);
            let mut seen = 0;
            let mut slips = Vec::new();
            let mut show = |_: &[u8], _: StatePosition| seen += 1;
            for answers in [[text("NS"), None], [text("xN"), None]] {
                let show = is_shown.then_some(&mut show as &mut Show<'_>);
                game.play_turn(&answers, show, &mut slips);
            }
            assert_eq!((counted(&game), slips.len()), (vec![4, 0], 4), "shown: {is_shown}");
            assert_eq!(seen > 0, is_shown);
        }
    }
}
