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
        let mut said = Vec::new();
        match happening {
            Happening::Missed { colour, times } => {
                said.extend(self.rats([colour]));
                said.push(Span::raw(match self.wordy {
                    true => "misses its turn ",
                    false => "",
                }));
                said.push(Span::styled(format!("×{times}"), STRONG));
            }
            Happening::EnteredMud { colour, turns } => {
                said.extend(self.rats([colour]));
                let mud = if self.wordy { "enters mud".to_owned() } else { MUD.to_string() };
                said.push(Span::styled(mud, self.theme.mud()));
                said.push(Span::raw(match self.wordy {
                    true => format!(" for {turns} turns"),
                    false => format!(" {turns} turns"),
                }));
            }
            Happening::Ate { by, left } => {
                let by: Vec<_> = Colour::first(Colour::MAX).filter(|&c| by.contains(c)).collect();
                let verb = match by.len() {
                    0 => "",
                    _ if !self.wordy => "",
                    1 => "eats ",
                    _ => "share ",
                };
                said.extend(self.rats(by));
                said.push(Span::raw(verb));
                let cheese = if self.wordy { "cheese".to_owned() } else { CHEESE.to_string() };
                said.push(Span::styled(cheese, self.theme.cheese()));
                said.push(Span::raw(match left {
                    0 => ", none left".to_owned(),
                    left => format!(", {left} left"),
                }));
            }
            Happening::Over(ending) => said.push(Span::raw(match (ending, self.wordy) {
                (Ending::Settled, true) => "the ranking is settled",
                (Ending::Turns, true) => "the turns are played",
                (Ending::Settled, false) => "all settled",
                (Ending::Turns, false) => "turns played",
            })),
        }
        said
    }

    fn rats(
        &self,
        colours: impl IntoIterator<Item = Colour>,
    ) -> impl Iterator<Item = Span<'static>> {
        let theme = self.theme;
        colours.into_iter().flat_map(move |colour| {
            [Span::styled(colour.letter().to_string(), theme.token(colour)), Span::raw(" ")]
        })
    }
}
