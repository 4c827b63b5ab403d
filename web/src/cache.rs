//! Files that take long to make: made once, kept compressed, and sent to all browsers that request them.

use std::io::ErrorKind::{BrokenPipe, NotFound, OutOfMemory};
use std::io::{self, Write};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, IntoResponseParts, Response};
use bytes::Bytes;
use flate2::Compression;
use flate2::write::{GzDecoder, GzEncoder};
use futures_util::stream;
use language::{log, said, word};
use parking_lot::Mutex;
use tokio::sync::{Semaphore, watch};
use tokio::time::{Instant, timeout};

/// Maximum number of bytes of all files together. Beyond, the least recently requested files are dropped, even while
/// they are read.
const KEPT: usize = 24 * 1024 * 1024;
/// Maximum number of files made at a time; others wait.
const MAKERS: u32 = 2;
/// Longest wait for the making of a file to begin.
const WAIT: Duration = Duration::from_secs(20);
/// Minimum time for which the file that is not final is reused.
const FRESH: Duration = Duration::from_secs(1);
/// Minimum time for which the file that is not final is reused, as a multiple of the time to make it.
const SHARE: u32 = 10;
/// Number of bytes of a piece of a file.
const PIECE: usize = 16 * 1024;
/// Number of compressed bytes expanded at once for readers that do not accept gzip.
const EXPANDED: usize = 1024;

/// Files by key, in any format that their makers write.
#[derive(Debug)]
pub struct Cache<K> {
    store: Arc<Mutex<Store<K>>>,
    makers: Arc<Semaphore>,
    /// Permit to make a file that takes long, one at a time.
    slow_maker: Arc<Semaphore>,
}

#[derive(Debug)]
struct Store<K> {
    /// The files, least recently requested first.
    files: Vec<Kept<K>>,
    bytes: usize,
    most_bytes: usize,
}

#[derive(Debug)]
struct Kept<K> {
    key: K,
    file: Arc<File>,
}

#[derive(Debug)]
struct File {
    begun: Instant,
    took: OnceLock<Duration>,
    pieces: watch::Sender<Pieces>,
}

/// The compressed pieces of a file so far.
#[derive(Debug, Default)]
struct Pieces {
    pieces: Vec<Bytes>,
    end: Option<Result<(), io::ErrorKind>>,
}

/// The cost of making a file, which limits the number of other files made at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Little memory.
    Usual,
    /// Much memory: meanwhile, only `Long` files are made.
    Great,
    /// Much time: waits only for other files of this effort, and is given up when nobody reads it any more. Other files
    /// are finished for the next reader.
    Long,
}

/// A function that writes a file, called on a thread of its own. It fails with [`io::ErrorKind::NotFound`] if there
/// is no such file.
pub type Maker = Box<dyn FnOnce(&mut dyn Write) -> io::Result<()> + Send>;

/// The reason why there is no file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unavailable {
    /// The file does not exist, or was forgotten.
    Missing,
    /// Too many files are being made.
    Busy,
    /// The file could not be made.
    Failed,
}

/// A reader of a file that may still be in the making.
#[derive(Debug)]
pub struct Reader {
    pieces: watch::Receiver<Pieces>,
    next: usize,
}

impl<K: Clone + PartialEq + Send + 'static> Cache<K> {
    fn with_room_for(most_bytes: usize) -> Self {
        let store = Arc::new(Mutex::new(Store { files: Vec::new(), bytes: 0, most_bytes }));
        let makers = Arc::new(Semaphore::new(MAKERS as usize));
        Self { store, makers, slow_maker: Arc::new(Semaphore::new(1)) }
    }

    /// A file, which is made if it is not stored or too old; a file that `is_final` never gets too old.
    /// `maker` is called when the making begins, and returns `None` if there is no such file.
    ///
    /// # Errors
    ///
    /// When there is no file, for the reason returned.
    pub async fn get(
        &self,
        key: K,
        is_final: bool,
        effort: Effort,
        maker: impl FnOnce() -> Option<Maker>,
    ) -> Result<Reader, Unavailable> {
        if let Some(reader) = self.known(&key, is_final) {
            return reader.begun().await;
        }
        let (makers, count) = match effort {
            Effort::Usual => (&self.makers, 1),
            Effort::Great => (&self.makers, MAKERS),
            Effort::Long => (&self.slow_maker, 1),
        };
        let place = timeout(WAIT, Arc::clone(makers).acquire_many_owned(count)).await;
        let Ok(Ok(place)) = place else { return Err(Unavailable::Busy) };
        // Another request may have started the file meanwhile.
        if let Some(reader) = self.known(&key, is_final) {
            drop(place);
            return reader.begun().await;
        }
        let maker = maker().ok_or(Unavailable::Missing)?;
        let file = Arc::new(File {
            begun: Instant::now(),
            took: OnceLock::new(),
            pieces: watch::Sender::default(),
        });
        let reader = Reader { pieces: file.pieces.subscribe(), next: 0 };
        self.store.lock().files.push(Kept { key, file: Arc::clone(&file) });
        let writer = Writer { file, store: Arc::clone(&self.store) };
        tokio::task::spawn_blocking(move || {
            writer.write(maker, effort);
            drop(place);
        });
        reader.begun().await
    }

    /// The stored file with this key; `None` if there is none, or it is too old.
    fn known(&self, key: &K, is_final: bool) -> Option<Reader> {
        let mut store = self.store.lock();
        let index = store.files.iter().rposition(|kept| kept.key == *key)?;
        let file = &store.files[index].file;
        let is_fresh = || match file.took.get() {
            Some(took) => file.begun.elapsed() < FRESH.max(SHARE * *took),
            None => true,
        };
        if !is_final && !is_fresh() {
            return None;
        }
        let reader = Reader { pieces: file.pieces.subscribe(), next: 0 };
        store.files[index..].rotate_left(1);
        Some(reader)
    }
}

impl<K: Clone + PartialEq + Send + 'static> Default for Cache<K> {
    /// An empty store of files.
    fn default() -> Self {
        Self::with_room_for(KEPT)
    }
}

impl<K> Store<K> {
    /// Drops a file; its readers fail with this error.
    fn forget(&mut self, index: usize, why: io::ErrorKind) {
        let Kept { file, .. } = self.files.remove(index);
        file.pieces.send_modify(|pieces| {
            self.bytes -= pieces.pieces.iter().map(Bytes::len).sum::<usize>();
            *pieces = Pieces { pieces: Vec::new(), end: Some(Err(why)) };
        });
    }

    fn index(&self, file: &Arc<File>) -> Option<usize> {
        self.files.iter().position(|kept| Arc::ptr_eq(&kept.file, file))
    }
}

/// Writes a file into the store, piece by piece.
struct Writer<K> {
    file: Arc<File>,
    store: Arc<Mutex<Store<K>>>,
}

impl<K> Writer<K> {
    fn write(self, maker: Maker, effort: Effort) {
        let file = Arc::clone(&self.file);
        let pieces = io::BufWriter::with_capacity(PIECE, self);
        let texts = GzEncoder::new(pieces, Compression::fast());
        // Makers write in small amounts.
        let mut texts = io::BufWriter::with_capacity(PIECE, texts);
        let readers = (effort == Effort::Long).then_some(&*file);
        let made = maker(&mut Awaited { readers, out: &mut texts })
            .and_then(|()| texts.flush())
            .and_then(|()| texts.get_mut().try_finish())
            .and_then(|()| texts.get_mut().get_mut().flush());
        if let Err(failure) = made {
            if !matches!(failure.kind(), BrokenPipe | NotFound | OutOfMemory) {
                log!(
                    error,
                    "a file cannot be made: {failure}",
                    "un fichier ne peut pas être préparé : {failure}"
                );
            }
            // The buffered rest is dropped with the file.
            return texts.get_ref().get_ref().get_ref().give_up(failure.kind());
        }
        let _ = file.took.set(file.begun.elapsed());
        file.pieces.send_modify(|pieces| pieces.end = pieces.end.or(Some(Ok(()))));
    }

    fn give_up(&self, why: io::ErrorKind) {
        let mut store = self.store.lock();
        if let Some(index) = store.index(&self.file) {
            store.forget(index, why);
        }
    }
}

impl<K> Write for Writer<K> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut store = self.store.lock();
        if store.index(&self.file).is_none() || thread::panicking() {
            return Err(OutOfMemory.into());
        }
        store.bytes += bytes.len();
        let piece = Bytes::copy_from_slice(bytes);
        self.file.pieces.send_modify(|pieces| pieces.pieces.push(piece));
        while store.bytes > store.most_bytes {
            let other = store.files.iter().position(|kept| !Arc::ptr_eq(&kept.file, &self.file));
            let other = other.ok_or_else(|| {
                io::Error::other(word("the file is too long", "le file est trop long"))
            })?;
            store.forget(other, OutOfMemory);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Passes a file on, and fails when it has lost its readers, if it needs any.
struct Awaited<'a, W> {
    readers: Option<&'a File>,
    out: W,
}

impl<W: Write> Write for Awaited<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.readers.map(|file| file.pieces.receiver_count()) {
            Some(0) => Err(BrokenPipe.into()),
            _ => self.out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl<K> Drop for Writer<K> {
    /// Gives up a file without an end, because its maker has panicked.
    fn drop(&mut self) {
        if self.file.pieces.borrow().end.is_none() {
            self.give_up(io::ErrorKind::Other);
        }
    }
}

impl Reader {
    /// Waits for the first piece of the file.
    async fn begun(mut self) -> Result<Self, Unavailable> {
        let has_begun = |pieces: &Pieces| !pieces.pieces.is_empty() || pieces.end.is_some();
        let end = self.pieces.wait_for(has_begun).await.map_err(|_| Unavailable::Failed)?.end;
        match end {
            None | Some(Ok(())) => Ok(self),
            Some(Err(NotFound)) => Err(Unavailable::Missing),
            Some(Err(OutOfMemory | BrokenPipe)) => Err(Unavailable::Busy),
            Some(Err(_)) => Err(Unavailable::Failed),
        }
    }

    /// Waits for the next compressed piece; `None` after the last one.
    async fn piece(&mut self) -> io::Result<Option<Bytes>> {
        let next = self.next;
        let there = |pieces: &Pieces| pieces.pieces.len() > next || pieces.end.is_some();
        let pieces = self.pieces.wait_for(there).await.map_err(io::Error::other)?;
        if let Some(Err(failure)) = pieces.end {
            return Err(failure.into());
        }
        self.next += 1;
        Ok(pieces.pieces.get(next).cloned())
    }

    /// The response to a request, with the additional `headers`. The body is streamed as fast as the peer reads.
    pub fn answer(self, request: &HeaderMap, headers: impl IntoResponseParts) -> Response {
        let is_compressed = takes_gzip(request);
        let body = if is_compressed {
            Body::from_stream(stream::try_unfold(self, |mut file| async {
                Ok::<_, io::Error>(file.piece().await?.map(|piece| (piece, file)))
            }))
        } else {
            let decoder = GzDecoder::new(Vec::new());
            let text = Expanded { file: self, rest: Bytes::new(), decoder };
            Body::from_stream(stream::try_unfold(text, |mut text| async {
                Ok::<_, io::Error>(text.part().await?.map(|part| (part, text)))
            }))
        };
        let encoding = is_compressed.then_some([(header::CONTENT_ENCODING, "gzip")]);
        (headers, encoding, [(header::VARY, "accept-encoding")], body).into_response()
    }
}

/// A file for readers that do not accept gzip.
struct Expanded {
    file: Reader,
    rest: Bytes,
    decoder: GzDecoder<Vec<u8>>,
}

impl Expanded {
    /// Waits for the next part of the text; `None` after the last one.
    async fn part(&mut self) -> io::Result<Option<Vec<u8>>> {
        loop {
            if self.rest.is_empty() {
                let Some(piece) = self.file.piece().await? else { return Ok(None) };
                self.rest = piece;
            }
            let part = self.rest.split_to(self.rest.len().min(EXPANDED));
            self.decoder.write_all(&part)?;
            self.decoder.flush()?;
            let text = std::mem::take(self.decoder.get_mut());
            if !text.is_empty() {
                return Ok(Some(text));
            }
        }
    }
}

/// Tests if a request with these headers accepts gzip.
pub(crate) fn takes_gzip(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT_ENCODING).iter();
    let mut codings =
        accepted.filter_map(|value| value.to_str().ok()).flat_map(|all| all.split(','));
    codings.any(|coding| {
        let mut parts = coding.split(';').map(str::trim);
        let is_gzip = parts.next().is_some_and(|name| name.eq_ignore_ascii_case("gzip"));
        is_gzip && !parts.any(|part| matches!(part, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"))
    })
}

impl IntoResponse for Unavailable {
    fn into_response(self) -> Response {
        match self {
            Self::Missing => (
                StatusCode::NOT_FOUND,
                said!("there is no such file, or no longer", "ce fichier n'existe pas, ou plus"),
            )
                .into_response(),
            Self::Busy => {
                let headers = [(header::RETRY_AFTER, "5")];
                let why = said!(
                    "too many files are asked for: try again",
                    "trop de fichiers sont demandés : réessayez"
                );
                (StatusCode::SERVICE_UNAVAILABLE, headers, why).into_response()
            }
            Self::Failed => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc::{self, Sender};

    use tokio::time::advance;

    use super::*;

    fn writes(text: impl AsRef<[u8]> + Send + 'static) -> Maker {
        Box::new(move |out| out.write_all(text.as_ref()))
    }

    /// Incompressible bytes.
    fn noise(seed: u64, count: usize) -> Vec<u8> {
        let mut state = seed;
        let next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 56) as u8
        };
        std::iter::repeat_with(next).take(count).collect()
    }

    /// A maker that writes at once, and ends when the sender is dropped.
    fn waits() -> (Sender<()>, Maker) {
        let (go, wait) = mpsc::channel::<()>();
        let maker: Maker = Box::new(move |out| {
            out.write_all(&noise(1, 100_000))?;
            let _ = wait.recv();
            Ok(())
        });
        (go, maker)
    }

    async fn text(file: Reader, accepts: Option<&'static str>) -> (bool, Vec<u8>) {
        let accepts = accepts.map(|codings| (header::ACCEPT_ENCODING, codings.parse().unwrap()));
        let answer = file.answer(&accepts.into_iter().collect(), ());
        let is_compressed = answer.headers().contains_key(header::CONTENT_ENCODING);
        let body = axum::body::to_bytes(answer.into_body(), usize::MAX).await.unwrap();
        if !is_compressed {
            return (false, body.into());
        }
        let mut decoder = GzDecoder::new(Vec::new());
        decoder.write_all(&body).unwrap();
        (true, decoder.finish().unwrap())
    }

    #[tokio::test]
    async fn a_file_is_made_once_and_read_by_all() {
        let (files, made) = (Cache::default(), Arc::new(AtomicUsize::new(0)));
        let expected = "turn, ".repeat(100_000);
        let get = async || {
            let (made, text) = (Arc::clone(&made), expected.clone());
            let maker = move || {
                made.fetch_add(1, Ordering::Relaxed);
                Some(writes(text))
            };
            files.get(1, true, Effort::Usual, maker).await.unwrap()
        };
        let (one, other) = tokio::join!(get(), get());
        assert!(text(one, None).await == (false, expected.clone().into()));
        assert!(text(other, Some("br, gzip;q=0.5")).await == (true, expected.clone().into()));
        assert!(!text(get().await, Some("gzip;q=0, identity")).await.0);
        assert_eq!(made.load(Ordering::Relaxed), 1);
        assert_eq!(text(get().await, Some("gzip")).await.1.len(), expected.len());
    }

    #[tokio::test]
    async fn memory_of_all_files_is_bounded() {
        const ROOM: usize = 20 * PIECE;
        let files = Cache::with_room_for(ROOM);
        let slow =
            files.get(0, true, Effort::Usual, || Some(writes(noise(0, ROOM / 2)))).await.unwrap();
        // Files in the making drop each other: this one is whole before the next one begins.
        let whole = files.get(0, true, Effort::Usual, || None).await.unwrap();
        assert_eq!(text(whole, None).await.1, noise(0, ROOM / 2));
        let long = files.get(9, true, Effort::Usual, || Some(writes(noise(9, 2 * ROOM)))).await;
        // The file may begin before it is known to be too long.
        let end = match long {
            Ok(mut long) => {
                while long.piece().await.is_ok_and(|piece| piece.is_some()) {}
                long.begun().await.err()
            }
            Err(why) => Some(why),
        };
        assert_eq!(end, Some(Unavailable::Failed));
        for key in 1..8 {
            let file =
                files.get(key, true, Effort::Usual, move || Some(writes(noise(key, ROOM / 3))));
            assert_eq!(text(file.await.unwrap(), None).await.1, noise(key, ROOM / 3));
            let store = files.store.lock();
            let pieces = |kept: &Kept<u64>| -> usize {
                kept.file.pieces.borrow().pieces.iter().map(Bytes::len).sum()
            };
            assert_eq!(store.files.iter().map(pieces).sum::<usize>(), store.bytes);
            assert!(store.bytes <= ROOM);
        }
        // A slow reader loses its file to others.
        assert_eq!(slow.begun().await.err(), Some(Unavailable::Busy));
    }

    #[tokio::test]
    async fn failed_files_are_not_kept() {
        let files = Cache::default();
        let get = async |maker: Option<Maker>| files.get(1, true, Effort::Usual, || maker).await;
        assert_eq!(get(None).await.err(), Some(Unavailable::Missing));
        let missing: Maker = Box::new(|_| Err(NotFound.into()));
        assert_eq!(get(Some(missing)).await.err(), Some(Unavailable::Missing));
        let broken: Maker = Box::new(|_| Err(io::Error::other("broken")));
        assert_eq!(get(Some(broken)).await.err(), Some(Unavailable::Failed));
        let panics: Maker = Box::new(|_| panic!("a maker that panics"));
        assert_eq!(get(Some(panics)).await.err(), Some(Unavailable::Failed));
        assert!(files.store.lock().files.is_empty());
        assert!(get(Some(writes("now it is there"))).await.is_ok());
    }

    #[tokio::test]
    async fn a_file_whose_last_piece_finds_no_room_is_not_kept() {
        let files = Cache::default();
        let make = || Some(writes(noise(1, 8000)));
        let whole = files.get(1, true, Effort::Usual, make).await.unwrap();
        assert_eq!(text(whole, None).await.1.len(), 8000);
        let len = files.store.lock().bytes;
        // Only the end of the compressed file does not fit.
        let files = Cache::with_room_for(len - 1);
        if let Ok(mut long) = files.get(1, true, Effort::Usual, make).await {
            // The file has begun before it was known to be too long.
            while long.piece().await.is_ok_and(|piece| piece.is_some()) {}
        }
        let again = files.get(1, true, Effort::Usual, || Some(writes("short"))).await;
        assert_eq!(text(again.unwrap(), None).await.1, b"short");
    }

    #[tokio::test(start_paused = true)]
    async fn too_many_files_at_a_time_have_to_wait() {
        let files = Cache::default();
        let (go, maker) = waits();
        let first = files.get(1, true, Effort::Great, || Some(maker)).await.unwrap();
        let second = async || files.get(2, true, Effort::Usual, || Some(writes("second"))).await;
        // Paused time does not advance by itself while a blocking task runs.
        let (second_one, ()) = tokio::join!(second(), advance(2 * WAIT));
        assert_eq!(second_one.err(), Some(Unavailable::Busy));
        // Others may read the file that is being made.
        assert!(files.get(1, true, Effort::Great, || None).await.is_ok());
        drop(go);
        assert_eq!(text(first, None).await.1.len(), 100_000);
        assert!(second().await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn long_files_do_not_delay_others() {
        let files = Cache::default();
        let (go, maker) = waits();
        let slow = files.get(1, true, Effort::Long, || Some(maker)).await.unwrap();
        for (key, effort) in [(2, Effort::Usual), (3, Effort::Great)] {
            assert!(files.get(key, true, effort, || Some(writes("file"))).await.is_ok());
        }
        let other = files.get(4, true, Effort::Long, || Some(writes("picture")));
        let (other, ()) = tokio::join!(other, advance(2 * WAIT));
        assert_eq!(other.err(), Some(Unavailable::Busy));
        drop(go);
        assert_eq!(text(slow, None).await.1.len(), 100_000);
    }

    #[tokio::test]
    async fn a_file_is_finished_for_the_next_request_when_its_own_is_dropped() {
        let files = Cache::default();
        let (go, wait) = mpsc::channel::<()>();
        let maker: Maker = Box::new(move |out| {
            out.write_all(&noise(1, 100_000))?;
            let _ = wait.recv();
            out.write_all(&noise(2, 100_000))
        });
        drop(files.get(1, true, Effort::Usual, || Some(maker)).await.unwrap());
        drop(go);
        // The file is not made a second time.
        let file = files.get(1, true, Effort::Usual, || None).await.unwrap();
        assert_eq!(text(file, None).await.1.len(), 200_000);
    }

    #[tokio::test]
    async fn a_long_file_that_nobody_waits_for_is_not_made() {
        let files = Cache::default();
        let (go, wait) = std::sync::mpsc::channel::<()>();
        let (made, end) = tokio::sync::oneshot::channel();
        let maker: Maker = Box::new(move |out| {
            out.write_all(&noise(1, 100_000))?;
            let _ = wait.recv();
            let end = out.write_all(b"more");
            made.send(end.as_ref().copied().map_err(io::Error::kind)).unwrap();
            end.map(drop)
        });
        drop(files.get(1, true, Effort::Long, || Some(maker)).await.unwrap());
        drop(go);
        assert_eq!(end.await.unwrap(), Err(BrokenPipe));
    }

    #[tokio::test(start_paused = true)]
    async fn a_file_that_is_not_final_serves_for_a_while() {
        let files = Cache::default();
        let get = async |now: &'static str| {
            let file = files.get(1, false, Effort::Usual, || Some(writes(now))).await.unwrap();
            String::from_utf8(text(file, None).await.1).unwrap()
        };
        assert_eq!(get("turn 1").await, "turn 1");
        assert_eq!(get("turn 2").await, "turn 1");
        advance(FRESH).await;
        assert_eq!(get("turn 3").await, "turn 3");
    }
}
