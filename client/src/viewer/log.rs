//! What has just happened.

use game::pacman::{Object, Piece, PieceKind};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use crate::viewer::panel::titled;
use crate::viewer::theme::{STRONG, name, sign};
use crate::viewer::{Happening, Moment, Theme};

/// What has happened up to the state that is shown, newest first. Vitamins are not worth a line.
pub(super) struct Log<I> {
    /// The states, newest first.
    pub(super) past: I,
    pub(super) theme: Theme,
}

/// From this width on there is room for the names of things.
const WORDY: u16 = 32;

impl<'a, I: Iterator<Item = &'a Moment>> Widget for Log<I> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        if area.is_empty() {
            return;
        }
        let area = titled("what happened", area, self.theme, buffer);
        let writer = Writer { theme: self.theme, wordy: area.width >= WORDY };
        let mut rows = area.rows();
        let mut game = None;
        for moment in self.past {
            if *game.get_or_insert(moment.game) != moment.game {
                return;
            }
            for &happening in moment.happenings.iter().rev() {
                if is_told(happening, moment) {
                    continue;
                }
                let said = writer.say(happening);
                let Some(row) = rows.next() else { return };
                let turn = format!("{:>4} ", moment.turn);
                let mut spans = vec![Span::styled(turn, self.theme.quiet())];
                spans.extend(said);
                Line::from(spans).render(row, buffer);
            }
        }
    }
}

/// Whether something goes without saying: a vitamin, where a teleporter leads.
fn is_told(happening: Happening, moment: &Moment) -> bool {
    match happening {
        Happening::Took { object, .. } => object == Object::Vitamin,
        Happening::Teleported(Piece { colour, kind: PieceKind::Pacman }) => {
            let taken = Happening::Took { colour, object: Object::Teleporter };
            moment.happenings.contains(&taken)
        }
        _ => false,
    }
}

/// Puts what happened into words.
struct Writer {
    theme: Theme,
    wordy: bool,
}

type Spans = Vec<Span<'static>>;

impl Writer {
    fn say(&self, happening: Happening) -> Spans {
        let pacman = |colour| self.piece(Piece::pacman(colour));
        match happening {
            Happening::Took { colour, object } => {
                let mut said = vec![pacman(colour), Span::raw(" takes ")];
                said.extend(self.object(object));
                said.push(gain(object.points()));
                said
            }
            Happening::Battle { pacman: owner, ghost, bitten } => {
                let ghost_sign = self.piece(Piece::ghost(ghost));
                let (winner, verb, loser) = match bitten {
                    true => (ghost_sign, " bites ", pacman(owner)),
                    false => (pacman(owner), " eats ", ghost_sign),
                };
                match owner == ghost {
                    true => vec![winner, Span::raw(verb), Span::raw("own "), loser],
                    false => vec![winner, Span::raw(verb), loser, gain(20)],
                }
            }
            Happening::FalseMove(colour) => vec![pacman(colour), Span::raw(" false move")],
            Happening::Teleported(piece) => vec![self.piece(piece), Span::raw(" teleported")],
            Happening::Appeared(object) => {
                let mut said = self.object(object);
                said.push(Span::styled(" appears", self.theme.quiet()));
                said
            }
            Happening::PowerEnded { colour, power } => {
                let mut said = vec![pacman(colour), Span::raw(" loses ")];
                said.extend(self.object(power));
                said
            }
            Happening::Points { colour, change } => vec![pacman(colour), gain(change)],
        }
    }

    fn piece(&self, piece: Piece) -> Span<'static> {
        let letter = piece.colour.letter();
        match piece.kind {
            PieceKind::Pacman => Span::styled(letter.to_string(), self.theme.pacman(piece.colour)),
            PieceKind::Ghost => Span::styled(
                letter.to_ascii_lowercase().to_string(),
                self.theme.ghost(piece.colour),
            ),
        }
    }

    fn object(&self, object: Object) -> Spans {
        let style = self.theme.object(object);
        match self.wordy {
            true => vec![Span::styled(format!("{} {}", sign(object), name(object)), style)],
            false => vec![Span::styled(sign(object).to_string(), style)],
        }
    }
}

fn gain(points: i32) -> Span<'static> {
    Span::styled(format!(" {points:+}"), STRONG)
}
