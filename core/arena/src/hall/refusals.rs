//! The players that a hall has refused, for its organiser.

use std::net::IpAddr;

use language::{Note, said};
use protocol::Name;

/// Maximum number of refused players that are remembered; the oldest is forgotten.
const REMEMBERED: usize = 12;

/// A player that was refused and has not come in since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedPlayer {
    /// The name that the player registered.
    pub name: Name,
    /// The address of the player.
    pub address: IpAddr,
    /// The reason of the last refusal.
    pub reason: RefusalReason,
}

/// The reason why a player is refused, as the log says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RefusalReason {
    /// No team has this name, and the hall has a list of teams.
    #[error("{}", said!("its name is not on the list", "son nom n'est pas sur la liste"))]
    NotListed,
    /// The name has a secret, and none was given.
    #[error("{}", said!(
        "the seat of that name has a secret, and none was given",
        "la place de ce nom a un secret, et aucun n'a été donné"
    ))]
    SecretMissing,
    /// The name has no secret or another one.
    #[error("{}", said!(
        "the seat of that name has another secret, or none",
        "la place de ce nom a un autre secret, ou aucun"
    ))]
    SecretWrong,
    /// A player with this name is connected.
    #[error("{}", said!("the seat of that name is taken", "la place de ce nom est prise"))]
    Taken,
    /// There were too many wrong secrets from this address.
    #[error("{}", said!(
        "too many wrong secrets from this address",
        "trop de faux secrets depuis cette adresse"
    ))]
    TooManyFailures,
    /// The team of the door does not exist.
    #[error("{}", said!(
        "nobody plays behind this door",
        "aucune équipe ne joue à cette adresse"
    ))]
    NoTeam,
    /// There is no room for more teams.
    #[error("{}", said!("all places are taken", "toutes les places sont prises"))]
    TooMany,
    /// There is no room for more teams from this address.
    #[error("{}", said!(
        "there are too many teams from this address",
        "trop d'équipes viennent de cette adresse"
    ))]
    TooManyFromAddress,
}

impl RefusalReason {
    /// The reason in words for the organiser.
    pub fn words(self) -> Note {
        let (en, fr) = match self {
            Self::NotListed => ("this name is not on the list", "ce nom n'est pas sur la liste"),
            Self::SecretMissing => (
                "the list has a secret for this name, and none was given",
                "la liste a un secret pour ce nom, et aucun n'a été donné",
            ),
            Self::SecretWrong => {
                ("this name has another secret", "le secret de ce nom est un autre")
            }
            Self::Taken | Self::NoTeam => {
                ("this name is connected already", "ce nom est déjà connecté")
            }
            Self::TooManyFailures => (
                "too many wrong secrets; again in 30 s",
                "trop de faux secrets ; nouvel essai possible dans 30 s",
            ),
            Self::TooMany | Self::TooManyFromAddress => {
                ("there are too many teams", "il y a trop d'équipes")
            }
        };
        Note::new(en, fr)
    }
}

/// Adds a refusal to the list; one of the same name and address replaces the one before. Returns false if nothing has
/// changed.
pub(super) fn note(list: &mut Vec<RefusedPlayer>, refused: RefusedPlayer) -> bool {
    if list.contains(&refused) {
        return false;
    }
    let is_same =
        |known: &RefusedPlayer| (&known.name, known.address) == (&refused.name, refused.address);
    list.retain(|known| !is_same(known));
    if list.len() == REMEMBERED {
        list.remove(0);
    }
    list.push(refused);
    true
}

/// Forgets the refusals of a player that has come in: those of its name, and those from its address unless this is
/// this machine's. Returns false if nothing has changed.
pub(super) fn forget(list: &mut Vec<RefusedPlayer>, name: &Name, address: IpAddr) -> bool {
    let before = list.len();
    list.retain(|known| known.name != *name && (known.address != address || address.is_loopback()));
    list.len() < before
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(name: &str, host: u8) -> RefusedPlayer {
        let reason = RefusalReason::NotListed;
        RefusedPlayer { name: Name::new(name), address: [10, 0, 0, host].into(), reason }
    }

    #[test]
    fn the_last_refusals_of_those_who_are_not_in_are_remembered() {
        let mut list = Vec::new();
        assert!(note(&mut list, refused("Zoe", 1)));
        assert!(!note(&mut list, refused("Zoe", 1)));
        assert!(note(
            &mut list,
            RefusedPlayer { reason: RefusalReason::TooMany, ..refused("Zoe", 1) }
        ));
        assert!(note(&mut list, refused("Ada", 2)));
        assert_eq!(list.len(), 2);
        // She has corrected her name.
        assert!(forget(&mut list, &Name::new("Zoé"), [10, 0, 0, 1].into()));
        assert!(!forget(&mut list, &Name::new("Zoé"), [10, 0, 0, 1].into()));
        assert!(forget(&mut list, &Name::new("Ada"), [10, 0, 0, 9].into()));
        assert_eq!(list, []);
        for host in 0..=255 {
            note(&mut list, refused("flood", host));
        }
        assert_eq!((list.len(), list[0].address), (REMEMBERED, [10, 0, 0, 244].into()));
    }
}
