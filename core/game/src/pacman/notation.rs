//! Maps, states and orders as text. The letters of the wire and of map files exist here only.

mod letters;
mod map;
mod orders;
mod pen;
mod places;
mod state_reader;
mod state_text;

pub use map::MapError;
pub(super) use places::Places;
pub use state_reader::{Reading, StateError, StateReader};
pub use state_text::StateText;

/// Calls `differ` with the index and both bytes wherever two texts of one length differ. Whole
/// blocks are compared first, for few bytes differ between the states of successive turns.
fn differences(old: &mut [u8], new: &[u8], mut differ: impl FnMut(usize, &mut u8, u8)) {
    const BLOCK: usize = 256;
    const WORD: usize = size_of::<u64>();
    for (block, (old, new)) in old.chunks_mut(BLOCK).zip(new.chunks(BLOCK)).enumerate() {
        if old == new {
            continue;
        }
        let start = block * BLOCK;
        let (old_words, old_rest) = old.as_chunks_mut::<WORD>();
        let (new_words, new_rest) = new.as_chunks::<WORD>();
        let rest = start + old_words.len() * WORD;
        for (word, (old, new)) in old_words.iter_mut().zip(new_words).enumerate() {
            let mut different = u64::from_le_bytes(*old) ^ u64::from_le_bytes(*new);
            while different != 0 {
                let byte = different.trailing_zeros() as usize / 8;
                different &= !(0xff << (8 * byte));
                differ(start + word * WORD + byte, &mut old[byte], new[byte]);
            }
        }
        for (at, (old, &new)) in old_rest.iter_mut().zip(new_rest).enumerate() {
            if *old != new {
                differ(rest + at, old, new);
            }
        }
    }
}
