//! The first message of a client.

use language::said;

use crate::{Name, Secret, name};

/// The role, the name and the secret that a client asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registration {
    /// The requested role.
    pub role: Role,
    /// The requested name.
    pub name: Name,
    /// Proof that a later client belongs to the same team; `None` without a secret.
    pub secret: Option<Secret>,
}

/// The role of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Plays (*joueur*).
    Player,
    /// Only receives states (*afficheur*).
    Spectator,
}

/// A first message that is no registration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", said!(
    "expected \"joueur;NAME\" or \"afficheur;NAME\" and a NUL byte, found {found:?}",
    "\"joueur;NOM\" ou \"afficheur;NOM\" et un octet NUL sont attendus, et non {found:?}"
))]
pub struct RegistrationError {
    /// At most 12 characters from the beginning of the message, none of them after a `#`.
    pub found: String,
}

impl Role {
    const ALL: [Self; 2] = [Self::Player, Self::Spectator];

    const fn header(self) -> &'static str {
        match self {
            Self::Player => "joueur;",
            Self::Spectator => "afficheur;",
        }
    }
}

impl Registration {
    /// Decodes the first message of a client. The name may be any text and is made harmless.
    ///
    /// Text after a `#` that may be a secret never becomes part of the name, even if it is not a valid secret: see
    /// [`withholds`](Self::withholds).
    ///
    /// # Errors
    ///
    /// If the message does not start with `joueur;` or `afficheur;`, in lower case.
    ///
    /// # Examples
    ///
    /// ```
    /// use protocol::{Registration, Role};
    ///
    /// let registration = Registration::decode(b"joueur;Ada#correcthorse42").unwrap();
    /// assert_eq!(registration.role, Role::Player);
    /// assert_eq!(registration.name.as_str(), "Ada");
    /// assert!(registration.secret.is_some());
    /// ```
    pub fn decode(message: &[u8]) -> Result<Self, RegistrationError> {
        let text = String::from_utf8_lossy(message);
        let Some((role, wanted)) = split_header(&text) else {
            let header = text.split_inclusive([';', '#']).next().unwrap_or_default();
            return Err(RegistrationError { found: header.chars().take(12).collect() });
        };
        let Parts { name, secret, .. } = Parts::of(wanted);
        Ok(Self { role, name: Name::new(name), secret })
    }

    /// Tests if [`decode`](Self::decode) cuts text off the name that may be meant as a secret but is not a valid one.
    /// The caller should warn the team, without showing the text.
    pub fn withholds(message: &[u8]) -> bool {
        let text = String::from_utf8_lossy(message);
        split_header(&text).is_some_and(|(_, wanted)| Parts::of(wanted).withheld)
    }

    /// The message to send.
    pub fn encode(&self) -> String {
        let mut message = format!("{}{}", self.role.header(), self.name);
        if let Some(secret) = &self.secret {
            message.push('#');
            message.push_str(secret.expose());
        }
        message
    }
}

/// The text after the header of a registration, split at its `#`.
struct Parts<'a> {
    /// The part that may be published.
    name: &'a str,
    secret: Option<Secret>,
    /// True if text was cut off that is not a valid secret.
    withheld: bool,
}

impl<'a> Parts<'a> {
    /// The text after the last `#`, without separators around it, is the secret if it is valid. In the rest,
    /// the name ends before the first `#` if the text after that may be a secret.
    fn of(wanted: &'a str) -> Self {
        let last = wanted.rsplit_once('#');
        let valid =
            last.and_then(|(name, end)| Some((name, Secret::new(end.trim_matches(is_separator))?)));
        let (rest, secret) = match valid {
            Some((name, secret)) => (name, Some(secret)),
            None => (wanted, None),
        };
        match rest.split_once('#') {
            Some((name, end)) if may_be_secret(end) => Self { name, secret, withheld: true },
            _ => Self { name: rest, secret, withheld: false },
        }
    }
}

fn split_header(message: &str) -> Option<(Role, &str)> {
    Role::ALL.into_iter().find_map(|role| Some((role, message.strip_prefix(role.header())?)))
}

/// Tests for a character that clients leave around a secret by mistake: white space, a character that is
/// forbidden in names, or the `_` that clients send in place of a newline or `;`.
fn is_separator(c: char) -> bool {
    c.is_whitespace() || matches!(c, '_' | char::REPLACEMENT_CHARACTER) || name::is_harmful(c)
}

/// Tests if a text that is not a valid secret holds enough letters and digits for one.
fn may_be_secret(text: &str) -> bool {
    text.chars().filter(|c| c.is_alphanumeric()).nth(Secret::MIN - 1).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(message: &[u8]) -> (Role, String, Option<String>) {
        let found = Registration::decode(message).unwrap();
        let secret = found.secret.map(|secret| secret.expose().to_owned());
        (found.role, found.name.to_string(), secret)
    }

    #[test]
    fn registrations_are_read() {
        use Role::{Player, Spectator};
        for (message, role, name, secret) in [
            (b"joueur;Ada".as_slice(), Player, "Ada", None),
            (b"afficheur;Beamer", Spectator, "Beamer", None),
            (b"joueur;", Player, "Non fournie", None),
            (b"joueur;a;b", Player, "a_b", None),
            (b"joueur;C#", Player, "C#", None),
            (b"joueur;Team#1", Player, "Team#1", None),
            (b"joueur;Ada#1234567", Player, "Ada#1234567", None),
            (b"joueur;Ada#12345678", Player, "Ada", Some("12345678")),
            (b"joueur;Ada#x#12345678", Player, "Ada#x", Some("12345678")),
            (b"joueur;Ada#1234-678", Player, "Ada#1234-678", None),
            (b"joueur;#12345678", Player, "Non fournie", Some("12345678")),
            (b"joueur;\xff\xfe", Player, "\u{fffd}\u{fffd}", None),
        ] {
            assert_eq!(decoded(message), (role, name.to_owned(), secret.map(str::to_owned)));
        }
    }

    #[test]
    fn possible_secrets_are_never_part_of_the_name() {
        let long = format!("joueur;Ada#{}", "x".repeat(65));
        for message in [
            "joueur;Ada#hunter2hunter2 ",
            "joueur;Ada#hunter2hunter2\n",
            "joueur;Ada#hunter2hunter2\r\n",
            "joueur;Ada#hunter2hunter2\t",
            "joueur;Ada#hunter2hunter2;",
            "joueur;Ada#hunter2hunter2_",
            "joueur;Ada# hunter2hunter2",
            "joueur;Ada#hunter2hunter2\u{200b}",
        ] {
            let expected = (Role::Player, "Ada".to_owned(), Some("hunter2hunter2".to_owned()));
            assert_eq!(decoded(message.as_bytes()), expected, "{message:?}");
        }
        for message in [
            long.as_str(),
            "joueur;Ada#correct-horse-battery",
            "joueur;Ada#correct horse",
            "joueur;Ada#motdepassé",
            "joueur;Ada#hunter2hunter2#",
            "joueur;Ada#hunter2hunter2#no",
            "joueur;Ada#\"hunter2hunter2\"",
            "afficheur;Ada#hunter2-hunter2",
        ] {
            assert_eq!(decoded(message.as_bytes()).1, "Ada", "{message:?}");
        }
        let twice = (Role::Player, "Ada".to_owned(), Some("12345678".to_owned()));
        assert_eq!(decoded(b"joueur;Ada#hunter2hunter2#12345678"), twice);
    }

    #[test]
    fn other_first_messages_are_refused() {
        for message in [b"".as_slice(), b"joueur", b"Joueur;Ada", b"NO", b"\xff", b" joueur;Ada"] {
            assert!(Registration::decode(message).is_err(), "{message:?}");
        }
    }

    #[test]
    fn withholding_is_reported() {
        for (message, withheld) in [
            ("joueur;Ada#correct-horse-battery", true),
            ("joueur;Ada#hunter2hunter2#12345678", true),
            ("joueur;Ada#hunter2hunter2;", false),
            ("joueur;C#", false),
            ("joueur;Ada", false),
            ("player;Ada#correct-horse-battery", false),
        ] {
            assert_eq!(Registration::withholds(message.as_bytes()), withheld, "{message:?}");
        }
    }

    #[test]
    fn errors_and_debug_output_hold_no_secret() {
        let registration = Registration::decode(b"joueur;Ada#hunter2hunter2").unwrap();
        assert!(!format!("{registration:?}").contains("hunter2"));
        for message in ["player;Ada#hunter2hunter2", "joeur:A#hunter2hunter2", "#hunter2hunter2"] {
            let error = Registration::decode(message.as_bytes()).unwrap_err();
            assert!(!error.to_string().contains("hunt"), "{error}");
        }
    }

    /// Checks a decoded message: an error shows no text after a `#`; a name shows no possible secret, and encoding and
    /// decoding the registration again changes nothing.
    fn assert_registration_is_safe(message: &[u8]) {
        match Registration::decode(message) {
            Ok(registration) => {
                let shown = registration.name.as_str();
                assert!(
                    !shown.split_once('#').is_some_and(|(_, end)| may_be_secret(end)),
                    "{shown}"
                );
                let again = Registration::decode(registration.encode().as_bytes());
                assert_eq!(again, Ok(registration));
            }
            Err(error) => {
                assert!(error.found.chars().count() <= 12);
                assert!(error.found.split_once('#').is_none_or(|(_, end)| end.is_empty()));
                assert!(!Registration::withholds(message));
            }
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused() {
        bolero::check!().for_each(|message: &[u8]| {
            assert_registration_is_safe(message);
        });
    }

    #[test]
    fn any_name_is_read_and_shows_no_secret() {
        bolero::check!().with_type::<(bool, Vec<Part>)>().for_each(|(player, parts)| {
            let header = if *player { Role::Player } else { Role::Spectator }.header();
            let mut message = header.as_bytes().to_vec();
            for part in parts {
                part.append_to(&mut message);
            }
            assert_registration_is_safe(&message);
        });
    }

    /// A part of a name that matters to how secrets are split off.
    #[derive(Debug, bolero::TypeGenerator)]
    enum Part {
        Sharp,
        Separator(u8),
        Letters(u8),
        Char(char),
        Byte(u8),
    }

    impl Part {
        fn append_to(&self, message: &mut Vec<u8>) {
            match self {
                Self::Sharp => message.push(b'#'),
                Self::Separator(which) => {
                    let separators = [" ", "\n", "\t", "\r", ";", "_", "-", "\u{200b}", "\u{3000}"];
                    let which = usize::from(*which) % separators.len();
                    message.extend_from_slice(separators[which].as_bytes());
                }
                Self::Letters(count) => message.extend((0..count % 80).map(|at| b'a' + at % 26)),
                Self::Char(c) => message.extend_from_slice(c.to_string().as_bytes()),
                Self::Byte(byte) => message.push(*byte),
            }
        }
    }
}
