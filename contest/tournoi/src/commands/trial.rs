//! `tournoi essayer`.

mod against_house;
pub(super) mod record;
mod versus;
pub(super) mod words;

use std::process::ExitCode;
use std::time::Duration;

use crate::config::Config;
use crate::setup;
use game::pacman::RulesPreset;
use language::said;
use tournament::trial::Opponents;

use super::bot_args::BotArgs;
use super::plan_args::set;
use super::session::{Session, SessionOptions, Start};

/// Default times after which no game starts: for a bot against the house, and for two versions.
const TIME: Duration = Duration::from_secs(15);
const TIME_OF_VERSIONS: Duration = Duration::from_secs(300);

#[derive(Debug, clap::Args)]
#[command(after_help = said!(
    "The bot plays against three of each bot of the house, and against one of each of the three strongest ones. A trial \
     leaves no files but the best and the worst game against each opponent, in the user's state folder, until the next \
     trial.\n\n\
     With --against, the two versions play pairs of games: same map, same seed, swapped seats, bots of the house in the \
     other two seats. After each batch of pairs, a sequential test says where it stands, and it stops as soon as it \
     knows. It says `better` of a version that is not with a probability of 5 % at most, and `not better` of one that \
     wins the share --bound of its duels with a probability of 5 % at most.\n\n\
     Exit codes: 0 when games were played, 1 when the bot cannot play or the games cannot go on, 2 when the command or \
     a file is wrong, 130 on Ctrl-C, which shows what is known so far.",
    "Le bot joue contre trois exemplaires de chaque bot de la maison, et contre les trois plus forts ensemble. Un \
     essai ne laisse que la meilleure et la pire partie contre chaque adversaire, dans le dossier d'état, jusqu'à \
     l'essai suivant.\n\n\
     Avec --contre, les deux versions jouent des paires de parties : même carte, même graine, places échangées, des \
     bots de la maison aux deux autres places. Après chaque lot de paires, un test séquentiel dit où il en est, et il \
     s'arrête dès qu'il sait. Il dit `meilleur` d'une version qui ne l'est pas avec une probabilité de 5 % au plus, et \
     `pas meilleur` d'une version qui gagne la part --seuil de ses duels avec une probabilité de 5 % au plus.\n\n\
     Codes de sortie : 0 quand des parties sont jouées, 1 si le bot ne peut pas jouer ou si les parties ne peuvent pas \
     continuer, 2 si la commande ou un fichier est incorrect, 130 après Ctrl-C, qui montre ce qu'on sait déjà."
))]
pub(crate) struct TrialArgs {
    #[command(flatten)]
    bot: BotArgs,

    #[arg(long, visible_alias = "against", value_name = "BOT", help = said!(
        "Older version to compare the bot with, named as the bot is",
        "Version antérieure à comparer au bot, donnée de la même façon"
    ))]
    contre: Option<String>,

    #[arg(long, visible_alias = "opponent", value_name = "BOT", conflicts_with = "contre",
          value_parser = against_house::opponents(), help = said!(
        "Opponents: three of this bot of the house, or `melange` for the three strongest ones; once for each [default: all]",
        "Adversaires : trois exemplaires de ce bot de la maison, ou `melange` pour les trois plus forts ; peut être \
         donné plusieurs fois [défaut : tous]"
    ))]
    adversaire: Vec<Opponents>,

    #[arg(long, visible_alias = "rules", value_name = "RULES", value_parser = cli::rules(), help = said!(
        "Rules of the games; given twice, with both [default: sujet]",
        "Règles des parties ; peuvent être données deux fois, pour jouer selon les deux [défaut : sujet]"
    ))]
    regles: Vec<RulesPreset>,

    #[arg(long, visible_alias = "seed", value_name = "N", help = said!(
        "Seed that all seeds of games come from; drawn when missing",
        "Graine dont découlent celles des parties ; sinon tirée au hasard"
    ))]
    graine: Option<u64>,

    #[arg(long, visible_alias = "games", value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..=1_000_000), help = said!(
        "Games against each opponent; with --against, the largest number of games [default: 240, or 1000 with --against]",
        "Parties contre chaque adversaire ; avec --contre, leur nombre maximal [défaut : 240, ou 1000 avec --contre]"
    ))]
    parties: Option<u32>,

    #[arg(long, visible_alias = "time", value_name = "DURATION",
          value_parser = cli::positive_duration, help = said!(
        "No game starts after this time [default: 15s, or 5m with --against; none when --games is given]",
        "Aucune partie ne commence après ce temps [défaut : 15s, ou 5m avec --contre ; sans limite avec --parties]"
    ))]
    temps: Option<Duration>,

    #[arg(long, visible_alias = "bound", value_name = "SHARE", default_value = "0.6",
          value_parser = bound, requires = "contre", help = said!(
        "With --against: the share of duels from which on a new version must be found better",
        "Avec --contre : la part de duels à partir de laquelle une version doit être reconnue meilleure"
    ))]
    seuil: f64,

    #[arg(long, visible_alias = "house", value_name = "BOT", requires = "contre", help = said!(
        "With --against: bot of the house in the other two seats [default: glouton]",
        "Avec --contre : bot de la maison aux deux autres places [défaut : glouton]"
    ))]
    maison: Option<String>,

    #[arg(long, visible_alias = "parallel", value_name = "N",
          value_parser = clap::value_parser!(u16).range(1..), help = said!(
        "Games at a time; when missing, as many as leave each program a core of its own, at least one",
        "Parties à la fois ; sinon autant qu'il se peut en laissant un cœur à chaque programme, au moins une"
    ))]
    parallele: Option<u16>,

    #[arg(long, help = said!(
        "Print the results as JSON, once all games are played",
        "Écrire les résultats en JSON, une fois toutes les parties jouées"
    ))]
    json: bool,
}

pub(crate) fn run(args: &TrialArgs) -> anyhow::Result<ExitCode> {
    let mut config = args.bot.config()?;
    set(&mut config.seed, args.graine.as_ref());
    set(&mut config.house, args.maison.as_ref());
    let mut teams = match &args.contre {
        Some(old) => args.bot.pair(&config, old)?.to_vec(),
        None => vec![args.bot.one(&config)?],
    };
    let rules = args.rules(&config)?;
    let usual = if args.contre.is_some() { TIME_OF_VERSIONS } else { TIME };
    let options = SessionOptions {
        level: args.bot.isolation.isolement,
        parallel: args.parallele,
        time: args.temps.or(args.parties.is_none().then_some(usual)),
        json: args.json,
    };
    let session = Session::begin(options, &config, &mut teams)?;
    for team in &teams {
        match session.check_start(team, &config)? {
            Start::Fine => {}
            Start::Interrupted => return Ok(ExitCode::from(cli::INTERRUPTED)),
            Start::Failed(report) => {
                session.show_failure(team, &report, None);
                return Ok(ExitCode::FAILURE);
            }
        }
    }
    let ended = match &teams[..] {
        [new, old] => versus::run(args, &session, [new, old], rules[0], &config),
        teams => against_house::run(args, &session, &teams[0], &rules),
    };
    Ok(ended?.code())
}

impl TrialArgs {
    /// The rules of the games, each once.
    fn rules(&self, config: &Config) -> anyhow::Result<Vec<RulesPreset>> {
        let mut rules = self.regles.clone();
        if rules.is_empty() {
            rules.push(setup::solo_conditions(config)?.rules);
        }
        let mut once = Vec::new();
        for rules in rules {
            if !once.contains(&rules) {
                once.push(rules);
            }
        }
        anyhow::ensure!(
            self.contre.is_none() || once.len() == 1,
            said!(
                "--against compares two versions under one preset of --rules",
                "--contre compare deux versions avec un seul --regles"
            )
        );
        Ok(once)
    }
}

fn bound(text: &str) -> Result<f64, String> {
    cli::number_in(text, 0.51..=0.95).ok_or_else(|| {
        said!(
            "expected a share from 0.51 to 0.95, as 0.6",
            "une part entre 0.51 et 0.95 est attendue, comme 0.6"
        )
    })
}
