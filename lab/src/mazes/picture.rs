//! A maze as a picture: its walls, a path through it, and the distances of its cells.

use graph::{Cell, Direction};
use maze::Maze;
use plotters::coord::Shift;
use plotters::prelude::*;

use crate::plot::Drawing;

const WAY: RGBColor = RGBColor(213, 94, 0);
const START: RGBColor = RGBColor(0, 158, 115);
const END: RGBColor = RGBColor(204, 0, 60);

/// A picture of a maze.
#[derive(Clone, Debug)]
pub struct Picture<'m> {
    /// The walls.
    pub maze: &'m Maze,
    /// Cells that are marked as the start and the end.
    pub ends: Option<(Cell, Cell)>,
    /// A path, cell by cell.
    pub way: Vec<Cell>,
    /// Distance of each cell in steps, row-major, for a heat map; unreachable cells (`None`) stay white.
    pub distances: Option<Vec<Option<u32>>>,
    /// Pixels of a cell with its wall, at least 2.
    pub scale: u16,
}

/// Pixels from left to right, and from top to bottom.
type Point = (i32, i32);

impl Picture<'_> {
    /// The thickness of a wall, in pixels.
    fn thickness(&self) -> i32 {
        (i32::from(self.scale) / 8).max(1)
    }

    /// The upper left corner of the walls around a cell.
    fn corner(&self, row: u16, col: u16) -> Point {
        let [x, y] = [col, row].map(|place| i32::from(place) * i32::from(self.scale));
        (x, y)
    }

    /// The upper left and the lower right corner of a cell, without its walls.
    fn inside(&self, cell: Cell) -> (Point, Point) {
        let pos = self.maze.dims().pos(cell);
        let ((x, y), thickness) = (self.corner(pos.row, pos.col), self.thickness());
        let scale = i32::from(self.scale);
        ((x + thickness, y + thickness), (x + scale, y + scale))
    }

    /// The colour of each cell of the heat map: viridis, which colour-blind people can read, too.
    fn heats(&self) -> impl Iterator<Item = (Cell, RGBColor)> + '_ {
        let distances = self.distances.as_deref().unwrap_or_default();
        let farthest = distances.iter().flatten().max().copied().unwrap_or(0).max(1) as f32;
        let heat = move |distance| ViridisRGB::get_color_normalized(distance as f32, 0.0, farthest);
        let cells = self.maze.dims().cells().zip(distances);
        cells.filter_map(move |(cell, distance)| Some((cell, heat((*distance)?))))
    }

    /// The path as bars half as wide as a cell, each from the middle of a cell to that of the next one.
    fn bars(&self) -> impl Iterator<Item = (Point, Point)> + '_ {
        let margin = (i32::from(self.scale) - self.thickness()) / 4;
        let middle = move |cell| {
            let ((left, top), (right, bottom)) = self.inside(cell);
            ((left + margin, top + margin), (right - margin, bottom - margin))
        };
        self.way.windows(2).map(move |pair| {
            let (first, second) = (middle(pair[0]), middle(pair[1]));
            (first.0.min(second.0), first.1.max(second.1))
        })
    }

    /// All walls; those in one line without a gap are one rectangle.
    fn walls(&self) -> Vec<(Point, Point)> {
        let dims = self.maze.dims();
        let (rows, cols) = (dims.rows(), dims.cols());
        let is_wall = |row, col, direction| {
            let cell = dims.cell(graph::Pos { row, col }).expect("inside");
            !self.maze.is_open(cell, direction)
        };
        let above = |row, col| row == rows || is_wall(row, col, Direction::North);
        let before = |row, col| col == cols || is_wall(row, col, Direction::West);
        let mut walls = Vec::new();
        let mut add = |(from, to): (Point, Point)| {
            walls.push((from, (to.0 + self.thickness(), to.1 + self.thickness())));
        };
        for row in 0..=rows {
            for (from, to) in runs(cols, |col| above(row, col)) {
                add((self.corner(row, from), self.corner(row, to)));
            }
        }
        for col in 0..=cols {
            for (from, to) in runs(rows, |row| before(row, col)) {
                add((self.corner(from, col), self.corner(to, col)));
            }
        }
        walls
    }
}

impl Drawing for Picture<'_> {
    fn size(&self) -> (u32, u32) {
        let dims = self.maze.dims();
        let side =
            |cells: u16| u32::from(cells) * u32::from(self.scale) + self.thickness().unsigned_abs();
        (side(dims.cols()), side(dims.rows()))
    }

    fn draw<B: DrawingBackend>(
        &self,
        area: &DrawingArea<B, Shift>,
    ) -> Result<(), DrawingAreaErrorKind<B::ErrorType>> {
        let fill = |(from, to): (Point, Point), colour: RGBColor| {
            area.draw(&Rectangle::new([from, to], colour.filled()))
        };
        let thickness = self.thickness();
        for (cell, colour) in self.heats() {
            let (from, (right, bottom)) = self.inside(cell);
            // The walls are drawn later; where there is none, the colour reaches the next cell.
            fill((from, (right + thickness, bottom + thickness)), colour)?;
        }
        let colour = if self.distances.is_some() { WHITE } else { WAY };
        for bar in self.bars() {
            fill(bar, colour)?;
        }
        if let Some((start, end)) = self.ends {
            fill(self.inside(start), START)?;
            fill(self.inside(end), END)?;
        }
        for wall in self.walls() {
            fill(wall, BLACK)?;
        }
        Ok(())
    }
}

/// The runs of walls among `len` places: the first place, and the place after the last one.
fn runs(len: u16, is_wall: impl Fn(u16) -> bool) -> Vec<(u16, u16)> {
    let places: Vec<u16> = (0..len).filter(|&place| is_wall(place)).collect();
    let runs = places.chunk_by(|place, next| place + 1 == *next);
    runs.map(|run| (run[0], run[run.len() - 1] + 1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn maze() -> Maze {
        "┏━━━┳━━━┓\n┃       ┃\n┣━━━╋   ┫\n┃   ┃   ┃\n┗━━━┻━━━┛".parse().unwrap()
    }

    /// The pixels of a picture, row by row: a letter for each known colour.
    fn pixels(picture: &Picture<'_>) -> Vec<String> {
        let (width, height) = picture.size();
        let mut bytes = vec![0; (width * height * 3) as usize];
        let area = BitMapBackend::with_buffer(&mut bytes, (width, height)).into_drawing_area();
        area.fill(&WHITE).unwrap();
        picture.draw(&area).unwrap();
        drop(area);
        let letter = |pixel: &[u8]| match RGBColor(pixel[0], pixel[1], pixel[2]) {
            BLACK => '#',
            WHITE => ' ',
            WAY => '*',
            START => 'D',
            END => 'A',
            _ => '+',
        };
        let letters: Vec<char> = bytes.chunks(3).map(letter).collect();
        letters.chunks(width as usize).map(String::from_iter).collect()
    }

    #[test]
    fn pixels_are_walls_ends_and_the_way() {
        let maze = maze();
        let cells: Vec<_> = maze.dims().cells().collect();
        let picture = Picture {
            maze: &maze,
            ends: Some((cells[0], cells[3])),
            way: vec![cells[0], cells[1], cells[3]],
            distances: None,
            scale: 5,
        };
        let expected = [
            "###########",
            "#DDDD     #",
            "#DDDD**** #",
            "#DDDD**** #",
            "#DDDD  ** #",
            "###### ** #",
            "#    #AAAA#",
            "#    #AAAA#",
            "#    #AAAA#",
            "#    #AAAA#",
            "###########",
        ];
        assert_eq!(pixels(&picture), expected);
    }

    #[test]
    fn far_cells_are_bright_and_unreachable_cells_white() {
        let maze = maze();
        let distances = Some(maze.distances(maze.dims().nth(0).unwrap()));
        let heat = Picture { maze: &maze, ends: None, way: Vec::new(), distances, scale: 2 };
        assert_eq!(pixels(&heat), ["#####", "#+++#", "###+#", "# #+#", "#####"]);
        let colours: Vec<_> = heat.heats().map(|(_, colour)| colour).collect();
        assert_eq!(colours.first(), Some(&RGBColor(68, 1, 84)));
        assert_eq!((colours.len(), colours.last()), (3, Some(&RGBColor(254, 232, 37))));
    }
}
