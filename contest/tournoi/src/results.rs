//! The results of a tournament, for reports.

use plan::record::{GameRecord, Records, Roster};
use rating::{Standings, history};
use report::{Collector, Data, Results};
use tournament::store::{GameOrder, Store, StoreError};
use tournament::tournament::{SAMPLES, Scope, Tournament};

/// The number of bootstrap samples of each rating by round: few, as there are up to 19 rounds.
const ROUND_SAMPLES: usize = 50;

/// The data of the page after the games that count, with these standings.
///
/// # Errors
///
/// When the results cannot be read.
pub fn data(tournament: &Tournament, standings: &Standings) -> Result<Data, StoreError> {
    let voids = tournament.store().voids()?;
    let roster = Roster::new(&tournament.plan().teams);
    let games = tournament
        .games()
        .filter_map(|(_, game)| Some((game.round, game.matchup, roster.ranking(game)?)));
    // Its memory is free again before the outcomes are read.
    let history = history(tournament.plan().teams.len(), &games, ROUND_SAMPLES);
    let mut collector = Collector::new(tournament.plan(), &voids);
    tournament.each_outcome(GameOrder::Rounds, |outcome| collector.add(outcome))?;
    Ok(collector.data(standings, &history, tournament.scope().borrow().lots().clone()))
}

/// The results in a store, read in one pass.
///
/// # Errors
///
/// When the results cannot be read.
pub fn results(scope: &Scope, store: &Store) -> Result<Results, StoreError> {
    let voids = store.voids()?;
    let mut records = Records::new(&scope.plan().teams);
    let mut collector = Collector::new(scope.plan(), &voids);
    let mut rounds = Vec::new();
    scope.each_outcome(store, GameOrder::Rounds, |outcome| {
        records.add(&GameRecord::from(&outcome));
        rounds.resize(records.games.len(), outcome.round);
        collector.add(outcome);
    })?;
    let games = rounds
        .iter()
        .zip(&records.games)
        .map(|(round, (matchup, ranking))| (*round, *matchup, *ranking));
    let history = history(scope.plan().teams.len(), &games, ROUND_SAMPLES);
    let standings = Standings::of(records, SAMPLES);
    let data = collector.data(&standings, &history, scope.lots().clone());
    Ok(Results { data, standings, voids })
}
