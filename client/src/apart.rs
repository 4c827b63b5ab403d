//! Thinking on other threads than the connection's.

use language::log;
use tokio::task::spawn_blocking;

/// Asks a bot on a thread of the runtime's pool: however long it takes, the tasks of the runtime go on. One that
/// panics is gone, and answers nothing from then on.
pub(crate) async fn ask<B, T>(
    bot: &mut Option<B>,
    question: impl FnOnce(&mut B) -> T + Send + 'static,
) -> Option<T>
where
    B: Send + 'static,
    T: Send + 'static,
{
    let mut asked = bot.take()?;
    let answered = spawn_blocking(move || {
        let answer = question(&mut asked);
        (asked, answer)
    });
    match answered.await {
        Ok((asked, answer)) => {
            *bot = Some(asked);
            Some(answer)
        }
        Err(failure) => {
            log!(error, "a bot broke down: {failure}", "un bot est tombé en panne : {failure}");
            None
        }
    }
}
