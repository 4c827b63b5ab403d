//! The connection to a server, for bots that play on one.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{TcpStream, ToSocketAddrs as _};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::BytesMut;
use game::pacman::{self, Colour};
use language::{said, word};
use protocol::{FrameCodec, Name, Registration, Role, SERVER_FRAME_LIMIT, Secret};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::fault::wrong;
use crate::lock;
use crate::view::View;

/// Maximum number of bytes in one read from the socket.
const SEGMENT: usize = 1 << 16;

/// The connection to a server: receives and sends messages.
#[pyclass(frozen, module = "pacman_iuto")]
pub(crate) struct Line {
    stream: TcpStream,
    received: Mutex<Received>,
}

struct Received {
    /// The buffer of one read from the socket.
    segment: Box<[u8]>,
    bytes: BytesMut,
    frames: FrameCodec,
    /// Parses only the differences from the last state.
    states: pacman::StateReader,
    names: Option<Arc<[String]>>,
}

#[pymethods]
impl Line {
    /// Connects to a server; ``seconds`` is the timeout for each of its addresses.
    #[new]
    fn new(py: Python<'_>, address: (String, u16), seconds: f64) -> PyResult<Self> {
        let patience = Duration::try_from_secs_f64(seconds).map_err(wrong)?;
        let (host, port) = address;
        let stream = py.detach(|| {
            let mut tried = Err(ErrorKind::AddrNotAvailable.into());
            for address in (host.as_str(), port).to_socket_addrs()? {
                tried = TcpStream::connect_timeout(&address, patience);
                if tried.is_ok() {
                    break;
                }
            }
            tried
        })?;
        stream.set_nodelay(true)?;
        let received = Received {
            segment: vec![0; SEGMENT].into(),
            bytes: BytesMut::new(),
            frames: FrameCodec::new(SERVER_FRAME_LIMIT),
            states: pacman::StateReader::default(),
            names: None,
        };
        Ok(Self { stream, received: Mutex::new(received) })
    }

    /// Waits for a message: a view for a state, the bytes of another message, ``None`` if the connection ends.
    fn receive<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let mut received = lock(py, &self.received);
        let Received { segment, bytes, frames, .. } = &mut *received;
        let message = loop {
            if let Some(message) = frames.decode(bytes).map_err(wrong)? {
                break message;
            }
            match py.detach(|| (&self.stream).read(segment)) {
                Ok(0) => return Ok(None),
                Ok(count) => bytes.extend_from_slice(&segment[..count]),
                Err(error) => match error.kind() {
                    ErrorKind::Interrupted => py.check_signals()?,
                    _ => return Err(error.into()),
                },
            }
        };
        Ok(Some(match message.strip_prefix(b"jeu;") {
            Some(rest) => Bound::new(py, received.view(rest)?)?.into_any(),
            None => PyBytes::new(py, &message).into_any(),
        }))
    }

    /// Sends a message.
    fn send(&self, py: Python<'_>, message: &str) -> PyResult<()> {
        let bytes = [message.as_bytes(), b"\0"].concat();
        Ok(py.detach(|| (&self.stream).write_all(&bytes))?)
    }

    /// Ends the connection.
    fn close(&self) -> PyResult<()> {
        match self.stream.shutdown(std::net::Shutdown::Both) {
            Err(error) if error.kind() != ErrorKind::NotConnected => Err(error.into()),
            _ => Ok(()),
        }
    }
}

impl Received {
    /// The view in a message, after its `jeu;`.
    fn view(&mut self, rest: &[u8]) -> PyResult<View> {
        let line = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
        let reading = self.states.read(rest.get(line + 1..).unwrap_or_default()).map_err(wrong)?;
        if self.names.as_deref().is_none_or(|names| names != reading.names) {
            self.names = Some(reading.names.clone().into());
        }
        let me = match &rest[..line] {
            [letter] => Colour::from_letter(char::from(*letter)),
            _ => None,
        };
        let me = me.filter(|&me| reading.view.player(me).is_some());
        Ok(View::new(reading.view.clone(), self.names.clone().unwrap_or_default(), me))
    }
}

/// The message that registers a player: without the final NUL byte.
#[pyfunction]
#[pyo3(signature = (name, secret = None))]
pub(crate) fn registration(name: &str, secret: Option<&str>) -> PyResult<String> {
    let secret = secret
        .map(|text| {
            let expected = || {
                word(
                    "a secret is 8 to 64 letters and digits, without accents",
                    "un secret est fait de 8 à 64 lettres et chiffres, sans accents",
                )
            };
            Secret::new(text).ok_or_else(|| wrong(expected()))
        })
        .transpose()?;
    let registration = Registration { role: Role::Player, name: Name::new(name), secret };
    let message = registration.encode();
    if Registration::decode(message.as_bytes()).as_ref() != Ok(&registration) {
        return Err(wrong(said!(
            "the end of the name {name:?}, from # on, would be taken for a secret",
            "la fin du nom {name:?}, à partir de #, serait prise pour un secret"
        )));
    }
    Ok(message)
}
