//! Shared parts of the programs' command lines: addresses, durations, rules, maps, results, logs and failures.

#[cfg(feature = "flags")]
mod command_line;
mod endpoint;
mod invocation;
#[cfg(feature = "flags")]
mod log_level;
mod map_file;
mod maze_file;
mod output;
mod process;
#[cfg(feature = "runtime")]
mod runtime;
mod say;

use std::net::{Ipv4Addr, SocketAddr};
use std::ops::RangeBounds;
use std::process::ExitCode;
use std::time::Duration;

use language::{colon, in_language, said, word};

#[cfg(feature = "flags")]
pub use command_line::{parse, parse_with, rules};
pub use endpoint::Endpoint;
pub use invocation::{command, command_elsewhere, this_command};
#[cfg(feature = "flags")]
pub use log_level::{LevelFilter, log_level, start_log, start_lossy_log};
pub use map_file::{load_map, load_map_for};
pub use maze_file::load_maze;
pub use output::{print, print_either, print_lines};
pub use process::{on_interrupt, prepare, state_folder};
#[cfg(feature = "runtime")]
pub use runtime::{interrupted, runtime};

/// The exit code after Ctrl-C: 128 plus the number of the signal.
pub const INTERRUPTED: u8 = 130;

/// The longest duration that a flag accepts.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// Tests if the user wants no colours (<https://no-color.org>).
pub fn no_color() -> bool {
    std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
}

/// Reads a duration as `500ms`, `2s`, `1m 30s`, or `0`.
///
/// # Errors
///
/// With the expected format.
pub fn duration(text: &str) -> Result<Duration, String> {
    if text.trim() == "0" {
        return Ok(Duration::ZERO);
    }
    let duration = humantime::parse_duration(text).map_err(|_| {
        said!(
            "expected a duration with its unit, as `500ms` or `2s`",
            "une durée avec son unité est attendue, comme `500ms` ou `2s`"
        )
    })?;
    if duration > LONGEST {
        return Err(said!("expected at most a day", "un jour au plus est attendu"));
    }
    Ok(duration)
}

/// As [`duration`], but not 0.
///
/// # Errors
///
/// With the expected format.
pub fn positive_duration(text: &str) -> Result<Duration, String> {
    duration(text).and_then(|duration| match duration {
        Duration::ZERO => Err(said!("expected more than 0", "plus de 0 est attendu")),
        _ => Ok(duration),
    })
}

/// Reads a confidence, a probability from 0.5 to below 1, with a point or a comma.
///
/// # Errors
///
/// With the expected range.
pub fn confidence(text: &str) -> Result<f64, String> {
    number_in(text, 0.5..1.0).ok_or_else(|| {
        said!(
            "expected a confidence from 0.5 to below 1, as 0.95",
            "une confiance entre 0,5 et moins de 1 est attendue, comme 0,95"
        )
    })
}

/// Reads a decimal number in a range, with a point or a comma; `None` if it is something else.
pub fn number_in(text: &str, range: impl RangeBounds<f64>) -> Option<f64> {
    let number = text.replace(',', ".").parse().ok();
    number.filter(|number| range.contains(number))
}

/// Reads an address with its port, or a port alone: that port of the loopback interface.
///
/// # Errors
///
/// With the expected format.
pub fn web_address(text: &str) -> Result<SocketAddr, String> {
    let port = text.parse().map(|port| SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    port.or_else(|_| text.parse()).map_err(|_| {
        said!(
            "expected a port, or an address with its port as 0.0.0.0:8080",
            "un port est attendu, ou une adresse avec son port comme 0.0.0.0:8080"
        )
    })
}

/// Prints the error on one line of the standard error. Returns the exit code 2.
#[expect(clippy::print_stderr, reason = "this is the program's last word")]
pub fn fail(error: &anyhow::Error) -> ExitCode {
    let what = word("error:", "erreur :");
    let why = in_language(&causes(error));
    eprintln!("{what} {}{}", printable(&why), process::hint(error));
    ExitCode::from(2)
}

/// An error and its causes as `{error:#}` shows them, with colons as the language sets them.
pub fn causes(error: &anyhow::Error) -> String {
    let mut causes = Vec::<String>::new();
    for cause in error.chain().map(ToString::to_string) {
        // Some errors tell their cause themselves.
        let is_told = |last: &String| last == &cause || last.ends_with(&format!(": {cause}"));
        if !causes.last().is_some_and(is_told) {
            causes.push(cause);
        }
    }
    causes.join(colon())
}

/// A text, such as a file name, that is safe to print on a terminal: control characters except newlines are
/// replaced.
pub fn printable(text: &str) -> String {
    let shown = |c: char| if c.is_control() && c != '\n' { char::REPLACEMENT_CHARACTER } else { c };
    text.chars().map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_not_shown() {
        assert_eq!(printable("\u{1b}[31mé\r\u{9b}\n"), "\u{fffd}[31mé\u{fffd}\u{fffd}\n");
    }

    #[test]
    fn a_cause_is_told_once() {
        let told = anyhow::anyhow!("no such file").context("cannot read x: no such file");
        assert_eq!(causes(&told), "cannot read x: no such file");
        let other = anyhow::anyhow!("1").context("line 1");
        assert_eq!(causes(&other), ["line 1", "1"].join(colon()));
    }

    #[test]
    fn durations_have_units() {
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("2s"), Ok(Duration::from_secs(2)));
        assert_eq!(duration("0"), Ok(Duration::ZERO));
        assert_eq!(duration("0ms"), Ok(Duration::ZERO));
        for wrong in ["", "5", "-1s", "2 apples", "s", "18446744073709551615s"] {
            assert!(duration(wrong).is_err(), "{wrong:?}");
        }
    }
}
