//! A bot against the bots of the house.

use std::path::PathBuf;

use game::pacman::RulesPreset;
use plan::Team;
use serde_json::{Value, json};
use tournament::trial::{Opponents, Trial};

use super::super::check_list::wrapped;
use super::words::{self, Limits};
use super::{Ended, Session, TrialArgs, record};

/// Default of the greatest number of games against each opponent.
const GAMES: u32 = 240;
/// Number of games of a batch.
const BATCH: u32 = 4;

/// Plays batches of games against each opponent in turn, as long as there is time, and shows the results.
pub(super) fn run(
    args: &TrialArgs,
    session: &Session,
    team: &Team,
    rules: &[RulesPreset],
) -> anyhow::Result<Ended> {
    let mut trials = Vec::new();
    for &rules in rules {
        for opponents in Opponents::all() {
            trials.push(Trial::new(team, opponents, rules, &session.setting)?);
        }
    }
    let most = args.parties.unwrap_or(GAMES);
    if !session.json {
        let (seed, turns) = (session.setting.seed, session.setting.turns);
        let limits = Limits { games: most, time: session.time };
        cli::say!("{}", words::heading(&team.name, turns, seed, limits));
    }
    let mut faults = session.fault_lines();
    let (mut failure, mut is_hopeless, mut played) = (None, false, 0);
    'games: while played < most && !is_hopeless {
        // The first batch is one game, so that slow programs meet all opponents.
        let games = if played == 0 { 1 } else { BATCH.min(most - played) };
        played += games;
        for trial in &mut trials {
            if session.run.is_over() {
                break 'games;
            }
            session.now_playing(words::playing(trial.opponents(), played));
            let show = |outcome: &_| session.show_faults(&mut faults, outcome);
            let played = session.runtime.block_on(trial.play(games, &session.run, show));
            if let Err(error) = played {
                failure = Some(error);
                break 'games;
            }
        }
        // More games would only show the same.
        is_hopeless = trials.iter().all(|trial| trial.record().is_hopeless());
    }
    session.bar.finish_and_clear();
    let save = |trial: &Trial| {
        let name = format!("{}_{}", words::file_name(trial.opponents()), trial.rules().name());
        session.replays.save_extremes(&name, trial.record())
    };
    let replays: Vec<_> = trials.iter().flat_map(save).collect();
    if session.json {
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
    cli::say!("{}", wrapped(&words::legend(), "", ""));
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
