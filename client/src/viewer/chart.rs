//! The scores of all players over the turns of the game.

use game::colour::Colour;
use language::said;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Color;
use ratatui::symbols::Marker;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;
use ratatui::widgets::canvas::{Canvas, Line as Stroke};

use crate::viewer::panel::titled;
use crate::viewer::{Model, Moment, Scene, Theme};

/// Standing of the players after a turn.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    elapsed: u32,
    /// Heights of the curves, by colour.
    heights: Vec<f64>,
}

impl Sample {
    pub(super) fn of(scene: &Scene) -> Self {
        let view = scene.view();
        let colours = Colour::first(view.players());
        let heights = colours.map(|colour| view.height(colour)).collect();
        Self { elapsed: view.elapsed(), heights }
    }

    /// The players, best first; of equal ones the first.
    fn ranking(&self) -> Vec<Colour> {
        let mut colours: Vec<Colour> = Colour::first(self.heights.len()).collect();
        let height = |colour: &Colour| self.heights[colour.index()];
        colours.sort_by(|a, b| height(b).total_cmp(&height(a)));
        colours
    }
}

/// A curve a player, with its letter at the end.
pub(super) struct Chart<'a> {
    pub(super) model: &'a Model,
    pub(super) shown: &'a Moment,
    /// `true` if the state that is shown has a mark.
    pub(super) marked: bool,
    pub(super) theme: Theme,
}

impl Widget for Chart<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        if area.is_empty() {
            return;
        }
        let view = self.shown.view();
        let samples = self.samples(2 * usize::from(area.width.saturating_sub(1)));
        let played = samples.last().map_or(0, |newest| newest.elapsed);
        let total = view.span(played).max(1);
        let (unit, least) = view.unit();
        let title = match area.width {
            0..30 => unit.to_owned(),
            _ => said!("{unit} over {total} turns", "{unit} en {total} tours"),
        };
        let area = titled(&title, area, self.theme, buffer);
        let heights = || samples.iter().flat_map(|at| at.heights.iter().copied());
        let lowest = heights().fold(0.0, f64::min).floor();
        let highest = heights().fold(lowest + least, f64::max).ceil();

        let labels = [highest, lowest].map(|height| height.to_string());
        // Two labels of at most eleven characters.
        let gutter = labels.iter().map(String::len).max().unwrap_or(0) as u16 + 1;
        if area.width <= gutter + 2 || area.height < 2 {
            return;
        }
        let [top, bottom] = labels.map(|label| Line::styled(label, self.theme.quiet()));
        let label = Rect { width: gutter - 1, height: 1, ..area };
        top.right_aligned().render(label, buffer);
        bottom.right_aligned().render(Rect { y: area.bottom() - 1, ..label }, buffer);

        let plot = Rect { x: area.x + gutter, width: area.width - gutter - 2, ..area };
        let (x_end, y_bounds) = (f64::from(total), [lowest, highest]);
        let theme = self.theme;
        Canvas::default()
            .marker(Marker::Braille)
            .x_bounds([0.0, x_end])
            .y_bounds(y_bounds)
            .paint(|canvas| {
                let grid = theme.quiet().fg.unwrap_or(Color::Reset);
                if lowest < 0.0 {
                    canvas.draw(&Stroke::new(0.0, 0.0, x_end, 0.0, grid));
                }
                if self.marked {
                    let x = f64::from(self.shown.elapsed());
                    canvas.draw(&Stroke::new(x, y_bounds[0], x, y_bounds[1], grid));
                }
                canvas.layer();
                for colour in self.colours() {
                    let at = |sample: &Sample| {
                        (f64::from(sample.elapsed), sample.heights[colour.index()])
                    };
                    for pair in samples.windows(2) {
                        let ((x1, y1), (x2, y2)) = (at(&pair[0]), at(&pair[1]));
                        canvas.draw(&Stroke::new(x1, y1, x2, y2, theme.curve(colour)));
                    }
                }
            })
            .render(plot, buffer);
        self.label_ends(&samples, plot, (x_end, y_bounds), buffer);
    }
}

impl Chart<'_> {
    /// The players, the best one last, so that it is drawn over the others.
    fn colours(&self) -> impl Iterator<Item = Colour> + use<> {
        self.shown.view().ranking().into_iter().rev().map(|(_, colour)| colour)
    }

    /// The states at the beginning of turns, thinned out to about as many as can be told apart, and
    /// the newest.
    fn samples(&self, most: usize) -> Vec<Sample> {
        if let Some(samples) = self.model.samples() {
            return thinned(samples.iter().cloned(), most).chain(samples.last().cloned()).collect();
        }
        let game = || self.model.history().game(self.shown.game);
        let mut turns: Vec<&Moment> = Vec::new();
        for moment in game() {
            let elapsed = moment.elapsed();
            if turns.last().is_none_or(|last| last.elapsed() != elapsed) {
                turns.push(moment);
            }
        }
        let moments = thinned(turns.into_iter(), most).chain(game().next_back());
        moments.map(|moment| Sample::of(&moment.scene)).collect()
    }

    /// Writes each player's letter after the end of its curve, or near it when another one stands
    /// there.
    fn label_ends(
        &self,
        samples: &[Sample],
        plot: Rect,
        (x_end, [lowest, highest]): (f64, [f64; 2]),
        buffer: &mut Buffer,
    ) {
        let Some(newest) = samples.last() else { return };
        let x = plot.x + 1 + place(f64::from(newest.elapsed) / x_end, plot.width);
        let mut taken = vec![false; usize::from(plot.height)];
        for colour in newest.ranking() {
            let height = newest.heights[colour.index()];
            let wanted = place((highest - height) / (highest - lowest), plot.height);
            let below = (wanted..plot.height).chain((0..wanted).rev());
            let Some(row) = below.into_iter().find(|&row| !taken[usize::from(row)]) else { return };
            taken[usize::from(row)] = true;
            let letter = Span::styled(colour.letter().to_string(), self.theme.player(colour));
            buffer.set_span(x, plot.y + row, &letter, 1);
        }
    }
}

/// Every n-th of these from the first one on, about `most` in all.
fn thinned<T>(all: impl ExactSizeIterator<Item = T>, most: usize) -> impl Iterator<Item = T> {
    let stride = all.len().div_ceil(most.max(1)).max(1);
    all.step_by(stride)
}

/// The column or row below `len` that stands for a part of the whole.
#[expect(clippy::cast_sign_loss, reason = "between 0 and the length")]
fn place(part: f64, len: u16) -> u16 {
    (part.clamp(0.0, 1.0) * f64::from(len - 1)).round() as u16
}
