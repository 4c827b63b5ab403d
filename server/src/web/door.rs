//! The door of a web page: who may connect, and what a connection may cost.
//!
//! The page has a thread of its own, which runs only when games leave it time. Connections are limited in number,
//! in the size and time of a request's head, in what they may send, and in how long they may leave unread what
//! they are sent. So nobody who looks at a page can slow a game or take descriptors and memory from it.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use axum::Router;
use axum::extract::ConnectInfo;
use axum::http::StatusCode;
use axum::response::IntoResponse;
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

use super::same_site;
use super::stream::Stream;
use super::visits::{Visit, Visits};
use crate::background;

/// Connections at a time, where the system allows four times as many descriptors.
const CONNECTIONS: usize = 256;
/// For the head of a request to arrive, and for the next request on a connection to begin.
const HEAD_TIME: Duration = Duration::from_secs(5);
/// Bytes of a request's head, which may have cookies of other pages on this machine; and bytes of an answer that
/// wait in the program.
const HEAD: usize = 16 * 1024;
/// Bytes of a request's body. No page has a use for one.
const BODY: u64 = 1024;
/// Bytes that the system keeps of what is sent to a peer, and of what comes from it.
const KERNEL: usize = 64 * 1024;
/// After a connection could not be accepted, for descriptors to be free again.
const RESPITE: Duration = Duration::from_millis(200);
/// Threads for what takes a while.
const THREADS: usize = 4;
/// Serves pages to whoever connects, on a thread of this name, until the program ends. `pages` makes them within
/// the thread's runtime, and something for the caller.
///
/// # Errors
///
/// When there is no thread for it.
pub fn open<T>(
    name: &str,
    listener: std::net::TcpListener,
    pages: impl FnOnce() -> (T, Router),
) -> io::Result<T> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(THREADS)
        .build()?;
    let (result, router, listener) = {
        let _within = runtime.enter();
        listener.set_nonblocking(true)?;
        // Connections inherit these.
        let socket = SockRef::from(&listener);
        socket.set_send_buffer_size(KERNEL)?;
        socket.set_recv_buffer_size(KERNEL)?;
        let listener = TcpListener::from_std(listener)?;
        let (result, router) = pages();
        (result, router, listener)
    };
    thread::Builder::new().name(name.to_owned()).spawn(move || {
        background::step_back();
        runtime.block_on(serve(listener, router, connections()));
    })?;
    Ok(result)
}

/// Connections at a time: at most a quarter of the descriptors, so that players and files find some.
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

async fn serve(listener: TcpListener, router: Router, connections: usize) {
    let visits = Visits::new(connections);
    let mut has_failed = false;
    loop {
        match listener.accept().await {
            Ok((stream, address)) => {
                has_failed = false;
                let visit = visits.admit(address.ip()).await;
                tokio::spawn(talk(stream, address, visit, router.clone()));
            }
            Err(failure) if is_peers(&failure) => {}
            Err(failure) => {
                // Most likely there are no descriptors left; one line says it.
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

/// Whether a connection could not be accepted because its peer is gone.
fn is_peers(failure: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(failure.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// Answers the requests of a connection.
async fn talk(stream: TcpStream, address: SocketAddr, visit: Visit, router: Router) {
    let pass = visit.pass().clone();
    let end = pass.end().clone();
    let router = Arc::new(TowerToHyperService::new(router));
    let service = service_fn(move |mut request: Request<Incoming>| {
        pass.serve();
        let refusal = if request.body().size_hint().lower() > BODY {
            Some((
                StatusCode::PAYLOAD_TOO_LARGE,
                said!("nothing here takes that much", "rien ici n'en prend autant"),
            ))
        } else if same_site::is_foreign(request.method(), request.headers()) {
            Some((
                StatusCode::FORBIDDEN,
                said!("this comes from another page", "cela vient d'une autre page"),
            ))
        } else {
            None
        };
        request.extensions_mut().insert(ConnectInfo(address));
        request.extensions_mut().insert(pass.clone());
        let router = Arc::clone(&router);
        async move {
            match refusal {
                Some(refusal) => Ok(refusal.into_response()),
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

#[cfg(test)]
mod tests {
    use axum::routing::get;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    /// Where a page of one word is served, with this many connections at a time.
    async fn page(connections: usize) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = Router::new().route("/", get(|| async { "hello" }));
        tokio::spawn(serve(listener, router, connections));
        address
    }

    async fn ask(stream: &mut TcpStream, request: &str) -> String {
        let mut answer = Vec::new();
        stream.write_all(request.as_bytes()).await.unwrap();
        // A connection that is closed early may be reset.
        let _ = stream.read_to_end(&mut answer).await;
        String::from_utf8(answer).unwrap()
    }

    #[tokio::test]
    async fn requests_have_limits() {
        let page = page(8).await;
        let answer = async |first: &str, lines: &str| {
            let mut stream = TcpStream::connect(page).await.unwrap();
            let request =
                format!("{first} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{lines}\r\n");
            let answer = ask(&mut stream, &request).await;
            answer.split(' ').nth(1).unwrap_or_default().to_owned()
        };
        assert_eq!(answer("GET /", "").await, "200");
        assert_eq!(answer("GET /", &format!("Cookie: {}\r\n", "x".repeat(HEAD))).await, "431");
        assert_eq!(answer("POST /", "Content-Length: 1000000\r\n").await, "413");
        assert_eq!(answer("GET /", "Origin: http://evil.example\r\n").await, "403");
    }

    #[tokio::test(start_paused = true)]
    async fn connections_without_requests_end() {
        let page = page(8).await;
        for (request, answer) in [
            ("", ""),
            ("GET / HTTP/1.1\r\nHost: x", ""),
            // This one has been answered before.
            ("GET / HTTP/1.1\r\nHost: x\r\n\r\n", "HTTP/1.1 200 OK"),
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
        let request = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
        assert!(ask(&mut stream, request).await.ends_with("hello"));
    }
}
