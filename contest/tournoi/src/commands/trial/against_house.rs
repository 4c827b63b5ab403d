//! A bot against the bots of the house.

use std::path::{Path, PathBuf};

use game::pacman::RulesPreset;
use plan::Team;
use rating::Share;
use serde_json::{Value, json};
use tournament::trial::{Opponents, ThinkingSummary, Trial, TrialRecord};

use super::super::check_list::wrapped;
use super::words::{self, Limits, Line};
use super::{Ended, Session, TrialArgs};

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
    let language = session.language;
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
        cli::say!("{}", words::heading(&team.name, turns, seed, limits, language));
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
            session.now_playing(words::playing(trial.opponents(), played, language));
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
    let replays: Vec<_> = trials.iter().flat_map(|trial| save(session, trial)).collect();
    if session.json {
        cli::say!("{:#}", as_json(session, team, &trials, &replays));
    } else {
        for line in faults.counts() {
            cli::say!("{line}");
        }
        show(session, &trials, &replays);
    }
    if is_hopeless {
        if !session.json {
            session.show_last_lines(team);
        }
        return Ok(Ended::CannotPlay);
    }
    Ok(match failure {
        Some(error) => Ended::Failed(error.into()),
        None if session.is_stopped() => Ended::Stopped,
        None => Ended::Played,
    })
}

/// Writes the best and the worst game of a trial, and returns their paths.
fn save(session: &Session, trial: &Trial) -> Vec<PathBuf> {
    let against = words::file_name(trial.opponents());
    let name = |kind: &str| format!("{against}_{}_{kind}", trial.rules().name());
    let kinds = ["meilleure", "pire"].into_iter();
    let saved = kinds.zip(trial.record().extremes());
    saved.filter_map(|(kind, game)| session.replays.save(&name(kind), game)).collect()
}

fn show(session: &Session, trials: &[Trial], replays: &[PathBuf]) {
    let language = session.language;
    let mut before = None;
    for group in trials.chunk_by(|a, b| a.rules() == b.rules()) {
        let rules = group[0].rules();
        if before.replace(rules).is_some() || rules != RulesPreset::Sujet {
            cli::say!("{}", words::rules(rules, language));
        }
        let lines: Vec<_> = group
            .iter()
            .map(|trial| Line {
                opponents: trial.opponents(),
                games: trial.record().games(),
                firsts: trial.record().firsts(),
                points: trial.record().mean_points(),
                faults: trial.record().faults().values().sum(),
                malformed: trial.record().malformed(),
            })
            .collect();
        cli::say!("{}", words::table(&lines, language));
    }
    cli::say!("{}", wrapped(&words::legend(language), "", ""));
    show_thinking(session, trials.iter().map(Trial::record));
    let is_hopeless = trials.iter().all(|trial| trial.record().is_hopeless());
    let is_complete = trials.iter().all(|trial| trial.record().games() > 0);
    if !is_complete && !is_hopeless && !session.is_stopped() {
        cli::say!("{}", wrapped(words::some_without_games(language), "", ""));
    }
    let records = || trials.iter().map(Trial::record);
    show_hint(session, records());
    show_replays(session.replays.folder(), replays.last(), session);
}

/// Shows the thinking times of a bot, and its numbers of missed states and malformed orders.
pub(super) fn show_thinking<'a>(
    session: &Session,
    records: impl Iterator<Item = &'a TrialRecord> + Clone,
) {
    let language = session.language;
    if let Some(thinking) = TrialRecord::thinking(records.clone()) {
        let line = words::thinking(thinking, session.setting.deadline, language);
        cli::say!("{}", wrapped(&line, "", ""));
    }
    let missed = records.clone().map(TrialRecord::missed).sum();
    let malformed = records.map(TrialRecord::malformed).sum();
    if let Some(line) = words::bad_answers(missed, malformed, language) {
        cli::say!("{line}");
    }
}

/// Shows the way to know more about faults and malformed orders, if there are any.
pub(super) fn show_hint<'a>(
    session: &Session,
    mut records: impl Iterator<Item = &'a TrialRecord> + Clone,
) {
    let has_faults = records.clone().any(|record| !record.faults().is_empty());
    let has_malformed = records.clone().any(TrialRecord::has_many_malformed);
    let is_hopeless = records.all(TrialRecord::is_hopeless);
    if !is_hopeless && (has_faults || has_malformed) {
        cli::say!("{}", wrapped(words::verify_hint(has_faults, session.language), "", ""));
    }
}

/// Prints the folder of the replays, and the command that shows one.
pub(super) fn show_replays(folder: &Path, example: Option<&PathBuf>, session: &Session) {
    if let Some(example) = example {
        cli::say!("{}", words::replays(folder, example, session.language));
    }
}

fn as_json(session: &Session, team: &Team, trials: &[Trial], replays: &[PathBuf]) -> Value {
    let trials: Vec<_> = trials
        .iter()
        .map(|trial| {
            let mut value = record_as_json(trial.record());
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

/// The results of a bot for scripts; times in seconds.
pub(super) fn record_as_json(record: &TrialRecord) -> Value {
    let firsts = record.firsts().map(|Share { value, low, high }| json!([value, low, high]));
    let thinking = TrialRecord::thinking([record].into_iter());
    let thinking = thinking.map(|ThinkingSummary { mean, p99, longest }| {
        json!({
            "mean": mean.as_secs_f64(), "p99": p99.as_secs_f64(), "longest": longest.as_secs_f64(),
        })
    });
    json!({
        "games": record.games(),
        "firsts": firsts,
        "mean_points": record.mean_points(),
        "faults": record.faults(),
        "missed": record.missed(),
        "malformed": record.malformed(),
        "thinking": thinking,
    })
}
