//! Words for the events of Pacman.

use game::pacman::rules::BATTLE;
use game::pacman::{Object, Piece, PieceKind};
use language::word;
use ratatui::text::Span;
use replay::EpisodeKind;

use super::Happening;
use crate::viewer::Theme;
use crate::viewer::scene_view::{Spans, Told};
use crate::viewer::theme::{name, sign};

/// Puts what happened into words.
pub(super) struct Words {
    pub(super) theme: Theme,
    /// `true` if there is room for the names of things.
    pub(super) wordy: bool,
}

impl Words {
    /// Tells the events but the obvious ones: a vitamin, and the cell behind a teleporter.
    pub(super) fn tell(&self, happenings: &[Happening]) -> Vec<Told> {
        let is_told = |happening: &&Happening| match **happening {
            Happening::Took { object, .. } => object != Object::Vitamin,
            Happening::Teleported(Piece { colour, kind: PieceKind::Pacman }) => {
                !happenings.contains(&Happening::Took { colour, object: Object::Teleporter })
            }
            _ => true,
        };
        happenings.iter().filter(is_told).map(|&happening| self.say(happening)).collect()
    }

    fn say(&self, happening: Happening) -> Told {
        let pacman = |colour| self.piece(Piece::pacman(colour));
        match happening {
            Happening::Took { colour, object } => {
                let mut said = vec![pacman(colour), Span::raw(word(" takes ", " prend "))];
                said.extend(self.object(object));
                Told {
                    said,
                    points: Some(object.points()),
                    patience: Some(EpisodeKind::Took(object).patience()),
                }
            }
            Happening::Battle { pacman: owner, ghost, bitten } => {
                let ghost_sign = self.piece(Piece::ghost(ghost));
                let (winner, verb, loser, kind) = if bitten {
                    (ghost_sign, word(" bites ", " mord "), pacman(owner), EpisodeKind::Bite)
                } else {
                    (pacman(owner), word(" eats ", " mange "), ghost_sign, EpisodeKind::Meal)
                };
                let is_own = owner == ghost;
                let own = is_own.then(|| Span::raw(word("own ", "son propre ")));
                Told {
                    said: [winner, Span::raw(verb)].into_iter().chain(own).chain([loser]).collect(),
                    points: (!is_own).then_some(BATTLE),
                    patience: Some(kind.patience()),
                }
            }
            Happening::FalseMove(colour) => {
                let said = vec![pacman(colour), Span::raw(word(" false move", " faux mouvement"))];
                Told { patience: Some(EpisodeKind::Blocked.patience()), ..said.into() }
            }
            Happening::Teleported(piece) => {
                vec![self.piece(piece), Span::raw(word(" teleported", " téléporté"))].into()
            }
            Happening::Appeared(object) => {
                let mut said = self.object(object);
                said.push(Span::styled(word(" appears", " apparaît"), self.theme.quiet()));
                said.into()
            }
            Happening::PowerEnded { colour, power } => {
                let mut said = vec![pacman(colour), Span::raw(word(" loses ", " perd "))];
                said.extend(self.object(power));
                said.into()
            }
            Happening::Points { colour, change } => {
                Told { points: Some(change), ..vec![pacman(colour)].into() }
            }
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
