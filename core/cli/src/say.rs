//! Printing lines.

/// Prints a line. Ignores errors: a reader that is gone is no reason to stop.
#[macro_export]
macro_rules! say {
    ($($line:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stdout(), $($line)*);
    }};
}

/// Prints a line in the chosen language: the first text in English, the second one in French.
#[macro_export]
macro_rules! tell {
    ($($texts:tt)*) => { $crate::say!("{}", ::language::said!($($texts)*)) };
}

/// Prints a line on the error output in the chosen language, as [`tell!`](crate::tell): what is no result, so that results can be piped.
#[macro_export]
macro_rules! warn {
    ($($texts:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), "{}", ::language::said!($($texts)*));
    }};
}
