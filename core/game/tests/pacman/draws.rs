//! The draws of a real game, computed a second time from their definition.

use game::pacman::{Cell, Chance, Event, Map, Object, Orders, Player, Pos, Rules, Seeded, State};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::cartes;

/// `ChaCha8` as the rules define its use: keyed by the seed, one stream for each turn.
struct Draws(ChaCha8Rng);

impl Draws {
    fn of_turn(seed: u64, turn: u64) -> Self {
        let seed: Vec<u8> = (0..8).map(|byte| (seed >> (8 * byte)) as u8).chain([0; 24]).collect();
        let mut generator = ChaCha8Rng::from_seed(seed.try_into().expect("32 bytes"));
        generator.set_stream(turn);
        Self(generator)
    }

    /// Takes the bit length of `n` from the top of each output, until the value is below `n`.
    fn below(&mut self, n: usize) -> usize {
        let bits = (1..32).find(|&bits| n < 1 << bits).expect("a small number");
        loop {
            let value = (self.0.next_u32() >> (32 - bits)) as usize;
            if value < n {
                return value;
            }
        }
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        assert!(!from.is_empty(), "the map is large enough");
        from[self.below(from.len())].clone()
    }

    fn shuffled(&mut self, n: usize) -> Vec<usize> {
        let mut order: Vec<_> = (0..n).collect();
        let mut last = n - 1;
        while last > 0 {
            order.swap(last, self.below(last + 1));
            last -= 1;
        }
        order
    }
}

/// A game of the original rules without any orders: its only events are false moves, teleports and objects that appear.
struct Idle {
    rows: Vec<Vec<char>>,
    /// Cells of pacman and ghost, by colour.
    pieces: Vec<[(usize, usize); 2]>,
    counters: Vec<i32>,
}

impl Idle {
    fn start(map: &str, players: usize, seed: u64) -> Self {
        let rows = map.lines().skip(1).map(|row| row.chars().collect()).collect();
        let mut game = Self { rows, pieces: Vec::new(), counters: vec![0; players] };
        let mut draws = Draws::of_turn(seed, 0);
        for _ in 0..players {
            let pacman = draws.pick(&game.empty_cells());
            game.pieces.push([pacman, pacman]);
            let ghost = draws.pick(&game.empty_cells());
            game.pieces.last_mut().expect("just pushed")[1] = ghost;
        }
        game
    }

    /// Plays a turn; returns the object that appears, with its cell.
    fn turn(&mut self, seed: u64, turn: u64, last: bool) -> Option<(char, (usize, usize))> {
        let mut draws = Draws::of_turn(seed, turn);
        for player in draws.shuffled(self.pieces.len()) {
            for piece in 0..2 {
                self.counters[player] -= 1;
                if self.counters[player] <= 0 {
                    self.counters[player] = 4;
                    self.pieces[player][piece] = draws.pick(&self.empty_cells());
                }
            }
        }
        if last || draws.below(5) != 0 {
            return None;
        }
        let object = draws.pick(&['$', '@', '~', '&', '!']);
        let (row, col) = draws.pick(&self.empty_cells());
        self.rows[row][col] = object;
        Some((object, (row, col)))
    }

    /// The empty cells, in row-major order.
    fn empty_cells(&self) -> Vec<(usize, usize)> {
        let rows = self.rows.iter().enumerate();
        rows.flat_map(|(row, cells)| cells.iter().enumerate().map(move |(col, c)| ((row, col), c)))
            .filter(|(place, letter)| {
                [' ', '.'].contains(letter) && !self.pieces.as_flattened().contains(place)
            })
            .map(|(place, _)| place)
            .collect()
    }
}

fn place(map: &Map, cell: Cell) -> (usize, usize) {
    let Pos { row, col } = map.board().dims().pos(cell);
    (row.into(), col.into())
}

fn pieces(map: &Map, player: &Player) -> [(usize, usize); 2] {
    [place(map, player.pacman), place(map, player.ghost)]
}

const MAP: &str = "\
6;9
#########
#. .. $.#
#.#.#.#. 
 .  @  .#
#..!.. .#
#########
";

#[test]
fn a_game_draws_as_the_rules_define_it() {
    const TURNS: u64 = 30;
    const PLAYERS: usize = 4;
    let map: Map = MAP.parse().unwrap();
    let mut appeared = Vec::new();
    for seed in [0, 1, 2, 0x0123_4567_89ab_cdef, u64::MAX] {
        let mut expected = Idle::start(MAP, PLAYERS, seed);
        let mut chance = Seeded::new(seed);
        let mut state = State::start(&map, Rules::ORLEANS_2024, TURNS as u32, PLAYERS, &mut chance);
        for turn in 1..=TURNS {
            let found: Vec<_> =
                state.view().players().iter().map(|player| pieces(&map, player)).collect();
            assert_eq!(found, expected.pieces, "before turn {turn} of the game with seed {seed}");
            let mut object = None;
            state.play_turn(&[Orders::default(); PLAYERS], &mut chance, |event, _| {
                if let Event::Appeared { object: kind, cell } = event {
                    object = Some((kind.letter(), place(&map, cell)));
                }
            });
            assert_eq!(object, expected.turn(seed, turn, turn == TURNS), "turn {turn}");
            appeared.extend(object);
        }
    }
    let kinds = Object::APPEARING.map(Object::letter);
    assert!(kinds.iter().all(|kind| appeared.iter().any(|(letter, _)| letter == kind)));
}

#[test]
fn any_number_of_players_starts_on_the_cells_drawn() {
    let map = cartes::load("plan1.txt");
    let text = map.to_string();
    for players in 0..=26 {
        let state = State::start(&map, Rules::SUJET, 1, players, &mut Seeded::new(3));
        let found: Vec<_> =
            state.view().players().iter().map(|player| pieces(&map, player)).collect();
        assert_eq!(found, Idle::start(&text, players, 3).pieces);
    }
}

#[test]
fn the_play_order_is_the_first_draw_of_a_turn() {
    let map: Map = MAP.parse().unwrap();
    for players in 1..=9 {
        let mut chance = Seeded::new(77);
        let mut state = State::start(&map, Rules::SUJET, 10, players, &mut chance);
        for turn in 1..=10 {
            let mut order = Vec::new();
            state.play_turn(&[], &mut chance, |event, _| {
                if let Event::Done(piece) = event {
                    order.push(piece.colour.index());
                }
            });
            order.dedup();
            assert_eq!(order, Draws::of_turn(77, turn).shuffled(players));
        }
    }
}

/// Test vector 1 of draft-strombergson-chacha-test-vectors for `ChaCha8` with a key of 256 bits,
/// all zero as is the nonce: the draws of seed 0 for the starts.
#[test]
fn the_generator_is_chacha8() {
    let published: [u8; 32] = [
        0x3e, 0x00, 0xef, 0x2f, 0x89, 0x5f, 0x40, 0xd6, 0x7f, 0x5b, 0xb8, 0xe8, 0x1f, 0x09, 0xa5,
        0xa1, 0x2c, 0x84, 0x0e, 0xc3, 0xce, 0x9a, 0x7f, 0x3b, 0x18, 0x1b, 0xe1, 0x88, 0xef, 0x71,
        0x1a, 0x1e,
    ];
    let mut chance = Seeded::new(0);
    chance.begin_turn(0);
    for word in published.as_chunks().0 {
        // All of them are below the largest, so that each is taken as it is.
        assert_eq!(chance.below(u32::MAX), u32::from_le_bytes(*word));
    }
}
