//! Benchmarks of searches on boards: one source, all pairs, and Dijkstra's algorithm on a large grid with mud, against
//! petgraph's.
#![allow(missing_docs, reason = "the macros make a function")]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use graph::{Cell, Dims, DistanceTable, Distances, Grid, Shape};
use petgraph::algo::dijkstra;
use petgraph::csr::Csr;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A board of corridors with loops and dead ends, 20×30.
fn board() -> Grid {
    let text = include_str!("../../../cartes/plan1.txt");
    let rows: Vec<&str> = text.lines().skip(1).take(20).collect();
    let dims = Dims::new(20, 30).expect("not empty");
    let walls = rows.concat();
    Grid::new(dims, |cell| walls.as_bytes()[cell.index()] == b'#')
}

/// A bounded grid where on average every sixth link is missing and every fourth is mud of 1 to 9.
fn muddy(side: u16) -> Grid {
    let dims = Dims::new(side, side).expect("not empty");
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut drawn = || match random.next_u32() {
        draw if draw % 6 == 0 => 0,
        draw if draw % 4 == 1 => (draw >> 16) as u16 % 9 + 1,
        _ => 1,
    };
    // A link weighs the same in both directions: the eastern and southern links are drawn.
    let links: Vec<[u16; 2]> = dims.cells().map(|_| [drawn(), drawn()]).collect();
    Grid::linked(dims, Shape::Bounded, |cell, direction| {
        let side = usize::from(side);
        match direction {
            graph::Direction::East => links[cell.index()][0],
            graph::Direction::South => links[cell.index()][1],
            graph::Direction::West => links[cell.index() - 1][0],
            graph::Direction::North => links[cell.index() - side][1],
        }
    })
}

fn peer(grid: &Grid) -> Csr<(), u32> {
    let links = |cell: Cell| {
        let to = move |&exit| {
            let next = grid.neighbour(cell, exit).index() as u32;
            (cell.index() as u32, next, u32::from(grid.weight(cell, exit)))
        };
        grid.exits(cell).iter().map(to)
    };
    let mut edges: Vec<_> = grid.dims().cells().flat_map(links).collect();
    edges.sort_unstable();
    Csr::from_sorted_edges(&edges).expect("sorted")
}

fn small(bench: &mut Criterion) {
    let grid = board();
    let corridors: Vec<Cell> = grid.corridors().collect();
    let source = corridors[corridors.len() / 2];
    let mut distances = Distances::new();
    distances.fill(&grid, source);
    assert_eq!(distances.reached().len(), corridors.len());

    bench.bench_function("board 20x30, one source", |bench| {
        bench.iter(|| distances.fill(&grid, black_box(source)).to(corridors[0]));
    });

    let sum = |grid: &Grid| {
        let mut table = DistanceTable::new();
        let reached = |turns: &u32| *turns < Distances::UNREACHED;
        let cells: Vec<Cell> = grid.corridors().collect();
        let row = |source| {
            let from = table.from(grid, source);
            cells.iter().map(|&cell| from.to(cell)).filter(reached).map(u64::from).sum::<u64>()
        };
        cells.iter().copied().map(row).sum::<u64>()
    };
    let fill = |grid: &Grid| {
        let mut table = DistanceTable::new();
        for source in grid.corridors() {
            table.from(grid, source);
        }
    };
    assert!(sum(&grid) > 0);
    bench.bench_function("board 20x30, all pairs", |bench| bench.iter(|| fill(black_box(&grid))));
    let mud = muddy(30);
    let mut one_by_one = 0;
    for source in mud.corridors() {
        distances.fill(&mud, source);
        one_by_one += distances.reached().iter().map(|&c| u64::from(distances.to(c))).sum::<u64>();
    }
    assert_eq!(sum(&mud), one_by_one);
    bench.bench_function("mud 30x30, all pairs", |bench| bench.iter(|| fill(black_box(&mud))));
}

fn large(bench: &mut Criterion) {
    let grid = muddy(1000);
    let source = grid.corridors().next().expect("not all wall");
    let mut distances = Distances::new();
    distances.fill(&grid, source);
    let csr = peer(&grid);
    let from = source.index() as u32;
    let known = dijkstra(&csr, from, None, |edge| *petgraph::visit::EdgeRef::weight(&edge));
    assert_eq!(known.len(), distances.reached().len());
    for cell in distances.reached() {
        assert_eq!(known[&(cell.index() as u32)], distances.to(*cell));
    }

    let mut group = bench.benchmark_group("mud 1000x1000, one source");
    group.sample_size(10).throughput(Throughput::Elements(1_000_000));
    group.bench_function("Distances", |bench| {
        bench.iter(|| distances.fill(&grid, black_box(source)).reached().len());
    });
    group.bench_function("petgraph", |bench| {
        bench.iter(|| {
            dijkstra(&csr, from, None, |edge| *petgraph::visit::EdgeRef::weight(&edge)).len()
        });
    });
    group.finish();
}

criterion_group!(benches, small, large);
criterion_main!(benches);
