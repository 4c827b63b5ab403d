//! The page that shows what two programs have in common, side by side.

use std::fmt::Write as _;

use language::word;
use similarity::{Pair, Place, Program};

use super::{caution, place, title};

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:90rem;padding:0 1rem}\
    :root{color-scheme:light dark}h2{margin-top:3rem}.pair{display:grid;grid-template-columns:1fr 1fr;gap:1rem}\
    figure{margin:0 0 1rem;min-width:0}figcaption{font-weight:600}\
    pre{font-size:.85em;margin:.25rem 0;padding:.5rem;overflow-x:auto;border:1px solid color-mix(in srgb,currentColor 30%,transparent);border-radius:.25rem}";

/// The page of some pairs.
pub(super) fn html(pairs: &[Pair], programs: &[Program]) -> String {
    let heading = word("Programs that look alike", "Programmes qui se ressemblent");
    let language = word("en", "fr");
    let mut page = format!(
        "<!doctype html>\n<html lang=\"{language}\"><head><meta charset=\"utf-8\"><title>{heading}</title>\
         <meta name=\"viewport\" content=\"width=device-width\"><style>{STYLE}</style></head><body><main>\n\
         <h1>{heading}</h1>\n<p>{}</p>\n",
        caution(),
    );
    for pair in pairs {
        let _ = writeln!(page, "<h2>{}</h2>", escaped(&title(pair, programs)));
        for region in &pair.regions {
            page.push_str("<div class=\"pair\">");
            figure(&mut page, &region.first, &programs[pair.first]);
            figure(&mut page, &region.second, &programs[pair.second]);
            page.push_str("</div>\n");
        }
    }
    page.push_str("</main></body></html>\n");
    page
}

/// The lines of a place, with their numbers.
fn figure(page: &mut String, at: &Place, program: &Program) {
    let caption = escaped(&place(at, program));
    let _ = write!(page, "<figure><figcaption>{caption}</figcaption><pre tabindex=\"0\">");
    let text = String::from_utf8_lossy(&program.sources[at.source].text);
    let lines = (1..).zip(text.lines()).filter(|(number, _)| at.lines.contains(number));
    for (number, line) in lines {
        let _ = writeln!(page, "{number:4}  {}", escaped(line));
    }
    page.push_str("</pre></figure>");
}

/// A text that shows its characters, as HTML.
fn escaped(text: &str) -> String {
    let printable = text.replace('\t', "    ");
    let printable = cli::printable(&printable);
    printable.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
