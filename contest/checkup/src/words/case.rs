//! The circumstances of findings, and the advice for them.

use language::Language;

use crate::case::{BoardKind, Case, Transmission};

/// The circumstances of a finding, in words.
#[expect(clippy::too_many_lines, reason = "one line of words after the other")]
pub(super) fn case(case: &Case, language: Language) -> String {
    match case {
        Case::Field(object) => text!(
            language,
            "on a board full of {}",
            "sur un plateau couvert de {}",
            self::object(*object, language)
        ),
        Case::InsideWall => language
            .say(
                "pacman inside a wall, wall-pass nearly over",
                "pacman dans un mur, passe-muraille presque épuisé",
            )
            .to_owned(),
        Case::WallPassEnds => language
            .say(
                "wall-pass over in the middle of a thick wall",
                "passe-muraille épuisé au milieu d'un mur épais",
            )
            .to_owned(),
        Case::Bitten => language
            .say("ghosts all around, negative score", "des fantômes tout autour, score négatif")
            .to_owned(),
        Case::Hunting => language
            .say(
                "pacman with the glutton, ghosts all around",
                "pacman glouton, des fantômes tout autour",
            )
            .to_owned(),
        Case::Frozen => language.say("frozen ghost", "fantôme immobilisé").to_owned(),
        Case::LongPowers => language
            .say("powers of more than 100 turns", "pouvoirs de plus de 100 tours")
            .to_owned(),
        Case::Digestion => language
            .say("digesting ghost (rules orleans2024)", "fantôme qui digère (règles orleans2024)")
            .to_owned(),
        Case::Letter(letter) => {
            text!(language, "with the letter {letter}", "avec la lettre {letter}")
        }
        Case::Board(board, rows, cols) => {
            let what = match board {
                BoardKind::Wide => {
                    language.say("board wider than high", "plateau plus large que haut")
                }
                BoardKind::Tall => {
                    language.say("board higher than wide", "plateau plus haut que large")
                }
                BoardKind::Open => language.say(
                    "board without walls at its edges, pieces at the edge",
                    "plateau sans murs au bord, pièces au bord",
                ),
                BoardKind::Bare => {
                    language.say("board without any object", "plateau sans aucun objet")
                }
                BoardKind::Tiny => language.say("tiny board", "plateau minuscule"),
                BoardKind::Large => language.say("large board", "grand plateau"),
                BoardKind::Own(name) => &text!(language, "map {name}", "carte {name}"),
            };
            text!(language, "{what} ({rows}×{cols})", "{what} ({rows}×{cols})")
        }
        Case::Players(players) => text!(
            language,
            "game of {players} players, for information",
            "partie à {players} joueurs, pour information"
        ),
        Case::OwnName(name) => text!(
            language,
            "when your team is called “{name}”",
            "quand votre équipe s'appelle « {name} »"
        ),
        Case::Opponent(name) => text!(
            language,
            "when an opponent is called “{name}”",
            "quand un adversaire s'appelle « {name} »"
        ),
        Case::Names(names) => text!(
            language,
            "with the names “{}”",
            "avec les noms « {} »",
            names.join(language.say("”, “", " », « "))
        ),
        Case::Game(number, letter, rows, cols) => {
            text!(
                language,
                "game {number} (letter {letter}, board {rows}×{cols})",
                "partie n° {number} (lettre {letter}, plateau {rows}×{cols})"
            )
        }
        Case::Transmission(delivery) => match delivery {
            Transmission::Pieces => {
                language.say("state received in small pieces", "état reçu en petits morceaux")
            }
            Transmission::Characters => language.say(
                "state cut inside an accented character",
                "état coupé au milieu d'un caractère accentué",
            ),
            Transmission::NulApart => language.say(
                "NUL byte received after the rest of the state",
                "octet nul reçu après le reste de l'état",
            ),
            Transmission::NextBegun => language.say(
                "state received with the beginning of the next",
                "état reçu avec le début du suivant",
            ),
            Transmission::Together => {
                language.say("three states received at once", "trois états reçus d'un coup")
            }
        }
        .to_owned(),
        Case::Twin(number) => text!(language, "copy {number}", "exemplaire n° {number}"),
    }
}

/// The special advice for a bot that fails in this situation, if any.
pub(super) fn advice(case: &Case, language: Language) -> Option<&'static str> {
    Some(match case {
        Case::InsideWall | Case::WallPassEnds => language.say(
            "With the wall-pass, a pacman may stand inside a wall, and still be there when the \
             power is over: the path search must be able to start from a wall.",
            "Avec le passe-muraille, un pacman peut se trouver dans un mur, et y être encore quand \
             le pouvoir s'épuise : la recherche de chemin doit pouvoir partir d'un mur.",
        ),
        Case::Letter(_) => language.say(
            "Your letter is in the header of every state (jeu;B: you are B): read it, do not assume \
             it.",
            "Votre lettre est dans l'en-tête de chaque état (jeu;B : vous êtes B) : lisez-la, ne la \
             supposez pas.",
        ),
        Case::Board(BoardKind::Open, ..) => language.say(
            "The board is a torus: a piece that leaves it at one edge comes back at the opposite \
             edge. Take rows and columns modulo their number.",
            "Le plateau est un tore : au-delà du bord, on revient de l'autre côté. Calculez les \
             lignes et les colonnes modulo leur nombre.",
        ),
        Case::Board(BoardKind::Bare, ..) => language.say(
            "There is not always an object to go to: answer also when the search finds nothing.",
            "Il n'y a pas toujours un objet à atteindre : répondez aussi quand la recherche ne \
             trouve rien.",
        ),
        Case::Board(..) => language.say(
            "The size of the board is in every state (ROWS;COLUMNS): read it, do not assume it.",
            "La taille du plateau est dans chaque état (LIGNES;COLONNES) : lisez-la, ne la supposez \
             pas.",
        ),
        Case::OwnName(_) | Case::Opponent(_) | Case::Names(_) => language.say(
            "A name may hold any characters but the semicolon and the newline: read it as the last \
             field of its line, in UTF-8, without interpreting it.",
            "Un nom peut contenir n'importe quels caractères, sauf le point-virgule et le retour à \
             la ligne : lisez-le comme le dernier champ de sa ligne, en UTF-8, sans l'interpréter.",
        ),
        Case::Game(..) => language.say(
            "From one game to the next everything may change, the letter as well as the board: \
             start from the state received, above all when the number of turns played is 0.",
            "D'une partie à la suivante, tout peut changer, la lettre comme le plateau : repartez \
             de l'état reçu, surtout quand le nombre de tours joués est 0.",
        ),
        Case::Transmission(_) => language.say(
            "A recv may give a part of a message, or several messages: gather the bytes, cut at \
             each NUL byte, and decode the text only then.",
            "Un recv peut rendre un bout de message, ou plusieurs messages : accumulez les octets, \
             coupez à chaque octet nul, et ne décodez le texte qu'ensuite.",
        ),
        Case::Twin(_) => language.say(
            "Several copies may run on the same machine: no fixed files or ports that all of them \
             use.",
            "Plusieurs exemplaires peuvent tourner sur la même machine : pas de fichier ni de port \
             fixes, utilisés par tous.",
        ),
        _ => return None,
    })
}

/// The letter and the name of an object.
pub(super) fn object(letter: char, language: Language) -> String {
    let name = match letter {
        '.' => language.say("vitamin", "vitamine"),
        '$' => language.say("glutton", "glouton"),
        '@' => language.say("freeze", "immobilité"),
        '~' => language.say("wall-pass", "passe-muraille"),
        '&' => language.say("cherry", "cerise"),
        '!' => language.say("teleporter", "téléporteur"),
        _ => language.say("object", "objet"),
    };
    text!(language, "{letter} ({name})", "{letter} ({name})")
}

/// The end of a plural.
pub(super) fn plural(count: impl TryInto<u64>, language: Language) -> &'static str {
    language.plural(count, "", "s")
}
