//! A bot against the bots of the house.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use game::pacman::RulesPreset;
use plan::Team;
use serde_json::{Value, json};
use tournament::trial::{Opponents, Trial};

use super::super::check_list::wrapped;
use super::super::session::{Ended, Session};
use super::words::{self, Limits};
use super::{TrialArgs, record};

/// Default of the greatest number of games against each opponent.
const GAMES: u32 = 240;

/// Reads the name of opponents.
pub(super) fn opponents() -> impl TypedValueParser<Value = Opponents> {
    PossibleValuesParser::new(Opponents::all().into_iter().map(words::file_name)).map(|name| {
        let named = Opponents::all().into_iter().find(|&one| words::file_name(one) == name);
        named.expect("one of the possible values")
    })
}

/// Plays batches of games against each opponent in turn, as long as there is time, and shows the results.
pub(super) fn run(
    args: &TrialArgs,
    session: &Session,
    team: &Team,
    rules: &[RulesPreset],
) -> anyhow::Result<Ended> {
    let mut trials = Vec::new();
    for &rules in rules {
        let is_wanted =
            |one: &Opponents| args.adversaire.is_empty() || args.adversaire.contains(one);
        for opponents in Opponents::all().into_iter().filter(is_wanted) {
            trials.push(Trial::new(team, opponents, rules, &session.setting)?);
        }
    }
    let most = args.parties.unwrap_or(GAMES);
    if !session.options.json {
        let (seed, turns) = (session.setting.seed, session.setting.turns);
        let limits = Limits { games: most, time: session.options.time };
        cli::say!("{}", words::heading(&team.name, turns, seed, limits));
    }
    let mut faults = session.fault_lines();
    for trial in &trials {
        faults.spare_house(trial.teams());
    }
    let playing = |trial: &Trial, game| words::playing(trial.opponents(), game);
    let (is_hopeless, failure) = session.play_all(&mut trials, (1, most), &mut faults, playing);
    let save = |trial: &Trial| {
        let name = format!("{}_{}", words::file_name(trial.opponents()), trial.rules().name());
        session.replays.save_extremes(&name, trial.record())
    };
    let replays: Vec<_> = trials.iter().flat_map(save).collect();
    if session.options.json {
        cli::say!("{:#}", as_json(session, team, &trials, &replays));
    } else {
        for line in faults.counts() {
            cli::say!("{line}");
        }
        show(session, &trials, is_hopeless, &replays);
    }
    Ok(session.ended(team, is_hopeless, failure))
}

fn show(session: &Session, trials: &[Trial], is_hopeless: bool, replays: &[PathBuf]) {
    let mut before = None;
    for group in trials.chunk_by(|a, b| a.rules() == b.rules()) {
        let rules = group[0].rules();
        if before.replace(rules).is_some() || rules != RulesPreset::Sujet {
            cli::say!("{}", words::rules(rules));
        }
        cli::say!("{}", words::table(group));
    }
    let has_mixed = trials.iter().any(|trial| trial.opponents() == Opponents::Mixed);
    cli::say!("{}", wrapped(&words::legend(has_mixed), "", ""));
    let records: Vec<_> = trials.iter().map(Trial::record).collect();
    let is_short = records.iter().any(|record| record.games == 0);
    let remark =
        (is_short && !is_hopeless && !session.is_stopped()).then(words::some_without_games);
    record::show(session, &records, remark, replays);
}

fn as_json(session: &Session, team: &Team, trials: &[Trial], replays: &[PathBuf]) -> Value {
    let trials: Vec<_> = trials
        .iter()
        .map(|trial| {
            let mut value = record::as_json(trial.record());
            value["opponents"] = json!(words::file_name(trial.opponents()));
            value["rules"] = json!(trial.rules().name());
            value
        })
        .collect();
    json!({
        "team": team.name,
        "seed": session.setting.seed,
        "notes": session.notes(),
        "stopped": session.is_stopped(),
        "trials": trials,
        "replays": replays,
    })
}
