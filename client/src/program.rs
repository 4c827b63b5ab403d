//! `client NAME`: plays Pacman IUT'O with a bot of the house; `client pyrat`: PyRat.

use std::process::ExitCode;
use std::time::Duration;

use crate::{ClientPacman, ClientPyRat, Seen, Session, SessionError};
use anyhow::{Context, bail};
use bots::pyrat::Bot;
use bots::{Entry, registry};
use clap::{Command, Parser, Subcommand};
use cli::LevelFilter;
use game::pacman::{Rules, RulesPreset, View};
use game::pyrat::State;
use language::{Language, Phrase, said};
use protocol::{Name, Registration, Role, Secret, service};

use crate::server_flags::ServerFlags;

const EXIT_CODES: Phrase = Phrase::new(
    "Exit codes: 0 when the server says that the games are over, 1 when it \
    refuses, is gone or breaks the protocol, 2 when the command is wrong or there is no server, \
    130 on Ctrl-C.",
    "Codes de sortie : 0 quand le serveur dit que les parties sont finies, 1 quand il refuse, disparaît ou ne respecte \
      pas le protocole, 2 quand la commande est incorrecte ou qu'il n'y a pas de serveur, 130 après Ctrl-C.",
);

/// Files and sockets that are open at a time.
const FILES: usize = 12;

#[derive(Debug, Parser)]
#[command(
    args_override_self = true,
    args_conflicts_with_subcommands = true,
    version,
    after_help = EXIT_CODES.to_string(),
    about = said!(
    "Plays Pacman IUT'O on a server, ours or the original, with a bot of the house",
    "Joue à Pacman IUT'O sur un serveur, le nôtre ou l'original, avec un bot de la maison"
)
)]
struct Args {
    #[command(subcommand)]
    other_game: Option<OtherGame>,

    #[command(flatten)]
    common: Common,

    #[arg(long, visible_alias = "bot", value_name = "BOT", default_value = "prudent",
          value_parser = bots::by_name, help = said!(
        "Bot that plays; an unknown name gives the list",
        "Bot qui joue ; un nom inconnu donne la liste"
    ))]
    ia: &'static Entry,

    #[arg(long, visible_alias = "rules", value_name = "RULES", value_parser = cli::rules(), default_value_t, help = said!(
        "Rules of the server, as far as the bot minds them",
        "Règles du serveur, dans la mesure où le bot en tient compte"
    ))]
    regles: RulesPreset,

    #[arg(long, visible_alias = "thinking", value_name = "DURATION", value_parser = cli::duration,
          help = said!(
        "How long the bot may think about an order, as 5ms; only `champion` makes use of it. Without it, the bot thinks for \
         as long as it takes, always the same",
        "Combien de temps le bot peut réfléchir à un ordre, comme 5ms ; seul `champion` s'en sert. Sans cela, \
         il réfléchit le temps qu'il lui faut, toujours de la même façon"
    ))]
    reflexion: Option<Duration>,
}

#[derive(Debug, Subcommand)]
enum OtherGame {
    #[command(args_override_self = true, after_help = EXIT_CODES.to_string(),
          about = said!("Plays PyRat instead", "Jouer plutôt à PyRat"))]
    Pyrat {
        #[command(flatten)]
        common: Common,

        #[arg(long, visible_alias = "bot", value_name = "PLAYER", default_value = "dijkstra",
              value_parser = bots::pyrat::by_name, help = said!(
            "Player that looks for the cheese; an unknown name gives the list",
            "Joueur qui cherche le fromage ; un nom inconnu donne la liste"
        ))]
        ia: &'static registry::Entry<dyn Bot>,
    },
}

/// Flags that both games have.
#[derive(Debug, clap::Args)]
struct Common {
    #[arg(value_name = "NAME", value_parser = team, help = said!("Name of the team", "Nom de l'équipe"))]
    nom: Option<String>,

    #[arg(long, visible_alias = "team", value_name = "NAME", conflicts_with = "nom",
          help = said!("The same as NAME", "Comme le nom donné seul"))]
    equipe: Option<String>,

    #[command(flatten)]
    server_flags: ServerFlags,

    #[arg(long, visible_alias = "seed", value_name = "N", help = said!(
        "Seed of the bot's own draws; drawn when missing",
        "Graine des tirages du bot ; tirée au hasard si elle manque"
    ))]
    graine: Option<u64>,

    #[arg(long, value_name = "SECRET", num_args = 0..=1, require_equals = true, help = said!(
        "Protect the seat by a secret of 8 to 64 letters and digits: the one given here, or else that of the \
         environment variable `PACMAN_SECRET`, or else one drawn for this run. Only for a server of this \
         project: another one would publish it as part of the name. It is not sent to a server that `--host \
         auto` has found: that prints what to type to confirm the server",
        "Protéger la place par un secret de 8 à 64 lettres et chiffres : celui donné ici, sinon celui de la variable \
         d'environnement `PACMAN_SECRET`, sinon un secret tiré au hasard pour ce lancement. À réserver aux serveurs de \
         ce projet : un autre publierait le secret avec le nom. Le secret n'est pas envoyé à un serveur trouvé par \
         `--serveur auto`, qui affiche plutôt ce qu'il faut taper pour confirmer le serveur"
    ))]
    #[expect(clippy::option_option, reason = "no flag, a flag, a flag with a value")]
    secret: Option<Option<String>>,

    #[arg(long, visible_alias = "log", value_name = "LEVEL", value_parser = cli::log_level(), default_value = "info", help = said!(
        "What is logged to the standard error",
        "Ce qui est noté sur la sortie d'erreur"
    ))]
    journal: LevelFilter,
}

/// Runs the program on the arguments of this process.
pub fn main() -> ExitCode {
    cli::parse().map_or_else(|code| code, play)
}

/// Runs the program with a bot that the house does not have, which plays unless `--ia` names another one.
pub fn main_with(own: &'static Entry) -> ExitCode {
    let find = move |name: &str| if name == own.name { Ok(own) } else { bots::by_name(name) };
    let adapt = |command: Command| {
        let about = said!(
            "Plays Pacman IUT'O on a server with the bot `{}`",
            "Joue à Pacman IUT'O sur un serveur avec le bot `{}`",
            own.name
        );
        let command = command.name(own.name).about(about);
        command.mut_arg("ia", |flag| flag.default_value(own.name).value_parser(find))
    };
    cli::parse_with(adapt, |error| error).map_or_else(|code| code, play)
}

fn play(Args { other_game, common, ia, regles, reflexion }: Args) -> ExitCode {
    let (common, plays) = match other_game {
        Some(OtherGame::Pyrat { common, ia }) => (common, Plays::PyRat(ia)),
        None => (common, Plays::Pacman(ia, regles.rules(), reflexion)),
    };
    cli::start_log(common.journal);
    let ended = cli::prepare(FILES)
        .and_then(|()| cli::on_interrupt(|_| std::process::exit(cli::INTERRUPTED.into())))
        .and_then(|()| cli::runtime())
        .and_then(|runtime| runtime.block_on(run(common, plays)));
    ended.unwrap_or_else(|error| cli::fail(&error))
}

#[derive(Clone, Copy)]
enum Plays {
    Pacman(&'static Entry, Rules, Option<Duration>),
    PyRat(&'static registry::Entry<dyn Bot>),
}

async fn run(args: Common, plays: Plays) -> anyhow::Result<ExitCode> {
    let seed = match args.graine {
        Some(seed) => seed,
        None => getrandom::u64()
            .with_context(|| said!("cannot draw a seed", "aucune graine ne peut être tirée"))?,
    };
    let secret = match args.secret {
        None => None,
        Some(given) => Some(secret(given)?),
    };
    let name =
        args.nom.or(args.equipe).filter(|name| !name.trim().is_empty()).with_context(|| {
            said!(
                "which team? Type its name, as in `{client} --team Ada`",
                "quelle équipe ? Tapez son nom, comme `{client} --equipe Ada`",
                client = cli::this_command()
            )
        })?;
    let registration = Registration { role: Role::Player, name: Name::new(&name), secret };
    // A name that ends like a secret would be taken for one.
    if Registration::decode(registration.encode().as_bytes()).as_ref() != Ok(&registration) {
        let own = name.rsplit_once('#').map_or(name.as_str(), |(own, _)| own);
        bail!(said!(
            "the end of this name, from `#` on, would be taken for a secret: type {} and, if it is one, --secret=…",
            "la fin de ce nom, à partir de `#`, serait prise pour un secret : tapez \
                  {} et, si c'en est un, --secret=…",
            shell_words::quote(own)
        ));
    }
    let game = match plays {
        Plays::Pacman(..) => service::GameKind::Pacman,
        Plays::PyRat(_) => service::GameKind::PyRat,
    };
    let patience = args.server_flags.insister;
    let has_secret = registration.secret.is_some();
    let server = args.server_flags.locate(Some(game), has_secret).await?;
    let session = Session { server, registration, patience };
    let ended = match plays {
        Plays::Pacman(entry, rules, thinking) => {
            let game = ClientPacman { thinking, ..ClientPacman::new(rules) };
            session.play(game, entry.make(seed).as_mut(), announce_result).await
        }
        Plays::PyRat(entry) => {
            session.play(ClientPyRat, entry.make(seed).as_mut(), announce_cheese).await
        }
    };
    match ended {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(error @ SessionError::NotThere { .. }) => Err(error.into()),
        Err(error) => {
            tracing::error!("{error}");
            Ok(ExitCode::FAILURE)
        }
    }
}

/// Reads the name of a team; rejects `pyrat`, which is a misplaced subcommand.
fn team(name: &str) -> Result<String, String> {
    match name {
        "pyrat" => Err(said!(
            "for PyRat, it comes before the flags, as in `{client} pyrat --team Ada`; \
             a team of that name is `--team pyrat`",
            "pour PyRat, ce mot vient avant les options, comme `{client} pyrat --equipe \
             Ada` ; une équipe de ce nom est `--equipe pyrat`",
            client = cli::this_command()
        )),
        _ => Ok(name.to_owned()),
    }
}

/// The secret of the flag or of the environment; otherwise a random one.
fn secret(given: Option<String>) -> anyhow::Result<Secret> {
    let environment = || std::env::var("PACMAN_SECRET").ok().filter(|text| !text.is_empty());
    let text = match given.or_else(environment) {
        Some(given) => given,
        None => format!(
            "{:016x}",
            getrandom::u64()
                .with_context(|| said!("cannot draw a secret", "aucun secret ne peut être tiré"))?
        ),
    };
    Secret::new(&text).with_context(|| {
        said!(
            "--secret: expected {} to {} letters and digits",
            "--secret : de {} à {} lettres et chiffres sont attendus",
            Secret::MIN,
            Secret::MAX
        )
    })
}

/// Prints the result of this team once a game is over.
fn announce_result(Seen { state: view, me, .. }: Seen<'_, View>) {
    if !view.is_over() {
        return;
    }
    let players = view.players().len();
    for (rank, colour, player) in view.ranking() {
        if colour == me {
            let points = player.points;
            let unit = Language::chosen().plural(points.unsigned_abs(), "point", "points");
            cli::tell!(
                "game over: rank {rank} of {players}, {points} {unit}",
                "partie finie : rang {rank} sur {players}, {points} {unit}"
            );
        }
    }
}

/// Prints the result of this team once a game of PyRat is over.
fn announce_cheese(Seen { state, me, .. }: Seen<'_, State>) {
    if !state.is_over() {
        return;
    }
    let (rats, score) = (state.rats(), state.rats()[me.index()].score);
    let rank = 1 + rats.iter().filter(|rat| rat.score > score).count();
    let (turn, players) = (state.turn(), rats.len());
    let score = Language::chosen().number(score.as_f64(), 2);
    cli::tell!(
        "game over after {turn} turns: rank {rank} of {players}, {score} cheese",
        "partie finie après {turn} tours : rang {rank} sur {players}, fromages : {score}"
    );
}
