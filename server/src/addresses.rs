//! The addresses of this machine for other machines.

use std::net::SocketAddr;

use language::log;

/// The addresses under which other machines reach a listener on `listening`: the address itself, or all addresses
/// of this machine if it is unspecified. Empty if the machine is on no network.
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
    // Link-local addresses count only on networks without DHCP, where there are no others.
    if outside.iter().any(|interface| !interface.is_link_local()) {
        outside.retain(|interface| !interface.is_link_local());
    }
    // A listener on all IPv6 addresses accepts IPv4 as well.
    outside
        .iter()
        .map(if_addrs::Interface::ip)
        .filter(|ip| ip.is_ipv4() || listening.is_ipv6())
        .map(|ip| SocketAddr::new(ip, listening.port()))
        .collect()
}
