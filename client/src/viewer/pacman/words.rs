//! Words for the events of Pacman.

use game::pacman::{Object, Piece, PieceKind};
use language::word;
use ratatui::text::Span;

use super::Happening;
use crate::viewer::Theme;
use crate::viewer::scene_view::Spans;
use crate::viewer::theme::{STRONG, name, sign};

/// Puts what happened into words.
pub(super) struct Words {
    pub(super) theme: Theme,
    /// `true` if there is room for the names of things.
    pub(super) wordy: bool,
}

impl Words {
    /// Tells the events but the obvious ones: a vitamin, and the cell behind a teleporter.
    pub(super) fn tell(&self, happenings: &[Happening]) -> Vec<Spans> {
        let is_told = |happening: &&Happening| match **happening {
            Happening::Took { object, .. } => object != Object::Vitamin,
            Happening::Teleported(Piece { colour, kind: PieceKind::Pacman }) => {
                !happenings.contains(&Happening::Took { colour, object: Object::Teleporter })
            }
            _ => true,
        };
        happenings.iter().filter(is_told).map(|&happening| self.say(happening)).collect()
    }

    fn say(&self, happening: Happening) -> Spans {
        let pacman = |colour| self.piece(Piece::pacman(colour));
        match happening {
            Happening::Took { colour, object } => {
                let mut said = vec![pacman(colour), Span::raw(word(" takes ", " prend "))];
                said.extend(self.object(object));
                said.push(gain(object.points()));
                said
            }
            Happening::Battle { pacman: owner, ghost, bitten } => {
                let ghost_sign = self.piece(Piece::ghost(ghost));
                let (winner, verb, loser) = if bitten {
                    (ghost_sign, word(" bites ", " mord "), pacman(owner))
                } else {
                    (pacman(owner), word(" eats ", " mange "), ghost_sign)
                };
                if owner == ghost {
                    vec![winner, Span::raw(verb), Span::raw(word("own ", "son propre ")), loser]
                } else {
                    vec![winner, Span::raw(verb), loser, gain(20)]
                }
            }
            Happening::FalseMove(colour) => {
                vec![pacman(colour), Span::raw(word(" false move", " faux mouvement"))]
            }
            Happening::Teleported(piece) => {
                vec![self.piece(piece), Span::raw(word(" teleported", " téléporté"))]
            }
            Happening::Appeared(object) => {
                let mut said = self.object(object);
                said.push(Span::styled(word(" appears", " apparaît"), self.theme.quiet()));
                said
            }
            Happening::PowerEnded { colour, power } => {
                let mut said = vec![pacman(colour), Span::raw(word(" loses ", " perd "))];
                said.extend(self.object(power));
                said
            }
            Happening::Points { colour, change } => vec![pacman(colour), gain(change)],
        }
    }

    fn piece(&self, piece: Piece) -> Span<'static> {
        let letter = piece.colour.letter();
        match piece.kind {
            PieceKind::Pacman => Span::styled(letter.to_string(), self.theme.token(piece.colour)),
            PieceKind::Ghost => Span::styled(
                letter.to_ascii_lowercase().to_string(),
                self.theme.ghost(piece.colour),
            ),
        }
    }

    fn object(&self, object: Object) -> Spans {
        let style = self.theme.object(object);
        if self.wordy {
            vec![Span::styled(format!("{} {}", sign(object), name(object)), style)]
        } else {
            vec![Span::styled(sign(object).to_string(), style)]
        }
    }
}

fn gain(points: i32) -> Span<'static> {
    Span::styled(format!(" {points:+}"), STRONG)
}
