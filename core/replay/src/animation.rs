//! A game as an animated GIF.

mod canvas;
mod ink;
mod picture;
mod scene;
mod shapes;
mod still;

use std::fmt;
use std::io::{self, Write};
use std::str::FromStr;

use gif::{EncodingError, Repeat};
use language::{Language, said};

use crate::game::Replay;
use crate::recording::Recording;
use canvas::Canvas;
pub use picture::Picture;
use scene::Scene;

/// The settings of an animation.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// Side of a cell in pixels; `None` chooses the largest from 1 to 32 with a width of at most 800 pixels.
    pub scale: Option<u16>,
    /// Turns from a picture to the next; `None` chooses the fewest with at most 1200 pictures after the start, or
    /// more turns if `most_drawn` requires it.
    pub step: Option<u32>,
    /// The turns that are shown; `None` shows the whole game.
    pub clip: Option<Clip>,
    /// Pictures per second, from 1 to 50; browsers show no more. See [`shown_rate`](Self::shown_rate).
    pub rate: u16,
    /// Maximum number of pixels of all pictures together, at most 20 000 million, which take minutes to draw.
    /// Without a `step`, pictures are left out to stay within it.
    pub most_drawn: u64,
    /// Language of the points.
    pub language: Language,
}

impl Default for Look {
    fn default() -> Self {
        Self {
            scale: None,
            step: None,
            clip: None,
            rate: 10,
            most_drawn: Animation::MOST_DRAWN,
            language: Language::English,
        }
    }
}

impl Look {
    /// The pictures per second that viewers show: the possible rate nearest to [`rate`](Self::rate). GIF counts
    /// hundredths of a second, so that 100 divided by a whole number is possible.
    pub fn shown_rate(self) -> f64 {
        100.0 / f64::from(self.delay())
    }

    /// Display time of a picture, in hundredths of a second.
    fn delay(self) -> u16 {
        let rate = self.rate.clamp(1, 50);
        let short = 100 / rate;
        let long = short + 1;
        // The differences of both rates from the given one, times `short * long`.
        let (above, below) = ((100 - rate * short) * long, (rate * long - 100) * short);
        if above <= below { short } else { long }
    }
}

/// A part of a game: from the state after a turn to that after another one; turn 0 is the start. Its text is `80..120`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clip {
    first: u32,
    last: u32,
}

/// A text that is no clip, or one of a clip without turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", said!(
    "expected two turns, the second one after the first one, such as 80..120",
    "deux tours sont attendus, le second après le premier, comme 80..120"
))]
pub struct NoClip;

impl fmt::Display for Clip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.first, self.last)
    }
}

impl FromStr for Clip {
    type Err = NoClip;

    fn from_str(text: &str) -> Result<Self, NoClip> {
        let (first, last) = text.split_once("..").ok_or(NoClip)?;
        let [first, last] = [first, last].map(|turn| turn.parse().map_err(|_| NoClip));
        let (first, last) = (first?, last?);
        if first < last { Ok(Self { first, last }) } else { Err(NoClip) }
    }
}

/// A reason why a game cannot be drawn with some settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TooLarge {
    /// The pictures would be too large.
    #[error("{}", said!(
            "pictures of {width} × {height} pixels are too large, expected at most {} a side and {} million in \
             all: cells have to be smaller than {scale} pixels",
            "des images de {width} × {height} pixels sont trop grandes, au plus {} par côté et {} millions en \
             tout sont possibles : il faut des cases de moins de {scale} pixels",
            u16::MAX, Animation::MOST_PIXELS / 1_000_000
        ))]
    Pictures {
        /// Width of a picture, in pixels.
        width: u64,
        /// Height of a picture, in pixels.
        height: u64,
        /// Side of a cell, in pixels.
        scale: u16,
    },
    /// There would be too many pictures of this size.
    #[error("{}", said!(
            "{pictures} pictures of {pixels} pixels are too many, expected at most {} million pixels in all: \
             expected {least} turns or more from a picture to the next, or smaller cells",
            "{pictures} images de {pixels} pixels sont trop, au plus {} millions de pixels en tout sont \
             possibles : il faut au moins {least} tours d'une image à la suivante, ou des cases plus petites",
            most_drawn / 1_000_000
        ))]
    Work {
        /// The number of pictures.
        pictures: u64,
        /// The number of pixels of a picture.
        pixels: u64,
        /// The smallest possible step, in turns.
        least: u64,
        /// Maximum number of pixels of all pictures.
        most_drawn: u64,
    },
    /// The clip goes beyond the last turn of the recording.
    #[error("{}", said!(
            "turn {last} is too late, expected at most {turns}, the last turn of the recording",
            "le tour {last} est trop tardif, au plus {turns} est attendu, le dernier tour de l'enregistrement"
        ))]
    Clip {
        /// The last turn of the clip.
        last: u32,
        /// The number of turns recorded.
        turns: u32,
    },
}

/// A recorded game as an animated GIF (*animation*) that repeats for ever.
#[derive(Debug)]
pub struct Animation<'a> {
    recording: &'a Recording,
    scene: Scene,
    /// The turns after whose states the first and the last picture are.
    clip: Clip,
    step: usize,
    /// Display time of a picture, in hundredths of a second.
    delay: u16,
}

impl<'a> Animation<'a> {
    const MOST_PICTURES: u64 = 1200;
    const MOST_PIXELS: u64 = 50_000_000;
    /// Maximum number of pixels of all pictures together: minutes of work.
    const MOST_DRAWN: u64 = 20_000_000_000;
    /// Display time of the last picture, in hundredths of a second.
    const LAST: u16 = 300;

    /// Prepares the animation of a recording, without drawing it.
    ///
    /// # Errors
    ///
    /// When the clip goes beyond the last turn, when a picture would have more than 65535 pixels a side or 50 million
    /// pixels, or when all pictures at the given step would have more than `look.most_drawn` pixels together.
    pub fn new(recording: &'a Recording, look: Look) -> Result<Self, TooLarge> {
        let (game, names) = (Replay::start(&recording.setup), recording.setup.names());
        let whole = Clip { first: 0, last: recording.turn() };
        let clip = look.clip.unwrap_or(whole);
        if clip.last > whole.last {
            return Err(TooLarge::Clip { last: clip.last, turns: whole.last });
        }
        let scene = Scene::new(&game, names, look)?;
        let (width, height) = scene.size();
        let pixels = u64::from(width) * u64::from(height);
        // One of the pictures is the start.
        let most_drawn = look.most_drawn.min(Self::MOST_DRAWN);
        let most = (most_drawn / pixels).saturating_sub(1).max(1);
        let turns = u64::from(clip.last - clip.first);
        let least = turns.div_ceil(most);
        let usual = turns.div_ceil(Self::MOST_PICTURES).max(least);
        let step = look.step.map_or(usual, u64::from).max(1);
        if step < least {
            return Err(TooLarge::Work {
                pictures: 1 + turns.div_ceil(step),
                pixels,
                least,
                most_drawn,
            });
        }
        // The step is at most the number of turns or the given step, which are 32-bit numbers.
        Ok(Self { recording, scene, clip, step: step as usize, delay: look.delay() })
    }

    /// Draws and writes all pictures, always including the first and the last one; the last one of the game has a podium. Takes memory for three
    /// pictures.
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
        let [first, last] = [self.clip.first, self.clip.last].map(|turn| turn as usize);
        let mut game = Replay::start(&self.recording.setup);
        let mut turns = self.recording.turns.iter().take(last);
        for turn in turns.by_ref().take(first) {
            game.play(&turn);
            self.scene.follow(&game);
        }
        let mut shown = self.picture(&game, first);
        let (width, height) = shown.size();
        let mut encoder = gif::Encoder::new(out, width, height, &ink::palette())?;
        encoder.set_repeat(Repeat::Infinite)?;
        let mut frame = shown.whole();
        for (turn, played) in (first + 1..).zip(turns) {
            game.play(&played);
            self.scene.follow(&game);
            if (turn - first) % self.step == 0 || turn == last {
                frame.delay = self.delay;
                encoder.write_frame(&frame)?;
                let picture = self.picture(&game, turn);
                frame = picture.since(&shown);
                shown = picture;
            }
        }
        frame.delay = Self::LAST;
        encoder.write_frame(&frame)?;
        encoder.into_inner()?.flush()?;
        Ok(())
    }

    /// Draws the state after a turn; after the last one of the recording, the podium, too.
    fn picture(&self, game: &Replay, turn: usize) -> Canvas {
        let mut picture = self.scene.draw(game);
        if turn == self.recording.turns.len() {
            self.scene.draw_podium(&mut picture, game);
        }
        picture
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
        let map = include_bytes!("../../../cartes/petit.txt");
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
        recording(setup, |direction| Answer::Action(pyrat::Action::Go(direction)))
    }

    fn recording(setup: Setup, answer: impl Fn(Direction) -> Answer) -> Recording {
        let given = |turn: usize| Given::nothing(answer(Direction::ALL[turn * 7 / 5 % 4]));
        let turn =
            |turn| Turn { answers: vec![given(turn), given(turn + 1)], marks: Marks::default() };
        let mut recording = Recording::new(setup);
        (0..TURNS as usize).for_each(|at| recording.turns.push(&turn(at)));
        recording
    }

    /// Returns the width and the pictures of an animation as a viewer shows them, in inks.
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

    /// Pads a palette to a power of two of colours, as GIF files have them.
    fn padded(mut palette: Vec<u8>) -> Vec<u8> {
        palette.resize((palette.len() / 3).next_power_of_two() * 3, 0);
        palette
    }

    #[test]
    fn changes_add_up_to_every_turn() {
        for recording in [pacman(), pyrat()] {
            let (width, pictures) = pictures(&recording, Look::default());
            let mut game = Replay::start(&recording.setup);
            let mut scene = Scene::new(&game, recording.setup.names(), Look::default()).unwrap();
            assert_eq!(pictures.len(), recording.turns.len() + 1);
            for (turn, picture) in pictures.iter().enumerate() {
                if turn > 0 {
                    game.play(&recording.turns.get(turn - 1).unwrap());
                    scene.follow(&game);
                }
                let mut drawn = scene.draw(&game);
                if turn == recording.turns.len() {
                    scene.draw_podium(&mut drawn, &game);
                }
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
            let mut game = Replay::start(&recording.setup);
            // The podium may cover them in the last picture.
            for (turn, picture) in pictures.iter().enumerate().take(TURNS as usize) {
                if turn > 0 {
                    game.play(&recording.turns.get(turn - 1).unwrap());
                }
                let (dims, cells): (_, Vec<_>) = match &game {
                    Replay::Pacman(game) => {
                        let view = game.state().view();
                        (view.board().dims(), view.players().iter().map(|p| p.pacman).collect())
                    }
                    Replay::PyRat(game) => {
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
    fn floor_is_never_painted_as_a_hole() {
        for seed in 0..50 {
            let maze = Recipe::default().make(seed).unwrap();
            let start = State::start(&maze, 2, &Start::Corners, 21, seed, None).unwrap();
            let setup = Setup::PyRat(PyRatSetup { start, seed, names: names() });
            let look = Look { scale: Some(20), ..Look::default() };
            let scene = Scene::new(&Replay::start(&setup), &names(), look).unwrap();
            let picture = scene.draw(&Replay::start(&setup)).whole();
            for cell in maze.dims().cells() {
                let pos = maze.dims().pos(cell);
                let [row, col] = [pos.row, pos.col].map(|at| 5 + 20 * usize::from(at) + 10);
                let ink = picture.buffer[row * usize::from(picture.width) + col];
                assert_eq!(ink == ink::HOLE, !maze.cells().contains(&cell), "{seed}: {pos:?}");
            }
        }
    }

    #[test]
    fn clips_have_the_pictures_of_their_turns() {
        let recording = pacman();
        let (_, all) = pictures(&recording, Look::default());
        let clip = |text: &str| Look { clip: Some(text.parse().unwrap()), ..Look::default() };
        for (text, step, turns) in [
            ("0..2", None, vec![0, 1, 2]),
            ("11..20", Some(4), vec![11, 15, 19, 20]),
            ("28..30", None, vec![28, 29, 30]),
        ] {
            let (_, some) = pictures(&recording, Look { step, ..clip(text) });
            let kept: Vec<_> = turns.into_iter().map(|turn: usize| all[turn].clone()).collect();
            assert!(some == kept, "{text}");
        }
        let error = Animation::new(&recording, clip("20..31")).unwrap_err();
        assert_eq!(error, TooLarge::Clip { last: 31, turns: 30 });
        for text in ["", "7", "..", "3..", "..3", "3..3", "4..3", "-1..3", "1..=3", "1..4294967296"]
        {
            assert_eq!(text.parse::<Clip>(), Err(NoClip), "{text}");
        }
    }

    #[test]
    fn players_are_listed_by_their_points() {
        let recording = pacman();
        let mut game = Replay::start(&recording.setup);
        let scene = Scene::new(&game, recording.setup.names(), Look::default()).unwrap();
        let mut leaders = std::collections::HashSet::new();
        for turn in recording.turns.iter() {
            game.play(&turn);
            let points = game.points();
            let ranking = scene.ranking(&game);
            let listed: Vec<_> = ranking.iter().map(|(_, player, _)| points[*player]).collect();
            assert!(listed.is_sorted_by(|a, b| a >= b), "{ranking:?}");
            let second = if points[0].total_cmp(&points[1]).is_eq() { 1 } else { 2 };
            assert_eq!((ranking[0].0, ranking[1].0), (1, second));
            leaders.insert(ranking[0].1);
        }
        assert_eq!(leaders.len(), 2, "both players lead at some turn");
    }

    #[test]
    fn letters_are_whole_at_each_scale() {
        for scale in 10..=40 {
            let mut canvas = Canvas::new(60, 60, scale, 10);
            canvas.initial((0.5, 0.5), 'H', ink::WHITE, ink::WALL);
            let picture = canvas.whole();
            let rows = picture.buffer.chunks(60);
            let white = |row: &[u8]| row.iter().map(|ink| usize::from(*ink == ink::WHITE)).sum();
            let counts: Vec<_> = rows.map(white).filter(|count: &usize| *count > 0).collect();
            let dot = counts.len() / 7;
            // Four dots a row of uprights, six in the row of the bar.
            assert!(dot >= 1 && counts.len() == 7 * dot, "{scale}: {counts:?}");
            assert!(counts.iter().all(|count| [4 * dot, 6 * dot].contains(count)), "{counts:?}");
            assert!(7 * dot <= usize::from(scale), "{scale}");
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
    fn the_possible_rate_nearest_to_the_given_one_is_shown() {
        let delay = |rate| Look { rate, ..Look::default() }.delay();
        for (rate, expected) in [(0, 100), (1, 100), (3, 33), (10, 10), (50, 2), (60, 2)] {
            assert_eq!(delay(rate), expected, "{rate}");
        }
        for rate in 1..=50 {
            let distance = |delay: u16| (100.0 / f64::from(delay) - f64::from(rate)).abs();
            let nearest = (2..=100).min_by(|a, b| distance(*a).total_cmp(&distance(*b)));
            assert_eq!(Some(delay(rate)), nearest, "{rate}");
        }
    }

    /// A destination that fails after some bytes.
    struct Closed(usize);

    impl Write for Closed {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::BrokenPipe)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_destination_that_fails_is_told_without_a_panic() {
        let recording = pacman();
        for room in [0, 100, 1000, 5000] {
            let animation = Animation::new(&recording, Look::default()).unwrap();
            let failure = animation.write(Closed(room)).unwrap_err();
            assert_eq!(failure.kind(), io::ErrorKind::BrokenPipe);
        }
    }

    #[test]
    fn sizes_have_limits() {
        let recording = pacman();
        let at = |scale| Animation::new(&recording, Look { scale: Some(scale), ..Look::default() });
        assert!(at(100).is_ok());
        let error = at(u16::MAX).unwrap_err().to_string();
        assert!(error.contains("cells have to be smaller than 65535 pixels"), "{error}");
    }

    #[test]
    fn the_pixels_of_all_pictures_have_a_limit() {
        let Setup::Pacman(setup) = pacman().setup else { panic!("a game of Pacman") };
        let turns = 200_000;
        let mut recording = Recording::new(Setup::Pacman(PacmanSetup { turns, ..setup }));
        let turn = Turn { answers: vec![Given::nothing(Answer::Missed); 2], ..Turn::default() };
        (0..turns).for_each(|_| recording.turns.push(&turn));
        let at = |step, scale| {
            let look = Look { step, scale: Some(scale), ..Look::default() };
            Animation::new(&recording, look).map(|animation| animation.step)
        };
        assert_eq!(at(None, 2), Ok(167));
        let Err(TooLarge::Work { pixels, least, .. }) = at(Some(1), 100) else {
            panic!("too long")
        };
        let step = u32::try_from(least).unwrap();
        assert!((u64::from(turns) / least + 1) * pixels <= Animation::MOST_DRAWN);
        assert_eq!(at(Some(step), 100), Ok(step as usize));
        assert!(at(Some(step - 1), 100).is_err());
        assert!(at(None, 100).is_ok_and(|usual| usual >= step as usize));
        // A smaller limit leaves pictures out, but keeps the first and the last one.
        let limited = |most_drawn| {
            let look = Look { scale: Some(2), most_drawn, ..Look::default() };
            Animation::new(&recording, look).map(|animation| animation.step)
        };
        assert!(limited(1_000_000).is_ok_and(|step| step > 167));
        assert_eq!(limited(1), Ok(turns as usize));
    }
}
