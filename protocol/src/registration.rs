//! The first message of a client.

use crate::{Name, Secret};

/// Who a client wants to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registration {
    /// What it wants to do.
    pub role: Role,
    /// How it is called.
    pub name: Name,
    /// What proves later that it is the same team.
    pub secret: Option<Secret>,
}

/// What a client wants to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// To play (*joueur*).
    Player,
    /// To receive states only (*afficheur*).
    Spectator,
}

/// A first message that is no registration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected `joueur;NAME` or `afficheur;NAME`, found {found:?}")]
pub struct RegistrationError {
    /// How the message begins.
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
    /// Reads the first message of a client. Its name may be anything and becomes harmless.
    ///
    /// # Errors
    ///
    /// When the message does not start as a registration does; capitals make a difference.
    pub fn decode(message: &[u8]) -> Result<Self, RegistrationError> {
        let text = String::from_utf8_lossy(message);
        for role in Role::ALL {
            if let Some(name) = text.strip_prefix(role.header()) {
                let (name, secret) = split_secret(name);
                return Ok(Self { role, name: Name::new(name), secret });
            }
        }
        // Only what stands for a header, in case a secret follows.
        let header = text.split_inclusive([';', '#']).next().unwrap_or_default();
        Err(RegistrationError { found: header.chars().take(12).collect() })
    }

    /// The message to send.
    #[must_use]
    pub fn encode(&self) -> String {
        let mut message = format!("{}{}", self.role.header(), self.name);
        if let Some(secret) = &self.secret {
            message.push('#');
            message.push_str(secret.expose());
        }
        message
    }
}

/// Splits a secret off the end of a name. A `#` before anything else is part of the name.
fn split_secret(name: &str) -> (&str, Option<Secret>) {
    match name.rsplit_once('#').map(|(name, secret)| (name, Secret::new(secret))) {
        Some((name, secret @ Some(_))) => (name, secret),
        _ => (name, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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
    fn anything_else_is_refused() {
        for message in [b"".as_slice(), b"joueur", b"Joueur;Ada", b"NO", b"\xff", b" joueur;Ada"] {
            assert!(Registration::decode(message).is_err(), "{message:?}");
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

    #[test]
    fn any_bytes_are_read_or_refused() {
        bolero::check!().for_each(|message: &[u8]| {
            if let Ok(registration) = Registration::decode(message) {
                let again = Registration::decode(registration.encode().as_bytes());
                // A name that ends like a secret after cleaning is taken for one the second time.
                let again = again.expect("an encoded registration");
                assert_eq!(again.role, registration.role);
            }
        });
    }

    proptest! {
        #[test]
        fn decoding_undoes_encoding(
            name in "[^#]{0,80}",
            secret in prop::option::of("[A-Za-z0-9]{8,64}"),
            player in any::<bool>(),
        ) {
            let registration = Registration {
                role: if player { Role::Player } else { Role::Spectator },
                name: Name::new(&name),
                secret: secret.and_then(|secret| Secret::new(&secret)),
            };
            prop_assert_eq!(Registration::decode(registration.encode().as_bytes()), Ok(registration));
        }
    }
}
