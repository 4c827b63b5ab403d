//! The organiser's interface to a hall.

use language::said;
use tokio::net::TcpListener;
use tokio::sync::{mpsc, oneshot, watch};
use tokio_util::sync::CancellationToken;

use super::refusals::RefusedPlayer;
use super::table::{GameRequest, Played, TableId};
use super::teams::{TeamId, TeamPresence};
use crate::host::Host;
use crate::results::Progress;

/// Controls of a hall; clones control the same hall. The hall closes when all are dropped.
#[derive(Clone, Debug)]
pub struct Controls {
    pub(super) host: Host,
    pub(super) orders: mpsc::Sender<Order>,
    pub(super) teams: watch::Receiver<Vec<TeamPresence>>,
    pub(super) refused: watch::Receiver<Vec<RefusedPlayer>>,
}

/// An order of the organiser to the hall.
#[derive(Debug)]
pub(super) enum Order {
    Play(Box<GameRequest>, oneshot::Sender<Result<Playing, PlayError>>),
    Feature(Option<TableId>),
    Preview(Preview),
    Limit(usize),
    Dismiss,
    Close,
}

/// The maze and state that spectators see while no game is played.
#[derive(Clone, Debug)]
pub(crate) struct Preview {
    pub(crate) maze: Option<Vec<u8>>,
    pub(crate) state: Vec<u8>,
}

/// The reason why a game is not played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// The table has no seat, or more seats than colours.
    #[error("{}", said!(
        "a table has 1 to 26 seats, not {_0}",
        "une table a de 1 à 26 places, et non {_0}"
    ))]
    Seats(usize),
    /// The team is unknown, or was removed.
    #[error("{}", said!("there is no {_0}", "{_0} n'est pas là"))]
    UnknownTeam(TeamId),
    /// The team plays at another table, or has another seat at this one.
    #[error("{}", said!("{_0} has another seat", "{_0} a une autre place"))]
    Busy(TeamId),
    /// The hall is closed or closing.
    #[error(transparent)]
    Closed(#[from] HallClosed),
}

/// The hall is closed or closing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", said!("the hall is closed", "la salle est fermée"))]
pub struct HallClosed;

/// Handle of a game that is played at a table. Dropping it does not stop the game.
#[derive(Debug)]
pub struct Playing {
    pub(super) table: TableId,
    pub(super) progress: watch::Receiver<Progress>,
    pub(super) stop: CancellationToken,
    pub(super) ended: oneshot::Receiver<Played>,
}

impl Controls {
    /// The host that accepts connections.
    #[must_use]
    pub fn host(&self) -> &Host {
        &self.host
    }

    /// Serves all connections to a TCP port until the hall closes.
    pub async fn listen(&self, listener: TcpListener) {
        self.host.listen(listener).await;
    }

    /// The teams in order of registration or of the list, with their presence. The receiver is told of every change.
    #[must_use]
    pub fn teams(&self) -> watch::Receiver<Vec<TeamPresence>> {
        self.teams.clone()
    }

    /// The players that were refused last and have not come in since, newest last; at most 12. The receiver is told of
    /// every change.
    #[must_use]
    pub fn refused(&self) -> watch::Receiver<Vec<RefusedPlayer>> {
        self.refused.clone()
    }

    /// Starts a game at once; many can run at a time. Absent teams delay no turn, and may still come.
    ///
    /// # Errors
    ///
    /// When a team is unknown or plays at another table, or the hall is closed; then no game starts.
    pub async fn play(&self, table: GameRequest) -> Result<Playing, PlayError> {
        let (answer, answered) = oneshot::channel();
        self.orders.send(Order::Play(Box::new(table), answer)).await.map_err(|_| HallClosed)?;
        answered.await.map_err(|_| HallClosed)?
    }

    /// Shows spectators the game at this table until it ends; `None` lets the hall choose.
    pub async fn feature(&self, table: Option<TableId>) {
        // A closed hall shows nothing.
        let _ = self.orders.send(Order::Feature(table)).await;
    }

    /// Shows spectators a state while no game is played.
    pub(crate) async fn preview(&self, preview: Preview) {
        let _ = self.orders.send(Order::Preview(preview)).await;
    }

    /// Sets the maximum number of teams.
    pub(crate) async fn limit(&self, teams: usize) {
        let _ = self.orders.send(Order::Limit(teams)).await;
    }

    /// Sends `quit` to all teams; spectators stay.
    pub(crate) async fn dismiss(&self) {
        let _ = self.orders.send(Order::Dismiss).await;
    }

    /// Stops all games, sends `quit` to all peers, and returns when they are gone, or after a few seconds.
    pub async fn close(&self) {
        // The hall may be closed already.
        let _ = self.orders.send(Order::Close).await;
        self.orders.closed().await;
    }

    /// Ends all connections at once, and drops unsent messages.
    pub fn abort(&self) {
        self.host.abort();
    }
}

impl Playing {
    /// The table of the game.
    #[must_use]
    pub fn table(&self) -> TableId {
        self.table
    }

    /// The progress of the game.
    #[must_use]
    pub fn progress(&self) -> watch::Receiver<Progress> {
        self.progress.clone()
    }

    /// A token that stops the game when it is cancelled.
    #[must_use]
    pub fn stop(&self) -> CancellationToken {
        self.stop.clone()
    }

    /// Waits for the end of the game, when its teams are free again and its observers were told everything.
    ///
    /// # Errors
    ///
    /// When the hall's task is dropped before the end, or the game's task panics.
    pub async fn ended(self) -> Result<Played, HallClosed> {
        self.ended.await.map_err(|_| HallClosed)
    }
}
