//! Pacman IUT'O in an arena.

use bytes::Bytes;
use game::pacman::{
    Event, Map, Orders, Piece, PieceKind, Player, Rules, Seeded, State, StateText,
};

use replay::{Answer, Marks, PacmanSetup, Setup};

use super::{Game, Part, Show, Slip, SlipKind};
use crate::results::{Points, Standing};

/// Games of Pacman IUT'O on one map.
#[derive(Debug)]
pub struct Pacman {
    map: Map,
    rules: Rules,
    seed: u64,
    state: State,
    text: StateText,
    chance: Seeded,
}

impl Pacman {
    /// Games on this map, by these rules.
    #[must_use]
    pub fn new(map: Map, rules: Rules) -> Self {
        let mut chance = Seeded::new(0);
        let nobody = State::start(&map, rules, 0, 0, &mut chance);
        Self { map, rules, seed: 0, state: nobody, text: StateText::new(Vec::new()), chance }
    }
}

impl Game for Pacman {
    fn set_up(&mut self, seed: u64, turns: u32, names: Vec<String>) {
        self.seed = seed;
        self.chance = Seeded::new(seed);
        self.state = State::start(&self.map, self.rules, turns, names.len(), &mut self.chance);
        self.text = StateText::new(names);
    }

    fn text(&mut self) -> &[u8] {
        self.text.write(self.state.view())
    }

    fn elapsed(&self) -> u32 {
        self.state.view().elapsed()
    }

    fn is_over(&self) -> bool {
        self.state.view().is_over()
    }

    fn play_turn(
        &mut self,
        answers: &[Option<Bytes>],
        mut show: Option<&mut Show<'_>>,
        slips: &mut Vec<Slip>,
    ) {
        let Self { state, text, chance, .. } = self;
        let order = |answer: &Option<Bytes>| {
            answer.as_ref().map_or_else(Orders::default, |text| Orders::from_text(text))
        };
        let orders: Vec<Orders> = answers.iter().map(order).collect();
        // Two states for each player and the new one.
        let mut part = Part { number: 0, of: 2 * orders.len() as u32 + 1 };
        state.play_turn(&orders, chance, |event, state| match event {
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
        Answer::Orders(Orders::from_text(message))
    }

    fn marks(&self) -> Marks {
        Marks::of_pacman(&self.state)
    }

    fn standings(&self) -> Vec<Standing> {
        let mut ranking = self.state.view().ranking();
        ranking.sort_by_key(|(_, colour, _)| *colour);
        let standing = |(rank, _, player): (_, _, Player)| Standing {
            points: Points::Whole(player.points),
            rank,
            counts: None,
        };
        ranking.into_iter().map(standing).collect()
    }
}
