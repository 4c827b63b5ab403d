//! The results of a bot, on the terminal and for scripts.

use std::path::PathBuf;

use rating::Share;
use serde_json::{Value, json};
use tournament::trial::{ThinkingSummary, TrialRecord};

use super::super::check_list::wrapped;
use super::super::session::Session;
use super::words;

/// Shows the thinking times of a bot, its numbers of missed states and malformed orders, a remark, the way to know more about
/// faults, and the folder of the replays with the command that shows one.
pub(in super::super) fn show(
    session: &Session,
    records: &[&TrialRecord],
    remark: Option<&str>,
    replays: &[PathBuf],
) {
    let say = |line: &str| cli::say!("{}", wrapped(line, "", ""));
    if let Some(thinking) = TrialRecord::thinking(records.iter().copied()) {
        say(&words::thinking(thinking, session.setting.deadline));
    }
    let missed = records.iter().map(|record| record.missed).sum();
    let malformed = records.iter().map(|record| record.malformed).sum();
    if let Some(line) = words::bad_answers(missed, malformed) {
        cli::say!("{line}");
    }
    remark.map(say);
    let has_faults = records.iter().any(|record| !record.faults.is_empty());
    let has_malformed = records.iter().any(|record| record.has_many_malformed());
    if (has_faults || has_malformed) && !records.iter().all(|record| record.is_hopeless()) {
        say(words::verify_hint(has_faults));
    }
    if let Some(example) = replays.last() {
        cli::say!("{}", words::replays(session.replays.folder(), example));
    }
}

/// The results for scripts; times in seconds.
pub(in super::super) fn as_json(record: &TrialRecord) -> Value {
    let firsts = record.firsts().map(|Share { value, low, high }| json!([value, low, high]));
    let thinking = TrialRecord::thinking([record].into_iter());
    let thinking = thinking.map(|ThinkingSummary { mean, p99, longest }| {
        json!({
            "mean": mean.as_secs_f64(), "p99": p99.as_secs_f64(), "longest": longest.as_secs_f64(),
        })
    });
    json!({
        "games": record.games,
        "firsts": firsts,
        "mean_points": record.mean_points(),
        "faults": record.faults,
        "missed": record.missed,
        "malformed": record.malformed,
        "thinking": thinking,
    })
}
