//! The maps that need no file.

use super::Map;

/// The name and the text of each map.
const MAPS: [(&str, &str); 7] = [
    ("plan1", include_str!("../../../../cartes/plan1.txt")),
    ("petit", include_str!("../../../../cartes/petit.txt")),
    ("dense", include_str!("../../../../cartes/dense.txt")),
    ("objets", include_str!("../../../../cartes/objets.txt")),
    ("large", include_str!("../../../../cartes/large.txt")),
    ("impasses", include_str!("../../../../cartes/impasses.txt")),
    ("grand", include_str!("../../../../cartes/grand.txt")),
];

/// The names of the maps.
pub fn names() -> impl Iterator<Item = &'static str> {
    MAPS.iter().map(|(name, _)| *name)
}

/// The text of the map of this name; `None` if there is none.
pub fn text_of(name: &str) -> Option<&'static str> {
    MAPS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// The map plan1.
pub fn plan1() -> Map {
    Map::parse(MAPS[0].1.as_bytes()).expect("a test reads every map")
}

/// The name of a map; `None` if it needs a file.
pub fn name_of(map: &Map) -> Option<&'static str> {
    let same = |text: &str| Map::parse(text.as_bytes()).is_ok_and(|known| known == *map);
    MAPS.iter().find(|(_, text)| same(text)).map(|(name, _)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_map_of_the_project_is_inside() {
        let mut files: Vec<_> = std::fs::read_dir("../../cartes")
            .unwrap()
            .map(|entry| entry.unwrap().path().file_stem().unwrap().to_owned())
            .collect();
        let mut names: Vec<_> = names().collect();
        files.sort();
        names.sort_unstable();
        assert_eq!(files, names);
        for name in names {
            assert!(Map::parse(text_of(name).unwrap().as_bytes()).is_ok(), "{name}");
        }
        assert_eq!(name_of(&plan1()), Some("plan1"));
        assert_eq!(plan1().to_string(), text_of("plan1").unwrap());
    }
}
