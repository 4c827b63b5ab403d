//! `{tournoi} annuler`.

use std::process::ExitCode;

use crate::resemblance::likeness;
use anyhow::{bail, ensure};
use language::said;
use plan::{Key, Outcome, Voided};
use tournament::store::GameOrder;
use tournament::tournament::Tournament;

use super::base::BaseFlag;
use super::{disqualify, resume};

/// Number of digits shown of a key.
const DIGITS: usize = 8;
/// Smallest number of digits that are taken for a key.
const FEWEST: usize = 4;
/// Number of names that an error suggests.
const NEAREST: usize = 3;

#[derive(Debug, clap::Args)]
pub(crate) struct VoidArgs {
    #[arg(value_name = "GAME|TEAM", required_unless_present_any = ["liste", "disqualifier"], help = said!(
        "Game, by the first digits of its key (--list shows them), or team, for all its games",
        "Partie, par les premiers chiffres de sa clé (--liste les montre), ou équipe, pour toutes ses parties"
    ))]
    what: Vec<String>,

    #[command(flatten)]
    base: BaseFlag,

    #[arg(long, visible_alias = "disqualify", value_name = "TEAM", conflicts_with_all = ["what", "liste"], help = said!(
        "Disqualify a team: its games stay, it comes last and has no rank, and the house plays in its place; with --restore, \
         admit it again",
        "Disqualifier une équipe : ses parties restent, elle vient en dernier sans rang, et la maison joue à sa place ; avec \
         --retablir, la réadmettre"
    ))]
    disqualifier: Option<String>,

    #[arg(long, visible_alias = "reason", value_name = "TEXT", help = said!(
        "Why; it is kept and shown in reports",
        "Raison, gardée et montrée dans les rapports"
    ), required_unless_present_any = ["liste", "retablir"])]
    raison: Option<String>,

    #[arg(long, visible_alias = "restore", conflicts_with = "raison", help = said!(
        "Let voided results count again, unless their games were played again",
        "Refaire compter des résultats annulés, si leurs parties n'ont pas été rejouées"
    ))]
    retablir: bool,

    #[arg(long, visible_alias = "list", conflicts_with_all = ["raison", "retablir"], help = said!(
        "List the games, all or those named, with their keys; those voided too",
        "Lister les parties, toutes ou celles nommées, avec leurs clés ; les annulées aussi"
    ))]
    liste: bool,
}

pub(crate) fn run(args: &VoidArgs) -> anyhow::Result<ExitCode> {
    let base = args.base.path();
    let mut tournament = if args.liste { Tournament::look(base) } else { Tournament::open(base) }?;
    let reason = args.raison.as_deref().map(str::trim).unwrap_or_default();
    if let Some(team) = &args.disqualifier {
        return disqualify::run(&mut tournament, team, (!args.retablir).then_some(reason));
    }
    let voids = tournament.store().voids()?;
    if args.liste {
        list(&tournament, &voids, &args.what)?;
        disqualify::show(&tournament);
        return Ok(ExitCode::SUCCESS);
    }
    let chosen = choose(&tournament, &voids, &args.what)?;
    let shown = base.display();
    if args.retablir {
        let restored: Vec<Voided> = chosen.voided.into_iter().cloned().collect();
        ensure!(
            !restored.is_empty(),
            said!("none of these results is void", "aucun de ces résultats n'est annulé")
        );
        for (place, Voided { game, outcome, .. }) in restored.iter().enumerate() {
            let is_again = restored[..place].iter().any(|other| other.game == *game);
            ensure!(
                !is_again && !tournament.has_played(*game),
                said!(
                    "{} was played again: void its new result first",
                    "{} a été rejouée : annulez d'abord son nouveau résultat",
                    in_words(game, outcome)
                )
            );
        }
        tournament.restore(&restored)?;
        let count = restored.len();
        cli::tell!(
            "Results that count again: {count}",
            "Résultats qui comptent de nouveau : {count}"
        );
        return Ok(ExitCode::SUCCESS);
    }
    if chosen.counting.is_empty()
        && let Some(Voided { game, outcome, reason, .. }) = chosen.voided.last()
    {
        bail!(said!(
            "{} is void already: {reason}",
            "{} est déjà annulée : {reason}",
            in_words(game, outcome)
        ));
    }
    ensure!(
        !reason.is_empty(),
        said!("--reason: a reason is expected", "--raison : une raison est attendue")
    );
    let games: Vec<Key> = chosen.counting.iter().map(|outcome| outcome.key).collect();
    tournament.void(&games, reason)?;
    let resume = resume::command(&tournament);
    cli::tell!(
        "Results voided and kept: {}. `{resume}` plays their games again, and \
         `{tournoi} void --results {shown} --restore …` lets them count again",
        "Résultats annulés et gardés : {}. `{resume}` rejoue leurs parties, et \
         `{tournoi} annuler --base {shown} --retablir …` les fait compter de nouveau",
        games.len(),
        tournoi = cli::command("tournoi")
    );
    Ok(ExitCode::SUCCESS)
}

#[derive(Default)]
struct Chosen<'a> {
    counting: Vec<Outcome>,
    voided: Vec<&'a Voided>,
}

/// The results of the named games and teams.
fn choose<'a>(
    tournament: &Tournament,
    voids: &'a [Voided],
    names: &[String],
) -> anyhow::Result<Chosen<'a>> {
    let mut chosen = Chosen::default();
    for name in names {
        let is_team = tournament.plan().teams.iter().any(|team| team.name == *name);
        let digits = name.to_lowercase();
        let is_key = digits.len() >= FEWEST && digits.chars().all(|c| c.is_ascii_hexdigit());
        let is_meant = |game: Key, outcome: &Outcome| {
            if is_team {
                outcome.seats.iter().any(|seat| !seat.is_house && seat.team == *name)
            } else {
                is_key && game.to_string().starts_with(&digits)
            }
        };
        let mut counting = Vec::new();
        tournament.each_outcome(GameOrder::Rounds, |outcome| {
            if is_meant(outcome.key, &outcome) {
                counting.push(outcome);
            }
        })?;
        counting.sort_by_key(|outcome| outcome.key);
        let mut voided: Vec<_> =
            voids.iter().filter(|voided| is_meant(voided.game, &voided.outcome)).collect();
        let mut keys: Vec<Key> = counting.iter().map(|outcome| outcome.key).collect();
        keys.extend(voided.iter().map(|voided| voided.game));
        keys.sort_unstable();
        keys.dedup();
        match keys.len() {
            0 if is_team => {
                bail!(said!("{name} has no games yet", "{name} n'a pas encore de partie"))
            }
            0 => bail!(unknown(tournament, name)),
            2.. if !is_team => bail!(said!(
                "{} games begin with {name}: give more digits",
                "{} parties commencent par {name} : donnez plus de chiffres",
                keys.len()
            )),
            _ => {}
        }
        counting.retain(|outcome| chosen.counting.iter().all(|known| known.key != outcome.key));
        voided.retain(|one| chosen.voided.iter().all(|known| known.outcome.key != one.outcome.key));
        chosen.counting.append(&mut counting);
        chosen.voided.append(&mut voided);
    }
    Ok(chosen)
}

/// The error for an unknown name, with the teams of the most similar names.
pub(super) fn unknown(tournament: &Tournament, name: &str) -> String {
    let likeness = |team: &str| likeness(team, name);
    let mut teams: Vec<&str> =
        tournament.plan().teams.iter().map(|team| team.name.as_str()).collect();
    teams.sort_by(|a, b| likeness(b).total_cmp(&likeness(a)));
    teams.truncate(NEAREST);
    said!(
        "there is no game or team {name:?}; the nearest teams are {}; --list shows the keys of games",
        "il n'y a ni partie ni équipe {name:?} ; les équipes les plus proches sont {} ; --liste montre les clés des \
         parties",
        teams.join(", ")
    )
}

fn list(tournament: &Tournament, voids: &[Voided], names: &[String]) -> anyhow::Result<()> {
    let mut chosen = match names {
        [] => {
            let mut counting = Vec::new();
            tournament.each_outcome(GameOrder::Rounds, |outcome| counting.push(outcome))?;
            Chosen { counting, voided: voids.iter().collect() }
        }
        names => choose(tournament, voids, names)?,
    };
    chosen.counting.sort_by_key(|outcome| (outcome.round, outcome.began, outcome.key));
    for outcome in chosen.counting {
        cli::say!("{}", in_words(&outcome.key, &outcome));
    }
    for Voided { game, outcome, reason, .. } in chosen.voided {
        let game = in_words(game, outcome);
        cli::tell!("{game}; void: {reason}", "{game} ; annulée : {reason}");
    }
    Ok(())
}

/// A game in a line: its key, its round, its map, its players and their points.
pub(crate) fn in_words(key: &Key, outcome: &Outcome) -> String {
    let seats: Vec<_> =
        outcome.seats.iter().map(|seat| format!("{} {}", seat.team, seat.points)).collect();
    let (key, round, map, seats) =
        (&key.to_string()[..DIGITS], outcome.round, &outcome.map, seats.join(", "));
    cli::printable(&said!(
        "{key} round {round}, {map}: {seats}",
        "{key} manche {round}, {map} : {seats}"
    ))
}
