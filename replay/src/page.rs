//! The web page that shows games: live, on a time line, or in one file to take along.

use base64::prelude::{BASE64_STANDARD, Engine};
use sha2::{Digest, Sha256};

use crate::film::film;
use crate::recording::Recording;

/// The page; it loads [`STYLE`] and [`SCRIPT`] from beside it, as `style.css` and `page.js`.
///
/// Where a server serves them, with the API that `live.js` uses, it shows live games.
pub const INDEX: &str = include_str!("../page/index.html");
/// Its styles.
pub const STYLE: &str = concat!(
    include_str!("../page/style.css"),
    include_str!("../page/panels.css"),
    include_str!("../page/screens.css"),
);
/// Its script, a module. Its parts know each other's names, and `page.js` begins.
pub const SCRIPT: &str = concat!(
    include_str!("../page/film.js"),
    include_str!("../page/words.js"),
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

/// The page with a game in it, as one HTML file that loads nothing, and runs no other script.
#[must_use]
pub fn standalone(recording: &Recording) -> String {
    // Nothing in a script element may look like its end, or like a comment.
    let film = film(recording).to_string().replace('<', "\\u003c");
    let policy = format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; img-src data:",
        allowed(SCRIPT),
        allowed(STYLE)
    );
    INDEX
        .replace(
            "<meta charset=\"utf-8\">",
            &format!(
                "<meta charset=\"utf-8\">\n\
                 <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">"
            ),
        )
        .replace("<link rel=\"stylesheet\" href=\"style.css\">", &format!("<style>{STYLE}</style>"))
        .replace(
            "<script type=\"module\" src=\"page.js\"></script>",
            &format!(
                "<script type=\"application/json\" id=\"film\">{film}</script>\n\
                 <script type=\"module\">{SCRIPT}</script>"
            ),
        )
}

/// What a content security policy calls an inline text.
fn allowed(text: &str) -> String {
    format!("sha256-{}", BASE64_STANDARD.encode(Sha256::digest(text)))
}
