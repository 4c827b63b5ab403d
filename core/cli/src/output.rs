//! Results on the standard output, for people or for programs.

use std::fmt::Display;
use std::io::{self, BufWriter, ErrorKind, IsTerminal as _, Write as _};

/// Prints one text on a terminal, for people, and another one elsewhere, for programs.
///
/// # Errors
///
/// If the standard output cannot be written.
pub fn print_either(people: impl Display, programs: impl Display) -> io::Result<()> {
    if io::stdout().is_terminal() { print(people) } else { print(programs) }
}

/// Prints a text, however long, and a newline. A reader that has seen enough is no error.
///
/// # Errors
///
/// If the standard output cannot be written.
pub fn print(text: impl Display) -> io::Result<()> {
    print_lines(format_args!("{text}\n"))
}

/// Prints a text that ends in a newline itself. A reader that has seen enough is no error.
///
/// # Errors
///
/// If the standard output cannot be written.
pub fn print_lines(text: impl Display) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    match write!(out, "{text}").and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => {
            // Discards the rest of the buffer.
            let _ = out.into_parts();
            Ok(())
        }
        done => done,
    }
}
