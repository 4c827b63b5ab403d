//! Makes the folder of the arena for browsers from the crate `arene`, compiled to WebAssembly: `page WASM PACKAGES FOLDER`.
//!
//! The folder gets `arene.html`, the page in one file, the same as `index.html` of a site; `python.js`, which is Pyodide for the workshop
//! of the page; and `arene.js`, the module for others, with what it loads. `PACKAGES` is where npm has put Pyodide and esbuild. `scripts/page.sh` calls this.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::{env, fs};

use anyhow::{Context, bail, ensure};
use base64::prelude::{BASE64_STANDARD, Engine};
use flate2::Compression;
use flate2::read::GzEncoder;
use replay::page::{self, Module};
use wasm_bindgen_cli_support::Bindgen;

/// The modules of the page that the page of games does not have.
const MODULES: [Module; 21] = replay::modules![
    "arene/arene.js",
    "arene/blocks.js",
    "arene/packed.js",
    "play/controls.js",
    "play/main.js",
    "play/paths.js",
    "play/play.js",
    "play/setup.js",
    "play/words.js",
    "workshop/bots.js",
    "workshop/bring.js",
    "workshop/coach.js",
    "workshop/crew.js",
    "workshop/editor.js",
    "workshop/net.js",
    "workshop/python.js",
    "workshop/remote.js",
    "workshop/seat.js",
    "workshop/worker.js",
    "workshop/words.js",
    "workshop/workshop.js",
];
const STYLE: &str = concat!(
    include_str!("../../../web/page/play/play.css"),
    include_str!("../../../web/page/workshop/workshop.css"),
);
/// HTML that this page adds to the page of games, and the element before which it stands.
const PARTS: [(&str, &str); 6] = [
    (
        "  <button type=\"button\" id=\"language\"",
        include_str!("../../../web/page/workshop/button.html"),
    ),
    ("  <main>", include_str!("../../../web/page/workshop/workshop.html")),
    ("    <p id=\"nothing\"", include_str!("../../../web/page/play/setup.html")),
    ("        <p id=\"cell\"", include_str!("../../../web/page/play/bar.html")),
    (
        "        </div>\n        <div role=\"tabpanel\" id=\"story\"",
        include_str!("../../../web/page/workshop/coach-tab.html"),
    ),
    (
        "      </section>\n      <section id=\"control\"",
        include_str!("../../../web/page/workshop/coach.html"),
    ),
];

fn main() -> anyhow::Result<()> {
    let [wasm, packages, folder] = &env::args_os().skip(1).collect::<Vec<OsString>>()[..] else {
        bail!(
            "expected three arguments: the compiled WebAssembly, the folder of Pyodide, and the folder to write"
        );
    };
    let (packages, folder) = (Path::new(packages), Path::new(folder));
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
    let html = html(&fs::read(folder.join("arene.wasm"))?, glue, packages)?;
    for name in ["arene.html", "index.html"] {
        fs::write(folder.join(name), &html)?;
    }
    fs::write(folder.join("python.js"), python(&packages.join("pyodide"))?)?;
    Ok(())
}

/// Pyodide with what the workshop adds to it, as a script that defines how it is unpacked: a page from a file cannot fetch, but it
/// loads scripts.
fn python(pyodide: &Path) -> anyhow::Result<String> {
    let file = |name: &str| fs::read(pyodide.join(name)).with_context(|| name.to_owned());
    let parts = [
        ("loader", file("pyodide.mjs")?),
        ("runtime", file("pyodide.asm.mjs")?),
        ("engine", file("pyodide.asm.wasm")?),
        ("library", file("python_stdlib.zip")?),
        ("lock", file("pyodide-lock.json")?),
        ("kit", include_bytes!("../../../python/pacman_iuto/seul.py").to_vec()),
        ("page", include_bytes!("../../../web/page/workshop/page.py").to_vec()),
    ];
    let packed = parts.map(|(name, bytes)| Ok(format!("{name}: \"{}\"", packed(&bytes)?)));
    let packed = packed.into_iter().collect::<anyhow::Result<Vec<_>>>()?.join(",\n");
    let script = join(&MODULES, "workshop/bring.js")?;
    Ok(format!("{{\n{script}globalThis.bringPython = () => module1.bring({{\n{packed}\n}});\n}}\n"))
}

fn join(modules: &[Module], start: &str) -> anyhow::Result<String> {
    page::join(modules, start)
        .map_err(|error| anyhow::anyhow!("the modules cannot be joined: {error:?}"))
}

/// A script or a style without spaces and long names.
fn small(text: &str, kind: &str, packages: &Path) -> anyhow::Result<String> {
    let mut esbuild = Command::new(packages.join(".bin/esbuild"))
        .args(["--minify", "--charset=utf8", &format!("--loader={kind}")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("esbuild")?;
    // It reads all before it writes.
    esbuild.stdin.take().context("esbuild has no input")?.write_all(text.as_bytes())?;
    let output = esbuild.wait_with_output()?;
    ensure!(output.status.success(), "esbuild has failed");
    Ok(String::from_utf8(output.stdout)?)
}

/// gzip in base64, as `packed.js` unpacks it.
fn packed(bytes: &[u8]) -> anyhow::Result<String> {
    let mut packed = Vec::new();
    GzEncoder::new(bytes, Compression::best()).read_to_end(&mut packed)?;
    Ok(BASE64_STANDARD.encode(packed))
}

/// The examples, as a module.
fn files() -> String {
    let examples = [
        ("PYTHON", include_str!("../../../exemples/bot.py")),
        ("JAVASCRIPT", include_str!("../../../exemples/bot.js")),
        ("RAT", include_str!("../../../exemples/rat.py")),
    ];
    examples
        .map(|(name, text)| format!("export const {name} = {};\n", page::harmless(&text.into())))
        .concat()
}

/// The page in one file. Only its workshop loads more.
fn html(wasm: &[u8], glue: String, packages: &Path) -> anyhow::Result<String> {
    let small = |text: &str, kind: &str| small(text, kind, packages);
    let glue = Module { path: "arene/glue.js", text: glue.leak() };
    let files = Module { path: "workshop/files.js", text: files().leak() };
    let modules = [&page::SHARED[..], &page::MODULES, &MODULES, &[glue, files]].concat();
    let script = small(&join(&modules, "play/main.js")?, "js")?;
    // No module: browsers refuse those as workers of a page from a file.
    let worker = join(&modules, "workshop/worker.js")?.replace("import.meta.url", "location.href");
    let worker = small(&worker, "js")?;
    let style = small(&format!("{}{STYLE}", page::STYLE), "css")?;
    // The editor and Python are scripts beside the page, also beside a file; programs and workers are made in the page.
    let policy = format!(
        "default-src 'none'; script-src {} 'wasm-unsafe-eval' 'self' file: blob:; worker-src blob:; connect-src 'self'; style-src 'unsafe-inline'; img-src data:",
        page::allowed(&script),
    );
    let head = "<meta charset=\"utf-8\">";
    let meta =
        format!("{head}\n<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">");
    let body = format!(
        "<script type=\"application/octet-stream\" id=\"wasm\">{}</script>\n<script type=\"text/plain\" id=\"worker\">{worker}</script>\n<script type=\"module\">{script}</script>",
        packed(wasm)?
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
