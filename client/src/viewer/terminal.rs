//! The terminal while it belongs to the viewer.

use std::io::{self, BufWriter, Stdout, stdout};
use std::mem::ManuallyDrop;

use crossterm::cursor::Show;
use crossterm::terminal::{BeginSynchronizedUpdate, EndSynchronizedUpdate};
use crossterm::{execute, queue};
use ratatui::Terminal;
use ratatui::backend::{Backend as _, CrosstermBackend};

use crate::viewer::{Model, Theme, draw};

/// The terminal in raw mode and on its other screen. It is as before when this is dropped, and also
/// when the program panics.
pub(super) struct Screen {
    /// Never dropped: it would complain of a cursor that it cannot show to a standard error that is
    /// gone with the terminal, and panic.
    terminal: ManuallyDrop<Terminal<Backend>>,
    theme: Theme,
}

type Backend = CrosstermBackend<BufWriter<Stdout>>;

/// Size of the output buffer in bytes: a whole frame, so that it is written at once.
const BUFFER: usize = 64 * 1024;

impl Screen {
    pub(super) fn open(theme: Theme) -> io::Result<Self> {
        let terminal = open().inspect_err(|_| restore())?;
        Ok(Self { terminal: ManuallyDrop::new(terminal), theme })
    }

    pub(super) fn draw(&mut self, model: &Model) -> io::Result<()> {
        queue!(self.terminal.backend_mut(), BeginSynchronizedUpdate)?;
        self.terminal.draw(|frame| draw(frame, model, self.theme))?;
        execute!(self.terminal.backend_mut(), EndSynchronizedUpdate)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

fn open() -> io::Result<Terminal<Backend>> {
    // This sets the panic hook too. Its own terminal writes piecemeal, ours takes its place.
    ratatui::try_init().map(drop)?;
    let mut backend = CrosstermBackend::new(BufWriter::with_capacity(BUFFER, stdout()));
    backend.clear()?;
    Terminal::new(backend)
}

fn restore() {
    // A terminal that is gone needs nothing any more.
    let _ = ratatui::try_restore().and_then(|()| execute!(stdout(), Show));
}

#[cfg(all(test, unix))]
mod tests {
    use std::io::Read;

    use portable_pty::{CommandBuilder, PtySize, native_pty_system};

    use super::*;

    /// Set where the test is run again by itself, in a terminal.
    const INSIDE: &str = "AFFICHEUR_TEST_INSIDE";

    #[test]
    fn a_panic_leaves_the_terminal_as_it_was() {
        if std::env::var_os(INSIDE).is_some() {
            let _screen = Screen::open(Theme::new(true)).unwrap();
            panic!("on purpose");
        }
        let name = "viewer::terminal::tests::a_panic_leaves_the_terminal_as_it_was";
        let size = PtySize { rows: 24, cols: 80, ..PtySize::default() };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(std::env::current_exe().unwrap());
        command.args([name, "--exact", "--nocapture"]);
        command.env(INSIDE, "1");
        command.env("TERM", "xterm-256color");
        let before = pair.master.get_termios().unwrap();
        let mut child = pair.slave.spawn_command(command).unwrap();
        let mut reader = pair.master.try_clone_reader().unwrap();
        let mut output = Vec::new();
        let mut buffer = [0; 4096];
        let after = loop {
            match reader.read(&mut buffer) {
                Ok(len @ 1..) => output.extend_from_slice(&buffer[..len]),
                _ => break pair.master.get_termios(),
            }
            let text = String::from_utf8_lossy(&output);
            if text.contains("test result:") {
                break pair.master.get_termios();
            }
        };
        drop(pair);
        child.wait().unwrap();

        let text = String::from_utf8_lossy(&output);
        let positions = ["\x1b[?1049h", "\x1b[?1049l", "on purpose"].map(|part| text.find(part));
        assert!(positions.is_sorted() && positions[0].is_some(), "{positions:?} in {text:?}");
        assert_eq!(after.map(|now| now.local_flags), Some(before.local_flags));
    }
}
