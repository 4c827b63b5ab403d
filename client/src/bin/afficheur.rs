//! The program `afficheur`.

use std::process::ExitCode;

fn main() -> ExitCode {
    client::afficheur::main()
}
