//! The results of a tournament, for reports.

use plan::record::{GameRecord, Records};
use rating::Standings;
use report::{Collector, Data, Results};
use tournament::store::{Store, StoreError};
use tournament::tournament::{SAMPLES, Scope, Tournament};

/// The data of the page after the games that count, with these standings.
///
/// # Errors
///
/// When the results cannot be read.
pub fn data(tournament: &Tournament, standings: &Standings) -> Result<Data, StoreError> {
    let voids = tournament.store().voids()?;
    let mut collector = Collector::new(tournament.plan(), &voids);
    tournament.each_outcome(|outcome| collector.add(outcome))?;
    Ok(collector.data(standings, tournament.scope().borrow().lots().clone()))
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
    scope.each_outcome(store, |outcome| {
        records.add(&GameRecord::from(&outcome));
        collector.add(outcome);
    })?;
    let standings = Standings::of(records, SAMPLES);
    let data = collector.data(&standings, scope.lots().clone());
    Ok(Results { data, standings, voids })
}
