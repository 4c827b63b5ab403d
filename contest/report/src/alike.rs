//! Programs that look alike, for a person who decides: a pair in a line, and a page with the lines side by side.

use std::fmt::Write as _;

use language::{Language, Phrase};
use similarity::{Pair, Place, Program};

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:90rem;padding:0 1rem}\
    :root{color-scheme:light dark}h2{margin-top:3rem}.pair{display:grid;grid-template-columns:1fr 1fr;gap:1rem}\
    figure{margin:0 0 1rem;min-width:0}figcaption{font-weight:600}\
    pre{font-size:.85em;margin:.25rem 0;padding:.5rem;overflow-x:auto;border:1px solid color-mix(in srgb,currentColor 30%,transparent);border-radius:.25rem}";

/// Maximum number of lines of a program that are shown of a pair. Regions are sorted, so that the longest ones are shown.
const LINES: usize = 2000;
/// Maximum number of characters of a line that are shown: a program may be one line.
const WIDTH: usize = 240;

/// The sentence that goes with every list of pairs.
pub const CAUTION: Phrase = Phrase::new(
    "This proves nothing: look at the lines, and ask the teams.",
    "Cela ne prouve rien\u{a0}: regardez les lignes, et interrogez les équipes.",
);

/// The page of some pairs.
pub fn html(pairs: &[Pair], programs: &[Program], language: Language) -> String {
    let heading = language.say("Programs that look alike", "Programmes qui se ressemblent");
    let code = language.say("en", "fr");
    let mut page = format!(
        "<!doctype html>\n<html lang=\"{code}\"><head><meta charset=\"utf-8\"><title>{heading}</title>\
         <meta name=\"viewport\" content=\"width=device-width\"><style>{STYLE}</style></head><body><main>\n\
         <h1>{heading}</h1>\n<p>{}</p>\n",
        CAUTION.say(language),
    );
    for pair in pairs {
        let _ = writeln!(page, "<h2>{}</h2>", escaped(&title(pair, programs, language)));
        show(&mut page, pair, programs, language);
    }
    page.push_str("</main></body></html>\n");
    page
}

/// Writes the regions of a pair, as far as there is room.
fn show(page: &mut String, pair: &Pair, programs: &[Program], language: Language) {
    let mut left = LINES;
    for (shown, region) in pair.regions.iter().enumerate() {
        if left == 0 {
            let more = pair.regions.len() - shown;
            let rest = language.say("more parts in common", "autres passages communs");
            let _ = writeln!(page, "<p>… {more} {rest}</p>");
            return;
        }
        page.push_str("<div class=\"pair\">");
        let longer = figure(page, &region.first, &programs[pair.first], left).max(figure(
            page,
            &region.second,
            &programs[pair.second],
            left,
        ));
        page.push_str("</div>\n");
        left -= longer;
    }
}

/// Writes up to `most` lines of a place, with their numbers. Returns how many.
fn figure(page: &mut String, at: &Place, program: &Program, most: usize) -> usize {
    let caption = escaped(&place(at, program));
    let _ = write!(page, "<figure><figcaption>{caption}</figcaption><pre tabindex=\"0\">");
    let text = String::from_utf8_lossy(&program.sources[at.source].text);
    let before = (*at.lines.start() as usize).saturating_sub(1);
    let mut shown = 0;
    for (number, line) in at.lines.clone().zip(text.lines().skip(before)).take(most) {
        let start: String = line.chars().take(WIDTH).collect();
        let rest = if start.len() < line.len() { "…" } else { "" };
        let _ = writeln!(page, "{number:4}  {}{rest}", escaped(&start));
        shown += 1;
    }
    let rest = if at.lines.clone().count() > shown { "…\n" } else { "" };
    let _ = write!(page, "{rest}</pre></figure>");
    shown
}

/// A line about the similarity of two programs. Control characters in their names are replaced.
pub fn title(pair: &Pair, programs: &[Program], language: Language) -> String {
    let [first, second] = [pair.first, pair.second].map(|index| visible(&programs[index].name));
    let [smaller, both] =
        [pair.of_smaller, pair.of_both].map(|share| format!("{:.0} %", 100.0 * share));
    let title = match language {
        Language::English => format!(
            "{first} and {second}: {smaller} of the smaller program is in the other one, {both} of both is alike"
        ),
        Language::French => format!(
            "{first} et {second} : {smaller} du plus petit programme est dans l'autre, {both} de l'ensemble est commun"
        ),
    };
    language.typeset(&title)
}

/// The lines of a place, as `bot.py:12-40`.
pub fn place(place: &Place, program: &Program) -> String {
    let file = visible(&program.sources[place.source].name);
    format!("{file}:{}-{}", place.lines.start(), place.lines.end())
}

/// A text without characters that are not seen, or that change what is seen.
fn visible(text: &str) -> String {
    let is_plain = |c: char| !c.is_control() && !protocol::is_invisible(c);
    text.chars().map(|c| if is_plain(c) { c } else { '\u{fffd}' }).collect()
}

/// A text that shows its characters, as HTML.
fn escaped(text: &str) -> String {
    let shown = text.replace('\t', "    ");
    let shown = visible(&shown);
    shown.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use similarity::{Class, Source};

    fn page(text: &str) -> String {
        let programs = ["Ada <b>", "Bob"].map(|name| Program {
            name: name.to_owned(),
            sources: vec![Source::new("bot.js", text)],
        });
        html(&Class::new(&[], &programs).pairs(), &programs, Language::English)
    }

    #[test]
    fn a_page_of_hostile_programs_is_short_and_shows_their_characters() {
        let statement = "f(x + 1) ? g(y) : h[z] - \"<script>\u{202e}\"; ";
        let long = page(&statement.repeat(20_000));
        assert!(long.contains("Ada &lt;b&gt; and Bob") && long.contains("&lt;script&gt;\u{fffd}"));
        assert!(!long.contains("<script>") && long.len() < 10_000, "{}", long.len());
        let many = page(&format!("{statement}\n").repeat(20_000));
        assert!(many.contains("1999") && !many.contains("2001  f("), "{}", many.len());
        let scattered = format!("{statement}\n").repeat(12);
        assert!(page(&scattered).contains("  12  f(x + 1)"));
    }
}
