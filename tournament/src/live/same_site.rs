//! Requests that come from other pages than ours.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::Shared;
use super::state::LiveState;

/// What browsers say about where a request comes from.
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Lets requests through that were meant for this page and come from it, or from no page at all.
pub(super) async fn check(State(shared): State<Shared>, request: Request, next: Next) -> Response {
    let refused = refusal(&shared.state.borrow(), request.method(), request.headers());
    match refused {
        Some((status, why)) => (status, why).into_response(),
        None => next.run(request).await,
    }
}

/// Why a request is not let through.
fn refusal(
    state: &LiveState,
    method: &Method,
    headers: &HeaderMap,
) -> Option<(StatusCode, &'static str)> {
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or_default());
    let host = text(header::HOST).unwrap_or_default();
    if !is_ours(host, &state.page_addresses) {
        let why = "this page is not served under that name: use the address that was announced";
        return Some((StatusCode::MISDIRECTED_REQUEST, why));
    }
    let foreign = Some((StatusCode::FORBIDDEN, "this comes from another page"));
    match text(header::ORIGIN) {
        Some(origin) => {
            let (_, authority) = origin.split_once("://").unwrap_or_default();
            if authority.eq_ignore_ascii_case(host) { None } else { foreign }
        }
        // To look at the page from a link on another one is fine; to act is not.
        None if *method == Method::GET || *method == Method::HEAD => None,
        None => match text(FETCH_SITE) {
            None | Some("same-origin" | "none") => None,
            Some(_) => foreign,
        },
    }
}

/// Whether a page under this name is ours: a name that somebody else owns may lead to this machine, and
/// then another page could read this one. An address in numbers is nobody else's.
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

/// A host without its port.
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
