//! The launcher as a separate program, for callers that do not control their `main`, such as tests.

fn main() {
    sandbox::launcher_main();
}
