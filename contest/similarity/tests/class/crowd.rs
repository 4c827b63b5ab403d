//! Large classes: one program at a time is in memory, and a comparison can be broken off.

use std::borrow::Borrow;
use std::cell::Cell;
use std::ops::ControlFlow;

use similarity::{Class, Program, Source};

/// A program that counts how many of its kind there are.
struct Counted<'a>(Program, &'a Cell<u32>);

impl Borrow<Program> for Counted<'_> {
    fn borrow(&self) -> &Program {
        &self.0
    }
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.1.set(self.1.get() - 1);
    }
}

#[test]
fn programs_are_read_one_by_one_and_compared_as_long_as_the_caller_wants() {
    let alive = Cell::new(0);
    let text = "while not done(x):\n    x = step(x, [1, 2]) if free[x] else None\n".repeat(3);
    let programs = (0..4).map(|number| {
        assert_eq!(alive.replace(1), 0, "the program before is gone");
        let sources = vec![Source::new(format!("{number}.py"), text.as_str())];
        Counted(Program { name: number.to_string(), sources }, &alive)
    });
    let class = Class::new(&[], programs);
    assert_eq!((alive.get(), class.pairs().len()), (0, 6));
    let mut seen = Vec::new();
    let end = class.each_pair(|pair| {
        seen.extend(pair.map(|pair| (pair.first, pair.second)));
        if seen.len() < 4 { ControlFlow::Continue(()) } else { ControlFlow::Break("enough") }
    });
    assert_eq!((end, seen), (ControlFlow::Break("enough"), vec![(0, 1), (0, 2), (0, 3), (1, 2)]));
}
