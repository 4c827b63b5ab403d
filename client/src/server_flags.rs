//! The flags of all clients that say where the server is.

use std::time::Duration;

use cli::Endpoint;
use language::said;
use protocol::DEFAULT_PORT;
use protocol::service::{self, GameKind};

use crate::discovery;

#[derive(Debug, clap::Args)]
pub(crate) struct ServerFlags {
    #[arg(
        long,
        visible_alias = "host",
        value_name = "HOST[:PORT]|auto",
        default_value = "127.0.0.1",
        help = said!(
        "Where the server is; `auto` finds the one that announces itself on this network, with its port",
        "Où est le serveur ; `auto` trouve celui qui s'annonce sur ce réseau, avec son port"
    )
    )]
    serveur: Endpoint,

    #[arg(long, value_parser = clap::value_parser!(u16).range(1..), help = said!(
        "Port of the server [default: 1111]",
        "Port du serveur [défaut : 1111]"
    ))]
    port: Option<u16>,

    #[arg(long, visible_alias = "mdns-port", hide = true, default_value_t = service::MDNS_PORT, help = said!(
        "UDP port of multicast DNS, for machines where the usual one cannot be used",
        "Port UDP du DNS multicast, si le port habituel ne convient pas"
    ))]
    port_mdns: u16,

    #[arg(long, visible_alias = "patience", value_name = "DURATION", default_value = "10s",
          value_parser = cli::duration, help = said!(
        "How long to look for a server that is not there, or no longer, as 500ms or 10s",
        "Combien de temps chercher un serveur absent ou disparu, comme 500ms ou 10s"
    ))]
    pub(crate) insister: Duration,
}

impl ServerFlags {
    /// The host and the port, which are looked for if the user says so; see [`discovery::locate`].
    pub(crate) async fn locate(
        &self,
        game: Option<GameKind>,
        has_secret: bool,
    ) -> anyhow::Result<(String, u16)> {
        match self.serveur.host.as_str() {
            discovery::AUTO => {
                Ok(discovery::locate(game, self.insister, self.port_mdns, has_secret).await?)
            }
            _ => self.serveur.resolve(self.port, DEFAULT_PORT),
        }
    }
}
