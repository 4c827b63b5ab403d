//! The program `tournoi`.

use std::process::ExitCode;

fn main() -> ExitCode {
    tournoi::program::main()
}
