//! The common part of `essayer` and `noter`: games of one bot whose results no file keeps.

mod replays;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use checkup::{Check, CheckReport};
use indicatif::{ProgressBar, ProgressStyle};
use language::{Language, word};
use plan::{NamedMap, Note, Outcome, Program, Team};
use programs::cores::Cores;
use programs::package::Packages;
use sandbox::Level;
use serde_json::Value;
use tempfile::TempDir;
use tokio::runtime::Runtime;
use tokio::time::Instant;
use tournament::dispatcher::RunError;
use tournament::featured::FeaturedGame;
use tournament::trial::{Trial, TrialRun, TrialSetting};
use tournament::venue::LocalVenue;

use super::check_list::CheckList;
use super::fault_lines::FaultLines;
use super::isolation;
use super::run::stop_on_interrupt;
use super::verify::{checkup_options, folder_of_copies};
use crate::config::Config;
use crate::setup::{self, SoloConditions};
use replays::Replays;

/// Number of games of a batch.
const BATCH: u32 = 4;

/// Isolation, parallelism and time limit of the games of a session.
#[derive(Clone, Copy, Debug)]
pub(super) struct SessionOptions {
    pub(super) level: Level,
    /// The number of games at a time; `None` for as many as leave each program a core.
    pub(super) parallel: Option<u16>,
    /// The time after which no game starts.
    pub(super) time: Option<Duration>,
    /// Prints nothing while games are played.
    pub(super) json: bool,
}

pub(super) enum Ended {
    Played,
    /// The bot was gone before the end of every game.
    CannotPlay,
    Stopped,
    Failed(anyhow::Error),
}

/// The result of a check that a program starts.
pub(super) enum Start {
    Fine,
    Failed(CheckReport),
    Interrupted,
}

impl Ended {
    /// The exit code; prints the error, if there is one.
    pub(super) fn code(self) -> ExitCode {
        match self {
            Self::Played => ExitCode::SUCCESS,
            Self::CannotPlay => ExitCode::FAILURE,
            Self::Stopped => ExitCode::from(cli::INTERRUPTED),
            Self::Failed(error) => {
                let _ = cli::fail(&error);
                ExitCode::FAILURE
            }
        }
    }
}

/// The means to play the games of a trial, and to show them.
pub(super) struct Session {
    pub(super) options: SessionOptions,
    /// Notes for readers of the results.
    notes: Vec<Note>,
    /// The folder of the copies of programs.
    copies: TempDir,
    pub(super) setting: TrialSetting,
    pub(super) run: TrialRun,
    pub(super) replays: Replays,
    pub(super) runtime: Runtime,
    pub(super) bar: ProgressBar,
}

impl Session {
    /// Copies the files of the teams' programs, and prepares their games.
    pub(super) fn begin(
        options: SessionOptions,
        config: &Config,
        teams: &mut [Team],
    ) -> anyhow::Result<Self> {
        let SessionOptions { level, parallel, time, json } = options;
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
        let runner = programs::isolation::runner(level, teams, private_folders(), None, packages)?;
        let replays = Replays::begin();
        let programs = programs::isolation::programs_per_game(teams);
        let parallel =
            parallel.map_or_else(|| programs::isolation::usual_parallel(programs), usize::from);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(parallel)
            .build()?;
        let journals = replays.journals();
        let cores = Cores::new(parallel * programs);
        let notes = programs::isolation::terms(&runner, level, teams, deadline, &cores);
        if !json {
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
        let bar =
            if json { ProgressBar::hidden() } else { ProgressBar::new_spinner().with_style(style) };
        let setting = TrialSetting { maps, turns, deadline, limits, seed };
        Ok(Self { options, notes, copies, setting, run, replays, runtime, bar })
    }

    /// Checks that a program starts and registers.
    pub(super) fn check_start(&self, team: &Team, config: &Config) -> anyhow::Result<Start> {
        if matches!(team.program, Program::House(_)) {
            return Ok(Start::Fine);
        }
        // Some bots ignore the given port and connect to the usual one.
        let trap = Some(protocol::DEFAULT_PORT);
        let packages = Packages::new(self.copies.path().to_owned());
        let one = std::slice::from_ref(team);
        let level = self.options.level;
        let runner = programs::isolation::runner(level, one, private_folders(), trap, packages)?;
        let options = checkup_options(setup::solo_conditions(config)?, vec![Check::Start], runner);
        let report = self.runtime.block_on(async {
            tokio::select! {
                report = checkup::run(team, &options, |_| {}) => Some(report),
                () = self.run.stop.cancelled() => None,
            }
        });
        let Some(report) = report.transpose()? else {
            return Ok(Start::Interrupted);
        };
        Ok(if report.is_ready() { Start::Fine } else { Start::Failed(report) })
    }

    /// Shows why a program does not start: as JSON, with what is known of it beside, or as a list.
    pub(super) fn show_failure(&self, team: &Team, report: &CheckReport, beside: Option<Value>) {
        if self.options.json {
            let report = report.to_json();
            let told = beside.map(|mut told| {
                told["check"] = report.clone();
                told
            });
            cli::say!("{:#}", told.unwrap_or(report));
            return;
        }
        let mut list = CheckList::begin(team);
        for made in &report.checks {
            list.tell(checkup::CheckEvent::Made(made));
        }
        drop(list);
        cli::say!("{}", cannot_play());
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
        cli::say!("{}", cannot_play());
    }

    /// Shows the first fault of each kind.
    pub(super) fn show_faults(&self, faults: &mut FaultLines, outcome: &Outcome) {
        let lines = faults.after(outcome);
        if !self.options.json {
            for line in lines {
                self.say(&line);
            }
        }
    }

    pub(super) fn notes(&self) -> Vec<&str> {
        self.notes.iter().map(|note| note.say(Language::chosen())).collect()
    }

    pub(super) fn fault_lines(&self) -> FaultLines {
        FaultLines::new(Some(self.replays.journals()))
    }

    pub(super) fn say(&self, line: &str) {
        self.bar.suspend(|| cli::say!("{line}"));
    }

    /// The end of the games, whose `failure` has stopped them, if any. Shows the last output of a hopeless bot.
    pub(super) fn ended(&self, team: &Team, is_hopeless: bool, failure: Option<RunError>) -> Ended {
        if is_hopeless && !self.options.json {
            self.show_last_lines(team);
        }
        match failure {
            _ if is_hopeless => Ended::CannotPlay,
            Some(error) => Ended::Failed(error.into()),
            None if self.is_stopped() => Ended::Stopped,
            None => Ended::Played,
        }
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.run.stop.is_cancelled()
    }

    /// Plays batches of games of each trial in turn, up to `most` each, as long as there is time, and the bot plays or
    /// has had fewer than `least` of each. Returns
    /// whether it was gone in every game, and what stopped the games.
    pub(super) fn play_all(
        &self,
        trials: &mut [Trial],
        (least, most): (u32, u32),
        faults: &mut FaultLines,
        playing: impl Fn(&Trial, u32) -> String,
    ) -> (bool, Option<RunError>) {
        let (mut failure, mut is_hopeless, mut played) = (None, false, 0);
        'games: while played < most && !is_hopeless {
            // The first batch is one game, so that slow programs meet all opponents.
            let games = if played == 0 { 1 } else { BATCH.min(most - played) };
            played += games;
            for trial in &mut *trials {
                if self.run.is_over() {
                    break 'games;
                }
                self.now_playing(playing(trial, played));
                let show = |outcome: &_| self.show_faults(faults, outcome);
                let played = self.runtime.block_on(trial.play(games, &self.run, show));
                if let Err(error) = played {
                    failure = Some(error);
                    break 'games;
                }
            }
            // More games would only show the same.
            is_hopeless =
                played >= least && trials.iter().all(|trial| trial.record().is_hopeless());
        }
        self.bar.finish_and_clear();
        (is_hopeless, failure)
    }

    /// Shows a line with a spinner on a terminal while games are played.
    pub(super) fn now_playing(&self, message: String) {
        self.bar.set_message(message);
        self.bar.enable_steady_tick(Duration::from_millis(200));
    }
}

/// The user's state, which programs must not see.
fn private_folders() -> Vec<PathBuf> {
    // Without a home folder there is no state.
    cli::state_folder().into_iter().collect()
}

fn cannot_play() -> &'static str {
    word(
        "The bot cannot play a game yet. Fix that and try again; `tournoi check` with the same command says more.",
        "Le bot ne peut pas encore jouer une partie. Corrigez cela, puis réessayez\u{a0}; `tournoi verifier` avec la même commande en dit plus.",
    )
}
