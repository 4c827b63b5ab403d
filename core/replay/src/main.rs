//! The program `rejeu`.

use std::process::ExitCode;

fn main() -> ExitCode {
    replay::program::main()
}
