//! Turns on a tiny board, in text form.

use std::fmt::Write as _;

use game::pacman::{
    Candidates, Cell, Chance, Colour, ColourSet, Dims, Event, FalseMove, Object, Orders, Piece,
    PieceKind, Player, Pos, Rules, Scripted, State, StateReader, View,
};

use crate::ledger::Ledger;
use crate::plain;

/// Both presets.
pub(crate) const BOTH: [Rules; 2] = [Rules::SUJET, Rules::ORLEANS_2024];

/// A counter of false moves that no scenario brings to its end.
const FAR: i32 = 100;

/// A game with a board and draws from the test.
///
/// In a drawing `_` is an empty corridor, an upper-case letter a pacman and a lower-case letter a
/// ghost on an empty corridor; the rest is as on the wire. Cells are given as (row, column).
pub(crate) struct Scenario {
    pub(crate) state: State,
    chance: Script,
}

impl Scenario {
    /// A game of 100 turns in the position of a drawing. False moves teleport no piece before a test sets a counter.
    pub(crate) fn new(rules: Rules, drawing: &str) -> Self {
        let (dims, letters) = read_drawing(drawing);
        let false_moves = if rules == Rules::ORLEANS_2024 { FAR } else { -FAR };
        let place = |letter| letters.find(letter).and_then(|at| dims.nth(at));
        let players = Colour::first(Colour::MAX).map_while(|colour| {
            let pacman = place(colour.letter());
            let ghost = place(colour.letter().to_ascii_lowercase());
            let somewhere = pacman.or(ghost)?;
            Some(Player {
                pacman: pacman.unwrap_or(somewhere),
                ghost: ghost.unwrap_or(somewhere),
                false_moves,
                ..Player::default()
            })
        });
        let mut board = format!("{};{}\n", dims.rows(), dims.cols());
        for row in letters.as_bytes().chunks(dims.cols().into()) {
            let letter = |&letter: &u8| if letter.is_ascii_alphabetic() { b'_' } else { letter };
            board += &String::from_utf8(row.iter().map(letter).collect()).expect("ASCII");
            board.push('\n');
        }
        let view = view((0, 100), &board.replace('_', " "), dims, &players.collect::<Vec<_>>());
        let state = State::from_view(view, rules, ColourSet::EMPTY);
        Self { state, chance: Script::default() }
    }

    /// With this counter of false moves.
    pub(crate) fn counter(self, colour: char, shown: i32) -> Self {
        self.with(colour, |player| player.false_moves = shown)
    }

    /// With a power that lasts for `turns` turns: `$`, `@` or `~`.
    pub(crate) fn power(self, colour: char, object: char, turns: u32) -> Self {
        self.with(colour, |Player { powers, .. }| match object {
            '$' => powers.glutton = turns,
            '@' => powers.freeze = turns,
            '~' => powers.wall_pass = turns,
            _ => panic!("{object} gives no power"),
        })
    }

    /// With this number of points.
    pub(crate) fn points(self, colour: char, points: i32) -> Self {
        self.with(colour, |player| player.points = points)
    }

    /// With a piece on this cell.
    pub(crate) fn put(self, letter: char, row: u16, col: u16) -> Self {
        let cell = self.cell((row, col));
        self.with(letter.to_ascii_uppercase(), |player| {
            if letter.is_ascii_uppercase() { player.pacman = cell } else { player.ghost = cell }
        })
    }

    /// With a ghost that has eaten in the previous turn.
    pub(crate) fn digesting(self, ghost: char) -> Self {
        let digesting = Colour::from_letter(ghost.to_ascii_uppercase()).into_iter().collect();
        let state = State::from_view(self.state.view().clone(), *self.state.rules(), digesting);
        Self { state, ..self }
    }

    /// With `elapsed` of `total` turns played.
    pub(crate) fn after(self, elapsed: u32, total: u32) -> Self {
        self.rebuilt((elapsed, total), |_| {})
    }

    /// With this play order from now on.
    pub(crate) fn play_order(mut self, colours: &str) -> Self {
        self.chance.told.play_order = colours.chars().filter_map(Colour::from_letter).collect();
        self
    }

    /// With these draws of cells in the next turn.
    pub(crate) fn draws(mut self, cells: &[(u16, u16)]) -> Self {
        self.chance.told.cells = cells.iter().map(|&pos| self.cell(pos)).collect();
        self
    }

    /// With an object that appears at the end of the next turn, on the cell drawn last.
    pub(crate) fn appears(mut self, object: char) -> Self {
        self.chance.told.appearing = Object::ALL.into_iter().find(|o| o.letter() == object);
        self
    }

    /// Plays a turn and compares its events with a text, separated by commas or new lines.
    ///
    /// The orders of each player are two letters, separated by spaces. A piece with the order `-` stays where it is, at the cost
    /// of a malformed order, which the text leaves out.
    #[track_caller]
    pub(crate) fn turn(mut self, orders: &str, expected: &str) -> Self {
        let texts: Vec<&[u8]> = orders.split_whitespace().map(str::as_bytes).collect();
        let orders: Vec<_> = texts.iter().map(|text| Orders::decode(text)).collect();
        let untold = |event| match event {
            Event::FalseMove { piece, cause: FalseMove::Malformed } => {
                let letter = usize::from(piece.kind == PieceKind::Ghost);
                texts.get(piece.colour.index()).and_then(|text| text.get(letter)) == Some(&b'-')
            }
            Event::Done(_) | Event::TurnEnded => true,
            _ => false,
        };
        let mut ledger = Ledger::open(&self.state);
        let mut players = self.state.view().players().to_vec();
        let mut told = Vec::new();
        self.state.play_turn(&orders, &mut self.chance, |event, state| {
            ledger.enter(event, state);
            if !untold(event) {
                told.push(tell(event, &players, state.view()));
            }
            players = state.view().players().to_vec();
        });
        let expected = expected.split([',', '\n']).map(str::trim).filter(|text| !text.is_empty());
        let rules = self.state.rules();
        assert_eq!(told, expected.collect::<Vec<_>>(), "\nunder {rules:?}");
        let Scripted { cells, contradictions, .. } = &self.chance.told;
        assert_eq!((*contradictions, cells.len()), (0, 0), "draws as written, under {rules:?}");
        self.chance.told.appearing = None;
        self
    }

    /// Compares the candidates of the last draw of a cell with the `*` of a drawing.
    #[track_caller]
    pub(crate) fn drawn_among(self, drawing: &str) -> Self {
        let (dims, letters) = read_drawing(drawing);
        let mut found = letters.replace('*', "_").into_bytes();
        for cell in &self.chance.candidates {
            found[cell.index()] = b'*';
        }
        let rows = |text: &[u8]| -> Vec<String> {
            let rows = text.chunks(dims.cols().into());
            rows.map(|row| String::from_utf8_lossy(row).into_owned()).collect()
        };
        assert_eq!(rows(&found), rows(letters.as_bytes()));
        self
    }

    /// Compares walls and objects with a drawing.
    #[track_caller]
    pub(crate) fn shows(self, drawing: &str) -> Self {
        let board = plain::board(self.state.view()).replace(' ', "_");
        let (_, rows) = board.split_once('\n').expect("a header");
        assert_eq!(
            rows.lines().collect::<Vec<_>>(),
            drawing.split_whitespace().collect::<Vec<_>>()
        );
        self
    }

    /// Compares turns left of glutton, freeze and wall-pass.
    #[track_caller]
    pub(crate) fn powers(self, colour: char, expected: [u32; 3]) -> Self {
        let powers = self.state.view().players()[index(colour)].powers;
        assert_eq!([powers.glutton, powers.freeze, powers.wall_pass], expected);
        self
    }

    fn cell(&self, (row, col): (u16, u16)) -> Cell {
        self.state.view().board().dims().cell(Pos { row, col }).expect("a cell of the drawing")
    }

    fn with(self, colour: char, change: impl FnOnce(&mut Player)) -> Self {
        let turns = (self.state.view().elapsed(), self.state.view().total());
        self.rebuilt(turns, |players| change(&mut players[index(colour)]))
    }

    fn rebuilt(self, turns: (u32, u32), change: impl FnOnce(&mut Vec<Player>)) -> Self {
        let old = self.state.view();
        let mut players = old.players().to_vec();
        change(&mut players);
        let view = view(turns, &plain::board(old), old.board().dims(), &players);
        let state = State::from_view(view, *self.state.rules(), self.state.digesting());
        Self { state, ..self }
    }
}

/// An open torus without walls and objects on which the players of `letters` stand in the corner.
pub(crate) fn open(rows: usize, cols: usize, letters: &str) -> String {
    let first = format!("{letters:_<cols$}\n");
    first + &format!("{}\n", "_".repeat(cols)).repeat(rows - 1)
}

/// The predetermined draws, and the candidates of the last draw of a cell.
#[derive(Default)]
struct Script {
    told: Scripted,
    candidates: Vec<Cell>,
}

impl Chance for Script {
    fn begin_turn(&mut self, turn: u32) {
        self.told.begin_turn(turn);
    }

    fn below(&mut self, n: u32) -> u32 {
        self.told.below(n)
    }

    fn play_order(&mut self, colours: &mut [Colour]) {
        self.told.play_order(colours);
    }

    fn cell(&mut self, candidates: &Candidates<'_>) -> Cell {
        self.candidates = (0..candidates.len()).map(|k| candidates.nth(k)).collect();
        self.told.cell(candidates)
    }

    fn appearing(&mut self) -> Option<Object> {
        self.told.appearing()
    }
}

/// An event in words, with the points that it moved; for a false move, also with the counter.
fn tell(event: Event, before: &[Player], view: &View) -> String {
    let place = |cell| {
        let Pos { row, col } = view.board().dims().pos(cell);
        format!("{row};{col}")
    };
    let ghost = |colour| letter(Piece::ghost(colour));
    let mut text = match event {
        Event::FalseMove { piece, cause } => {
            let cause = if cause == FalseMove::Malformed { "malformed" } else { "blocked" };
            match view.players()[piece.colour.index()].false_moves {
                counter @ 0..=4 => format!("{} {cause} ({counter})", letter(piece)),
                _ => format!("{} {cause}", letter(piece)),
            }
        }
        Event::Moved { piece, to, .. } => format!("{} to {}", letter(piece), place(to)),
        Event::Took { colour, object, cell } => {
            format!("{} takes {} at {}", colour.letter(), object.letter(), place(cell))
        }
        Event::Teleported { piece, to, .. } => {
            format!("{} teleported to {}", letter(piece), place(to))
        }
        Event::Battle { pacman, ghost: owner, bitten } => {
            if bitten {
                format!("{} bites {}", ghost(owner), pacman.letter())
            } else {
                format!("{} eats {}", pacman.letter(), ghost(owner))
            }
        }
        Event::Frozen(colour) => format!("{} frozen", ghost(colour)),
        Event::Digesting(colour) => format!("{} digests", ghost(colour)),
        Event::Appeared { object, cell } => {
            format!("{} appears at {}", object.letter(), place(cell))
        }
        Event::Done(piece) => format!("{} done", letter(piece)),
        Event::TurnEnded => "end".to_owned(),
    };
    let points = Colour::first(before.len()).map(|colour| {
        let [old, new] = [before, view.players()].map(|players| players[colour.index()].points);
        (colour.letter(), new - old)
    });
    for (colour, change) in points.filter(|&(_, change)| change != 0) {
        write!(text, " {colour}{change:+}").expect("a string grows");
    }
    text
}

fn letter(piece: Piece) -> char {
    match piece.kind {
        PieceKind::Pacman => piece.colour.letter(),
        PieceKind::Ghost => piece.colour.letter().to_ascii_lowercase(),
    }
}

fn index(colour: char) -> usize {
    Colour::from_letter(colour).expect("an upper-case letter").index()
}

/// Dimensions and letters of a drawing, in row-major order.
fn read_drawing(drawing: &str) -> (Dims, String) {
    let rows: Vec<&str> = drawing.split_whitespace().collect();
    let side = |len: usize| u16::try_from(len).expect("a small drawing");
    let dims = Dims::new(side(rows.len()), side(rows[0].len())).expect("at least a cell");
    assert_eq!(rows.concat().len(), dims.len(), "rows of one length");
    (dims, rows.concat())
}

fn view(turns: (u32, u32), board: &str, dims: Dims, players: &[Player]) -> View {
    let names = vec![String::new(); players.len()];
    let text = plain::state(turns, board, dims, players, &names);
    StateReader::new().read(text.as_bytes()).expect("the text of a state").view.clone()
}
