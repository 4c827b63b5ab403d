//! The tournaments of several groups in one table.
//!
//! Each team is ranked within its group. There is no common order: a rating says how a team does against the teams that it
//! has met, so those of tournaments without common opponents cannot be compared.

use language::Language;
use plan::Voided;
use rating::Standings;

use super::{Line, csv, lines, table};

/// The standings of a group.
#[derive(Clone, Debug)]
pub struct GroupStandings {
    /// The name of the group: that of its tournament.
    pub name: String,
    /// The standings after the games that count.
    pub standings: Standings,
    /// The voided results.
    pub voids: Vec<Voided>,
}

impl GroupStandings {
    fn lines(&self, language: Language) -> impl Iterator<Item = Line<'_>> {
        let lines = lines(&self.standings, &self.voids, language);
        lines.map(|line| Line { group: &self.name, ..line })
    }
}

/// Returns the rankings of groups, one after the other, as a [`sheet`](super::sheet) with the columns of
/// [`csv`](super::csv()) after that of the group.
pub fn groups_csv(groups: &[GroupStandings], language: Language) -> String {
    csv::grouped(groups.iter().flat_map(|group| group.lines(language)), language)
}

/// Returns the rankings of groups, one after the other, as lines of at most 80 columns, and the certainty of the first place
/// of each. Long names are cut.
pub fn groups_table(groups: &[GroupStandings], language: Language) -> String {
    let table = table::grouped(groups.iter().flat_map(|group| group.lines(language)), language);
    let certainty = groups.iter().map(|group| {
        let name = table::plain(&group.name);
        let colon = language.say(":", "\u{a0}:");
        format!("{name}{colon} {}", table::certainty(&group.standings, language))
    });
    let warning = language.say(
        "Each team is ranked within its group; ratings of different groups cannot be compared.",
        "Chaque équipe est classée dans son groupe ; les cotes de groupes différents ne se comparent pas.",
    );
    format!("{table}\n{}{warning}\n", certainty.collect::<String>())
}

#[cfg(test)]
mod tests {
    use plan::record::{HeadToHead, Record};
    use rating::standings::Row;

    use super::*;

    fn group(name: &str, teams: &[&str]) -> GroupStandings {
        let row = |(place, team): (u32, &&str)| Row {
            team: 0,
            name: (*team).to_owned(),
            record: Record { games: 12, ..Record::default() },
            strength: -f64::from(place),
            rating: 1500.0 - f64::from(place),
            interval: (1400.0, 1600.0),
            risk: 1.0,
            disqualified: None,
        };
        let rows: Vec<_> = (0..).zip(teams).map(row).collect();
        let head_to_head = vec![vec![HeadToHead::default(); rows.len()]; rows.len()];
        let standings = Standings { rows, head_to_head, games: 12 };
        GroupStandings { name: name.to_owned(), standings, voids: Vec::new() }
    }

    #[test]
    fn each_group_is_ranked_by_itself() {
        let long = "x".repeat(64);
        let groups = [group("TD 2", &["Ada", &long]), group("=TD\u{1b}1", &["Bob", "Eve"])];
        let shown = groups_table(&groups, Language::English);
        let lines: Vec<Vec<_>> =
            shown.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(lines[1][..2], ["Group", "Team"]);
        assert_eq!(lines[3][..4], ["TD", "2", "1", "Ada"]);
        assert_eq!(lines[4][..3], ["TD", "2", "2"]);
        assert_eq!(lines[5][1..3], ["1", "Bob"]);
        assert!(shown.contains("TD 2: 12 games.") && !shown.contains('\u{1b}'), "{shown}");
        assert!(shown.lines().take(7).all(|line| line.chars().count() <= 80), "{shown}");

        let sheet = groups_csv(&groups, Language::French);
        let starts: Vec<_> = sheet
            .lines()
            .map(|line| line.split(';').take(3).collect::<Vec<_>>().join(";"))
            .collect();
        assert_eq!(starts[0], "\u{feff}\"Groupe\";\"Rang\";\"Équipe\"");
        assert_eq!(starts[1], "\"TD 2\";1;\"Ada\"");
        assert_eq!(starts[3], "\"'=TD\u{1b}1\";1;\"Bob\"");
        assert_eq!(sheet.lines().count(), 5);
    }
}
