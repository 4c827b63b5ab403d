//! `lab nouveau-bot`.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, anyhow, bail, ensure};
use cli::print;
use language::{Language, said};

/// The template of a new bot, which the workspace compiles and tests.
const BOT: &str = include_str!("../../../exemples/mon_ia/mon_ia.rs");

/// The folders of this project's crates that the bot uses.
const CRATES: [&str; 4] = ["core/bots", "client", "core/game", "core/graph"];

/// The folders of this project that group its crates.
const GROUPS: [&str; 4] = ["", "contest", "core", "tools"];

/// Names that Rust or Cargo reserves, among the names of lower-case letters, digits and `_`.
const RESERVED: &str = "abstract alloc as async await aux become box break build con const continue core crate deps do \
    dyn else enum examples extern false final fn for gen if impl in incremental let loop macro match mod move mut nul \
    override priv prn proc_macro pub ref return self static std struct super test trait true try type typeof unsafe \
    unsized use virtual where while yield";

/// The comments of the bot, with their French translations.
const COMMENTS: [(&str, &str); 2] = [
    (
        "A first bot: its pacman walks to the nearest object, its ghost along its corridor.",
        "Un premier bot : son pacman va vers l'objet le plus proche, son fantôme suit son couloir.",
    ),
    ("Yours to improve.", "À vous de l'améliorer."),
];

#[derive(Debug, clap::Args)]
#[command(about = said!(
    "Write a crate with a bot of your own, to be changed and played with `cargo run`",
    "Écrire une crate avec un bot à vous, à modifier et à faire jouer avec `cargo run`"
))]
pub(crate) struct Args {
    #[arg(value_name = "DIR", help = said!(
        "Folder that is made; the bot gets its name",
        "Dossier à créer ; le bot prend son nom"
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
            "the bot gets the folder's name: expected a small letter, then small letters, digits and _, as in `{}`",
            "le bot prend le nom du dossier : une minuscule est attendue, puis des minuscules, des chiffres et _, comme `{}`",
            folder.with_file_name("mon_ia").display()
        )
    );
    if let Some(missing) = CRATES.iter().find(|&&name| !is_crate(&args.source.join(name))) {
        bail!(said!(
            "{} has no crate `{missing}`; type --source and the folder of this project's sources",
            "{} n'a pas de crate `{missing}` ; tapez --source et le dossier des sources de ce projet",
            args.source.display()
        ));
    }
    let is_reserved = RESERVED.split(' ').any(|reserved| reserved == name);
    let is_ours = GROUPS.iter().any(|group| is_crate(&args.source.join(group).join(name)));
    ensure!(
        !is_reserved && !is_ours,
        said!(
            "a bot cannot be called `{name}`: expected a name that neither Rust nor Cargo nor this project uses, as in `{}`",
            "un bot ne peut pas s'appeler `{name}` : un nom que ni Rust, ni Cargo, ni ce projet n'utilisent est attendu, comme `{}`",
            folder.with_file_name("mon_ia").display()
        )
    );
    let lock = args.source.join("Cargo.lock");
    let lock = fs::read_to_string(&lock)
        .with_context(|| said!("cannot read {}", "{} ne peut pas être lu", lock.display()))?;
    let source = fs::canonicalize(&args.source)?;
    let source = source.to_str().filter(|path| !path.contains('\'')).with_context(|| {
        said!(
            "{}: Cargo.toml cannot name this folder, expected UTF-8 without an apostrophe",
            "{} : Cargo.toml ne peut pas nommer ce dossier, il faut de l'UTF-8 sans apostrophe",
            source.display()
        )
    })?;
    fs::create_dir(folder).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => {
            anyhow!(said!(
                "{} exists already; nothing was changed",
                "{} existe déjà ; rien n'a été changé",
                folder.display()
            ))
        }
        _ => anyhow!(error).context(unwritable(folder)),
    })?;
    let write = |file: &str, text: &str| {
        let path = folder.join(file);
        fs::write(&path, text).with_context(|| unwritable(&path))
    };
    write("Cargo.toml", &manifest(name, source))?;
    // The versions with which this project is tested, and which are installed already.
    write("Cargo.lock", &lock)?;
    write("main.rs", &bot(name))?;
    write(".gitignore", "/target\n")?;
    print(said!(
        "{}: change main.rs, then, in that folder,\n  cargo run -- --team {name}\nplays on a server of this machine",
        "{} : modifiez main.rs, puis, dans ce dossier,\n  cargo run -- --equipe {name}\njoue sur un serveur de cette machine",
        folder.display()
    ))?;
    Ok(ExitCode::SUCCESS)
}

fn unwritable(path: &Path) -> String {
    said!("cannot write {}", "{} ne peut pas être écrit", path.display())
}

/// The bot of this name, with comments in the chosen language.
fn bot(name: &str) -> String {
    let bot = BOT.replace("\"mon_ia\"", &format!("{name:?}"));
    COMMENTS.iter().fold(bot, |bot, (english, french)| {
        bot.replace(english, Language::chosen().say(english, french))
    })
}

fn is_crate(folder: &Path) -> bool {
    folder.join("Cargo.toml").is_file()
}

/// The manifest: a workspace of its own. This project's crates are fully optimised. The rest is not: with its macros and build
/// scripts, the first build would take twice as long.
fn manifest(name: &str, source: &str) -> String {
    let names = CRATES.map(|folder| folder.trim_start_matches("core/"));
    let dependencies = CRATES.iter().zip(names).map(|(folder, name)| {
        let features = if name == "client" {
            ", default-features = false, features = [\"program\"]"
        } else {
            ""
        };
        format!("{name} = {{ path = '{source}/{folder}'{features} }}\n")
    });
    let dependencies = dependencies.collect::<String>();
    let optimised = names.map(|name| format!("{name}.opt-level = 3\n")).concat();
    format!(
        "[package]\nname = {name:?}\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
         [[bin]]\nname = {name:?}\npath = \"main.rs\"\n\n[dependencies]\n{dependencies}\n\
         [profile.dev]\ndebug = false\nopt-level = 1\n\n[profile.dev.package]\n{optimised}"
    )
}
