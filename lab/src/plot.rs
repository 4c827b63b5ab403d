//! Drawings as SVG or PNG files, and plots of curves, which can be text, too.

mod labels;
mod text;

use std::fs;
use std::ops::Range;
use std::path::Path;

use anyhow::{Context, anyhow, ensure};
use language::{Language, said};
use plotters::coord::Shift;
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, ValueFormatter};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::register_font;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::table::scientific;

/// Maximum number of pixels of a PNG file; each takes three bytes of memory while it is drawn.
pub const MAX_PIXELS: u64 = 150_000_000;
/// Width and height of a plot, in pixels.
const PANEL: (u32, u32) = (800, 480);
/// Pixels between the plane and the labels beside it.
const LABEL_GAP: i32 = 24;

/// The colours of a plot.
#[derive(Clone, Copy, Debug)]
struct Scheme {
    paper: RGBColor,
    ink: RGBColor,
    curves: [RGBColor; 7],
    references: [RGBColor; 3],
}

/// The curves have colours that colour-blind people can distinguish (Okabe and Ito 2008), without the yellow.
const LIGHT: Scheme = Scheme {
    paper: WHITE,
    ink: BLACK,
    curves: [
        RGBColor(0, 114, 178),
        RGBColor(213, 94, 0),
        RGBColor(0, 158, 115),
        RGBColor(204, 121, 167),
        RGBColor(86, 180, 233),
        RGBColor(230, 159, 0),
        BLACK,
    ],
    references: [RGBColor(100, 100, 100), RGBColor(138, 109, 59), RGBColor(74, 91, 140)],
};
/// The same hues on a dark background.
const DARK: Scheme = Scheme {
    paper: RGBColor(22, 24, 29),
    ink: RGBColor(232, 234, 237),
    curves: [
        RGBColor(74, 144, 217),
        RGBColor(240, 121, 58),
        RGBColor(44, 194, 149),
        RGBColor(227, 154, 196),
        RGBColor(155, 215, 255),
        RGBColor(242, 193, 78),
        RGBColor(232, 234, 237),
    ],
    references: [RGBColor(160, 160, 160), RGBColor(201, 166, 107), RGBColor(143, 163, 217)],
};

impl Scheme {
    fn colours(self) -> impl Iterator<Item = RGBColor> {
        [self.paper, self.ink].into_iter().chain(self.curves).chain(self.references)
    }
}

/// A picture that can be written as an SVG or a PNG file.
pub trait Drawing {
    /// Width and height, in pixels.
    fn size(&self) -> (u32, u32);

    /// The colour of the area before it is drawn on.
    fn background(&self) -> RGBColor {
        WHITE
    }

    /// Rules of CSS for an SVG file.
    fn style(&self) -> String {
        String::new()
    }

    /// Draws on an area of that size.
    ///
    /// # Errors
    ///
    /// The errors of the drawing area.
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
                let head = text.find('>').map_or(0, |end| end + 1);
                text.insert_str(head, &format!("<style>{}</style>", self.style()));
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
    let drawn = area
        .fill(&drawing.background())
        .and_then(|()| drawing.draw(&area))
        .and_then(|()| area.present());
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
    /// The name, at the end of the curve.
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
    /// A thin dashed line, as a reference for measurements.
    Reference,
}

impl Plot {
    /// The colour of the series with this number, and the lengths of its dashes and gaps, in pixels: if there
    /// are more series than colours, those that repeat a colour are dashed. References have dashes and colours of their own.
    fn look(&self, index: usize, scheme: Scheme) -> (RGBColor, i32, i32) {
        const SOLID: i32 = i32::MAX;
        const DASHES: [i32; 3] = [3, 8, 14];
        let is_reference = |series: &PlotSeries| series.stroke == Stroke::Reference;
        let is_like =
            |series: &&PlotSeries| is_reference(series) == is_reference(&self.series[index]);
        let before = self.series[..index].iter().filter(is_like).count();
        if is_reference(&self.series[index]) {
            let place = before % DASHES.len();
            return (scheme.references[place], DASHES[place], 4);
        }
        let colour = scheme.curves[before % scheme.curves.len()];
        if before < scheme.curves.len() { (colour, SOLID, 0) } else { (colour, 8, 5) }
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

    fn draw<B: DrawingBackend>(
        &self,
        panel: &DrawingArea<B, Shift>,
        scheme: Scheme,
    ) -> Result<(), DrawingAreaErrorKind<B::ErrorType>> {
        let font = |size: i32| ("sans-serif", size).into_font().color(&scheme.ink);
        let mut sizes = Vec::new();
        for series in &self.series {
            let (width, height) = panel.estimate_text_size(&series.name, &font(13))?;
            sizes.push((width.cast_signed(), height.cast_signed()));
        }
        let room = sizes.iter().map(|size| size.0).max().unwrap_or(0) + LABEL_GAP;
        let (x, y) = self.scales();
        let mut chart = ChartBuilder::on(panel)
            .caption(&self.title, font(20))
            .margin(12)
            .margin_right(12 + room)
            .x_label_area_size(44)
            .y_label_area_size(76)
            .build_cartesian_2d(x, y)?;
        chart
            .configure_mesh()
            .x_desc(&self.x.label)
            .y_desc(&self.y.label)
            .label_style(font(13))
            .axis_desc_style(font(15))
            .axis_style(scheme.ink)
            .bold_line_style(scheme.ink.mix(0.15))
            .light_line_style(TRANSPARENT)
            .draw()?;
        let origin = panel.get_base_pixel();
        let mut curves = Vec::new();
        for (index, series) in self.series.iter().enumerate() {
            let (colour, dash, gap) = self.look(index, scheme);
            let width = if series.stroke == Stroke::Reference { 1 } else { 2 };
            let line = colour.stroke_width(width);
            chart.draw_series(DashedLineSeries::new(self.shown(series), dash, gap, line))?;
            if series.stroke == Stroke::Dotted {
                let dot = |point| Circle::new(point, 3, colour.filled());
                chart.draw_series(self.shown(series).map(dot))?;
            }
            let pixel = |point| {
                let (x, y) = chart.backend_coord(&point);
                (x - origin.0, y - origin.1)
            };
            curves.push(self.shown(series).map(pixel).collect());
        }
        let (columns, rows) = chart.plotting_area().get_pixel_range();
        let plane = columns.start - origin.0..columns.end - origin.0;
        let rows = rows.start - origin.1..rows.end - origin.1;
        let places = labels::place(&curves, &sizes, &plane, rows);
        for (index, (series, place)) in self.series.iter().zip(places).enumerate() {
            let (Some((x, y)), Some(&end)) = (place, curves[index].last()) else { continue };
            let (colour, ..) = self.look(index, scheme);
            if x > plane.end {
                let leader = [(end.0 + 4, end.1), (x - 2, y)];
                panel.draw(&PathElement::new(leader, colour.mix(0.6)))?;
            }
            let style = font(13).color(&colour).pos(Pos::new(HPos::Left, VPos::Center));
            panel.draw(&Text::new(&*series.name, (x, y), style))?;
        }
        Ok(())
    }
}

/// Plots below each other.
#[derive(Clone, Copy, Debug)]
pub struct Plots<'a> {
    /// The plots, from top to bottom.
    pub list: &'a [Plot],
    /// True for a dark background. SVG files should be light: they become dark where the reader prefers it.
    pub is_dark: bool,
}

impl Plots<'_> {
    fn scheme(self) -> Scheme {
        if self.is_dark { DARK } else { LIGHT }
    }
}

impl Drawing for Plots<'_> {
    fn size(&self) -> (u32, u32) {
        (PANEL.0, PANEL.1 * self.list.len() as u32)
    }

    fn background(&self) -> RGBColor {
        self.scheme().paper
    }

    /// A rule for each colour of the light scheme, which makes it dark.
    fn style(&self) -> String {
        let pairs = LIGHT.colours().zip(DARK.colours());
        let rules = pairs.map(|(RGBColor(r, g, b), RGBColor(dark_r, dark_g, dark_b))| {
            let (from, to) = (
                format!("#{r:02X}{g:02X}{b:02X}"),
                format!("#{dark_r:02X}{dark_g:02X}{dark_b:02X}"),
            );
            format!("[fill=\"{from}\"]{{fill:{to}}}[stroke=\"{from}\"]{{stroke:{to}}}")
        });
        format!("@media (prefers-color-scheme:dark){{{}}}", rules.collect::<String>())
    }

    fn draw<B: DrawingBackend>(
        &self,
        area: &DrawingArea<B, Shift>,
    ) -> Result<(), DrawingAreaErrorKind<B::ErrorType>> {
        let panels = area.split_evenly((self.list.len(), 1));
        self.list.iter().zip(panels).try_for_each(|(plot, panel)| plot.draw(&panel, self.scheme()))
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
        let is_plain = (1e-4..1e6).contains(&value.abs()) || *value == 0.0;
        if is_plain { Language::chosen().number(*value, 6) } else { scientific(*value, 3) }
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
        let save = |list: &[Plot], path| Plots { list, is_dark: false }.save(path);
        save(&[plot(), plot()], &svg).unwrap();
        let text = fs::read_to_string(&svg).unwrap();
        assert!(text.contains("été") && text.contains("&lt;n&gt;"));
        assert_eq!(text.matches("<circle").count(), 12);
        save(&[plot()], &png).unwrap();
        assert!(fs::read(&png).unwrap().starts_with(b"\x89PNG"));
    }

    #[test]
    fn each_colour_has_a_dark_one() {
        let mut drawing = plot();
        let curve = drawing.series[0].clone();
        drawing.series.extend(vec![curve; 8]);
        let plots = Plots { list: &[drawing], is_dark: false };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("plot.svg");
        plots.save(&path).unwrap();
        let text = fs::read_to_string(path).unwrap().replace(&plots.style(), "");
        let style = plots.style();
        let colours: Vec<&str> =
            text.split('"').filter(|part| part.starts_with('#') && part.len() == 7).collect();
        assert!(colours.len() > 20, "{text}");
        for colour in colours {
            assert!(style.contains(&format!("[fill=\"{colour}\"]{{fill:#")), "{colour}");
        }
    }

    #[test]
    fn wrong_extensions_and_missing_folders_are_errors() {
        let save = |name| Plots { list: &[plot()], is_dark: false }.save(Path::new(name));
        let error = save("plot.jpg").unwrap_err().to_string();
        assert_eq!(error, "plot.jpg: expected a name that ends in .svg or .png");
        for name in ["nowhere/plot.svg", "nowhere/plot.png"] {
            let error = format!("{:#}", save(name).unwrap_err());
            assert!(error.starts_with(&format!("cannot write {name}: No such file")), "{error}");
        }
    }
}
