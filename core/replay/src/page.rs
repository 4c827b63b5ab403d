//! The web page that shows games: live, on a time line, or as a standalone file.

mod modules;

use std::io::{self, Write};
use std::sync::LazyLock;

use base64::prelude::{BASE64_STANDARD, Engine};
use language::said;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::film;
use crate::modules;
use crate::recording::Recording;

pub use self::modules::{JoinError, Module, join};

/// The HTML of the page, which loads [`STYLE`] and [`script`] as `style.css` and `page.js` from its own folder.
///
/// The page shows live games if a server provides the API that `live.js` uses.
pub const INDEX: &str = include_str!("../../../web/page/replay/index.html");
/// Colours, and styles of text, buttons and keys; shared with other pages.
pub const BASE_STYLE: &str = include_str!("../../../web/page/shared/base.css");
/// The styles of the page.
pub const STYLE: &str = concat!(
    include_str!("../../../web/page/shared/base.css"),
    include_str!("../../../web/page/replay/style.css"),
    include_str!("../../../web/page/replay/panels.css"),
    include_str!("../../../web/page/replay/screens.css"),
);
/// The modules that several pages import.
pub const SHARED: [Module; 8] = modules![
    "shared/connection.js",
    "shared/copy.js",
    "shared/element.js",
    "shared/language.js",
    "shared/letters.js",
    "shared/renew.js",
    "shared/roving.js",
    "shared/sources.js",
];
/// The modules of this page.
pub const MODULES: [Module; 28] = modules![
    "replay/board.js",
    "replay/drawing.js",
    "replay/film.js",
    "replay/help.js",
    "replay/items.js",
    "replay/layers.js",
    "replay/live.js",
    "replay/lobby.js",
    "replay/main.js",
    "replay/pacman.js",
    "replay/page.js",
    "replay/panels.js",
    "replay/pieces.js",
    "replay/playback.js",
    "replay/pyrat.js",
    "replay/reach.js",
    "replay/scores.js",
    "replay/session.js",
    "replay/shapes.js",
    "replay/share.js",
    "replay/story.js",
    "replay/tabs.js",
    "replay/telling.js",
    "replay/theme.js",
    "replay/thoughts.js",
    "replay/track.js",
    "replay/why.js",
    "replay/words.js",
];
static SCRIPT: LazyLock<String> = LazyLock::new(|| {
    join(&[&SHARED[..], &MODULES].concat(), "replay/main.js").expect("a test joins the modules")
});

/// Maximum number of answers of a game that a page can show.
pub const MOST_ANSWERS: u64 = 2_000_000;

/// The error that a game is too long for a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", said!(
        "the game is too long for a browser: {turns} turns of {players} players, expected at most {most} turns; \
         `{afficheur} --replay` shows it, and `{rejeu} gif` and `{rejeu} jsonl` export it",
        "la partie est trop longue pour un navigateur : {turns} tours de {players} joueurs, au plus {most} \
         tours sont possibles ; `{afficheur} --rejouer` la montre, `{rejeu} gif` et `{rejeu} jsonl` l'exportent",
        most = MOST_ANSWERS / players,
        afficheur = cli::command("afficheur"),
        rejeu = cli::command("rejeu")
    ))]
pub struct TooLong {
    turns: u32,
    players: u64,
}

/// Checks that a browser can show a game; the page takes some 100 bytes per answer.
///
/// # Errors
///
/// When the game has more than [`MOST_ANSWERS`] answers.
pub fn check_length(recording: &Recording) -> Result<(), TooLong> {
    let (turns, players) = (recording.turn(), recording.setup.names().len() as u64);
    match u64::from(turns) * players {
        0..=MOST_ANSWERS => Ok(()),
        _ => Err(TooLong { turns, players }),
    }
}

/// Returns the script of the page, a module that imports nothing.
pub fn script() -> &'static str {
    &SCRIPT
}

/// Returns the page with a game in it, as one HTML file that loads nothing and runs no other script.
pub fn standalone(recording: &Recording) -> String {
    text(|out| write(recording, out))
}

/// Writes the page of [`standalone`], one turn at a time.
///
/// # Errors
///
/// When `out` fails.
pub fn write(recording: &Recording, out: &mut impl Write) -> io::Result<()> {
    write_served(recording, true, out)
}

/// Writes the page of [`standalone`] for a server, which lets other sites show it in frames only if it `is_embeddable`.
///
/// # Errors
///
/// When `out` fails.
pub fn write_served(
    recording: &Recording,
    is_embeddable: bool,
    out: &mut impl Write,
) -> io::Result<()> {
    let [before, after] = around_film();
    let html = if is_embeddable { "<html " } else { "<html data-unframed " };
    out.write_all(before.replacen("<html ", html, 1).as_bytes())?;
    film::write(recording, &mut Harmless(&mut *out))?;
    out.write_all(after.as_bytes())
}

/// Returns the standalone page without its game: the texts before and after [`film_text`].
pub fn around_film() -> [String; 2] {
    let policy = format!(
        "default-src 'none'; script-src {}; style-src {}; img-src data:",
        allowed(script()),
        allowed(STYLE)
    );
    let page = INDEX
        .replace(
            "<meta charset=\"utf-8\">",
            &format!(
                "<meta charset=\"utf-8\">\n\
                 <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">"
            ),
        )
        .replace(
            "<link rel=\"stylesheet\" href=\"style.css\">",
            &format!("<style>{STYLE}</style>"),
        );
    let (before, after) = page
        .split_once("<script type=\"module\" src=\"page.js\"></script>")
        .expect("the page has its script");
    [
        format!("{before}<script type=\"application/json\" id=\"film\">"),
        format!("</script>\n<script type=\"module\">{}</script>{after}", script()),
    ]
}

/// Returns the film of a recording, escaped for a script element.
pub fn film_text(recording: &Recording) -> String {
    text(|out| film::write(recording, &mut Harmless(out)))
}

/// Collects a written text in memory.
fn text(write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> String {
    let mut bytes = Vec::new();
    write(&mut bytes).expect("writing into memory does not fail");
    String::from_utf8(bytes).expect("pages and JSON are text")
}

/// A writer that escapes JSON as [`harmless`] does.
struct Harmless<W>(W);

impl<W: Write> Write for Harmless<W> {
    fn write(&mut self, json: &[u8]) -> io::Result<usize> {
        for (index, part) in json.split(|byte| *byte == b'<').enumerate() {
            if index > 0 {
                self.0.write_all(b"\\u003c")?;
            }
            self.0.write_all(part)?;
        }
        Ok(json.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Escapes JSON for a script element: without `<`, no part looks like the end of the element or a comment.
pub fn harmless(json: &Value) -> String {
    json.to_string().replace('<', "\\u003c")
}

/// Returns the source expression by which a content security policy allows an inline text.
pub fn allowed(text: &str) -> String {
    format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text)))
}
