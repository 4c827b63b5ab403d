//! The texts of `tournoi essayer`, in both languages.

use std::path::Path;
use std::time::Duration;

use comfy_table::{CellAlignment, LineStyle, Table, presets};
use game::pacman::RulesPreset;
use language::{Language, said, word};
use rating::Share;
use rating::paired::{ERROR, PairedTest, TestVerdict};
use tournament::trial::{Opponents, ThinkingSummary, Trial};

/// Formats a text as [`said!`], with the typography of its language.
macro_rules! typeset {
    ($($text:tt)*) => { Language::chosen().typeset(&said!($($text)*)) };
}

/// The results against each opponent.
pub(super) fn table(trials: &[Trial]) -> String {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY.row_separator(LineStyle::none()));
    table.set_header([
        word("Against", "Contre"),
        word("Games", "Parties"),
        word("First places (95 %)", "Premières places (95 %)"),
        "Points",
        word("Faults", "Fautes"),
        word("Malformed", "Mal formés"),
    ]);
    for trial in trials {
        let record = trial.record();
        let points = match record.games {
            0 => "–".to_owned(),
            _ => Language::chosen().decimal(record.mean_points(), 1),
        };
        table.add_row([
            opponents(trial.opponents()),
            record.games.to_string(),
            record.firsts().map_or_else(|| "–".to_owned(), interval),
            points,
            record.faults.values().sum::<u32>().to_string(),
            record.malformed.to_string(),
        ]);
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table.to_string()
}

/// The name of opponents in texts.
pub(in super::super) fn opponents(opponents: Opponents) -> String {
    match opponents {
        Opponents::Three(bot) => format!("3 × {bot}"),
        Opponents::Mixed => word("one of each", "un de chaque").to_owned(),
    }
}

/// The name of opponents in file names and for scripts.
pub(in super::super) fn file_name(opponents: Opponents) -> &'static str {
    match opponents {
        Opponents::Three(bot) => bot,
        Opponents::Mixed => "melange",
    }
}

pub(super) fn heading(team: &str, turns: u32, seed: u64, limits: Limits) -> String {
    let team = cli::printable(team);
    let limits = limits.words();
    typeset!(
        "Trying “{team}”: games of {turns} turns, seed {seed}.\n\
             Against each opponent, {limits}.",
        "Essai de « {team} » : parties de {turns} tours, graine {seed}.\n\
             Contre chaque adversaire, {limits}."
    )
}

#[derive(Clone, Copy)]
pub(super) struct Limits {
    pub(super) games: u32,
    /// The time after which no game starts.
    pub(super) time: Option<Duration>,
}

impl Limits {
    /// The limits as the end of a sentence.
    fn words(self) -> String {
        let games = Language::chosen().whole(self.games.into());
        let time = self
            .time
            .map(humantime::format_duration)
            .map(|time| said!("; none starts after {time}", " ; aucune ne commence après {time}"));
        let time = time.unwrap_or_default();
        said!("at most {games} games{time}", "au plus {games} parties{time}")
    }
}

pub(in super::super) fn playing(against: Opponents, game: u32) -> String {
    let against = opponents(against);
    said!("game {game} against {against}", "partie {game} contre {against}")
}

pub(super) fn rules(rules: RulesPreset) -> String {
    typeset!("Rules: {}", "Règles : {}", rules.name())
}

/// Explains what the table does not say by itself; `has_mixed` tells if it has a row for one opponent of each kind.
pub(super) fn legend(has_mixed: bool) -> String {
    let even = typeset!(
        "A bot as strong as its opponents has 25 % of the first places.",
        "Un bot de la force de ses adversaires a 25 % des premières places."
    );
    if !has_mixed {
        return even;
    }
    let mixed: Vec<_> = Opponents::mixed().collect();
    let mixed = mixed.join(", ");
    typeset!("One of each: {mixed}. {even}", "Un de chaque : {mixed}. {even}")
}

pub(super) fn thinking(summary: ThinkingSummary, deadline: Duration) -> String {
    let ThinkingSummary { mean, p99, longest } = summary;
    let [mean, p99, longest, deadline] =
        [mean, p99, longest, deadline].map(|time| Language::chosen().duration(time));
    typeset!(
        "Thinking time: {mean} on average, 99 % within {p99}, {longest} at most (deadline {deadline}).",
        "Temps de réflexion : {mean} en moyenne, 99 % en moins de {p99}, {longest} au plus (délai {deadline})."
    )
}

/// The counts of missed states and of malformed orders; `None` if both are 0.
pub(super) fn bad_answers(missed: u32, malformed: u32) -> Option<String> {
    (missed + malformed > 0).then(|| {
        typeset!(
            "States without an answer in time: {missed}; malformed orders: {malformed}.",
            "États sans réponse à temps : {missed} ; ordres mal formés : {malformed}."
        )
    })
}

pub(super) fn some_without_games() -> &'static str {
    word(
        "The time was over before a game against each opponent: give more with --time, or play fewer turns with --turns.",
        "Le temps n'a pas suffi pour jouer contre chaque adversaire\u{a0}: donnez-en plus avec --temps, ou jouez moins de tours avec --duree.",
    )
}

/// The way to know more about faults, or about malformed orders alone.
pub(super) fn verify_hint(has_faults: bool) -> &'static str {
    if !has_faults {
        return word(
            "Malformed orders: `tournoi check` with the same command says what to fix.",
            "Ordres mal formés\u{a0}: `tournoi verifier` avec la même commande dit quoi corriger.",
        );
    }
    word(
        "What the program wrote is in the log named above; `tournoi check` with the same command says more.",
        "Ce que le programme a écrit est dans le journal nommé plus haut\u{a0}; `tournoi verifier` avec la même commande en dit plus.",
    )
}

pub(super) fn replays(folder: &Path, example: &Path) -> String {
    let (folder, example) = (folder.display(), example.display());
    let rejeu = cli::command("rejeu");
    typeset!(
        "Replays of the best and the worst games: {folder}\nTo watch one: {rejeu} html {example} game.html",
        "Rejeux des meilleures et des pires parties : {folder}\nPour en voir un : {rejeu} html {example} partie.html"
    )
}

pub(super) fn versions([new, old]: &[String; 2], bound: f64, seed: u64, limits: Limits) -> String {
    let (new, old) = (cli::printable(new), cli::printable(old));
    let (bound, error) = (percent(bound), percent(ERROR));
    let limits = limits.words();
    typeset!(
        "Is “{new}” better than “{old}”? Pairs of games with swapped seats, seed {seed}.\n\
             There are {limits}.\n\
             At most {error} of errors: “better” of a version that is not, “not better” of one that wins {bound} of its duels.",
        "« {new} » est-il meilleur que « {old} » ? Paires de parties aux places échangées, graine {seed}.\n\
             Il y a {limits}.\n\
             Au plus {error} d'erreurs : « meilleur » pour une version qui ne l'est pas, « pas meilleur » pour une qui gagne {bound} de ses duels."
    )
}

pub(super) fn playing_versions(pairs: u32) -> String {
    said!("up to pair {pairs}", "jusqu'à la paire {pairs}")
}

/// The evidence of a test after a batch.
pub(super) fn standing(test: &PairedTest) -> String {
    let needed = 1.0 / ERROR;
    let [better, not_better] =
        test.evidence().map(|evidence| Language::chosen().decimal(evidence.min(9999.0), 1));
    let (pairs, won) = (test.pairs(), duels_won(test));
    typeset!(
        "{pairs} pairs: {won}; evidence for “better” {better}, for “not better” {not_better}, of {needed:.0}",
        "{pairs} paires : {won} ; indices pour « meilleur » {better}, pour « pas meilleur » {not_better}, sur {needed:.0}"
    )
}

/// The verdict of a test, in words.
pub(super) fn conclusion(test: &PairedTest, [new, old]: &[String; 2]) -> String {
    let (new, old) = (cli::printable(new), cli::printable(old));
    let (won, bound) = (duels_won(test), percent(test.bound()));
    match test.verdict() {
        TestVerdict::Better => {
            typeset!("Better: {new} beats {old}; {won}.", "Meilleur : {new} bat {old} ; {won}.")
        }
        TestVerdict::NotBetter if test.is_worse() => {
            typeset!("Worse: {old} beats {new}; {won}.", "Moins bon : {old} bat {new} ; {won}.")
        }
        TestVerdict::NotBetter => typeset!(
            "Not better: {new} does not win {bound} of its duels with {old}; {won}.",
            "Pas meilleur : {new} ne gagne pas {bound} de ses duels contre {old} ; {won}."
        ),
        TestVerdict::Open => typeset!(
            "Undecided: more games would be needed, by --games or --time; {won}.",
            "Indécis : il faudrait plus de parties (--parties, --temps) ; {won}."
        ),
    }
}

/// The verdict for scripts.
pub(super) fn verdict_name(verdict: TestVerdict) -> &'static str {
    match verdict {
        TestVerdict::Better => "better",
        TestVerdict::NotBetter => "not_better",
        TestVerdict::Open => "undecided",
    }
}

fn duels_won(test: &PairedTest) -> String {
    let (low, high) = test.interval();
    let share = interval(Share { value: test.mean(), low, high });
    said!("duels won {share}", "duels gagnés {share}")
}

pub(in super::super) fn interval(Share { value, low, high }: Share) -> String {
    format!("{} [{:.0}–{:.0}]", percent(value), 100.0 * low, 100.0 * high)
}

pub(in super::super) fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}
