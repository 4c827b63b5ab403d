//! Prints which programs of a class look copied from each other.
//!
//! `cargo run --release -p similarity --example class -- [--base FILE]... PROGRAM...`; a program is a file or a folder.
#![expect(clippy::print_stdout, reason = "it is what it is for")]

use std::path::{Path, PathBuf};
use std::{env, fs, io};

use similarity::{Class, Program, Source};

/// The number of pairs that are printed.
const PAIRS: usize = 20;

fn main() -> io::Result<()> {
    let (mut base, mut programs) = (Vec::new(), Vec::new());
    let mut arguments = env::args_os().skip(1).map(PathBuf::from);
    while let Some(argument) = arguments.next() {
        if argument.as_os_str() == "--base" {
            base.extend(sources(&arguments.next().unwrap_or_default())?);
        } else {
            let name = argument.display().to_string();
            programs.push(Program { name, sources: sources(&argument)? });
        }
    }
    let class = Class::new(&base, &programs);
    for (program, extent) in
        programs.iter().zip(class.extents()).filter(|(_, extent)| extent.is_cut)
    {
        println!("{} is too long: only {} tokens are compared", program.name, extent.own);
    }
    let pairs = class.pairs();
    let suspicious = pairs.iter().filter(|pair| pair.is_suspicious()).count();
    println!(
        "{} programs, {} pairs with common regions, {suspicious} suspicious",
        programs.len(),
        pairs.len()
    );
    for pair in pairs.iter().take(PAIRS) {
        let [first, second] = [pair.first, pair.second].map(|index| &programs[index]);
        let [smaller, both] = [pair.of_smaller, pair.of_both].map(|share| 100.0 * share);
        println!(
            "{smaller:3.0} % of the smaller, {both:3.0} % of both: {} and {}",
            first.name, second.name
        );
        for region in pair.regions.iter().take(3) {
            let [one, other] =
                [(first, &region.first), (second, &region.second)].map(|(program, place)| {
                    format!("{}:{:?}", program.sources[place.source].name, place.lines)
                });
            println!("    {} tokens: {one} and {other}", region.tokens);
        }
    }
    Ok(())
}

/// The file at a path, or all files in the folder there and in its folders.
fn sources(path: &Path) -> io::Result<Vec<Source>> {
    if !path.is_dir() {
        return Ok(vec![Source::new(path.display().to_string(), fs::read(path)?)]);
    }
    let mut paths =
        fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths.iter().map(|path| sources(path)).collect::<io::Result<Vec<_>>>()?.concat())
}
