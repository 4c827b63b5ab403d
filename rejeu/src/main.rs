//! The program `rejeu`.

use std::process::ExitCode;

fn main() -> ExitCode {
    rejeu::program::main()
}
