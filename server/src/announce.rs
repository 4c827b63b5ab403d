//! Announcement of a server on the network, so that clients find it.

use std::fmt;
use std::net::SocketAddr;
use std::time::Duration;

use language::log;
use mdns_sd::{Error, IfKind, ServiceDaemon, ServiceInfo};
use protocol::{Name, service};
use tracing::debug;

/// Longest wait for the goodbye of an announcement to be sent.
const GOODBYE: Duration = Duration::from_millis(500);

/// Maximum number of bytes of an announced name; DNS allows 63, the rest is for a number.
const LABEL: usize = 58;

/// The announcement of a server.
#[derive(Clone, Debug)]
pub struct Service {
    /// The name of the server; multicast DNS adds a number if it is taken.
    pub name: Name,
    /// The game that the server plays.
    pub game: service::GameKind,
    /// True if the server is a tournament, which clients prefer.
    pub is_hall: bool,
    /// The address on which the server listens.
    pub address: SocketAddr,
    /// The UDP port of multicast DNS: [`service::MDNS_PORT`] unless it is taken.
    pub mdns_port: u16,
}

/// A running announcement, which ends when it is dropped. The drop takes up to 500 ms to tell the network.
#[must_use = "it is announced until this is dropped"]
pub struct Announcement(ServiceDaemon);

impl fmt::Debug for Announcement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Announcement")
    }
}

impl Service {
    /// Announces the server on all networks; having none is no failure. A server on a loopback address is announced
    /// on this machine only.
    ///
    /// Logs a failure and returns `None`.
    pub fn announce(&self) -> Option<Announcement> {
        match self.try_announce() {
            Ok(announcement) => {
                log!(
                    info,
                    "announced on the network as {}",
                    "annoncé sur le réseau comme {}",
                    self.name
                );
                Some(announcement)
            }
            Err(failure) => {
                log!(
                    warn,
                    "the server is not announced on the network: {failure}",
                    "le serveur n'est pas annoncé sur le réseau : {failure}"
                );
                None
            }
        }
    }

    fn try_announce(&self) -> Result<Announcement, Error> {
        let ip = self.address.ip();
        // A random host name, because this machine's own need not be unique.
        let number = getrandom::u64().map_err(|failure| Error::Msg(failure.to_string()))?;
        let host = format!("pacman-iuto-{number:016x}.local.");
        let game = self.game.to_string();
        let mut properties = vec![(service::GAME, game.as_str())];
        if self.is_hall {
            properties.push((service::HALL, "1"));
        }
        let addresses = if ip.is_unspecified() { String::new() } else { ip.to_string() };
        let info = ServiceInfo::new(
            service::TYPE,
            protocol::cut(self.name.as_str(), LABEL),
            &host,
            addresses.as_str(),
            self.address.port(),
            properties.as_slice(),
        )?;
        let mut info = if ip.is_unspecified() { info.enable_addr_auto() } else { info };
        if ip.is_ipv4() {
            // The server does not listen on IPv6.
            info.set_interfaces(vec![IfKind::IPv4]);
        }
        let announcement = Announcement(ServiceDaemon::new_with_port(self.mdns_port)?);
        if ip.is_loopback() {
            announcement.0.disable_interface(IfKind::All)?;
            announcement.0.enable_interface(vec![IfKind::LoopbackV4, IfKind::LoopbackV6])?;
        }
        announcement.0.register(info)?;
        Ok(announcement)
    }
}

impl Drop for Announcement {
    fn drop(&mut self) {
        let ended = self.0.shutdown().map(|ended| ended.recv_timeout(GOODBYE));
        debug!("announced no more: {ended:?}");
    }
}
