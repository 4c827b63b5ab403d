//! `lab nouveau-bot`.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail, ensure};

use super::print;

/// The bot to begin with, which the workspace compiles and tests.
const BOT: &str = include_str!("../../../exemples/mon_ia/mon_ia.rs");

/// Crates of this project that the bot uses.
const CRATES: [&str; 4] = ["bots", "client", "game", "graph"];

/// Write a crate with a bot of your own, to be changed and played with `cargo run`
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Folder to be made; its name is that of the bot
    dossier: PathBuf,

    /// Folder of the sources of this project, whose crates the bot uses
    #[arg(long, value_name = "DIR", default_value = ".")]
    source: PathBuf,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let folder = &args.dossier;
    let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let is_name = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_lowercase())
            && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
    };
    ensure!(
        is_name(name),
        "the folder's name is that of the bot: expected a small letter, then small letters, digits and _, as in `{}`",
        folder.with_file_name("mon_ia").display()
    );
    if let Some(missing) = CRATES.iter().find(|&&name| !is_crate(&args.source.join(name))) {
        bail!(
            "{} has no crate `{missing}`; type --source and the folder of this project's sources",
            args.source.display()
        );
    }
    let source = fs::canonicalize(&args.source)?;
    let source = source.to_str().context("the path of the sources is no text")?;
    ensure!(
        !source.contains('\''),
        "the path of the sources has a sign that TOML does not take: {source}"
    );
    fs::create_dir(folder).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => {
            anyhow::anyhow!("{} exists already; nothing was changed", folder.display())
        }
        _ => anyhow::Error::new(error).context(format!("cannot make {}", folder.display())),
    })?;
    let write = |file: &str, text: &str| {
        let path = folder.join(file);
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
    };
    write("Cargo.toml", &manifest(name, source))?;
    write("main.rs", &BOT.replace("\"mon_ia\"", &format!("{name:?}")))?;
    write(".gitignore", "/target\n")?;
    print(format_args!(
        "{}: change main.rs, then, in that folder,\n  cargo run -- --equipe {name}\nplays on a server of this machine",
        folder.display()
    ))?;
    Ok(ExitCode::SUCCESS)
}

fn is_crate(folder: &Path) -> bool {
    folder.join("Cargo.toml").is_file()
}

/// The manifest: a workspace of its own, in which what is not changed is optimised, once.
fn manifest(name: &str, source: &str) -> String {
    let dependencies = CRATES.map(|name| {
        let features = if name == "client" { ", default-features = false" } else { "" };
        format!("{name} = {{ path = '{source}/{name}'{features} }}\n")
    });
    let dependencies = dependencies.concat();
    format!(
        "[package]\nname = {name:?}\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
         [[bin]]\nname = {name:?}\npath = \"main.rs\"\n\n[dependencies]\n{dependencies}\n\
         [profile.dev]\ndebug = false\nopt-level = 1\n\n[profile.dev.package.\"*\"]\nopt-level = 3\n"
    )
}
