//! Writing into a buffer that is known to be large enough.

/// Writes bytes one after the other. The buffer is sized beforehand, so that nothing grows while
/// writing; short texts are copied as whole blocks, of which only a part counts.
pub(super) struct Pen<'a> {
    buffer: &'a mut [u8],
    at: usize,
}

/// A short text in a block of fixed size.
#[derive(Clone, Copy, Default)]
pub(super) struct Short {
    bytes: [u8; Self::MAX],
    len: u8,
}

impl Short {
    pub(super) const MAX: usize = 15;

    /// Keeps the first [`MAX`](Self::MAX) bytes.
    pub(super) fn new(text: &str) -> Self {
        let mut short = Self::default();
        let len = text.len().min(Self::MAX);
        short.bytes[..len].copy_from_slice(&text.as_bytes()[..len]);
        // At most 15.
        short.len = len as u8;
        short
    }
}

impl<'a> Pen<'a> {
    /// Room that must be left behind the last byte that counts.
    pub(super) const SLACK: usize = Short::MAX;

    pub(super) fn new(buffer: &'a mut [u8], at: usize) -> Self {
        Self { buffer, at }
    }

    /// Where the next byte goes.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn byte(&mut self, byte: u8) {
        self.buffer[self.at] = byte;
        self.at += 1;
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.buffer[self.at..][..bytes.len()].copy_from_slice(bytes);
        self.at += bytes.len();
    }

    pub(super) fn short(&mut self, short: &Short) {
        self.buffer[self.at..][..Short::MAX].copy_from_slice(&short.bytes);
        self.at += usize::from(short.len);
    }

    pub(super) fn unsigned(&mut self, number: u32) {
        if number < 10 {
            // A digit.
            self.byte(b'0' + number as u8);
        } else {
            self.bytes(itoa::Buffer::new().format(number).as_bytes());
        }
    }

    pub(super) fn signed(&mut self, number: i32) {
        if number < 0 {
            self.byte(b'-');
        }
        self.unsigned(number.unsigned_abs());
    }
}
