//! `tournoi noter`.

pub(super) mod files;

use std::path::PathBuf;
use std::process::ExitCode;

use comfy_table::{CellAlignment, LineStyle, Table, presets};
use language::{Language, said, word};
use plan::Team;
use rating::Share;
use rating::marks::{Level, Mark};
use serde_json::{Value, json};
use tournament::trial::{Opponents, Trial};

use crate::scale::ScaleFile;
use crate::setup;

use super::bot_args::BotArgs;
use super::check_list::wrapped;
use super::plan_args::set;
use super::session::{Ended, Session, SessionOptions, Start};
use super::trial::{record, words};

/// Games against each level that a bot plays before it has no marks for being gone in all of them.
const LEAST: u32 = 5;

/// The name under which every bot plays: draws depend on names, and are the same for everybody.
const NAME: &str = "bot";

#[derive(Debug, clap::Args)]
#[command(after_help = said!(
    "The bot plays the games of the scale against each level. A level gives its marks for the share of first places: none up to \
     one share, all from another one on, in proportion in between. So a mark follows from the bot alone, and does not move when \
     others improve. The interval holds the mark of endlessly many games in 95 % of cases.\n\n\
     Exit codes: 0 when the bot is marked, 1 when it cannot play, which gives no marks, or the games cannot go on, 2 when the \
     command or a file is wrong, 130 on Ctrl-C. The files are written in the first two cases.",
    "Le bot joue les parties du barème contre chaque niveau. Un niveau donne sa note selon la part de premières places \
     : rien jusqu'à une part, tout à partir d'une autre, en proportion entre les deux. La note ne dépend donc que du \
     bot, et ne bouge pas quand d'autres progressent. L'intervalle contient la note d'une infinité de parties dans 95 \
     % des cas.\n\n\
     Codes de sortie : 0 quand le bot est noté, 1 s'il ne peut pas jouer, ce qui ne donne aucun point, ou si les \
     parties ne peuvent pas continuer, 2 si la commande ou un fichier est incorrect, 130 après Ctrl-C. Les fichiers \
     sont écrits dans les deux premiers cas."
))]
pub(crate) struct MarkArgs {
    #[command(flatten)]
    bot: BotArgs,

    #[arg(long, visible_alias = "scale", value_name = "FILE", help = said!(
        "Scale of marks (TOML) [default: that of exemples/bareme.toml]",
        "Barème (TOML) [défaut : celui d'exemples/bareme.toml]"
    ))]
    bareme: Option<PathBuf>,

    #[arg(long, visible_alias = "seed", value_name = "N", help = said!(
        "Seed that all seeds of games come from; when missing, that of the scale",
        "Graine dont découlent celles des parties ; sinon celle du barème"
    ))]
    graine: Option<u64>,

    #[arg(long, visible_alias = "parallel", value_name = "N",
          value_parser = clap::value_parser!(u16).range(1..), help = said!(
        "Games at a time; when missing, as many as leave each program a core of its own, at least one",
        "Parties à la fois ; sinon autant qu'il se peut en laissant un cœur à chaque programme, au moins une"
    ))]
    parallele: Option<u16>,

    #[arg(long, value_name = "FILE", help = said!(
        "Write the mark as `results.json` of Gradescope",
        "Écrire la note au format `results.json` de Gradescope"
    ))]
    gradescope: Option<PathBuf>,

    #[arg(long, value_name = "FILE", help = said!(
        "Write the mark as the autograders of GitHub Classroom do",
        "Écrire la note au format des correcteurs de GitHub Classroom"
    ))]
    classroom: Option<PathBuf>,

    #[arg(long, help = said!("Print the mark as JSON", "Écrire la note en JSON"))]
    json: bool,
}

/// A bot that was marked, with the games of each level.
pub(super) struct Marked<'a> {
    pub(super) team: &'a str,
    pub(super) mark: Mark,
    pub(super) best: f64,
    pub(super) levels: Vec<MarkedLevel>,
    /// The reason why the bot cannot play and gets no marks.
    pub(super) failure: Option<String>,
}

pub(super) struct MarkedLevel {
    title: String,
    marks: f64,
    best: f64,
    share: Option<Share>,
    pub(super) games: u32,
    /// The shares between which marks grow.
    rule: String,
}

pub(crate) fn run(args: &MarkArgs) -> anyhow::Result<ExitCode> {
    let file = ScaleFile::read(args.bareme.as_deref())?;
    let mut config = args.bot.config()?;
    set(&mut config.seed, args.graine.as_ref().or(file.seed.as_ref()));
    let mut team = args.bot.one(&config)?;
    let options = SessionOptions {
        level: args.bot.isolation.isolement,
        parallel: args.parallele,
        time: None,
        json: args.json,
    };
    let name = std::mem::replace(&mut team.name, NAME.to_owned());
    let session = Session::begin(options, &config, std::slice::from_mut(&mut team))?;
    let rules = setup::solo_conditions(&config)?.rules;
    let opponents = file.opponents()?.into_iter();
    let trials = opponents.map(|opponents| Trial::new(&team, opponents, rules, &session.setting));
    let mut trials: Vec<_> = trials.collect::<Result<_, _>>()?;
    let named = Team { name: name.clone(), ..team.clone() };
    match session.check_start(&named, &config)? {
        Start::Fine => {}
        Start::Interrupted => return Ok(ExitCode::from(cli::INTERRUPTED)),
        Start::Failed(report) => {
            let reason = word("The program does not start.", "Le programme ne démarre pas.");
            let marked = Marked::of(&file, &name, &results(&trials), Some(reason.to_owned()))?;
            session.show_failure(&named, &report, Some(as_json(&marked, &session, &trials)));
            files::write(args, &marked)?;
            return Ok(ExitCode::FAILURE);
        }
    }
    if !args.json {
        let (seed, turns) = (session.setting.seed, session.setting.turns);
        cli::say!("{}", heading(&name, turns, seed, file.games));
    }
    let mut faults = session.fault_lines();
    let playing = |trial: &Trial, game| words::playing(trial.opponents(), game);
    let (is_hopeless, failure) =
        session.play_all(&mut trials, (LEAST, file.games), &mut faults, playing);
    let reason = is_hopeless.then(|| {
        word(
            "The program was gone in every game.",
            "Le programme s'est arrêté pendant chaque partie.",
        )
    });
    let marked = Marked::of(&file, &name, &results(&trials), reason.map(str::to_owned))?;
    let ended = session.ended(&team, is_hopeless, failure);
    let is_over = matches!(ended, Ended::Played | Ended::CannotPlay);
    if is_over && args.json {
        cli::say!("{:#}", as_json(&marked, &session, &trials));
    } else if !args.json {
        for line in faults.counts() {
            cli::say!("{line}");
        }
        show(&marked, is_over);
        let records: Vec<_> = trials.iter().map(Trial::record).collect();
        record::show(&session, &records, None, &[]);
    }
    if is_over {
        files::write(args, &marked)?;
    }
    Ok(ended.code())
}

impl<'a> Marked<'a> {
    /// The mark for the games so far, given the share of first places and the number of games of each level; none for a bot
    /// that cannot play.
    ///
    /// # Errors
    ///
    /// When a level of the scale does not exist.
    pub(super) fn of(
        file: &ScaleFile,
        team: &'a str,
        results: &[(Option<Share>, u32)],
        failure: Option<String>,
    ) -> anyhow::Result<Self> {
        let scale = file.scale();
        let of_level = |((level, opponents), (share, games)): ((&Level, Opponents), &(_, u32))| {
            let share: &Option<Share> = share;
            let given = share.filter(|_| failure.is_none());
            MarkedLevel {
                title: words::opponents(opponents),
                marks: given.map_or(0.0, |share| level.given(share.value)),
                best: level.marks,
                share: *share,
                games: *games,
                rule: format!("{:.0}–{}", 100.0 * level.none, words::percent(level.all)),
            }
        };
        let levels = scale.levels.iter().zip(file.opponents()?).zip(results).map(of_level);
        let levels = levels.collect();
        let shares: Vec<_> = results.iter().map(|(share, _)| *share).collect();
        let mark = match failure {
            Some(_) => Mark { value: 0.0, low: 0.0, high: 0.0 },
            None => scale.mark(&shares),
        };
        Ok(Self { team, mark, best: scale.best(), levels, failure })
    }
}

/// The results of trials.
fn results(trials: &[Trial]) -> Vec<(Option<Share>, u32)> {
    trials.iter().map(|trial| (trial.record().firsts(), trial.record().games)).collect()
}

fn heading(team: &str, turns: u32, seed: u64, games: u32) -> String {
    let team = cli::printable(team);
    Language::chosen().typeset(&said!(
        "Marking “{team}”: {games} games of {turns} turns against each level, seed {seed}.",
        "Note de « {team} » : {games} parties de {turns} tours contre chaque niveau, graine {seed}."
    ))
}

fn legend() -> String {
    Language::chosen().typeset(&said!(
        "A level gives nothing up to the first share of its rule, everything from the second one, and in between in proportion.",
        "Un niveau ne rapporte rien jusqu'à la première part de sa règle, tout dès la seconde, et en proportion entre les deux."
    ))
}

fn show(marked: &Marked<'_>, is_over: bool) {
    let decimal = |number| Language::chosen().decimal(number, 2);
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY.row_separator(LineStyle::none()));
    table.set_header([
        word("Level", "Niveau"),
        word("Games", "Parties"),
        word("First places (95 %)", "Premières places (95 %)"),
        word("Marks", "Points"),
        word("Rule", "Règle"),
    ]);
    for level in &marked.levels {
        table.add_row([
            level.title.clone(),
            level.games.to_string(),
            level.share.map_or_else(|| "–".to_owned(), words::interval),
            format!("{} / {}", decimal(level.marks), decimal(level.best)),
            level.rule.clone(),
        ]);
    }
    for column in table.column_iter_mut().skip(1).take(3) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    cli::say!("{table}");
    cli::say!("{}", wrapped(&legend(), "", ""));
    if is_over {
        cli::say!("{}", wrapped(&sentence(marked), "", ""));
    }
}

/// The mark as a sentence.
pub(super) fn sentence(marked: &Marked<'_>) -> String {
    let Mark { value, low, high } = marked.mark;
    let [value, low, high, best] =
        [value, low, high, marked.best].map(|number| Language::chosen().decimal(number, 2));
    let sentence = match &marked.failure {
        Some(why) => said!("Mark: {value} of {best}. {why}", "Note : {value} sur {best}. {why}"),
        None => said!(
            "Mark: {value} of {best} (95 %: {low} to {high}).",
            "Note : {value} sur {best} (95 % : {low} à {high})."
        ),
    };
    Language::chosen().typeset(&sentence)
}

fn as_json(marked: &Marked<'_>, session: &Session, trials: &[Trial]) -> Value {
    let levels = marked.levels.iter().zip(trials).map(|(level, trial)| {
        let mut value = record::as_json(trial.record());
        value["opponents"] = json!(words::file_name(trial.opponents()));
        value["marks"] = json!(level.marks);
        value["best"] = json!(level.best);
        value
    });
    let Mark { value, low, high } = marked.mark;
    json!({
        "team": marked.team,
        "seed": session.setting.seed,
        "notes": session.notes(),
        "mark": value,
        "interval": [low, high],
        "best": marked.best,
        "failure": marked.failure,
        "levels": levels.collect::<Vec<_>>(),
    })
}
