//! Detection of cross-site requests.

use axum::http::{HeaderMap, HeaderName, Method, header};

/// Tests if a request comes from a page of another site, as far as browsers tell. Followed links do not count;
/// pictures, scripts, frames, forms and sockets do.
pub(super) fn is_foreign(method: &Method, headers: &HeaderMap) -> bool {
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or_default());
    let fetch = |what: &str| headers.get(what).map(|value| value.to_str().unwrap_or_default());
    if let Some(origin) = text(header::ORIGIN) {
        let (_, authority) = origin.split_once("://").unwrap_or_default();
        let host = text(header::HOST).unwrap_or_default();
        if !authority.eq_ignore_ascii_case(host) {
            return true;
        }
    }
    let is_link = matches!(*method, Method::GET | Method::HEAD)
        && fetch("sec-fetch-mode") == Some("navigate")
        && fetch("sec-fetch-dest") == Some("document");
    !matches!(fetch("sec-fetch-site"), None | Some("same-origin" | "none")) && !is_link
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_links_lead_here_from_other_sites() {
        let is_foreign = |method, lines: &[(&str, &str)]| {
            let line = |(name, value): &(&str, &str)| {
                (name.parse::<HeaderName>().unwrap(), value.parse().unwrap())
            };
            is_foreign(&method, &lines.iter().map(line).collect())
        };
        let (host, site) = (("host", "salle:8080"), "sec-fetch-site");
        let link = [("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "document")];
        for ours in [
            &[host][..],
            &[host, ("origin", "http://salle:8080")],
            &[host, ("origin", "https://SALLE:8080")],
            &[host, (site, "same-origin")],
            &[host, (site, "none")],
            &[host, (site, "cross-site"), link[0], link[1]],
        ] {
            assert!(!is_foreign(Method::GET, ours), "{ours:?}");
        }
        for foreign in [
            &[host, ("origin", "null")][..],
            &[host, ("origin", "http://salle:1")],
            &[host, ("origin", "http://evil.example"), (site, "none")],
            &[host, (site, "cross-site")],
            &[
                host,
                (site, "same-site"),
                ("sec-fetch-mode", "no-cors"),
                ("sec-fetch-dest", "image"),
            ],
            &[host, (site, "cross-site"), link[0], ("sec-fetch-dest", "iframe")],
            &[("origin", "http://salle:8080")],
        ] {
            assert!(is_foreign(Method::GET, foreign), "{foreign:?}");
        }
        assert!(is_foreign(Method::POST, &[host, (site, "cross-site"), link[0], link[1]]));
    }
}
