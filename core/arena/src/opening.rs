//! The first message of a connection.

use std::time::Duration;

use bytes::BytesMut;
use futures_util::StreamExt;
use protocol::{FrameCodec, Registration, Role};
use tokio::io::AsyncRead;
use tokio::task::coop::consume_budget;
use tokio::time::timeout;
use tokio_util::codec::{Decoder, FramedRead};
use tracing::debug;

use crate::notices::Notice;
use crate::peer::Peer;

/// Longest time for a connection to register.
const REGISTRATION: Duration = Duration::from_secs(5);

/// First bytes of requests of browsers; the last entry is the TLS handshake.
const WEB: [&[u8]; 5] = [b"GET ", b"HEAD ", b"POST ", b"OPTIONS ", b"\x16\x03"];

/// Decodes the first message of a connection.
#[derive(Clone, Debug)]
pub(crate) struct Opening(pub(crate) FrameCodec);

/// The first message of a connection.
#[derive(Debug)]
pub(crate) enum First {
    /// A registration.
    Registration {
        registration: Registration,
        /// True if a possible secret was cut off the name.
        withheld: bool,
    },
    /// A message to be answered with a refusal.
    Refused(Notice),
    /// Bytes without a NUL within the limit.
    Broken(Notice),
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
            Err(_) => return Ok(Some(First::Broken(Notice::no_nul(buffer)))),
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

/// Waits for the registration of a connection, and until its secret may be judged. Returns the reason if the
/// registration is to be refused, and `None` if the connection is to be closed without an answer.
pub(crate) async fn receive_registration<R: AsyncRead + Unpin>(
    peer: &Peer,
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
                peer.place.tell(peer.address, &Notice::Withheld);
            }
            match role {
                Role::Spectator if !peer.place.count_spectator() => {
                    return Some(Err(Notice::TooManySpectators));
                }
                Role::Player if secret.is_some() => tokio::select! {
                    judged = timeout(REGISTRATION, peer.place.await_judgement(name)) => {
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
            peer.place.tell(peer.address, &notice);
            None
        }
        Some(Err(failure)) => {
            debug!("{}: {failure}", peer.address);
            None
        }
        None => {
            debug!("{} did not register", peer.address);
            None
        }
    }
}

/// Waits until the peer is gone, and drops messages that arrive meanwhile.
async fn end<R: AsyncRead + Unpin>(frames: &mut FramedRead<R, Opening>) {
    while let Some(Ok(First::Registration { .. } | First::Refused(_))) = frames.next().await {
        consume_budget().await;
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use game::pacman::Orders;
    use game::pyrat::Action;
    use protocol::CLIENT_FRAME_LIMIT;

    use super::*;

    /// Drives the decoder as tokio-util's readers do. Returns the first item, and the messages after it up to one that
    /// breaks the protocol.
    fn decode(stream: &[u8], segment: usize) -> (Option<First>, Vec<Bytes>) {
        let mut buffer = BytesMut::new();
        let mut opening = Opening(FrameCodec::new(CLIENT_FRAME_LIMIT));
        let mut segments = stream.chunks(segment);
        let first = loop {
            let (read, is_end) = match segments.next() {
                Some(segment) => {
                    buffer.extend_from_slice(segment);
                    (opening.decode(&mut buffer), false)
                }
                None => (opening.decode_eof(&mut buffer), true),
            };
            let first = read.expect("nothing is read from outside");
            assert!(first.is_some() || buffer.len() <= CLIENT_FRAME_LIMIT);
            if first.is_some() || is_end {
                break first;
            }
        };
        buffer.extend(segments.flatten().copied());
        let mut frames = opening.0;
        let mut messages = Vec::new();
        while let Ok(Some(message)) = frames.decode(&mut buffer) {
            messages.push(message);
        }
        (first, messages)
    }

    #[test]
    fn first_messages_are_classified() {
        for (stream, expected) in [
            (b"joueur;Ada\0NE\0".as_slice(), "registration of Ada, then 1"),
            (b"joueur;Ada#correct-horse\0", "withheld registration of Ada, then 0"),
            (
                b"Joueur;Ada\0NE\0",
                "refused: expected \"joueur;NAME\" or \"afficheur;NAME\" and a NUL byte, found \"Joueur;\", then 1",
            ),
            (
                b"GET / HTTP/1.1\r\n\r\n",
                "refused: it is a web browser, and this port is for bots; the web page has another port, --web, then 0",
            ),
            (
                b"\x16\x03\x01\x02\0\x01",
                "refused: it is a web browser, and this port is for bots; the web page has another port, --web, then 0",
            ),
            (
                b"joueur;Ada",
                "sent 10 bytes without the NUL byte that ends a message: \"joueur;Ada\", then 0",
            ),
            (b"", "nothing, then 0"),
        ] {
            let (first, messages) = decode(stream, 64);
            let first = match first {
                None => "nothing".to_owned(),
                Some(First::Refused(notice) | First::Broken(notice)) => notice.to_string(),
                Some(First::Registration { registration, withheld }) => {
                    let kind = if withheld { "withheld registration" } else { "registration" };
                    format!("{kind} of {}", registration.name)
                }
            };
            assert_eq!(format!("{first}, then {}", messages.len()), expected);
        }
    }

    #[test]
    fn any_stream_is_a_registration_and_orders_or_is_refused() {
        bolero::check!().with_type::<(u8, u8, Vec<u8>)>().for_each(|(header, segment, rest)| {
            let header: &[u8] = match header % 4 {
                0 => b"joueur;",
                1 => b"afficheur;",
                2 => b"GET ",
                _ => b"",
            };
            let stream = [header, rest].concat();
            let (first, messages) = decode(&stream, 1 + usize::from(*segment));
            match first {
                Some(First::Registration { registration, .. }) => {
                    let message = stream.split(|&byte| byte == 0).next().unwrap_or_default();
                    assert_eq!(Registration::decode(message), Ok(registration));
                }
                Some(First::Refused(notice) | First::Broken(notice)) => {
                    // No text after a `#` in quotes is shown.
                    let notice = notice.to_string();
                    let shown = notice.split_once('"').map_or("", |(_, shown)| shown);
                    let end = shown.split_once('#').map_or("", |(_, end)| end);
                    assert!(matches!(end, "" | "\"" | "…\""), "{notice}");
                }
                None => assert!(stream.is_empty()),
            }
            for message in messages {
                let _ = Orders::decode(&message).encode();
                let _ = Action::decode(&message);
            }
        });
    }
}
