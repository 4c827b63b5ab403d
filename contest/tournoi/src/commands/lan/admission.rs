//! The admission of teams.

use std::path::Path;

use anyhow::{Context, bail, ensure};
use arena::hall::Admission;
use language::said;
use plan::{Plan, Program};
use protocol::{Name, Registration, Secret};

/// Greatest number of teams without a list.
const TEAMS: usize = 256;

/// Teams with their secrets, if they have any.
pub(super) type TeamList = Vec<(Name, Option<Secret>)>;

/// The rule of admission: the teams on the list, or anybody except under the name of a bot of the house.
pub(super) fn admission(
    plan: &Plan,
    list: Option<TeamList>,
    max_per_address: usize,
) -> anyhow::Result<Admission> {
    let house = plan.teams.iter().filter(|team| matches!(team.program, Program::House(_)));
    let reserved: Vec<_> = house.map(|team| Name::new(&team.name)).collect();
    let Some(list) = list else {
        return Ok(Admission::Anybody { max_teams: TEAMS, max_per_address, reserved });
    };
    if let Some((name, _)) = list.iter().find(|(name, _)| reserved.contains(name)) {
        bail!(said!(
            "{name} is on the list of teams, and the name of a bot of the house",
            "{name} est sur la liste des équipes, et c'est le nom d'un bot de la maison"
        ));
    }
    Ok(Admission::Listed(list))
}

pub(super) fn read_teams(path: &Path) -> anyhow::Result<TeamList> {
    let text = std::fs::read_to_string(path).with_context(|| {
        said!("cannot read the teams {}", "la liste d'équipes {} est illisible", path.display())
    })?;
    let mut teams = TeamList::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        // A line has the form of the name with which a client registers.
        let registration = format!("joueur;{line}");
        let Ok(Registration { name, secret, .. }) = Registration::decode(registration.as_bytes())
        else {
            bail!(said!(
                "{}, line {number}: expected NAME or NAME#SECRET",
                "{}, ligne {number} : NOM ou NOM#SECRET est attendu",
                path.display()
            ));
        };
        ensure!(
            !Registration::withholds(registration.as_bytes()),
            said!(
                "{}, line {number}: the secret of {name} is not 8 to 64 of A-Z a-z 0-9",
                "{}, ligne {number} : le secret de {name} n'est pas fait de 8 à 64 caractères A-Z a-z 0-9",
                path.display()
            )
        );
        if teams.iter().any(|(known, _)| *known == name) {
            bail!(said!(
                "{}, line {number}: {name} is there twice",
                "{}, ligne {number} : {name} y est deux fois",
                path.display()
            ));
        }
        teams.push((name, secret));
    }
    let empty =
        || said!("{}: there is no team in it", "{} : il n'y a aucune équipe", path.display());
    ensure!(!teams.is_empty(), empty());
    Ok(teams)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> anyhow::Result<TeamList> {
        let file = tempfile::NamedTempFile::new()?;
        std::fs::write(file.path(), text)?;
        read_teams(file.path())
    }

    #[test]
    fn a_secret_that_is_not_valid_is_an_error_and_not_shown() {
        let teams = read("Ada#correcthorse42\nC#\n").unwrap();
        let teams: Vec<_> =
            teams.iter().map(|(name, secret)| (name.as_str(), secret.is_some())).collect();
        assert_eq!(teams, [("Ada", true), ("C#", false)]);
        let error = read("Bob\nAda#correct-horse-battery\n").unwrap_err().to_string();
        assert!(error.contains("line 2") && error.contains("Ada"), "{error}");
        assert!(!error.contains("correct"), "{error}");
    }
}
