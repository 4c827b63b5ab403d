//! The report as one HTML file.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::sync::LazyLock;

use base64::prelude::{BASE64_STANDARD, Engine};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use replay::{Recording, page};

use super::data::Data;

/// The HTML of the page, which loads [`style`] and [`script`] as `style.css` and `page.js` from its own folder
/// unless they are embedded.
pub const INDEX: &str = include_str!("../../../web/page/report/index.html");
/// The styles of the page, which follow [`page::BASE_STYLE`].
const STYLE: &str = concat!(
    include_str!("../../../web/page/report/figures.css"),
    include_str!("../../../web/page/report/style.css"),
    include_str!("../../../web/page/report/team.css"),
    include_str!("../../../web/page/report/now.css"),
    include_str!("../../../web/page/report/projection.css"),
    include_str!("../../../web/page/report/print.css"),
);
/// The modules of the page, beside the [shared](page::SHARED) ones.
const MODULES: [page::Module; 14] = replay::modules![
    "report/duels.js",
    "report/live.js",
    "report/now.js",
    "report/organiser.js",
    "report/own.js",
    "report/page.js",
    "report/plots.js",
    "report/projection.js",
    "report/ranking.js",
    "report/replay.js",
    "report/screen.js",
    "report/seats.js",
    "report/team.js",
    "report/words.js",
];
static SCRIPT: LazyLock<String> = LazyLock::new(|| {
    let modules = [&page::SHARED[..], &MODULES].concat();
    page::join(&modules, "report/page.js").expect("a test joins the modules")
});

/// Returns the page with this data in it, as one HTML file that loads nothing and runs no other script. It replays the
/// best and the worst game of each team; `recording` returns the recording of a game. If the tournament `is_over`, the ranking is
/// called final, and the thoughts of teams that let others read them are in the page.
///
/// The page has French and English texts, and begins with the browser's language.
///
/// # Errors
///
/// The first failure of `recording`.
pub fn html<E>(
    mut data: Data,
    is_over: bool,
    recording: impl Fn(&str) -> Result<Option<Vec<u8>>, E>,
) -> Result<String, E> {
    let wanted: BTreeSet<&str> = data.extremes().collect();
    let mut films = BTreeMap::new();
    for key in wanted {
        // A game with an unreadable recording cannot be replayed.
        let bytes = recording(key)?;
        if let Some(mut recording) = bytes.and_then(|bytes| Recording::read(&bytes).ok()) {
            recording.thoughts.publish(is_over);
            films.insert(key.to_owned(), packed(&page::film_text(&recording)));
        }
    }
    data.films = films;
    data.over = is_over;
    let data = serde_json::to_value(&data).expect("its keys are texts");
    let (style, script) = (style(), script());
    let policy = format!(
        "default-src 'none'; script-src {} {}; style-src {} {}; img-src data:",
        page::allowed(script),
        page::allowed(page::script()),
        page::allowed(&style),
        page::allowed(page::STYLE),
    );
    let [before, after] = page::around_film();
    let page = INDEX
        .replace(
            "<meta charset=\"utf-8\">",
            &format!(
                "<meta charset=\"utf-8\">\n\
                 <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">"
            ),
        )
        .replace("<link rel=\"stylesheet\" href=\"style.css\">", &format!("<style>{style}</style>"))
        .replace(
            "<script type=\"module\" src=\"page.js\"></script>",
            &format!(
                "<script type=\"application/json\" id=\"data\">{}</script>\n\
                 <script type=\"application/json\" id=\"player\">[\"{}\",\"{}\"]</script>\n\
                 <script type=\"module\">{script}</script>",
                page::harmless(&data),
                packed(&before),
                packed(&after),
            ),
        );
    Ok(page)
}

/// The shared styles and those of the page.
pub fn style() -> String {
    [page::BASE_STYLE, STYLE].concat()
}

/// The script of the page, a module that imports nothing.
pub fn script() -> &'static str {
    &SCRIPT
}

/// Compresses a text (zlib) and encodes it in base 64.
fn packed(text: &str) -> String {
    const NEVER: &str = "writing into memory does not fail";
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(text.as_bytes()).expect(NEVER);
    BASE64_STANDARD.encode(encoder.finish().expect(NEVER))
}
