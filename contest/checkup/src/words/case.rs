//! The circumstances of findings, and the advice for them.

use language::{said, word};

use crate::case::{BoardKind, Case, Transmission};

/// The circumstances of a finding, in words.
pub(super) fn case(case: &Case) -> String {
    match case {
        Case::Field(object) => said!(
            "on a board full of {object}",
            "sur un plateau couvert de {object}",
            object = self::object(*object),
        ),
        Case::InsideWall => said!(
            "pacman inside a wall, wall-pass nearly over",
            "pacman dans un mur, passe-muraille presque épuisé",
        ),
        Case::WallPassEnds => said!(
            "wall-pass over in the middle of a thick wall",
            "passe-muraille épuisé au milieu d'un mur épais",
        ),
        Case::Bitten => {
            said!("ghosts all around, negative score", "des fantômes tout autour, score négatif",)
        }
        Case::Hunting => said!(
            "pacman with the glutton, ghosts all around",
            "pacman glouton, des fantômes tout autour",
        ),
        Case::Frozen => said!("frozen ghost", "fantôme immobilisé"),
        Case::LongPowers => said!("powers of more than 100 turns", "pouvoirs de plus de 100 tours"),
        Case::Digestion => {
            said!("digesting ghost (rules orleans2024)", "fantôme qui digère (règles orleans2024)",)
        }
        Case::Letter(letter) => said!("with the letter {letter}", "avec la lettre {letter}"),
        Case::Board(board, rows, cols) => {
            let what = match board {
                BoardKind::Wide => word("board wider than high", "plateau plus large que haut"),
                BoardKind::Tall => word("board higher than wide", "plateau plus haut que large"),
                BoardKind::Open => word(
                    "board without walls at its edges, pieces at the edge",
                    "plateau sans murs au bord, pièces au bord",
                ),
                BoardKind::Bare => word("board without any object", "plateau sans aucun objet"),
                BoardKind::Tiny => word("tiny board", "plateau minuscule"),
                BoardKind::Large => word("large board", "grand plateau"),
                BoardKind::Own(name) => &said!("map {name}", "carte {name}"),
            };
            format!("{what} ({rows}×{cols})")
        }
        Case::Players(players) => said!(
            "game of {players} players, for information",
            "partie à {players} joueurs, pour information",
        ),
        Case::OwnName(name) => {
            said!("when your team is called “{name}”", "quand votre équipe s'appelle « {name} »",)
        }
        Case::Opponent(name) => {
            said!("when an opponent is called “{name}”", "quand un adversaire s'appelle « {name} »",)
        }
        Case::Names(names) => said!(
            "with the names “{names}”",
            "avec les noms « {names} »",
            names = names.join(word("”, “", " », « ")),
        ),
        Case::Game(number, letter, rows, cols) => said!(
            "game {number} (letter {letter}, board {rows}×{cols})",
            "partie n° {number} (lettre {letter}, plateau {rows}×{cols})",
        ),
        Case::Transmission(delivery) => match delivery {
            Transmission::Pieces => {
                said!("state received in small pieces", "état reçu en petits morceaux",)
            }
            Transmission::Characters => said!(
                "state cut inside an accented character",
                "état coupé au milieu d'un caractère accentué",
            ),
            Transmission::NulApart => said!(
                "NUL byte received after the rest of the state",
                "octet nul reçu après le reste de l'état",
            ),
            Transmission::NextBegun => said!(
                "state received with the beginning of the next",
                "état reçu avec le début du suivant",
            ),
            Transmission::Together => {
                said!("three states received at once", "trois états reçus d'un coup",)
            }
        },
        Case::Twin(number) => said!("copy {number}", "exemplaire n° {number}"),
    }
}

/// The special advice for a bot that fails in this situation, if any.
pub(super) fn advice(case: &Case) -> Option<&'static str> {
    Some(match case {
        Case::InsideWall | Case::WallPassEnds => word(
            "With the wall-pass, a pacman may stand inside a wall, and still be there when the \
             power is over: the path search must be able to start from a wall.",
            "Avec le passe-muraille, un pacman peut se trouver dans un mur, et y être encore quand \
             le pouvoir s'épuise : la recherche de chemin doit pouvoir partir d'un mur.",
        ),
        Case::Letter(_) => word(
            "Your letter is in the header of every state (jeu;B: you are B): read it, do not \
             assume it.",
            "Votre lettre est dans l'en-tête de chaque état (jeu;B : vous êtes B) : lisez-la, ne \
             la supposez pas.",
        ),
        Case::Board(BoardKind::Open, ..) => word(
            "The board is a torus: a piece that leaves it at one edge comes back at the opposite \
             edge. Take rows and columns modulo their number.",
            "Le plateau est un tore : au-delà du bord, on revient de l'autre côté. Calculez les \
             lignes et les colonnes modulo leur nombre.",
        ),
        Case::Board(BoardKind::Bare, ..) => word(
            "There is not always an object to go to: answer also when the search finds nothing.",
            "Il n'y a pas toujours un objet à atteindre : répondez aussi quand la recherche ne \
             trouve rien.",
        ),
        Case::Board(..) => word(
            "The size of the board is in every state (ROWS;COLUMNS): read it, do not assume it.",
            "La taille du plateau est dans chaque état (LIGNES;COLONNES) : lisez-la, ne la \
             supposez pas.",
        ),
        Case::OwnName(_) | Case::Opponent(_) | Case::Names(_) => word(
            "A name may hold any characters but the semicolon and the newline: read it as the last \
             field of its line, in UTF-8, without interpreting it.",
            "Un nom peut contenir n'importe quels caractères, sauf le point-virgule et le retour à \
             la ligne : lisez-le comme le dernier champ de sa ligne, en UTF-8, sans l'interpréter.",
        ),
        Case::Game(..) => word(
            "From one game to the next everything may change, the letter as well as the board: \
             start from the state received, above all when the number of turns played is 0.",
            "D'une partie à la suivante, tout peut changer, la lettre comme le plateau : repartez \
             de l'état reçu, surtout quand le nombre de tours joués est 0.",
        ),
        Case::Transmission(_) => word(
            "A recv may give a part of a message, or several messages: gather the bytes, cut at \
             each NUL byte, and decode the text only then.",
            "Un recv peut renvoyer un bout de message, ou plusieurs messages : accumulez les octets, coupez à chaque \
             octet nul, et ne décodez le texte qu'ensuite.",
        ),
        Case::Twin(_) => word(
            "Several copies may run on the same machine: no fixed files or ports that all of them \
             use.",
            "Plusieurs exemplaires peuvent tourner sur la même machine : pas de fichier ni de port \
             fixes, utilisés par tous.",
        ),
        _ => return None,
    })
}

/// The letter and the name of an object.
pub(super) fn object(letter: char) -> String {
    let name = match letter {
        '.' => word("vitamin", "vitamine"),
        '$' => word("glutton", "glouton"),
        '@' => word("freeze", "immobilité"),
        '~' => word("wall-pass", "passe-muraille"),
        '&' => word("cherry", "cerise"),
        '!' => word("teleporter", "téléporteur"),
        _ => word("object", "objet"),
    };
    format!("{letter} ({name})")
}
