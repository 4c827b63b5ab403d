//! A maze as a picture: its walls, a path through it, and the distances of its cells.

use std::fmt::{self, Write as _};
use std::io::{self, Write};

use graph::{Cell, Direction};
use language::said;
use maze::Maze;

/// Maximum number of pixels of a picture.
pub const MAX_PIXELS: u64 = 150_000_000;
/// Side of a cell in an SVG picture, in its units.
const UNIT: usize = 10;

/// Red, green and blue.
type Colour = [u8; 3];

const GROUND: Colour = [255, 255, 255];
const WALL: Colour = [0, 0, 0];
const WAY: Colour = [213, 94, 0];
const START: Colour = [0, 158, 115];
const END: Colour = [204, 0, 60];
/// The colour of the path on a heat map.
const PALE_WAY: Colour = [255, 255, 255];

/// Colours of the palette before those of the heat map.
const PLAIN: [Colour; 5] = [GROUND, WALL, WAY, START, END];
/// Steps of the heat map.
const HEATS: u32 = 251;
/// The heat map from near to far, at equal distances: from dark to bright, also for colour-blind people
/// (viridis, by S. van der Walt and N. Smith).
const VIRIDIS: [Colour; 6] =
    [[68, 1, 84], [65, 68, 135], [42, 120, 142], [34, 168, 132], [122, 209, 81], [253, 231, 37]];

/// A picture of a maze.
#[derive(Clone, Debug)]
pub struct Picture<'m> {
    /// The walls.
    pub maze: &'m Maze,
    /// Cells that are marked as the start and the end.
    pub ends: Option<(Cell, Cell)>,
    /// A path, cell by cell.
    pub way: Vec<Cell>,
    /// Distance of each cell in steps, row-major; unreachable cells (`None`) stay white.
    pub distances: Option<Vec<Option<u32>>>,
}

/// Too many pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", said!(
    "a picture of {width}×{height} pixels: expected at most {MAX_PIXELS} pixels in all",
    "une image de {width}×{height} pixels : au plus {MAX_PIXELS} pixels en tout sont attendus"
))]
pub struct PictureError {
    width: u64,
    height: u64,
}

impl Picture<'_> {
    /// Writes the picture as vectors.
    ///
    /// # Errors
    ///
    /// When `out` cannot be written to.
    pub fn write_svg(&self, out: &mut impl Write) -> io::Result<()> {
        let (rows, cols) = self.sides();
        let (width, height) = (cols * UNIT, rows * UNIT);
        writeln!(
            out,
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="-2 -2 {} {}" width="{}" height="{}">"#,
            width + 4,
            height + 4,
            width + 4,
            height + 4
        )?;
        writeln!(
            out,
            r#"<rect x="-2" y="-2" width="100%" height="100%" fill="{}"/>"#,
            hex(GROUND)
        )?;
        self.write_heat(out)?;
        if let Some((start, end)) = self.ends {
            for (cell, colour) in [(start, START), (end, END)] {
                let (x, y) = self.corner(cell);
                let (x, y, side) = (x + 1, y + 1, UNIT - 2);
                let fill = hex(colour);
                writeln!(
                    out,
                    r#"<rect x="{x}" y="{y}" width="{side}" height="{side}" fill="{fill}"/>"#
                )?;
            }
        }
        if !self.way.is_empty() {
            let mut points = String::new();
            for &cell in &self.way {
                let (x, y) = self.corner(cell);
                let _ = write!(points, "{},{} ", x + UNIT / 2, y + UNIT / 2);
            }
            let style = r#"fill="none" stroke-width="3" stroke-linejoin="round""#;
            let colour = hex(self.way_colour());
            writeln!(
                out,
                r#"<polyline points="{}" {style} stroke="{colour}"/>"#,
                points.trim_end()
            )?;
        }
        let style = r#"fill="none" stroke-width="2" stroke-linecap="square""#;
        writeln!(out, r#"<path {style} stroke="{}" d="{}"/>"#, hex(WALL), self.walls())?;
        writeln!(out, "</svg>")
    }

    /// Writes the picture as pixels: a cell and its wall are `scale` pixels wide, at least 2.
    ///
    /// # Errors
    ///
    /// If there are more than [`MAX_PIXELS`], or `out` cannot be written to.
    pub fn write_png(&self, scale: u32, out: impl Write) -> anyhow::Result<()> {
        let (rows, cols) = self.sides();
        let thickness = (scale / 8).max(1);
        let side = |cells: usize| cells as u64 * u64::from(scale) + u64::from(thickness);
        let (width, height) = (side(cols), side(rows));
        if width * height > MAX_PIXELS {
            return Err(PictureError { width, height }.into());
        }
        // Both numbers fit, for their product is far below 2³².
        let mut encoder = png::Encoder::new(out, width as u32, height as u32);
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_palette(self.palette());
        let mut writer = encoder.write_header()?;
        let mut pixels = writer.stream_writer()?;
        let (scale, thickness) = (scale as usize, thickness as usize);
        let (cells, way) = (self.cell_colours(), self.way_bits());
        let dims = self.maze.dims();
        let mut walls = vec![1; width as usize];
        let mut inside = vec![1; width as usize];
        for _ in 0..thickness {
            pixels.write_all(&walls)?;
        }
        for row in 0..rows {
            for col in 0..cols {
                let at = row * cols + col;
                let cell = dims.nth(at).expect("inside");
                let (start, end) = (col * scale + thickness, (col + 1) * scale);
                let colour = |direction: Direction| match self.maze.is_open(cell, direction) {
                    false => 1,
                    true if way[at] >> direction.index() & 1 == 1 => 2,
                    true if cells[at] >= PLAIN.len() as u8 => cells[at],
                    true => 0,
                };
                inside[start..end].fill(cells[at]);
                inside[end..end + thickness].fill(colour(Direction::East));
                walls[start..end].fill(colour(Direction::South));
            }
            for line in 0..scale {
                pixels.write_all(if line < scale - thickness { &inside } else { &walls })?;
            }
        }
        pixels.finish()?;
        Ok(())
    }

    /// Rows and columns of the maze.
    fn sides(&self) -> (usize, usize) {
        let dims = self.maze.dims();
        (dims.rows().into(), dims.cols().into())
    }

    /// The upper left corner of a cell of an SVG picture.
    fn corner(&self, cell: Cell) -> (usize, usize) {
        let pos = self.maze.dims().pos(cell);
        (usize::from(pos.col) * UNIT, usize::from(pos.row) * UNIT)
    }

    fn way_colour(&self) -> Colour {
        if self.distances.is_some() { PALE_WAY } else { WAY }
    }

    /// The palette: red, green and blue of each pixel value.
    fn palette(&self) -> Vec<u8> {
        let mut plain = PLAIN;
        plain[2] = self.way_colour();
        plain.into_iter().chain((0..HEATS).map(heat_colour)).flatten().collect()
    }

    /// The heat of each cell, row-major, if there is a heat map: 0 to [`HEATS`] − 1.
    fn heats(&self) -> Option<Vec<Option<u32>>> {
        let distances = self.distances.as_ref()?;
        let farthest = distances.iter().flatten().max().copied().unwrap_or(0).max(1);
        // The heat fits: it is less than HEATS.
        let heat = |d: u32| (u64::from(d) * u64::from(HEATS - 1) / u64::from(farthest)) as u32;
        Some(distances.iter().map(|distance| distance.map(heat)).collect())
    }

    /// The index of each cell's colour in the palette, row-major.
    fn cell_colours(&self) -> Vec<u8> {
        let mut colours = match self.heats() {
            // The index fits: the palette has 256 colours.
            Some(heats) => {
                let number =
                    |heat: Option<u32>| heat.map_or(0, |heat| PLAIN.len() as u8 + heat as u8);
                heats.into_iter().map(number).collect()
            }
            None => vec![0; self.maze.dims().len()],
        };
        for cell in &self.way {
            colours[cell.index()] = 2;
        }
        if let Some((start, end)) = self.ends {
            colours[start.index()] = 3;
            colours[end.index()] = 4;
        }
        colours
    }

    /// The directions in which the path leaves or enters each cell, as bits.
    fn way_bits(&self) -> Vec<u8> {
        let dims = self.maze.dims();
        let mut bits = vec![0; dims.len()];
        for pair in self.way.windows(2) {
            for (from, to) in [(pair[0], pair[1]), (pair[1], pair[0])] {
                let towards = |&direction: &Direction| dims.contiguous(from, direction) == Some(to);
                let direction = Direction::ALL.into_iter().find(towards);
                bits[from.index()] |= direction.map_or(0, |direction| 1 << direction.index());
            }
        }
        bits
    }

    /// A rectangle for each run of cells of the same heat.
    fn write_heat(&self, out: &mut impl Write) -> io::Result<()> {
        let (_, cols) = self.sides();
        let Some(heats) = self.heats() else { return Ok(()) };
        for (row, heats) in heats.chunks(cols).enumerate() {
            let mut col = 0;
            for run in heats.chunk_by(|a, b| a == b) {
                if let Some(heat) = run[0] {
                    let (x, y, width) = (col * UNIT, row * UNIT, run.len() * UNIT);
                    let fill = hex(heat_colour(heat));
                    writeln!(
                        out,
                        r#"<rect x="{x}" y="{y}" width="{width}" height="{UNIT}" fill="{fill}"/>"#
                    )?;
                }
                col += run.len();
            }
        }
        Ok(())
    }

    /// All walls as an SVG path; adjacent walls in one line are one stroke.
    fn walls(&self) -> String {
        let (rows, cols) = self.sides();
        let (width, height) = (cols * UNIT, rows * UNIT);
        let mut path = format!("M0 0h{width}v{height}h-{width}z");
        let dims = self.maze.dims();
        let wall = |row: usize, col: usize, direction| {
            let cell = dims.nth(row * cols + col).expect("inside");
            !self.maze.is_open(cell, direction)
        };
        for row in 0..rows - 1 {
            strokes(
                cols,
                |col| wall(row, col, Direction::South),
                |from, len| {
                    let _ = write!(path, "M{} {}h{}", from * UNIT, (row + 1) * UNIT, len * UNIT);
                },
            );
        }
        for col in 0..cols - 1 {
            strokes(
                rows,
                |row| wall(row, col, Direction::East),
                |from, len| {
                    let _ = write!(path, "M{} {}v{}", (col + 1) * UNIT, from * UNIT, len * UNIT);
                },
            );
        }
        path
    }
}

/// Calls `stroke` with the start and the length of each run of walls among `len` places.
fn strokes(len: usize, is_wall: impl Fn(usize) -> bool, mut stroke: impl FnMut(usize, usize)) {
    let mut at = 0;
    while at < len {
        let run = (at..len).take_while(|&place| is_wall(place)).count();
        if run > 0 {
            stroke(at, run);
        }
        at += run + 1;
    }
}

/// The colour of a heat, 0 to [`HEATS`] − 1.
fn heat_colour(heat: u32) -> Colour {
    let pieces = VIRIDIS.len() as u32 - 1;
    let place = heat * pieces;
    let piece = (place / (HEATS - 1)).min(pieces - 1);
    let (low, high) = (VIRIDIS[piece as usize], VIRIDIS[piece as usize + 1]);
    let share = place - piece * (HEATS - 1);
    let mix = |low: u8, high: u8| {
        // The colour fits: it lies between the two.
        ((u32::from(low) * (HEATS - 1 - share) + u32::from(high) * share) / (HEATS - 1)) as u8
    };
    [mix(low[0], high[0]), mix(low[1], high[1]), mix(low[2], high[2])]
}

fn hex([red, green, blue]: Colour) -> impl fmt::Display {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn maze() -> Maze {
        "┏━━━┳━━━┓\n┃       ┃\n┣━━━╋   ┫\n┃   ┃   ┃\n┗━━━┻━━━┛".parse().unwrap()
    }

    fn picture(maze: &Maze) -> Picture<'_> {
        let cells: Vec<_> = maze.dims().cells().collect();
        Picture {
            maze,
            ends: Some((cells[0], cells[3])),
            way: vec![cells[0], cells[1], cells[3]],
            distances: None,
        }
    }

    fn pixels(picture: &Picture<'_>) -> Vec<String> {
        let mut file = Vec::new();
        picture.write_png(3, &mut file).unwrap();
        let mut reader = png::Decoder::new(&file[..]).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size()];
        let info = reader.next_frame(&mut pixels).unwrap();
        let rows = pixels.chunks(info.width as usize);
        rows.map(|row| row.iter().map(u8::to_string).collect()).collect()
    }

    #[test]
    fn pixels_are_walls_cells_and_the_way() {
        let expected =
            ["1111111", "1332221", "1332221", "1111221", "1001441", "1001441", "1111111"];
        assert_eq!(pixels(&picture(&maze())), expected);
    }

    #[test]
    fn far_cells_are_bright() {
        let maze = maze();
        let start = maze.dims().nth(0).unwrap();
        let heat = Picture {
            maze: &maze,
            ends: None,
            way: Vec::new(),
            distances: Some(maze.distances(start)),
        };
        assert_eq!(heat.cell_colours(), [5, 130, 0, 255]);
        let palette = heat.palette();
        assert_eq!(palette.len(), 3 * 256);
        assert_eq!((&palette[15..18], &palette[765..]), (&VIRIDIS[0][..], &VIRIDIS[5][..]));
        let mut svg = Vec::new();
        heat.write_svg(&mut svg).unwrap();
        let svg = String::from_utf8(svg).unwrap();
        assert!(svg.contains(r##"<rect x="10" y="10" width="10" height="10" fill="#fde725"/>"##));
        assert!(svg.contains(r#"d="M0 0h20v20h-20zM0 10h10M10 10v10""#), "{svg}");
    }

    #[test]
    fn pictures_that_are_too_large_are_refused() {
        let error = picture(&maze()).write_png(10_000, io::sink()).unwrap_err().to_string();
        assert_eq!(
            error,
            "a picture of 21250×21250 pixels: expected at most 150000000 pixels in all"
        );
    }
}
