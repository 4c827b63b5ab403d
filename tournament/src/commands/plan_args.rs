//! What a tournament is to be: from a file, from flags, or both.

use std::path::PathBuf;
use std::time::Duration;

use cli::RulesPreset;
use tournament::config::{Config, FormatName, SeatingsName, TeamConfig, parse_bytes};
use tournament::setup::parse_team;

/// Flags that describe a tournament; they go before what the file says.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct PlanArgs {
    /// File that describes the tournament (TOML)
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// Map to play on; several times for several, a round on each in turn
    #[arg(long, visible_alias = "map", value_name = "FILE", num_args = 1..)]
    carte: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) teams: TeamArgs,

    /// What the tournament is called
    #[arg(long, visible_alias = "name", value_name = "NAME")]
    nom: Option<String>,

    /// Turns of a game [default: 200]
    #[arg(long, visible_alias = "turns", value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..))]
    duree: Option<u32>,

    /// Rules of the games [default: sujet]
    #[arg(long, visible_alias = "rules", value_name = "RULES", value_enum)]
    regles: Option<RulesPreset>,

    /// Time for an order to come [default: 1s]
    #[arg(long, visible_alias = "deadline", value_name = "DURATION",
          value_parser = cli::positive_duration)]
    delai: Option<Duration>,

    /// Seed that all seeds of games come from; drawn when missing
    #[arg(long, visible_alias = "seed", value_name = "N")]
    graine: Option<u64>,

    /// Who meets whom [default: groupes]
    #[arg(long, visible_alias = "format", value_name = "FORMAT", value_enum)]
    formule: Option<FormatName>,

    /// Rounds; as many as there are maps when missing, more where the format asks for it
    #[arg(long, visible_alias = "rounds", value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..))]
    manches: Option<u32>,

    /// Groups that each team plays in, in a round of `groupes`; all there are when few
    #[arg(long, visible_alias = "groups", value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..))]
    groupes: Option<u32>,

    /// The team that meets all others, in `defi`
    #[arg(long, visible_alias = "challenger", value_name = "TEAM")]
    champion: Option<String>,

    /// Rounds of the final, of `poules`
    #[arg(long, visible_alias = "final", value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..))]
    finale: Option<u32>,

    /// Seatings that each group plays [default: cycliques]
    #[arg(long, visible_alias = "seatings", value_name = "SEATINGS", value_enum)]
    rotations: Option<SeatingsName>,

    /// Bot of the house in seats that no team has [default: glouton]
    #[arg(long, visible_alias = "house", value_name = "BOT")]
    maison: Option<String>,
}

/// Flags that name teams.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct TeamArgs {
    /// Team: `NAME=COMMAND`, or `NAME=ia:BOT` for a bot of the house; the name may be missing. In the
    /// command, {serveur}, {port} and {nom} are replaced
    #[arg(long = "equipe", visible_alias = "team", value_name = "TEAM", value_parser = parse_team)]
    pub(crate) teams: Vec<TeamConfig>,
}

/// What programs may take.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct LimitArgs {
    /// Time for a program to start and register [default: 10s]
    #[arg(long, visible_alias = "start", value_name = "DURATION",
          value_parser = cli::positive_duration)]
    demarrage: Option<Duration>,

    /// Memory for the data of each process [default: 2GiB]
    #[arg(long, visible_alias = "memory", value_name = "SIZE", value_parser = parse_bytes)]
    memoire: Option<u64>,

    /// Processor time of each process in a game [default: four times the deadlines of all turns]
    #[arg(long, value_name = "DURATION", value_parser = cli::positive_duration)]
    cpu: Option<Duration>,
}

impl PlanArgs {
    /// What the file and the flags ask for, together.
    pub(crate) fn config(&self) -> anyhow::Result<Config> {
        let mut config = match &self.config {
            Some(path) => Config::read(path)?,
            None => Config::default(),
        };
        if !self.carte.is_empty() {
            config.maps.clone_from(&self.carte);
        }
        config.teams.extend(self.teams.teams.iter().cloned());
        let regles = self.regles.map(|rules| rules.name().to_owned());
        set(&mut config.name, self.nom.as_ref());
        set(&mut config.turns, self.duree.as_ref());
        set(&mut config.rules, regles.as_ref());
        set(&mut config.deadline, self.delai.as_ref());
        set(&mut config.seed, self.graine.as_ref());
        set(&mut config.format, self.formule.as_ref());
        set(&mut config.rounds, self.manches.as_ref());
        set(&mut config.groups, self.groupes.as_ref());
        set(&mut config.challenger, self.champion.as_ref());
        set(&mut config.final_rounds, self.finale.as_ref());
        set(&mut config.seatings, self.rotations.as_ref());
        set(&mut config.house, self.maison.as_ref());
        Ok(config)
    }
}

impl LimitArgs {
    /// Puts what the flags say before what the file says.
    pub(crate) fn set(&self, config: &mut Config) {
        set(&mut config.start, self.demarrage.as_ref());
        set(&mut config.memory, self.memoire.as_ref());
        set(&mut config.cpu, self.cpu.as_ref());
    }
}

/// Puts what a flag says before what the file says.
pub(crate) fn set<T: Clone>(value: &mut Option<T>, flag: Option<&T>) {
    if let Some(flag) = flag {
        *value = Some(flag.clone());
    }
}
