//! The address of a server: `HOST` or `HOST:PORT`.

use std::net::Ipv6Addr;
use std::str::FromStr;

use anyhow::bail;
use language::said;

/// A host and an optional port, as `--serveur` takes them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// A host name or an IP address, without brackets.
    pub host: String,
    /// The port after the colon.
    pub port: Option<u16>,
}

impl Endpoint {
    /// The host, and the port of this endpoint or of `--port`; `default` if neither names one.
    ///
    /// # Errors
    ///
    /// If both name a port and the two differ.
    pub fn resolve(&self, port: Option<u16>, default: u16) -> anyhow::Result<(String, u16)> {
        if let (Some(own), Some(port)) = (self.port, port)
            && own != port
        {
            let host = &self.host;
            let with = |port| Self { host: host.clone(), port: Some(port) };
            bail!(said!(
                "--host names port {own} and --port names port {port}: keep one of them, --host {} or --host {}",
                "--serveur donne le port {own} et --port le port {port} : gardez-en un, --serveur {} ou --serveur {}",
                with(own),
                with(port)
            ));
        }
        Ok((self.host.clone(), self.port.or(port).unwrap_or(default)))
    }
}

impl FromStr for Endpoint {
    type Err = String;

    /// Reads `HOST`, `HOST:PORT`, `[IPV6]:PORT` or an IP address of version 6 without brackets.
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            let found = text.escape_debug();
            said!(
                "expected HOST or HOST:PORT, as 192.168.1.12, localhost:1111 or [::1]:1111, got {found}",
                "HÔTE ou HÔTE:PORT est attendu, comme 192.168.1.12, localhost:1111 ou [::1]:1111, et non {found}"
            )
        };
        if text.contains(|c: char| c.is_whitespace() || c == '/') {
            return Err(wrong());
        }
        let (host, port) = if let Some(rest) = text.strip_prefix('[') {
            let (host, rest) = rest.split_once(']').ok_or_else(wrong)?;
            match rest.strip_prefix(':') {
                Some(port) => (host, Some(port)),
                None if rest.is_empty() => (host, None),
                None => return Err(wrong()),
            }
        } else {
            match text.split_once(':') {
                Some((_, rest)) if rest.contains(':') => {
                    let address = text.split('%').next().unwrap_or(text);
                    let _: Ipv6Addr = address.parse().map_err(|_| wrong())?;
                    (text, None)
                }
                Some((host, port)) => (host, Some(port)),
                None => (text, None),
            }
        };
        if host.is_empty() {
            return Err(wrong());
        }
        if host.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(said!(
                "expected HOST or HOST:PORT, got a number; a port alone is given by --port {host}",
                "HÔTE ou HÔTE:PORT est attendu, et non un nombre ; un port seul se donne par --port {host}"
            ));
        }
        let port = port.map(|port| {
            port.parse().map_err(|_| {
                said!(
                    "expected a port from 0 to 65535 after the colon, got {port:?}",
                    "un port de 0 à 65535 est attendu après les deux-points, et non {port:?}"
                )
            })
        });
        Ok(Self { host: host.to_owned(), port: port.transpose()? })
    }
}

impl std::fmt::Display for Endpoint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { host, port } = self;
        match port {
            Some(port) if host.contains(':') => write!(f, "[{host}]:{port}"),
            Some(port) => write!(f, "{host}:{port}"),
            None => f.write_str(host),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> (String, Option<u16>) {
        let endpoint: Endpoint = text.parse().unwrap();
        (endpoint.host, endpoint.port)
    }

    #[test]
    fn hosts_may_have_a_port() {
        for (text, host, port) in [
            ("localhost", "localhost", None),
            ("192.168.1.12:2222", "192.168.1.12", Some(2222)),
            ("prof.local:0", "prof.local", Some(0)),
            ("::1", "::1", None),
            ("[::1]", "::1", None),
            ("[fe80::1]:1111", "fe80::1", Some(1111)),
        ] {
            assert_eq!(parsed(text), (host.to_owned(), port), "{text}");
            let again = text.parse::<Endpoint>().unwrap().to_string();
            assert_eq!(parsed(&again), (host.to_owned(), port), "{text} is written {again}");
        }
    }

    #[test]
    fn invalid_endpoints_name_the_expected_format() {
        for (text, expected) in [
            ("", "expected HOST or HOST:PORT"),
            (":1111", "expected HOST or HOST:PORT"),
            ("http://localhost/", "got http://localhost/"),
            ("[::1", "expected HOST or HOST:PORT"),
            ("[::1]1111", "expected HOST or HOST:PORT"),
            ("a b", "expected HOST or HOST:PORT"),
            ("prof:1111:", "expected HOST or HOST:PORT"),
            ("1112", "a port alone is given by --port 1112"),
            ("localhost:", "expected a port from 0 to 65535 after the colon, got \"\""),
            ("localhost:65536", "expected a port from 0 to 65535 after the colon, got \"65536\""),
        ] {
            let error = text.parse::<Endpoint>().unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn two_different_ports_are_refused_with_what_to_type() {
        let endpoint: Endpoint = "[::1]:2222".parse().unwrap();
        assert_eq!(endpoint.resolve(None, 1111).unwrap(), ("::1".to_owned(), 2222));
        assert_eq!(endpoint.resolve(Some(2222), 1111).unwrap().1, 2222);
        let error = endpoint.resolve(Some(3333), 1111).unwrap_err().to_string();
        assert!(error.ends_with("--host [::1]:2222 or --host [::1]:3333"), "{error}");
        let endpoint: Endpoint = "localhost".parse().unwrap();
        assert_eq!(endpoint.resolve(None, 1111).unwrap().1, 1111);
        assert_eq!(endpoint.resolve(Some(3333), 1111).unwrap().1, 3333);
    }
}
