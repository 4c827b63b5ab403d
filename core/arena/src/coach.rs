//! Advice to players through the log: the first mistake of each kind, then counts of mistakes.

use game::pacman::Direction;
use language::{log, said};
use referee::Cause;

use crate::games::{Slip, SlipKind};

/// Counts the mistakes of one player in one game, and logs the 1st, 3rd, 10th, 30th, … of each kind.
#[derive(Clone, Debug, Default)]
pub(crate) struct Coach {
    malformed: u32,
    blocked: u32,
    late: u32,
    missed: u32,
}

impl Coach {
    pub(crate) fn slip(&mut self, name: &str, turn: u32, slip: Slip, message: &[u8]) {
        match slip.kind {
            SlipKind::Malformed => {
                let Some(count) = told(&mut self.malformed) else { return };
                let message = shown(message);
                log!(
                    info,
                    "{name}, turn {turn}: order {message} is malformed: capitals N E S O{count}",
                    "{name}, tour {turn} : l'ordre {message} est mal formé : \
                      majuscules N E S O{count}"
                );
            }
            SlipKind::Blocked(direction) => {
                let Some(count) = told(&mut self.blocked) else { return };
                let letter = letter(direction);
                log!(
                    info,
                    "{name}, turn {turn}: {letter} leads into a wall{count}",
                    "{name}, tour {turn} : {letter} mène dans un mur{count}"
                );
            }
        }
    }

    pub(crate) fn late(&mut self, name: &str, turn: u32, message: &[u8]) {
        if let Some(count) = told(&mut self.late) {
            log!(
                info,
                "{name}, turn {turn}: {} came too late for its state{count}",
                "{name}, tour {turn} : {} est arrivé trop tard pour son état{count}",
                shown(message)
            );
        }
    }

    pub(crate) fn missed(&mut self, name: &str, turn: u32, cause: Cause) {
        if let Some(count) = told(&mut self.missed) {
            log!(
                warn,
                "{name}, turn {turn}: no answer in time, cause: {cause}{count}",
                "{name}, tour {turn} : pas de réponse à temps, cause : {cause}{count}"
            );
        }
    }
}

/// Increments the count; returns the text to append to the log line, or `None` if this count is not logged.
fn told(count: &mut u32) -> Option<String> {
    *count += 1;
    match *count {
        1 => Some(String::new()),
        3 => Some(said!(" (3 so far)", " (3 jusqu'ici)")),
        count => {
            let power = 10_u32.pow(count.ilog10());
            (count == power || count == 3 * power)
                .then(|| said!(" ({count} so far)", " ({count} jusqu'ici)"))
        }
    }
}

/// The first 32 characters of a message, quoted and escaped for terminals.
pub(crate) fn shown(message: &[u8]) -> String {
    // Readers of the log may not see a thought after the order.
    let answer = message.split(|&byte| byte == b';').next().unwrap_or_default();
    let text = String::from_utf8_lossy(answer);
    let cut: String = text.chars().take(32).collect();
    let dots = if cut.len() < message.len() { "…" } else { "" };
    format!("{cut:?}{dots}")
}

fn letter(direction: Direction) -> char {
    game::pacman::Orders { pacman: Some(direction), ghost: None }.encode()[0].into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_told_less_and_less_often() {
        let mut count = 0;
        let told = (1..=1000).filter(|_| told(&mut count).is_some());
        assert_eq!(told.collect::<Vec<_>>(), [1, 3, 10, 30, 100, 300, 1000]);
    }

    #[test]
    fn messages_are_escaped_and_cut() {
        assert_eq!(shown(b"se"), "\"se\"");
        assert_eq!(shown(b"se;my secret plan"), "\"se\"…");
        assert_eq!(shown(b"\x1b[2J\xff"), "\"\\u{1b}[2J\u{fffd}\"");
        assert_eq!(shown(&[b'x'; 40]), format!("\"{}\"…", "x".repeat(32)));
    }
}
