//! The way from a web page to the games: players and spectators that come over a WebSocket.
//!
//! The door of the page checks the request, answers it, and hands the socket over. The connection has no place at the page
//! any more, and its limits are those of the games.

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, Extension, Request};
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use hyper_util::rt::TokioIo;
use language::said;
use tokio::io::{AsyncWriteExt, copy, sink};
use tokio::net::TcpStream;
use tracing::debug;
use tungstenite::handshake::server::create_response_with_body;

use crate::stream::Stream;
use crate::{Embedders, own_names, same_site};

/// The path under which players and spectators come in.
pub(crate) const PATH: &str = "/ws";

/// A connection that has become a WebSocket.
#[derive(Debug)]
pub struct Arrival {
    /// The socket, which does not block.
    pub socket: std::net::TcpStream,
    /// The bytes that came with the request.
    pub received: Vec<u8>,
    /// The address of the peer.
    pub address: IpAddr,
}

/// Takes players and spectators in that come through a web page.
#[derive(Clone)]
pub struct Players(Arc<dyn Fn(Arrival) + Send + Sync>);

impl fmt::Debug for Players {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Players").finish_non_exhaustive()
    }
}

impl Players {
    /// `take` is called for each connection on the thread of the page, and must not block.
    pub fn new(take: impl Fn(Arrival) + Send + Sync + 'static) -> Self {
        Self(Arc::new(take))
    }

    /// The route of players. Scripts of other sites are told to stay out, but for those of `sites`.
    pub(crate) fn routes(self, sites: Embedders) -> Router {
        type From = Extension<ConnectInfo<SocketAddr>>;
        let answer = async move |Extension(ConnectInfo(address)): From, request: Request| {
            let response = match create_response_with_body(&request, Body::empty) {
                Ok(response) => response,
                Err(failure) => return no_upgrade(&failure),
            };
            let is_welcome = is_welcome(&request, &sites);
            tokio::spawn(async move {
                let passed = hand_over(request, address, is_welcome, &self).await;
                if let Err(failure) = passed {
                    debug!("{address} did not get from the web page to the games: {failure}");
                }
            });
            response
        };
        Router::new().route(PATH, get(answer))
    }
}

fn no_upgrade(failure: &tungstenite::Error) -> Response {
    let why = said!(
        "players come over a WebSocket: {failure}",
        "les joueurs viennent par WebSocket : {failure}"
    );
    (StatusCode::UPGRADE_REQUIRED, [(header::UPGRADE, "websocket")], why).into_response()
}

/// Tests if a request comes from a program, a page of this server, or a site that is let in.
fn is_welcome(request: &Request, sites: &Embedders) -> bool {
    let own = own_names::authority(request.uri(), request.headers()).unwrap_or_default();
    let origin = request.headers().get(header::ORIGIN).and_then(|origin| origin.to_str().ok());
    origin.is_some_and(|origin| sites.allows(origin))
        || !same_site::is_foreign(&Method::GET, own, request.headers(), false)
}

/// Waits until the connection of a request is a WebSocket, and passes it on, or closes it with the reason.
async fn hand_over(
    request: Request,
    address: SocketAddr,
    is_welcome: bool,
    Players(take): &Players,
) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let upgraded = hyper::upgrade::on(request).await?;
    let parts = upgraded
        .downcast::<TokioIo<Stream<TcpStream>>>()
        .map_err(|_| "the connection is no socket of this door")?;
    let mut stream = parts.io.into_inner();
    if is_welcome {
        let socket = stream.into_socket().into_std()?;
        take(Arrival { socket, received: parts.read_buf.into(), address: address.ip() });
        return Ok(());
    }
    stream.write_all(&refusal()).await?;
    stream.flush().await?;
    stream.shutdown().await?;
    // Closing with unread input would make the kernel discard the output; the door limits what a peer sends.
    tokio::time::timeout(crate::door::HEAD_TIME, copy(&mut stream, &mut sink())).await??;
    Ok(())
}

/// A frame that closes a WebSocket (RFC 6455, section 5.5.1) with the code 1008, a breach of policy.
fn refusal() -> Vec<u8> {
    let why = said!(
        "pages of other sites may not play here, unless --embeddable-by names them",
        "les pages d'autres sites ne peuvent pas jouer ici, sauf celles de --integrable-par"
    );
    let mut frame = vec![0x88, (2 + why.len()) as u8];
    frame.extend(1008_u16.to_be_bytes());
    frame.extend(why.bytes());
    frame
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_pages_of_this_server_and_named_sites_are_welcome() {
        let is_welcome = |origin: &[&str], sites: &[&str]| {
            let mut request = Request::builder().uri(PATH).header("host", "192.168.1.7:8080");
            for origin in origin {
                request = request.header("origin", *origin).header("sec-fetch-site", "cross-site");
            }
            let sites = Embedders(sites.iter().map(|site| site.parse().unwrap()).collect());
            is_welcome(&request.body(Body::empty()).unwrap(), &sites)
        };
        assert!(is_welcome(&[], &[]), "a program");
        for (origin, site) in [
            ("https://moodle.example", "https://moodle.example"),
            ("https://MOODLE.example", "https://moodle.example/"),
            ("null", "file://"),
        ] {
            assert!(!is_welcome(&[origin], &[]), "{origin}");
            assert!(is_welcome(&[origin], &[site]), "{origin}");
            assert!(!is_welcome(&[origin], &["https://other.example"]), "{origin}");
        }
        assert!(!is_welcome(&["http://192.168.1.7:8081"], &["file://"]));
    }
}
