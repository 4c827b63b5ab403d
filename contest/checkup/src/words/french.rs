//! The words in French.

mod facts;

use std::time::Duration;

use language::Language;

use crate::case::{BoardKind, Case, Transmission};
use crate::report::{Check, CheckReport, CheckVerdict};

use super::{counts, titles};

pub(super) use facts::fact;

pub(super) fn title(check: Check) -> &'static str {
    match check {
        Check::Start => "Démarrage et inscription",
        Check::Answers => "Réponses à temps",
        Check::Orders => "Ordres",
        Check::End => "Fin de partie",
        Check::Powers => "Objets et pouvoirs",
        Check::Letters => "Toutes les lettres",
        Check::Boards => "Plateaux de toutes tailles",
        Check::Names => "Noms bizarres",
        Check::Series => "Plusieurs parties de suite",
        Check::Stream => "Messages en morceaux",
        Check::Twins => "Deux exemplaires à la fois",
    }
}

pub(super) fn verdict(verdict: CheckVerdict) -> &'static str {
    match verdict {
        CheckVerdict::Passed => "réussi",
        CheckVerdict::Warning => "à revoir",
        CheckVerdict::Failed => "échec",
        CheckVerdict::Skipped => "non essayé",
    }
}

pub(super) fn summary(report: &CheckReport) -> String {
    let [good, made, skipped] = counts(report);
    let count = match good {
        0 | 1 => format!("{good} contrôle réussi sur {made}"),
        _ => format!("{good} contrôles réussis sur {made}"),
    };
    let skipped = match skipped {
        0 => String::new(),
        _ => format!(" ({skipped} non essayé{})", plural(skipped as u64)),
    };
    let verdict = if report.is_ready() {
        " : prêt pour le tournoi.".to_owned()
    } else {
        format!(". À corriger d'abord : {}.", titles(report, CheckVerdict::Failed, title))
    };
    let doubtful = match titles(report, CheckVerdict::Warning, title) {
        none if none.is_empty() => none,
        doubtful => format!(" À revoir si possible : {doubtful}."),
    };
    format!("{count}{skipped}{verdict}{doubtful}")
}

/// The circumstances of a finding, in words.
pub(super) fn case(case: &Case) -> String {
    match case {
        Case::Field(object) => format!("sur un plateau couvert de {}", self::object(*object)),
        Case::InsideWall => "pacman dans un mur, passe-muraille presque épuisé".to_owned(),
        Case::WallPassEnds => "passe-muraille épuisé au milieu d'un mur épais".to_owned(),
        Case::Bitten => "des fantômes tout autour, score négatif".to_owned(),
        Case::Hunting => "pacman glouton, des fantômes tout autour".to_owned(),
        Case::Frozen => "fantôme immobilisé".to_owned(),
        Case::LongPowers => "pouvoirs de plus de 100 tours".to_owned(),
        Case::Digestion => "fantôme qui digère (règles orleans2024)".to_owned(),
        Case::Letter(letter) => format!("avec la lettre {letter}"),
        Case::Board(board, rows, cols) => {
            let what = match board {
                BoardKind::Wide => "plateau plus large que haut",
                BoardKind::Tall => "plateau plus haut que large",
                BoardKind::Open => "plateau sans murs au bord, pièces au bord",
                BoardKind::Bare => "plateau sans aucun objet",
                BoardKind::Tiny => "plateau minuscule",
                BoardKind::Large => "grand plateau",
                BoardKind::Own(name) => &format!("carte {name}"),
            };
            format!("{what} ({rows}×{cols})")
        }
        Case::Players(players) => format!("partie à {players} joueurs, pour information"),
        Case::OwnName(name) => format!("quand votre équipe s'appelle « {name} »"),
        Case::Opponent(name) => format!("quand un adversaire s'appelle « {name} »"),
        Case::Names(names) => format!("avec les noms « {} »", names.join(" », « ")),
        Case::Game(number, letter, rows, cols) => {
            format!("partie n° {number} (lettre {letter}, plateau {rows}×{cols})")
        }
        Case::Transmission(delivery) => match delivery {
            Transmission::Pieces => "état reçu en petits morceaux",
            Transmission::Characters => "état coupé au milieu d'un caractère accentué",
            Transmission::NulApart => "octet nul reçu après le reste de l'état",
            Transmission::NextBegun => "état reçu avec le début du suivant",
            Transmission::Together => "trois états reçus d'un coup",
        }
        .to_owned(),
        Case::Twin(number) => format!("exemplaire n° {number}"),
    }
}

/// The special advice for a bot that fails in this situation, if any.
pub(super) fn advice(case: &Case) -> Option<&'static str> {
    Some(match case {
        Case::InsideWall | Case::WallPassEnds => {
            "Avec le passe-muraille, un pacman peut se trouver dans un mur, et y être encore quand le \
             pouvoir s'épuise : la recherche de chemin doit pouvoir partir d'un mur."
        }
        Case::Letter(_) => {
            "Votre lettre est dans l'en-tête de chaque état (jeu;B : vous êtes B) : lisez-la, ne la \
             supposez pas."
        }
        Case::Board(BoardKind::Open, ..) => {
            "Le plateau est un tore : au-delà du bord, on revient de l'autre côté. Calculez les \
             lignes et les colonnes modulo leur nombre."
        }
        Case::Board(BoardKind::Bare, ..) => {
            "Il n'y a pas toujours un objet à atteindre : répondez aussi quand la recherche ne trouve \
             rien."
        }
        Case::Board(..) => {
            "La taille du plateau est dans chaque état (LIGNES;COLONNES) : lisez-la, ne la supposez \
             pas."
        }
        Case::OwnName(_) | Case::Opponent(_) | Case::Names(_) => {
            "Un nom peut contenir n'importe quels caractères, sauf le point-virgule et le retour à la \
             ligne : lisez-le comme le dernier champ de sa ligne, en UTF-8, sans l'interpréter."
        }
        Case::Game(..) => {
            "D'une partie à la suivante, tout peut changer, la lettre comme le plateau : repartez de \
             l'état reçu, surtout quand le nombre de tours joués est 0."
        }
        Case::Transmission(_) => {
            "Un recv peut rendre un bout de message, ou plusieurs messages : accumulez les octets, \
             coupez à chaque octet nul, et ne décodez le texte qu'ensuite."
        }
        Case::Twin(_) => {
            "Plusieurs exemplaires peuvent tourner sur la même machine : pas de fichier ni de port \
             fixes, utilisés par tous."
        }
        _ => return None,
    })
}

fn object(letter: char) -> String {
    let name = match letter {
        '.' => "vitamine",
        '$' => "glouton",
        '@' => "immobilité",
        '~' => "passe-muraille",
        '&' => "cerise",
        '!' => "téléporteur",
        _ => "objet",
    };
    format!("{letter} ({name})")
}

fn plural(count: impl TryInto<u64>) -> &'static str {
    Language::French.plural(count, "", "s")
}

fn time(duration: Duration) -> String {
    Language::French.duration(duration)
}
