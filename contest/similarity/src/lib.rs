//! Which programs of a class look copied from each other. A person decides; this crate finds the pairs that are worth reading.
//!
//! - A [`Class`] has the programs, without the code that the course handed out and what much of the class has.
//! - A [`Pair`] of programs has the share of tokens that both have, and the [`Region`]s where they are.
//! - [`Language`] is found by the extension of a file.
//!
//! # Method
//!
//! 1. A scanner reads tokens. All names are the same token, and so are all numbers and all strings; keywords, operators and
//!    common functions of the standard library are kept. Comments, blank lines, indentation, commas and semicolons vanish. So
//!    other names, comments, literals and another layout change nothing.
//! 2. Winnowing selects fingerprints: hashes of 9 tokens, at least one of 4 in a row. This is the method of MOSS
//!    (Schleimer, Wilkerson and Aiken, *Winnowing: Local Algorithms for Document Fingerprinting*, SIGMOD 2003).
//! 3. From fingerprints that two programs share, greedy string tiling finds common regions of 9 tokens or more, the longest
//!    ones first; no token is in two of them. Their order does not matter, so a function that was moved is found. `JPlag`
//!    compares programs so (Prechelt, Malpohl and Philippsen, *Finding Plagiarisms among a Set of Programs with
//!    `JPlag`*, JUCS 2002).
//!
//! Before that, two kinds of code are left out: sequences of 9 tokens that the base has, and code that more than 30 % of the
//! programs have, if they are more than 6, or that more than 40 programs have. So copies that a third of the class made of
//! one program are not found. Programs in different languages have nothing in common.
//!
//! # Error rates
//!
//! A pair is suspicious if at least 30 % of the smaller program are matched ([`SUSPICIOUS`]), at least 10 % of both together
//! ([`LEAST_OF_BOTH`]), and at least 40 tokens ([`FEWEST_TOKENS`]). The threshold of 30 % and the lengths 9 and 4 were chosen
//! on the programs in `tests/programs`. The figures below come from the same programs, and other classes may have higher
//! error rates.
//!
//! The data are 20 bots of 37 to 93 lines with other strategies and styles, 12 of them in Python. 11 of them have a copy by hand:
//! loops, conditions and functions were rewritten, as a lazy or a diligent student would. The tests disguise programs as
//! well: they change names, comments, literals and layout, move functions, swap statements and insert dead ones.
//! All of these programs were written for the tests; none comes from a real class. Honest pairs are all pairs but those of a
//! program and its own copy. "Least" is the lowest matched share of a copied pair; "most" is the highest one of an honest pair.
//!
//! | class | copied pairs found | least | honest pairs wrongly suspected | most |
//! | --- | --- | --- | --- | --- |
//! | the 20 bots alone | | | 0 of 190 | 0.27 |
//! | and 11 copies by hand | 11 of 11 | 0.43 | 0 of 454 | 0.27 |
//! | and 20 disguised copies; ten classes | 200 of 200 | 0.67 | 0 of 7600 | 0.28 |
//! | and 20 disguised copies, 11 of them first copied by hand; ten classes | 200 of 200 | 0.33 | 0 of 7600 | 0.28 |
//!
//! Of the 190 pairs, 71 are in the same language; the others cannot be matched.
//!
//! As a check on other programs, the 171 modules of the standard library of Python 3.11 that are single files were compared:
//! 24 of 14535 pairs are suspicious, and most of these share code indeed.
//!
//! Copies are missed if nearly every statement was rewritten, or if the program was translated into another language. Chance
//! matches are most frequent between a short program and a long one; the threshold for both programs together is against
//! these. Without a base, code that was handed out looks copied if six programs or fewer have it.
//!
//! # Limits
//!
//! Files may hold any bytes. At most [`MAX_BYTES`] of a file and [`MAX_TOKENS`] of a program are read; [`Extent::is_cut`]
//! tells if there were more. The time is near to linear in the tokens of the class and in the number of pairs with common
//! regions: 60 programs take some hundredths of a second.
//!
//! ```
//! use similarity::{Class, Program, Source};
//!
//! let program = |name: &str, text: &str| Program {
//!     name: name.into(),
//!     sources: vec![Source::new(format!("{name}.py"), text)],
//! };
//! let class = Class::new(
//!     &[],
//!     &[
//!         program("ada", "def total(items):\n    result = 0\n    for item in items:\n        result += item\n"),
//!         program("bob", "def somme(xs):  # la somme\n    s = 0\n    for x in xs: s += x\n"),
//!     ],
//! );
//! let pairs = class.pairs();
//! assert_eq!((pairs[0].first, pairs[0].second, pairs[0].of_smaller), (0, 1, 1.0));
//! assert_eq!((&pairs[0].regions[0].first.lines, &pairs[0].regions[0].second.lines), (&(1..=4), &(1..=3)));
//! ```

mod class;
mod fingerprint;
mod language;
mod listing;
mod pair;
mod program;
mod scanner;
mod tiling;
mod token;

pub use class::{Class, Extent};
pub use language::Language;
pub use listing::{MAX_BYTES, MAX_TOKENS};
pub use pair::{FEWEST_TOKENS, LEAST_OF_BOTH, Pair, Place, Region, SUSPICIOUS};
pub use program::{Program, Source};
