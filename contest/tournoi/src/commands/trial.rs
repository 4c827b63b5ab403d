//! `tournoi essayer`.

mod against_house;
mod record;
mod replays;
mod versus;
mod words;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use crate::config::Config;
use crate::setup::{self, SoloConditions};
use checkup::{Check, CheckReport};
use game::pacman::RulesPreset;
use indicatif::{ProgressBar, ProgressStyle};
use language::{Language, said};
use plan::{NamedMap, Note, Outcome, Program, Team};
use programs::cores::Cores;
use programs::package::Packages;
use sandbox::Level;
use tempfile::TempDir;
use tokio::runtime::Runtime;
use tokio::time::Instant;
use tournament::dispatcher::RunError;
use tournament::featured::FeaturedGame;
use tournament::trial::{TrialRun, TrialSetting};
use tournament::venue::LocalVenue;

use super::bot_args::BotArgs;
use super::check_list::{CheckList, as_json};
use super::fault_lines::FaultLines;
use super::isolation;
use super::plan_args::set;
use super::run::stop_on_interrupt;
use super::verify::{checkup_options, folder_of_copies};
use replays::Replays;

/// Default times after which no game starts: for a bot against the house, and for two versions.
const TIME: Duration = Duration::from_secs(15);
const TIME_OF_VERSIONS: Duration = Duration::from_secs(300);

#[derive(Debug, clap::Args)]
#[command(after_help = said!(
    "The bot plays against three of each bot of the house, and against one of each of the three strongest ones. A trial \
     leaves no files but the best and the worst game against each opponent, in the user's state folder, until the next \
     trial.\n\n\
     With --contre, the two versions play pairs of games: same map, same seed, swapped seats, bots of the house in the \
     other two seats. After each batch of pairs, a sequential test says where it stands, and it stops as soon as it \
     knows. It says `better` of a version that is not with a probability of 5 % at most, and `not better` of one that \
     wins the share --seuil of its duels with a probability of 5 % at most.\n\n\
     Exit codes: 0 when games were played, 1 when the bot cannot play or the games cannot go on, 2 when the command or \
     a file is wrong, 130 on Ctrl-C, which shows what is known so far.",
    "Le bot joue contre trois exemplaires de chaque bot de la maison, et contre les trois plus forts ensemble. Un essai \
     ne laisse que la meilleure et la pire partie contre chaque adversaire, dans le dossier d'état, jusqu'à l'essai \
     suivant.\n\n\
     Avec --contre, les deux versions jouent des paires de parties : même carte, même graine, places échangées, des bots \
     de la maison aux deux autres places. Après chaque lot de paires, un test séquentiel dit où il en est, et il s'arrête \
     dès qu'il sait. Il dit `meilleur` d'une version qui ne l'est pas avec une probabilité de 5 % au plus, et `pas \
     meilleur` d'une version qui gagne la part --seuil de ses duels avec une probabilité de 5 % au plus.\n\n\
     Codes de sortie : 0 quand des parties sont jouées, 1 si le bot ne peut pas jouer ou si les parties ne peuvent pas \
     continuer, 2 si la commande ou un fichier est faux, 130 après Ctrl-C, qui montre ce qu'on sait déjà."
))]
pub(crate) struct TrialArgs {
    #[command(flatten)]
    bot: BotArgs,

    #[arg(long, visible_alias = "against", value_name = "BOT", help = said!(
        "Older version to compare the bot with, named as the bot is",
        "Version d'avant à comparer au bot, nommée comme lui"
    ))]
    contre: Option<String>,

    #[arg(long, visible_alias = "rules", value_name = "RULES", value_parser = cli::rules(), help = said!(
        "Rules of the games; given twice, with both [default: sujet]",
        "Règles des parties ; données deux fois, avec les deux [défaut : sujet]"
    ))]
    regles: Vec<RulesPreset>,

    #[arg(long, visible_alias = "seed", value_name = "N", help = said!(
        "Seed that all seeds of games come from; drawn when missing",
        "Graine dont viennent celles des parties ; sinon tirée"
    ))]
    graine: Option<u64>,

    #[arg(long, visible_alias = "games", value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..=1_000_000), help = said!(
        "Games against each opponent; with --contre, the largest number of games [default: 240, or 1000 with --contre]",
        "Parties contre chaque adversaire ; avec --contre, leur plus grand nombre [défaut : 240, ou 1000 avec --contre]"
    ))]
    parties: Option<u32>,

    #[arg(long, visible_alias = "time", value_name = "DURATION",
          value_parser = cli::positive_duration, help = said!(
        "No game starts after this time [default: 15s, or 5m with --contre; none when --parties is given]",
        "Aucune partie ne commence après ce temps [défaut : 15s, ou 5m avec --contre ; sans limite avec --parties]"
    ))]
    temps: Option<Duration>,

    #[arg(long, visible_alias = "bound", value_name = "SHARE", default_value = "0.6",
          value_parser = bound, requires = "contre", help = said!(
        "With --contre: the share of duels from which on a new version must be found better",
        "Avec --contre : la part de duels à partir de laquelle une version doit être reconnue meilleure"
    ))]
    seuil: f64,

    #[arg(long, visible_alias = "house", value_name = "BOT", requires = "contre", help = said!(
        "With --contre: bot of the house in the other two seats [default: glouton]",
        "Avec --contre : bot de la maison aux deux autres places [défaut : glouton]"
    ))]
    maison: Option<String>,

    #[arg(long, visible_alias = "parallel", value_name = "N",
          value_parser = clap::value_parser!(u16).range(1..), help = said!(
        "Games at a time; when missing, as many as leave each program a core of its own, at least one",
        "Parties à la fois ; sinon autant que chaque programme garde un cœur à lui, au moins une"
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
    let session = Session::begin(args, &config, &mut teams)?;
    for team in &teams {
        if let Some(code) = session.check_start(team, &config, args.bot.isolation.isolement)? {
            return Ok(code);
        }
    }
    let ended = match &teams[..] {
        [new, old] => versus::run(args, &session, [new, old], rules[0], &config),
        teams => against_house::run(args, &session, &teams[0], &rules),
    };
    Ok(match ended? {
        Ended::Played => ExitCode::SUCCESS,
        Ended::CannotPlay => ExitCode::FAILURE,
        Ended::Stopped => ExitCode::from(cli::INTERRUPTED),
        Ended::Failed(error) => {
            let _ = cli::fail(&error);
            ExitCode::FAILURE
        }
    })
}

enum Ended {
    Played,
    /// The bot was gone before the end of every game.
    CannotPlay,
    Stopped,
    Failed(anyhow::Error),
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
                "--contre compares two versions under one preset of --regles",
                "--contre compare deux versions avec un seul --regles"
            )
        );
        Ok(once)
    }
}

/// The means to play the games of a trial, and to show them.
struct Session {
    json: bool,
    /// Notes for readers of the results.
    notes: Vec<Note>,
    /// The folder of the copies of programs.
    copies: TempDir,
    setting: TrialSetting,
    /// The time after which no game starts.
    time: Option<Duration>,
    run: TrialRun,
    replays: Replays,
    runtime: Runtime,
    bar: ProgressBar,
}

impl Session {
    fn begin(args: &TrialArgs, config: &Config, teams: &mut [Team]) -> anyhow::Result<Self> {
        let SoloConditions { turns, deadline, mut maps, limits, .. } =
            setup::solo_conditions(config)?;
        if maps.is_empty() {
            let map = game::pacman::maps::plan1();
            maps.push(NamedMap { name: "plan1".to_owned(), text: map.to_string(), map });
        }
        let seed = match config.seed {
            Some(seed) => seed,
            None => super::draw()?,
        };
        // Each bot plays from a copy of its files, as in a tournament.
        let copies = folder_of_copies()?;
        let packages = Packages::new(copies.path().to_owned());
        setup::take_packages(teams, &packages)?;
        let level = args.bot.isolation.isolement;
        let runner = programs::isolation::runner(level, teams, private_folders(), None, packages)?;
        let replays = Replays::begin();
        let programs = programs::isolation::programs_per_game(teams);
        let parallel = args
            .parallele
            .map_or_else(|| programs::isolation::usual_parallel(programs), usize::from);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(parallel)
            .build()?;
        let usual = if args.contre.is_some() { TIME_OF_VERSIONS } else { TIME };
        let time = args.temps.or(args.parties.is_none().then_some(usual));
        let journals = replays.journals();
        let cores = Cores::new(parallel * programs);
        let notes = programs::isolation::terms(&runner, level, teams, deadline, &cores);
        if !args.json {
            isolation::say(&notes);
        }
        let featured = FeaturedGame::new(None);
        let run = TrialRun {
            venue: LocalVenue::new(Arc::new(runner), cores, journals, featured, Duration::ZERO),
            parallel,
            until: time.map(|time| Instant::now() + time),
            stop: stop_on_interrupt()?,
        };
        let style = ProgressStyle::with_template("{spinner} {msg}").expect("it is well formed");
        let bar = if args.json {
            ProgressBar::hidden()
        } else {
            ProgressBar::new_spinner().with_style(style)
        };
        let setting = TrialSetting { maps, turns, deadline, limits, seed };
        Ok(Self { json: args.json, notes, copies, setting, time, run, replays, runtime, bar })
    }

    /// Checks that a program starts and registers. If it does not, prints the reason, the program's output and advice, and
    /// returns the exit code.
    fn check_start(
        &self,
        team: &Team,
        config: &Config,
        level: Level,
    ) -> anyhow::Result<Option<ExitCode>> {
        if matches!(team.program, Program::House(_)) {
            return Ok(None);
        }
        // Some bots ignore the given port and connect to the usual one.
        let trap = Some(protocol::DEFAULT_PORT);
        let packages = Packages::new(self.copies.path().to_owned());
        let one = std::slice::from_ref(team);
        let runner = programs::isolation::runner(level, one, private_folders(), trap, packages)?;
        let options = checkup_options(setup::solo_conditions(config)?, vec![Check::Start], runner);
        let report = self.runtime.block_on(async {
            tokio::select! {
                report = checkup::run(team, &options, |_| {}) => Some(report),
                () = self.run.stop.cancelled() => None,
            }
        });
        let Some(report) = report.transpose()? else {
            return Ok(Some(ExitCode::from(cli::INTERRUPTED)));
        };
        if report.is_ready() {
            return Ok(None);
        }
        self.show_failure(team, &report);
        Ok(Some(ExitCode::FAILURE))
    }

    fn show_failure(&self, team: &Team, report: &CheckReport) {
        if self.json {
            cli::say!("{:#}", as_json(report));
            return;
        }
        let mut list = CheckList::begin(team);
        for made in &report.checks {
            list.tell(checkup::CheckEvent::Made(made));
        }
        drop(list);
        cli::say!("{}", words::cannot_play());
    }

    /// Shows the last output of a program, and advice.
    fn show_last_lines(&self, team: &Team) {
        let lines = self.replays.last_lines(&team.name);
        if !lines.is_empty() {
            cli::say!("{}", checkup::words::output());
        }
        for line in lines {
            cli::say!("  | {line}");
        }
        cli::say!("{}", words::cannot_play());
    }

    /// Shows the first fault of each kind.
    fn show_faults(&self, faults: &mut FaultLines, outcome: &Outcome) {
        let lines = faults.after(outcome);
        if !self.json {
            for line in lines {
                self.say(&line);
            }
        }
    }

    fn notes(&self) -> Vec<&str> {
        self.notes.iter().map(|note| note.say(Language::chosen())).collect()
    }

    fn fault_lines(&self) -> FaultLines {
        FaultLines::new(Some(self.replays.journals()))
    }

    fn say(&self, line: &str) {
        self.bar.suspend(|| cli::say!("{line}"));
    }

    /// The end of the games, whose `failure` has stopped them, if any. Shows the last output of a hopeless bot.
    fn ended(&self, team: &Team, is_hopeless: bool, failure: Option<RunError>) -> Ended {
        if is_hopeless && !self.json {
            self.show_last_lines(team);
        }
        match failure {
            _ if is_hopeless => Ended::CannotPlay,
            Some(error) => Ended::Failed(error.into()),
            None if self.is_stopped() => Ended::Stopped,
            None => Ended::Played,
        }
    }

    fn is_stopped(&self) -> bool {
        self.run.stop.is_cancelled()
    }

    /// Shows a line with a spinner on a terminal while games are played.
    fn now_playing(&self, message: String) {
        self.bar.set_message(message);
        self.bar.enable_steady_tick(Duration::from_millis(200));
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

/// The user's state, which programs must not see.
fn private_folders() -> Vec<PathBuf> {
    // Without a home folder there is no state.
    cli::state_folder().into_iter().collect()
}
