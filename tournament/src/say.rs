//! Printing lines.

/// Prints a line, if anybody reads it: it is no reason to stop when the reader is gone.
macro_rules! say {
    ($($line:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stdout(), $($line)*);
    }};
}

/// Prints a line in the chosen language: the first text in English, the second one in French.
macro_rules! tell {
    ($($texts:tt)*) => { say!("{}", ::language::said!($($texts)*)) };
}
