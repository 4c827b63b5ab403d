//! The sites whose pages may show pages of this server in frames.

use std::fmt;
use std::str::FromStr;

use axum::http::Uri;
use language::said;

/// The origin of a site: `https://moodle.example`, perhaps with a port, or `file:` for pages that are opened as files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site(String);

/// A text that is no [`Site`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSite;

impl fmt::Display for NoSite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&said!(
            "expected http:// or https://, the name of a site and perhaps a port, without a path, as https://moodle.example; \
             or file:// for pages opened as files",
            "http:// ou https://, le nom d'un site et au besoin un port sont attendus, sans chemin, comme https://moodle.example ; \
             ou file:// pour les pages ouvertes comme fichiers"
        ))
    }
}

impl std::error::Error for NoSite {}

impl FromStr for Site {
    type Err = NoSite;

    fn from_str(text: &str) -> Result<Self, NoSite> {
        if text == "file://" {
            return Ok(Self("file:".to_owned()));
        }
        let uri: Uri = text.parse().map_err(|_| NoSite)?;
        let (scheme, authority) = uri.scheme_str().zip(uri.authority()).ok_or(NoSite)?;
        let (name, port) = authority.as_str().split_once(':').unwrap_or((authority.as_str(), "0"));
        let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"-.".contains(&byte);
        // Nothing else of a text may get into a header, where `;` would begin another directive. Source expressions have
        // no literals of IPv6 (Content Security Policy, section 2.3.1).
        let is_origin = ["http", "https"].contains(&scheme)
            && !name.is_empty()
            && name.bytes().all(is_letter)
            && port.parse::<u16>().is_ok()
            && uri.path() == "/"
            && uri.query().is_none();
        let site = || Self(format!("{scheme}://{}", authority.as_str().to_ascii_lowercase()));
        is_origin.then(site).ok_or(NoSite)
    }
}

/// The sites that may show pages of this server in frames, and whose pages may play; by default none but this server itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Embedders(pub Vec<Site>);

impl Embedders {
    /// Tests if no other site may show the pages.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Tests if pages of this origin may play. Browsers call the origin of files `null`.
    pub(crate) fn allows(&self, origin: &str) -> bool {
        let origin = if origin == "null" { "file:" } else { origin };
        self.0.iter().any(|Site(site)| site.eq_ignore_ascii_case(origin))
    }

    /// The directive of a content security policy that lets these sites, and this server, show a page.
    pub fn directive(&self) -> String {
        self.0.iter().fold("frame-ancestors 'self'".to_owned(), |all, Site(site)| all + " " + site)
    }
}

/// Tests if a request is for a page in a frame: its query has `embed`.
pub(crate) fn is_for_frame(target: &Uri) -> bool {
    let mut parts = target.query().unwrap_or_default().split('&');
    parts.any(|part| part.split('=').next() == Some("embed"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_is_an_origin_and_nothing_else() {
        let site = |text: &str| text.parse().map(|Site(site)| site);
        for (text, expected) in [
            ("https://moodle.example", "https://moodle.example"),
            ("https://Moodle.Example:8443/", "https://moodle.example:8443"),
            ("http://127.0.0.1:1", "http://127.0.0.1:1"),
            ("http://localhost", "http://localhost"),
            ("file://", "file:"),
        ] {
            assert_eq!(site(text).as_deref(), Ok(expected));
        }
        for text in [
            "",
            "*",
            "moodle.example",
            "moodle.example:443",
            "//moodle.example",
            "https://",
            "https:///",
            "https://:443",
            "https://*.example",
            "https://moodle.example/course",
            "https://moodle.example/?course",
            "https://moodle.example:port",
            "https://moodle.example:99999",
            "https://moodle.example;script-src *",
            "https://moodle.example https://other.example",
            "https://ada@moodle.example",
            "https://[::1]:8080",
            "https://é.example",
            "ftp://moodle.example",
            "javascript://x",
            "'none'",
        ] {
            assert_eq!(site(text), Err(NoSite), "{text}");
        }
    }

    #[test]
    fn a_directive_names_all_sites() {
        let sites = ["https://a.example", "http://b.example:1"].map(|site| site.parse().unwrap());
        assert_eq!(Embedders::default().directive(), "frame-ancestors 'self'");
        let expected = "frame-ancestors 'self' https://a.example http://b.example:1";
        assert_eq!(Embedders(sites.into()).directive(), expected);
    }

    #[test]
    fn only_a_page_that_is_asked_for_in_a_frame_is_for_one() {
        for (target, expected) in [
            ("/?embed", true),
            ("/?lang=fr&embed", true),
            ("/direct/?embed=1&n=2", true),
            ("/", false),
            ("/embed", false),
            ("/?embedded", false),
            ("/?n=embed", false),
        ] {
            assert_eq!(is_for_frame(&target.parse().unwrap()), expected, "{target}");
        }
    }
}
