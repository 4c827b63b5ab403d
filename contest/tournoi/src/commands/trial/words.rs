//! The texts of `tournoi essayer`, in both languages.

use std::path::Path;
use std::time::Duration;

use comfy_table::{CellAlignment, LineStyle, Table, presets};
use game::pacman::RulesPreset;
use language::Language;
use rating::Share;
use rating::paired::{ERROR, PairedTest, TestVerdict};
use tournament::trial::{Opponents, ThinkingSummary};

/// A line of the table: the games against the same opponents.
pub(super) struct Line {
    pub(super) opponents: Opponents,
    pub(super) games: u32,
    pub(super) firsts: Option<Share>,
    pub(super) points: f64,
    /// Games with a fault.
    pub(super) faults: u32,
    /// Malformed orders.
    pub(super) malformed: u32,
}

/// The results against each opponent.
pub(super) fn table(lines: &[Line], language: Language) -> String {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY.row_separator(LineStyle::none()));
    table.set_header(match language {
        Language::English => {
            ["Against", "Games", "First places (95 %)", "Points", "Faults", "Malformed"]
        }
        Language::French => {
            ["Contre", "Parties", "Premières places (95 %)", "Points", "Fautes", "Mal formés"]
        }
    });
    for line in lines {
        let firsts = line.firsts.map_or_else(|| "–".to_owned(), interval);
        let points = match line.games {
            0 => "–".to_owned(),
            _ => language.decimal(line.points, 1),
        };
        table.add_row([
            opponents(line.opponents, language),
            line.games.to_string(),
            firsts,
            points,
            line.faults.to_string(),
            line.malformed.to_string(),
        ]);
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table.to_string()
}

/// The name of opponents in texts.
fn opponents(opponents: Opponents, language: Language) -> String {
    match opponents {
        Opponents::Three(bot) => format!("3 × {bot}"),
        Opponents::Mixed => language.say("one of each", "un de chaque").to_owned(),
    }
}

/// The name of opponents in file names and for scripts.
pub(super) fn file_name(opponents: Opponents) -> &'static str {
    match opponents {
        Opponents::Three(bot) => bot,
        Opponents::Mixed => "melange",
    }
}

pub(super) fn heading(
    team: &str,
    turns: u32,
    seed: u64,
    limits: Limits,
    language: Language,
) -> String {
    let team = cli::printable(team);
    let limits = limits.words(language);
    language.typeset(&match language {
        Language::English => format!(
            "Trying “{team}”: games of {turns} turns, seed {seed}.\n\
             Against each opponent, {limits}."
        ),
        Language::French => format!(
            "Essai de « {team} » : parties de {turns} tours, graine {seed}.\n\
             Contre chaque adversaire, {limits}."
        ),
    })
}

/// The limits of a trial.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    /// The largest number of games.
    pub(super) games: u32,
    /// The time after which no game starts.
    pub(super) time: Option<Duration>,
}

impl Limits {
    /// The limits as the end of a sentence.
    fn words(self, language: Language) -> String {
        let games = language.whole(self.games.into());
        let time = self.time.map(humantime::format_duration).map(|time| match language {
            Language::English => format!("; none starts after {time}"),
            Language::French => format!(" ; aucune ne commence après {time}"),
        });
        let time = time.unwrap_or_default();
        match language {
            Language::English => format!("at most {games} games{time}"),
            Language::French => format!("au plus {games} parties{time}"),
        }
    }
}

pub(super) fn playing(against: Opponents, game: u32, language: Language) -> String {
    let against = opponents(against, language);
    match language {
        Language::English => format!("game {game} against {against}"),
        Language::French => format!("partie {game} contre {against}"),
    }
}

pub(super) fn rules(rules: RulesPreset, language: Language) -> String {
    let rules = rules.name();
    language.typeset(&format!("{}{rules}", language.say("Rules: ", "Règles : ")))
}

/// Explains what the table does not say by itself.
pub(super) fn legend(language: Language) -> String {
    let mixed: Vec<_> = Opponents::mixed().collect();
    let mixed = mixed.join(", ");
    language.typeset(&match language {
        Language::English => format!(
            "One of each: {mixed}. A bot as strong as its opponents has 25 % of the first places."
        ),
        Language::French => format!(
            "Un de chaque : {mixed}. Un bot de la force de ses adversaires a 25 % des premières places."
        ),
    })
}

pub(super) fn thinking(summary: ThinkingSummary, deadline: Duration, language: Language) -> String {
    let ThinkingSummary { mean, p99, longest } = summary;
    let [mean, p99, longest, deadline] =
        [mean, p99, longest, deadline].map(|time| language.duration(time));
    language.typeset(&match language {
        Language::English => format!(
            "Thinking time: {mean} on average, 99 % within {p99}, {longest} at most (deadline {deadline})."
        ),
        Language::French => format!(
            "Temps de réflexion : {mean} en moyenne, 99 % en moins de {p99}, {longest} au plus (délai {deadline})."
        ),
    })
}

/// The counts of missed states and of malformed orders; `None` if both are 0.
pub(super) fn bad_answers(missed: u32, malformed: u32, language: Language) -> Option<String> {
    let line = match language {
        Language::English => {
            format!("States without an answer in time: {missed}; malformed orders: {malformed}.")
        }
        Language::French => {
            format!("États sans réponse à temps : {missed} ; ordres mal formés : {malformed}.")
        }
    };
    (missed + malformed > 0).then(|| language.typeset(&line))
}

pub(super) fn some_without_games(language: Language) -> &'static str {
    language.say(
        "The time was over before a game against each opponent: give more with --temps, or play fewer turns with --duree.",
        "Le temps n'a pas suffi pour jouer contre chaque adversaire\u{a0}: donnez-en plus avec --temps, ou jouez moins de tours avec --duree.",
    )
}

/// The way to know more about faults, or about malformed orders alone.
pub(super) fn verify_hint(has_faults: bool, language: Language) -> &'static str {
    if !has_faults {
        return language.say(
            "Malformed orders: `tournoi verifier` with the same command says what to mend.",
            "Ordres mal formés\u{a0}: `tournoi verifier` avec la même commande dit quoi corriger.",
        );
    }
    language.say(
        "What the program wrote is in the log named above; `tournoi verifier` with the same command says more.",
        "Ce que le programme a écrit est dans le journal nommé plus haut\u{a0}; `tournoi verifier` avec la même commande en dit plus.",
    )
}

pub(super) fn replays(folder: &Path, example: &Path, language: Language) -> String {
    let (folder, example) = (folder.display(), example.display());
    let rejeu = cli::command("rejeu");
    language.typeset(&match language {
        Language::English => format!(
            "Replays of the best and the worst games: {folder}\nTo watch one: {rejeu} html {example} game.html"
        ),
        Language::French => format!(
            "Rejeux des meilleures et des pires parties : {folder}\nPour en voir un : {rejeu} html {example} partie.html"
        ),
    })
}

pub(super) fn no_replays(error: &anyhow::Error, language: Language) -> String {
    language.typeset(&match language {
        Language::English => format!("There will be no replays: {error:#}"),
        Language::French => format!("Il n'y aura pas de rejeux : {error:#}"),
    })
}

pub(super) fn cannot_play(language: Language) -> &'static str {
    language.say(
        "The bot cannot play a game yet. Mend that, and try again; `tournoi verifier` with the same command says more.",
        "Le bot ne peut pas encore jouer une partie. Corrigez cela, puis réessayez\u{a0}; `tournoi verifier` avec la même commande en dit plus.",
    )
}

pub(super) fn versions(
    [new, old]: &[String; 2],
    bound: f64,
    seed: u64,
    limits: Limits,
    language: Language,
) -> String {
    let (new, old) = (cli::printable(new), cli::printable(old));
    let (bound, error) = (percent(bound), percent(ERROR));
    let limits = limits.words(language);
    language.typeset(&match language {
        Language::English => format!(
            "Is “{new}” better than “{old}”? Pairs of games with swapped seats, seed {seed}.\n\
             There are {limits}.\n\
             At most {error} of errors: “better” of a version that is not, “not better” of one that wins {bound} of its duels."
        ),
        Language::French => format!(
            "« {new} » est-il meilleur que « {old} » ? Paires de parties aux places échangées, graine {seed}.\n\
             Il y a {limits}.\n\
             Au plus {error} d'erreurs : « meilleur » pour une version qui ne l'est pas, « pas meilleur » pour une qui gagne {bound} de ses duels."
        ),
    })
}

pub(super) fn playing_versions(pairs: u32, language: Language) -> String {
    match language {
        Language::English => format!("up to pair {pairs}"),
        Language::French => format!("jusqu'à la paire {pairs}"),
    }
}

/// The evidence of a test after a batch.
pub(super) fn standing(test: &PairedTest, language: Language) -> String {
    let needed = 1.0 / ERROR;
    let [better, not_better] =
        test.evidence().map(|evidence| language.decimal(evidence.min(9999.0), 1));
    let (pairs, won) = (test.pairs(), duels_won(test, language));
    language.typeset(&match language {
        Language::English => format!(
            "{pairs} pairs: {won}; evidence for “better” {better}, for “not better” {not_better}, of {needed:.0}"
        ),
        Language::French => format!(
            "{pairs} paires : {won} ; indices pour « meilleur » {better}, pour « pas meilleur » {not_better}, sur {needed:.0}"
        ),
    })
}

/// The verdict of a test, in words.
pub(super) fn conclusion(
    test: &PairedTest,
    [new, old]: &[String; 2],
    language: Language,
) -> String {
    let (new, old) = (cli::printable(new), cli::printable(old));
    let (won, bound) = (duels_won(test, language), percent(test.bound()));
    let is_worse = test.is_worse();
    language.typeset(&match (language, test.verdict()) {
        (Language::English, TestVerdict::Better) => {
            format!("Better: {new} beats {old}; {won}.")
        }
        (Language::English, TestVerdict::NotBetter) if is_worse => {
            format!("Worse: {old} beats {new}; {won}.")
        }
        (Language::English, TestVerdict::NotBetter) => {
            format!("Not better: {new} does not win {bound} of its duels with {old}; {won}.")
        }
        (Language::English, TestVerdict::Open) => {
            format!("Undecided: more games would be needed, by --parties or --temps; {won}.")
        }
        (Language::French, TestVerdict::Better) => {
            format!("Meilleur : {new} bat {old} ; {won}.")
        }
        (Language::French, TestVerdict::NotBetter) if is_worse => {
            format!("Moins bon : {old} bat {new} ; {won}.")
        }
        (Language::French, TestVerdict::NotBetter) => {
            format!("Pas meilleur : {new} ne gagne pas {bound} de ses duels contre {old} ; {won}.")
        }
        (Language::French, TestVerdict::Open) => {
            format!("Indécis : il faudrait plus de parties (--parties, --temps) ; {won}.")
        }
    })
}

/// The verdict for scripts.
pub(super) fn verdict_name(verdict: TestVerdict) -> &'static str {
    match verdict {
        TestVerdict::Better => "better",
        TestVerdict::NotBetter => "not_better",
        TestVerdict::Open => "undecided",
    }
}

fn duels_won(test: &PairedTest, language: Language) -> String {
    let (low, high) = test.interval();
    let share = interval(Share { value: test.mean(), low, high });
    match language {
        Language::English => format!("duels won {share}"),
        Language::French => format!("duels gagnés {share}"),
    }
}

fn interval(Share { value, low, high }: Share) -> String {
    format!("{} [{:.0}–{:.0}]", percent(value), 100.0 * low, 100.0 * high)
}

fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}
