//! A new version of a bot against an old one.

use crate::config::Config;
use crate::setup;
use game::pacman::RulesPreset;
use plan::Team;
use rating::paired::TestVerdict;
use serde_json::json;
use tournament::trial::VersionTrial;

use super::super::check_list::wrapped;
use super::super::session::{Ended, Session};
use super::TrialArgs;
use super::record::{as_json, show};
use super::words::{self, Limits};

/// Default of the greatest number of games.
const GAMES: u32 = 1000;
/// Number of pairs of the first batch. Later batches grow: an eighth of all pairs so far.
const BATCH: u32 = 4;

/// Plays pairs of games until the test decides, or the time is over.
pub(super) fn run(
    args: &TrialArgs,
    session: &Session,
    versions: [&Team; 2],
    rules: RulesPreset,
    config: &Config,
) -> anyhow::Result<Ended> {
    let house = setup::house(config)?;
    let mut trial =
        VersionTrial::new(versions.map(Team::clone), &house, rules, &session.setting, args.seuil)?;
    let names = trial.names().map(str::to_owned);
    let most = args.parties.unwrap_or(GAMES).div_ceil(2);
    if !session.options.json {
        let limits = Limits { games: 2 * most, time: session.options.time };
        let heading = words::versions(&names, args.seuil, session.setting.seed, limits);
        cli::say!("{}", wrapped(&heading, "", ""));
    }
    let mut faults = session.fault_lines();
    let (mut pairs, mut failure) = (0, None);
    while pairs < most && !session.run.is_over() {
        let batch = BATCH.max(pairs / 8).min(most - pairs);
        pairs += batch;
        session.now_playing(words::playing_versions(pairs));
        let show = |outcome: &_| session.show_faults(&mut faults, outcome);
        match session.runtime.block_on(trial.play_pairs(batch, &session.run, show)) {
            Ok(verdict) => {
                if !session.options.json {
                    session.say(&wrapped(&words::standing(trial.test()), "", ""));
                }
                if verdict != TestVerdict::Open || trial.record().is_hopeless() {
                    break;
                }
            }
            Err(error) => {
                failure = Some(error);
                break;
            }
        }
    }
    session.bar.finish_and_clear();
    let replays = session.replays.save_extremes("versions", trial.record());
    let test = trial.test();
    if session.options.json {
        let (low, high) = test.interval();
        cli::say!(
            "{:#}",
            json!({
                "new": names[0],
                "old": names[1],
                "seed": session.setting.seed,
                "notes": session.notes(),
                "stopped": session.is_stopped(),
                "verdict": words::verdict_name(test.verdict()),
                "bound": test.bound(),
                "pairs": test.pairs(),
                "duels_won": [test.mean(), low, high],
                "evidence": test.evidence(),
                "record": as_json(trial.record()),
                "replays": replays,
            })
        );
    } else {
        for line in faults.counts() {
            cli::say!("{line}");
        }
        cli::say!("{}", wrapped(&words::conclusion(test, &names), "", ""));
        show(session, &[trial.record()], None, &replays);
    }
    Ok(session.ended(versions[0], trial.record().is_hopeless(), failure))
}
