//! The checks of a bot on the terminal, as they are made.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, IsTerminal, Write};
use std::mem::{Discriminant, discriminant};
use std::time::Duration;

use checkup::words::{self, Told};
use checkup::{
    Case, Check, CheckEvent, CheckReport, CheckVerdict, Examination, Fact, Finding, Severity,
};
use indicatif::{ProgressBar, ProgressStyle};
use plan::Team;
use textwrap::WordSplitter::NoHyphenation;

/// Greatest width of a line in columns, those of the narrowest usual terminal; the output of programs is not broken.
const WIDTH: usize = 80;
/// Greatest number of characters shown of an error that is repeated.
const SHOWN: usize = 100;

/// Prints a line for each check, with its findings below.
pub(crate) struct CheckList {
    bar: ProgressBar,
    has_colours: bool,
    /// The errors shown so far.
    errors: BTreeMap<Vec<String>, ShownError>,
    skipped: Vec<Check>,
}

/// An error of the program that was shown with its output.
#[derive(Default)]
struct ShownError {
    /// The last line of the output, which names an exception.
    last: String,
    /// True if the output has a traceback, not only what the program prints anyway.
    has_traceback: bool,
    /// Number of findings with this error.
    count: usize,
    /// The kinds of these findings.
    kinds: Vec<Discriminant<Fact>>,
}

/// Findings of a check whose error was shown before with a finding of the same kind.
#[derive(Default)]
struct Repetitions<'a> {
    count: usize,
    cases: Vec<&'a Case>,
}

impl CheckList {
    /// Prints the name of the team.
    pub(crate) fn begin(team: &Team) -> Self {
        say(&words::heading(&team.name));
        let style = ProgressStyle::with_template("  {spinner} {msg}");
        let bar = ProgressBar::new_spinner();
        bar.set_style(style.expect("the template is well formed"));
        bar.enable_steady_tick(Duration::from_millis(100));
        let has_colours = io::stdout().is_terminal() && !cli::no_color();
        Self { bar, has_colours, errors: BTreeMap::new(), skipped: Vec::new() }
    }

    pub(crate) fn tell(&mut self, news: CheckEvent<'_>) {
        match news {
            CheckEvent::Begun(check) => self.bar.set_message(words::title(check)),
            CheckEvent::Made(made) if made.verdict == CheckVerdict::Skipped => {
                self.skipped.push(made.check);
            }
            CheckEvent::Made(made) => {
                let lines = self.lines(made).join("\n");
                self.bar.suspend(|| say(&lines));
            }
        }
    }

    /// Prints the skipped checks and the summary.
    pub(crate) fn end(self, report: &CheckReport) {
        self.bar.finish_and_clear();
        if !self.skipped.is_empty() {
            let skipped = words::skipped(&self.skipped);
            say(&wrapped(&skipped, "  - ", "    "));
        }
        let is_repeated = |error: &&ShownError| error.has_traceback && error.count > 1;
        for ShownError { last, count, .. } in self.errors.values().filter(is_repeated) {
            say(&wrapped(&words::in_all(last, *count), "  ✗ ", "    "));
        }
        say(&wrapped(&words::summary(report), "", ""));
    }

    /// The lines of a check: its verdict and title, then its findings.
    fn lines(&mut self, made: &Examination) -> Vec<String> {
        let told = |finding: &Finding| words::tell(finding).seen;
        let (mark, colour) = mark(made.verdict);
        let word = format!("{mark} {:<10}", words::verdict(made.verdict));
        let title = words::title(made.check);
        // A first finding that is only a note stands on the line of the title.
        let (line, below) = match made.findings.split_first() {
            Some((first, below)) if first.severity == Severity::Note => {
                (format!("{title} — {}", told(first)), below)
            }
            _ => (title.to_owned(), &made.findings[..]),
        };
        let margin = " ".repeat(2 + word.chars().count() + 1);
        let mut line = wrapped(&line, &format!("  {word} "), &margin);
        if self.has_colours {
            line = line.replacen(&word, &format!("\x1b[{colour}m{word}\x1b[0m"), 1);
        }
        let mut lines = vec![line];
        let mut advised = BTreeSet::new();
        let mut repeated: BTreeMap<Vec<String>, Repetitions<'_>> = BTreeMap::new();
        for finding in below {
            match self.repetition(finding) {
                Some(key) => {
                    let repetitions = repeated.entry(key).or_default();
                    repetitions.count += 1;
                    repetitions.cases.extend(&finding.case);
                }
                None => self.add(finding, &mut advised, &mut lines),
            }
        }
        for (key, Repetitions { count, cases }) in &repeated {
            let last = self.errors.get(key).map_or("", |error| &*error.last);
            let line = words::repeated(last, *count, cases);
            lines.push(wrapped(&line, "      ✗ ", "        "));
        }
        lines
    }

    /// Counts the error of a finding. Returns its key if a finding of the same kind with this error was shown before.
    fn repetition(&mut self, finding: &Finding) -> Option<Vec<String>> {
        if finding.output.is_empty() {
            return None;
        }
        let key = error_key(&finding.output);
        let kind = discriminant(&finding.fact);
        let error = self.errors.entry(key.clone()).or_insert_with(|| {
            let last = finding.output.last().map_or("", |line| line.trim());
            let last = last.chars().take(SHOWN).collect();
            ShownError { last, has_traceback: key != finding.output, ..ShownError::default() }
        });
        error.count += 1;
        if error.kinds.contains(&kind) {
            return Some(key);
        }
        error.kinds.push(kind);
        None
    }

    fn add(&mut self, finding: &Finding, advised: &mut BTreeSet<String>, lines: &mut Vec<String>) {
        let Told { seen, advice } = words::tell(finding);
        let mark = match finding.severity {
            Severity::Note => "·",
            Severity::Warning => "!",
            Severity::Failure => "✗",
        };
        lines.push(wrapped(&seen, &format!("      {mark} "), "        "));
        let has_output = !finding.output.is_empty();
        let error = self.errors.get(&error_key(&finding.output));
        let is_known = error.is_some_and(|error| error.count > 1);
        // Gives the same advice once per check, and none for an error shown before.
        let needs_advice = finding.severity > Severity::Note && !is_known;
        let is_new = |advice: &String| needs_advice && advised.insert(advice.clone());
        if let Some(advice) = advice.filter(is_new) {
            let advice = format!("{} {advice}", words::advice());
            lines.push(wrapped(&advice, "        → ", "          "));
        }
        if is_known {
            lines.push(format!("        {}", words::same_output()));
        } else if has_output {
            lines.push(format!("        {}", words::output()));
            lines.extend(finding.output.iter().map(|line| format!("          | {line}")));
        }
    }
}

impl Drop for CheckList {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Prints a line. The reader may be gone; the exit code still tells the result.
fn say(line: &str) {
    let _ = writeln!(io::stdout(), "{line}");
}

/// The sign of a verdict, and its SGR code on terminals.
fn mark(verdict: CheckVerdict) -> (char, u8) {
    match verdict {
        CheckVerdict::Passed => ('✓', 32),
        CheckVerdict::Warning => ('!', 33),
        CheckVerdict::Failed => ('✗', 31),
        CheckVerdict::Skipped => ('-', 2),
    }
}

/// The places in the traceback of an error, or the whole output without one: the text of the same error may vary.
fn error_key(output: &[String]) -> Vec<String> {
    let places = output.iter().map(|line| line.trim()).filter(|line| line.starts_with("File \""));
    let places: Vec<_> = places.map(str::to_owned).collect();
    if places.is_empty() { output.to_vec() } else { places }
}

/// A text broken into lines at blanks, with an indent for the first line and a margin for the others.
pub(crate) fn wrapped(text: &str, first: &str, margin: &str) -> String {
    let options = textwrap::Options::new(WIDTH).initial_indent(first).subsequent_indent(margin);
    textwrap::fill(text, options.break_words(false).word_splitter(NoHyphenation))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_broken_at_blanks() {
        let text = "mot ".repeat(40);
        let lines = wrapped(text.trim(), "  ✓ ", "    ");
        assert!(lines.lines().all(|line| line.chars().count() <= WIDTH));
        assert_eq!(lines.lines().count(), 3);
        assert_eq!(lines.split_whitespace().filter(|word| *word == "mot").count(), 40);
    }

    #[test]
    fn an_error_is_known_by_its_place() {
        let output = |line: u32, key: u32| {
            [format!("  File \"bot.py\", line {line}, in <module>"), format!("KeyError: {key}")]
        };
        assert_eq!(error_key(&output(3, 1)), error_key(&output(3, 2)));
        assert_ne!(error_key(&output(3, 1)), error_key(&output(4, 1)));
        assert_eq!(error_key(&["a".to_owned()]), ["a"]);
    }
}
