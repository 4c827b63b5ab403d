//! French translations of error texts of the system and of libraries, which come in English only.

use std::fmt::Display;

use crate::Language;

/// Texts of the system, of the standard library and of parsers, with their French translations; a text precedes the
/// shorter ones that it contains.
const TEXTS: &[(&str, &str)] = &[
    ("No such file or directory", "ce fichier n'existe pas"),
    ("Permission denied", "permission refusée"),
    ("Is a directory", "c'est un dossier"),
    ("Not a directory", "ce n'est pas un dossier"),
    ("Directory not empty", "ce dossier n'est pas vide"),
    ("File exists", "ce fichier existe déjà"),
    ("File too large", "ce fichier est trop grand"),
    ("Read-only file system", "rien ne peut être écrit à cet endroit"),
    ("No space left on device", "il n'y a plus de place"),
    ("Too many open files", "trop de fichiers sont ouverts"),
    ("Cannot allocate memory", "il n'y a plus de mémoire"),
    ("Exec format error", "ce fichier n'est pas un programme"),
    ("Address already in use", "adresse déjà prise"),
    ("Cannot assign requested address", "cette machine n'a pas cette adresse"),
    ("Connection refused", "connexion refusée"),
    ("Connection reset by peer", "connexion coupée"),
    ("Connection timed out", "pas de réponse à temps"),
    ("Network is unreachable", "réseau inaccessible"),
    ("No route to host", "machine inaccessible"),
    ("Broken pipe", "plus personne ne lit"),
    ("failed to lookup address information: ", "machine introuvable : "),
    ("Name or service not known", "ce nom est inconnu"),
    ("Temporary failure in name resolution", "aucun serveur de noms ne répond"),
    ("No address associated with hostname", "ce nom n'a pas d'adresse"),
    ("stream did not contain valid UTF-8", "ce n'est pas un texte en UTF-8"),
    ("unexpected end of file", "le fichier est incomplet"),
    ("failed to fill whole buffer", "le fichier est incomplet"),
    ("invalid digit found in string", "un nombre entier est attendu"),
    ("cannot parse integer from empty string", "un nombre entier est attendu"),
    ("invalid float literal", "un nombre est attendu"),
    ("cannot parse float from empty string", "un nombre est attendu"),
    ("number too large to fit in target type", "ce nombre est trop grand"),
    ("number too small to fit in target type", "ce nombre est trop petit"),
    ("EOF while parsing ", "fin du texte dans "),
    ("expected value", "une valeur est attendue"),
    ("trailing characters", "caractères en trop"),
    ("TOML parse error", "erreur de TOML"),
    ("unclosed array table", "titre de table non fermé"),
    ("unclosed array", "liste non fermée"),
    ("unclosed inline table", "table non fermée"),
    ("unclosed table", "titre de table non fermé"),
    ("key with no value", "clé sans valeur"),
    ("string values must be quoted", "un texte s'écrit entre guillemets"),
    ("invalid basic string", "texte mal écrit"),
    ("invalid literal string", "texte mal écrit"),
    ("missing escaped value", "caractère inattendu après \\"),
    ("duplicate key", "clé donnée deux fois"),
    ("unquoted keys cannot be empty", "clé vide"),
    ("unexpected key or value", "clé ou valeur en trop"),
    ("invalid type: string ", "type inattendu : texte "),
    ("invalid type: integer ", "type inattendu : entier "),
    ("invalid type: floating point ", "type inattendu : nombre "),
    ("invalid type: boolean ", "type inattendu : booléen "),
    ("invalid type: sequence", "type inattendu : liste"),
    ("invalid type: map", "type inattendu : table"),
    ("invalid type: ", "type inattendu : "),
    ("invalid value: integer ", "valeur impossible : entier "),
    ("invalid value: ", "valeur impossible : "),
    (", expected one of ", ", attendu : "),
    (", expected literal string", ", attendu : texte"),
    (", expected newline, ", ", attendu : fin de ligne, "),
    (", expected letters, numbers, ", ", attendu : lettres, chiffres, "),
    (", expected a sequence", ", attendu : une liste"),
    (", expected a string", ", attendu : un texte"),
    (", expected a boolean", ", attendu : `true` ou `false`"),
    (", expected u16", ", attendu : un entier de 0 à 65535"),
    (", expected u32", ", attendu : un entier de 0 à 4294967295"),
    (", expected u64", ", attendu : un entier positif"),
    (", expected path string", ", attendu : le nom d'un fichier"),
    ("missing field ", "il manque "),
    ("unknown field ", "champ inconnu : "),
    ("unknown variant ", "valeur inconnue : "),
    (" is not in ", " n'est pas dans "),
    (", expected ", ", attendu : "),
    (" at line ", " à la ligne "),
    (" column ", " colonne "),
    ("(os error ", "(erreur système "),
];

/// Returns an error text with all known texts of the system and of libraries in French.
pub fn in_french(error: &str) -> String {
    TEXTS.iter().fold(error.to_owned(), |text, (english, french)| text.replace(english, french))
}

/// Returns the text of an error of the system or of libraries in the language of this process.
pub fn in_language(error: &impl Display) -> String {
    match Language::chosen() {
        Language::English => error.to_string(),
        Language::French => in_french(&error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_of_the_system_are_said_in_french() {
        let failure = std::io::Error::from_raw_os_error(2).to_string();
        if cfg!(target_os = "linux") {
            assert_eq!(in_french(&failure), "ce fichier n'existe pas (erreur système 2)");
        }
        let number = "x".parse::<u8>().unwrap_err();
        assert_eq!(in_french(&number.to_string()), "un nombre entier est attendu");
    }
}
