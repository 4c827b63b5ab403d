//! The first message of a connection.

use std::time::Duration;

use bytes::BytesMut;
use futures_util::StreamExt;
use protocol::{CLIENT_FRAME_LIMIT, CodecError, FrameCodec, Registration, Role};
use tokio::io::AsyncRead;
use tokio::task::coop::consume_budget;
use tokio::time::timeout;
use tokio_util::codec::{Decoder, FramedRead};
use tracing::debug;

use crate::connection::Link;
use crate::notices::Notice;

/// How long a connection may take to register.
const REGISTRATION: Duration = Duration::from_secs(5);

/// How requests of browsers begin; the last one is that of an encrypted connection.
const WEB: [&[u8]; 5] = [b"GET ", b"HEAD ", b"POST ", b"OPTIONS ", b"\x16\x03"];

/// Decodes the first message of a connection.
#[derive(Clone, Debug)]
pub(crate) struct Opening(FrameCodec);

/// What a connection begins with.
#[derive(Debug)]
pub(crate) enum First {
    /// A registration.
    Registration {
        registration: Registration,
        /// Whether something was cut off its name that may be a secret.
        withheld: bool,
    },
    /// Something that is answered by a refusal.
    Refused(Notice),
    /// Bytes without a NUL in their place.
    Broken(Notice),
}

impl Opening {
    pub(crate) fn new() -> Self {
        Self(FrameCodec::new(CLIENT_FRAME_LIMIT))
    }

    /// For the messages that follow.
    pub(crate) fn into_frames(self) -> FrameCodec {
        self.0
    }
}

impl Decoder for Opening {
    type Item = First;
    type Error = std::io::Error;

    fn decode(&mut self, buffer: &mut BytesMut) -> Result<Option<First>, Self::Error> {
        if WEB.iter().any(|start| buffer.starts_with(start)) {
            buffer.clear();
            return Ok(Some(First::Refused(Notice::Browser)));
        }
        let message = match self.0.decode(buffer) {
            Ok(Some(message)) => message,
            Ok(None) => return Ok(None),
            Err(CodecError::TooLong(_)) => return Ok(Some(First::Broken(Notice::no_nul(buffer)))),
            Err(CodecError::Io(failure)) => return Err(failure),
        };
        Ok(Some(match Registration::decode(&message) {
            Ok(registration) => {
                First::Registration { registration, withheld: Registration::withholds(&message) }
            }
            Err(error) => First::Refused(error.into()),
        }))
    }

    fn decode_eof(&mut self, buffer: &mut BytesMut) -> Result<Option<First>, Self::Error> {
        match self.decode(buffer)? {
            None if !buffer.is_empty() => {
                let broken = First::Broken(Notice::no_nul(buffer));
                buffer.clear();
                Ok(Some(broken))
            }
            first => Ok(first),
        }
    }
}

/// Waits for the registration of a connection, and until it may be judged. Returns why it is to be refused, or
/// `None` if the connection is to be closed without an answer.
pub(crate) async fn receive_registration<R: AsyncRead + Unpin>(
    link: &Link,
    frames: &mut FramedRead<R, Opening>,
) -> Option<Result<Registration, Notice>> {
    let first = match timeout(REGISTRATION, frames.next()).await {
        Ok(first) => first,
        Err(_) if frames.read_buffer().is_empty() => None,
        Err(_) => Some(Ok(First::Broken(Notice::no_nul(frames.read_buffer())))),
    };
    match first {
        Some(Ok(First::Registration { registration, withheld })) => {
            let Registration { role, name, secret } = &registration;
            if withheld {
                link.place.tell(link.address, &Notice::Withheld);
            }
            match role {
                Role::Spectator if !link.place.count_spectator() => {
                    return Some(Err(Notice::TooManySpectators));
                }
                Role::Player if secret.is_some() => tokio::select! {
                    judged = timeout(REGISTRATION, link.place.await_judgement(name)) => {
                        if judged.is_err() {
                            return Some(Err(Notice::TooManyGuesses));
                        }
                    }
                    () = end(frames) => return None,
                },
                Role::Spectator | Role::Player => {}
            }
            Some(Ok(registration))
        }
        Some(Ok(First::Refused(notice))) => Some(Err(notice)),
        Some(Ok(First::Broken(notice))) => {
            link.place.tell(link.address, &notice);
            None
        }
        Some(Err(failure)) => {
            debug!("{}: {failure}", link.address);
            None
        }
        None => {
            debug!("{} did not register", link.address);
            None
        }
    }
}

/// Waits until the peer is gone. Messages that come too early are dropped.
async fn end<R: AsyncRead + Unpin>(frames: &mut FramedRead<R, Opening>) {
    while let Some(Ok(First::Registration { .. } | First::Refused(_))) = frames.next().await {
        consume_budget().await;
    }
}
