//! Meaning of the keys.

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use game::colour::Colour;

/// Command of the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Stop at the state that is shown, or go on with the newest.
    Pause,
    /// Show the state before this one.
    Back,
    /// Show the state after this one.
    Forward,
    /// Show the nearest beginning of a turn before this state.
    TurnBack,
    /// Show the nearest beginning of a turn after this state.
    TurnForward,
    /// Show the oldest state.
    Oldest,
    /// Go on with the newest state.
    Newest,
    /// Follow this player, or nobody any more.
    Follow(Colour),
    /// Follow the next player.
    FollowNext,
    /// Follow the player before.
    FollowLast,
    /// Draw the board at another size.
    Resize,
    /// Play a recording faster.
    Faster,
    /// Play a recording more slowly.
    Slower,
    /// Explain keys and signs, or no longer.
    Help,
    /// Leave.
    Quit,
    /// Leave as on a request to terminate.
    Interrupt,
}

impl Command {
    /// Command of a key, if it has one.
    pub fn of(key: KeyEvent) -> Option<Self> {
        if key.kind == KeyEventKind::Release {
            return None;
        }
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        Some(match key.code {
            KeyCode::Char('c') if control => Self::Interrupt,
            KeyCode::Char(_) if control || key.modifiers.contains(KeyModifiers::ALT) => {
                return None;
            }
            KeyCode::Char('q') | KeyCode::Esc => Self::Quit,
            KeyCode::Char(' ') => Self::Pause,
            KeyCode::Char('+' | '-') => Self::Resize,
            KeyCode::Char('>') => Self::Faster,
            KeyCode::Char('<') => Self::Slower,
            KeyCode::Char('?') => Self::Help,
            KeyCode::Char(letter) => {
                Self::Follow(Colour::from_letter(letter.to_ascii_uppercase())?)
            }
            KeyCode::Left => Self::Back,
            KeyCode::Right => Self::Forward,
            KeyCode::Up | KeyCode::PageUp => Self::TurnBack,
            KeyCode::Down | KeyCode::PageDown => Self::TurnForward,
            KeyCode::Home => Self::Oldest,
            KeyCode::End => Self::Newest,
            KeyCode::Tab => Self::FollowNext,
            KeyCode::BackTab => Self::FollowLast,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_name_players_but_for_a_small_q() {
        let key = |letter| Command::of(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::NONE));
        let colour = |letter| Colour::from_letter(letter).map(Command::Follow);
        assert_eq!(key('a'), colour('A'));
        assert_eq!(key('B'), colour('B'));
        assert_eq!(key('q'), Some(Command::Quit));
        assert_eq!(key('Q'), colour('Q'));
        assert_eq!(key('é'), None);
    }

    #[test]
    fn control_c_interrupts_and_other_letters_with_control_mean_nothing() {
        let key = |letter| Command::of(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL));
        assert_eq!(key('c'), Some(Command::Interrupt));
        assert_eq!(key('a'), None);
    }

    #[test]
    fn a_key_that_is_let_go_means_nothing() {
        let mut key = KeyEvent::new(KeyCode::Char(' '), KeyModifiers::NONE);
        assert_eq!(Command::of(key), Some(Command::Pause));
        key.kind = KeyEventKind::Release;
        assert_eq!(Command::of(key), None);
    }
}
