//! Makes the folder of the arena for browsers from the crate `arene`, compiled to WebAssembly: `page WASM FOLDER`.
//!
//! The folder gets `arene.html`, the page in one file, the same as `index.html` of a site, and `arene.js`, the module for others, with
//! what it loads. `scripts/page.sh` calls this.

use std::ffi::OsString;
use std::io::Read;
use std::path::Path;
use std::{env, fs};

use anyhow::{Context, bail, ensure};
use base64::prelude::{BASE64_STANDARD, Engine};
use flate2::Compression;
use flate2::read::GzEncoder;
use replay::page::{self, Module};
use wasm_bindgen_cli_support::Bindgen;

/// The modules of the page that the page of games does not have.
const MODULES: [Module; 6] = replay::modules![
    "arene/arene.js",
    "play/controls.js",
    "play/main.js",
    "play/play.js",
    "play/setup.js",
    "play/words.js",
];
const STYLE: &str = include_str!("../../../web/page/play/play.css");
/// HTML that this page adds to the page of games, and the element before which it stands.
const PARTS: [(&str, &str); 2] = [
    ("    <p id=\"nothing\"", include_str!("../../../web/page/play/setup.html")),
    ("        <p id=\"cell\"", include_str!("../../../web/page/play/bar.html")),
];

fn main() -> anyhow::Result<()> {
    let [wasm, folder] = &env::args_os().skip(1).collect::<Vec<OsString>>()[..] else {
        bail!("expected two arguments: the compiled WebAssembly, and the folder to write");
    };
    let folder = Path::new(folder);
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    Bindgen::new()
        .input_path(wasm)
        .web(true)?
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .out_name("glue")
        .generate(folder)?;
    fs::rename(folder.join("glue_bg.wasm"), folder.join("arene.wasm"))?;
    // Modules of the pages name what they export where it stands.
    let generated = fs::read_to_string(folder.join("glue.js"))?;
    let glue = generated
        .replace("export { initSync, __wbg_init as default };", "export const init = __wbg_init;");
    ensure!(glue != generated, "wasm-bindgen exports its start in another way than expected");
    fs::write(folder.join("glue.js"), &glue)?;
    let frames = "replay/frames.d.ts";
    let [module, ..] = MODULES;
    fs::write(
        folder.join("arene.js"),
        module.text.replace(&format!("../{frames}"), "./frames.d.ts"),
    )?;
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/page");
    for (name, to) in [("arene/glue.d.ts", "glue.d.ts"), (frames, "frames.d.ts")] {
        fs::copy(sources.join(name), folder.join(to)).context(name)?;
    }
    let html = html(&fs::read(folder.join("arene.wasm"))?, glue)?;
    for name in ["arene.html", "index.html"] {
        fs::write(folder.join(name), &html)?;
    }
    Ok(())
}

/// The page in one file, which loads nothing.
fn html(wasm: &[u8], glue: String) -> anyhow::Result<String> {
    let glue = Module { path: "arene/glue.js", text: glue.leak() };
    let modules = [&page::SHARED[..], &page::MODULES, &MODULES, &[glue]].concat();
    let script = page::join(&modules, "play/main.js")
        .map_err(|error| anyhow::anyhow!("the modules cannot be joined: {error:?}"))?;
    let style = format!("{}{STYLE}", page::STYLE);
    let mut packed = Vec::new();
    GzEncoder::new(wasm, Compression::best()).read_to_end(&mut packed)?;
    let policy = format!(
        "default-src 'none'; script-src {} 'wasm-unsafe-eval'; style-src {}; img-src data:",
        page::allowed(&script),
        page::allowed(&style)
    );
    let head = "<meta charset=\"utf-8\">";
    let meta =
        format!("{head}\n<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">");
    let body = format!(
        "<script type=\"application/octet-stream\" id=\"wasm\">{}</script>\n<script type=\"module\">{script}</script>",
        BASE64_STANDARD.encode(packed)
    );
    let mut html = page::INDEX.to_owned();
    let parts = PARTS.map(|(before, part)| (before, format!("{part}{before}")));
    for (place, with) in [
        (head, meta),
        ("<link rel=\"stylesheet\" href=\"style.css\">", format!("<style>{style}</style>")),
        ("<script type=\"module\" src=\"page.js\"></script>", body),
    ]
    .into_iter()
    .chain(parts)
    {
        ensure!(html.matches(place).count() == 1, "the page has no single {place}");
        html = html.replace(place, &with);
    }
    let mut ids: Vec<_> =
        html.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    ids.sort_unstable();
    let twice = ids.windows(2).find(|pair| pair[0] == pair[1]);
    ensure!(twice.is_none(), "two elements have the same id: {twice:?}");
    Ok(html)
}
