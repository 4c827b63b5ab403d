//! Detection of cross-site requests.

use axum::http::{HeaderMap, HeaderName, Method, header};

/// Tests if a request for the page at `authority` comes from a page of another site, as far as browsers tell. Followed
/// links do not count, nor frames if the page `may_be_framed`; pictures, scripts, forms and sockets do.
pub(crate) fn is_foreign(
    method: &Method,
    authority: &str,
    headers: &HeaderMap,
    may_be_framed: bool,
) -> bool {
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or_default());
    let fetch = |what: &str| headers.get(what).map(|value| value.to_str().unwrap_or_default());
    if let Some(origin) = text(header::ORIGIN) {
        let (_, own) = origin.split_once("://").unwrap_or_default();
        if !own.eq_ignore_ascii_case(authority) {
            return true;
        }
    }
    let is_link = matches!(*method, Method::GET | Method::HEAD)
        && fetch("sec-fetch-mode") == Some("navigate")
        && match fetch("sec-fetch-dest") {
            Some("document") => true,
            Some("iframe") => may_be_framed,
            _ => false,
        };
    !matches!(fetch("sec-fetch-site"), None | Some("same-origin" | "none")) && !is_link
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_links_lead_here_from_other_sites() {
        let is_foreign = |method, lines: &[(&str, &str)], may_be_framed| {
            let line = |(name, value): &(&str, &str)| {
                (name.parse::<HeaderName>().unwrap(), value.parse().unwrap())
            };
            let headers = lines.iter().map(line).collect();
            is_foreign(&method, "salle:8080", &headers, may_be_framed)
        };
        let site = "sec-fetch-site";
        let link = [("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "document")];
        for ours in [
            &[][..],
            &[("origin", "https://SALLE:8080")],
            &[(site, "same-origin")],
            &[(site, "none")],
            &[(site, "cross-site"), link[0], link[1]],
        ] {
            assert!(!is_foreign(Method::GET, ours, false), "{ours:?}");
        }
        for foreign in [
            &[("origin", "null")][..],
            &[("origin", "http://salle:1")],
            &[("origin", "http://evil.example"), (site, "none")],
            &[(site, "cross-site")],
            &[(site, "same-site"), ("sec-fetch-mode", "no-cors"), ("sec-fetch-dest", "image")],
        ] {
            assert!(is_foreign(Method::GET, foreign, true), "{foreign:?}");
        }
        assert!(is_foreign(Method::POST, &[(site, "cross-site"), link[0], link[1]], true));
        let frame = [(site, "cross-site"), link[0], ("sec-fetch-dest", "iframe")];
        assert!(is_foreign(Method::GET, &frame, false) && !is_foreign(Method::GET, &frame, true));
        assert!(is_foreign(Method::POST, &frame, true));
    }
}
