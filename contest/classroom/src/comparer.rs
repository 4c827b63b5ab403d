//! Comparisons of versions, played between checks.

use std::sync::Arc;
use std::time::Duration;

use course::{Comparison, CourseError};
use plan::Team;
use programs::cores::Cores;
use programs::journals::Journals;
use programs::runner::Runner;
use rating::paired::TestVerdict;
use serde_json::json;
use tokio_util::sync::CancellationToken;
use tournament::featured::FeaturedGame;
use tournament::trial::{TrialRun, TrialSetting, VersionTrial};
use tournament::venue::LocalVenue;

use crate::about::team;
use crate::room::Room;

/// Number of pairs of games after which a comparison ends without an answer.
const PAIRS: u32 = 40;
/// Number of pairs between two looks at the result, and at what waits for its check.
const BATCH: u32 = 4;
/// The share of duels that a better version wins, which a comparison must not miss.
const BOUND: f64 = 0.65;

/// A comparison that is under way.
pub(crate) struct Comparing {
    comparison: Comparison,
    trial: VersionTrial,
    run: TrialRun,
    pairs: u32,
    /// The folder of outputs, which nobody reads.
    _outputs: tempfile::TempDir,
}

impl Comparing {
    /// Begins the next comparison, if there is one.
    pub(crate) async fn next(
        room: &Arc<Room>,
        runner: &Arc<Runner>,
        stop: &CancellationToken,
    ) -> Result<Option<Self>, String> {
        let found: Result<Option<(Comparison, [Team; 2])>, CourseError> = room
            .read(|reader| {
                let Some(comparison) = reader.next_comparison()? else { return Ok(None) };
                let of = |id| {
                    let version = reader.version(id)?;
                    Ok::<_, CourseError>(team(format!("v{id}"), &version, reader.versions_folder()))
                };
                let teams = [of(comparison.newer)?, of(comparison.older)?];
                Ok(Some((comparison, teams)))
            })
            .await;
        let Some((comparison, teams)) = found.map_err(|error| error.to_string())? else {
            return Ok(None);
        };
        let settings = &room.settings;
        let outputs = tempfile::tempdir().map_err(|error| error.to_string())?;
        let setting = TrialSetting {
            maps: settings.maps.clone(),
            turns: settings.turns,
            deadline: settings.deadline,
            limits: settings.programs.clone(),
            seed: u64::from(comparison.id),
        };
        let house = settings.levels.last().map_or("glouton", String::as_str);
        let trial = VersionTrial::new(teams, house, settings.rules, &setting, BOUND)
            .map_err(|error| error.to_string())?;
        let parallel = settings.parallel.max(1);
        let run = TrialRun {
            venue: LocalVenue::new(
                Arc::clone(runner),
                Cores::new(2 * parallel),
                Journals::new(outputs.path().to_owned()),
                FeaturedGame::new(None),
                Duration::ZERO,
            ),
            parallel,
            until: None,
            stop: stop.clone(),
        };
        Ok(Some(Self { comparison, trial, run, pairs: 0, _outputs: outputs }))
    }

    /// Plays some games; true if the comparison is over, and its result kept.
    pub(crate) async fn go_on(&mut self, room: &Arc<Room>) -> Result<bool, String> {
        self.pairs += BATCH;
        let played = self.trial.play_pairs(BATCH, &self.run, |_| {}).await;
        let played = played.map_err(|error| error.to_string());
        // A comparison that this machine cannot play ends, so that the others get their turn.
        let is_last = self.pairs >= PAIRS || self.trial.record().is_hopeless() || played.is_err();
        let verdict = *played.as_ref().unwrap_or(&TestVerdict::Open);
        if self.run.stop.is_cancelled() || verdict == TestVerdict::Open && !is_last {
            return Ok(false);
        }
        let test = self.trial.test();
        let (low, high) = test.interval();
        let verdict = match verdict {
            TestVerdict::Better => "better",
            TestVerdict::NotBetter if test.is_worse() => "worse",
            TestVerdict::NotBetter => "not_better",
            TestVerdict::Open => "open",
        };
        let result = json!({
            "verdict": verdict, "pairs": test.pairs(), "won": test.mean(), "low": low, "high": high,
        });
        let id = self.comparison.id;
        let kept: Result<_, CourseError> =
            room.write(move |course| course.conclude(id, &result.to_string())).await;
        kept.map_err(|error| error.to_string())?;
        played.map(|_| true)
    }
}
