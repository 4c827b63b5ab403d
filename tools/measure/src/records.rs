//! Files with one record on each line, as JSON, plain or compressed with gzip.

use std::io::{self, BufRead, BufReader, Read};

use anyhow::Context;
use flate2::bufread::MultiGzDecoder;
use language::said;
use serde::de::DeserializeOwned;

/// The records of a file, each with the number of its line; empty lines are skipped.
///
/// # Errors
///
/// If the file cannot be read; afterwards, an item for each line that is no record.
pub fn records<T: DeserializeOwned>(
    file: impl Read + 'static,
) -> io::Result<impl Iterator<Item = anyhow::Result<(usize, T)>>> {
    let read = |(line, text): (usize, io::Result<String>)| -> anyhow::Result<Option<(usize, T)>> {
        let at = || said!("line {line}", "ligne {line}");
        let text = text.with_context(at)?;
        if text.trim().is_empty() {
            return Ok(None);
        }
        Ok(Some((line, serde_json::from_str(&text).with_context(at)?)))
    };
    Ok((1..).zip(lines(file)?).filter_map(move |line| read(line).transpose()))
}

fn lines(file: impl Read + 'static) -> io::Result<impl Iterator<Item = io::Result<String>>> {
    const GZIP: &[u8] = &[0x1f, 0x8b];
    let mut file = BufReader::new(file);
    let compressed = file.fill_buf()?.starts_with(GZIP);
    let plain: Box<dyn BufRead> = if compressed {
        Box::new(BufReader::new(MultiGzDecoder::new(file)))
    } else {
        Box::new(file)
    };
    Ok(plain.lines())
}
