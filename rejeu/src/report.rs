//! An analysis in words.

use std::fmt::Write;
use std::time::Duration;

use game::pacman::Object;
use game::pyrat::Colour;
use language::Language;
use replay::analysis::Causes;
use replay::{Analysis, AnswerFault, Episode, EpisodeKind, PlayerAnalysis, Source, Story};

/// Decimals of points, at most, as on the web page.
const DECIMALS: u8 = 2;

/// Maximum number of lines of the story.
const LINES: usize = 40;

const NEVER: &str = "writing into memory does not fail";

/// The report on a game: its story, then the players, the best one first.
pub(crate) fn report(analysis: &Analysis, story: &Story, language: Language) -> String {
    let mut players: Vec<_> = analysis.players.iter().enumerate().collect();
    players.sort_by_key(|(colour, player)| (player.rank, *colour));
    let mut text = String::new();
    write_story(&mut text, story, language);
    for &(colour, player) in &players {
        write_heading(&mut text, player, letter(colour), language);
        write_reason(&mut text, story, colour, player.rank == 1, language);
        write_player(&mut text, player, analysis.turns, language);
        if let Some((first, winner)) = players.first().filter(|_| player.rank > 1) {
            write_difference(&mut text, player, letter(*first), winner, language);
        }
        text.push('\n');
    }
    text
}

fn letter(colour: usize) -> &'static str {
    Colour::first(colour + 1).next_back().map_or("", Colour::as_str)
}

/// Writes the episodes that are worth a line and the changes of the lead, by turn. When there are too many, the episodes
/// that changed fewer points and the earlier changes of the lead are left out.
fn write_story(text: &mut String, story: &Story, language: Language) {
    let weight = |episode: &Episode| episode.points.abs().max(episode.other_points.abs());
    let mut episodes: Vec<_> = story.notable();
    let leads = story.leads();
    let all = episodes.len() + leads.len();
    if all == 0 {
        return;
    }
    // One line tells how many others there are.
    let room = if all > LINES { LINES - 1 } else { LINES };
    episodes.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
    episodes.truncate(room - leads.len().min(room / 4));
    let leads = &leads[leads.len().saturating_sub(room - episodes.len())..];
    let told = episodes.len() + leads.len();
    episodes.sort_by_key(|episode| episode.first);
    let mut lines: Vec<(u32, u32, String)> = episodes
        .into_iter()
        .map(|episode| (episode.first, episode.last, episode_words(&episode, language)))
        .collect();
    lines.extend(leads.iter().map(|lead| {
        let takes = language.say("takes the lead", "prend la tête");
        (lead.turn, lead.turn, format!("{} {takes}", letter(lead.player)))
    }));
    lines.sort_by_key(|&(first, ..)| first);
    for (first, last, words) in lines {
        let turns = if first == last { first.to_string() } else { format!("{first}–{last}") };
        writeln!(text, "{turns:>11}  {words}").expect(NEVER);
    }
    if all > told {
        let others = language.say("smaller or earlier ones", "autres, moindres ou plus anciens");
        writeln!(text, "{:>11}  {} {others}", "…", all - told).expect(NEVER);
    }
    text.push('\n');
}

/// An episode in words, with the points of the player that bears it or else of the one that acts, as on the web page.
fn episode_words(episode: &Episode, language: Language) -> String {
    let &Episode { kind, player, other, count, points, other_points, .. } = episode;
    let (own, other_letter) = (letter(player), other.map_or("", letter));
    let say = |english: &'static str, french: &'static str| language.say(english, french);
    let mut words = match kind {
        EpisodeKind::Took(object) => {
            format!("{own} {} {}", say("takes", "prend"), object_name(object, language))
        }
        EpisodeKind::Bite => format!("{own} {} {other_letter}", say("bites", "mord")),
        EpisodeKind::Meal => match language {
            Language::English => format!("{own} eats {other_letter}'s ghost"),
            Language::French => format!("{own} mange le fantôme de {other_letter}"),
        },
        EpisodeKind::Cheese => format!("{own} {}", say("eats a cheese", "mange un fromage")),
        EpisodeKind::Blocked => {
            format!("{own} {}", say("runs into walls", "fonce dans les murs"))
        }
        EpisodeKind::Fault(fault) => {
            let does = match fault {
                AnswerFault::Malformed => {
                    say("sends malformed answers", "envoie des réponses mal formées")
                }
                AnswerFault::Missed => say("does not answer in time", "ne répond pas à temps"),
                AnswerFault::Disconnected => say("is disconnected", "est déconnecté"),
            };
            format!("{own} {does}")
        }
    };
    if count > 1 {
        write!(words, " × {count}").expect(NEVER);
    }
    let changed = if other.is_some() { other_points } else { points };
    if changed != 0.0 {
        write!(words, " {}", signed(changed, language)).expect(NEVER);
    }
    words
}

/// Writes a sentence with the episode that cost a player most or, of a winner, brought it most.
fn write_reason(text: &mut String, story: &Story, player: usize, wins: bool, language: Language) {
    let Some(episode) = story.decisive(player, wins) else { return };
    let &Episode { kind, first, last, count, .. } = episode;
    let say = |english: &'static str, french: &'static str| language.say(english, french);
    let times = match count {
        1 => String::new(),
        count => format!(" {count} {}", say("times", "fois")),
    };
    let turns =
        format!("{count} {}", language.plural(count, say("turn", "tour"), say("turns", "tours")));
    let acts = episode.player == player;
    let whom = letter(if acts { episode.other.unwrap_or(player) } else { episode.player });
    let what = match (kind, acts, language) {
        (EpisodeKind::Bite, true, Language::English) => format!("bites {whom}{times}"),
        (EpisodeKind::Bite, true, Language::French) => format!("mord {whom}{times}"),
        (EpisodeKind::Bite, false, Language::English) => format!("bitten{times} by {whom}"),
        (EpisodeKind::Bite, false, Language::French) => format!("mordu{times} par {whom}"),
        (EpisodeKind::Meal, true, Language::English) => {
            format!("eats the ghost of {whom}{times}")
        }
        (EpisodeKind::Meal, true, Language::French) => {
            format!("mange{times} le fantôme de {whom}")
        }
        (EpisodeKind::Meal, false, Language::English) => format!("ghost eaten{times} by {whom}"),
        (EpisodeKind::Meal, false, Language::French) => {
            format!("fantôme mangé{times} par {whom}")
        }
        (EpisodeKind::Took(object), ..) => {
            format!("{} × {count}", source_name(Source::Object(object), language))
        }
        (EpisodeKind::Cheese, ..) => format!("{} × {count}", source_name(Source::Cheese, language)),
        (EpisodeKind::Blocked, ..) => {
            format!("{} {turns}", say("into walls in", "dans un mur pendant"))
        }
        (EpisodeKind::Fault(fault), ..) => {
            let fault = match fault {
                AnswerFault::Malformed => say("malformed orders in", "ordres mal formés pendant"),
                AnswerFault::Missed => {
                    say("no answer in time in", "pas de réponse à temps pendant")
                }
                AnswerFault::Disconnected => say("no connection in", "pas de connexion pendant"),
            };
            format!("{fault} {turns}")
        }
    };
    let when = match (first == last, language) {
        (true, _) => format!("{} {first}", say("turn", "tour")),
        (false, Language::English) => format!("turns {first}–{last}"),
        (false, Language::French) => format!("tours {first} à {last}"),
    };
    let (colon, points) = (say(":", " :"), signed(episode.points_of(player), language));
    writeln!(text, "   → {what}, {when}{colon} {points}").expect(NEVER);
}

/// Writes what a player has more or less than the winner, by source, the largest loss first.
fn write_difference(
    text: &mut String,
    player: &PlayerAnalysis,
    letter: &str,
    winner: &PlayerAnalysis,
    language: Language,
) {
    let mut rows: Vec<(Source, [u32; 2], f64)> = Vec::new();
    for (side, sources, sign) in [(0, &player.sources, 1.0), (1, &winner.sources, -1.0)] {
        for &(source, count, points) in sources {
            let known = rows.iter().position(|row| row.0 == source).unwrap_or(rows.len());
            if known == rows.len() {
                rows.push((source, [0; 2], 0.0));
            }
            rows[known].1[side] = count;
            rows[known].2 += sign * points;
        }
    }
    rows.retain(|(_, _, points)| *points != 0.0);
    rows.sort_by(|a, b| a.2.total_cmp(&b.2));
    let (name, colon) = (&winner.name, language.say(":", " :"));
    let total = signed(player.points - winner.points, language);
    let difference = language.say("difference to", "écart avec");
    writeln!(text, "   {difference} {letter} {name}{colon} {total}").expect(NEVER);
    let against = language.say("to", "contre");
    for (source, [own, other], points) in rows {
        let (points, what) = (signed(points, language), source_name(source, language));
        writeln!(text, "   {points:>8}  {what} {own} {against} {other}").expect(NEVER);
    }
}

fn write_heading(text: &mut String, player: &PlayerAnalysis, letter: &str, language: Language) {
    let PlayerAnalysis { name, rank, points, .. } = player;
    let (colon, total) = (language.say(":", " :"), language.number(*points, DECIMALS));
    writeln!(text, "{rank}. {letter} {name}{colon} {total} {}", unit(*points, language))
        .expect(NEVER);
}

fn write_player(text: &mut String, player: &PlayerAnalysis, turns: u32, language: Language) {
    let say = |english: &'static str, french: &'static str| language.say(english, french);
    let colon = say(":", " :");
    for &(source, count, sum) in &player.sources {
        let what = source_name(source, language);
        writeln!(text, "   {:>8}  {count:>4} × {what}", signed(sum, language)).expect(NEVER);
    }
    let word = |count: u32| language.plural(count, say("turn", "tour"), say("turns", "tours"));
    let (all, held) = (word(turns), word(player.held));
    let idle = say("without a step", "sans avancer");
    let how = say("held (frozen, digesting, in the mud)", "retenu (immobilisé, digestion, boue)");
    let of = say("of", "sur");
    let &PlayerAnalysis { idle: still, held: kept, .. } = player;
    writeln!(text, "   {still} {of} {turns} {all} {idle}, {kept} {held} {how}").expect(NEVER);
    let faults = [
        (player.missed, say("missed", "sans réponse à temps"), causes(player.causes, language)),
        (player.malformed, say("malformed", "à l'ordre mal formé"), String::new()),
        (player.late, say("with a late answer", "avec une réponse en retard"), String::new()),
        (player.disconnected, say("without a connection", "sans connexion"), String::new()),
    ];
    for (count, what, more) in faults.into_iter().filter(|(count, ..)| *count > 0) {
        writeln!(text, "   {count} {} {what}{more}", word(count)).expect(NEVER);
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
        (host, language.say("by the host", "par la machine")),
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

/// The name of an object with its article.
fn object_name(object: Object, language: Language) -> &'static str {
    let (english, french) = match object {
        Object::Vitamin => ("a vitamin", "une vitamine"),
        Object::Glutton => ("a glutton", "un glouton"),
        Object::Freeze => ("a freeze", "une immobilité"),
        Object::WallPass => ("a wall-pass", "un passe-muraille"),
        Object::Cherry => ("a cherry", "une cerise"),
        Object::Teleporter => ("a teleporter", "un téléporteur"),
    };
    language.say(english, french)
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
