//! The same work for many numbers, on all cores.

use std::ops::Range;

use rayon::iter::{IntoParallelIterator, ParallelIterator};

/// Returns the results of `work` for each number, in the order of the numbers; the number of cores
/// changes only the duration.
///
/// # Errors
///
/// The first failure, in that order.
pub fn map<T: Send, E: Send>(
    numbers: Range<u64>,
    work: impl Fn(u64) -> Result<T, E> + Sync + Send,
) -> Result<Vec<T>, E> {
    let results: Vec<_> = numbers.into_par_iter().map(work).collect();
    results.into_iter().collect()
}
