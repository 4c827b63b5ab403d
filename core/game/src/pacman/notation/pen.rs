//! Writing into a buffer that is known to be large enough.

#![expect(
    clippy::inline_always,
    reason = "a call would keep the position in memory, twice as slow"
)]

/// Writes lines of fields, each field followed by a semicolon, the last one by a newline.
///
/// The buffer is sized beforehand, so that nothing grows while writing; short texts are copied as
/// whole blocks, of which only a part counts.
pub(super) struct Pen<'a> {
    buffer: &'a mut [u8],
    at: usize,
}

/// A short text and the semicolon after it, in a block of fixed size.
#[derive(Clone, Copy)]
pub(super) struct ShortField {
    bytes: [u8; Self::SIZE],
    len: u8,
}

impl ShortField {
    const SIZE: usize = 15;

    /// Keeps the first 14 bytes of the text.
    pub(super) fn new(text: &str) -> Self {
        let len = text.len().min(Self::SIZE - 1);
        let mut bytes = [b';'; Self::SIZE];
        bytes[..len].copy_from_slice(&text.as_bytes()[..len]);
        // At most 15 bytes.
        Self { bytes, len: len as u8 + 1 }
    }
}

impl<'a> Pen<'a> {
    /// Spare bytes that the buffer needs behind the last byte written.
    pub(super) const SLACK: usize = ShortField::SIZE;

    pub(super) fn new(buffer: &'a mut [u8], at: usize) -> Self {
        Self { buffer, at }
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Ends a line after at least one field.
    #[inline(always)]
    pub(super) fn end_line(&mut self) {
        self.buffer[self.at - 1] = b'\n';
    }

    /// Writes bytes without a semicolon.
    #[inline(always)]
    pub(super) fn block<const N: usize>(&mut self, block: &[u8; N]) {
        self.buffer[self.at..][..N].copy_from_slice(block);
        self.at += N;
    }

    #[inline(always)]
    pub(super) fn letter(&mut self, letter: u8) {
        self.block(&[letter, b';']);
    }

    pub(super) fn text(&mut self, text: &[u8]) {
        self.buffer[self.at..][..text.len()].copy_from_slice(text);
        self.at += text.len();
        self.block(b";");
    }

    #[inline(always)]
    pub(super) fn short(&mut self, short: &ShortField) {
        self.buffer[self.at..][..ShortField::SIZE].copy_from_slice(&short.bytes);
        self.at += usize::from(short.len);
    }

    #[inline(always)]
    pub(super) fn unsigned(&mut self, number: u32) {
        match SMALL_NUMBERS.get(number as usize) {
            Some((field, len)) => {
                self.buffer[self.at..][..4].copy_from_slice(field);
                self.at += usize::from(*len);
            }
            None => self.long(number),
        }
    }

    #[cold]
    fn long(&mut self, number: u32) {
        self.text(itoa::Buffer::new().format(number).as_bytes());
    }

    #[inline(always)]
    pub(super) fn signed(&mut self, number: i32) {
        self.buffer[self.at] = b'-';
        self.at += usize::from(number < 0);
        self.unsigned(number.unsigned_abs());
    }
}

/// The number of fields that are known beforehand. A browser has to load them, and sends no state to anybody.
const SMALL: usize = if cfg!(target_family = "wasm") { 100 } else { 1000 };

/// The fields of the numbers below [`SMALL`] and their lengths, semicolon included. Most numbers of a
/// state are that small, and of unpredictable length.
static SMALL_NUMBERS: [([u8; 4], u8); SMALL] = {
    let mut numbers = [([b';'; 4], 0); SMALL];
    let mut number = 0;
    while number < SMALL {
        let hundreds = b'0' + (number / 100) as u8;
        let tens = b'0' + (number / 10 % 10) as u8;
        let ones = b'0' + (number % 10) as u8;
        numbers[number] = match number {
            0..10 => ([ones, b';', b';', b';'], 2),
            10..100 => ([tens, ones, b';', b';'], 3),
            _ => ([hundreds, tens, ones, b';'], 4),
        };
        number += 1;
    }
    numbers
};
