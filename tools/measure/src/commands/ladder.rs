//! `measure echelle`.

use std::convert::Infallible;
use std::process::ExitCode;

use cli::print_either;
use course::LadderRules;
use lab::parallel;
use language::{Language, said, word};
use measure::ladder::{Choice, Ladder, Progress, mean};

/// The share of pairs that shall be in the right order.
const RIGHT: f64 = 0.95;

/// Number of house levels of a course.
const LEVELS: usize = 4;

#[derive(Debug, clap::Args)]
#[command(long_about = said!(
    "Count the games until 95 % of the pairs of teams are in the right order, by the way in which meetings are chosen\n\nStrengths \
     are normal, and games are drawn from the Plackett–Luce model. The second count is of the games until intervals are as narrow as \
     after the drawn meetings. On a terminal, the outcome is told in sentences; elsewhere, as `key=value`.",
    "Compter les parties jusqu'à ce que 95 % des paires d'équipes soient dans le bon ordre, selon la façon de choisir les \
     rencontres\n\nLes forces sont normales, et les parties tirées selon le modèle de Plackett–Luce. Le second compte va jusqu'aux \
     intervalles des rencontres tirées au sort. Sur un terminal, le résultat est dit en phrases ; ailleurs, par `clé=valeur`."
))]
pub(crate) struct Args {
    #[arg(long, visible_alias = "teams", value_name = "N", default_value_t = 20,
          value_parser = clap::value_parser!(u16).range(2..=256), help = said!("Teams", "Équipes"))]
    equipes: u16,

    #[arg(long, visible_alias = "spread", value_name = "NATS", default_value_t = 2.0,
          allow_negative_numbers = true, value_parser = spread, help = said!(
        "Standard deviation of the strengths, in nats; that of the bots of the house is 2.8",
        "Écart type des forces, en nats ; celui des bots de la maison est 2.8"
    ))]
    ecart: f64,

    #[arg(long, visible_alias = "courses", value_name = "N", default_value_t = 100,
          value_parser = clap::value_parser!(u32).range(1..),
          help = said!("Ladders that are played", "Échelles qui sont jouées"))]
    cours: u32,

    #[arg(long, visible_alias = "games", value_name = "N", default_value_t = 400,
          value_parser = clap::value_parser!(u32).range(1..=100_000),
          help = said!("Games of a ladder", "Parties d'une échelle"))]
    parties: u32,

    #[arg(long, visible_alias = "seed", value_name = "N", default_value_t = 1,
          help = said!("Seed", "Graine"))]
    graine: u64,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let (teams, games) = (usize::from(args.equipes), args.parties as usize);
    let ladder = |levels, seed| Ladder { teams, levels, spread: args.ecart, games, seed };
    let batch = ladder(0, 0).batch();
    let after = |batches: &[Progress], reached: &dyn Fn(&Progress) -> bool| {
        batches.iter().position(reached).map(|number| (number + 1) * batch)
    };
    let mut drawn: Option<(usize, f64)> = None;
    let (rules, teams_only) =
        (LadderRules::default(), LadderRules { house_every: 0, ..LadderRules::default() });
    for (choice, levels, key, name) in [
        (Choice::Random, 0, "random", word("Drawn meetings", "Rencontres tirées au sort")),
        (Choice::Swiss, 0, "swiss", word("Meetings of neighbours", "Rencontres de voisins")),
        (
            Choice::Course(teams_only),
            0,
            "telling",
            word("Meetings that tell most", "Rencontres qui apprennent le plus"),
        ),
        (
            Choice::Course(rules),
            LEVELS,
            "course",
            word(
                "The ladder of a course, house levels included",
                "Le classement d'un cours, niveaux de la maison compris",
            ),
        ),
    ] {
        let seeds = args.graine..args.graine.saturating_add(args.cours.into());
        let played =
            parallel::map(seeds, |seed| Ok::<_, Infallible>(ladder(levels, seed).play(choice)));
        let batches = mean(&played.unwrap_or_else(|never| match never {}));
        let Some(right) = after(&batches, &|progress| progress.right >= RIGHT) else {
            print_either(
                Language::chosen().typeset(&said!(
                    "{name}: more than {games} games.",
                    "{name} : plus de {games} parties."
                )),
                format_args!("choice={key} more_than={games}"),
            )?;
            // Without the drawn meetings, there is nothing to compare with.
            if choice == Choice::Random {
                break;
            }
            continue;
        };
        let (first, width) =
            *drawn.get_or_insert_with(|| (right, batches[right / batch - 1].width));
        let narrow = after(&batches, &|progress| progress.width <= width).unwrap_or(games);
        let [ratio, narrow_ratio] = [right, narrow].map(|games| games as f64 / first as f64);
        let [ratio_told, narrow_told] =
            [ratio, narrow_ratio].map(|ratio| Language::chosen().decimal(ratio, 2));
        print_either(
            Language::chosen().typeset(&said!(
                "{name}: {right} games ({ratio_told}), and {narrow} for the same intervals ({narrow_told}).",
                "{name} : {right} parties ({ratio_told}), et {narrow} pour les mêmes intervalles ({narrow_told})."
            )),
            format_args!(
                "choice={key} games={right} ratio={ratio:.2} same_width={narrow} width_ratio={narrow_ratio:.2}"
            ),
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

fn spread(text: &str) -> Result<f64, String> {
    cli::number_in(text, 0.0..=10.0).ok_or_else(|| {
        said!("expected nats from 0 to 10", "un nombre de nats entre 0 et 10 est attendu")
    })
}
