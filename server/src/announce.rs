//! A server announces itself on the network, so that clients find it.

use std::fmt;
use std::net::SocketAddr;
use std::time::Duration;

use language::log;
use mdns_sd::{Error, IfKind, ServiceDaemon, ServiceInfo};
use protocol::{Name, service};
use tracing::debug;

/// For the network to be told that the server is gone.
const GOODBYE: Duration = Duration::from_millis(500);

/// The most bytes of a name, which leaves room for a number.
const LABEL: usize = 58;

/// What a server says of itself.
#[derive(Clone, Debug)]
pub struct Service {
    /// What it is called; one that is taken gets a number.
    pub name: Name,
    /// What it plays.
    pub game: service::GameKind,
    /// Whether it is a tournament, which clients prefer to other servers.
    pub is_hall: bool,
    /// Where it listens.
    pub address: SocketAddr,
    /// The UDP port of multicast DNS, [`service::MDNS_PORT`] unless that is taken.
    pub mdns_port: u16,
}

/// A server that is announced until this is dropped. That takes a moment, for the network is told.
#[must_use = "it is announced until this is dropped"]
pub struct Announcement(ServiceDaemon);

impl fmt::Debug for Announcement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Announcement")
    }
}

impl Service {
    /// Announces it, as far as there is a network: that there is none is no failure. To be called where
    /// there is somebody to find it: one that listens on a loopback address is announced on this machine.
    ///
    /// A failure is logged, and nobody finds the server.
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
        // Machines are told apart by their names, and this one's may be anybody's as well.
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
            cut(self.name.as_str()),
            &host,
            addresses.as_str(),
            self.address.port(),
            properties.as_slice(),
        )?;
        let mut info = if ip.is_unspecified() { info.enable_addr_auto() } else { info };
        if ip.is_ipv4() {
            // Nobody listens on the other addresses of this machine.
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

/// As much of a name as has room in the announcement.
fn cut(name: &str) -> &str {
    let fits = |at: &usize| name.is_char_boundary(*at);
    &name[..(0..=LABEL.min(name.len())).rev().find(fits).unwrap_or(0)]
}

impl Drop for Announcement {
    fn drop(&mut self) {
        let ended = self.0.shutdown().map(|ended| ended.recv_timeout(GOODBYE));
        debug!("announced no more: {ended:?}");
    }
}
