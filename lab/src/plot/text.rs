//! Plots as text: curves of braille dots, each with a letter.

use std::fmt::Write;

use language::colon;
use plotters::coord::ranged1d::{BoldPoints, Ranged, ValueFormatter};
use ratatui_core::buffer::{Buffer, Cell};
use ratatui_core::layout::Rect;
use ratatui_core::style::Color;
use ratatui_core::symbols::Marker;
use ratatui_core::widgets::Widget;
use ratatui_widgets::canvas::{Canvas, Line};

use super::{LIGHT, Plot, Scale};

/// Columns and rows of the plane, in characters.
const COLS: usize = 66;
const ROWS: usize = 16;
/// Columns to the left of the plane, for the labels of the rows.
const MARGIN: usize = 8;
/// Dots of a braille character: columns and rows.
const DOTS: (usize, usize) = (2, 4);
/// The terminal colours nearest to those of curves, of 256; for black, the default text colour.
const ANSI: [Color; LIGHT.curves.len()] = [
    Color::Indexed(32),
    Color::Indexed(166),
    Color::Indexed(36),
    Color::Indexed(175),
    Color::Indexed(74),
    Color::Indexed(214),
    Color::Reset,
];
/// The terminal colour of references.
const GREY: Color = Color::Indexed(244);

impl Plot {
    /// The plot as lines of text, curves and their letters coloured or not.
    pub fn text(&self, coloured: bool) -> String {
        let (x, y) = self.scales();
        let plane = self.plane(&x, &y);
        let mut text = format!("{}{}{}\n", self.title, colon(), self.y.label);
        let labels = labels(&y, ROWS, DOTS.1);
        for (row, cells) in plane.content().chunks(COLS).enumerate() {
            let label = labels.iter().find(|(place, _)| ROWS - 1 - place == row);
            let (label, tick) = label.map_or(("", '│'), |(_, label)| (label, '┤'));
            let _ = write!(text, "{label:>MARGIN$} {tick}");
            text.extend(cells.iter().map(|cell| paint(cell.symbol(), cell.fg, coloured)));
            text.truncate(text.trim_end_matches(' ').len());
            text.push('\n');
        }
        text += &self.foot(&x);
        for (index, series) in self.series.iter().enumerate() {
            let entry = format!("{} {}", letter(index), series.name);
            text += if index > 0 { "  " } else { "" };
            text += &paint(&entry, self.terminal_colour(index), coloured);
        }
        text
    }

    /// The characters of the plane, row-major: the curves, each with its letter.
    fn plane(&self, x: &Scale, y: &Scale) -> Buffer {
        let points = |index: usize| -> Vec<(f64, f64)> {
            let shown = self.shown(&self.series[index]);
            shown.map(|(right, up)| (x.share(right), y.share(up))).collect()
        };
        let area = Rect::new(0, 0, COLS as u16, ROWS as u16);
        let mut plane = Buffer::filled(area, Cell::new(" "));
        let canvas = Canvas::default().x_bounds([0.0, 1.0]).y_bounds([0.0, 1.0]);
        let canvas = canvas.marker(Marker::Braille).paint(|context| {
            for index in 0..self.series.len() {
                for pair in points(index).windows(2) {
                    let ((x1, y1), (x2, y2)) = (pair[0], pair[1]);
                    context.draw(&Line::new(x1, y1, x2, y2, self.terminal_colour(index)));
                }
            }
        });
        canvas.render(area, &mut plane);
        for index in 0..self.series.len() {
            // Letters are spread along the curves, so that they do not hide each other where curves overlap.
            let points = points(index);
            if let Some(&(x, y)) = points.get(points.len() * (index + 1) / (self.series.len() + 1))
            {
                let (col, row) = (place(x, COLS, DOTS.0), ROWS - 1 - place(y, ROWS, DOTS.1));
                plane[(col as u16, row as u16)]
                    .set_char(letter(index))
                    .set_fg(self.terminal_colour(index));
            }
        }
        plane
    }

    fn terminal_colour(&self, index: usize) -> Color {
        let colour = LIGHT.curves.iter().position(|colour| *colour == self.look(index, LIGHT).0);
        colour.map_or(GREY, |colour| ANSI[colour])
    }

    /// The axis from left to right with its labels.
    fn foot(&self, x: &Scale) -> String {
        let mut axis = ['─'; COLS];
        let mut line = String::new();
        for (place, label) in labels(x, COLS, DOTS.0) {
            axis[place] = '┬';
            let start = (MARGIN + 2 + place).saturating_sub(label.chars().count() / 2);
            // A label that would overlap the previous one is left out.
            if line.is_empty() || start > line.chars().count() {
                line += &" ".repeat(start - line.chars().count());
                line += &label;
            }
        }
        let (margin, axis) = (" ".repeat(MARGIN), String::from_iter(axis));
        format!("{margin} └{axis}\n{line}  {}\n", self.x.label)
    }
}

fn paint(text: &str, colour: Color, coloured: bool) -> String {
    match colour {
        Color::Indexed(number) if coloured => format!("\x1b[38;5;{number}m{text}\x1b[0m"),
        _ => text.to_owned(),
    }
}

/// The letter of a series in the plane.
fn letter(series: usize) -> char {
    char::from(b'a' + (series % 26) as u8)
}

/// The character at a share of an axis of `characters` characters with `dots` dots each.
fn place(share: f64, characters: usize, dots: usize) -> usize {
    (share.clamp(0.0, 1.0) * (characters * dots - 1) as f64).round() as usize / dots
}

/// Round values on an axis, with the character at which each stands.
fn labels(scale: &Scale, characters: usize, dots: usize) -> Vec<(usize, String)> {
    let values = scale.key_points(BoldPoints(6)).into_iter();
    values
        .map(|value| (place(scale.share(value), characters, dots), Scale::format(&value)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::{Axis, PlotSeries, Stroke};

    fn plot() -> Plot {
        let axis = |label: &str, logarithmic| Axis { label: label.to_owned(), logarithmic };
        let series = |name: &str, points: &[(f64, f64)]| PlotSeries {
            name: name.to_owned(),
            points: points.to_vec(),
            stroke: Stroke::Plain,
        };
        Plot {
            title: "Curves".to_owned(),
            x: axis("turns", true),
            y: axis("%", false),
            series: vec![
                series("up", &[(1.0, 0.0), (10.0, 50.0), (20.0, 65.0), (100.0, 100.0)]),
                series("flat", &[(0.0, 50.0), (10.0, 50.0), (1000.0, 50.0)]),
                series("none", &[]),
            ],
        }
    }

    #[test]
    fn curves_have_letters_and_axes_have_labels() {
        let text = plot().text(false);
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines.len(), ROWS + 4);
        assert_eq!(lines[0], "Curves: %");
        assert!(lines[ROWS].starts_with("       0 ┤ ⡠"), "{text}");
        assert_eq!(lines[ROWS + 3], "a up  b flat  c none");
        let labels: Vec<_> = lines[ROWS + 2].split_whitespace().collect();
        assert_eq!(labels, ["1", "10", "100", "1,000", "turns"]);
        let plane = lines[1..=ROWS].concat();
        assert_eq!(plane.matches('a').count(), 1);
        assert_eq!(plane.matches('b').count(), 1);
        let flat = lines.iter().find(|line| line.contains('b')).unwrap();
        assert!(flat.matches(['⠤', '⠒', '⠉', '⣀']).count() > 30, "{flat}");
    }

    #[test]
    fn colours_change_nothing_else() {
        let coloured = plot().text(true);
        let plain: String =
            coloured
                .split('\x1b')
                .map(|part| {
                    part.split_once('m').map_or(part, |(code, text)| {
                        if code.starts_with('[') { text } else { part }
                    })
                })
                .collect();
        let trimmed = |text: &str| -> Vec<String> {
            text.lines().map(|line| line.trim_end().to_owned()).collect()
        };
        assert!(coloured.contains("\x1b[38;5;32m"));
        assert_eq!(trimmed(&plain), trimmed(&plot().text(false)));
    }
}
