//! Names that resemble each other: typing errors, and letters without their accents.

/// Minimum likeness of names for one to be taken for the other, from 0 to 1.
const ALIKE: f64 = 0.8;

/// The likeness of two names, from 0 to 1; capitals and French accents do not count.
pub(crate) fn likeness(one: &str, other: &str) -> f64 {
    strsim::jaro_winkler(&folded(one), &folded(other))
}

/// The name that a mistyped one probably stands for, if any.
pub(crate) fn closest<'a>(wrong: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let alike =
        names.map(|name| (likeness(wrong, name), name)).filter(|(alike, _)| *alike >= ALIKE);
    alike.max_by(|(one, _), (other, _)| one.total_cmp(other)).map(|(_, name)| name)
}

/// A name in small letters without accents.
fn folded(name: &str) -> String {
    let mut folded = String::new();
    for letter in name.trim().to_lowercase().chars() {
        match letter {
            'à' | 'á' | 'â' | 'ä' | 'ã' | 'å' => folded.push('a'),
            'ç' => folded.push('c'),
            'é' | 'è' | 'ê' | 'ë' => folded.push('e'),
            'í' | 'ì' | 'î' | 'ï' => folded.push('i'),
            'ñ' => folded.push('n'),
            'ó' | 'ò' | 'ô' | 'ö' | 'õ' => folded.push('o'),
            'ú' | 'ù' | 'û' | 'ü' => folded.push('u'),
            'ÿ' => folded.push('y'),
            'œ' => folded.push_str("oe"),
            'æ' => folded.push_str("ae"),
            // Accents that follow their letters.
            '\u{300}'..='\u{36f}' => {}
            letter => folded.push(letter),
        }
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typing_errors_and_missing_accents_are_recognised() {
        let names = ["Zoé", "Les Gloutons", "Ada", "Éloïse Lefèvre", "Cœur de Pac"];
        for (wrong, right) in [
            ("Zoe", Some("Zoé")),
            ("zoe\u{301}", Some("Zoé")),
            ("les gloutons", Some("Les Gloutons")),
            ("Les Glutons", Some("Les Gloutons")),
            ("ELOISE LEFEVRE", Some("Éloïse Lefèvre")),
            ("coeur de pac", Some("Cœur de Pac")),
            ("Adda", Some("Ada")),
            ("Bob", None),
            ("", None),
        ] {
            assert_eq!(closest(wrong, names.into_iter()), right, "{wrong}");
        }
        assert!((likeness("Zoe", "ZOÉ") - 1.0).abs() < f64::EPSILON);
    }
}
