//! The actions by which an organiser controls a tournament.

use crate::matchup::Key;

/// An action of the organiser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrganiserAction {
    /// Begins the tournament with the teams present.
    Start,
    /// Stops new games from beginning.
    Pause,
    /// Lets games begin again.
    Resume,
    /// Ends the tournament after the running games.
    End,
    /// Features a game, for everybody to watch.
    Feature(Key),
}
