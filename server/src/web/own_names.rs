//! The host names of the page.

use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use language::said;

use super::Shared;

/// Passes on requests for a host name of this page, and refuses all others.
pub(super) async fn check(State(shared): State<Shared>, request: Request, next: Next) -> Response {
    let host = request.headers().get(header::HOST);
    let host = host.and_then(|host| host.to_str().ok()).unwrap_or_default();
    if !is_ours(host, &shared.state.borrow().page_addresses) {
        let why = said!(
            "this page is not served under that name: use the address that was announced",
            "cette page n'est pas servie sous ce nom : ouvrez l'adresse annoncée"
        );
        return (StatusCode::MISDIRECTED_REQUEST, why).into_response();
    }
    next.run(request).await
}

/// Tests if `host` is a host name of this page. A name of another owner may resolve to this machine (DNS rebinding),
/// and then a page of that owner could read this one. A numeric address has no other owner.
fn is_ours(host: &str, addresses: &[String]) -> bool {
    let name = name_of(host);
    let is_address = name.trim_matches(['[', ']']).parse::<std::net::IpAddr>().is_ok();
    let announced = || {
        let known = |address: &String| {
            let (_, rest) = address.split_once("://").unwrap_or(("", address));
            name_of(rest.split('/').next().unwrap_or(rest)).eq_ignore_ascii_case(name)
        };
        addresses.iter().any(known)
    };
    is_address || name.eq_ignore_ascii_case("localhost") || (!name.is_empty() && announced())
}

/// Returns a host without its port.
fn name_of(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_others_are_not_ours() {
        let addresses = ["http://192.168.1.5:8080/", "http://salle.local:8080/"].map(String::from);
        for ours in [
            "192.168.1.5:8080",
            "10.0.0.1",
            "[::1]:8080",
            "[fe80::1]",
            "localhost:8080",
            "LOCALHOST",
            "salle.local:8080",
            "Salle.Local",
        ] {
            assert!(is_ours(ours, &addresses), "{ours}");
        }
        for foreign in [
            "",
            ":8080",
            "evil.example:8080",
            "192.168.1.5.evil.example",
            "local",
            "salle.local.",
            "http",
        ] {
            assert!(!is_ours(foreign, &addresses), "{foreign}");
        }
    }
}
