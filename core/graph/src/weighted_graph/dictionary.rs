//! Graphs from dictionaries, such as `{"0": {"15": 1}, "15": {"0": 1}}`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display as _};

use language::{Phrase, said, word};
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, Unexpected, Visitor};

use super::WeightedGraph;

/// A dictionary of dictionaries: each vertex with its neighbours and the weights, by name and in the given order, without
/// duplicates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NestedDictionary(pub Vec<(u64, Vec<(u64, i64)>)>);

impl<'de> Deserialize<'de> for NestedDictionary {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let neighbours = Entries {
            expected: Phrase::new(
                "a dictionary of neighbours, as {\"15\": 1}",
                "un dictionnaire de voisins, comme {\"15\": 1}",
            ),
            repeated: |name| {
                said!("neighbour {name} is given twice", "le voisin {name} est donné deux fois")
            },
            value: Weight,
        };
        let vertices = Entries {
            expected: Phrase::new(
                "a dictionary of vertices, as {\"0\": {\"15\": 1}, \"15\": {\"0\": 1}}",
                "un dictionnaire de sommets, comme {\"0\": {\"15\": 1}, \"15\": {\"0\": 1}}",
            ),
            repeated: |name| {
                said!("vertex {name} is given twice", "le sommet {name} est donné deux fois")
            },
            value: neighbours,
        };
        vertices.deserialize(deserializer).map(Self)
    }
}

impl<'de> Deserialize<'de> for WeightedGraph {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        NestedDictionary::deserialize(deserializer).map(Self::from)
    }
}

impl From<NestedDictionary> for WeightedGraph {
    fn from(NestedDictionary(given): NestedDictionary) -> Self {
        let lists: BTreeMap<u64, Vec<(u64, i64)>> = given.into_iter().collect();
        let mut names: Vec<u64> = lists.keys().copied().collect();
        names.extend(lists.values().flatten().map(|(name, _)| name));
        names.sort_unstable();
        names.dedup();
        let vertex = |name: u64| names.partition_point(|&other| other < name);
        let successors: Vec<Vec<_>> = names
            .iter()
            .map(|name| lists.get(name).map_or(&[][..], Vec::as_slice))
            .map(|neighbours| neighbours.iter().map(|&(to, weight)| (vertex(to), weight)).collect())
            .collect();
        Self::with_names(names, &successors)
    }
}

/// Reads a dictionary by name, in the given order and without duplicates.
#[derive(Clone, Copy)]
struct Entries<V> {
    /// Description of the dictionary for error messages.
    expected: Phrase,
    /// The error for a name that is given twice.
    repeated: fn(u64) -> String,
    value: V,
}

impl<'de, V: DeserializeSeed<'de> + Copy> DeserializeSeed<'de> for Entries<V> {
    type Value = Vec<(u64, V::Value)>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, V: DeserializeSeed<'de> + Copy> Visitor<'de> for Entries<V> {
    type Value = Vec<(u64, V::Value)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.expected.fmt(f)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
        let mut given = BTreeSet::new();
        let mut list = Vec::new();
        while let Some(Name(name)) = entries.next_key()? {
            if !given.insert(name) {
                return Err(A::Error::custom((self.repeated)(name)));
            }
            list.push((name, entries.next_value_seed(self.value)?));
        }
        Ok(list)
    }
}

/// The name of a vertex, as a key.
#[derive(Deserialize)]
#[serde(try_from = "String")]
struct Name(u64);

impl TryFrom<String> for Name {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        // Signs and leading zeros are refused: two spellings of a name are probably a mistake.
        let name = text.parse().ok().filter(|name: &u64| name.to_string() == text);
        name.map(Self).ok_or_else(|| {
            said!(
                "invalid value: string {text:?}, expected the name of a vertex, a whole number from 0",
                "invalid value: string {text:?}, expected le nom d'un sommet, un nombre entier à partir de 0"
            )
        })
    }
}

#[derive(Clone, Copy)]
struct Weight;

impl<'de> DeserializeSeed<'de> for Weight {
    type Value = i64;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<i64, D::Error> {
        deserializer.deserialize_i64(self)
    }
}

impl Visitor<'_> for Weight {
    type Value = i64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(word(
            "a weight, a whole number of 64 bits",
            "un poids, un nombre entier de 64 bits",
        ))
    }

    fn visit_i64<E: Error>(self, weight: i64) -> Result<Self::Value, E> {
        Ok(weight)
    }

    fn visit_u64<E: Error>(self, weight: u64) -> Result<Self::Value, E> {
        i64::try_from(weight).map_err(|_| E::invalid_value(Unexpected::Unsigned(weight), &self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_and_neighbours_are_not() {
        let text = r#"{"30": {"7": 2, "0": -1, "8": 3}, "7": {"30": 5}, "0": {}}"#;
        let graph: WeightedGraph = serde_json::from_str(text).unwrap();
        assert_eq!(graph.names(), [0, 7, 8, 30]);
        let edges: Vec<Vec<_>> = (0..4).map(|vertex| graph.successors(vertex).collect()).collect();
        assert_eq!(edges, [vec![], vec![(3, 5)], vec![], vec![(1, 2), (0, -1), (2, 3)]]);
        assert_eq!((graph.vertex(8), graph.vertex(9)), (Some(2), None));
        assert_eq!((graph.weight(3, 0), graph.weight(0, 3)), (Some(-1), None));

        let back: Vec<_> = graph.reversed().successors(3).collect();
        assert_eq!(back, [(1, 5)]);
    }

    #[test]
    fn errors_have_a_line_and_a_column() {
        for (text, expected) in [
            ("[1]", "invalid type: sequence, expected a dictionary of vertices"),
            ("{\"0\":\n 3}", "expected a dictionary of neighbours"),
            ("{\"a\": {}}", "invalid value: string \"a\", expected the name of a vertex"),
            ("{\"-1\": {}}", "expected the name of a vertex"),
            ("{\"01\": {}}", "expected the name of a vertex"),
            ("{\"18446744073709551616\": {}}", "expected the name of a vertex"),
            ("{\"0\": {\"1.0\": 1}}", "expected the name of a vertex"),
            ("{\"0\": {\"1\": 1.5}}", "floating point `1.5`, expected a weight"),
            ("{\"0\": {\"1\": \"1\"}}", "string \"1\", expected a weight"),
            ("{\"0\": {\"1\": 9223372036854775808}}", "expected a weight"),
            ("{\"0\": {\"1\": null}}", "expected a weight"),
            ("{\"0\": {}, \"0\": {}}", "vertex 0 is given twice"),
            ("{\"0\": {\"1\": 1, \"1\": 1}}", "neighbour 1 is given twice"),
            ("{\"0\": {\"1\": 1}", "EOF while parsing"),
            ("", "EOF while parsing"),
            ("{} {}", "trailing characters"),
        ] {
            let error = serde_json::from_str::<WeightedGraph>(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
            assert!(error.contains(" at line "), "{text}: {error}");
        }
    }
}
