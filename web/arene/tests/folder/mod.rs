//! The folder of the page, made by `scripts/page.sh`.

use std::env;
use std::path::{Path, PathBuf};

/// The folder `PAGE`, or else that of the build.
pub(crate) fn page() -> PathBuf {
    let folder = env::var_os("PAGE").map(PathBuf::from);
    let folder = folder.unwrap_or_else(|| Path::new("../../target/page").to_owned());
    folder.canonicalize().expect("`scripts/page.sh` makes the folder of the page")
}
