//! Requests to a course, one a connection.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value;

/// The port of a course.
#[derive(Clone, Copy)]
pub(super) struct Http(pub(super) u16);

pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) head: String,
    pub(super) body: Vec<u8>,
}

impl Answer {
    pub(super) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(super) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("{}", self.text()))
    }
}

const MARK: &str = "----a-mark-of-the-tests";

impl Http {
    pub(super) fn get(self, path: &str, token: &str) -> Answer {
        self.ask("GET", path, &bearer(token), b"")
    }

    /// Sends a body: JSON if it looks like it.
    pub(super) fn post(self, path: &str, token: &str, body: &[u8]) -> Answer {
        let kind = if body.starts_with(b"{") { "application/json" } else { "text/csv" };
        self.ask("POST", path, &format!("{}Content-Type: {kind}\r\n", bearer(token)), body)
    }

    pub(super) fn upload(self, token: &str, name: &str, content: &[u8]) -> Answer {
        let head = format!(
            "--{MARK}\r\nContent-Disposition: form-data; name=\"fichier\"; filename=\"{name}\"\r\n\r\n"
        );
        let body = [head.as_bytes(), content, format!("\r\n--{MARK}--\r\n").as_bytes()].concat();
        self.send_form(token, &body)
    }

    pub(super) fn send_form(self, token: &str, body: &[u8]) -> Answer {
        let kind = format!("Content-Type: multipart/form-data; boundary={MARK}\r\n");
        self.ask("POST", "/api/depot", &(bearer(token) + &kind), body)
    }

    /// The answer to a request with these lines in its head; its status is 0 if there is none.
    pub(super) fn ask(self, method: &str, path: &str, lines: &str, body: &[u8]) -> Answer {
        let Ok(mut stream) = TcpStream::connect(("127.0.0.1", self.0)) else {
            return Answer { status: 0, head: String::new(), body: Vec::new() };
        };
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let length = body.len();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{lines}Content-Length: {length}\r\n\r\n"
        );
        // The server may answer and close before it has read a body that it does not want.
        let _ = stream.write_all(&[head.as_bytes(), body].concat());
        let mut all = Vec::new();
        let _ = stream.read_to_end(&mut all);
        let end = all.windows(4).position(|it| it == b"\r\n\r\n").unwrap_or(all.len());
        let head = String::from_utf8_lossy(&all[..end]).into_owned();
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        let body = all.get(end + 4..).unwrap_or_default().to_vec();
        let is_chunked = head.to_lowercase().contains("transfer-encoding: chunked");
        let body = if is_chunked { joined(&body) } else { body };
        Answer { status: status.unwrap_or(0), head, body }
    }
}

fn bearer(token: &str) -> String {
    if token.is_empty() { String::new() } else { format!("Authorization: Bearer {token}\r\n") }
}

/// The content of chunks.
fn joined(mut chunks: &[u8]) -> Vec<u8> {
    let mut all = Vec::new();
    while let Some(end) = chunks.windows(2).position(|it| it == b"\r\n") {
        let length = std::str::from_utf8(&chunks[..end]).unwrap();
        let length = usize::from_str_radix(length, 16).unwrap();
        let content = chunks.get(end + 2..end + 2 + length).unwrap_or_default();
        all.extend_from_slice(content);
        chunks = chunks.get(end + 4 + length..).unwrap_or_default();
    }
    all
}
