//! Finding a server that announces itself on the network.

use std::collections::BTreeMap;
use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use language::{log, said};
use mdns_sd::{Receiver, ResolvedService, ServiceDaemon, ServiceEvent};
use protocol::{Name, service};
use tokio::time::{Instant, timeout_at};

/// Value of `--serveur` that asks for discovery.
pub const AUTO: &str = "auto";

/// Time for further servers to be found after the first one.
const OTHERS: Duration = Duration::from_secs(1);

/// Maximum number of servers that are listed.
const MOST: usize = 64;

/// A server that announces itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Announced {
    /// Its name.
    pub name: Name,
    /// Its game, if it announces it.
    pub game: Option<service::GameKind>,
    /// `true` if it is a tournament.
    pub is_hall: bool,
    /// Its address that is most likely to be reached.
    pub address: IpAddr,
    /// Its port.
    pub port: u16,
}

/// A failed search for a server.
#[derive(Debug, thiserror::Error)]
pub enum DiscoveryError {
    /// The network cannot be asked.
    #[error("{}", said!(
        "cannot look for servers on this network: {_0}",
        "impossible de chercher des serveurs sur ce réseau : {_0}"
    ))]
    Network(#[from] mdns_sd::Error),
    /// No server with that game announces itself.
    #[error("{}", said!(
            "no server announces itself on this network within {_0:?}: --host HOST says where it is",
            "aucun serveur ne s'annonce sur ce réseau en {_0:?} : --serveur HÔTE dit où il est"
        ))]
    Nobody(Duration),
    /// Several servers announce themselves.
    #[error("{}", said!(
        "several servers announce themselves, choose one:{}",
        "plusieurs serveurs s'annoncent, choisissez-en un :{}",
        list(_0)
    ))]
    Several(Vec<Announced>),
    /// The client has a secret, and the user has not named the server; anybody on a network can announce one.
    #[error("{}", said!(
            "a secret is not sent to a server just because it announces itself; if this one is yours, type{}",
            "un secret n'est pas envoyé à un serveur qui ne fait que s'annoncer ; si celui-ci est le vôtre, tapez{}",
            list(std::slice::from_ref(_0))
        ))]
    Unconfirmed(Announced),
}

impl fmt::Display for Announced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, address, port, .. } = self;
        let address = SocketAddr::new(*address, *port);
        f.write_str(&said!("--host {address} ({name})", "--serveur {address} ({name})"))
    }
}

/// Finds a server with [`find`], and returns its host and port.
///
/// # Errors
///
/// If there is no server, or a choice to make; always if the client has a secret: then the user has to name the server.
pub async fn locate(
    game: Option<service::GameKind>,
    patience: Duration,
    mdns_port: u16,
    has_secret: bool,
) -> Result<(String, u16), DiscoveryError> {
    log!(info, "looking for a server on this network", "recherche d'un serveur sur ce réseau");
    let found = find(game, patience, mdns_port).await?;
    if has_secret {
        return Err(DiscoveryError::Unconfirmed(found));
    }
    log!(
        info,
        "found {}, port {}: {}",
        "trouvé : {}, port {} : {}",
        found.address,
        found.port,
        found.name
    );
    Ok((found.address.to_string(), found.port))
}

/// Finds the only server that announces itself and plays that game, or any game: among several, the only
/// tournament. Looks for `patience`, and at least a second.
///
/// # Errors
///
/// If there is no server, or a choice to make.
pub async fn find(
    game: Option<service::GameKind>,
    patience: Duration,
    mdns_port: u16,
) -> Result<Announced, DiscoveryError> {
    let daemon = ServiceDaemon::new_with_port(mdns_port)?;
    let events = daemon.browse(service::TYPE)?;
    let found = listen(&events, game, patience.max(OTHERS)).await;
    // Without a receiver, the daemon does not wait when it shuts down; its end is not awaited.
    drop(events);
    let _ = daemon.shutdown();
    choose(found).map_err(|found| match found.as_slice() {
        [] => DiscoveryError::Nobody(patience),
        _ => DiscoveryError::Several(found),
    })
}

/// Returns the servers that announce themselves until the time is over.
async fn listen(
    events: &Receiver<ServiceEvent>,
    game: Option<service::GameKind>,
    patience: Duration,
) -> Vec<Announced> {
    let mut until = Instant::now() + patience;
    let mut found = BTreeMap::new();
    while let Ok(Ok(event)) = timeout_at(until, events.recv_async()).await {
        match event {
            ServiceEvent::ServiceResolved(service) => {
                let Some(announced) = Announced::read(&service) else { continue };
                let is_wanted =
                    game.is_none() || announced.game.is_none() || announced.game == game;
                if is_wanted && found.len() < MOST {
                    found.insert(service.fullname.clone(), announced);
                    until = until.min(Instant::now() + OTHERS);
                }
            }
            ServiceEvent::ServiceRemoved(_, name) => {
                found.remove(&name);
            }
            _ => {}
        }
    }
    found.into_values().collect()
}

/// The only server, or the only tournament; otherwise an error with all servers.
fn choose(mut found: Vec<Announced>) -> Result<Announced, Vec<Announced>> {
    let mut halls = found.iter().filter(|server| server.is_hall);
    match (halls.next(), halls.next()) {
        (Some(hall), None) => Ok(hall.clone()),
        _ if found.len() == 1 => Ok(found.remove(0)),
        _ => Err(found),
    }
}

fn list(found: &[Announced]) -> String {
    let lines: Vec<_> = found.iter().map(|server| format!("\n  {server}")).collect();
    lines.concat()
}

impl Announced {
    /// Reads the announcement of a server; `None` while it has no address that can be reached.
    fn read(service: &ResolvedService) -> Option<Self> {
        // An address of version 6 on one link only would need the link's name.
        let is_usable = |ip: &IpAddr| match ip {
            IpAddr::V4(_) => true,
            IpAddr::V6(ip) => !ip.is_unicast_link_local(),
        };
        let rank = |ip: &IpAddr| match ip {
            IpAddr::V4(v4) => (v4.is_link_local(), false, *ip),
            IpAddr::V6(_) => (false, true, *ip),
        };
        let addresses = service.get_addresses().iter().map(mdns_sd::ScopedIp::to_ip_addr);
        let instance = service.fullname.strip_suffix(service::TYPE).unwrap_or(&service.fullname);
        let game = service.get_property_val_str(service::GAME);
        Some(Self {
            // The name may come from anybody, and is shown in a terminal. DNS escapes its dots.
            name: Name::new(&instance.trim_end_matches('.').replace('\\', "")),
            game: game.and_then(service::GameKind::parse),
            is_hall: service.get_property(service::HALL).is_some(),
            address: addresses.filter(is_usable).min_by_key(rank)?,
            port: service.get_port(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(number: u8, is_hall: bool) -> Announced {
        Announced {
            name: Name::new(&format!("server {number}")),
            game: None,
            is_hall,
            address: [10, 0, 0, number].into(),
            port: 1111,
        }
    }

    #[test]
    fn only_server_or_only_tournament_is_chosen() {
        let (one, two, hall) = (server(1, false), server(2, false), server(3, true));
        let other_hall = server(4, true);
        for (found, expected) in [
            (vec![one.clone()], Some(&one)),
            (vec![hall.clone()], Some(&hall)),
            (vec![one.clone(), hall.clone(), two.clone()], Some(&hall)),
            (vec![], None),
            (vec![one.clone(), two.clone()], None),
            (vec![one.clone(), hall.clone(), other_hall.clone()], None),
        ] {
            let all = found.clone();
            assert_eq!(choose(found), expected.cloned().ok_or(all));
        }
    }

    #[test]
    fn several_servers_are_listed_as_flags() {
        let error = DiscoveryError::Several(vec![server(1, false), server(2, true)]);
        let expected = "several servers announce themselves, choose one:\
            \n  --host 10.0.0.1:1111 (server 1)\n  --host 10.0.0.2:1111 (server 2)";
        assert_eq!(error.to_string(), expected);
    }
}
