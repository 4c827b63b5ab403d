//! Measures the extra time of a sandboxed start over a plain start: medians of pairs within one run.
//!
//! `cargo run --release -p sandbox --example cost [PAIRS [MILLISECONDS]]`, with a pause between pairs: to move a process
//! between control groups, the kernel waits for other processors, unless it has just waited for them.
#![expect(clippy::print_stdout, reason = "it is what it is for")]

use std::fs::File;
use std::io;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use sandbox::{Invocation, Isolation, Level, Limits, Sandbox};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    sandbox::launcher_main();
    let pairs = std::env::args().nth(1).map_or(Ok(100), |pairs| pairs.parse())?;
    let pause = std::env::args().nth(2).map_or(Ok(200), |pause| pause.parse())?;
    let sandbox = Sandbox::new(Isolation { level: Level::Auto, ..Isolation::default() })?;
    println!("protections: {:?}", sandbox.protections());
    for gap in sandbox.gaps() {
        println!("not protected: {gap}");
    }
    let (mut plain, mut isolated, mut extra, mut ends) = (vec![], vec![], vec![], vec![]);
    for _ in 0..pairs {
        thread::sleep(Duration::from_millis(pause));
        let without = plain_start()?;
        let (with, end) = isolated_start(&sandbox)?;
        plain.push(without);
        isolated.push(with);
        extra.push(with.saturating_sub(without));
        ends.push(end);
    }
    println!("plain start            {:?}", median(&mut plain));
    println!("sandboxed start        {:?}", median(&mut isolated));
    println!("extra, median of pairs {:?}", median(&mut extra));
    println!("end, until all is gone {:?}", median(&mut ends));
    Ok(())
}

fn plain_start() -> io::Result<Duration> {
    let start = Instant::now();
    let mut child = Command::new("/bin/sleep").arg("10").stdout(Stdio::null()).spawn()?;
    let took = start.elapsed();
    child.kill()?;
    child.wait()?;
    Ok(took)
}

fn isolated_start(sandbox: &Sandbox) -> Result<(Duration, Duration), Box<dyn std::error::Error>> {
    let output = File::options().write(true).open("/dev/null")?;
    let start = Instant::now();
    let running = sandbox.start(&Limits::default(), output.into(), |_| Invocation {
        path: "/bin/sleep".into(),
        arguments: vec!["10".into()],
        folder: "/usr".into(),
        visible: Vec::new(),
        environment: Vec::new(),
    })?;
    let took = start.elapsed();
    let start = Instant::now();
    let _ = running.finish();
    Ok((took, start.elapsed()))
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort();
    times[times.len() / 2]
}
