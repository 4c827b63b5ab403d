//! Words for the events of PyRat.

use game::colour::Colour;
use language::{said, word};
use ratatui::text::Span;

use super::happening::{Ending, Happening};
use super::{CHEESE, MUD};
use crate::viewer::Theme;
use crate::viewer::scene_view::Spans;
use crate::viewer::theme::STRONG;

/// Puts what happened into words.
pub(super) struct Words {
    pub(super) theme: Theme,
    /// `true` if there is room for sentences.
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
                said.push(Span::raw(if self.wordy {
                    word("misses its turn ", "manque son tour ")
                } else {
                    ""
                }));
                said.push(Span::styled(format!("×{times}"), STRONG));
                said
            }
            Happening::EnteredMud { colour, turns } => {
                let mut said = self.rats([colour]);
                let (mud, how_long) = if self.wordy {
                    (
                        said!("enters mud", "entre dans la boue"),
                        said!(" for {turns} turns", " pour {turns} tours"),
                    )
                } else {
                    (MUD.to_string(), said!(" {turns} turns", " {turns} tours"))
                };
                said.push(Span::styled(mud, self.theme.mud()));
                said.push(Span::raw(how_long));
                said
            }
            Happening::Ate { by, left } => {
                let by: Vec<_> = Colour::first(Colour::MAX).filter(|&c| by.contains(c)).collect();
                let (verb, cheese, passive) = match (by.len(), self.wordy) {
                    (_, false) => ("", CHEESE.to_string(), ""),
                    (0, true) => ("", said!("cheese", "fromage"), word(" is eaten", " est mangé")),
                    (1, true) => (word("eats ", "mange du "), said!("cheese", "fromage"), ""),
                    (_, true) => (word("share ", "partagent du "), said!("cheese", "fromage"), ""),
                };
                let mut said = self.rats(by);
                said.push(Span::raw(verb));
                said.push(Span::styled(cheese, self.theme.cheese()));
                said.push(Span::raw(match left {
                    0 => said!("{passive}, none left", "{passive}, il n'en reste plus"),
                    left => said!("{passive}, {left} left", "{passive}, il en reste {left}"),
                }));
                said
            }
            Happening::Over(ending) => vec![Span::raw(match (ending, self.wordy) {
                (Ending::Settled, true) => {
                    word("the ranking is settled", "le classement est acquis")
                }
                (Ending::Turns, true) => word("the turns are played", "tous les tours sont joués"),
                (Ending::Settled, false) => word("all settled", "classement acquis"),
                (Ending::Turns, false) => word("turns played", "tours joués"),
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
