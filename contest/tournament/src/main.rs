//! The program `tournoi`.

use std::process::ExitCode;

fn main() -> ExitCode {
    tournament::program::main()
}
