//! The events of a tournament while it is played.

use arena::Progress;
use arena::hall::{RefusedPlayer, TeamPresence};
use plan::{Fixture, Key, Outcome};
use tokio::sync::watch;

use crate::store::Delivery;
use crate::tournament::RoundToPlay;
use crate::venue::HostFault;

/// An event while a tournament is played, for displays.
#[derive(Debug)]
pub enum TournamentEvent<'a> {
    /// A round starts or resumes.
    Round(&'a RoundToPlay),
    /// A game starts.
    Begun(&'a Fixture),
    /// A game runs, and reports its progress.
    Running(Key, watch::Receiver<Progress>),
    /// A game has ended, and its result was delivered.
    Ended(&'a Outcome, Delivery),
    /// A host fault spoilt a game, which is played again.
    Again(&'a Fixture, &'a HostFault),
    /// No other event has happened for a while.
    Idle,
    /// Teams have connected or disconnected, or have started or finished a game.
    Teams(&'a [TeamPresence]),
    /// Players were refused, or have come in since: those who are still refused, newest last.
    Refused(&'a [RefusedPlayer]),
    /// The organiser wants to start, but no team is there.
    Nobody,
    /// Teams with these names take part from now on.
    Joined(&'a [String]),
    /// The organiser has paused (`true`) or resumed the tournament.
    Paused(bool),
    /// The organiser ends the tournament after the running games.
    Ending,
}
