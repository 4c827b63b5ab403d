//! A game as an animated GIF.

mod canvas;
mod ink;
mod scene;
mod shapes;
mod still;

use std::io::{self, Write};

use gif::{EncodingError, Repeat};

use crate::game::Game;
use crate::recording::Recording;
use scene::Scene;

/// How an animation is made.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// Pixels of a cell's side; from 1 to 32 when missing, as many as give a width of 800.
    pub scale: Option<u16>,
    /// Turns from a picture to the next; as many as give 1200 pictures at most when missing.
    pub step: Option<u32>,
    /// Pictures a second, from 1 to 50: what browsers show at most.
    pub rate: u16,
}

impl Default for Look {
    fn default() -> Self {
        Self { scale: None, step: None, rate: 10 }
    }
}

/// The pictures would be too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "pictures of {width} × {height} pixels are too large, expected at most {} a side and \
    {} million in all: cells have to be smaller than {scale} pixels",
    u16::MAX, Animation::MOST_PIXELS / 1_000_000
)]
pub struct TooLarge {
    width: u64,
    height: u64,
    scale: u16,
}

/// A recorded game as an animated GIF (*animation*): a picture a turn, which is repeated for ever.
#[derive(Debug)]
pub struct Animation<'a> {
    recording: &'a Recording,
    scene: Scene,
    step: usize,
    rate: u16,
}

impl<'a> Animation<'a> {
    const MOST_PICTURES: u32 = 1200;
    const MOST_PIXELS: u64 = 50_000_000;
    /// How long the last picture is shown, in hundredths of a second.
    const LAST: u16 = 300;

    /// The animation of a recording, not drawn yet.
    ///
    /// # Errors
    ///
    /// When pictures would have more than 65535 pixels a side, or 50 million in all.
    pub fn new(recording: &'a Recording, look: Look) -> Result<Self, TooLarge> {
        let scene = Scene::new(&Game::start(&recording.setup), look.scale)?;
        let step = look.step.unwrap_or(recording.turn().div_ceil(Self::MOST_PICTURES)).max(1);
        Ok(Self { recording, scene, step: step as usize, rate: look.rate.clamp(1, 50) })
    }

    /// Draws all pictures and writes them. The start and the last turn are always among them. Takes
    /// memory for three pictures.
    ///
    /// # Errors
    ///
    /// When `out` fails.
    pub fn write(self, out: impl Write) -> io::Result<()> {
        self.encode(out).map_err(|error| match error {
            EncodingError::Io(error) => error,
            other => io::Error::other(other),
        })
    }

    fn encode(mut self, out: impl Write) -> Result<(), EncodingError> {
        let mut game = Game::start(&self.recording.setup);
        let mut shown = self.scene.draw(&game);
        let (width, height) = shown.size();
        let mut encoder = gif::Encoder::new(out, width, height, &ink::palette())?;
        encoder.set_repeat(Repeat::Infinite)?;
        let mut frame = shown.whole();
        for (at, turn) in self.recording.turns.iter().enumerate() {
            game.play(turn);
            self.scene.follow(&game);
            if (at + 1) % self.step == 0 || at + 1 == self.recording.turns.len() {
                frame.delay = 100 / self.rate;
                encoder.write_frame(&frame)?;
                let picture = self.scene.draw(&game);
                frame = picture.since(&shown);
                shown = picture;
            }
        }
        frame.delay = Self::LAST;
        encoder.write_frame(&frame)?;
        encoder.into_inner()?.flush()?;
        Ok(())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail")]
mod tests {
    use game::pacman::{Direction, Map, Orders, Rules};
    use game::pyrat::{self, Recipe, Start, State};

    use super::*;
    use crate::{Answer, Given, Marks, PacmanSetup, PyRatSetup, Setup, Turn};

    const TURNS: u32 = 30;

    fn names() -> Vec<String> {
        vec!["Ada".to_owned(), "Bob".to_owned()]
    }

    fn pacman() -> Recording {
        let map = include_bytes!("../../cartes/petit.txt");
        let setup = Setup::Pacman(PacmanSetup {
            map: Map::parse(map).unwrap(),
            rules: Rules::SUJET,
            seed: 1,
            turns: TURNS,
            names: names(),
        });
        let orders = |d| Answer::Orders(Orders { pacman: Some(d), ghost: Some(d.opposite()) });
        recording(setup, orders)
    }

    fn pyrat() -> Recording {
        let maze = Recipe::default().make(3).unwrap();
        let start = State::start(&maze, 2, &Start::Corners, 21, 3, Some(TURNS)).unwrap();
        let setup = Setup::PyRat(PyRatSetup { start, seed: 3, names: names() });
        recording(setup, |direction| Answer::Action(pyrat::Answer::Go(direction)))
    }

    fn recording(setup: Setup, answer: impl Fn(Direction) -> Answer) -> Recording {
        let given = |turn: usize| Given::nothing(answer(Direction::ALL[turn * 7 / 5 % 4]));
        let turn =
            |turn| Turn { answers: vec![given(turn), given(turn + 1)], marks: Marks::default() };
        let turns = (0..TURNS as usize).map(turn).collect();
        let (checkpoints, is_complete, damage) = (Vec::new(), true, None);
        Recording { setup, turns, checkpoints, is_complete, damage }
    }

    /// The pictures of an animation as a viewer shows them, in inks.
    fn pictures(recording: &Recording, look: Look) -> (usize, Vec<Vec<u8>>) {
        let mut bytes = Vec::new();
        Animation::new(recording, look).unwrap().write(&mut bytes).unwrap();
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::Indexed);
        let mut decoder = options.read_info(&bytes[..]).unwrap();
        assert_eq!(decoder.global_palette(), Some(&padded(ink::palette())[..]));
        let width = usize::from(decoder.width());
        let mut shown = vec![u8::MAX; width * usize::from(decoder.height())];
        let mut pictures = Vec::new();
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            let [left, top, across] = [frame.left, frame.top, frame.width].map(usize::from);
            for (row, inks) in frame.buffer.chunks(across).enumerate() {
                let old = &mut shown[(top + row) * width + left..][..across];
                for (old, new) in old.iter_mut().zip(inks) {
                    *old = if Some(*new) == frame.transparent { *old } else { *new };
                }
            }
            pictures.push(shown.clone());
        }
        (width, pictures)
    }

    /// Tables of colours have a power of two of them.
    fn padded(mut palette: Vec<u8>) -> Vec<u8> {
        palette.resize((palette.len() / 3).next_power_of_two() * 3, 0);
        palette
    }

    #[test]
    fn changes_add_up_to_every_turn() {
        for recording in [pacman(), pyrat()] {
            let (width, pictures) = pictures(&recording, Look::default());
            let mut game = Game::start(&recording.setup);
            let mut scene = Scene::new(&game, None).unwrap();
            assert_eq!(pictures.len(), recording.turns.len() + 1);
            for (turn, picture) in pictures.iter().enumerate() {
                if turn > 0 {
                    game.play(&recording.turns[turn - 1]);
                    scene.follow(&game);
                }
                let drawn = scene.draw(&game);
                assert_eq!(usize::from(drawn.size().0), width);
                assert!(*drawn.whole().buffer == picture[..], "turn {turn}");
            }
            assert_ne!(pictures.first(), pictures.last());
        }
    }

    #[test]
    fn runners_are_on_their_cells() {
        for recording in [pacman(), pyrat()] {
            let look = Look { scale: Some(20), ..Look::default() };
            let (width, pictures) = pictures(&recording, look);
            let mut game = Game::start(&recording.setup);
            for (turn, picture) in pictures.iter().enumerate() {
                if turn > 0 {
                    game.play(&recording.turns[turn - 1]);
                }
                let (dims, cells): (_, Vec<_>) = match &game {
                    Game::Pacman(game) => {
                        let view = game.state().view();
                        (view.board().dims(), view.players().iter().map(|p| p.pacman).collect())
                    }
                    Game::PyRat(game) => {
                        let rats = game.state().rats().iter();
                        (game.state().maze().dims(), rats.map(|rat| rat.cell).collect())
                    }
                };
                for (player, cell) in cells.into_iter().enumerate() {
                    let pos = dims.pos(cell);
                    let rows = (0..20).map(|row| 5 + 20 * usize::from(pos.row) + row);
                    let from = 5 + 20 * usize::from(pos.col);
                    let inks = rows.flat_map(|row| &picture[row * width + from..][..20]);
                    let painted = inks.filter(|ink| **ink == ink::player(player)).count();
                    assert!(painted > 50, "player {player} at turn {turn}: {painted} pixels");
                }
            }
        }
    }

    #[test]
    fn turns_are_left_out() {
        let recording = pacman();
        let (_, all) = pictures(&recording, Look::default());
        let (_, some) = pictures(&recording, Look { step: Some(7), ..Look::default() });
        let kept = [0, 7, 14, 21, 28, 30].map(|turn: usize| all[turn].clone());
        assert!(some == kept);
    }

    #[test]
    fn sizes_have_limits() {
        let recording = pacman();
        let at = |scale| Animation::new(&recording, Look { scale: Some(scale), ..Look::default() });
        assert!(at(100).is_ok());
        let error = at(u16::MAX).unwrap_err().to_string();
        assert!(error.contains("cells have to be smaller than 65535 pixels"), "{error}");
    }
}
