//! The first and the last line of the screen.

use game::colour::Colour;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use crate::viewer::theme::STRONG;
use crate::viewer::{Model, Moment, Status, Theme};

/// Where the game is, and how it stands with the server.
pub(super) struct TitleBar<'a> {
    pub(super) model: &'a Model,
    pub(super) moment: &'a Moment,
    /// What is seen of a board that does not fit.
    pub(super) part: Option<String>,
    pub(super) theme: Theme,
}

/// The longest gauge of the turns.
const GAUGE: usize = 50;

impl Widget for TitleBar<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let stage = self.moment.stage();
        let (elapsed, total) = (stage.elapsed(), stage.total());
        let status = self.status();
        let mut left = vec![
            Span::styled(format!(" {} ", stage.title()), self.theme.heading()),
            Span::raw("  turn "),
            Span::styled(elapsed.to_string(), STRONG),
            Span::raw(total.map_or("  ".to_owned(), |total| format!(" of {total}  "))),
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
            let states = if per_second == 1 { "state" } else { "states" };
            return match plays {
                true => Span::styled(format!(" ▶ {per_second} {states}/s "), theme.live()),
                false => Span::styled(" paused ", theme.paused()),
            };
        }
        let server = match self.model.status() {
            Status::Live => None,
            Status::Lost => Some("the server is gone, looking for it"),
            Status::Gone => Some("the server is gone"),
            Status::Over => Some("the game is over"),
            Status::Broken(_) => Some("the server breaks the protocol"),
        };
        match (self.model.behind(), server) {
            (None, None) => Span::styled(" ● live ", theme.live()),
            (None, Some(server @ "the game is over")) => {
                Span::styled(format!(" {server} "), theme.over())
            }
            (None, Some(server)) => Span::styled(format!(" {server} "), theme.alert()),
            (Some(behind), server) => {
                let server = server.map(|server| format!(", {server}")).unwrap_or_default();
                let states = if behind == 1 { "state" } else { "states" };
                let text = format!(" paused, {behind} {states} behind{server} ");
                Span::styled(text, theme.paused())
            }
        }
    }
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
            Some((false, _)) => "play",
            None if self.model.behind().is_some() => "go on",
            Some((true, _)) | None => "pause",
        };
        let keys = [
            ("space", pause),
            (if film.is_some() { "< >" } else { "" }, "speed"),
            ("← →", "step"),
            ("↑ ↓", "turn"),
            (follow.as_str(), "follow"),
            ("+", "size"),
            ("?", "help"),
            ("q", "quit"),
        ];
        let mut spans = Vec::new();
        for (key, what) in keys.into_iter().filter(|(key, _)| !key.is_empty()) {
            spans.push(Span::styled(format!(" {key} "), STRONG));
            spans.push(Span::styled(format!("{what} "), theme.quiet()));
        }
        let keys = Line::from(spans);
        let server = Span::styled(format!("{} ", self.model.server()), theme.quiet());
        let width = server.width() as u16;
        if keys.width() + server.width() < usize::from(area.width) {
            let place = Rect { x: area.right() - width, width, ..area };
            Line::from(server).render(place, buffer);
        }
        keys.render(area, buffer);
    }
}
