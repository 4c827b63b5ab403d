//! The program `server`.

use std::process::ExitCode;

fn main() -> ExitCode {
    server::program::main()
}
