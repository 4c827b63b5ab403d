//! The text of a state.

use std::io::Write;

use language::Phrase;

use super::number;
use crate::notation::{DASHES, Expected, Input, PLAYERS, Unexpected};
use crate::pyrat::{Cell, Colour, Counts, Maze, Mud, Rat, Score, State};

/// Content of the text of a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The state; of the counts of answers, the text contains only the missed turns.
    pub state: State,
    /// The names of the players, in order of colour.
    pub names: Vec<String>,
}

impl State {
    /// Appends the state's text: `TURN;MOST_TURNS`, the cheese, and one line for each player as
    /// `COLOUR;SCORE;INDEX;MUD_LEFT;MUD_TARGET;MISSES;NAME`. Without a limit of turns, `MOST_TURNS`
    /// is empty.
    pub fn encode(&self, names: &[String], buffer: &mut Vec<u8>) {
        const NEVER: &str = "writing into memory does not fail";
        let most_turns = self.most_turns.map(|most| most.to_string()).unwrap_or_default();
        writeln!(buffer, "{};{most_turns}", self.turn).expect(NEVER);
        buffer.extend_from_slice(DASHES);
        writeln!(buffer, "{}", self.cheese.len()).expect(NEVER);
        for cell in &self.cheese {
            writeln!(buffer, "{}", cell.index()).expect(NEVER);
        }
        buffer.extend_from_slice(DASHES);
        let names = names.iter().map(String::as_str).chain(std::iter::repeat(""));
        for ((colour, rat), name) in Colour::first(self.rats.len()).zip(&self.rats).zip(names) {
            let (letter, Rat { score, cell, .. }) = (colour.letter(), rat);
            let (left, target) = match rat.mud {
                Some(mud) => (mud.left, mud.target.index().to_string()),
                None => (0, String::new()),
            };
            let (cell, misses) = (cell.index(), rat.counts.missed);
            writeln!(buffer, "{letter};{score};{cell};{left};{target};{misses};{name}")
                .expect(NEVER);
        }
    }

    /// Reads the text of a state in this maze.
    ///
    /// # Errors
    ///
    /// If a line is malformed.
    pub fn decode(maze: &Maze, text: &[u8]) -> Result<Reading, Unexpected> {
        let mut input = Input::new(text);
        read(maze, &mut input)
            .map_err(|expected| input.error(Phrase::new("of the state", "de l'état"), expected))
    }
}

fn read(maze: &Maze, input: &mut Input<'_>) -> Result<Reading, Expected> {
    const FIRST_LINE: Phrase = Phrase::new("`TURN;MOST_TURNS`", "`TOUR;TOURS_MAX`");
    const PLAYER: Phrase = Phrase::new(
        "a player, in order of colour, as \
                          `COLOUR;SCORE;INDEX;MUD_LEFT;MUD_TARGET;MISSES;NAME`",
        "un joueur, par ordre de couleur, sous la forme `COULEUR;SCORE;NUMÉRO;BOUE_RESTANTE;BOUE_VERS;ABSENCES;NOM`",
    );
    let turn = input.expect(FIRST_LINE, |input| input.number(b';'))?;
    let most_turns = match input.rest().first() {
        Some(b'\n') => {
            input.skip(1);
            None
        }
        _ => Some(input.expect(FIRST_LINE, |input| input.number(b'\n'))?),
    };
    input.dashes()?;
    let mut cheese = Vec::new();
    for _ in 0..input
        .expect(Phrase::new("the number of pieces of cheese", "le nombre de fromages"), |input| {
            input.number(b'\n')
        })?
    {
        cheese.push(input.expect(
            Phrase::new("the cell of a piece of cheese", "la case d'un fromage"),
            |input| cell(maze, input, b'\n'),
        )?);
    }
    input.dashes()?;
    let (mut rats, mut names) = (Vec::new(), Vec::new());
    while !input.rest().is_empty() {
        let colour = Colour::new(rats.len())
            .ok_or(Expected(Phrase::new("at most 26 players", "26 joueurs au plus")))?;
        let (rat, name) =
            input.expect(PLAYER, |input| Some((rat(maze, input, colour)?, input.until(b'\n')?)))?;
        rats.push(rat);
        names.push(String::from_utf8_lossy(name).into_owned());
    }
    let state = State { maze: maze.clone(), rats, cheese, turn, most_turns };
    Ok(Reading { state, names })
}

/// Reads the line of a player up to the name.
fn rat(maze: &Maze, input: &mut Input<'_>, colour: Colour) -> Option<Rat> {
    let named = input.byte()? == PLAYERS[colour.index()] && input.byte()? == b';';
    named.then_some(())?;
    let score = score(input.until(b';')?)?;
    let place = cell(maze, input, b';')?;
    let left = u16::try_from(input.number(b';')?).ok()?;
    let mud = match left {
        0 => (input.byte()? == b';').then_some(None)?,
        _ => Some(Mud { left, target: cell(maze, input, b';')? }),
    };
    let missed = input.number(b';')?;
    Some(Rat { cell: place, mud, score, counts: Counts { missed, ..Counts::default() } })
}

fn cell(maze: &Maze, input: &mut Input<'_>, end: u8) -> Option<Cell> {
    let index = input.number(end)? as usize;
    maze.dims().nth(index).filter(|&cell| !maze.is_wall(cell))
}

/// Reads a score such as `3` or `7/2`.
fn score(text: &[u8]) -> Option<Score> {
    let text = std::str::from_utf8(text).ok()?;
    let (pieces, shares) = text.split_once('/').unwrap_or((text, "1"));
    Score::fraction(number(pieces)?, number(shares)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_any_shares_are_read_as_they_are_written() {
        let mut sum = Score::default();
        for rats in (1..=Score::SHARES).chain([2, 3, 5]) {
            let share = Score::fraction(1, rats).unwrap();
            for one in [share, share + Score::fraction(1, 5).unwrap(), sum] {
                assert_eq!(score(one.to_string().as_bytes()), Some(one), "{one}");
            }
            sum += share;
        }
        for wrong in ["", "1/", "/2", "1/0", "1/29", "1/-2", "+1", "1000001", "99999999999/2"] {
            assert_eq!(score(wrong.as_bytes()), None, "{wrong}");
        }
    }
}
