//! The launcher as a program of its own, for callers whose `main` is not theirs, such as tests.

fn main() {
    sandbox::launcher_main();
}
