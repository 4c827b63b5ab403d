//! Recorded games as Python objects.

use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;

use game::pacman::Colour;
use language::{said, word};
use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use replay::{AnswerFault, Replay, Setup, jsonl, page};

use crate::board::place;
use crate::fault::wrong;
use crate::view::View;

/// A recorded game (*rejeu*), of Pacman or of PyRat.
#[pyclass(frozen, subclass, module = "pacman_iuto")]
pub(crate) struct Recording {
    recording: replay::Recording,
    bytes: Vec<u8>,
}

impl Recording {
    pub(crate) fn from_bytes(bytes: Vec<u8>) -> PyResult<Self> {
        Ok(Self { recording: replay::Recording::read(&bytes).map_err(wrong)?, bytes })
    }

    /// Plays the recorded turns, at most `turns` of them; calls `each` with the game after every turn.
    fn play(&self, turns: usize, mut each: impl FnMut(&Replay, &replay::Turn)) -> Replay {
        let mut game = Replay::start(&self.recording.setup);
        for turn in self.recording.turns.iter().take(turns) {
            game.play(&turn);
            each(&game, &turn);
        }
        game
    }
}

#[pymethods]
impl Recording {
    /// Decodes the bytes of a recording file, up to the first damage.
    #[new]
    fn new(data: &Bound<'_, PyBytes>) -> PyResult<Self> {
        Self::from_bytes(data.as_bytes().to_vec())
    }

    /// Reads the file that ``path`` names, up to one byte more than the maximum size of a recording.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Bound<'_, PyBytes>> {
        let shown = path.display().to_string();
        let read = || -> io::Result<Vec<u8>> {
            let mut bytes = Vec::new();
            let file = File::open(path)?;
            file.take(replay::Recording::MOST_BYTES + 1).read_to_end(&mut bytes)?;
            Ok(bytes)
        };
        let bytes =
            read().map_err(|error| io::Error::new(error.kind(), format!("{shown}: {error}")))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The bytes of the recording's file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.bytes)
    }

    /// ``"pacman"`` or ``"pyrat"``.
    #[getter]
    fn game(&self) -> &'static str {
        match self.recording.setup {
            Setup::Pacman(_) => "pacman",
            Setup::PyRat(_) => "pyrat",
        }
    }

    /// The names of the players, in order of colour.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.recording.setup.names().to_vec()
    }

    /// The seed that every draw of the game follows from.
    #[getter]
    fn seed(&self) -> u64 {
        self.recording.setup.seed()
    }

    /// Number of recorded turns.
    #[getter]
    fn turns(&self) -> u32 {
        self.recording.turn()
    }

    /// Tests if the game was recorded to its end.
    #[getter]
    fn is_complete(&self) -> bool {
        self.recording.is_complete
    }

    /// The place and the reason at which reading stopped; ``None`` if the whole file was read.
    #[getter]
    fn damage(&self) -> Option<String> {
        self.recording.damage.as_ref().map(ToString::to_string)
    }

    /// Points of the players after the last recorded turn, in order of colour; pieces of cheese in PyRat.
    #[getter]
    fn points(&self, py: Python<'_>) -> Vec<f64> {
        py.detach(|| match self.play(usize::MAX, |_, _| {}) {
            Replay::Pacman(game) => {
                game.state().view().players().iter().map(|player| player.points.into()).collect()
            }
            Replay::PyRat(game) => {
                game.state().rats().iter().map(|rat| rat.score.as_f64()).collect()
            }
        })
    }

    /// Plays the game again: ``None`` if every state equals the recorded one, otherwise the first difference in words.
    fn verify(&self, py: Python<'_>) -> Option<String> {
        py.detach(|| replay::verify(&self.recording).err().map(|difference| difference.to_string()))
    }

    /// The lines of JSON that ``rejeu jsonl`` writes: the beginning of the game, then a line a turn.
    fn json_lines(&self, py: Python<'_>) -> Vec<String> {
        py.detach(|| jsonl::lines(&self.recording).map(|line| line.to_string()).collect())
    }

    /// The web page with the game in it, as one self-contained HTML text. Raises ``ValueError`` for a game that is too
    /// long for a browser.
    fn html(&self, py: Python<'_>) -> PyResult<String> {
        page::check_length(&self.recording).map_err(wrong)?;
        Ok(py.detach(|| page::standalone(&self.recording)))
    }

    /// The view of a player (``"A"``, …; ``None``: nobody) after this number of turns of a game of Pacman.
    #[pyo3(signature = (turn, me = None))]
    fn view(&self, py: Python<'_>, turn: u32, me: Option<char>) -> PyResult<View> {
        if turn > self.recording.turn() {
            let last = self.recording.turn();
            return Err(wrong(said!(
                "expected a turn from 0 to {last}, got {turn}",
                "un tour de 0 à {last} est attendu, et non {turn}"
            )));
        }
        let names = self.recording.setup.names();
        let me = me.map(|letter| {
            let colour = Colour::from_letter(letter).filter(|me| me.index() < names.len());
            colour.ok_or_else(|| {
                wrong(said!("there is no player {letter:?}", "il n'y a pas de joueur {letter:?}"))
            })
        });
        match py.detach(|| self.play(turn as usize, |_, _| {})) {
            Replay::Pacman(game) => {
                Ok(View::new(game.state().view().clone(), names.into(), me.transpose()?))
            }
            Replay::PyRat(_) => Err(wrong(word(
                "a game of PyRat has no view, expected one of Pacman",
                "une partie de PyRat n'a pas de vue, il faut une partie de Pacman",
            ))),
        }
    }

    /// The game as columns of one length, a row a turn and player: ``pandas.DataFrame(table)`` takes it.
    ///
    /// ``turn`` (from 1), ``player`` (``"A"``, …), ``name``, ``answer`` (letters; empty if nothing came),
    /// ``fault`` (``""``, ``"malformed"``, ``"missed"`` or ``"disconnected"``), ``time_s`` (seconds), and
    /// the state after the turn: ``points`` (in PyRat pieces of cheese), ``row``, ``column`` (of the pacman
    /// or rat), and in Pacman ``ghost_row``, ``ghost_column``, ``false_moves``, ``glutton``, ``freeze``,
    /// ``wall_pass`` (turns left), in PyRat ``mud`` (turns left).
    fn table<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let names = self.recording.setup.names();
        let texts = ["player", "name", "answer", "fault"];
        let floats = ["time_s", "points"];
        let numbers = match self.recording.setup {
            Setup::Pacman(_) => PACMAN_NUMBERS,
            Setup::PyRat(_) => PYRAT_NUMBERS,
        };
        let mut text_columns = texts.map(|_| Vec::new());
        let mut float_columns = floats.map(|_| Vec::new());
        let mut number_columns: Vec<_> = numbers.iter().map(|_| Vec::new()).collect();
        let mut number = 0;
        self.play(usize::MAX, |game, turn| {
            number += 1;
            for (me, given) in Colour::first(names.len()).zip(&turn.answers) {
                let row = [
                    me.as_str().to_owned(),
                    names[me.index()].clone(),
                    given.letters().unwrap_or_default(),
                    given.fault().map_or("", AnswerFault::word).to_owned(),
                ];
                text_columns.iter_mut().zip(row).for_each(|(column, text)| column.push(text));
                let (points, rest) = state_of(game, me);
                float_columns[0].push(given.taken.as_secs_f64());
                float_columns[1].push(points);
                let row = std::iter::once(number).chain(rest);
                number_columns.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
            }
        });
        let table = PyDict::new(py);
        let mut number_columns = numbers.iter().zip(number_columns);
        for (name, column) in number_columns.by_ref().take(1) {
            table.set_item(name, column.into_pyarray(py))?;
        }
        for (name, column) in texts.into_iter().zip(text_columns) {
            table.set_item(name, column)?;
        }
        for (name, column) in floats.into_iter().zip(float_columns) {
            table.set_item(name, column.into_pyarray(py))?;
        }
        for (name, column) in number_columns {
            table.set_item(name, column.into_pyarray(py))?;
        }
        Ok(table)
    }
}

/// The columns of whole numbers in the table of a game.
const PACMAN_NUMBERS: &[&str] = &[
    "turn",
    "row",
    "column",
    "ghost_row",
    "ghost_column",
    "false_moves",
    "glutton",
    "freeze",
    "wall_pass",
];
const PYRAT_NUMBERS: &[&str] = &["turn", "row", "column", "mud"];

/// The points of a player, and the whole numbers of its row after the turn's number.
fn state_of(game: &Replay, me: Colour) -> (f64, Vec<i64>) {
    match game {
        Replay::Pacman(game) => {
            let view = game.state().view();
            let player = view.players()[me.index()];
            let (pacman, ghost) =
                (place(view.board(), player.pacman), place(view.board(), player.ghost));
            let numbers = [
                pacman.0.into(),
                pacman.1.into(),
                ghost.0.into(),
                ghost.1.into(),
                player.false_moves.into(),
                player.powers.glutton.into(),
                player.powers.freeze.into(),
                player.powers.wall_pass.into(),
            ];
            (player.points.into(), numbers.into())
        }
        Replay::PyRat(game) => {
            let rat = game.state().rats()[me.index()];
            let pos = game.state().maze().dims().pos(rat.cell);
            let mud = rat.mud.map_or(0, |mud| mud.left);
            (rat.score.as_f64(), [pos.row, pos.col, mud].map(i64::from).into())
        }
    }
}
