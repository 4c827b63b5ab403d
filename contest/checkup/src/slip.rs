//! Known mistakes in messages that are nearly right.

use serde::Serialize;

/// A known mistake in a registration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RegistrationSlip {
    /// `player;`.
    English,
    /// `Joueur;`.
    Capitals,
    /// Other characters before `joueur;`.
    Space,
    /// `joueur:` or `joueur `.
    Separator,
    /// An order instead of a registration.
    Order,
}

/// A mistake in an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum OrderSlip {
    /// `ne`.
    LowerCase,
    /// `W` where `O` stands for *ouest*.
    West,
    /// `N;E`.
    Separator,
    /// White space before the letters.
    Space,
    /// Only one letter.
    OneLetter,
    /// Nothing, or only white space.
    Empty,
    /// Anything else.
    Other,
}

/// The mistake in a first message that is no registration; `None` if it is not a known one.
pub(crate) fn registration_slip(message: &[u8]) -> Option<RegistrationSlip> {
    let text = String::from_utf8_lossy(message);
    let lower = text.to_lowercase();
    let trimmed = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let is_order = (1..=3).contains(&text.trim().len())
        && text.trim().chars().all(|c| "NESOWnesow".contains(c));
    match () {
        () if lower.starts_with("player") => Some(RegistrationSlip::English),
        () if trimmed.len() < text.len() && trimmed.starts_with("joueur;") => {
            Some(RegistrationSlip::Space)
        }
        () if text.starts_with("joueur") => Some(RegistrationSlip::Separator),
        () if lower.starts_with("joueur") => Some(RegistrationSlip::Capitals),
        () if is_order => Some(RegistrationSlip::Order),
        () => None,
    }
}

/// The mistake in an order that does not start with two directions.
pub(crate) fn order_slip(message: &[u8]) -> OrderSlip {
    let is_good =
        |text: &str| text.chars().count() >= 2 && text.chars().take(2).all(|c| "NESO".contains(c));
    let text = String::from_utf8_lossy(message);
    let trimmed = text.trim();
    let is_short = trimmed.chars().count() <= 3;
    let letters: String = trimmed.chars().filter(|c| c.is_alphabetic()).collect();
    match () {
        () if trimmed.is_empty() => OrderSlip::Empty,
        () if is_good(trimmed) => OrderSlip::Space,
        () if trimmed.chars().count() == 1 => OrderSlip::OneLetter,
        () if is_short && is_good(&trimmed.to_uppercase()) => OrderSlip::LowerCase,
        () if is_short && is_good(&trimmed.to_uppercase().replace('W', "O")) => OrderSlip::West,
        () if letters.len() == 2 && is_good(&letters.to_uppercase()) => OrderSlip::Separator,
        () => OrderSlip::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_of_orders_are_told_apart() {
        for (message, slip) in [
            ("", OrderSlip::Empty),
            ("\n", OrderSlip::Empty),
            ("N", OrderSlip::OneLetter),
            ("ne", OrderSlip::LowerCase),
            ("Ne", OrderSlip::LowerCase),
            ("NW", OrderSlip::West),
            ("wn", OrderSlip::West),
            ("N;E", OrderSlip::Separator),
            ("N E", OrderSlip::Separator),
            ("('N', 'E')", OrderSlip::Separator),
            ("\nNE", OrderSlip::Space),
            ("None", OrderSlip::Other),
            ("XX", OrderSlip::Other),
        ] {
            assert_eq!(order_slip(message.as_bytes()), slip, "{message:?}");
        }
    }

    #[test]
    fn slips_of_registrations_are_told_apart() {
        for (message, slip) in [
            ("player;Ada", Some(RegistrationSlip::English)),
            ("Joueur;Ada", Some(RegistrationSlip::Capitals)),
            ("JOUEUR;Ada", Some(RegistrationSlip::Capitals)),
            ("\njoueur;Ada", Some(RegistrationSlip::Space)),
            ("joueur:Ada", Some(RegistrationSlip::Separator)),
            ("joueur Ada", Some(RegistrationSlip::Separator)),
            ("NE", Some(RegistrationSlip::Order)),
            ("Ada", None),
        ] {
            assert_eq!(registration_slip(message.as_bytes()), slip, "{message:?}");
        }
    }
}
