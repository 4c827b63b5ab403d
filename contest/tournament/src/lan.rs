//! A tournament over a LAN: teams connect once, and play one game after the other.
//!
//! All teams wait in a [`arena::hall`]. The plan and the results determine the games, as on one machine; the presence of
//! teams only determines when they are played.

use plan::OrganiserAction;
use tokio::time::sleep;

use crate::dispatcher::{Dispatcher, IDLE, RunEnd, RunError};
use crate::event::TournamentEvent;
use crate::tournament::{NextStep, Tournament};
use crate::venue::{HallVenue, Venue};

/// Waits until `enough` teams are connected or the organiser starts, then plays all missing games.
///
/// # Errors
///
/// When a result cannot be recorded, or the hall is closed. Recorded results are kept.
pub async fn run<T: FnMut(&Tournament, TournamentEvent<'_>)>(
    mut dispatcher: Dispatcher<'_, HallVenue, T>,
    enough: Option<usize>,
) -> Result<RunEnd, RunError> {
    if !await_teams(&mut dispatcher, enough).await? {
        return Ok(RunEnd::Stopped);
    }
    dispatcher.run_rounds(next_round).await
}

/// Waits for the start of the tournament with at least one team; returns `false` if the tournament ends before.
async fn await_teams<T: FnMut(&Tournament, TournamentEvent<'_>)>(
    dispatcher: &mut Dispatcher<'_, HallVenue, T>,
    enough: Option<usize>,
) -> Result<bool, RunError> {
    let mut is_attended = true;
    loop {
        dispatcher.see_teams()?;
        if enough.is_some_and(|enough| dispatcher.venue.attendance.present() >= enough) {
            return Ok(true);
        }
        tokio::select! {
            () = dispatcher.options.stop.cancelled() => return Ok(false),
            changed = dispatcher.venue.changed() => changed.map_err(RunError::Host)?,
            action = dispatcher.actions.recv(), if is_attended => match action {
                Some(OrganiserAction::Start | OrganiserAction::Resume) => {
                    // Teams that connect at the same moment count.
                    dispatcher.see_teams()?;
                    if dispatcher.venue.attendance.present() > 0 {
                        return Ok(true);
                    }
                    dispatcher.tell(TournamentEvent::Nobody);
                }
                Some(OrganiserAction::End) => return Ok(false),
                Some(OrganiserAction::Pause | OrganiserAction::Feature(_)) => {}
                None if enough.is_none() => return Err(RunError::Unattended),
                None => is_attended = false,
            },
            () = sleep(IDLE) => dispatcher.tell(TournamentEvent::Idle),
        }
    }
}

/// Returns the next round. Teams that have connected since the last round take part from now on; but a round that was
/// started in an earlier run is completed first, without them.
fn next_round<T: FnMut(&Tournament, TournamentEvent<'_>)>(
    dispatcher: &mut Dispatcher<'_, HallVenue, T>,
) -> Result<NextStep, RunError> {
    let until = dispatcher.options.until;
    let next = dispatcher.tournament.next(until);
    if matches!(&next, NextStep::Round(round) if round.missing.len() < round.games) {
        return Ok(next);
    }
    dispatcher.see_teams()?;
    let plan = dispatcher.tournament.plan();
    let (mut teams, mut schedule, maps) =
        (plan.teams.clone(), plan.schedule.clone(), plan.maps.len());
    let joined = dispatcher.venue.attendance.newcomers(&mut teams);
    if joined.is_empty() {
        return Ok(next);
    }
    if schedule.rounds == 0 {
        schedule.rounds = schedule.format.usual_rounds(teams.len(), maps);
    }
    schedule.check(&teams, maps)?;
    dispatcher.tournament.change(|plan| (plan.teams, plan.schedule) = (teams, schedule))?;
    dispatcher.tell(TournamentEvent::Joined(&joined));
    Ok(dispatcher.tournament.next(until))
}
