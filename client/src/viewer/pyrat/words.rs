//! What happens in PyRat, in words.

use game::colour::Colour;
use ratatui::text::Span;

use super::happening::{Ending, Happening};
use super::{CHEESE, MUD};
use crate::viewer::Theme;
use crate::viewer::stage::Spans;
use crate::viewer::theme::STRONG;

/// Puts what happened into words.
pub(super) struct Words {
    pub(super) theme: Theme,
    /// Whether there is room for sentences.
    pub(super) wordy: bool,
}

impl Words {
    pub(super) fn tell(&self, happenings: &[Happening]) -> Vec<Spans> {
        happenings.iter().map(|&happening| self.say(happening)).collect()
    }

    fn say(&self, happening: Happening) -> Spans {
        match happening {
            Happening::Missed { colour, times } => {
                let mut said = self.rats([colour]);
                said.push(Span::raw(if self.wordy { "misses its turn " } else { "" }));
                said.push(Span::styled(format!("×{times}"), STRONG));
                said
            }
            Happening::EnteredMud { colour, turns } => {
                let mut said = self.rats([colour]);
                let (mud, how_long) = match self.wordy {
                    true => ("enters mud".to_owned(), format!(" for {turns} turns")),
                    false => (MUD.to_string(), format!(" {turns} turns")),
                };
                said.push(Span::styled(mud, self.theme.mud()));
                said.push(Span::raw(how_long));
                said
            }
            Happening::Ate { by, left } => {
                let by: Vec<_> = Colour::first(Colour::MAX).filter(|&c| by.contains(c)).collect();
                let (verb, cheese, passive) = match (by.len(), self.wordy) {
                    (_, false) => ("", CHEESE.to_string(), ""),
                    (0, true) => ("", "cheese".to_owned(), " is eaten"),
                    (1, true) => ("eats ", "cheese".to_owned(), ""),
                    (_, true) => ("share ", "cheese".to_owned(), ""),
                };
                let mut said = self.rats(by);
                said.push(Span::raw(verb));
                said.push(Span::styled(cheese, self.theme.cheese()));
                said.push(Span::raw(match left {
                    0 => format!("{passive}, none left"),
                    left => format!("{passive}, {left} left"),
                }));
                said
            }
            Happening::Over(ending) => vec![Span::raw(match (ending, self.wordy) {
                (Ending::Settled, true) => "the ranking is settled",
                (Ending::Turns, true) => "the turns are played",
                (Ending::Settled, false) => "all settled",
                (Ending::Turns, false) => "turns played",
            })],
        }
    }

    fn rats(&self, colours: impl IntoIterator<Item = Colour>) -> Spans {
        let letter = |colour: Colour| {
            let letter = colour.letter().to_string();
            [Span::styled(letter, self.theme.token(colour)), Span::raw(" ")]
        };
        colours.into_iter().flat_map(letter).collect()
    }
}
