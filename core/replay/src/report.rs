//! An analysis in words.

use std::fmt::Write;
use std::time::Duration;

use crate::analysis::Causes;
use crate::{Analysis, PlayerAnalysis, Source};
use game::pacman::Object;
use language::Language;

/// Decimals of points, at most, as on the web page.
const DECIMALS: u8 = 2;

/// The report on a game, best player first.
pub(crate) fn report(analysis: &Analysis, language: Language) -> String {
    let mut players: Vec<_> = analysis.players.iter().zip('A'..).collect();
    players.sort_by_key(|(player, letter)| (player.rank, *letter));
    let mut text = String::new();
    for (player, letter) in players {
        write_player(&mut text, player, letter, analysis.turns, language);
    }
    text
}

fn write_player(
    text: &mut String,
    player: &PlayerAnalysis,
    letter: char,
    turns: u32,
    language: Language,
) {
    const NEVER: &str = "writing into memory does not fail";
    let say = |english: &'static str, french: &'static str| language.say(english, french);
    let colon = say(":", " :");
    let PlayerAnalysis { name, rank, points, .. } = player;
    let total = language.number(*points, DECIMALS);
    writeln!(text, "{rank}. {letter} {name}{colon} {total} {}", unit(*points, language))
        .expect(NEVER);
    for &(source, count, sum) in &player.sources {
        let what = source_name(source, language);
        writeln!(text, "   {:>8}  {count:>4} × {what}", signed(sum, language)).expect(NEVER);
    }
    let idle = say("turns without a step", "tours sans avancer");
    let held =
        say("turns held (frozen, digesting, in the mud)", "tours retenu (gelé, digestion, boue)");
    let of = say("of", "sur");
    writeln!(text, "   {} {of} {turns} {idle}, {} {held}", player.idle, player.held).expect(NEVER);
    let faults = [
        (player.missed, say("missed", "sans réponse à temps"), causes(player.causes, language)),
        (player.malformed, say("malformed", "à l'ordre mal formé"), String::new()),
        (player.late, say("with a late answer", "avec une réponse en retard"), String::new()),
        (player.disconnected, say("without a connection", "sans connexion"), String::new()),
    ];
    for (count, what, more) in faults.into_iter().filter(|(count, ..)| *count > 0) {
        let word = language.plural(count, say("turn", "tour"), say("turns", "tours"));
        writeln!(text, "   {count} {word} {what}{more}").expect(NEVER);
    }
    for (turn, given) in &player.remarks {
        if let Some(remark) = given.remark(language) {
            let word = say("turn", "tour");
            writeln!(text, "   {word} {turn}{colon} {remark}").expect(NEVER);
        }
    }
    let times = player.thinking.map(|time| show_time(time, language));
    let [least, median, most_turns, nearly_all, most] = times;
    let thinking = say("thinking", "réflexion");
    let middle = say("median", "médiane");
    writeln!(
        text,
        "   {thinking}{colon} {least} – {most}, {middle} {median}, 90 % {most_turns}, 99 % {nearly_all}"
    )
    .expect(NEVER);
    let list = |turns: &[(u32, f64)]| {
        let turn = |(turn, points): &(u32, f64)| {
            format!("{} {turn} ({})", say("turn", "tour"), signed(*points, language))
        };
        turns.iter().map(turn).collect::<Vec<_>>().join(", ")
    };
    for (title, turns) in
        [(say("best", "meilleurs"), &player.best), (say("worst", "pires"), &player.worst)]
    {
        if !turns.is_empty() {
            writeln!(text, "   {title}{colon} {}", list(turns)).expect(NEVER);
        }
    }
    text.push('\n');
}

/// The word after a number of points.
fn unit(points: f64, language: Language) -> &'static str {
    let is_one = match language {
        Language::English => (points.abs() - 1.0).abs() < f64::EPSILON,
        Language::French => points.abs() < 2.0,
    };
    if is_one { "point" } else { "points" }
}

/// Points that were won or lost, with their sign.
fn signed(points: f64, language: Language) -> String {
    let sign = if points > 0.0 { "+" } else { "" };
    format!("{sign}{}", language.number(points, DECIMALS))
}

/// Returns a colon and the number of missed turns by cause.
fn causes(causes: Causes, language: Language) -> String {
    let Causes { bot, network, host, unknown } = causes;
    let counted = [
        (bot, language.say("by the bot", "par le bot")),
        (network, language.say("by the network", "par le réseau")),
        (host, language.say("by the host", "par l'hôte")),
        (unknown, language.say("of unknown cause", "de cause inconnue")),
    ];
    let counted = counted.into_iter().filter(|(count, _)| *count > 0);
    let counted: Vec<_> = counted.map(|(count, cause)| format!("{count} {cause}")).collect();
    format!("{} {}", language.say(":", " :"), counted.join(", "))
}

fn show_time(time: Duration, language: Language) -> String {
    let (value, decimals, unit) = match time.as_secs_f64() {
        s if s >= 1.0 => (s, 1, "s"),
        s if s >= 1e-3 => (s * 1e3, 1, "ms"),
        s => (s * 1e3, 2, "ms"),
    };
    format!("{} {unit}", language.decimal(value, decimals))
}

fn source_name(source: Source, language: Language) -> &'static str {
    let (english, french) = match source {
        Source::Object(Object::Vitamin) => ("vitamin", "vitamine"),
        Source::Object(Object::Glutton) => ("glutton", "glouton"),
        Source::Object(Object::Freeze) => ("freeze", "immobilité"),
        Source::Object(Object::WallPass) => ("wall-pass", "passe-muraille"),
        Source::Object(Object::Cherry) => ("cherry", "cerise"),
        Source::Object(Object::Teleporter) => ("teleporter", "téléporteur"),
        Source::Bite => ("pacman bitten by the ghost", "pacman mordu par le fantôme"),
        Source::Meal => ("ghost eaten as a glutton", "fantôme mangé en glouton"),
        Source::Bitten => ("bitten by a ghost", "mordu par un fantôme"),
        Source::Eaten => ("ghost eaten by a glutton", "fantôme mangé par un glouton"),
        Source::Malformed => ("malformed order", "ordre mal formé"),
        Source::PacmanBlocked => ("pacman into a wall", "pacman dans un mur"),
        Source::GhostBlocked => ("ghost into a wall", "fantôme dans un mur"),
        Source::Cheese => ("cheese", "fromage"),
    };
    language.say(english, french)
}
