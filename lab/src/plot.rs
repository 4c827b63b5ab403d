//! Drawings as SVG or PNG files, and plots of curves, which can be text, too.

mod text;

use std::fs;
use std::ops::Range;
use std::path::Path;

use anyhow::{Context, anyhow, ensure};
use language::said;
use plotters::coord::Shift;
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, ValueFormatter};
use plotters::coord::types::RangedCoordf64;
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use plotters::style::register_font;

/// Maximum number of pixels of a PNG file; each takes three bytes of memory while it is drawn.
pub const MAX_PIXELS: u64 = 150_000_000;
/// Width and height of a plot, in pixels.
const PANEL: (u32, u32) = (800, 480);
/// Colours that colour-blind people can distinguish (Okabe and Ito 2008), without the yellow.
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(0, 0, 0),
];

/// What can be written as vectors and as pixels.
pub trait Drawing {
    /// Width and height, in pixels.
    fn size(&self) -> (u32, u32);

    /// Draws on a white area of that size.
    ///
    /// # Errors
    ///
    /// Those of the area.
    fn draw<B: DrawingBackend>(
        &self,
        area: &DrawingArea<B, Shift>,
    ) -> Result<(), DrawingAreaErrorKind<B::ErrorType>>;

    /// Writes a file: pixels if its name ends in `.png`, vectors if it ends in `.svg`.
    ///
    /// # Errors
    ///
    /// If the name ends in neither, the file cannot be written, or there are more than [`MAX_PIXELS`].
    fn save(&self, path: &Path) -> anyhow::Result<()> {
        for style in [FontStyle::Normal, FontStyle::Bold] {
            register_font("sans-serif", style, dejavu::sans::regular()).map_err(|_| {
                anyhow!(said!(
                    "the font inside the program is damaged",
                    "la police de caractères du programme est abîmée"
                ))
            })?;
        }
        let size @ (width, height) = self.size();
        let unwritable = || said!("cannot write {}", "{} ne peut pas être écrit", path.display());
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("svg") => {
                let mut text = String::new();
                draw(self, SVGBackend::with_string(&mut text, size), path)?;
                fs::write(path, text).with_context(unwritable)
            }
            Some("png") => {
                ensure!(
                    u64::from(width) * u64::from(height) <= MAX_PIXELS,
                    said!(
                        "a picture of {width}×{height} pixels: expected at most {MAX_PIXELS} pixels in all",
                        "une image de {width}×{height} pixels : au plus {MAX_PIXELS} pixels en tout sont attendus"
                    )
                );
                // For a readable error: plotters does not say why a file cannot be written.
                fs::File::create(path).with_context(unwritable)?;
                draw(self, BitMapBackend::new(path, size), path)
            }
            _ => Err(anyhow!(said!(
                "{}: expected a name that ends in .svg or .png",
                "{} : un nom qui finit par .svg ou .png est attendu",
                path.display()
            ))),
        }
    }
}

fn draw<B: DrawingBackend>(
    drawing: &(impl Drawing + ?Sized),
    backend: B,
    path: &Path,
) -> anyhow::Result<()> {
    let area = backend.into_drawing_area();
    let drawn = area.fill(&WHITE).and_then(|()| drawing.draw(&area)).and_then(|()| area.present());
    drawn.map_err(|failure| {
        anyhow!(said!(
            "cannot draw {}: {failure}",
            "{} ne peut pas être dessiné : {failure}",
            path.display()
        ))
    })
}

/// Curves over one pair of axes.
#[derive(Clone, Debug)]
pub struct Plot {
    /// The title of the plot.
    pub title: String,
    /// The axis from left to right.
    pub x: Axis,
    /// The axis from bottom to top.
    pub y: Axis,
    /// The curves, in drawing order.
    pub series: Vec<PlotSeries>,
}

/// An axis; its range follows from the points.
#[derive(Clone, Debug)]
pub struct Axis {
    /// The quantity, with its unit.
    pub label: String,
    /// True for a logarithmic scale; points at or below 0 are then left out.
    pub logarithmic: bool,
}

/// One curve.
#[derive(Clone, Debug)]
pub struct PlotSeries {
    /// The name in the legend.
    pub name: String,
    /// The points, in the order in which lines join them.
    pub points: Vec<(f64, f64)>,
    /// The style of the curve.
    pub stroke: Stroke,
}

/// The style of a curve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stroke {
    /// A line with a dot at each point, for measurements.
    #[default]
    Dotted,
    /// A line, for curves with too many points.
    Plain,
    /// A thin grey line, as a reference for measurements.
    Reference,
}

impl Plot {
    /// The colour of the series with this number, and the lengths of its dashes and gaps, in pixels: if there
    /// are more series than colours, those that repeat a colour are dashed.
    fn look(&self, index: usize) -> (RGBColor, i32, i32) {
        const SOLID: i32 = i32::MAX;
        let stroke = |series: &&PlotSeries| series.stroke != Stroke::Reference;
        let before = self.series[..index].iter().filter(stroke).count();
        let colour = COLOURS[before % COLOURS.len()];
        match (self.series[index].stroke, before / COLOURS.len()) {
            (Stroke::Reference, _) => (RGBColor(150, 150, 150), SOLID, 0),
            (_, 0) => (colour, SOLID, 0),
            (_, _) => (colour, 8, 5),
        }
    }

    /// The scales of both axes, which fit the shown points.
    fn scales(&self) -> (Scale, Scale) {
        let points = || self.series.iter().flat_map(|series| self.shown(series));
        let x = Scale::around(&self.x, points().map(|point| point.0));
        let y = Scale::around(&self.y, points().map(|point| point.1));
        (x, y)
    }

    /// The points of a series that both axes can show.
    fn shown<'a>(&'a self, series: &'a PlotSeries) -> impl Iterator<Item = (f64, f64)> + Clone {
        series.points.iter().copied().filter(|&(x, y)| self.x.shows(x) && self.y.shows(y))
    }

    /// The corner with the fewest points.
    fn legend_corner(&self, x: &Scale, y: &Scale) -> SeriesLabelPosition {
        use SeriesLabelPosition::{LowerLeft, LowerRight, UpperLeft, UpperRight};
        let places = || {
            let points = self.series.iter().flat_map(|series| self.shown(series));
            points.map(|point| (x.share(point.0), y.share(point.1)))
        };
        let corners = [
            (UpperLeft, [0.0, 1.0]),
            (LowerRight, [1.0, 0.0]),
            (LowerLeft, [0.0, 0.0]),
            (UpperRight, [1.0, 1.0]),
        ];
        let points = |corner: &(_, [f64; 2])| {
            let [right, top] = corner.1;
            places().filter(|(x, y)| (x - right).abs() < 0.35 && (y - top).abs() < 0.5).count()
        };
        corners.into_iter().min_by_key(points).map_or(UpperLeft, |corner| corner.0)
    }

    fn draw<B: DrawingBackend>(
        &self,
        panel: &DrawingArea<B, Shift>,
    ) -> Result<(), DrawingAreaErrorKind<B::ErrorType>> {
        let (x, y) = self.scales();
        let corner = self.legend_corner(&x, &y);
        let mut chart = ChartBuilder::on(panel)
            .caption(&self.title, ("sans-serif", 20))
            .margin(12)
            .x_label_area_size(44)
            .y_label_area_size(76)
            .build_cartesian_2d(x, y)?;
        chart
            .configure_mesh()
            .x_desc(&self.x.label)
            .y_desc(&self.y.label)
            .label_style(("sans-serif", 13))
            .axis_desc_style(("sans-serif", 15))
            .light_line_style(TRANSPARENT)
            .draw()?;
        for (index, series) in self.series.iter().enumerate() {
            let (colour, dash, gap) = self.look(index);
            let width = if series.stroke == Stroke::Reference { 1 } else { 2 };
            let line = colour.stroke_width(width);
            chart
                .draw_series(DashedLineSeries::new(self.shown(series), dash, gap, line))?
                .label(&series.name)
                .legend(move |(x, y)| {
                    DashedPathElement::new([(x, y), (x + 20, y)], dash, gap, line)
                });
            if series.stroke == Stroke::Dotted {
                let dot = |point| Circle::new(point, 3, colour.filled());
                chart.draw_series(self.shown(series).map(dot))?;
            }
        }
        chart
            .configure_series_labels()
            .position(corner)
            .background_style(WHITE.mix(0.85))
            .border_style(RGBColor(200, 200, 200))
            .label_font(("sans-serif", 13))
            .draw()
    }
}

impl Drawing for [Plot] {
    /// The plots stand below each other.
    fn size(&self) -> (u32, u32) {
        (PANEL.0, PANEL.1 * self.len() as u32)
    }

    fn draw<B: DrawingBackend>(
        &self,
        area: &DrawingArea<B, Shift>,
    ) -> Result<(), DrawingAreaErrorKind<B::ErrorType>> {
        let panels = area.split_evenly((self.len(), 1));
        self.iter().zip(panels).try_for_each(|(plot, panel)| plot.draw(&panel))
    }
}

impl Axis {
    /// Tests if the axis can show a value.
    fn shows(&self, value: f64) -> bool {
        value.is_finite() && (!self.logarithmic || value > 0.0)
    }
}

/// A linear or logarithmic axis with its range.
#[derive(Clone, Debug)]
struct Scale {
    range: Range<f64>,
    logarithmic: bool,
}

impl Scale {
    /// A scale that fits these values.
    fn around(axis: &Axis, values: impl Iterator<Item = f64> + Clone) -> Self {
        let logarithmic = axis.logarithmic;
        let least = values.clone().fold(f64::INFINITY, f64::min);
        let most = values.fold(f64::NEG_INFINITY, f64::max);
        let range = match (least <= most, logarithmic) {
            (false, _) => 1.0..10.0,
            (true, true) => least / 1.1..most * 1.1,
            // Many figures are shares or counts, so the axis includes 0.
            (true, false) => least.min(0.0)..most + (most - least.min(0.0)).max(1e-9) * 0.05,
        };
        Self { range, logarithmic }
    }

    /// The place of a value on the axis: 0 at its beginning, 1 at its end.
    fn share(&self, value: f64) -> f64 {
        let place = |value: f64| if self.logarithmic { value.log10() } else { value };
        let (first, last) = (place(self.range.start), place(self.range.end));
        (place(value) - first) / (last - first)
    }
}

impl Ranged for Scale {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (start, end): (i32, i32)) -> i32 {
        start + (f64::from(end - start) * self.share(*value)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if !self.logarithmic {
            return RangedCoordf64::from(self.range.clone()).key_points(hint);
        }
        let (first, last) = (self.range.start.log10(), self.range.end.log10());
        let within = |value: &f64| self.range.contains(value);
        let powers = first.floor() as i32..=last.ceil() as i32;
        let powers = powers.map(|power| 10_f64.powi(power));
        if last - first < 2.0 {
            powers.flat_map(|p| [p, 2.0 * p, 5.0 * p]).filter(within).collect()
        } else {
            powers.filter(within).collect()
        }
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

impl ValueFormatter<f64> for Scale {
    fn format(value: &f64) -> String {
        match *value {
            v if v >= 1e6 => format!("{v:e}"),
            v => format!("{}", (v * 1e6).round() / 1e6),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot() -> Plot {
        let series = |name: &str, stroke, slope: f64| PlotSeries {
            name: name.to_owned(),
            points: (0..6).map(|i| 10_f64.powi(i)).map(|x| (x, x * slope)).collect(),
            stroke,
        };
        Plot {
            title: "Coût & taille <n>".to_owned(),
            x: Axis { label: "n".to_owned(), logarithmic: true },
            y: Axis { label: "ns".to_owned(), logarithmic: true },
            series: vec![series("été", Stroke::Dotted, 3.0), series("n", Stroke::Reference, 0.0)],
        }
    }

    #[test]
    fn both_kinds_of_pictures_are_written() {
        let folder = tempfile::tempdir().unwrap();
        let [svg, png] = ["plot.svg", "plot.png"].map(|name| folder.path().join(name));
        [plot(), plot()].save(&svg).unwrap();
        let text = fs::read_to_string(svg).unwrap();
        assert!(text.contains("été") && text.contains("&lt;n&gt;"));
        assert_eq!(text.matches("<circle").count(), 12);
        [plot()].save(&png).unwrap();
        assert!(fs::read(png).unwrap().starts_with(b"\x89PNG"));
    }

    #[test]
    fn wrong_extensions_and_missing_folders_are_errors() {
        let error = [plot()].save(Path::new("plot.jpg")).unwrap_err().to_string();
        assert_eq!(error, "plot.jpg: expected a name that ends in .svg or .png");
        for name in ["nowhere/plot.svg", "nowhere/plot.png"] {
            let error = format!("{:#}", [plot()].save(Path::new(name)).unwrap_err());
            assert!(error.starts_with(&format!("cannot write {name}: No such file")), "{error}");
        }
    }
}
