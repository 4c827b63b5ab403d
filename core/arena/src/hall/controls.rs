//! The organiser's interface to a hall.

use language::said;
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
    /// The host that accepts connections.
    pub host: Host,
    pub(super) orders: mpsc::Sender<Order>,
    pub(super) teams: watch::Receiver<Vec<TeamPresence>>,
    pub(super) refused: watch::Receiver<Vec<RefusedPlayer>>,
}

/// An order of the organiser to the hall.
#[derive(Debug)]
pub(crate) enum Order {
    Play(Box<GameRequest>, oneshot::Sender<Result<Playing, PlayError>>),
    Feature(Option<TableId>),
    /// Show spectators a state while no game is played.
    Preview(Preview),
    /// Set the maximum number of teams.
    Limit(usize),
    /// Send `quit` to all teams; spectators stay.
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
    /// The table of the game.
    pub table: TableId,
    /// The progress of the game.
    pub progress: watch::Receiver<Progress>,
    /// Stops the game when it is cancelled.
    pub stop: CancellationToken,
    pub(super) ended: oneshot::Receiver<Played>,
}

impl Controls {
    /// The teams in order of registration or of the list, with their presence. The receiver is told of every change.
    pub fn teams(&self) -> watch::Receiver<Vec<TeamPresence>> {
        self.teams.clone()
    }

    /// The players that were refused last and have not come in since, newest last; at most 12. The receiver is told of
    /// every change.
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
        self.order(Order::Feature(table)).await;
    }

    /// Sends an order, which a closed hall ignores.
    pub(crate) async fn order(&self, order: Order) {
        let _ = self.orders.send(order).await;
    }

    /// Stops all games, sends `quit` to all peers, and returns when they are gone, or after a few seconds.
    pub async fn close(&self) {
        self.order(Order::Close).await;
        self.orders.closed().await;
    }
}

impl Playing {
    /// Waits for the end of the game, when its teams are free again and its observers were told everything.
    ///
    /// # Errors
    ///
    /// When the hall's task is dropped before the end, or the game's task panics.
    pub async fn ended(self) -> Result<Played, HallClosed> {
        self.ended.await.map_err(|_| HallClosed)
    }
}
