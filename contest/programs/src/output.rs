//! The beginning and the end of a program's output, both standard output and error.

use std::io::{self, ErrorKind, Read};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use language::said;
use parking_lot::Mutex;
use tokio::sync::oneshot;
use tokio::time::timeout;

/// Number of bytes kept of the beginning of an output, and of its end.
const KEPT: usize = 16 * 1024;
/// Longest wait for the rest of the output once its program has ended.
const PATIENCE: Duration = Duration::from_secs(1);

/// Number of bytes kept for [`RecentOutput`].
const RECENT: usize = 1000;

/// Reads the output of a program while it runs, on a thread that ends when the last process closes its end of the pipe.
#[derive(Debug)]
pub(crate) struct Output {
    kept: Arc<Mutex<Kept>>,
    /// Resolves at the end of the thread.
    end: oneshot::Receiver<()>,
}

/// The latest output of a running program.
#[derive(Clone, Debug)]
pub struct RecentOutput(Arc<Mutex<Kept>>);

impl RecentOutput {
    /// The bytes since the last call, at most the first 1000.
    pub fn take(&self) -> Vec<u8> {
        std::mem::take(&mut self.0.lock().recent)
    }
}

/// The beginning and the end of the bytes read.
#[derive(Debug, Default)]
struct Kept {
    recent: Vec<u8>,
    head: Vec<u8>,
    tail: Vec<u8>,
    left_out: usize,
}

impl Output {
    pub(crate) fn new(mut pipe: io::PipeReader) -> io::Result<Self> {
        let kept = Arc::new(Mutex::new(Kept::default()));
        let (sender, end) = oneshot::channel::<()>();
        let reading = Arc::clone(&kept);
        thread::Builder::new().name("output".to_owned()).spawn(move || {
            let _ended = sender;
            let mut buffer = vec![0; 4096];
            loop {
                match pipe.read(&mut buffer) {
                    Ok(read @ 1..) => reading.lock().push(&buffer[..read]),
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    Ok(_) | Err(_) => break,
                }
            }
        })?;
        Ok(Self { kept, end })
    }

    /// A reader of the output while the program runs.
    pub(crate) fn recent(&self) -> RecentOutput {
        RecentOutput(Arc::clone(&self.kept))
    }

    /// The beginning and the end of the output of a program that has ended.
    pub(crate) async fn kept(self) -> Vec<u8> {
        // A process that survives may keep the pipe open: what has come until then counts.
        let _ = timeout(PATIENCE, self.end).await;
        std::mem::take(&mut *self.kept.lock()).into_bytes()
    }
}

impl Kept {
    fn push(&mut self, bytes: &[u8]) {
        let room = bytes.len().min(RECENT - self.recent.len());
        self.recent.extend_from_slice(&bytes[..room]);
        let (to_head, to_tail) = bytes.split_at(bytes.len().min(KEPT - self.head.len()));
        self.head.extend_from_slice(to_head);
        self.tail.extend_from_slice(to_tail);
        if self.tail.len() > 2 * KEPT {
            self.shorten();
        }
    }

    fn shorten(&mut self) {
        self.left_out += self.tail.drain(..self.tail.len().saturating_sub(KEPT)).len();
    }

    fn into_bytes(mut self) -> Vec<u8> {
        self.shorten();
        if self.left_out > 0 {
            let note =
                said!("\n[… {} bytes left out …]\n", "\n[… {} octets omis …]\n", self.left_out);
            self.head.extend_from_slice(note.as_bytes());
        }
        self.head.append(&mut self.tail);
        self.head
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[tokio::test]
    async fn a_process_that_keeps_the_pipe_open_discards_nothing() {
        let (reader, mut writer) = io::pipe().unwrap();
        let output = Output::new(reader).unwrap();
        writer.write_all(b"Traceback").unwrap();
        assert_eq!(output.kept().await, b"Traceback");
        drop(writer);
    }
}
