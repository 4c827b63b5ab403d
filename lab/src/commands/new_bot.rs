//! `lab nouveau-bot`.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail, ensure};

use language::said;

use super::print;

/// The bot to begin with, which the workspace compiles and tests.
const BOT: &str = include_str!("../../../exemples/mon_ia/mon_ia.rs");

/// Crates of this project that the bot uses.
const CRATES: [&str; 4] = ["bots", "client", "game", "graph"];

#[derive(Debug, clap::Args)]
#[command(about = said!(
    "Write a crate with a bot of your own, to be changed and played with `cargo run`",
    "Écrire un crate avec votre propre bot, à modifier et à faire jouer par `cargo run`"
))]
pub(crate) struct Args {
    #[arg(value_name = "DIR", help = said!(
        "Folder to be made; its name is that of the bot",
        "Dossier à créer ; son nom est celui du bot"
    ))]
    dossier: PathBuf,

    #[arg(long, value_name = "DIR", default_value = ".", help = said!(
        "Folder of the sources of this project, whose crates the bot uses",
        "Dossier des sources de ce projet, dont le bot utilise les crates"
    ))]
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
        said!(
            "the folder's name is that of the bot: expected a small letter, then small letters, digits and _, as in `{}`",
            "le nom du dossier est celui du bot : une minuscule est attendue, puis des minuscules, des chiffres et _, \
             comme `{}`",
            folder.with_file_name("mon_ia").display()
        )
    );
    if let Some(missing) = CRATES.iter().find(|&&name| !is_crate(&args.source.join(name))) {
        bail!(said!(
            "{} has no crate `{missing}`; type --source and the folder of this project's sources",
            "{} n'a pas de crate `{missing}` ; donnez --source et le dossier des sources de ce projet",
            args.source.display()
        ));
    }
    let source = fs::canonicalize(&args.source)?;
    let source = source.to_str().with_context(|| {
        said!("the path of the sources is no text", "le chemin des sources n'est pas un texte")
    })?;
    ensure!(
        !source.contains('\''),
        said!(
            "the path of the sources has a sign that TOML does not take: {source}",
            "le chemin des sources a un signe que TOML refuse : {source}"
        )
    );
    fs::create_dir(folder).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => {
            anyhow::anyhow!(said!(
                "{} exists already; nothing was changed",
                "{} existe déjà ; rien n'a changé",
                folder.display()
            ))
        }
        _ => anyhow::Error::new(error).context(said!(
            "cannot make {}",
            "{} ne peut pas être créé",
            folder.display()
        )),
    })?;
    let write = |file: &str, text: &str| {
        let path = folder.join(file);
        fs::write(&path, text)
            .with_context(|| said!("cannot write {}", "{} ne peut pas être écrit", path.display()))
    };
    write("Cargo.toml", &manifest(name, source))?;
    write("main.rs", &BOT.replace("\"mon_ia\"", &format!("{name:?}")))?;
    write(".gitignore", "/target\n")?;
    print(said!(
        "{}: change main.rs, then, in that folder,\n  cargo run -- --equipe {name}\nplays on a server of this machine",
        "{} : modifiez main.rs, puis, dans ce dossier,\n  cargo run -- --equipe {name}\njoue sur un serveur de cette \
         machine",
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
