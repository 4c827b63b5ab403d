//! Plots as text: curves of braille dots, each with a letter.

use plotters::coord::ranged1d::{BoldPoints, Ranged, ValueFormatter};

use super::{COLOURS, Plot, Scale};

/// Columns and rows of the plane, in characters.
const COLS: usize = 66;
const ROWS: usize = 16;
/// Columns to the left of the plane, for the labels of the rows.
const MARGIN: usize = 8;
/// Dots of a character: columns and rows.
const DOTS: (usize, usize) = (2, 4);
/// The terminal colours nearest to [`COLOURS`], of 256; for black, the default text colour.
const ANSI: [&str; COLOURS.len()] =
    ["38;5;32", "38;5;166", "38;5;36", "38;5;175", "38;5;74", "38;5;214", "39"];

impl Plot {
    /// The plot as lines of text, curves and their letters coloured or not.
    #[must_use]
    pub fn text(&self, coloured: bool) -> String {
        let (x, y) = self.scales();
        let mut canvas = Canvas { characters: vec![[Character::default(); COLS]; ROWS] };
        for (index, series) in self.series.iter().enumerate() {
            let place =
                |(right, up)| (dot(x.share(right), COLS * DOTS.0), dot(y.share(up), ROWS * DOTS.1));
            let dots = joined(self.shown(series).map(place));
            for &dot in &dots {
                canvas.draw(dot, index);
            }
            // Letters are spread along the curves, so that they do not hide each other where curves overlap.
            let place = dots.len() * (index + 1) / (self.series.len() + 1);
            if let Some(&dot) = dots.get(place) {
                canvas.write(dot, index);
            }
        }
        let mut text = format!("{}: {}\n", self.title, self.y.label);
        let labels = labels(&y, ROWS, DOTS.1);
        for (row, characters) in canvas.characters.iter().enumerate() {
            let label = labels.iter().find(|(place, _)| ROWS - 1 - place == row);
            let (label, tick) = label.map_or(("", '│'), |(_, label)| (label, '┤'));
            let margin = format!("{label:>MARGIN$} {tick}");
            text += &margin;
            for character in characters {
                text += &self.paint(character.shown(), character.series, coloured);
            }
            text.truncate(text.trim_end_matches(' ').len());
            text.push('\n');
        }
        text += &self.foot(&x);
        for (index, series) in self.series.iter().enumerate() {
            let entry = format!("{} {}", letter(index), series.name);
            text += if index > 0 { "  " } else { "" };
            text += &self.paint(entry, Some(index), coloured);
        }
        text
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

    fn paint(&self, text: String, series: Option<usize>, coloured: bool) -> String {
        match series.filter(|_| coloured) {
            Some(series) => {
                let colour = COLOURS.iter().position(|colour| *colour == self.look(series).0);
                format!("\x1b[{}m{text}\x1b[0m", colour.map_or("90", |colour| ANSI[colour]))
            }
            None => text,
        }
    }
}

/// The drawing: the characters of each row, from the top.
struct Canvas {
    characters: Vec<[Character; COLS]>,
}

#[derive(Clone, Copy, Default)]
struct Character {
    /// A bit for each dot, as Unicode numbers them.
    dots: u8,
    letter: Option<char>,
    /// The last series that is drawn here.
    series: Option<usize>,
}

impl Canvas {
    /// Draws a dot, counted from the bottom left.
    fn draw(&mut self, (x, y): (usize, usize), series: usize) {
        const BITS: [[u8; DOTS.1]; DOTS.0] = [[6, 2, 1, 0], [7, 5, 4, 3]];
        let character = self.at((x, y));
        character.dots |= 1 << BITS[x % DOTS.0][y % DOTS.1];
        if character.letter.is_none() {
            character.series = Some(series);
        }
    }

    /// Writes the letter of a series, unless the character has one already.
    fn write(&mut self, dot: (usize, usize), series: usize) {
        let character = self.at(dot);
        if character.letter.is_none() {
            (character.letter, character.series) = (Some(letter(series)), Some(series));
        }
    }

    fn at(&mut self, (x, y): (usize, usize)) -> &mut Character {
        &mut self.characters[ROWS - 1 - y / DOTS.1][x / DOTS.0]
    }
}

impl Character {
    fn shown(self) -> String {
        const BRAILLE: u32 = 0x2800;
        let dots = char::from_u32(BRAILLE + u32::from(self.dots)).filter(|_| self.dots > 0);
        self.letter.or(dots).unwrap_or(' ').to_string()
    }
}

/// The letter of a series in the plane.
fn letter(series: usize) -> char {
    char::from(b'a' + (series % 26) as u8)
}

/// The index, among `dots` dots, of the dot at a share of an axis.
fn dot(share: f64, dots: usize) -> usize {
    (share.clamp(0.0, 1.0) * (dots - 1) as f64).round() as usize
}

/// The dots of straight lines from each dot to the next.
fn joined(mut dots: impl Iterator<Item = (usize, usize)>) -> Vec<(usize, usize)> {
    let Some(mut last) = dots.next() else { return Vec::new() };
    let mut line = vec![last];
    for next in dots {
        let steps = last.0.abs_diff(next.0).max(last.1.abs_diff(next.1));
        let between = |from: usize, to: usize, step: usize| {
            let share = step as f64 / steps as f64;
            (from as f64 + (to as f64 - from as f64) * share).round() as usize
        };
        line.extend(
            (1..=steps).map(|step| (between(last.0, next.0, step), between(last.1, next.1, step))),
        );
        last = next;
    }
    line
}

/// Round values on an axis of `characters` characters with `dots` dots each, with the index of their character.
fn labels(scale: &Scale, characters: usize, dots: usize) -> Vec<(usize, String)> {
    let values = scale.key_points(BoldPoints(6));
    let place = |value: f64| dot(scale.share(value), characters * dots) / dots;
    values.into_iter().map(|value| (place(value), Scale::format(&value))).collect()
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
                series("up", &[(1.0, 0.0), (100.0, 100.0)]),
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
        assert_eq!(labels, ["1", "10", "100", "1000", "turns"]);
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
