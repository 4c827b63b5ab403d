//! A random maze under construction.

use std::collections::VecDeque;
use std::ops::RangeInclusive;

use arrayvec::ArrayVec;

use crate::pyrat::{Cell, Dims, Direction, Maze, Mersenne};

use super::maze::Links;
use super::recipe::share;

/// A maze under construction, with its cells and their neighbours in PyRat's order, on which the draws depend.
pub(super) struct Draft {
    dims: Dims,
    order: Vec<Cell>,
    /// Links by place; none for a hole.
    links: Vec<Links>,
    is_cell: Vec<bool>,
}

impl Draft {
    /// A draft in which all places are cells, each linked with all its neighbours.
    pub(super) fn full(dims: Dims) -> Self {
        let mut draft = Self::empty(dims);
        for cell in dims.cells() {
            draft.add(cell);
            for direction in [Direction::North, Direction::West] {
                if let Some(neighbour) = dims.contiguous(cell, direction) {
                    draft.link(cell, neighbour, 1);
                }
            }
        }
        draft
    }

    /// A draft of `target` cells grown from the centre, each linked with all its neighbours.
    pub(super) fn growing(dims: Dims, target: usize, random: &mut Mersenne) -> Self {
        let mut draft = Self::empty(dims);
        let mut candidates = vec![Maze::centre(dims)];
        while draft.order.len() < target {
            let drawn = random.below(candidates.len() as u64) as usize;
            let cell = candidates.remove(drawn);
            if draft.is_cell[cell.index()] {
                continue;
            }
            draft.add(cell);
            let around = [Direction::North, Direction::South, Direction::West, Direction::East];
            candidates.extend(around.into_iter().filter_map(|d| dims.contiguous(cell, d)));
        }
        let mut rank = vec![usize::MAX; dims.len()];
        for (place, cell) in draft.order.iter().enumerate() {
            rank[cell.index()] = place;
        }
        for cell in draft.order.clone() {
            let mut around: Vec<Cell> =
                Direction::ALL.into_iter().filter_map(|d| dims.contiguous(cell, d)).collect();
            around.retain(|next| draft.is_cell[next.index()]);
            around.sort_by_key(|next| rank[next.index()]);
            for next in around {
                if draft.links[cell.index()].iter().all(|&(known, _)| known != next) {
                    draft.link(cell, next, 1);
                }
            }
        }
        draft
    }

    fn empty(dims: Dims) -> Self {
        let links = vec![Links::new(); dims.len()];
        Self { dims, order: Vec::new(), links, is_cell: vec![false; dims.len()] }
    }

    /// Removes cells until `target` are left; a cell becomes likelier the more of its neighbours are holes.
    pub(super) fn dig_big_holes(&mut self, target: usize, random: &mut Mersenne) {
        // Number of lost neighbours by cell, and the sum of its squares over the remaining cells.
        let mut lost = vec![0_u64; self.dims.len()];
        let mut squares = 0;
        while self.order.len() > target {
            let missing = (self.dims.len() - self.order.len()) as u64;
            let weights = self.order.iter().map(|cell| 1 + missing * lost[cell.index()].pow(2));
            let drawn = random.choice(weights, self.order.len() as u64 + missing * squares);
            let cell = self.order[drawn];
            for (neighbour, _) in self.dig(drawn).into_iter().flatten() {
                let lost = &mut lost[neighbour.index()];
                squares += 2 * *lost + 1;
                *lost += 1;
            }
            if !self.is_cell[cell.index()] {
                squares -= lost[cell.index()].pow(2);
            }
        }
    }

    /// Removes cells until `target` are left, all equally likely.
    pub(super) fn dig_uniform_holes(&mut self, target: usize, random: &mut Mersenne) {
        while self.order.len() > target {
            let drawn = random.below(self.order.len() as u64) as usize;
            self.dig(drawn);
        }
    }

    /// Removes the cell at an index of the order and returns its links; `None` if this would disconnect the maze: the cell then
    /// comes back as the last one.
    fn dig(&mut self, place: usize) -> Option<Links> {
        let cell = self.order.remove(place);
        let links = std::mem::take(&mut self.links[cell.index()]);
        self.is_cell[cell.index()] = false;
        for &(neighbour, _) in &links {
            self.unlink_one_way(neighbour, cell);
        }
        if self.stays_connected_without(cell, &links) {
            return Some(links);
        }
        self.add(cell);
        for (neighbour, weight) in links {
            self.link(cell, neighbour, weight);
        }
        None
    }

    /// Tests if the cells stay connected without `hole`, which had these links. All adjacent cells must be linked.
    fn stays_connected_without(&self, hole: Cell, links: &Links) -> bool {
        let beside = |direction| {
            self.dims.contiguous(hole, direction).filter(|cell| self.is_cell[cell.index()])
        };
        // Two neighbours of the hole stay connected around the corner between them.
        let corner = |&turn: &usize| {
            let [first, second] = [turn, (turn + 1) % 4].map(|d| Direction::ALL[d]);
            let (Some(first), Some(_)) = (beside(first), beside(second)) else { return false };
            let between = self.dims.contiguous(first, second);
            between.is_some_and(|cell| self.is_cell[cell.index()])
        };
        let corners = (0..4).filter(corner).count();
        corners + 1 >= links.len() || self.connects(links)
    }

    /// Tests if paths connect these cells, by a breadth-first search that mostly ends early.
    fn connects(&self, cells: &Links) -> bool {
        let mut seen = vec![false; self.dims.len()];
        let mut queue: VecDeque<_> = cells.first().map(|link| link.0).into_iter().collect();
        let mut left = cells.len();
        while let Some(cell) = queue.pop_front() {
            if std::mem::replace(&mut seen[cell.index()], true) {
                continue;
            }
            left -= usize::from(cells.iter().any(|link| link.0 == cell));
            if left == 0 {
                break;
            }
            queue.extend(self.links[cell.index()].iter().map(|link| link.0));
        }
        left == 0
    }

    /// Closes this share of the passages outside a spanning tree, in percent.
    pub(super) fn build_walls(&mut self, percent: f64, random: &mut Mersenne) {
        let needed = self.spanning_tree(&mut Mersenne::new(random.below(1 << 63)));
        let edges = self.edges();
        let closed = share(edges.len() - (self.order.len() - 1), percent);
        let is_needed = |&(a, b): &(Cell, Cell)| needed[a.index()].contains(&b);
        let mut spare: Vec<_> = edges.into_iter().filter(|edge| !is_needed(edge)).collect();
        for &(a, b) in &spare {
            self.unlink(a, b);
        }
        random.shuffle(&mut spare);
        for &(a, b) in &spare[closed..] {
            self.link(a, b, 1);
        }
    }

    /// A random spanning tree, as the neighbours of each cell.
    fn spanning_tree(&self, random: &mut Mersenne) -> Vec<ArrayVec<Cell, 4>> {
        let mut tree = vec![ArrayVec::new(); self.dims.len()];
        let mut in_tree = vec![false; self.dims.len()];
        let mut waiting = self.order.clone();
        random.shuffle(&mut waiting);
        let mut waiting = VecDeque::from(waiting);
        if let Some(first) = waiting.pop_front() {
            in_tree[first.index()] = true;
        }
        let mut around = ArrayVec::<Cell, 4>::new();
        while let Some(cell) = waiting.pop_front() {
            around.clear();
            around.extend(self.links[cell.index()].iter().map(|link| link.0));
            random.shuffle(&mut around);
            match around.iter().find(|neighbour| in_tree[neighbour.index()]) {
                Some(&neighbour) => {
                    in_tree[cell.index()] = true;
                    tree[cell.index()].push(neighbour);
                    tree[neighbour.index()].push(cell);
                }
                None => waiting.push_back(cell),
            }
        }
        tree
    }

    /// Makes this share of all passages muddy, in percent.
    pub(super) fn spread_mud(
        &mut self,
        percent: f64,
        turns: &RangeInclusive<u16>,
        random: &mut Mersenne,
    ) {
        let mut edges = self.edges();
        let muddy = share(edges.len(), percent);
        random.shuffle(&mut edges);
        for &(a, b) in &edges[..muddy] {
            self.unlink(a, b);
            self.link(a, b, random.between(*turns.start(), *turns.end()));
        }
    }

    /// Every passage once, in the order of the cells and then of their neighbours.
    fn edges(&self) -> Vec<(Cell, Cell)> {
        let mut listed = vec![false; self.dims.len()];
        let mut edges = Vec::with_capacity(2 * self.order.len());
        for &cell in &self.order {
            let links = self.links[cell.index()].iter();
            edges.extend(links.filter(|(to, _)| !listed[to.index()]).map(|&(to, _)| (cell, to)));
            listed[cell.index()] = true;
        }
        edges
    }

    pub(super) fn finish(self) -> Maze {
        Maze::new(self.dims, self.order, self.links)
    }

    fn add(&mut self, cell: Cell) {
        self.order.push(cell);
        self.is_cell[cell.index()] = true;
    }

    fn link(&mut self, a: Cell, b: Cell, weight: u16) {
        self.links[a.index()].push((b, weight));
        self.links[b.index()].push((a, weight));
    }

    fn unlink(&mut self, a: Cell, b: Cell) {
        self.unlink_one_way(a, b);
        self.unlink_one_way(b, a);
    }

    fn unlink_one_way(&mut self, from: Cell, to: Cell) {
        self.links[from.index()].retain(|(neighbour, _)| *neighbour != to);
    }
}
