//! Other machines that play games of the ladder.

use std::pin::Pin;

use cluster::state::ClusterState;
use plan::{Job, Key, Outcome};
use tournament::venue::{HostFault, Ticket};

/// The future of a game: its outcome, and what each program has written, by colour.
pub type Playing = Pin<Box<dyn Future<Output = Result<(Outcome, Vec<Vec<u8>>), HostFault>> + Send>>;

/// Machines that play games of the ladder besides this one. They keep a result until it is recorded.
pub trait Machines: Send {
    /// Plays a game.
    fn play(&self, job: Job, ticket: Ticket) -> Playing;

    /// Takes note that the result of a game is on the disk.
    fn recorded(&mut self, game: Key);

    /// Takes a game back: its future ends soon.
    fn cancel(&self, game: Key);

    /// The present state of the machines.
    fn state(&self) -> ClusterState;
}
