//! The source of a connection, the unit to which limits apply.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The unit of limits by address: an IPv4 address, an IPv6 network of 64 bits (one machine can use all its
/// addresses), or this machine under any loopback address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Source(IpAddr);

impl Source {
    /// Tests if the source is this machine, which is exempt from most limits.
    pub fn is_loopback(self) -> bool {
        self.0.is_loopback()
    }
}

impl From<IpAddr> for Source {
    fn from(address: IpAddr) -> Self {
        const NETWORK: u128 = u128::MAX << 64;
        match address.to_canonical() {
            own if own.is_loopback() => Self(Ipv4Addr::LOCALHOST.into()),
            IpAddr::V6(ip) => Self(Ipv6Addr::from_bits(ip.to_bits() & NETWORK).into()),
            IpAddr::V4(ip) => Self(ip.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_of_64_bits_and_this_machine_are_one_source_each() {
        let source = |address: &str| Source::from(address.parse::<IpAddr>().unwrap());
        assert_eq!(source("2001:db8::1"), source("2001:db8::ffff:0:0:2"));
        assert_ne!(source("2001:db8::1"), source("2001:db8:0:1::1"));
        assert_ne!(source("192.168.1.7"), source("192.168.1.8"));
        assert_eq!(source("::ffff:192.168.1.7"), source("192.168.1.7"));
        for own in ["127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1"] {
            assert_eq!(source(own), source("127.0.0.1"), "{own}");
            assert!(source(own).is_loopback(), "{own}");
        }
        assert!(!source("::2").is_loopback());
    }
}
