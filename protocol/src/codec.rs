//! The framing as a tokio-util codec.

use std::io;

use bytes::{Bytes, BytesMut};
use tokio_util::codec::{Decoder, Encoder};

use crate::{FrameCodec, FrameTooLong, encode_frame};

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

impl Decoder for FrameCodec {
    type Item = Bytes;
    type Error = CodecError;

    fn decode(&mut self, buffer: &mut BytesMut) -> Result<Option<Bytes>, CodecError> {
        Ok(Self::decode(self, buffer)?)
    }

    /// Drops a partial message at the end of the stream.
    fn decode_eof(&mut self, buffer: &mut BytesMut) -> Result<Option<Bytes>, CodecError> {
        let frame = Self::decode(self, buffer)?;
        if frame.is_none() {
            buffer.clear();
            self.searched = 0;
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

    #[test]
    fn messages_that_wait_at_the_end_come_out_before_the_partial_one_is_dropped() {
        let mut codec = FrameCodec::new(4);
        let mut buffer = BytesMut::from(b"N\0O\0S".as_slice());
        assert_eq!(codec.decode_eof(&mut buffer).unwrap(), Some(Bytes::from("N")));
        assert_eq!(codec.decode_eof(&mut buffer).unwrap(), Some(Bytes::from("O")));
        assert_eq!(codec.decode_eof(&mut buffer).unwrap(), None);
        assert!(buffer.is_empty());
        // A stream may go on after its end.
        buffer.extend_from_slice(b"\0N\0");
        assert_eq!(codec.decode(&mut buffer).unwrap(), Some(Bytes::new()));
        assert_eq!(codec.decode(&mut buffer).unwrap(), Some(Bytes::from("N")));
    }
}
