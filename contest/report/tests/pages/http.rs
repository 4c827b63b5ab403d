//! Raw HTTP requests.

use std::io::{Read, Write};
use std::net::TcpStream;

/// The answer of a server.
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// The status line and the headers, in lower case.
    pub(crate) head: String,
    pub(crate) body: String,
}

/// Sends a request with header lines, which must include `Host`.
pub(crate) fn request(port: u16, method: &str, path: &str, headers: &[&str]) -> Answer {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let lines = headers.join("\r\n");
    write!(stream, "{method} {path} HTTP/1.1\r\n{lines}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let end = answer.windows(4).position(|part| part == b"\r\n\r\n").unwrap();
    let mut body = answer.split_off(end + 4);
    let head = String::from_utf8(answer).unwrap().to_lowercase();
    if head.contains("transfer-encoding: chunked") {
        body = unchunked(&body);
    }
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    Answer { status, head, body: String::from_utf8(body).unwrap() }
}

/// Decodes a chunked body.
fn unchunked(mut chunks: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    loop {
        let end = chunks.windows(2).position(|part| part == b"\r\n").unwrap();
        let len = usize::from_str_radix(std::str::from_utf8(&chunks[..end]).unwrap(), 16).unwrap();
        if len == 0 {
            return body;
        }
        body.extend(&chunks[end + 2..][..len]);
        chunks = &chunks[end + 2 + len + 2..];
    }
}

pub(crate) fn get(port: u16, path: &str) -> Answer {
    request(port, "GET", path, &["Host: localhost"])
}
