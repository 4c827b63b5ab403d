//! `tournoi`: tournaments of Pacman IUT'O, on one machine or over a LAN.

use std::io::{self, ErrorKind};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use language::said;

use crate::commands::{
    add, compare, course, lan, mark, play, report, resume, trial, verify, void, worker,
};

/// The number of files and sockets that a small tournament has open at the same time.
const FILES: usize = 32;

#[derive(Debug, Parser)]
#[command(
    name = "tournoi",
    version,
    about = said!(
        "Plays tournaments of Pacman IUT'O: programs in any language meet in games of four, and every result is kept",
        "Joue des tournois de Pacman IUT'O : des programmes en tout langage se rencontrent à quatre, et chaque résultat \
         est gardé"
    ),
    after_help = said!(
        "Exit codes: 0 when all games are played, 1 when the tournament cannot go on (disk full, …) or a bot did not \
         pass, 2 when the command or a file is wrong, 130 on Ctrl-C. Results of games that were played are kept.",
        "Codes de sortie : 0 quand tout est joué, 1 si le tournoi ne peut pas continuer (disque plein, …) ou si un bot \
         a échoué, 2 si la commande ou un fichier est incorrect, 130 après Ctrl-C. Ce qui est joué est gardé."
    )
)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    #[command(visible_alias = "play", args_override_self = true, about = said!(
        "Play a tournament on this machine; the teams' programs are started for each game",
        "Jouer un tournoi sur cette machine ; les programmes des équipes sont lancés à chaque partie"
    ))]
    Jouer(Box<play::PlayArgs>),

    #[command(visible_alias = "resume", args_override_self = true, about = said!(
        "Resume a tournament: play the games that are missing, and those of programs that have changed",
        "Continuer un tournoi : jouer ce qui manque, et ce qu'un programme modifié doit rejouer"
    ))]
    Reprendre(Box<resume::ResumeArgs>),

    #[command(visible_alias = "add", args_override_self = true, about = said!(
        "Add teams to a tournament, and play the games that are missing",
        "Ajouter des équipes à un tournoi, et jouer ce qui manque"
    ))]
    Ajouter(Box<add::AddArgs>),

    #[command(visible_alias = "void", args_override_self = true, about = said!(
        "Void results for a reason: they are kept, do not count, and are played again by `resume`; disqualify a team",
        "Annuler des résultats en donnant une raison : ils sont gardés mais ne comptent plus, et `reprendre` rejoue \
         leurs parties ; disqualifier une équipe"
    ))]
    Annuler(void::VoidArgs),

    #[command(visible_alias = "worker", args_override_self = true, about = said!(
        "Play games on this machine for a tournament or a course on another one: `--nats URL` of `play` or `course open`",
        "Jouer sur cette machine des parties d'un tournoi ou d'un cours géré par une autre : `--nats URL` de `jouer` \
         ou de `cours ouvrir`"
    ))]
    Ouvrier(Box<worker::WorkerArgs>),

    #[command(args_override_self = true, about = said!(
        "Run a tournament over a LAN: teams connect from their own machines",
        "Organiser un tournoi en réseau : les équipes se connectent depuis leurs machines"
    ))]
    Lan(Box<lan::LanArgs>),

    #[command(visible_alias = "report", args_override_self = true, about = said!(
        "Show the ranking, also while games are played; write it as a web page or for a spreadsheet",
        "Montrer le classement, même pendant les parties ; l'écrire en page web ou pour un tableur"
    ))]
    Rapport(report::ReportArgs),

    #[command(visible_alias = "try", args_override_self = true, about = said!(
        "Try a bot: how often it beats the bots of the house, or whether it is better than an older version",
        "Essayer un bot : combien de fois il bat les bots de la maison, ou s'il est meilleur qu'une version antérieure"
    ))]
    Essayer(Box<trial::TrialArgs>),

    #[command(visible_alias = "mark", args_override_self = true, about = said!(
        "Mark a bot: its results against bots of the house at fixed levels, by a scale of marks",
        "Noter un bot : ses résultats contre des bots de la maison de niveaux fixés, selon un barème"
    ))]
    Noter(Box<mark::MarkArgs>),

    #[command(visible_alias = "compare", args_override_self = true, about = said!(
        "Compare the programs of a class: which look copied from each other",
        "Comparer les programmes d'une classe : lesquels ont l'air copiés l'un de l'autre"
    ))]
    Comparer(compare::CompareArgs),

    #[command(visible_alias = "course", about = said!(
        "Keep a course for weeks: teams hand in on a page, are checked at once, and meet on a ladder",
        "Gérer un cours sur plusieurs semaines : les équipes déposent sur une page leurs bots, qui sont vérifiés \
         aussitôt, puis se rencontrent"
    ))]
    Cours(course::CourseArgs),

    #[command(visible_alias = "check", args_override_self = true, about = said!(
        "Check a bot before it is handed in, and say what to fix",
        "Vérifier un bot avant de le rendre, et dire quoi corriger"
    ))]
    Verifier(Box<verify::VerifyArgs>),
}

/// Runs the program on the arguments of this process.
pub fn main() -> ExitCode {
    // This process may be a launcher that was started to start a program.
    sandbox::launcher_main();
    let args: Args = match cli::parse() {
        Ok(args) => args,
        Err(code) => return code,
    };
    let done = cli::prepare(FILES).and_then(|()| match args.command {
        Command::Jouer(args) => play::run(&args),
        Command::Reprendre(args) => resume::run(&args),
        Command::Ajouter(args) => add::run(&args),
        Command::Annuler(args) => void::run(&args),
        Command::Ouvrier(args) => worker::run(&args),
        Command::Lan(args) => lan::run(&args),
        Command::Rapport(args) => report::run(&args),
        Command::Essayer(args) => trial::run(&args),
        Command::Noter(args) => mark::run(&args),
        Command::Comparer(args) => compare::run(&args),
        Command::Cours(args) => course::run(args),
        Command::Verifier(args) => verify::run(&args),
    });
    done.unwrap_or_else(|error| match error.downcast_ref::<io::Error>().map(io::Error::kind) {
        // The reader has closed the output.
        Some(ErrorKind::BrokenPipe) => ExitCode::SUCCESS,
        _ => cli::fail(&error),
    })
}
