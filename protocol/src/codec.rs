//! The framing as a tokio-util codec.

use std::io;

use bytes::{Bytes, BytesMut};
use tokio_util::codec::{Decoder, Encoder};

use crate::{FrameDecoder, FrameTooLong, encode_frame};

/// Reads and writes whole messages on an asynchronous stream.
#[derive(Clone, Debug)]
pub struct FrameCodec(FrameDecoder);

/// Why no more messages come from a stream.
#[derive(Debug, thiserror::Error)]
pub enum CodecError {
    /// The peer breaks the protocol.
    #[error(transparent)]
    TooLong(#[from] FrameTooLong),
    /// The connection failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl FrameCodec {
    /// For incoming messages of at most `limit` bytes, the NUL not counted.
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

    /// A partial message at the end of the stream is dropped.
    fn decode_eof(&mut self, buffer: &mut BytesMut) -> Result<Option<Bytes>, CodecError> {
        let frame = self.decode(buffer)?;
        if frame.is_none() {
            buffer.clear();
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
