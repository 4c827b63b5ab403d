//! `rejeu demander` and `rejeu essais`.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "this is the program's output")]

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;
use std::time::Duration;
use std::{fs, io};

use anyhow::{Context, bail, ensure};
use game::colour::Colour;
use game::pacman::Orders;
use game::pyrat::Action;
use language::{colon, said};
use serde::Deserialize;
use serde_json::json;

use super::{find_player, players_of, read, shown};
use replay::{AnswerFault, Given, Recording, Setup};

use crate::ask::{AskError, Heard, Question};

/// A turn, or several.
#[derive(Clone, Debug)]
pub(super) struct Turns(RangeInclusive<u32>);

impl Turns {
    pub(super) fn contains(&self, turn: u32) -> bool {
        self.0.contains(&turn)
    }
}

impl FromStr for Turns {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (first, last) = text.split_once("..").unwrap_or((text, text));
        let turns = first.parse().ok().zip(last.parse().ok());
        let turns = turns.filter(|(first, last)| (1..=*last).contains(first));
        turns.map(|(first, last)| Self(first..=last)).ok_or_else(|| {
            said!(
                "expected a turn from 1 on, or two as 80..95",
                "un tour à partir de 1, ou deux comme 80..95, sont attendus"
            )
        })
    }
}

/// The program that is asked.
#[derive(Debug, clap::Args)]
pub(super) struct Program {
    #[arg(long, visible_alias = "deadline", value_name = "DURATION", default_value = "10s",
        value_parser = cli::positive_duration, help = said!(
        "Most time until it connects, and for an answer",
        "Temps laissé au programme pour se connecter, puis pour chaque réponse"
    ))]
    delai: Duration,

    #[arg(last = true, required = true, value_name = "COMMAND", help = said!(
        "The program and its arguments, in which {{server}}, {{port}} and {{name}} are replaced",
        "Le programme et ses arguments, où {{serveur}}, {{port}} et {{nom}} sont remplacés"
    ))]
    command: Vec<String>,
}

/// The player, the turns and the number of runs that the command line asks for.
pub(super) struct Wanted {
    pub(super) player: Option<String>,
    pub(super) turns: Option<Turns>,
    pub(super) times: u32,
    pub(super) json: bool,
}

/// The recorded order of a turn, and the answer of each run of the program.
struct Asked {
    played: Given,
    answers: Vec<Heard>,
}

/// Asks a program, and prints its answers.
pub(super) fn ask(
    recording: &Recording,
    program: &Program,
    wanted: &Wanted,
    expected: Option<&str>,
) -> anyhow::Result<ExitCode> {
    expected.map_or(Ok(()), |order| check_order(recording, order))?;
    let last = recording.turn();
    let turns = wanted.turns.as_ref().map_or(1..=last, |Turns(turns)| turns.clone());
    let mut asked = BTreeMap::<u32, Asked>::new();
    let question = program.question(recording, wanted.player.as_deref(), *turns.end())?;
    let mut silence = None;
    for _ in 0..wanted.times {
        let heard = question.ask(|turn, played, answer| {
            if turns.contains(&turn) {
                let asked = asked.entry(turn).or_insert(Asked { played, answers: Vec::new() });
                asked.answers.push(answer);
            }
        });
        match heard {
            Err(error @ AskError::Turn { .. }) => silence = Some(error),
            heard => heard?,
        }
    }
    let differs = |asked: &&Asked| !asked.orders().all(|order| asked.is_as_then(order));
    let is_overview = wanted.turns.is_none() && !wanted.json;
    for (turn, asked) in &asked {
        if wanted.json {
            println!("{}", asked.json(*turn));
        } else if !is_overview || differs(&asked) {
            println!("{}", asked.line(*turn));
        }
    }
    if is_overview && !asked.is_empty() {
        let (turns, others) = (asked.len(), asked.values().filter(differs).count());
        println!(
            "{}",
            said!(
                "turns with another order: {others} of {turns}",
                "tours avec un autre ordre : {others} sur {turns}"
            )
        );
    }
    if let Some(silence) = &silence {
        eprintln!("{silence}");
    }
    let mut orders = asked.values().flat_map(Asked::orders);
    let is_expected = expected.is_none_or(|order| orders.all(|given| shown_order(given) == order));
    if let Some(order) = expected.filter(|_| !is_expected) {
        println!("{}", said!("expected {order}", "{order} est attendu"));
    }
    Ok(if is_expected && silence.is_none() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

impl Program {
    fn question<'a>(
        &'a self,
        recording: &'a Recording,
        player: Option<&str>,
        last: u32,
    ) -> anyhow::Result<Question<'a>> {
        if last > recording.turn() {
            bail!(said!(
                "there is no turn {last}, expected 1 to {}",
                "il n'y a pas de tour {last}, de 1 à {} est attendu",
                recording.turn()
            ));
        }
        let player = match (player, recording.setup.names()) {
            (Some(player), _) => find_player(recording, player)?,
            (None, [_]) => Colour::first(1).next().context("there is a first colour")?,
            (None, _) => {
                let all = players_of(recording);
                bail!(said!(
                    "expected --player with one of: {all}",
                    "il faut --joueur avec l'un de : {all}"
                ))
            }
        };
        Ok(Question { recording, player, last, command: &self.command, patience: self.delai })
    }
}

/// An order as it is shown: its letters, what else was sent in quotes, or a dash if nothing came.
fn shown_order(given: &Given) -> String {
    match given.excerpt {
        Some(excerpt) if given.fault() == Some(AnswerFault::Malformed) => excerpt.to_string(),
        _ => given.letters().unwrap_or_else(|| "—".to_owned()),
    }
}

/// Checks that an order, as [`shown_order`] shows it, can be given in the recorded game.
fn check_order(recording: &Recording, order: &str) -> anyhow::Result<()> {
    let text = order.as_bytes();
    let is_order = match recording.setup {
        Setup::Pacman(_) => Orders::decode(text).encode() == text,
        Setup::PyRat(_) => [Action::decode(text).encode()] == text,
    };
    let expected = match recording.setup {
        Setup::Pacman(_) => {
            said!("two letters of N, E, S, O and X", "deux lettres parmi N, E, S, O et X")
        }
        Setup::PyRat(_) => said!("N, E, S, O or X", "N, E, S, O ou X"),
    };
    ensure!(
        is_order,
        said!(
            "{order:?} is no order of this game, expected {expected} (none)",
            "{order:?} n'est pas un ordre de ce jeu ; attendu : {expected} (aucun)"
        )
    );
    Ok(())
}

impl Asked {
    fn orders(&self) -> impl Iterator<Item = &Given> {
        self.answers.iter().map(|heard| &heard.given)
    }

    fn is_as_then(&self, order: &Given) -> bool {
        shown_order(order) == shown_order(&self.played)
    }

    /// The answers with how often each was given, the most frequent first.
    fn counts(&self) -> String {
        let mut counts = BTreeMap::<_, usize>::new();
        for order in self.orders() {
            *counts.entry(shown_order(order)).or_default() += 1;
        }
        let mut counts: Vec<_> = counts.into_iter().collect();
        counts.sort_by_key(|(_, count)| Reverse(*count));
        let many = self.answers.len() > 1;
        let told = counts.into_iter().map(
            |(order, count)| {
                if many { format!("{order} ({count})") } else { order }
            },
        );
        told.collect::<Vec<_>>().join(", ")
    }

    fn line(&self, turn: u32) -> String {
        let (now, then) = (self.counts(), shown_order(&self.played));
        let mut lines = if self.orders().all(|order| self.is_as_then(order)) {
            said!("turn {turn}: {now}, as then", "tour {turn} : {now}, comme alors")
        } else {
            said!("turn {turn}: {now}; {then} then", "tour {turn} : {now} ; {then} alors")
        };
        let thoughts: BTreeSet<_> =
            self.answers.iter().filter_map(|heard| heard.thought.as_deref()).collect();
        for thought in thoughts {
            lines.push_str("\n    ");
            lines.push_str(&cli::printable(thought));
        }
        lines
    }

    fn json(&self, turn: u32) -> serde_json::Value {
        let answer = |Heard { given, thought }: &Heard| {
            json!({
                "answer": given.letters(),
                "fault": given.fault().map(AnswerFault::word),
                "time_s": given.taken.as_secs_f64(),
                "thought": thought,
            })
        };
        let answers: Vec<_> = self.answers.iter().map(answer).collect();
        json!({ "turn": turn, "played": self.played.letters(), "answers": answers })
    }
}

/// A position in which an order is expected.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    partie: PathBuf,
    joueur: Option<String>,
    tour: u32,
    attendu: Expected,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Expected {
    One(String),
    Any(Vec<String>),
}

/// Asks a program about all cases of a folder.
pub(super) fn try_cases(folder: &Path, program: &Program) -> anyhow::Result<ExitCode> {
    let cannot = || said!("cannot read {}", "{} est illisible", shown(folder));
    let entries = fs::read_dir(folder).with_context(cannot)?;
    let files = entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>();
    let mut files = files.with_context(cannot)?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    if files.is_empty() {
        bail!(said!(
            "{}: no case, expected files NAME.toml",
            "{} : aucun cas, des fichiers NOM.toml sont attendus",
            shown(folder)
        ));
    }
    let (mut failed, mut broken) = (0, None);
    for file in &files {
        let name = cli::printable(&file.file_stem().unwrap_or_default().to_string_lossy());
        match try_case(file, program).with_context(|| shown(file)) {
            Ok(Ok(order)) => {
                println!(
                    "{}",
                    said!("{name}: {order}, as expected", "{name} : {order}, comme attendu")
                );
            }
            Ok(Err(why)) => {
                failed += 1;
                println!("{name}{}{why}", colon());
            }
            // The others are asked all the same.
            Err(error) => broken = Some(cli::fail(&error)),
        }
    }
    let all = files.len();
    println!(
        "{}",
        said!("cases that failed: {failed} of {all}", "cas en échec : {failed} sur {all}")
    );
    Ok(broken.unwrap_or(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }))
}

/// The order, if it is as expected; else what is wrong with it.
fn try_case(file: &Path, program: &Program) -> anyhow::Result<Result<String, String>> {
    let text = fs::read_to_string(file)?;
    let case: Case = toml::from_str(&text)?;
    let recording = read(&file.with_file_name(&case.partie))?;
    let expected = match case.attendu {
        Expected::One(order) => vec![order],
        Expected::Any(orders) => orders,
    };
    for order in &expected {
        check_order(&recording, order).context("attendu")?;
    }
    if case.tour == 0 {
        bail!(said!("tour: turns count from 1", "tour : les tours se comptent à partir de 1"));
    }
    let mut heard = None;
    let question = program.question(&recording, case.joueur.as_deref(), case.tour)?;
    match question.ask(|turn, _, answer| heard = Some((turn, answer.given))) {
        Err(error @ AskError::Turn { .. }) => return Ok(Err(error.to_string())),
        asked => asked?,
    }
    let Some((_, answer)) = heard.filter(|(turn, _)| *turn == case.tour) else {
        bail!(said!(
            "the rat is in the mud in turn {}, and is not asked",
            "le rat est dans la boue au tour {}, et on ne lui demande rien",
            case.tour
        ));
    };
    let order = shown_order(&answer);
    let all = expected.join(", ");
    Ok(if expected.contains(&order) {
        Ok(order)
    } else {
        Err(said!("turn {}: {order}, expected {all}", "tour {} : {order}, et non {all}", case.tour))
    })
}
