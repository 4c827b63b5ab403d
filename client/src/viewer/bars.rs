//! The first and the last line of the screen.

use game::colour::Colour;
use language::{Language, said, word};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use crate::viewer::theme::STRONG;
use crate::viewer::{Model, Moment, Status, Theme};

/// Title bar: the place of the game, and the state of the line to the server.
pub(super) struct TitleBar<'a> {
    pub(super) model: &'a Model,
    pub(super) moment: &'a Moment,
    /// Visible part of a board that does not fit.
    pub(super) part: Option<String>,
    pub(super) theme: Theme,
}

/// The longest gauge of the turns.
const GAUGE: usize = 50;

impl Widget for TitleBar<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let view = self.moment.view();
        let (elapsed, total) = (view.elapsed(), view.total());
        let status = self.status();
        let mut left = vec![
            Span::styled(format!(" {} ", view.title()), self.theme.heading()),
            Span::raw(word("  turn ", "  tour ")),
            Span::styled(elapsed.to_string(), STRONG),
            Span::raw(
                total.map_or("  ".to_owned(), |total| said!(" of {total}  ", " sur {total}  ")),
            ),
        ];
        let mut used: usize = left.iter().chain([&status]).map(Span::width).sum();
        let part = self.part.map(|part| Span::styled(format!("{part}  "), self.theme.quiet()));
        if let Some(part) = part.filter(|part| used + part.width() <= area.width.into()) {
            used += part.width();
            left.push(part);
        }
        let gauge = usize::from(area.width).saturating_sub(used + 2).min(GAUGE);
        if let Some(total) = total
            && gauge >= 8
        {
            let played = u64::from(elapsed.min(total)) * gauge as u64 / u64::from(total.max(1));
            let played = usize::try_from(played).unwrap_or(gauge);
            left.push(Span::styled("━".repeat(played), STRONG));
            left.push(Span::styled("─".repeat(gauge - played), self.theme.quiet()));
        }
        Line::from(left).render(area, buffer);
        let width = (status.width() as u16).min(area.width);
        Line::from(status).render(Rect { x: area.right() - width, width, ..area }, buffer);
    }
}

impl TitleBar<'_> {
    fn status(&self) -> Span<'static> {
        let theme = self.theme;
        if let Some((plays, per_second)) = self.model.playing() {
            let states = states(per_second);
            return if plays {
                Span::styled(format!(" ▶ {per_second} {states}/s "), theme.live())
            } else {
                Span::styled(word(" paused ", " en pause "), theme.paused())
            };
        }
        let server = match self.model.status() {
            Status::Live => None,
            Status::Lost => Some(word(
                "the server is gone, looking for it",
                "le serveur a disparu, nouvelle recherche",
            )),
            Status::Gone => Some(word("the server is gone", "le serveur a disparu")),
            Status::Over => Some(word("the game is over", "la partie est finie")),
            Status::Broken(_) => Some(word(
                "the server breaks the protocol",
                "le serveur ne respecte pas le protocole",
            )),
        };
        match (self.model.behind(), server) {
            (None, None) if self.model.awaits_players() => Span::styled(
                word(" ● waiting for the players ", " ● en attente des joueurs "),
                theme.live(),
            ),
            (None, None) => Span::styled(word(" ● live ", " ● en direct "), theme.live()),
            (None, Some(server)) if *self.model.status() == Status::Over => {
                Span::styled(format!(" {server} "), theme.over())
            }
            (None, Some(server)) => Span::styled(format!(" {server} "), theme.alert()),
            (Some(behind), server) => {
                let server = server.map(|server| format!(", {server}")).unwrap_or_default();
                let states = states(behind);
                let text = said!(
                    " paused, {behind} {states} behind{server} ",
                    " en pause, {behind} {states} de retard{server} "
                );
                Span::styled(text, theme.paused())
            }
        }
    }
}

fn states(count: impl TryInto<u64>) -> &'static str {
    let language = Language::chosen();
    language.plural(count, language.say("state", "état"), language.say("states", "états"))
}

/// The keys, and where the server is.
pub(super) struct Footer<'a> {
    pub(super) model: &'a Model,
    pub(super) players: usize,
    pub(super) theme: Theme,
}

impl Widget for Footer<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let theme = self.theme;
        let last = Colour::first(self.players).next_back();
        let follow = match last.map(Colour::letter) {
            None => String::new(),
            Some('A') => "A Tab".to_owned(),
            Some(last) => format!("A-{last} Tab"),
        };
        let film = self.model.playing();
        let pause = match film {
            Some((false, _)) => word("play", "lire"),
            None if self.model.behind().is_some() => word("go on", "suite"),
            Some((true, _)) | None => word("pause", "pause"),
        };
        // The keys that are left out first, when not all fit, have the highest numbers.
        let keys = [
            (0, word("space", "espace"), pause),
            (3, if film.is_some() { "< >" } else { "" }, word("speed", "vitesse")),
            (4, "← →", word("step", "pas")),
            (5, "↑ ↓", word("turn", "tour")),
            (2, follow.as_str(), word("follow", "suivre")),
            (6, "+", word("size", "taille")),
            (1, "?", word("help", "aide")),
            (0, "q", word("quit", "quitter")),
        ];
        let mut shown: Vec<_> = keys.into_iter().filter(|(_, key, _)| !key.is_empty()).collect();
        let width = |(_, key, what): &(u8, &str, &str)| {
            Span::raw(*key).width() + Span::raw(*what).width() + 3
        };
        while shown.iter().map(width).sum::<usize>() > area.width.into() {
            let last = (0..shown.len()).max_by_key(|&at| shown[at].0).unwrap_or(0);
            shown.remove(last);
        }
        let spans = shown.into_iter().flat_map(|(_, key, what)| {
            [
                Span::styled(format!(" {key} "), STRONG),
                Span::styled(format!("{what} "), theme.quiet()),
            ]
        });
        let keys: Line<'_> = spans.collect();
        let server = Span::styled(format!("{} ", self.model.server()), theme.quiet());
        let width = server.width() as u16;
        if keys.width() + server.width() < usize::from(area.width) {
            let place = Rect { x: area.right() - width, width, ..area };
            Line::from(server).render(place, buffer);
        }
        keys.render(area, buffer);
    }
}
