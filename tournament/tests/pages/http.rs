//! Requests as anybody may send them.

use std::io::{Read, Write};
use std::net::TcpStream;

/// What a server has answered.
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// In lower case.
    pub(crate) head: String,
    pub(crate) body: String,
}

/// Sends a request with these lines of its head, `Host` among them.
pub(crate) fn request(port: u16, method: &str, path: &str, headers: &[&str]) -> Answer {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let lines = headers.join("\r\n");
    write!(stream, "{method} {path} HTTP/1.1\r\n{lines}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let answer = String::from_utf8(answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    Answer { status, head: head.to_lowercase(), body: body.to_owned() }
}

pub(crate) fn get(port: u16, path: &str) -> Answer {
    request(port, "GET", path, &["Host: localhost"])
}
