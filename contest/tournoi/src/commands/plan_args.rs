//! The description of a tournament: from a file, from flags, or both.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::config::{Config, FormatName, SeatingsName, TeamConfig, parse_bytes};
use crate::setup::parse_team;
use game::pacman::RulesPreset;
use language::said;

/// Flags that describe a tournament; they override the file.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct PlanArgs {
    #[arg(long, value_name = "FILE", help = said!(
        "File that describes the tournament (TOML)",
        "Fichier qui décrit le tournoi (TOML)"
    ))]
    config: Option<PathBuf>,

    #[arg(long, visible_alias = "map", value_name = "FILE", num_args = 1.., help = said!(
        "Map to play on; several times for several, a round on each in turn",
        "Carte des parties ; s'il y en a plusieurs, chaque manche se joue sur la suivante"
    ))]
    carte: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) teams: TeamArgs,

    #[arg(long, visible_alias = "name", value_name = "NAME",
          help = said!("What the tournament is called", "Nom du tournoi"))]
    nom: Option<String>,

    #[arg(long, visible_alias = "turns", value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..),
          help = said!("Turns of a game [default: 200]", "Tours d'une partie [défaut : 200]"))]
    duree: Option<u32>,

    #[arg(long, visible_alias = "rules", value_name = "RULES", value_parser = cli::rules(),
          help = said!("Rules of the games [default: sujet]", "Règles des parties [défaut : sujet]"))]
    regles: Option<RulesPreset>,

    #[arg(long, visible_alias = "deadline", value_name = "DURATION",
          value_parser = cli::positive_duration,
          help = said!("Time for an order to come [default: 1s]", "Temps pour un ordre [défaut : 1s]"))]
    delai: Option<Duration>,

    #[arg(long, visible_alias = "seed", value_name = "N", help = said!(
        "Seed that all seeds of games and all lots come from; drawn when missing",
        "Graine dont découlent celles des parties et tous les tirages au sort ; tirée au hasard si elle manque"
    ))]
    graine: Option<u64>,

    #[arg(long, visible_alias = "format", value_name = "FORMAT", value_enum,
          help = said!("Who meets whom [default: groupes]", "Qui rencontre qui [défaut : groupes]"))]
    formule: Option<FormatName>,

    #[arg(long, visible_alias = "rounds", value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..), help = said!(
        "Rounds; one for each map when missing, more where the format asks for it",
        "Manches ; sinon une par carte, plus si la formule l'exige"
    ))]
    manches: Option<u32>,

    #[arg(long, visible_alias = "groups", value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..), help = said!(
        "Groups that each team plays in, in a round of `groupes`; all there are when few",
        "Groupes où joue chaque équipe, dans une manche de `groupes` ; tous s'il y en a peu"
    ))]
    groupes: Option<u32>,

    #[arg(long, visible_alias = "challenger", value_name = "TEAM", help = said!(
        "The team that meets all others, in `defi`",
        "L'équipe qui rencontre toutes les autres, dans `defi`"
    ))]
    champion: Option<String>,

    #[arg(long, visible_alias = "final", value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..),
          help = said!("Rounds of the final, of `poules`", "Manches de la finale, dans `poules`"))]
    finale: Option<u32>,

    #[arg(long, visible_alias = "seatings", value_name = "SEATINGS", value_enum, help = said!(
        "Seatings that each group plays [default: cycliques]",
        "Placements que joue chaque groupe [défaut : cycliques]"
    ))]
    rotations: Option<SeatingsName>,

    #[arg(long, visible_alias = "house", value_name = "BOT", help = said!(
        "Bot of the house in seats that no team has [default: glouton]",
        "Bot de la maison aux places sans équipe [défaut : glouton]"
    ))]
    maison: Option<String>,
}

/// Flags that name teams.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct TeamArgs {
    #[arg(long = "equipe", visible_alias = "team", value_name = "TEAM", value_parser = parse_team, help = said!(
        "Team: `NAME=COMMAND`, or `NAME=ia:BOT` for a bot of the house; the name may be missing. In the command, \
         {{server}}, {{port}} and {{name}} are replaced",
        "Équipe : `NOM=COMMANDE`, ou `NOM=ia:BOT` pour un bot de la maison ; le nom peut manquer. Dans la commande, \
         {{serveur}}, {{port}} et {{nom}} sont remplacés"
    ))]
    pub(crate) teams: Vec<TeamConfig>,
}

/// Flags for the limits of programs.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct LimitArgs {
    #[arg(long, visible_alias = "start", value_name = "DURATION",
          value_parser = cli::positive_duration, help = said!(
        "Time for a program to start and register [default: 10s]",
        "Temps pour qu'un programme démarre et s'inscrive [défaut : 10s]"
    ))]
    demarrage: Option<Duration>,

    #[arg(long, visible_alias = "memory", value_name = "SIZE", value_parser = parse_bytes, help = said!(
        "Memory of a program, all its processes together [default: 2GiB]",
        "Mémoire d'un programme, tous ses processus ensemble [défaut : 2GiB]"
    ))]
    memoire: Option<u64>,

    #[arg(long, visible_alias = "processes", value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..), help = said!(
        "Processes and threads of a program [default: 256]",
        "Processus et fils d'exécution d'un programme [défaut : 256]"
    ))]
    processus: Option<u32>,

    #[arg(long, value_name = "DURATION", value_parser = cli::positive_duration, help = said!(
        "Processor time of a program in a game, all its processes together; when missing, four times what its turns \
         may last",
        "Temps de processeur d'un programme dans une partie, tous ses processus ensemble ; sinon quatre fois ce que \
         durent ses tours au plus"
    ))]
    cpu: Option<Duration>,

    #[arg(long, visible_alias = "scratch", value_name = "SIZE", value_parser = parse_bytes, help = said!(
        "Size of the files that a program may write, in a folder of its own that is new in each game [default: 64MiB]",
        "Taille des fichiers qu'un programme peut écrire, dans un dossier à lui, neuf à chaque partie [défaut : 64MiB]"
    ))]
    brouillon: Option<u64>,
}

/// The configuration of a file, if there is one; maps given as flags replace those of the file.
pub(crate) fn start(file: Option<&Path>, maps: &[PathBuf]) -> anyhow::Result<Config> {
    let mut config = file.map(Config::read).transpose()?.unwrap_or_default();
    if !maps.is_empty() {
        config.maps = maps.to_vec();
    }
    Ok(config)
}

impl PlanArgs {
    /// The configuration of the file, overridden by the flags.
    pub(crate) fn config(&self) -> anyhow::Result<Config> {
        let mut config = start(self.config.as_deref(), &self.carte)?;
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
    /// Overrides the limits of the file by the flags.
    pub(crate) fn set(&self, config: &mut Config) {
        set(&mut config.start, self.demarrage.as_ref());
        set(&mut config.memory, self.memoire.as_ref());
        set(&mut config.processes, self.processus.as_ref());
        set(&mut config.cpu, self.cpu.as_ref());
        set(&mut config.scratch, self.brouillon.as_ref());
    }
}

/// Overrides a value of the file by a flag, if the flag is given.
pub(crate) fn set<T: Clone>(value: &mut Option<T>, flag: Option<&T>) {
    if let Some(flag) = flag {
        *value = Some(flag.clone());
    }
}
