//! The packages that a worker needs.

use std::collections::BTreeMap;

use async_nats::Request;
use language::said;
use plan::Job;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use super::PATIENCE;
use super::places::{PAUSE, WorkerPlaces};
use crate::files::{self, TransferError};
use crate::wire::{self, GivenBack, Spoilt, Welcome};

impl WorkerPlaces {
    /// Fetches the packages of these games that this machine lacks. Waits for the duration of a lease for the coordinator
    /// to restore packages that the broker has lost.
    pub(super) async fn fetch_packages(
        &self,
        jobs: &[Job],
        stop: &CancellationToken,
    ) -> Result<(), GivenBack> {
        let Some(first) = jobs.first() else { return Ok(()) };
        let give_up = Instant::now() + self.assignment.lease;
        for hash in first.seats.iter().filter_map(|seat| seat.package.as_deref()) {
            let mut sizes = self.packages_known.lock().await;
            let size = match sizes.get(hash) {
                Some(size) => *size,
                None => self.ask_size(hash, &mut sizes).await?,
            };
            loop {
                let (packages, own) = (self.packages.clone(), hash.to_owned());
                let is_here = tokio::task::spawn_blocking(move || packages.has(&own)).await;
                if is_here.unwrap_or(false) {
                    break;
                }
                let fetched = tokio::select! {
                    fetched = files::fetch_package(&self.connection, hash, size, &self.packages) => fetched,
                    () = stop.cancelled() => return Err(GivenBack::Stopped),
                };
                match fetched {
                    Ok(()) => self.refusals.end(),
                    Err(TransferError::Package(error)) => {
                        let (game, fault) = (first.key, format!("{error:#}"));
                        return Err(GivenBack::Fault(vec![Spoilt { game, fault, outcome: None }]));
                    }
                    Err(TransferError::Replaced(error)) => {
                        return Err(GivenBack::NoPackage(format!("{error:#}")));
                    }
                    Err(TransferError::Broker(error)) => {
                        self.refusals.count(&self.connection, &error);
                        if Instant::now() > give_up {
                            return Err(GivenBack::NoPackage(format!("{error:#}")));
                        }
                        sleep(PAUSE).await;
                    }
                }
            }
        }
        Ok(())
    }

    /// Asks the coordinator for the packages of its tournament, to which it may have added some. Returns the size of the
    /// archive of the package of this hash, in bytes.
    async fn ask_size(
        &self,
        hash: &str,
        sizes: &mut BTreeMap<String, u64>,
    ) -> Result<u64, GivenBack> {
        let request = Request::new().payload(self.hello.clone()).timeout(Some(PATIENCE));
        let answer = self.connection.client().send_request(wire::HELLO, request).await;
        let answer = answer.map_err(|error| GivenBack::NoPackage(error.to_string()))?;
        if let Ok(Welcome::Admitted(assignment)) = wire::decode(&answer.payload)
            && assignment.tournament == self.assignment.tournament
        {
            *sizes = assignment.packages;
        }
        sizes.get(hash).copied().ok_or_else(|| {
            GivenBack::Foreign(said!(
                "the package {hash} is of no team of the tournament",
                "le paquet {hash} n'est celui d'aucune équipe du tournoi"
            ))
        })
    }
}
