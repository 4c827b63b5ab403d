//! Popups over the board.

use language::{Phrase, said, word};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget, Wrap};

use crate::viewer::layout::SMALLEST;
use crate::viewer::panel::popup;
use crate::viewer::scene_view::SceneView;
use crate::viewer::scores::fitted;
use crate::viewer::theme::STRONG;
use crate::viewer::{Moment, Theme};

/// The final ranking.
pub(super) struct FinalRanking<'a> {
    pub(super) moment: &'a Moment,
    pub(super) theme: Theme,
}

impl Widget for FinalRanking<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        const NAME: usize = 24;
        let view = self.moment.view();
        let mut lines = Vec::new();
        for (rank, colour) in view.ranking() {
            let (name, rest) = fitted(self.moment.name(colour), NAME);
            lines.push(Line::from(vec![
                Span::raw(format!("{rank:>2} ")),
                Span::styled(format!(" {} ", colour.letter()), self.theme.token(colour)),
                Span::raw(" "),
                Span::styled(name, self.theme.player(colour)),
                Span::raw(" ".repeat(rest)),
                Span::styled(format!("{:>7}", view.score(colour)), STRONG),
            ]));
        }
        let title = match (self.moment.is_over(), self.moment.elapsed()) {
            (true, _) => said!("the game is over", "la partie est finie"),
            (false, turn) => {
                said!("the game is over at turn {turn}", "la partie est finie au tour {turn}")
            }
        };
        let size = (NAME as u16 + 14, lines.len() as u16);
        let inside = popup(&title, size, area, buffer);
        Paragraph::new(lines).render(inside, buffer);
    }
}

/// The keys and the signs.
pub(super) struct Help<'a> {
    pub(super) view: &'a dyn SceneView,
    pub(super) theme: Theme,
}

/// Keys, and what they do.
const KEYS: [(Phrase, Phrase); 7] = [
    (
        Phrase::new("space", "espace"),
        Phrase::new(
            "stand still, or go on with the newest state",
            "s'arrêter, ou reprendre au dernier état",
        ),
    ),
    (
        Phrase::new("↑ ↓", "↑ ↓"),
        Phrase::new(
            "one turn back or forward, also PgUp and PgDn",
            "un tour en arrière ou en avant, aussi PgUp et PgDn",
        ),
    ),
    (
        Phrase::new("Home End", "Home End"),
        Phrase::new(
            "the oldest state remembered, the newest one",
            "le plus ancien état retenu, le plus récent",
        ),
    ),
    (
        Phrase::new("A-Z Tab", "A-Z Tab"),
        Phrase::new(
            "follow a player: its board, its line",
            "suivre un joueur : son plateau, sa ligne",
        ),
    ),
    (
        Phrase::new("+", "+"),
        Phrase::new(
            "size of the board: as fits, small, medium, large",
            "taille du plateau : ajustée, petite, moyenne, grande",
        ),
    ),
    (Phrase::new("?", "?"), Phrase::new("this help, on and off", "cette aide, montrée ou cachée")),
    (Phrase::new("q Esc", "q Esc"), Phrase::new("quit", "quitter")),
];

impl Widget for Help<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let theme = self.theme;
        let step = said!(
            "one state back or forward: {}",
            "reculer ou avancer d'un état : {}",
            self.view.step()
        );
        let mut keys: Vec<_> =
            KEYS.iter().map(|(key, what)| (key.to_string(), what.to_string())).collect();
        keys.insert(1, ("← →".to_owned(), step));
        let key = |(key, what): (String, String)| {
            Line::from(vec![Span::styled(format!("{key:<10}"), STRONG), Span::raw(what)])
        };
        let mut lines: Vec<_> = keys.into_iter().map(key).collect();
        lines.push(Line::default());
        lines.extend(self.view.signs(theme));
        let inside = popup(
            word("keys and signs", "touches et signes"),
            (62, lines.len() as u16),
            area,
            buffer,
        );
        Paragraph::new(lines).render(inside, buffer);
    }
}

/// Says that the screen is too small.
pub(super) struct TooSmall;

impl Widget for TooSmall {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let text = said!(
            "This terminal has {} columns and {} rows, and the viewer needs {} and {}. q quits.",
            "Ce terminal a {} colonnes et {} lignes, et l'afficheur en demande {} \
                  et {}. q quitte.",
            area.width,
            area.height,
            SMALLEST.width,
            SMALLEST.height
        );
        Paragraph::new(text).wrap(Wrap { trim: true }).render(area, buffer);
    }
}
