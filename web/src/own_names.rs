//! The host names of a page.
//!
//! A name of another owner may resolve to this machine (DNS rebinding), and then a page of that owner could read this
//! one. A numeric address has no other owner.

use axum::http::uri::Authority;
use axum::http::{HeaderMap, Uri, header};

/// The host and port that a request is for: those of an absolute target, otherwise those of its `Host` header. `None`
/// if there is none or more than one such header.
pub(crate) fn authority<'a>(target: &'a Uri, headers: &'a HeaderMap) -> Option<&'a str> {
    let mut hosts = headers.get_all(header::HOST).iter();
    let host = hosts.next().and_then(|host| host.to_str().ok());
    if hosts.next().is_some() {
        return None;
    }
    target.authority().map(Authority::as_str).or(host)
}

/// Tests if an authority belongs to this machine and nobody else: its host is a numeric address, `localhost`, or a name
/// that was announced.
pub(crate) fn is_own(authority: &str, is_announced: impl Fn(&str) -> bool) -> bool {
    let Ok(authority) = authority.parse::<Authority>() else { return false };
    let host = authority.host();
    let address = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    let is_address = address.parse::<std::net::IpAddr>().is_ok();
    is_address || host.eq_ignore_ascii_case("localhost") || is_announced(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_others_are_not_own() {
        let is_own = |authority: &str| is_own(authority, |name| name == "salle.local");
        for own in [
            "192.168.1.5:8080",
            "10.0.0.1",
            "[::1]:8080",
            "[fe80::1]",
            "localhost:8080",
            "LOCALHOST",
            "salle.local:8080",
        ] {
            assert!(is_own(own), "{own}");
        }
        for foreign in [
            "",
            ":8080",
            "evil.example:8080",
            "192.168.1.5.evil.example",
            "[evil.example]",
            "local",
            "salle.local.",
            "http",
            "x y",
        ] {
            assert!(!is_own(foreign), "{foreign}");
        }
    }

    #[test]
    fn an_absolute_target_goes_before_the_header() {
        let found = |target: &str, hosts: &[&str]| {
            let host = |host: &&str| (header::HOST, host.parse().unwrap());
            let (target, headers) = (target.parse().unwrap(), hosts.iter().map(host).collect());
            authority(&target, &headers).map(str::to_owned)
        };
        assert_eq!(found("/", &["salle:80"]).as_deref(), Some("salle:80"));
        assert_eq!(found("http://evil:1/", &["salle"]).as_deref(), Some("evil:1"));
        assert_eq!(found("http://salle/", &[]).as_deref(), Some("salle"));
        assert_eq!(found("/", &[]), None);
        assert_eq!(found("http://salle/", &["salle", "evil"]), None);
    }
}
