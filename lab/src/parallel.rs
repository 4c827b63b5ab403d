//! The same work for many numbers, on all cores.

use std::num::NonZero;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

/// Returns the results of `work` for each number, in the order of the numbers; the number of cores
/// changes only the duration.
///
/// # Errors
///
/// The first failure, in that order. `work` may then not be called for later numbers.
pub fn map<T: Send, E: Send>(
    numbers: Range<u64>,
    work: impl Fn(u64) -> Result<T, E> + Sync,
) -> Result<Vec<T>, E> {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    // Numbers are handed out in order, and each worker finishes its number: if one fails, all numbers
    // before it get a result.
    let next = AtomicU64::new(numbers.start);
    let failed = AtomicBool::new(false);
    let worker = || {
        let mut done = Vec::new();
        while !failed.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            // The counter wraps around after the last u64.
            if !numbers.contains(&number) {
                break;
            }
            let result = work(number);
            failed.fetch_or(result.is_err(), Ordering::Relaxed);
            done.push((number, result));
        }
        done
    };
    let mut done = thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(worker)).collect();
        let results = workers.into_iter().map(|worker| match worker.join() {
            Ok(done) => done,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        results.flatten().collect::<Vec<_>>()
    });
    done.sort_unstable_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order() {
        let squares = map(3..1000, |number| Ok::<_, ()>(number * number)).unwrap();
        assert!(squares.into_iter().eq((3..1000).map(|number| number * number)));
        assert_eq!(map(5..5, Ok::<_, ()>), Ok(vec![]));
    }

    #[test]
    fn the_first_failure_counts() {
        let fails = |number| if number % 7 == 6 { Err(number) } else { Ok(number) };
        for _ in 0..20 {
            assert_eq!(map(0..1000, fails), Err(6));
        }
    }
}
