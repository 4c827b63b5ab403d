//! The door of a web page: admission of connections, and limits of their cost.
//!
//! The page has a low-priority thread of its own. Limits apply to the number of connections, the size and time of a
//! request's head, the amount that a peer sends, and the time for which it leaves output unread. So no visitor of a
//! page can slow the program's own work or exhaust its descriptors and memory. Requests under names of other owners and from pages of
//! other sites are refused.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use axum::Router;
use axum::extract::ConnectInfo;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use hyper::Request;
use hyper::body::{Body, Incoming};
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use language::{log, said};
use socket2::SockRef;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::sleep;
use tracing::debug;

use crate::stream::Stream;
use crate::visits::{Visit, Visits};
use crate::{Embedders, Players, background, embedding, own_names, players, same_site};

/// Maximum number of connections at a time; less if the system allows fewer than four descriptors for each.
const CONNECTIONS: usize = 256;
/// Longest time for the head of a request to arrive, and for the next request on a connection to begin.
pub(crate) const HEAD_TIME: Duration = Duration::from_secs(5);
/// Maximum number of bytes of a request's head, which may contain cookies of other pages on this machine, and of
/// buffered output.
const HEAD: usize = 16 * 1024;
/// Maximum number of bytes of a request's body on pages that use no bodies.
pub const NO_BODY: u64 = 1024;
/// Size of the system's send and receive buffers of a connection, in bytes.
const KERNEL: usize = 64 * 1024;
/// Pause after a failure to accept a connection, for descriptors to become free.
const RESPITE: Duration = Duration::from_millis(200);
/// Maximum number of threads for blocking work.
const THREADS: usize = 4;

/// The requests that are answered.
struct Policy {
    /// Tests if this machine was announced under a host name.
    is_announced: Box<dyn Fn(&str) -> bool + Send + Sync>,
    /// True if other sites may show pages in frames.
    is_embeddable: bool,
    /// Maximum number of bytes of a request's body.
    body: u64,
}

/// Serves pages on a thread with this name until the program ends, under numeric addresses, `localhost`, and the host
/// names for which `is_announced` holds. Pages that are asked for with `?embed` are sent to frames of other sites if
/// there are `embedders`; which of them are shown is the policy of each page. A WebSocket at `/ws` is handed to `players`.
/// A request's body has at most `body` bytes: [`NO_BODY`] for pages that use none; what exceeds a peer's rate has to be
/// [allowed](crate::Pass::allow) before it is read.
/// `pages` is called within the thread's runtime and returns the router and a value for the caller.
///
/// # Errors
///
/// When the socket cannot be set up, or the thread cannot be started.
pub fn open<T>(
    name: &str,
    listener: std::net::TcpListener,
    is_announced: impl Fn(&str) -> bool + Send + Sync + 'static,
    embedders: &Embedders,
    players: Option<Players>,
    body: u64,
    pages: impl FnOnce() -> (T, Router),
) -> io::Result<T> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(THREADS)
        .build()?;
    let (result, router, listener) = {
        let _within = runtime.enter();
        listener.set_nonblocking(true)?;
        // Connections inherit the sizes of the buffers.
        let socket = SockRef::from(&listener);
        socket.set_send_buffer_size(KERNEL)?;
        socket.set_recv_buffer_size(KERNEL)?;
        let listener = TcpListener::from_std(listener)?;
        let (result, mut router) = pages();
        if let Some(players) = players {
            router = router.merge(players.routes(embedders.clone()));
        }
        (result, router, listener)
    };
    let is_embeddable = !embedders.is_empty();
    let policy = Policy { is_announced: Box::new(is_announced), is_embeddable, body };
    thread::Builder::new().name(name.to_owned()).spawn(move || {
        background::step_back();
        runtime.block_on(serve(listener, router, Arc::new(policy), connections()));
    })?;
    Ok(result)
}

/// Maximum number of connections at a time: at most a quarter of the descriptors, to leave some for players and files.
fn connections() -> usize {
    #[cfg(unix)]
    {
        let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
        let limit = limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX);
        CONNECTIONS.min(limit / 4)
    }
    #[cfg(not(unix))]
    CONNECTIONS
}

async fn serve(listener: TcpListener, router: Router, policy: Arc<Policy>, connections: usize) {
    let visits = Visits::new(connections);
    let mut has_failed = false;
    loop {
        match listener.accept().await {
            Ok((stream, address)) => {
                has_failed = false;
                let visit = visits.admit(address.ip()).await;
                let policy = Arc::clone(&policy);
                tokio::spawn(talk(stream, address, visit, router.clone(), policy));
            }
            Err(failure) if is_peers(&failure) => {}
            Err(failure) => {
                // Most likely there are no descriptors left; one line of the log is enough.
                if !std::mem::replace(&mut has_failed, true) {
                    log!(
                        error,
                        "the web page cannot accept connections: {failure}",
                        "la page web ne peut pas accepter de connexions : {failure}"
                    );
                }
                sleep(RESPITE).await;
            }
        }
    }
}

/// Tests if a connection could not be accepted because its peer is gone.
fn is_peers(failure: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(failure.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// Answers the requests of a connection.
async fn talk(
    stream: TcpStream,
    address: SocketAddr,
    visit: Visit,
    router: Router,
    policy: Arc<Policy>,
) {
    let pass = visit.pass().clone();
    let end = pass.end().clone();
    let router = Arc::new(TowerToHyperService::new(router));
    let service = service_fn(move |mut request: Request<Incoming>| {
        pass.serve();
        let refusal = refusal(&request, &policy);
        request.extensions_mut().insert(ConnectInfo(address));
        request.extensions_mut().insert(pass.clone());
        let router = Arc::clone(&router);
        async move {
            match refusal {
                Some(refusal) => Ok(refusal),
                None => router.call(request).await,
            }
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_buf_size(HEAD)
        .serve_connection(TokioIo::new(Stream::new(stream, visit)), service)
        .with_upgrades();
    tokio::select! {
        served = connection => if let Err(failure) = served {
            debug!("a connection of {address} to the web page has failed: {failure}");
        },
        () = end.cancelled() => debug!("the web page is full: a connection of {address} was closed"),
    }
}

/// The response to a request that no page may see; `None` for others.
fn refusal(request: &Request<Incoming>, policy: &Policy) -> Option<Response> {
    // A body in chunks has no upper limit.
    if request.body().size_hint().upper().is_none_or(|most| most > policy.body) {
        let why = said!("nothing here takes that much", "rien ici n'en prend autant");
        return Some((StatusCode::PAYLOAD_TOO_LARGE, why).into_response());
    }
    let authority = own_names::authority(request.uri(), request.headers());
    let Some(own) =
        authority.filter(|authority| own_names::is_own(authority, &policy.is_announced))
    else {
        let why = said!(
            "this page is not served under that name: use the address that was announced",
            "cette page n'est pas servie sous ce nom : ouvrez l'adresse annoncée"
        );
        return Some((StatusCode::MISDIRECTED_REQUEST, why).into_response());
    };
    // Players from other sites are told why they are refused, which a browser shows of a WebSocket only.
    if request.uri().path() == players::PATH {
        return None;
    }
    let may_be_framed = policy.is_embeddable && embedding::is_for_frame(request.uri());
    same_site::is_foreign(request.method(), own, request.headers(), may_be_framed).then(|| {
        let why = said!("this comes from another page", "cela vient d'une autre page");
        (StatusCode::FORBIDDEN, why).into_response()
    })
}

#[cfg(test)]
mod tests {
    use axum::routing::get;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    /// Serves a page of one word, with this many connections at a time; returns its address.
    async fn page(connections: usize) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = Router::new().route("/", get(|| async { "hello" }));
        let is_announced = Box::new(|name: &str| name == "salle");
        let policy = Policy { is_announced, is_embeddable: true, body: NO_BODY };
        tokio::spawn(serve(listener, router, Arc::new(policy), connections));
        address
    }

    async fn ask(stream: &mut TcpStream, request: &str) -> String {
        let mut answer = Vec::new();
        stream.write_all(request.as_bytes()).await.unwrap();
        // A connection that the server closes early may be reset.
        let _ = stream.read_to_end(&mut answer).await;
        String::from_utf8(answer).unwrap()
    }

    #[tokio::test]
    async fn requests_have_limits() {
        let page = page(8).await;
        let answer = async |first: &str, lines: &str| {
            let mut stream = TcpStream::connect(page).await.unwrap();
            let request =
                format!("{first} HTTP/1.1\r\nHost: salle\r\nConnection: close\r\n{lines}\r\n");
            let answer = ask(&mut stream, &request).await;
            answer.split(' ').nth(1).unwrap_or_default().to_owned()
        };
        assert_eq!(answer("GET /", "").await, "200");
        assert_eq!(answer("GET /", &format!("Cookie: {}\r\n", "x".repeat(HEAD))).await, "431");
        assert_eq!(answer("POST /", "Content-Length: 1000000\r\n").await, "413");
        assert_eq!(answer("POST /", "Transfer-Encoding: chunked\r\n").await, "413");
        assert_eq!(answer("GET /", "Transfer-Encoding: chunked\r\n").await, "413");
        assert_eq!(answer("GET /", "Origin: http://evil.example\r\n").await, "403");
        let frame =
            "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: iframe\r\n";
        assert_eq!(answer("GET /", frame).await, "403");
        assert_eq!(answer("GET /?embed", frame).await, "200");
        assert_eq!(answer("GET /", "Host: salle\r\n").await, "421");
        assert_eq!(answer("GET http://evil.example/", "").await, "421");
    }

    #[tokio::test(start_paused = true)]
    async fn connections_without_requests_end() {
        let page = page(8).await;
        for (request, answer) in [
            ("", ""),
            ("GET / HTTP/1.1\r\nHost: x", ""),
            // Ends after its request was answered.
            ("GET / HTTP/1.1\r\nHost: salle\r\n\r\n", "HTTP/1.1 200 OK"),
        ] {
            let found = ask(&mut TcpStream::connect(page).await.unwrap(), request).await;
            assert!(found.starts_with(answer) && found.is_empty() == answer.is_empty(), "{found}");
        }
    }

    #[tokio::test]
    async fn a_full_page_still_answers() {
        let page = page(4).await;
        let mut half = Vec::new();
        for _ in 0..50 {
            let mut stream = TcpStream::connect(page).await.unwrap();
            let _ = stream.write_all(b"GET / HT").await;
            half.push(stream);
        }
        let mut stream = TcpStream::connect(page).await.unwrap();
        let request = "GET / HTTP/1.1\r\nHost: salle\r\nConnection: close\r\n\r\n";
        assert!(ask(&mut stream, request).await.ends_with("hello"));
    }
}
