//! Maps, states and orders as text. The letters of the wire and of map files exist here only.

mod letters;
mod map;
mod orders;
mod pen;
mod state_reader;
mod state_text;

pub use map::MapError;
pub use state_reader::{Reading, StateError, StateReader};
pub use state_text::StateText;

/// What stands before and after the board in the text of a state.
const DASHES: &[u8; 21] = b"--------------------\n";

/// Calls `differ` with the index and both bytes wherever two texts of one length differ. Whole
/// blocks are compared first, for few bytes differ between the states of successive turns.
fn differences(old: &mut [u8], new: &[u8], mut differ: impl FnMut(usize, &mut u8, u8)) {
    const BLOCK: usize = 32;
    const WORD: usize = size_of::<u64>();
    let (old_blocks, old_rest) = old.as_chunks_mut::<BLOCK>();
    let (new_blocks, new_rest) = new.as_chunks::<BLOCK>();
    let rest = old_blocks.len() * BLOCK;
    for (block, (old, new)) in old_blocks.iter_mut().zip(new_blocks).enumerate() {
        if old == new {
            continue;
        }
        let words = old.as_chunks_mut::<WORD>().0.iter_mut().zip(new.as_chunks::<WORD>().0);
        for (word, (old, new)) in words.enumerate() {
            let mut different = u64::from_le_bytes(*old) ^ u64::from_le_bytes(*new);
            while different != 0 {
                let byte = different.trailing_zeros() as usize / 8;
                different &= !(0xff << (8 * byte));
                differ(block * BLOCK + word * WORD + byte, &mut old[byte], new[byte]);
            }
        }
    }
    for (at, (old, &new)) in old_rest.iter_mut().zip(new_rest).enumerate() {
        if *old != new {
            differ(rest + at, old, new);
        }
    }
}
