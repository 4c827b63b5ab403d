//! The beginning and the end of a program's output, both standard output and error.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use language::said;
use parking_lot::Mutex;
use tokio::time::timeout;

/// Number of bytes kept of the beginning of an output, and of its end.
const KEPT: usize = 16 * 1024;
/// Longest wait for the rest of the output once its program has ended.
const PATIENCE: Duration = Duration::from_secs(1);

/// Reads the output of a program while it runs.
#[derive(Debug)]
pub(crate) struct Output {
    kept: Arc<Mutex<Kept>>,
    reader: system::Reader,
}

/// The beginning and the end of the bytes read.
#[derive(Debug, Default)]
struct Kept {
    head: Vec<u8>,
    tail: Vec<u8>,
    left_out: usize,
}

impl Output {
    /// Starts to read a pipe. To be called within a tokio runtime.
    pub(crate) fn new(pipe: io::PipeReader) -> io::Result<Self> {
        let kept = Arc::new(Mutex::new(Kept::default()));
        let reader = system::Reader::new(pipe, Arc::clone(&kept))?;
        Ok(Self { kept, reader })
    }

    /// The beginning and the end of the output of a program that has ended.
    pub(crate) async fn kept(mut self) -> Vec<u8> {
        // A process that survives may keep the pipe open: what has come until then counts.
        let _ = timeout(PATIENCE, self.reader.end()).await;
        std::mem::take(&mut *self.kept.lock()).into_bytes()
    }
}

impl Kept {
    fn push(&mut self, bytes: &[u8]) {
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

#[cfg(unix)]
mod system {
    use std::io;
    use std::os::fd::OwnedFd;
    use std::sync::Arc;

    use parking_lot::Mutex;
    use tokio::io::AsyncReadExt;
    use tokio::net::unix::pipe;
    use tokio::task::JoinHandle;

    use super::Kept;

    /// A task that reads the pipe.
    #[derive(Debug)]
    pub(super) struct Reader(JoinHandle<()>);

    impl Reader {
        pub(super) fn new(pipe: io::PipeReader, kept: Arc<Mutex<Kept>>) -> io::Result<Self> {
            let mut pipe = pipe::Receiver::from_owned_fd(OwnedFd::from(pipe))?;
            let read = async move {
                let mut buffer = vec![0; 4096];
                while let Ok(read @ 1..) = pipe.read(&mut buffer).await {
                    kept.lock().push(&buffer[..read]);
                }
            };
            Ok(Self(tokio::spawn(read)))
        }

        /// Waits until the last process has closed the other end.
        pub(super) async fn end(&mut self) {
            // The task never panics.
            let _ = (&mut self.0).await;
        }
    }

    impl Drop for Reader {
        fn drop(&mut self) {
            self.0.abort();
        }
    }
}

#[cfg(not(unix))]
mod system {
    use std::io::{self, Read};
    use std::sync::Arc;
    use std::thread;

    use parking_lot::Mutex;
    use tokio::sync::oneshot;

    use super::Kept;

    /// A thread, since the runtime has no pipes on this system. It ends when the last process closes the other end of the pipe.
    #[derive(Debug)]
    pub(super) struct Reader(oneshot::Receiver<()>);

    impl Reader {
        pub(super) fn new(mut pipe: io::PipeReader, kept: Arc<Mutex<Kept>>) -> io::Result<Self> {
            let (sender, receiver) = oneshot::channel();
            thread::Builder::new().name("output".to_owned()).spawn(move || {
                let mut buffer = vec![0; 4096];
                while let Ok(read @ 1..) = pipe.read(&mut buffer) {
                    kept.lock().push(&buffer[..read]);
                }
                // The receiver may have been dropped.
                let _ = sender.send(());
            })?;
            Ok(Self(receiver))
        }

        /// Waits until the last process has closed the other end.
        pub(super) async fn end(&mut self) {
            // An error means that the thread has ended, too.
            let _ = (&mut self.0).await;
        }
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
