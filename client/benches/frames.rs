//! Frames of 200×60 that are drawn in a second, and bytes that a terminal is sent for one.
//!
//! Every frame shows the next state of a game, as when a game is stepped through at full speed.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark")]

#[path = "../tests/played/mod.rs"]
mod played;

use std::io::{self, Write};
use std::time::Instant;

use client::News;
use client::viewer::{Command, Model, Theme, draw};
use game::pacman::Rules;
use game::pyrat::Start;
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use ratatui::{Terminal, TerminalOptions, Viewport};

/// Counts what a terminal would read.
#[derive(Default)]
struct Counter {
    bytes: usize,
}

impl Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn main() {
    for (name, map) in [
        ("plan1", include_str!("../../cartes/plan1.txt")),
        ("grand", include_str!("../../cartes/grand.txt")),
    ] {
        measure(name, played::game(map, 200).into_iter().map(News::State).collect());
    }
    // As large as fits: the first at the large size, the second at the small one.
    for (name, width, height) in [("maze 15×13", 15, 13), ("maze 31×29", 31, 29)] {
        let states = played::rats(width, height, &Start::Corners, 41);
        measure(name, states.into_iter().map(News::PyRat).collect());
    }
}

fn measure(name: &str, states: Vec<News>) {
    let frames = states.len() as u32 - 1;
    let mut model = Model::new("127.0.0.1:1111".to_owned(), Rules::SUJET);
    for news in states {
        model.hear(news);
    }
    model.obey(Command::Oldest);

    let mut counter = Counter::default();
    let viewport = Viewport::Fixed(Rect::new(0, 0, 200, 60));
    let backend = CrosstermBackend::new(&mut counter);
    let mut terminal = Terminal::with_options(backend, TerminalOptions { viewport }).unwrap();
    let mut draw = |model: &Model| {
        terminal.draw(|frame| draw(frame, model, Theme::new(true))).unwrap();
    };
    draw(&model);
    let start = Instant::now();
    for _ in 0..frames {
        model.obey(Command::Forward);
        draw(&model);
    }
    let taken = start.elapsed();
    assert!(model.shown().unwrap().is_over(), "every state was drawn");
    drop(terminal);
    let seconds = taken.as_secs_f64() / f64::from(frames);
    println!(
        "{name}: {frames} frames of 200×60, {:.0} a second, {:.0} µs and {} bytes each",
        1.0 / seconds,
        1e6 * seconds,
        counter.bytes / frames as usize
    );
}
