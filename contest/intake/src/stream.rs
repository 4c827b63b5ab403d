//! Readers below a tar archive: decompression, and limits.

use std::cell::Cell;
use std::fmt;
use std::io::{self, BufRead, ErrorKind, Read};
use std::mem;

use flate2::bufread::GzDecoder;

use crate::format::GZIP;

/// Maximum number of gzip members, each of which costs the memory of a decompressor once more.
const MEMBERS: usize = 4_096;

/// A fault of the archive that a reader reports as an [`io::Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StreamFault {
    /// More bytes than allowed.
    TooMuch,
    /// Other bytes follow the compressed data.
    Trailing,
}

impl fmt::Display for StreamFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

impl std::error::Error for StreamFault {}

impl StreamFault {
    /// The fault that an error carries.
    pub(crate) fn of(error: &io::Error) -> Option<Self> {
        error.get_ref()?.downcast_ref().copied()
    }
}

impl From<StreamFault> for io::Error {
    fn from(fault: StreamFault) -> Self {
        Self::new(ErrorKind::InvalidData, fault)
    }
}

/// Decompresses all members of a gzip file, as gzip does, and takes nothing else after them.
pub(crate) struct Gunzip<R> {
    state: State<R>,
    members: usize,
}

enum State<R> {
    /// The next member, or the end.
    Between(R),
    Inside(Box<GzDecoder<R>>),
    Ended,
}

impl<R: BufRead> Gunzip<R> {
    pub(crate) fn new(reader: R) -> Self {
        Self { state: State::Inside(Box::new(GzDecoder::new(reader))), members: 1 }
    }
}

impl<R: BufRead> Read for Gunzip<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match mem::replace(&mut self.state, State::Ended) {
                State::Ended => return Ok(0),
                State::Inside(mut member) => match member.read(buffer)? {
                    0 if !buffer.is_empty() => self.state = State::Between(member.into_inner()),
                    read => {
                        self.state = State::Inside(member);
                        return Ok(read);
                    }
                },
                State::Between(mut reader) => {
                    let next = reader.fill_buf()?;
                    if next.is_empty() {
                        return Ok(0);
                    }
                    // A buffer may end after the first byte.
                    let is_member = next.starts_with(&GZIP[..next.len().min(GZIP.len())]);
                    if !is_member || self.members == MEMBERS {
                        return Err(StreamFault::Trailing.into());
                    }
                    self.members += 1;
                    self.state = State::Inside(Box::new(GzDecoder::new(reader)));
                }
            }
        }
    }
}

/// Counts bytes, and gives no more of them than allowed.
pub(crate) struct Metered<'a, R> {
    pub(crate) reader: R,
    /// Number of bytes that may still be read.
    pub(crate) left: u64,
    /// True once the end was read.
    pub(crate) is_at_end: &'a Cell<bool>,
}

impl<R: Read> Read for Metered<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.is_at_end.set(read == 0 && !buffer.is_empty());
        self.left = self.left.checked_sub(read as u64).ok_or(StreamFault::TooMuch)?;
        Ok(read)
    }
}
