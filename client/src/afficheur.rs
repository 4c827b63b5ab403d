//! `afficheur`: shows a game of Pacman IUT'O or of PyRat in the terminal.

use std::io::{IsTerminal, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::viewer::{self, Leave, Model, Status, Theme, Viewing, ViewingError};
use crate::{Session, SessionError};
use anyhow::{Context, bail};
use clap::Parser;
use cli::LevelFilter;
use game::pacman::RulesPreset;
use language::{colon, log, said};
use protocol::{Name, Registration, Role};
use replay::{OpenError, Recording};

use crate::server_flags::ServerFlags;

/// Files and sockets that are open at a time.
const FILES: usize = 12;

#[derive(Debug, Parser)]
#[command(
    args_override_self = true,
    version,
    after_help = said!(
        "Exit codes: 0 when the user quits, or with --exit when the server says that the games are over; 1 \
         when the server refuses, is gone or breaks the protocol; 2 when the command is wrong, there is no \
         server or no terminal; 130 on Ctrl-C.",
        "Codes de sortie : 0 quand on quitte, ou avec --quitter quand le serveur dit que les parties sont finies ; 1 \
         quand le serveur refuse, disparaît ou ne respecte pas le protocole ; 2 quand la commande est incorrecte, ou \
         qu'il n'y a pas de serveur ou de terminal ; 130 après Ctrl-C."
    ),
    long_about = said!(
    "Shows a game of Pacman IUT'O or of PyRat on a server, ours or the original, in the terminal\n\nThe last 20 \
     000 states are remembered, in at most 64 MiB, to step back through. When the variable `NO_COLOR` is set, \
     everything is black and white. When `COLORTERM` is `truecolor` or `24bit`, players have exactly the colours of \
     the web page, else the nearest of 256.",
    "Montre dans le terminal une partie de Pacman IUT'O ou de PyRat d'un serveur, le nôtre ou l'original\n\n\
     Les 20 000 derniers états sont retenus, dans 64 Mio au plus, pour revenir en arrière. Quand la variable \
     `NO_COLOR` est définie, tout est en noir et blanc. Quand `COLORTERM` vaut `truecolor` ou `24bit`, les joueurs ont \
     exactement les couleurs de la page web, sinon les plus proches parmi 256."
)
)]
struct Args {
    #[command(flatten)]
    server_flags: ServerFlags,

    #[arg(long, visible_alias = "name", value_name = "NAME", default_value = "afficheur",
          help = said!("Name of the spectator", "Nom du spectateur"))]
    nom: String,

    #[arg(long, visible_alias = "rules", value_name = "RULES", value_parser = cli::rules(), default_value_t, help = said!(
        "Rules of Pacman on the server, as far as the screen minds them: which ghosts are frozen",
        "Règles de Pacman sur le serveur, dans la mesure où l'écran en a besoin : quels fantômes sont immobilisés"
    ))]
    regles: RulesPreset,

    #[arg(long, visible_alias = "replay", value_name = "FILE",
          conflicts_with_all = ["serveur", "port", "nom", "regles", "insister", "quitter"], help = said!(
        "Show a recorded game instead: space plays and pauses, < and > change the speed",
        "Montrer plutôt une partie enregistrée : espace lance et met en pause, < et > changent la vitesse"
    ))]
    rejouer: Option<PathBuf>,

    #[arg(long, visible_alias = "exit", help = said!(
        "Leave when the server says that the games are over, or is gone",
        "Quitter quand le serveur dit que les parties sont finies, ou qu'il a disparu"
    ))]
    quitter: bool,

    #[arg(long, visible_alias = "log", value_name = "LEVEL", value_parser = cli::log_level(), default_value = "info", help = said!(
        "What is logged to the standard error, before the screen opens and after it closes",
        "Ce qui est noté sur la sortie d'erreur, avant que l'écran s'ouvre et après qu'il s'est fermé"
    ))]
    journal: LevelFilter,
}

/// Runs the program on the arguments of this process.
pub fn main() -> ExitCode {
    let args: Args = match cli::parse() {
        Ok(args) => args,
        Err(code) => return code,
    };
    cli::start_log(args.journal);
    let ended = cli::prepare(FILES)
        .and_then(|()| cli::runtime())
        .and_then(|runtime| runtime.block_on(watch(args)));
    ended.unwrap_or_else(|error| cli::fail(&error))
}

async fn watch(args: Args) -> anyhow::Result<ExitCode> {
    if !stdout().is_terminal() {
        bail!(said!(
            "afficheur draws on a terminal, and the standard output is none",
            "afficheur dessine dans un terminal, et la sortie standard n'en est pas un"
        ));
    }
    if let Some(file) = &args.rejouer {
        return show_recording(file).await;
    }
    let name = Name::new(&args.nom);
    let server = tokio::select! {
        biased;
        () = cli::interrupted() => return Ok(ExitCode::from(cli::INTERRUPTED)),
        server = args.server_flags.locate(None, false) => server?,
    };
    let session = Session {
        server,
        registration: Registration { role: Role::Spectator, name, secret: None },
        patience: args.server_flags.insister,
    };
    let viewing =
        Viewing { rules: args.regles.rules(), theme: theme(), leave_at_end: args.quitter };
    let left = tokio::select! {
        // Ctrl-C is listened for before the screen opens.
        biased;
        () = cli::interrupted() => return Ok(ExitCode::from(cli::INTERRUPTED)),
        left = viewer::run(&session, &viewing) => left,
    };
    let status = match left {
        Ok((Some(Leave::Interrupt), _)) => return Ok(ExitCode::from(cli::INTERRUPTED)),
        Ok((_, status)) => status,
        Err(ViewingError::Session(error @ SessionError::NotThere { .. })) => {
            return Err(error.into());
        }
        Err(error @ ViewingError::Terminal(_)) => return Err(error.into()),
        Err(error) => {
            tracing::error!("{error}");
            return Ok(ExitCode::FAILURE);
        }
    };
    let server = session.address();
    match status {
        Status::Live | Status::Over => return Ok(ExitCode::SUCCESS),
        Status::Lost | Status::Gone => {
            log!(error, "{server} is gone", "{server} a disparu");
        }
        Status::Broken(what) => tracing::error!("{server}{}{what}", colon()),
    }
    Ok(ExitCode::FAILURE)
}

async fn show_recording(file: &Path) -> anyhow::Result<ExitCode> {
    let shown = cli::printable(&file.to_string_lossy());
    let recording = match Recording::open(file) {
        Err(OpenError::Io(error)) => {
            Err(error).with_context(|| said!("cannot read {shown}", "{shown} est illisible"))?
        }
        recording => recording.with_context(|| shown.clone())?,
    };
    if let Some(damage) = &recording.damage {
        log!(warn, "{shown}: damaged {damage}", "{shown} : abîmé {damage}");
    }
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let model = Model::recording(name, recording);
    let theme = theme();
    let left = tokio::select! {
        biased;
        () = cli::interrupted() => Leave::Interrupt,
        left = viewer::show_recording(model, theme) => left.with_context(|| said!("the terminal", "le terminal"))?,
    };
    Ok(match left {
        Leave::Quit => ExitCode::SUCCESS,
        Leave::Interrupt => ExitCode::from(cli::INTERRUPTED),
    })
}

/// The theme that suits the terminal, by `NO_COLOR` and `COLORTERM`.
fn theme() -> Theme {
    let theme = Theme::new(!cli::no_color());
    let has_all_colours = |value: String| value == "truecolor" || value == "24bit";
    if std::env::var("COLORTERM").is_ok_and(has_all_colours) { theme.exact() } else { theme }
}
