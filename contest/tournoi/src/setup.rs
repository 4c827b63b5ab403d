//! Makes plans of configurations.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, anyhow, bail, ensure};
use game::pacman::RulesPreset;
use language::{Language, said};
use protocol::Name;

use crate::config::{Config, FormatName, TeamConfig, Words};
use plan::{
    CommandLine, Conditions, Files, Format, NamedMap, Plan, Program, SEATS, Schedule, Team,
    TeamLimits,
};
use programs::package::{Package, PackageError, Packages, version};

/// Default number of turns and deadline of a game.
const TURNS: u32 = 200;
const DEADLINE: Duration = Duration::from_secs(1);

/// The plan of a configuration; `seed` replaces a missing seed.
///
/// # Errors
///
/// When a value is missing or unknown, or a file cannot be read.
pub fn plan(config: &Config, seed: u64) -> anyhow::Result<Plan> {
    let mut plan = open_plan(config, seed)?;
    let teams = plan.teams.len();
    ensure!(
        teams > 0,
        said!(
            "which teams? [[equipe]] in the configuration, or --team NAME=COMMAND or ia:BOT",
            "quelles équipes ? [[equipe]] dans la configuration, ou --equipe NOM=COMMANDE ou ia:BOT"
        )
    );
    if plan.schedule.rounds == 0 {
        plan.schedule.rounds = plan.schedule.format.usual_rounds(teams, plan.maps.len());
    }
    plan.schedule.check(&plan.teams, plan.maps.len())?;
    Ok(plan)
}

/// The plan of a configuration for a tournament that teams join later: it may have too few teams, and 0 rounds if the
/// configuration does not tell their number.
///
/// # Errors
///
/// When a value is missing or unknown, or a file cannot be read.
pub fn open_plan(config: &Config, seed: u64) -> anyhow::Result<Plan> {
    ensure!(
        !config.maps.is_empty(),
        said!(
            "which maps? `cartes` in the configuration, or --map FILE",
            "quelles cartes ? `cartes` dans la configuration, ou --carte FICHIER"
        )
    );
    ensure!(
        config.course.is_none(),
        said!(
            "`[cours]` is for `{tournoi} course`",
            "`[cours]` est pour `{tournoi} cours`",
            tournoi = cli::command("tournoi")
        )
    );
    let SoloConditions { rules, turns, deadline, maps, limits } = solo_conditions(config)?;
    let mut all = Vec::new();
    add_teams(&mut all, &config.teams, 0)?;
    let conditions = Conditions {
        name: config.name.clone().unwrap_or_else(|| "Pacman IUT'O".to_owned()),
        seed: config.seed.unwrap_or(seed),
        rules,
        turns,
        deadline,
        house: house(config)?,
        seatings: config.seatings.map(Into::into).unwrap_or_default(),
    };
    let schedule = schedule(config, &all, conditions.seed)?;
    Ok(Plan { conditions, maps, teams: all, schedule, limits, notes: Vec::new() })
}

/// The conditions of a program that plays alone.
#[derive(Clone, Debug)]
pub struct SoloConditions {
    /// The rules.
    pub rules: RulesPreset,
    /// The number of turns of a game.
    pub turns: u32,
    /// Time limit of an answer.
    pub deadline: Duration,
    /// The maps; none if the configuration names none.
    pub maps: Vec<NamedMap>,
    /// Resource limits of the program.
    pub limits: TeamLimits,
}

/// The conditions of a configuration, without teams.
///
/// # Errors
///
/// When a value is unknown, or a map cannot be read.
pub fn solo_conditions(config: &Config) -> anyhow::Result<SoloConditions> {
    let turns = config.turns.unwrap_or(TURNS);
    let expected =
        || said!("`duree`: expected at least one turn", "`duree` : au moins un tour est attendu");
    ensure!(turns > 0, expected());
    let deadline = config.deadline.unwrap_or(DEADLINE);
    Ok(SoloConditions {
        rules: config.rules.as_deref().unwrap_or("sujet").parse()?,
        turns,
        deadline,
        maps: config.maps.iter().map(|path| load_map(path)).collect::<anyhow::Result<_>>()?,
        limits: limits(config, deadline, turns),
    })
}

/// The name of the house bot for seats without a team.
///
/// # Errors
///
/// When no house bot has that name.
pub fn house(config: &Config) -> anyhow::Result<String> {
    house_bot(config.house.as_deref().unwrap_or("glouton"))
}

/// Adds teams to the existing ones.
///
/// # Errors
///
/// When a team cannot play, or two have the same name.
pub fn add_teams(
    teams: &mut Vec<Team>,
    added: &[TeamConfig],
    generation: u32,
) -> anyhow::Result<()> {
    for config in added {
        let team = team(config, generation, |name| teams.iter().any(|team| team.name == name))?;
        teams.push(team);
    }
    Ok(())
}

/// The version of a team's present program; that of its games, if the team is disqualified.
///
/// # Errors
///
/// When the program's files cannot be read.
pub fn current_version(team: &Team) -> Result<String, PackageError> {
    match (&team.program, &team.files) {
        (Program::Command(command), Some(files))
            if !team.has_given_version && team.disqualified.is_none() =>
        {
            version(command, files)
        }
        _ => Ok(team.version.clone()),
    }
}

/// The error that the files of a team's program cannot be packaged.
fn not_taken(team: &str, error: &PackageError) -> anyhow::Error {
    let why = error.words();
    let why = why.say(Language::chosen());
    anyhow!(said!("the team {team:?}: {why}", "l'équipe {team:?} : {why}"))
}

/// Packages the present files of the teams' programs, and sets the teams' versions accordingly. The files of disqualified teams
/// may be gone.
///
/// # Errors
///
/// When files cannot be read or copied.
pub fn take_packages(teams: &mut [Team], packages: &Packages) -> anyhow::Result<()> {
    for team in teams.iter_mut().filter(|team| team.disqualified.is_none()) {
        take_package(team, packages)?;
    }
    Ok(())
}

/// Removes packages that none of the teams uses any more.
pub fn drop_packages(teams: &[Team], packages: &Packages) {
    packages.retain(&teams.iter().filter_map(|team| team.package.as_deref()).collect());
}

/// Packages the present files of a team's program, and sets its version accordingly.
///
/// # Errors
///
/// When files cannot be read or copied.
pub fn take_package(team: &mut Team, packages: &Packages) -> anyhow::Result<()> {
    let Program::Command(command) = &team.program else { return Ok(()) };
    let taken = packages.take(command, team.files.as_ref().unwrap_or(&Files::Named));
    let Package { hash, version } = taken.map_err(|error| not_taken(&team.name, &error))?;
    if !team.has_given_version && team.files.is_some() {
        team.version = version;
    }
    team.package = Some(hash);
    Ok(())
}

/// Reads a team as flags give it: `NAME=COMMAND`, `NAME=ia:BOT`, or without its name.
///
/// # Errors
///
/// When the text names no program.
pub fn parse_team(text: &str) -> anyhow::Result<TeamConfig> {
    // A `=` among the flags of a command does not end a name; a dash alone, as in `Blue - 2`, is no flag.
    let is_flag = |word: &str| word.len() > 1 && word.starts_with('-');
    let is_name = |text: &str| {
        !text.is_empty() && !text.split(' ').any(is_flag) && !text.contains(['{', '/'])
    };
    let (name, program) = match text.split_once('=') {
        Some((name, program)) if is_name(name) => (Some(name.to_owned()), program),
        _ => (None, text),
    };
    ensure!(
        !program.trim().is_empty(),
        said!(
            "expected NAME=COMMAND, or ia:BOT for a bot of the house",
            "NOM=COMMANDE est attendu, ou ia:BOT pour un bot de la maison"
        )
    );
    let bot = program.trim().strip_prefix("ia:").map(str::to_owned);
    Ok(TeamConfig {
        name,
        command: bot.is_none().then(|| Words::Line(program.to_owned())),
        bot,
        folder: None,
        own_folder: false,
        environment: [].into(),
        version: None,
        files: None,
    })
}

fn team(
    config: &TeamConfig,
    generation: u32,
    is_taken: impl Fn(&str) -> bool,
) -> anyhow::Result<Team> {
    let mut files = None;
    let (program, version, usual_name) = match (&config.bot, &config.command) {
        (Some(bot), None) => {
            let bot = house_bot(bot)?;
            let version = config.version.clone();
            // House bots have the version of this program.
            let version = version.unwrap_or_else(|| env!("CARGO_PKG_VERSION").to_owned());
            (Program::House(bot.clone()), version, bot)
        }
        (None, Some(words)) => {
            let command = command(config, words)?;
            let which = files.insert(match (&config.files, config.own_folder) {
                (Some(files), _) => Files::These(files.clone()),
                (None, true) => Files::Folder,
                (None, false) => Files::Named,
            });
            let name = usual_name(&command.words);
            let version = match &config.version {
                Some(version) => version.clone(),
                None => version(&command, which)
                    .map_err(|error| not_taken(config.name.as_deref().unwrap_or(&name), &error))?,
            };
            (Program::Command(command), version, name)
        }
        (Some(_), Some(_)) => bail!(said!(
            "a team has either `ia` or `commande`, not both",
            "une équipe a soit `ia`, soit `commande`, pas les deux"
        )),
        (None, None) => bail!(said!(
            "what plays for the team? `commande` or `ia` says it",
            "qu'est-ce qui joue pour l'équipe ? Donnez `commande` ou `ia`"
        )),
    };
    let name = match &config.name {
        Some(wanted) => {
            let name = Name::new(wanted);
            ensure!(
                !is_taken(name.as_str()),
                said!(
                    "there are two teams called \"{name}\"",
                    "deux équipes s'appellent « {name} »"
                )
            );
            name
        }
        None => Name::new(&usual_name).distinct(is_taken),
    };
    Ok(Team {
        name: name.to_string(),
        program,
        version,
        has_given_version: config.version.is_some(),
        files,
        package: None,
        generation,
        disqualified: None,
    })
}

fn command(config: &TeamConfig, words: &Words) -> anyhow::Result<CommandLine> {
    let words = match words {
        Words::Line(line) => shell_words::split(line)
            .with_context(|| said!("the command {line:?}", "la commande {line:?}"))?,
        Words::List(words) => words.clone(),
    };
    ensure!(
        !words.is_empty(),
        said!("the command of a team is empty", "la commande d'une équipe est vide")
    );
    let folder = config.folder.as_deref().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let folder = folder
        .canonicalize()
        .with_context(|| said!("the folder {}", "le dossier {}", folder.display()))?;
    Ok(CommandLine { words, folder, environment: config.environment.clone() })
}

/// The default name of a team: the name of its script or program, without the extension.
fn usual_name(words: &[String]) -> String {
    let is_script = |word: &&String| Path::new(word.as_str()).extension().is_some();
    let word = words.iter().find(is_script).or(words.first());
    let stem = word.and_then(|word| Path::new(word).file_stem());
    stem.map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

fn load_map(path: &Path) -> anyhow::Result<NamedMap> {
    let map = cli::load_map(path)?;
    map.check_room_for(SEATS).with_context(|| path.display().to_string())?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(NamedMap { name, text: map.to_string(), map })
}

fn house_bot(name: &str) -> anyhow::Result<String> {
    bots::by_name(name).map(|bot| bot.name.to_owned()).map_err(anyhow::Error::msg)
}

fn schedule(config: &Config, teams: &[Team], lots: u64) -> anyhow::Result<Schedule> {
    let name = config.format.unwrap_or(FormatName::Groupes);
    let only = |asked: bool, flag: &str, format: FormatName| {
        ensure!(
            !asked || name == format,
            said!("`{flag}` is for another format", "`{flag}` est pour une autre formule")
        );
        Ok(())
    };
    only(config.groups.is_some(), "groupes", FormatName::Groupes)?;
    only(config.challenger.is_some(), "champion", FormatName::Defi)?;
    only(config.final_rounds.is_some(), "finale", FormatName::Poules)?;
    let format = match name {
        FormatName::Groupes => Format::Groups { per_team: config.groups },
        FormatName::Defi => {
            let wanted = config.challenger.as_deref();
            let wanted = wanted.with_context(|| {
                said!(
                    "which team meets all others? `champion` says it",
                    "quelle équipe rencontre toutes les autres ? Donnez `champion`"
                )
            })?;
            let found = teams.iter().position(|team| team.name == wanted);
            let challenger = found.with_context(|| {
                let names: Vec<_> = teams.iter().map(|team| team.name.as_str()).collect();
                said!(
                    "there is no team {wanted:?}, expected one of {}",
                    "il n'y a pas d'équipe {wanted:?}, une de celles-ci est attendue : {}",
                    names.join(", ")
                )
            })?;
            Format::Gauntlet { challenger }
        }
        FormatName::Poules => {
            let final_rounds = config.final_rounds.unwrap_or(config.maps.len() as u32);
            Format::Pools { final_rounds }
        }
        FormatName::Suisse => Format::Swiss,
    };
    Ok(Schedule { format, rounds: config.rounds.unwrap_or(0), until: None, lots })
}

fn limits(config: &Config, deadline: Duration, turns: u32) -> TeamLimits {
    // A program may keep four threads busy for all its time.
    let all_turns = deadline.saturating_mul(turns.saturating_add(60));
    let usual = TeamLimits::default();
    TeamLimits {
        start: config.start.unwrap_or(usual.start),
        memory: config.memory.or(usual.memory),
        processes: config.processes.or(usual.processes),
        cpu: config.cpu.or(Some(all_turns.saturating_mul(4))),
        scratch: config.scratch.unwrap_or(usual.scratch),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_told_from_the_flags_of_a_command() {
        for (text, name, command) in [
            ("Ada=python3 a.py", Some("Ada"), "python3 a.py"),
            ("Blue - 2=python3 a.py -x a=b", Some("Blue - 2"), "python3 a.py -x a=b"),
            ("python3 a.py --team=Ada", None, "python3 a.py --team=Ada"),
            ("./bot team=Ada", None, "./bot team=Ada"),
        ] {
            let team = parse_team(text).unwrap();
            assert_eq!(team.name.as_deref(), name, "{text}");
            let Some(Words::Line(line)) = team.command else { panic!("{text} has no command") };
            assert_eq!(line, command);
        }
    }
}
