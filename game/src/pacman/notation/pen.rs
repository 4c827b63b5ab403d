//! Writing into a buffer that is known to be large enough.

#![expect(
    clippy::inline_always,
    reason = "a call would keep the position in memory, twice as slow"
)]

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

    #[inline(always)]
    pub(super) fn byte(&mut self, byte: u8) {
        self.buffer[self.at] = byte;
        self.at += 1;
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.buffer[self.at..][..bytes.len()].copy_from_slice(bytes);
        self.at += bytes.len();
    }

    #[inline(always)]
    pub(super) fn short(&mut self, short: &Short) {
        self.buffer[self.at..][..Short::MAX].copy_from_slice(&short.bytes);
        self.at += usize::from(short.len);
    }

    /// As [`bytes`](Self::bytes), for a text whose length is known beforehand.
    #[inline(always)]
    pub(super) fn block<const N: usize>(&mut self, block: &[u8; N]) {
        self.buffer[self.at..][..N].copy_from_slice(block);
        self.at += N;
    }

    #[inline(always)]
    pub(super) fn unsigned(&mut self, number: u32) {
        match SMALL_NUMBERS.get(number as usize) {
            Some([digits @ .., len]) => {
                self.buffer[self.at..][..3].copy_from_slice(digits);
                self.at += usize::from(*len);
            }
            None => self.long(number),
        }
    }

    #[cold]
    fn long(&mut self, number: u32) {
        self.bytes(itoa::Buffer::new().format(number).as_bytes());
    }

    #[inline(always)]
    pub(super) fn signed(&mut self, number: i32) {
        self.buffer[self.at] = b'-';
        self.at += usize::from(number < 0);
        self.unsigned(number.unsigned_abs());
    }
}

/// The digits of the numbers below 1000, and how many there are. Most numbers of a state are that
/// small, and of unpredictable length.
static SMALL_NUMBERS: [[u8; 4]; 1000] = {
    let mut numbers = [[0; 4]; 1000];
    let mut number = 0;
    while number < 1000 {
        let hundreds = b'0' + (number / 100) as u8;
        let tens = b'0' + (number / 10 % 10) as u8;
        let ones = b'0' + (number % 10) as u8;
        numbers[number] = match number {
            0..10 => [ones, 0, 0, 1],
            10..100 => [tens, ones, 0, 2],
            _ => [hundreds, tens, ones, 3],
        };
        number += 1;
    }
    numbers
};
