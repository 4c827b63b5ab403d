//! Interface between the screen and a game.

use game::colour::Colour;
use graph::{Dims, Pos};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::viewer::camera::{Camera, Scale};
use crate::viewer::{BoardSize, Model, Theme};

/// A state of a game and what has happened since the one before it, as the panels show it.
pub(super) trait SceneView {
    /// The name of the game.
    fn title(&self) -> &'static str;
    /// The arguments after the name of the program `client` in a player's command.
    fn subcommand(&self) -> &'static str;
    /// The unit between two states.
    fn step(&self) -> &'static str;
    /// Turns played.
    fn elapsed(&self) -> u32;
    /// Turns after which the game ends, if there is a limit.
    fn total(&self) -> Option<u32>;
    /// Tests if the game has ended.
    fn is_over(&self) -> bool;
    /// Number of players; their colours are the first ones.
    fn players(&self) -> usize;
    /// The players by score, best first, each with its rank from 1; equal scores share a rank.
    fn ranking(&self) -> Vec<(usize, Colour)>;
    /// About how much memory it takes, what is shared with other states apart.
    fn bytes(&self) -> usize;

    /// Rows and columns of the board.
    fn dims(&self) -> Dims;
    /// Position of a player.
    fn place(&self, colour: Colour) -> Option<Pos>;
    /// Room that the board takes at a size.
    fn scale(&self, size: BoardSize) -> Scale;
    /// Draws what the camera sees of the board.
    fn draw_board(&self, model: &Model, camera: Camera, theme: Theme, area: Rect, to: &mut Buffer);

    /// Title above the scores; short enough for the narrowest panel.
    fn scores_title(&self) -> String;
    /// A player's score.
    fn score(&self, colour: Colour) -> String;
    /// Conditions in which a player may be for some turns: a sign for each.
    fn conditions(&self, theme: Theme) -> Vec<(char, Style)>;
    /// Number of turns that a player still has each of these conditions.
    fn turns_left(&self, colour: Colour) -> Vec<u32>;
    /// Number of a player's mistakes.
    fn mistakes(&self, colour: Colour) -> i64;

    /// Unit of the scores, and the least range of them that a chart shows.
    fn unit(&self) -> (&'static str, f64);
    /// A player's score, as a chart needs it.
    fn height(&self, colour: Colour) -> f64;
    /// Turns that the axis of a chart spans after `played` turns.
    fn span(&self, played: u32) -> u32;

    /// Events worth telling, in order; in few words or in fewer.
    fn tell(&self, theme: Theme, wordy: bool) -> Vec<Told>;
    /// Legend of the signs on the board.
    fn signs(&self, theme: Theme) -> Vec<Line<'static>>;
}

/// A line of words.
pub(super) type Spans = Vec<Span<'static>>;

/// An event in words.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Told {
    /// The words, without points.
    pub(super) said: Spans,
    /// The points that its subject wins by it; `None` if they are not shown.
    pub(super) points: Option<i32>,
    /// Maximum number of turns to the next event in the same words that belongs to the same episode; `None` if each event
    /// stands alone.
    pub(super) patience: Option<u32>,
}

impl From<Spans> for Told {
    fn from(said: Spans) -> Self {
        Self { said, points: None, patience: None }
    }
}
