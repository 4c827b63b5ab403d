//! The address of the broker.

use std::path::PathBuf;
use std::time::Duration;

use language::said;
use nats::connection::{BrokerAddress, BrokerConnection, BrokerUrl};

/// Flags of the connection to a broker.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct BrokerArgs {
    #[arg(long, value_name = "FILE", env = "TOURNOI_NATS_CREDS", hide_env_values = true, help = said!(
        "Credentials for the NATS broker",
        "Identifiants pour le serveur de messages NATS"
    ))]
    nats_creds: Option<PathBuf>,

    #[arg(long, value_name = "FILE", env = "TOURNOI_NATS_CA", help = said!(
        "Certificates of authorities that the NATS broker's may come from, besides those of the system",
        "Certificats d'autorités qui peuvent garantir celui du serveur NATS, en plus de celles du système"
    ))]
    nats_ca: Option<PathBuf>,

    #[arg(long, visible_alias = "patience", value_name = "DURATION", default_value = "10s", value_parser = cli::duration,
          help = said!(
        "How long to look for a NATS broker that is not there",
        "Combien de temps chercher un serveur de messages NATS absent"
    ))]
    insister: Duration,
}

/// Flags of the broker for those that have games played on other machines.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct CoordinatorArgs {
    #[command(flatten)]
    broker: BrokerArgs,

    #[arg(long, value_name = "DURATION", default_value = "15s", value_parser = cli::positive_duration, help = said!(
        "With --nats: a machine that has been silent for that long loses its games to others",
        "Avec --nats : une machine muette depuis ce temps perd ses parties au profit d'autres"
    ))]
    bail: Duration,
}

impl CoordinatorArgs {
    /// The duration of a lease.
    pub(crate) fn lease(&self) -> Duration {
        self.bail
    }

    /// Connects to the broker.
    pub(crate) async fn connect(&self, url: &BrokerUrl) -> anyhow::Result<BrokerConnection> {
        BrokerConnection::connect(&self.broker.address(url), "coordinator").await
    }
}

impl BrokerArgs {
    pub(crate) fn address(&self, url: &BrokerUrl) -> BrokerAddress {
        BrokerAddress {
            url: url.clone(),
            credentials: self.nats_creds.clone(),
            authorities: self.nats_ca.clone(),
            patience: self.insister,
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use crate::commands::run::RunArgs;
    use crate::commands::worker::WorkerArgs;

    #[derive(Debug, Parser)]
    struct Run {
        #[command(flatten)]
        _run: RunArgs,
    }

    #[derive(Debug, Parser)]
    struct Worker {
        #[command(flatten)]
        _worker: WorkerArgs,
    }

    #[test]
    fn flags_are_logged_without_the_password_of_the_broker() {
        let url = "nats://ada:s3cret@host:4222";
        let run = format!("{:?}", Run::parse_from(["jouer", "--nats", url]));
        let worker = format!("{:?}", Worker::parse_from(["ouvrier", url]));
        for shown in [run, worker] {
            assert!(shown.contains("host:4222") && !shown.contains("s3cret"), "{shown}");
        }
    }
}
