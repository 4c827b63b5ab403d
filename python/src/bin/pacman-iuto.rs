//! All the programs in one file: the name under which it is called says which one it is.

use std::env;
use std::ffi::OsStr;
use std::path::Path;
use std::process::ExitCode;

use language::{Language, said};

/// A program and the function that runs it.
type Program = (&'static str, fn() -> ExitCode);

const PROGRAMS: [Program; 7] = [
    ("server", server::program::main),
    ("client", client::program::main),
    ("afficheur", client::afficheur::main),
    ("rejeu", rejeu::program::main),
    ("tournoi", tournoi::program::main),
    ("lab", lab::program::main),
    ("trouver", client::find_server::main),
];

fn main() -> ExitCode {
    // A tournament starts this file again, under another name, to start the teams' programs.
    sandbox::launcher_main();
    let called = env::args_os().next().unwrap_or_default();
    let name = Path::new(&called).file_stem();
    let Some((_, main)) = PROGRAMS.iter().find(|(known, _)| name == Some(OsStr::new(known))) else {
        let names = PROGRAMS.map(|(name, _)| name).join(", ");
        let called = cli::printable(&called.to_string_lossy());
        Language::choose(None);
        return cli::fail(&anyhow::anyhow!(said!(
            "called as {called:?}, expected one of: {names}",
            "appelé {called:?}, l'un de ces noms est attendu : {names}"
        )));
    };
    main()
}
