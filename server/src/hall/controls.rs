//! What an organiser sees of a hall, and says.

use language::said;
use tokio::net::TcpListener;
use tokio::sync::{mpsc, oneshot, watch};
use tokio_util::sync::CancellationToken;

use super::table::{GameRequest, Played, TableId};
use super::teams::{TeamId, TeamPresence};
use crate::host::Host;
use crate::results::Progress;

/// Controls a hall; clones control the same one. When all are gone, it closes.
#[derive(Clone, Debug)]
pub struct Controls {
    host: Host,
    orders: mpsc::Sender<Order>,
    teams: watch::Receiver<Vec<TeamPresence>>,
}

/// What a hall can be told.
#[derive(Debug)]
pub(super) enum Order {
    Play(Box<GameRequest>, oneshot::Sender<Result<Playing, PlayError>>),
    Feature(Option<TableId>),
    Preview(Preview),
    Limit(usize),
    Dismiss,
    Close,
}

/// What spectators see while no game is played.
#[derive(Clone, Debug)]
pub(crate) struct Preview {
    pub(crate) maze: Option<Vec<u8>>,
    pub(crate) state: Vec<u8>,
}

/// Why a game is not played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// There is nobody to play it, or there are more than colours.
    #[error("{}", said!(
        "a table has 1 to 26 seats, not {_0}",
        "une table a de 1 à 26 places, et non {_0}"
    ))]
    Seats(usize),
    /// A team is not known, or not any more.
    #[error("{}", said!("there is no {_0}", "{_0} n'est pas là"))]
    UnknownTeam(TeamId),
    /// A team plays elsewhere, or has another seat at the same table.
    #[error("{}", said!("{_0} has another seat", "{_0} a une autre place"))]
    Busy(TeamId),
    /// The hall is closed, or about to be.
    #[error(transparent)]
    Closed(#[from] HallClosed),
}

/// The hall is closed, or about to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", said!("the hall is closed", "la salle est fermée"))]
pub struct HallClosed;

/// A game that is played at a table. It goes on when this is dropped.
#[derive(Debug)]
pub struct Playing {
    table: TableId,
    progress: watch::Receiver<Progress>,
    stop: CancellationToken,
    ended: oneshot::Receiver<Played>,
}

impl Controls {
    pub(super) fn new(
        host: Host,
        orders: mpsc::Sender<Order>,
        teams: watch::Receiver<Vec<TeamPresence>>,
    ) -> Self {
        Self { host, orders, teams }
    }

    /// Where connections come in.
    #[must_use]
    pub fn host(&self) -> &Host {
        &self.host
    }

    /// Serves everybody who connects to a TCP port, until the hall closes.
    pub async fn listen(&self, listener: TcpListener) {
        self.host.listen(listener).await;
    }

    /// All teams in order of registration, or as they are listed, and which of them are there; whoever
    /// has once been there keeps its place. Changes when anything of it does.
    #[must_use]
    pub fn teams(&self) -> watch::Receiver<Vec<TeamPresence>> {
        self.teams.clone()
    }

    /// Has a game played; many can be played at a time. It starts at once, also without those who are
    /// not there: no turn waits for them, and they may still come.
    ///
    /// # Errors
    ///
    /// When a team is not known or plays elsewhere, or when the hall is closed; then nothing is played.
    pub async fn play(&self, table: GameRequest) -> Result<Playing, PlayError> {
        let (answer, answered) = oneshot::channel();
        self.orders.send(Order::Play(Box::new(table), answer)).await.map_err(|_| HallClosed)?;
        answered.await.map_err(|_| HallClosed)?
    }

    /// Shows spectators the game at this table for as long as it is played; or any game, with `None`.
    pub async fn feature(&self, table: Option<TableId>) {
        // A hall that is closed shows nothing.
        let _ = self.orders.send(Order::Feature(table)).await;
    }

    /// Shows spectators a state while no game is played.
    pub(crate) async fn preview(&self, preview: Preview) {
        let _ = self.orders.send(Order::Preview(preview)).await;
    }

    /// From now on there may be this many teams.
    pub(crate) async fn limit(&self, teams: usize) {
        let _ = self.orders.send(Order::Limit(teams)).await;
    }

    /// Says goodbye to all teams; spectators stay.
    pub(crate) async fn dismiss(&self) {
        let _ = self.orders.send(Order::Dismiss).await;
    }

    /// Ends the games that are played, says goodbye to everybody, and returns when all are gone, or a
    /// few seconds later.
    pub async fn close(&self) {
        // It may be closed already.
        let _ = self.orders.send(Order::Close).await;
        self.orders.closed().await;
    }

    /// Ends all connections at once, whatever is still to be said.
    pub fn abort(&self) {
        self.host.abort();
    }
}

impl Playing {
    pub(super) fn new(
        table: TableId,
        progress: watch::Receiver<Progress>,
        stop: CancellationToken,
        ended: oneshot::Receiver<Played>,
    ) -> Self {
        Self { table, progress, stop, ended }
    }

    /// Where it is played.
    #[must_use]
    pub fn table(&self) -> TableId {
        self.table
    }

    /// How far it is.
    #[must_use]
    pub fn progress(&self) -> watch::Receiver<Progress> {
        self.progress.clone()
    }

    /// Ends it as it is when that is cancelled.
    #[must_use]
    pub fn stop(&self) -> CancellationToken {
        self.stop.clone()
    }

    /// Waits until it has ended: its teams are free again, and its observers have been told all.
    ///
    /// # Errors
    ///
    /// When the hall's task was dropped before that, or the game broke off.
    pub async fn ended(self) -> Result<Played, HallClosed> {
        self.ended.await.map_err(|_| HallClosed)
    }
}
