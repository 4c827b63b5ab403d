//! The web page that shows games: live, on a time line, or in one file to take along.

use crate::film::film;
use crate::recording::Recording;

/// The page; it loads [`STYLE`] and [`SCRIPT`] from beside it, as `style.css` and `page.js`.
pub const INDEX: &str = include_str!("../page/index.html");
/// Its styles.
pub const STYLE: &str = include_str!("../page/style.css");
/// Its script, a module.
pub const SCRIPT: &str = concat!(
    include_str!("../page/film.js"),
    include_str!("../page/words.js"),
    include_str!("../page/shapes.js"),
    include_str!("../page/board.js"),
    include_str!("../page/playback.js"),
    include_str!("../page/track.js"),
    include_str!("../page/panels.js"),
    include_str!("../page/live.js"),
    include_str!("../page/page.js"),
);

/// The page with a game in it, as one HTML file that loads nothing.
#[must_use]
pub fn standalone(recording: &Recording) -> String {
    // Nothing in a script element may look like its end, or like a comment.
    let film = film(recording).to_string().replace('<', "\\u003c");
    INDEX
        .replace(
            "<link rel=\"stylesheet\" href=\"style.css\">",
            &format!("<style>\n{STYLE}</style>"),
        )
        .replace(
            "<script type=\"module\" src=\"page.js\"></script>",
            &format!(
                "<script type=\"application/json\" id=\"film\">{film}</script>\n\
                 <script type=\"module\">\n{SCRIPT}</script>"
            ),
        )
}
