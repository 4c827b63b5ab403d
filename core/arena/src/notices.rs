//! Log messages about connections that are refused or closed before they register.

use std::mem::{Discriminant, discriminant};
use std::net::IpAddr;
use std::time::Duration;

use language::{colon, said};
use limits::Source;
use parking_lot::Mutex;
use protocol::{CLIENT_FRAME_LIMIT, Name, RegistrationError};
use tokio::time::Instant;
use tracing::{debug, info};

/// Minimum interval between two notices of one kind about one source.
const INTERVAL: Duration = Duration::from_secs(10);
/// Maximum number of notices within [`INTERVAL`].
const MOST: usize = 50;
/// Maximum number of notices about one source within [`INTERVAL`].
const MOST_OF_SOURCE: usize = 10;
/// Maximum number of bytes shown of a message.
const SHOWN: usize = 40;

/// The reason why a connection is refused, or a warning about its registration. Never contains a possible secret.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Notice {
    #[error("{}", said!("refused: {_0}", "refusé : {_0}"))]
    NoRegistration(#[from] RegistrationError),
    #[error("{}", said!(
            "refused: it is a web browser, and this port is for bots; the web page has another port, --web",
            "refusé : c'est un navigateur, et ce port est pour les bots ; la page web a un autre port, --web"
        ))]
    Browser,
    #[error("{}", said!(
        "sent {length} bytes without the NUL byte that ends a message: {start:?}",
        "a envoyé {length} octets sans l'octet NUL qui termine un message : {start:?}"
    ))]
    NoNul { length: usize, start: String },
    #[error("{}", said!(
        "sent more than {CLIENT_FRAME_LIMIT} bytes without a NUL byte: {start:?}",
        "a envoyé plus de {CLIENT_FRAME_LIMIT} octets sans octet NUL : {start:?}"
    ))]
    TooLong { start: String },
    #[error("{}", said!(
        "refused: too many wrong secrets for that name from this address",
        "refusé : trop de faux secrets pour ce nom depuis cette adresse"
    ))]
    TooManyGuesses,
    #[error("{}", said!(
        "refused: too many spectators from this address",
        "refusé : trop de spectateurs depuis cette adresse"
    ))]
    TooManySpectators,
    #[error("{}", said!("turned away: too many connections", "écarté : trop de connexions"))]
    NoPlace,
    #[error("{}", said!("{name} is refused: {reason}", "inscription refusée à {name} : {reason}"))]
    NotAdmitted { name: Name, reason: String },
    #[error("{}", said!(
            "the text after the # in its name may be a secret and is not shown; as it is not 8 to 64 of A-Z a-z \
             0-9, the team has no secret",
            "le texte après le # de son nom est peut-être un secret et n'est pas montré ; comme ce n'est pas de \
             8 à 64 caractères parmi A-Z a-z 0-9, l'équipe n'a pas de secret"
        ))]
    Withheld,
}

impl Notice {
    /// The notice about a message without a NUL, whose bytes so far are `bytes`.
    pub(crate) fn no_nul(bytes: &[u8]) -> Self {
        let start = excerpt(bytes);
        match bytes.len() {
            length if length <= CLIENT_FRAME_LIMIT => Self::NoNul { length, start },
            _ => Self::TooLong { start },
        }
    }

    /// The notice that the hall refuses a player or spectator with this name.
    pub(crate) fn not_admitted(name: Name, reason: &dyn std::fmt::Display) -> Self {
        Self::NotAdmitted { name, reason: reason.to_string() }
    }

    fn kind(&self) -> Kind {
        let name = match self {
            Self::NotAdmitted { name, .. } => Some(name.clone()),
            _ => None,
        };
        (discriminant(self), name)
    }
}

/// The beginning of a message, cut after a `#`, because a secret may follow.
fn excerpt(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|&byte| byte == b'#').map_or(bytes.len(), |at| at + 1);
    let end = end.min(SHOWN);
    let mut start = String::from_utf8_lossy(&bytes[..end]).into_owned();
    if end < bytes.len() {
        start.push('…');
    }
    start
}

/// The kind of a notice, which is not repeated; notices about different names are of different kinds.
type Kind = (Discriminant<Notice>, Option<Name>);

/// Logs notices, each kind at most once per source within 10 s, and only some about one source, so that no source can
/// keep notices about others from being shown.
#[derive(Debug, Default)]
pub(crate) struct Notices(Mutex<Vec<(Source, Kind, Instant)>>);

impl Notices {
    /// Logs a notice about a connection from `address`; at level debug if it is a repetition.
    pub(crate) fn tell(&self, source: Source, address: IpAddr, notice: &Notice) {
        if self.is_due(source, notice.kind(), Instant::now()) {
            info!("{address}{}{notice}", colon());
        } else {
            debug!("{address}: {notice}");
        }
    }

    fn is_due(&self, source: Source, kind: Kind, now: Instant) -> bool {
        let mut told = self.0.lock();
        told.retain(|(_, _, at)| now.duration_since(*at) < INTERVAL);
        let mut own = told.iter().filter(|(from, ..)| *from == source);
        let is_due = told.len() < MOST
            && own.clone().count() < MOST_OF_SOURCE
            && !own.any(|(_, last, _)| *last == kind);
        if is_due {
            told.push((source, kind, now));
        }
        is_due
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::Registration;

    #[test]
    fn notices_say_what_was_found_and_expected() {
        let wrong = Registration::decode(b"Joueur;Ada#hunter2hunter2").unwrap_err();
        for (notice, expected) in [
            (
                Notice::from(wrong),
                r#"refused: expected "joueur;NAME" or "afficheur;NAME" and a NUL byte, found "Joueur;""#,
            ),
            (
                Notice::no_nul(b"joueur;Ada\n"),
                r#"sent 11 bytes without the NUL byte that ends a message: "joueur;Ada\n""#,
            ),
            (
                Notice::no_nul(b"joueur;Ada#hunter2hunter2"),
                r#"sent 25 bytes without the NUL byte that ends a message: "joueur;Ada#…""#,
            ),
            (
                Notice::no_nul("joueur;\u{1b}[31m\u{202e}é".as_bytes()),
                r#"sent 17 bytes without the NUL byte that ends a message: "joueur;\u{1b}[31m\u{202e}é""#,
            ),
        ] {
            assert_eq!(notice.to_string(), expected);
        }
        let long = Notice::no_nul(&b"x#hunter2hunter2".repeat(100)).to_string();
        assert_eq!(long, r#"sent more than 1024 bytes without a NUL byte: "x#…""#);
    }

    #[test]
    fn each_kind_is_told_once_in_a_while_for_each_source() {
        let source = |host: u8| Source::from(IpAddr::from([10, 0, 0, host]));
        let refused = |name: &str| {
            let registration = Registration::decode(format!("joueur;{name}").as_bytes()).unwrap();
            Notice::NotAdmitted { name: registration.name, reason: "no".to_owned() }
        };
        let notices = Notices::default();
        let now = Instant::now();
        let is_due = |host, notice: &Notice, now| notices.is_due(source(host), notice.kind(), now);
        assert!(is_due(1, &Notice::Browser, now));
        assert!(!is_due(1, &Notice::Browser, now));
        assert!(is_due(1, &Notice::NoPlace, now));
        assert!(is_due(2, &Notice::Browser, now));
        assert!(is_due(1, &Notice::Browser, now + INTERVAL));
        assert!(is_due(1, &refused("Ada"), now));
        assert!(!is_due(1, &refused("Ada"), now));
        assert!(is_due(1, &refused("Bob"), now));
        let told = (3..=255).filter(|&host| is_due(host, &Notice::Browser, now)).count();
        assert!(told < MOST);
    }

    #[test]
    fn one_source_mutes_no_other() {
        let notices = Notices::default();
        let (now, [flood, other]) =
            (Instant::now(), [1, 2].map(|host| Source::from(IpAddr::from([10, 0, 0, host]))));
        for number in 0..1000 {
            let name = Name::new(&format!("team {number}"));
            let refused = Notice::NotAdmitted { name, reason: "no".to_owned() };
            notices.is_due(flood, refused.kind(), now);
        }
        assert!(notices.is_due(other, Notice::Browser.kind(), now));
    }

    #[test]
    fn excerpts_never_show_text_after_a_sharp() {
        bolero::check!().for_each(|bytes: &[u8]| {
            let shown = excerpt(bytes);
            assert!(shown.split_once('#').is_none_or(|(_, end)| end.is_empty() || end == "…"));
        });
    }
}
