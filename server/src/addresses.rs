//! Where others find this machine.

use std::net::SocketAddr;

use language::log;

/// The addresses under which other machines find somebody who listens here: the address itself, or those
/// of this machine when it is that of all. None when the machine is on no network.
#[must_use]
pub fn addresses(listening: SocketAddr) -> Vec<SocketAddr> {
    if !listening.ip().is_unspecified() {
        return vec![listening];
    }
    let interfaces = if_addrs::get_if_addrs().unwrap_or_else(|failure| {
        log!(
            error,
            "cannot list the addresses of this machine: {failure}",
            "les adresses de cette machine sont introuvables : {failure}"
        );
        Vec::new()
    });
    let mut outside: Vec<_> = interfaces.into_iter().filter(|i| !i.is_loopback()).collect();
    // Where nobody gives addresses out, machines choose such ones themselves.
    if outside.iter().any(|interface| !interface.is_link_local()) {
        outside.retain(|interface| !interface.is_link_local());
    }
    // Listening on all addresses of version 6 lets version 4 in as well.
    outside
        .iter()
        .map(if_addrs::Interface::ip)
        .filter(|ip| ip.is_ipv4() || listening.is_ipv6())
        .map(|ip| SocketAddr::new(ip, listening.port()))
        .collect()
}
