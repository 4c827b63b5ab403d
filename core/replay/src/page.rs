//! The web page that shows games: live, on a time line, or as a standalone file.

use std::io::{self, Write};

use base64::prelude::{BASE64_STANDARD, Engine};
use language::said;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::film;
use crate::recording::Recording;

/// The HTML of the page, which loads [`STYLE`] and [`SCRIPT`] as `style.css` and `page.js` from its own folder.
///
/// The page shows live games if a server provides the API that `live.js` uses.
pub const INDEX: &str = include_str!("../page/index.html");
/// Colours, and styles of text, buttons and keys; shared with other pages.
pub const BASE_STYLE: &str = include_str!("../page/base.css");
/// The styles of the page.
pub const STYLE: &str = concat!(
    include_str!("../page/base.css"),
    include_str!("../page/style.css"),
    include_str!("../page/panels.css"),
    include_str!("../page/screens.css"),
);
/// The function `element(name, attributes, ...children)`, which makes elements; shared with other pages.
pub const ELEMENT_SCRIPT: &str = include_str!("../page/element.js");
/// The script of the page, a module. Its parts share one scope; `page.js` starts the page.
pub const SCRIPT: &str = concat!(
    include_str!("../page/film.js"),
    include_str!("../page/words.js"),
    include_str!("../page/element.js"),
    include_str!("../page/shapes.js"),
    include_str!("../page/board.js"),
    include_str!("../page/pacman.js"),
    include_str!("../page/pyrat.js"),
    include_str!("../page/playback.js"),
    include_str!("../page/track.js"),
    include_str!("../page/panels.js"),
    include_str!("../page/help.js"),
    include_str!("../page/live.js"),
    include_str!("../page/page.js"),
);

/// Maximum number of answers of a game that a page can show.
pub const MOST_ANSWERS: u64 = 2_000_000;

/// The error that a game is too long for a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", said!(
        "the game is too long for a browser: {turns} turns of {players} players, expected at most {most} turns; \
         `{afficheur} --rejouer` shows it, and `{rejeu} gif` and `{rejeu} jsonl` export it",
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

/// Returns the page with a game in it, as one HTML file that loads nothing and runs no other script.
#[must_use]
pub fn standalone(recording: &Recording) -> String {
    text(|out| write(recording, out))
}

/// Writes the page of [`standalone`], one turn at a time.
///
/// # Errors
///
/// When `out` fails.
pub fn write(recording: &Recording, out: &mut impl Write) -> io::Result<()> {
    let [before, after] = around_film();
    out.write_all(before.as_bytes())?;
    film::write(recording, &mut Harmless(&mut *out))?;
    out.write_all(after.as_bytes())
}

/// Returns the standalone page without its game: the texts before and after [`film_text`].
#[must_use]
pub fn around_film() -> [String; 2] {
    let policy = format!(
        "default-src 'none'; script-src {}; style-src {}; img-src data:",
        allowed(SCRIPT),
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
        format!("</script>\n<script type=\"module\">{SCRIPT}</script>{after}"),
    ]
}

/// Returns the film of a recording, escaped for a script element.
#[must_use]
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
#[must_use]
pub fn harmless(json: &Value) -> String {
    json.to_string().replace('<', "\\u003c")
}

/// Returns the source expression by which a content security policy allows an inline text.
#[must_use]
pub fn allowed(text: &str) -> String {
    format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text)))
}
