//! `tournoi verifier`.

use std::process::ExitCode;

use anyhow::Context;
use checkup::{Check, CheckReport, Options};
use cli::{Language, RulesPreset};
use plan::NamedMap;
use programs::orphans;
use serde_json::json;
use tokio::runtime;
use tournament::setup::{self, Circumstances};

use super::bot_args::BotArgs;
use super::check_list::{CheckList, as_json};
use super::plan_args::set;

/// Flags of `tournoi verifier`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit codes: 0 when the bot is ready, perhaps with warnings, 1 when something has to be fixed, 2 when \
    the command or a file is wrong, 130 on Ctrl-C."
)]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    bot: BotArgs,

    /// Rules of the games [default: sujet]
    #[arg(long, visible_alias = "rules", value_name = "RULES", value_enum)]
    regles: Option<RulesPreset>,

    /// Check to make; may be given several times [default: all]
    #[arg(long, visible_alias = "check", value_name = "CHECK", value_enum)]
    controle: Vec<Check>,

    /// Language of the report; that of the environment when missing
    #[arg(long, visible_alias = "language", value_enum)]
    langue: Option<Language>,

    /// Print the findings as JSON, once all checks are made
    #[arg(long)]
    json: bool,
}

/// Checks bots and says what to fix.
pub(crate) fn run(args: &VerifyArgs) -> anyhow::Result<ExitCode> {
    let language = Language::or_environment(args.langue);
    let mut config = args.bot.config()?;
    set(&mut config.rules, args.regles.map(|rules| rules.name().to_owned()).as_ref());
    let teams = args.bot.teams(&config, language)?;
    let checks = match args.controle.is_empty() {
        true => Check::ALL.to_vec(),
        false => args.controle.clone(),
    };
    let options = checkup_options(setup::circumstances(&config)?, checks)?;
    let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
    let mut reports = Vec::with_capacity(teams.len());
    for team in &teams {
        let mut list = (!args.json).then(|| CheckList::begin(team, language));
        let checked: Option<CheckReport> = runtime.block_on(async {
            let checking = checkup::run(team, &options, |news| {
                if let Some(list) = &mut list {
                    list.tell(news);
                }
            });
            tokio::select! {
                report = checking => Some(report),
                () = cli::interrupted() => None,
            }
        });
        orphans::kill(&options.mark);
        let Some(report) = checked else {
            drop(list);
            return Ok(ExitCode::from(cli::INTERRUPTED));
        };
        if let Some(list) = list {
            list.end(&report);
        }
        reports.push(report);
    }
    if args.json {
        let reports: Vec<_> = reports.iter().map(|report| as_json(report, language)).collect();
        say!("{:#}", json!({ "teams": reports }));
    }
    Ok(match reports.iter().all(CheckReport::is_ready) {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

/// How bots are checked that play in these circumstances.
pub(crate) fn checkup_options(
    circumstances: Circumstances,
    checks: Vec<Check>,
) -> anyhow::Result<Options> {
    let mut maps = circumstances.maps.into_iter();
    let map = match maps.next() {
        Some(NamedMap { map, .. }) => map,
        None => checkup::usual_map()?,
    };
    Ok(Options {
        rules: circumstances.rules,
        turns: circumstances.turns,
        deadline: circumstances.deadline,
        limits: circumstances.limits,
        map,
        other_maps: maps.collect(),
        checks,
        usual_port: protocol::DEFAULT_PORT,
        mark: draw_mark()?,
    })
}

/// A mark for the processes of a run.
pub(crate) fn draw_mark() -> anyhow::Result<String> {
    let draw = || getrandom::u64().context("cannot draw a number");
    Ok(format!("{:016x}{:016x}", draw()?, draw()?))
}
