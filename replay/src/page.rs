//! The web page that shows games: live, on a time line, or in one file to take along.

use crate::film::film;
use crate::recording::Recording;

/// The page; it loads [`STYLE`] and [`SCRIPT`] from beside it.
pub const INDEX: &str = include_str!("../page/index.html");
/// Its styles.
pub const STYLE: &str = include_str!("../page/style.css");
/// Its script.
pub const SCRIPT: &str = include_str!("../page/page.js");

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
            "<script src=\"page.js\" defer></script>",
            &format!(
                "<script type=\"application/json\" id=\"film\">{film}</script>\n\
                 <script type=\"module\">\n{SCRIPT}</script>"
            ),
        )
}
