//! The settings of a course, from its configuration.

use anyhow::{Context, ensure};
use classroom::Settings;
use course::{LadderRules, Limits};
use language::said;
use plan::NamedMap;
use sandbox::Level;
use similarity::Source;

use crate::config::{Config, CourseConfig};
use crate::setup::{self, SoloConditions};

/// The usual levels: those of the usual scale of marks.
const LEVELS: [&str; 4] = ["aleatoire", "prudent", "glouton", "dijkstra"];
/// The usual size of the recordings that are kept.
const RECORDINGS: u64 = 400_000_000;

/// The settings of a course.
///
/// # Errors
///
/// When a value is unknown, or a map cannot be read.
pub(super) fn settings(config: &Config, isolation: Level) -> anyhow::Result<Settings> {
    ensure!(
        config.teams.is_empty(),
        said!(
            "the teams of a course come from a CSV file or by invitation, not from [[equipe]]",
            "les équipes d'un cours viennent d'un fichier CSV ou d'une invitation, pas de [[equipe]]"
        )
    );
    let SoloConditions { rules, turns, deadline, mut maps, limits } =
        setup::solo_conditions(config)?;
    if maps.is_empty() {
        let map = game::pacman::maps::plan1();
        maps.push(NamedMap { name: "plan1".to_owned(), text: map.to_string(), map });
    }
    let about = config.course.clone().unwrap_or_default();
    let levels = about.levels.clone().unwrap_or_else(|| LEVELS.map(str::to_owned).to_vec());
    ensure!(
        !levels.is_empty(),
        said!(
            "`niveaux`: expected a bot of the house at least",
            "`niveaux` : au moins un bot de la maison est attendu"
        )
    );
    let level = |name: &String| bots::by_name(name).map(|bot| bot.name.to_owned());
    let levels = levels.iter().map(level).collect::<Result<_, _>>();
    let levels: Vec<String> = levels.map_err(anyhow::Error::msg).context("`niveaux`")?;
    let address = about.address.clone().map(address).transpose()?;
    let given = about.given.iter().map(|path| {
        let text = std::fs::read(path).with_context(|| path.display().to_string())?;
        Ok(Source::new(path.display().to_string(), text))
    });
    let given = given.collect::<anyhow::Result<_>>().context("`fourni`")?;
    let usual = Limits::default();
    let CourseConfig {
        separate_groups,
        parallel,
        per_hour,
        kept,
        challenges,
        recordings,
        rest,
        ..
    } = about;
    Ok(Settings {
        name: config.name.clone().unwrap_or_else(|| "Pacman IUT'O".to_owned()),
        rules,
        turns,
        deadline,
        maps,
        programs: limits,
        levels,
        isolation,
        parallel: parallel.map_or(1, usize::from),
        ladder: LadderRules { apart: separate_groups, ..LadderRules::default() },
        hand_in: Limits {
            per_hour: per_hour.unwrap_or(usual.per_hour),
            kept: kept.unwrap_or(usual.kept),
            challenges: challenges.unwrap_or(usual.challenges),
            ..usual
        },
        upload: intake::Limits::default(),
        recordings: recordings.unwrap_or(RECORDINGS),
        rest: rest.iter().map(|text| text.parse()).collect::<Result<_, _>>().context("`repos`")?,
        address,
        given,
    })
}

fn address(text: String) -> anyhow::Result<String> {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let is_address = rest.is_some_and(|rest| {
        let rest = rest.trim_end_matches('/');
        !rest.is_empty() && !rest.contains(|c: char| c.is_whitespace() || "/#?@".contains(c))
    });
    ensure!(
        is_address,
        said!(
            "`adresse`: expected https:// or http:// and the name of a site, without a path, as https://pacman.example",
            "`adresse` : https:// ou http:// et le nom d'un site sont attendus, sans chemin, comme https://pacman.example"
        )
    );
    Ok(text)
}
