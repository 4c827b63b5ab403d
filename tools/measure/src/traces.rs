//! Conformance with recorded games: does the engine reproduce every state, byte for byte?
//!
//! A trace file holds a game on each line, as JSON: the map, the starting cells and, for each turn, the
//! play order, the orders, every cell that a teleport drew, the object that appeared, and the text of
//! the state after the turn.

use std::collections::BTreeMap;
use std::fmt;
use std::io::Read;

use anyhow::{Context, bail};
use game::pacman::{
    Board, Cell, Colour, Map, Object, Orders, Pos, Rules, Scripted, State, StateText,
};
use language::said;
use serde::Deserialize;

use crate::records::records;

/// A recorded game.
#[derive(Debug, Deserialize)]
pub struct Trace {
    map: String,
    turns_total: u32,
    players: Vec<TracePlayer>,
    initial: String,
    turns: Vec<TraceTurn>,
}

#[derive(Debug, Deserialize)]
struct TracePlayer {
    colour: char,
    name: String,
    pacman: (u16, u16),
    ghost: (u16, u16),
}

#[derive(Debug, Deserialize)]
struct TraceTurn {
    play_order: String,
    orders: BTreeMap<char, String>,
    teleports: Vec<(u16, u16)>,
    spawn: Option<TraceSpawn>,
    state: String,
}

#[derive(Debug, Deserialize)]
struct TraceSpawn {
    object: char,
    cell: (u16, u16),
}

/// The result of replaying some games.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct TraceReport {
    /// Number of replayed games.
    pub games: usize,
    /// Number of replayed turns.
    pub turns: usize,
    /// Number of states, the start included, that differ from the recording or whose draws do.
    pub differences: usize,
    /// The first difference.
    pub first: Option<TraceDifference>,
}

/// A state that differs from the recording, or whose draws do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceDifference {
    /// The game's place in its file, from 1.
    pub game: usize,
    /// The turn, from 1; 0 is the start.
    pub turn: usize,
    /// The state in the trace.
    pub recorded: String,
    /// The state that the engine reached.
    pub played: String,
    /// Number of recorded cells that were missing, not allowed, or left over.
    pub draws: usize,
}

/// Shows both states side by side, with marks at lines that differ.
impl fmt::Display for TraceDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { game, turn, recorded, played, draws } = self;
        let difference = said!(
            "game {game}, turn {turn}: {draws} draws not as recorded",
            "partie {game}, tour {turn} : {draws} tirages autres que ceux enregistrés"
        );
        writeln!(f, "{difference}")?;
        let width = recorded.lines().map(|line| line.chars().count()).max().unwrap_or(0).max(8);
        writeln!(f, "  {:width$} | played", "recorded")?;
        let (mut left, mut right) = (recorded.lines(), played.lines());
        loop {
            let (left, right) = (left.next(), right.next());
            if left.is_none() && right.is_none() {
                return Ok(());
            }
            let mark = if left == right { ' ' } else { '*' };
            let (left, right) = (left.unwrap_or(""), right.unwrap_or(""));
            writeln!(f, "{mark} {left:width$} | {right}")?;
        }
    }
}

impl TraceReport {
    /// Replays the games of a file, plain or compressed with gzip, and adds the results.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or a line is not a game; with the line.
    pub fn replay(&mut self, file: impl Read + 'static, rules: Rules) -> anyhow::Result<()> {
        for record in records::<Trace>(file)? {
            let (line, trace) = record?;
            self.replay_game(line, &trace, rules)
                .with_context(|| said!("line {line}", "ligne {line}"))?;
        }
        Ok(())
    }

    fn replay_game(&mut self, game: usize, trace: &Trace, rules: Rules) -> anyhow::Result<()> {
        let map: Map = trace.map.parse().with_context(|| said!("map", "carte"))?;
        let board = map.board();
        let names = trace.players.iter().map(|player| player.name.clone()).collect();
        let mut text = StateText::new(names);
        let mut starts = Scripted::default();
        for (player, expected) in trace.players.iter().zip(Colour::first(Colour::MAX)) {
            if colour(player.colour)? != expected {
                bail!(said!(
                    "players: {} is not in order",
                    "joueurs : {} n'est pas à sa place",
                    player.colour
                ));
            }
            starts.cells.extend([cell(board, player.pacman)?, cell(board, player.ghost)?]);
        }
        let mut state =
            State::start(&map, rules, trace.turns_total, trace.players.len(), &mut starts);
        self.compare(game, 0, &trace.initial, text.write(state.view()), &starts);

        for (turn, recorded) in (1..).zip(&trace.turns) {
            let (mut chance, orders) =
                recorded.script(board).with_context(|| said!("turn {turn}", "tour {turn}"))?;
            state.play_turn(&orders, &mut chance, |_, _| {});
            self.compare(game, turn, &recorded.state, text.write(state.view()), &chance);
        }
        self.games += 1;
        self.turns += trace.turns.len();
        Ok(())
    }

    fn compare(
        &mut self,
        game: usize,
        turn: usize,
        recorded: &str,
        played: &[u8],
        used: &Scripted,
    ) {
        let draws = used.contradictions as usize + used.cells.len();
        if recorded.as_bytes() == played && draws == 0 {
            return;
        }
        self.differences += 1;
        self.first.get_or_insert_with(|| TraceDifference {
            game,
            turn,
            recorded: recorded.to_owned(),
            played: String::from_utf8_lossy(played).into_owned(),
            draws,
        });
    }
}

impl TraceTurn {
    /// The recorded draws of this turn, and the orders of the players.
    fn script(&self, board: &Board) -> anyhow::Result<(Scripted, Vec<Orders>)> {
        let mut script = Scripted {
            play_order: self.play_order.chars().map(colour).collect::<anyhow::Result<_>>()?,
            ..Scripted::default()
        };
        for &place in &self.teleports {
            script.cells.push_back(cell(board, place)?);
        }
        if let Some(spawn) = &self.spawn {
            let known = Object::APPEARING.into_iter().find(|o| o.letter() == spawn.object);
            script.appearing =
                Some(known.with_context(|| said!("spawn {:?}", "apparition {:?}", spawn.object))?);
            script.cells.push_back(cell(board, spawn.cell)?);
        }
        let mut orders = Vec::new();
        for (&letter, text) in &self.orders {
            let index = colour(letter)?.index();
            orders.resize(orders.len().max(index + 1), Orders::default());
            orders[index] = Orders::decode(text.as_bytes());
        }
        Ok((script, orders))
    }
}

fn colour(letter: char) -> anyhow::Result<Colour> {
    Colour::from_letter(letter)
        .with_context(|| said!("{letter:?} is not a colour", "{letter:?} n'est pas une couleur"))
}

fn cell(board: &Board, (row, col): (u16, u16)) -> anyhow::Result<Cell> {
    let pos = Pos { row, col };
    board
        .dims()
        .cell(pos)
        .with_context(|| said!("{pos} is not on the board", "{pos} n'est pas sur le plateau"))
}
