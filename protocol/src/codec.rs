//! The framing as a tokio-util codec.

use std::io;

use bytes::{Bytes, BytesMut};
use tokio_util::codec::{Decoder, Encoder};

use crate::{FrameDecoder, FrameTooLong, encode_frame};

/// Decodes and encodes whole messages on an asynchronous stream.
///
/// ```
/// use bytes::BytesMut;
/// use protocol::FrameCodec;
/// use tokio_util::codec::{Decoder, Encoder};
///
/// let mut codec = FrameCodec::new(100);
/// let mut stream = BytesMut::new();
/// codec.encode(b"joueur;Ada", &mut stream)?;
/// assert_eq!(&stream[..], b"joueur;Ada\0");
/// assert_eq!(codec.decode(&mut stream)?.unwrap(), "joueur;Ada");
/// assert!(codec.decode(&mut stream)?.is_none());
/// # Ok::<(), protocol::CodecError>(())
/// ```
#[derive(Clone, Debug)]
pub struct FrameCodec(FrameDecoder);

/// An error that ends the decoding of a stream.
#[derive(Debug, thiserror::Error)]
pub enum CodecError {
    /// The peer sent a message that is longer than the limit.
    #[error(transparent)]
    TooLong(#[from] FrameTooLong),
    /// The connection failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl FrameCodec {
    /// A codec that decodes messages of at most `limit` bytes, the NUL not counted.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self(FrameDecoder::new(limit))
    }
}

impl Decoder for FrameCodec {
    type Item = Bytes;
    type Error = CodecError;

    fn decode(&mut self, buffer: &mut BytesMut) -> Result<Option<Bytes>, CodecError> {
        Ok(self.0.decode(buffer)?)
    }

    /// Drops a partial message at the end of the stream.
    fn decode_eof(&mut self, buffer: &mut BytesMut) -> Result<Option<Bytes>, CodecError> {
        let frame = self.decode(buffer)?;
        if frame.is_none() {
            self.0.drop_partial(buffer);
        }
        Ok(frame)
    }
}

impl Encoder<&[u8]> for FrameCodec {
    type Error = CodecError;

    fn encode(&mut self, message: &[u8], stream: &mut BytesMut) -> Result<(), CodecError> {
        encode_frame(message, stream);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const LIMIT: usize = 4;

    /// Drives the codec as tokio-util's readers do: after every segment until more bytes are
    /// needed, and at the end of the stream until nothing is left.
    fn read<'a>(
        codec: &mut FrameCodec,
        segments: impl IntoIterator<Item = &'a [u8]>,
    ) -> (Vec<Bytes>, Result<(), CodecError>) {
        let mut buffer = BytesMut::new();
        let mut frames = Vec::new();
        let read_all = || {
            for segment in segments {
                buffer.extend_from_slice(segment);
                while let Some(frame) = codec.decode(&mut buffer)? {
                    frames.push(frame);
                }
            }
            while let Some(frame) = codec.decode_eof(&mut buffer)? {
                frames.push(frame);
            }
            Ok(())
        };
        let end = read_all();
        (frames, end)
    }

    /// Reference by splitting: the messages before the first one that is too long, and true if there is such a message.
    fn split(stream: &[u8]) -> (Vec<&[u8]>, bool) {
        let mut messages: Vec<_> = stream.split(|&byte| byte == 0).collect();
        let long = messages.iter().position(|message| message.len() > LIMIT);
        messages.truncate(long.unwrap_or(messages.len() - 1));
        (messages, long.is_some())
    }

    #[test]
    fn messages_that_wait_at_the_end_come_out_before_the_partial_one_is_dropped() {
        let mut codec = FrameCodec::new(LIMIT);
        let mut buffer = BytesMut::from(b"N\0O\0S".as_slice());
        assert_eq!(codec.decode_eof(&mut buffer).unwrap(), Some(Bytes::from("N")));
        assert_eq!(codec.decode_eof(&mut buffer).unwrap(), Some(Bytes::from("O")));
        assert_eq!(codec.decode_eof(&mut buffer).unwrap(), None);
        assert!(buffer.is_empty());
    }

    #[test]
    fn a_stream_may_go_on_after_its_end() {
        let mut codec = FrameCodec::new(LIMIT);
        assert_eq!(read(&mut codec, [b"cut".as_slice()]).0, [""; 0]);
        assert_eq!(read(&mut codec, [b"\0N\0".as_slice()]).0, ["", "N"]);
    }

    #[test]
    fn a_message_that_is_too_long_says_what_the_limit_is() {
        let (frames, end) = read(&mut FrameCodec::new(LIMIT), [b"NO\0too long".as_slice()]);
        assert_eq!(frames, ["NO"]);
        assert_eq!(end.unwrap_err().to_string(), "a message of more than 4 bytes");
    }

    #[test]
    fn without_a_limit_every_message_is_short_enough() {
        let (frames, end) = read(&mut FrameCodec::new(usize::MAX), [b"NO\0N".as_slice()]);
        assert_eq!(frames, ["NO"]);
        end.unwrap();
    }

    proptest! {
        #[test]
        fn any_stream_in_any_segments_is_cut_like_by_splitting(
            segments in prop::collection::vec(prop::collection::vec(0_u8..4, 0..9), 0..12),
        ) {
            let stream = segments.concat();
            let (expected, too_long) = split(&stream);
            let segments = segments.iter().map(Vec::as_slice);
            let (frames, end) = read(&mut FrameCodec::new(LIMIT), segments);
            prop_assert_eq!(frames, expected);
            prop_assert_eq!(matches!(end, Err(CodecError::TooLong(_))), too_long);
            prop_assert_eq!(end.is_err(), too_long);
        }
    }
}
