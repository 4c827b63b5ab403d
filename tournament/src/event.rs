//! Events of a tournament.

use plan::{Fixture, Key, Outcome};
use server::Progress;
use server::hall::TeamPresence;
use tokio::sync::watch;

use crate::store::Delivery;
use crate::tournament::RoundToPlay;
use crate::venue::HostFault;

/// Something that happens while a tournament is played, for displays.
#[derive(Debug)]
pub enum TournamentEvent<'a> {
    /// A round starts or resumes.
    Round(&'a RoundToPlay),
    /// A game starts.
    Begun(&'a Fixture),
    /// A game is on its way, and tells how far it is.
    Running(Key, watch::Receiver<Progress>),
    /// A game has ended, and its result was delivered.
    Ended(&'a Outcome, Delivery),
    /// A host fault spoilt a game, which is played again.
    Again(&'a Fixture, &'a HostFault),
    /// Nothing has happened for a while.
    Idle,
    /// Teams have come or gone, or have started or finished a game.
    Teams(&'a [TeamPresence]),
    /// The organiser wants to start, but no team is there.
    Nobody,
    /// Teams of these names take part from now on.
    Joined(&'a [String]),
    /// The organiser has paused (`true`) or resumed the tournament.
    Paused(bool),
    /// The organiser ends the tournament after the games that are being played.
    Ending,
}
