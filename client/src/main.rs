//! The program `client`.

use std::process::ExitCode;

fn main() -> ExitCode {
    client::program::main()
}
