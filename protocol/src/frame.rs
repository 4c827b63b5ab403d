//! The framing: a message is its text followed by a NUL byte.

use bytes::{Buf, BufMut, Bytes, BytesMut};
use language::said;

/// Splits a stream of bytes, which may arrive in any segments, into messages. With the feature `codec`, a codec of tokio-util.
///
/// ```
/// use bytes::BytesMut;
/// use protocol::{FrameCodec, encode_frame};
///
/// let mut codec = FrameCodec::new(100);
/// let mut stream = BytesMut::new();
/// encode_frame(b"joueur;Ada", &mut stream);
/// assert_eq!(&stream[..], b"joueur;Ada\0");
/// assert_eq!(codec.decode(&mut stream)?.unwrap(), "joueur;Ada");
/// assert!(codec.decode(&mut stream)?.is_none());
/// # Ok::<(), protocol::FrameTooLong>(())
/// ```
#[derive(Clone, Debug)]
pub struct FrameCodec {
    limit: usize,
    /// Number of bytes at the front of the buffer that hold no NUL.
    pub(crate) searched: usize,
}

/// A message is longer than the limit. Nothing after it can be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", said!(
    "a message of more than {limit} bytes",
    "un message de plus de {limit} octets"
))]
pub struct FrameTooLong {
    /// Maximum length of a message in bytes, without its NUL.
    pub limit: usize,
}

impl FrameCodec {
    /// A codec that decodes messages of at most `limit` bytes, the NUL not counted.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self { limit, searched: 0 }
    }

    /// Removes the first message from the front of `buffer` and returns it without its NUL. The caller
    /// appends the bytes that arrive to the end of `buffer`. Returns `None` if more bytes are needed; at
    /// most `limit` bytes then stay in the buffer.
    ///
    /// # Errors
    ///
    /// If the first message is longer than the limit, whether its NUL has arrived or not.
    pub fn decode(&mut self, buffer: &mut BytesMut) -> Result<Option<Bytes>, FrameTooLong> {
        let window = &buffer[..buffer.len().min(self.limit.saturating_add(1))];
        match window[self.searched.min(window.len())..].iter().position(|&byte| byte == 0) {
            Some(at) => {
                let frame = buffer.split_to(self.searched + at).freeze();
                buffer.advance(1);
                self.searched = 0;
                Ok(Some(frame))
            }
            None if window.len() > self.limit => Err(FrameTooLong { limit: self.limit }),
            None => {
                self.searched = window.len();
                Ok(None)
            }
        }
    }
}

/// Appends a message and its NUL to a buffer of bytes to send.
pub fn encode_frame(message: &[u8], stream: &mut BytesMut) {
    stream.reserve(message.len() + 1);
    stream.put_slice(message);
    stream.put_u8(0);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Feeds a stream in the given segments; returns the messages, and true if one was too long.
    fn decode_all<'a>(
        limit: usize,
        segments: impl IntoIterator<Item = &'a [u8]>,
    ) -> (Vec<Bytes>, bool) {
        let mut decoder = FrameCodec::new(limit);
        let mut buffer = BytesMut::new();
        let mut frames = Vec::new();
        for segment in segments {
            buffer.extend_from_slice(segment);
            loop {
                match decoder.decode(&mut buffer) {
                    Ok(Some(frame)) => frames.push(frame),
                    Ok(None) => break,
                    Err(error) => {
                        assert_eq!(
                            error.to_string(),
                            format!("a message of more than {limit} bytes")
                        );
                        return (frames, true);
                    }
                }
            }
            assert!(buffer.len() <= limit);
        }
        (frames, false)
    }

    #[test]
    fn the_limit_does_not_count_the_nul() {
        assert_eq!(decode_all(3, [b"abc\0".as_slice()]), (vec![Bytes::from("abc")], false));
        assert_eq!(decode_all(3, [b"abc".as_slice(), b"\0"]), (vec![Bytes::from("abc")], false));
        assert_eq!(decode_all(3, [b"abcd\0".as_slice()]), (vec![], true));
        assert_eq!(decode_all(3, [b"abcd".as_slice()]), (vec![], true));
        assert_eq!(decode_all(0, [b"\0\0".as_slice()]), (vec![Bytes::new(), Bytes::new()], false));
        assert_eq!(decode_all(usize::MAX, [b"NO\0N".as_slice()]).0, ["NO"], "no limit");
    }

    #[test]
    fn any_bytes_are_cut_like_by_splitting() {
        bolero::check!().with_type::<(u8, Vec<u8>)>().for_each(|(segment, stream)| {
            let (frames, too_long) = decode_all(16, stream.chunks(1 + usize::from(*segment)));
            let mut expected: Vec<_> = stream.split(|&byte| byte == 0).collect();
            let long = expected.iter().position(|message| message.len() > 16);
            expected.truncate(long.unwrap_or(expected.len() - 1));
            assert_eq!(frames, expected);
            assert_eq!(too_long, long.is_some());
        });
    }
}
