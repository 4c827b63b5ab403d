//! `measure decisions`.

use std::convert::Infallible;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use cli::print_either;
use game::pacman::RulesPreset;
use lab::parallel;
use language::{Language, said};
use measure::decisions::{Decision, DrawnGames, PlayedGames, World, hold};
use plan::{
    Conditions, Format, NamedMap, Plan, Program, SEATS, Schedule, Seatings, Team, TeamLimits,
};

#[derive(Debug, clap::Args)]
#[command(long_about = said!(
    "Hold tournaments that may end after any round, and count how often they name a best team\n\nWith equal \
     teams each of them is an error; `--until` of `tournoi` promises that there are at most 5 in 100 for 0.95. \
     Games are drawn from the Plackett–Luce model, or with --bot really played. On a terminal, the outcome is told in \
     sentences; elsewhere, as `key=value`.",
    "Tenir des tournois qui peuvent finir après chaque manche, et compter combien de fois ils nomment une \
     meilleure équipe\n\nAvec des équipes égales, c'est chaque fois une erreur ; `--jusqua` de `tournoi` en \
     promet au plus 5 sur 100 pour 0.95. Les parties sont tirées selon le modèle de Plackett–Luce, ou vraiment \
     jouées avec --ia. Sur un terminal, le résultat est dit en phrases ; ailleurs, par `clé=valeur`."
))]
pub(crate) struct Args {
    #[arg(long, visible_alias = "teams", value_name = "N", default_value_t = 4,
          value_parser = clap::value_parser!(u16).range(2..=256), help = said!("Teams", "Équipes"))]
    equipes: u16,

    #[arg(long, visible_alias = "advantage", value_name = "NATS", default_value_t = 0.0,
          allow_negative_numbers = true, value_parser = strength, help = said!(
        "How much stronger the first team is, in nats: 1.1 is odds of 3 to 1 before each other one",
        "Avance de la première équipe, en nats : 1.1 veut dire 3 chances contre 1 de précéder chaque autre"
    ))]
    avance: f64,

    #[arg(long, visible_alias = "luck", value_name = "NATS", default_value_t = 0.5,
          allow_negative_numbers = true,
          value_parser = deviation, help = said!(
        "What the games of a matchup have in common, in nats: the standard deviation of each team's luck",
        "Ce que les parties d'une rencontre ont en commun, en nats : l'écart type de la chance de chaque équipe"
    ))]
    chance: f64,

    #[arg(long, visible_alias = "bot", value_name = "BOT", num_args = 1.., value_parser = bots::by_name, help = said!(
        "Bots that really play instead, a team each",
        "Bots qui jouent vraiment, une équipe chacun"
    ))]
    ia: Vec<&'static bots::Entry>,

    #[arg(long, visible_alias = "map", value_name = "FILE", default_value = "petit", help = said!(
        "Map that they play on: a file, or the name of a built-in one",
        "Carte où ils jouent : un fichier, ou le nom d'une carte intégrée"
    ))]
    carte: PathBuf,

    #[arg(long, visible_alias = "turns", value_name = "N", default_value_t = 50,
          value_parser = clap::value_parser!(u32).range(1..), help = said!(
        "Turns of a game that is played",
        "Tours d'une partie jouée"
    ))]
    duree: u32,

    #[arg(long, visible_alias = "rounds", value_name = "N", default_value_t = 1000,
          value_parser = clap::value_parser!(u32).range(1..), help = said!(
        "Rounds of a tournament, at most",
        "Manches d'un tournoi, au plus"
    ))]
    manches: u32,

    #[arg(long, visible_alias = "tournaments", value_name = "N", default_value_t = 1000,
          value_parser = clap::value_parser!(u32).range(1..), help = said!("Tournaments", "Tournois"))]
    tournois: u32,

    #[arg(long, visible_alias = "until", value_name = "CONFIDENCE", default_value_t = 0.95,
          value_parser = cli::confidence, help = said!(
        "Confidence with which a team is named the best",
        "Confiance avec laquelle une équipe est nommée la meilleure"
    ))]
    jusqua: f64,

    #[arg(long, visible_alias = "seed", value_name = "N", default_value_t = 1,
          help = said!("Seed", "Graine"))]
    graine: u64,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let ends = if args.ia.is_empty() {
        hold_all(
            args,
            &DrawnGames {
                teams: args.equipes.into(),
                advantage: args.avance,
                luck: args.chance,
                seed: args.graine,
            },
        )
    } else {
        hold_all(args, &PlayedGames(plan(args)?))
    };
    let mut named: Vec<Decision> = ends.into_iter().flatten().collect();
    named.sort_unstable_by_key(|end| end.round);
    let first = named.iter().filter(|end| end.team == 0).count();
    let at = |percent: usize| named.get(named.len() * percent / 100).map(|end| end.round);
    let (language, held, named_in) = (Language::chosen(), args.tournois, named.len());
    print_either(
        language.typeset(&said!(
            "Tournaments: {held}; with a best team named: {named_in}; with the first team named: {first}.",
            "Tournois : {held} ; avec une meilleure équipe nommée : {named_in} ; avec la première équipe nommée : {first}."
        )),
        format_args!("tournaments={held} named={named_in} named_first={first}"),
    )?;
    if let (Some(low), Some(median), Some(high)) = (at(10), at(50), at(90)) {
        print_either(
            language.typeset(&said!(
                "A team is named after round {median} in the median; after round {low} in the fastest tenth, {high} in nine \
                 tenths.",
                "Une équipe est nommée après la manche {median} en médiane ; après la manche {low} dans le dixième le plus \
                 rapide, {high} dans neuf dixièmes."
            )),
            format_args!("round_p10={low} round_median={median} round_p90={high}"),
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Largest strength, in nats, whose odds a floating-point number tells apart from certainty.
const MAX_STRENGTH: f64 = 30.0;

fn strength(text: &str) -> Result<f64, String> {
    cli::number_in(text, -MAX_STRENGTH..=MAX_STRENGTH).ok_or_else(|| {
        said!(
            "expected nats from -{MAX_STRENGTH} to {MAX_STRENGTH}",
            "un nombre de nats entre -{MAX_STRENGTH} et {MAX_STRENGTH} est attendu"
        )
    })
}

fn deviation(text: &str) -> Result<f64, String> {
    cli::number_in(text, 0.0..=MAX_STRENGTH).ok_or_else(|| {
        said!(
            "expected nats from 0 to {MAX_STRENGTH}",
            "un nombre de nats entre 0 et {MAX_STRENGTH} est attendu"
        )
    })
}

fn hold_all(args: &Args, world: &impl World) -> Vec<Option<Decision>> {
    let held = parallel::map(0..args.tournois.into(), |number| {
        Ok::<_, Infallible>(hold(world, number, args.manches, 1.0 - args.jusqua))
    });
    held.unwrap_or_else(|never| match never {})
}

/// A plan with a team for each bot; numbers are the names of the teams.
fn plan(args: &Args) -> anyhow::Result<Plan> {
    let map = cli::load_map_for(SEATS, &args.carte)?;
    let team = |(number, bot): (usize, &bots::Entry)| {
        Team::new(number.to_string(), Program::House(bot.name.to_owned()), "")
    };
    Ok(Plan {
        conditions: Conditions {
            name: String::new(),
            seed: args.graine,
            rules: RulesPreset::default(),
            turns: args.duree,
            deadline: Duration::from_secs(1),
            house: "glouton".to_owned(),
            seatings: Seatings::Cyclic,
        },
        maps: vec![NamedMap { name: args.carte.display().to_string(), text: map.to_string(), map }],
        teams: (1..).zip(args.ia.iter().copied()).map(team).collect(),
        schedule: Schedule {
            format: Format::Groups { per_team: None },
            rounds: args.manches,
            until: None,
            lots: args.graine,
        },
        limits: TeamLimits::default(),
        notes: Vec::new(),
    })
}
