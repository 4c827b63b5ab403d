//! `rejeu`: verification, analysis and export of recorded games.
#![expect(clippy::print_stdout, reason = "this is the program's output")]

mod asking;
mod coaching;

use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::{Parser, Subcommand};
use game::colour::Colour;
use language::{Language, colon, said};

use replay::{
    Analysis, Animation, Clip, Look, OpenError, Recording, Story, Thought, jsonl, page, verify,
};

use crate::report;

/// Maximum number of files open at the same time.
const FILES: usize = 4;

#[derive(Debug, Parser)]
#[command(
    version,
    after_help = said!(
        "Exit codes: 0 when all is well, 1 when a recording differs from the game that it is of or is damaged, \
         2 when a file cannot be read or written.",
        "Codes de sortie : 0 quand tout va bien, 1 quand un enregistrement diffère de sa partie ou est abîmé, 2 \
         quand un fichier ne peut pas être lu ou écrit."
    ),
    about = said!(
    "Verifies, explains and exports recorded games, as `server --record` writes them",
    "Vérifie, explique et exporte des parties enregistrées par `server --enregistrer`"
)
)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    #[command(visible_alias = "verify", long_about = said!(
        "Play games again and compare every state with what was recorded\n\nPrints `identical`, or the first \
         turn that differs and what differs.",
        "Rejouer des parties et comparer chaque état avec l'enregistrement\n\nAffiche `identique`, ou le \
         premier tour qui diffère et ce qui diffère."
    ))]
    Verifier {
        #[arg(required = true, help = said!("Recordings", "Enregistrements"))]
        files: Vec<PathBuf>,
    },

    #[command(visible_alias = "analyse-game", long_about = said!(
        "Tell where the points of each player came from, and which turns made the difference\n\nFirst the story \
         of the game, in at most 40 lines; of each player, the episode that decided its game, what it has more or \
         less than the winner, whose fault missed turns were, and what malformed and late answers said.",
        "Dire d'où viennent les points de chaque joueur, et quels tours ont fait la différence\n\nD'abord le \
         récit de la partie, en 40 lignes au plus ; pour chaque joueur, l'épisode qui a décidé de sa partie, ce \
         qu'il a de plus ou de moins que le premier, à qui sont dus les tours manqués, et ce que disaient les \
         réponses mal formées ou en retard."
    ))]
    Analyse {
        #[arg(help = said!("Recording", "Enregistrement"))]
        file: PathBuf,
    },

    #[command(long_about = said!(
        "Write a game as one HTML file, which shows it in any browser, without internet\n\nOf at most two \
         million answers, such as 500 000 turns of four players: browsers take no longer games.",
        "Écrire une partie en un seul fichier HTML, que tout navigateur montre, sans internet\n\n\
         La partie peut avoir deux millions de réponses au plus, soit 500 000 tours à quatre joueurs : un navigateur \
         n'en supporte pas davantage."
    ))]
    Html {
        #[arg(help = said!("Recording", "Enregistrement"))]
        file: PathBuf,

        #[arg(help = said!("HTML file to write", "Fichier HTML à écrire"))]
        out: PathBuf,
    },

    #[command(long_about = said!(
        "Write a game as an animated GIF, a picture a turn, which plays anywhere\n\nThe last picture of the game \
         has a podium and stays for 3 s. Of at most 50 million pixels a picture, and 20 000 million in all.",
        "Écrire une partie en GIF animé, une image par tour, visible partout\n\n\
         La dernière image de la partie porte un podium et reste 3 s. Une image a 50 millions de pixels au plus, et \
         toutes ensemble 20 milliards."
    ))]
    Gif {
        #[arg(help = said!("Recording", "Enregistrement"))]
        file: PathBuf,

        #[arg(help = said!("GIF file to write", "Fichier GIF à écrire"))]
        out: PathBuf,

        #[arg(long, visible_alias = "turns", value_name = "FIRST..LAST", help = said!(
            "Only these turns, from the state after the first to that after the last; 0 is the start",
            "Ces tours seulement, de l'état après le premier à l'état après le dernier ; 0 est le début"
        ))]
        tours: Option<Clip>,

        #[arg(long, visible_alias = "step", value_name = "TURNS",
            value_parser = clap::value_parser!(u32).range(1..), help = said!(
            "Turns from a picture to the next; when missing, as many as give 1200 pictures at most",
            "Tours d'une image à la suivante ; sinon juste assez pour 1200 images au plus"
        ))]
        pas: Option<u32>,

        #[arg(long, visible_alias = "scale", value_name = "PIXELS",
            value_parser = clap::value_parser!(u16).range(1..), help = said!(
            "Side of a cell; when missing, from 1 to 32, as large as a width of 800 pixels allows",
            "Côté d'une case ; sinon de 1 à 32, aussi grand que le permet une largeur de 800 pixels"
        ))]
        echelle: Option<u16>,

        #[arg(long, visible_alias = "fps", value_name = "PICTURES", default_value_t = 10,
            value_parser = clap::value_parser!(u16).range(1..=50),
            help = said!(
            "Pictures a second; GIF knows 50, 33, 25, 20 and so on, and the nearest of these is taken",
            "Images par seconde ; un GIF ne connaît que 50, 33, 25, 20, etc. : la cadence la plus proche est prise"
        ))]
        images_par_seconde: u16,
    },

    #[command(long_about = said!(
        "Print a game as lines of JSON: how it begins, then a turn a line\n\nThe first line has `game` (pacman \
         or pyrat), `seed`, `turns`, `players`, `state`, and `map` and `rules` or `maze`; a further line \
         `turn`, `answers` (each with `answer`, `fault`, `time_s` and, where something went wrong, `cause` and \
         `excerpt`), `events` and `state`. Maps, mazes and states are the texts of PROTOCOL.md.",
        "Afficher une partie en lignes de JSON : d'abord le début, puis un tour par ligne\n\nLa première ligne \
         a `game` (pacman ou pyrat), `seed`, `turns`, `players`, `state`, et `map` et `rules` ou `maze` ; les \
         suivantes `turn`, `answers` (chacune avec `answer`, `fault`, `time_s` et, en cas de problème, `cause` \
         et `excerpt`), `events` et `state`. Les cartes, les labyrinthes et les états sont les textes de \
         PROTOCOL.md."
    ))]
    Jsonl {
        #[arg(help = said!("Recording", "Enregistrement"))]
        file: PathBuf,
    },

    #[command(visible_alias = "thoughts", long_about = said!(
        "Print what players thought, a line for each turn\n\nPROTOCOL.md tells how a program adds thoughts to its orders. \
         They take at most a fifth of a recording; the others were dropped, and are counted.",
        "Afficher ce que les joueurs ont pensé, une ligne par tour\n\nPROTOCOL.md dit comment un programme ajoute des pensées à \
         ses ordres. Elles prennent au plus un cinquième d'un enregistrement ; les autres ont été laissées de côté, et sont comptées."
    ))]
    Pensees {
        #[arg(help = said!("Recording", "Enregistrement"))]
        file: PathBuf,

        #[arg(long, visible_alias = "player", value_name = "NAME", help = said!(
            "The name of the player, or its letter; all players when missing",
            "Le nom du joueur, ou sa lettre ; tous les joueurs sinon"
        ))]
        joueur: Option<String>,

        #[arg(long, visible_aliases = ["turns", "tour", "turn"], value_name = "TURN|FIRST..LAST", help = said!(
            "Of this turn, or of these ones, counted from 1",
            "Ce tour ou ces tours seulement, comptés à partir de 1"
        ))]
        tours: Option<asking::Turns>,
    },

    #[command(visible_alias = "ask", long_about = said!(
        "Ask a program what it would order in a recorded game\n\nStarts the program and sends it the states that the \
         player saw, one by one, once it has answered the one before. Without --turns, prints the turns in which it \
         orders something else than was ordered then. What the program prints goes to the error output.",
        "Demander à un programme ce qu'il ordonnerait dans une partie enregistrée\n\n\
         Lance le programme et lui envoie les états que le joueur a vus, un par un, dès qu'il a répondu au précédent. \
         Sans --tours, affiche les tours où il ordonne autre chose que dans la partie. Ce que le programme affiche va \
         à la sortie d'erreur."
    ), after_help = said!(
        "Exit codes: 0 when all is well, 1 when an answer is not the expected one or does not come, 2 when the program cannot \
         be asked.",
        "Codes de sortie : 0 quand tout va bien, 1 quand une réponse n'est pas celle attendue ou ne vient pas, 2 quand on ne \
         peut rien demander au programme."
    ))]
    Demander {
        #[arg(help = said!("Recording", "Enregistrement"))]
        file: PathBuf,

        #[arg(long, visible_alias = "player", value_name = "NAME", help = said!(
            "The name of the player, or its letter; may be missing if there is only one",
            "Le nom du joueur, ou sa lettre ; peut manquer s'il n'y en a qu'un"
        ))]
        joueur: Option<String>,

        #[arg(long, visible_aliases = ["turns", "tour", "turn"], value_name = "TURN|FIRST..LAST", help = said!(
            "This turn, or these ones, counted from 1",
            "Ce tour, ou ces tours, comptés à partir de 1"
        ))]
        tours: Option<asking::Turns>,

        #[command(flatten)]
        program: asking::Program,

        #[arg(long, visible_alias = "times", value_name = "N", default_value_t = 1,
            value_parser = clap::value_parser!(u32).range(1..), help = said!(
            "How often the program is started and asked",
            "Combien de fois le programme est lancé et interrogé"
        ))]
        fois: u32,

        #[arg(long, visible_alias = "expected", value_name = "ORDER", requires = "tours", help = said!(
            "Exit with 1 if it ever answers something else, as NN",
            "Ordre attendu, comme NN : le code de sortie est 1 si le programme répond une fois autre chose"
        ))]
        attendu: Option<String>,

        #[arg(long, conflicts_with = "attendu", help = said!("A line of JSON for each turn", "Une ligne de JSON par tour"))]
        json: bool,
    },

    #[command(long_about = said!(
        "Tell which five decisions of a player cost most, and what would have been better\n\nIn each turn, the orders of champion and other \
         directions are tried: the others play that turn as they did, then `glouton` plays for everybody to the end, under the same draws for \
         each. So a gain, with its 95 % interval, is what the order is worth to a player who goes on like `glouton`. Pacman only.",
        "Donner les cinq décisions d'un joueur qui ont coûté le plus, et ce qui aurait mieux valu\n\n\
         À chaque tour, les ordres de champion et d'autres directions sont essayés : les autres jouent ce tour comme \
         dans la partie, puis `glouton` joue pour tous jusqu'à la fin, avec les mêmes tirages pour chacun. Un gain, \
         avec son intervalle à 95 %, est donc ce que vaut l'ordre pour un joueur qui continue comme `glouton`. Pacman \
         seulement."
    ))]
    Coach {
        #[arg(help = said!("Recording", "Enregistrement"))]
        file: PathBuf,

        #[arg(long, visible_alias = "player", value_name = "NAME", help = said!(
            "The name of the player, or its letter; all players when missing",
            "Le nom du joueur, ou sa lettre ; tous les joueurs sinon"
        ))]
        joueur: Option<String>,

        #[arg(long, value_name = "DIR", help = said!(
            "Record the games with the better orders in this folder, as they go on, to look at",
            "Enregistrer dans ce dossier les parties avec les meilleurs ordres et leur suite, à regarder"
        ))]
        branches: Option<PathBuf>,

        #[arg(long, help = said!("A line of JSON for each decision", "Une ligne de JSON par décision"))]
        json: bool,
    },

    #[command(visible_alias = "cases", long_about = said!(
        "Ask a program about the cases in a folder, each a file NAME.toml\n\nA case has `partie`, a recording beside it; \
         `tour`, counted from 1; `attendu`, the order that is expected, or a list of orders; and `joueur`, a name or a letter, \
         which may be missing if there is only one player.",
        "Interroger un programme sur les cas d'un dossier, dont chacun est un fichier NOM.toml\n\n\
         Un cas a `partie`, un enregistrement à côté de lui ; `tour`, compté à partir de 1 ; `attendu`, l'ordre \
         attendu, ou une liste d'ordres ; et `joueur`, un nom ou une lettre, qui peut manquer s'il n'y a qu'un joueur."
    ))]
    Essais {
        #[arg(help = said!("Folder of the cases", "Dossier des cas"))]
        folder: PathBuf,

        #[command(flatten)]
        program: asking::Program,
    },
}

/// Runs the program on the arguments of this process.
pub fn main() -> ExitCode {
    let args: Args = match cli::parse() {
        Ok(args) => args,
        Err(code) => return code,
    };
    let done = cli::prepare(FILES).and_then(|()| run(args.command));
    done.unwrap_or_else(|error| match error.downcast_ref::<io::Error>().map(io::Error::kind) {
        // The reader of the output has closed it.
        Some(ErrorKind::BrokenPipe) => ExitCode::SUCCESS,
        _ => cli::fail(&error),
    })
}

fn run(command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Verifier { files } => verify_all(&files),
        Command::Analyse { file } => analyse(&file),
        Command::Html { file, out } => write_page(&file, &out),
        Command::Gif { file, out, tours, pas, echelle, images_par_seconde } => {
            let (rate, language) = (images_par_seconde, Language::chosen());
            let (scale, step, clip) = (echelle, pas, tours);
            let look = Look { scale, step, clip, rate, language, ..Look::default() };
            write_gif(&file, &out, look)
        }
        Command::Jsonl { file } => export(&file),
        Command::Pensees { file, joueur, tours } => {
            print_thoughts(&file, joueur.as_deref(), tours.as_ref())
        }
        Command::Demander { file, joueur, tours, program, fois, attendu, json } => {
            let recording = read(&file)?;
            warn_of_damage(&file, &recording);
            let wanted = asking::Wanted { player: joueur, turns: tours, times: fois, json };
            asking::ask(&recording, &program, &wanted, attendu.as_deref())
        }
        Command::Coach { file, joueur, branches, json } => {
            let recording = read(&file)?;
            warn_of_damage(&file, &recording);
            coaching::coach(&recording, joueur.as_deref(), branches.as_deref(), json)
        }
        Command::Essais { folder, program } => asking::try_cases(&folder, &program),
    }
}

fn read(path: &Path) -> anyhow::Result<Recording> {
    match Recording::open(path) {
        Err(OpenError::Io(error)) => {
            Err(error).with_context(|| said!("cannot read {}", "{} est illisible", shown(path)))
        }
        recording => recording.with_context(|| shown(path)),
    }
}

/// The player with a name, else the one with that letter.
fn find_player(recording: &Recording, wanted: &str) -> anyhow::Result<Colour> {
    let names = recording.setup.names();
    let players = || Colour::first(names.len()).zip(names);
    let found = players()
        .find(|(_, name)| *name == wanted)
        .or_else(|| players().find(|(colour, _)| colour.as_str() == wanted));
    let (colour, _) = found.with_context(|| {
        let all = players_of(recording);
        said!("there is no player {wanted:?}: {all}", "il n'y a pas de joueur {wanted:?} : {all}")
    })?;
    Ok(colour)
}

fn players_of(recording: &Recording) -> String {
    let names = recording.setup.names();
    let players = Colour::first(names.len()).zip(names);
    let all: Vec<_> = players.map(|(me, name)| format!("{name} ({})", me.as_str())).collect();
    cli::printable(&all.join(", "))
}

fn shown(path: &Path) -> String {
    cli::printable(&path.to_string_lossy())
}

fn verify_all(files: &[PathBuf]) -> anyhow::Result<ExitCode> {
    let mut all_well = true;
    for path in files {
        let recording = read(path)?;
        let shown = shown(path);
        let prefix = if files.len() > 1 { format!("{shown}{}", colon()) } else { String::new() };
        match (verify(&recording), &recording.damage) {
            (Ok(()), None) if recording.is_complete => {
                println!("{}", said!("{prefix}identical", "{prefix}identique"));
            }
            (Ok(()), None) => {
                let turns = recording.turn();
                println!(
                    "{}",
                    said!(
                        "{prefix}identical for {turns} turns, without the end of the game",
                        "{prefix}identique pendant {turns} tours, sans la fin de la partie"
                    )
                );
            }
            (Ok(()), Some(damage)) => {
                println!(
                    "{}",
                    said!(
                        "{prefix}damaged {damage}; identical up to there",
                        "{prefix}abîmé {damage} ; identique jusque-là"
                    )
                );
                all_well = false;
            }
            (Err(difference), _) => {
                print!("{prefix}{difference}");
                all_well = false;
            }
        }
    }
    Ok(if all_well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn analyse(path: &Path) -> anyhow::Result<ExitCode> {
    let recording = read(path)?;
    warn_of_damage(path, &recording);
    let (analysis, story) = (Analysis::of(&recording), Story::of(&recording));
    let report = report::report(&analysis, &story, Language::chosen());
    let mut out = io::stdout().lock();
    out.write_all(report.as_bytes())?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn write_page(path: &Path, out: &Path) -> anyhow::Result<ExitCode> {
    expect_extension(out, "html")?;
    let recording = read(path)?;
    warn_of_damage(path, &recording);
    page::check_length(&recording)?;
    let cannot = || said!("cannot write {}", "{} ne peut pas être écrit", shown(out));
    let mut file = BufWriter::new(File::create(out).with_context(cannot)?);
    page::write(&recording, &mut file).and_then(|()| file.flush()).with_context(cannot)?;
    Ok(ExitCode::SUCCESS)
}

fn write_gif(path: &Path, out: &Path, look: Look) -> anyhow::Result<ExitCode> {
    expect_extension(out, "gif")?;
    let recording = read(path)?;
    warn_of_damage(path, &recording);
    let animation = Animation::new(&recording, look)?;
    tell_rate(look);
    let cannot = || said!("cannot write {}", "{} ne peut pas être écrit", shown(out));
    let file = File::create(out).with_context(cannot)?;
    animation.write(BufWriter::new(file)).with_context(cannot)?;
    Ok(ExitCode::SUCCESS)
}

/// Says how many pictures a second the file shows, if not as many as wanted.
#[expect(clippy::print_stderr, reason = "beside the program's output")]
fn tell_rate(look: Look) {
    let shown = look.shown_rate();
    if (shown - f64::from(look.rate)).abs() > 0.05 {
        let shown = Language::chosen().decimal(shown, 1);
        eprintln!(
            "{}",
            said!(
                "{shown} pictures a second instead of {}, because GIF counts hundredths of a second",
                "{shown} images par seconde au lieu de {}, car un GIF compte en centièmes de seconde",
                look.rate
            )
        );
    }
}

/// Rejects a name with the extension of another kind of file, which is a slip.
fn expect_extension(out: &Path, expected: &str) -> anyhow::Result<()> {
    match out.extension() {
        Some(other) if !expected.starts_with(&other.to_string_lossy().to_lowercase()) => {
            bail!(said!(
                "expected a name that ends in .{expected}, got {}",
                "un nom qui finit par .{expected} est attendu, et non {}",
                shown(out)
            ))
        }
        _ => Ok(()),
    }
}

fn export(path: &Path) -> anyhow::Result<ExitCode> {
    let recording = read(path)?;
    warn_of_damage(path, &recording);
    let mut out = BufWriter::new(io::stdout().lock());
    for line in jsonl::lines(&recording) {
        writeln!(out, "{line}")?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

#[expect(clippy::print_stderr, reason = "beside the program's output")]
fn print_thoughts(
    path: &Path,
    player: Option<&str>,
    turns: Option<&asking::Turns>,
) -> anyhow::Result<ExitCode> {
    let recording = read(path)?;
    warn_of_damage(path, &recording);
    let player = player.map(|player| find_player(&recording, player)).transpose()?;
    let mut out = BufWriter::new(io::stdout().lock());
    for Thought { turn, player: thinker, text } in recording.thoughts.iter() {
        let is_wanted = player.is_none_or(|player| player == thinker)
            && turns.is_none_or(|turns| turns.contains(turn));
        if let Some(name) = recording.setup.names().get(thinker.index()).filter(|_| is_wanted) {
            let (name, text) = (cli::printable(name), cli::printable(&text));
            let line = said!("turn {turn}, {name}: {text}", "tour {turn}, {name} : {text}");
            writeln!(out, "{line}")?;
        }
    }
    out.flush()?;
    match recording.thoughts.dropped() {
        0 if recording.thoughts.is_empty() => {
            eprintln!("{}", said!("nobody thought aloud", "personne n'a pensé tout haut"));
        }
        0 => {}
        dropped => eprintln!(
            "{}",
            said!(
                "{dropped} more were dropped: thoughts take at most a fifth of a recording",
                "{dropped} autres n'ont pas été gardées : les pensées prennent au plus un cinquième d'un enregistrement"
            )
        ),
    }
    Ok(ExitCode::SUCCESS)
}

/// Warns of damage; the turns before it are used all the same.
#[expect(clippy::print_stderr, reason = "beside the program's output")]
fn warn_of_damage(path: &Path, recording: &Recording) {
    if let Some(damage) = &recording.damage {
        eprintln!(
            "{}",
            said!("warning: {}: damaged {damage}", "attention : {} : abîmé {damage}", shown(path))
        );
    }
}
