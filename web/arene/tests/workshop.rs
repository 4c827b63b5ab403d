//! The workshop of the page, in a real browser, from a file.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

#[path = "../../../core/replay/tests/browser/mod.rs"]
mod browser;
mod folder;

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::{env, fs, thread};

use base64::prelude::{BASE64_STANDARD, Engine};
use browser::Opened;
use replay::Recording;
use serde_json::json;
use tempfile::TempDir;

/// A page with its workshop open, with Python or without.
struct Workshop(Opened);

impl Workshop {
    fn open(address: &str, size: (u32, u32)) -> Self {
        let address = format!("file://{}/arene.html?atelier{address}", folder::page().display());
        let workshop = Self(Opened::at(&address, Some(size)));
        workshop.wait("document.getElementById('python')?.textContent.match(/ready|prêt/)");
        workshop
    }

    fn wait(&self, condition: &str) {
        self.0.wait(condition);
    }

    fn text(&self, id: &str) -> String {
        let text = self.0.evaluate(&format!("document.getElementById('{id}').innerText"));
        text.as_str().unwrap().to_owned()
    }

    fn told(&self) -> String {
        self.text("run-told")
    }

    fn click(&self, id: &str) {
        self.0.evaluate(&format!("document.getElementById('{id}').click()"));
    }

    fn set(&self, id: &str, value: &str) {
        self.0.evaluate(&format!("document.getElementById('{id}').value = '{value}'"));
    }

    /// Chooses a short game against bots that think little, and a long time for answers: other tests take the processor, too.
    fn shorten(&self, turns: u32) {
        self.set("length", &turns.to_string());
        self.set("deadline", "30000");
        self.0.evaluate(
            "for (const seat of [...document.querySelectorAll('#bots select')].slice(1)) seat.value = 'glouton'",
        );
    }

    fn choose(&self, bot: &str) {
        self.set("bot", bot);
        self.0.evaluate("document.getElementById('bot').dispatchEvent(new Event('change'))");
    }

    /// Types a program over the one that is shown.
    fn write(&self, program: &str) {
        self.0.evaluate(&format!(
            "(() => {{
                const place = document.querySelector('#editor .cm-content, #editor textarea');
                place.focus();
                document.execCommand('selectAll');
                document.execCommand('insertText', false, {});
            }})()",
            json!(program)
        ));
    }

    /// Clicks, and waits until what then runs has ended.
    fn run(&self, id: &str) {
        self.click(id);
        self.wait("document.getElementById('halt').disabled");
    }

    fn turn(&self, turn: u32) {
        let shown = "document.getElementById('turn').textContent";
        self.wait(&format!("/^\\S+ {turn} \\//.test({shown})"));
    }
}

/// A bot in Python that does something in the turn with 3 played turns.
fn python(act: &str) -> String {
    format!(
        "import socket\n\
         server = socket.create_connection(('127.0.0.1', 1111))\n\
         server.sendall(b'joueur;Ada\\0')\n\
         while True:\n    \
             state = server.recv(100000)\n    \
             if state == b'quit\\n\\0' or not state: break\n    \
             turn = int(state.split(b'\\n')[1].split(b';')[0])\n    \
             if turn == 3:\n        {act}\n    \
             server.sendall(b'NE\\0')\n"
    )
}

#[test]
fn a_run_waits_for_python() {
    let address = format!("file://{}/arene.html?lang=en", folder::page().display());
    let workshop = Workshop(Opened::at(&address, Some((1280, 800))));
    workshop.wait("document.querySelectorAll('#plan option').length > 0");
    workshop.shorten(10);
    // Of several runs that are asked for before Python is there, one is played.
    workshop.0.evaluate(
        "for (const id of ['atelier', 'run', 'run']) document.getElementById(id).click()",
    );
    workshop.wait("document.getElementById('run-told').innerText.startsWith('The game is over')");
    workshop.wait("document.getElementById('halt').disabled");
    assert_eq!(workshop.text("console").lines().count(), 2);
    workshop.0.check_no_complaints();
}

#[test]
fn rats_play_in_both_languages() {
    let workshop = Workshop::open("&lang=en", (1440, 900));
    workshop.0.evaluate("document.querySelector('[value=pyrat]').click()");
    workshop.set("deadline", "30000");
    workshop.choose("rat.py");
    workshop.run("run");
    assert!(workshop.told().starts_with("The game is over"), "{}", workshop.told());
    let printed = workshop.text("console");
    assert!(printed.contains("cheese, fromages: "), "{printed}");
    workshop.run("trial");
    assert!(workshop.told().starts_with("20 games: "), "{}", workshop.told());
    // One that goes east, and says nothing in the mud.
    workshop.choose("bot.js");
    workshop.write(
        "const server = require('net').connect(1111, () => server.write('joueur;Ada\\0'));\n\
         server.on('data', (data) => {\n  \
           const text = String(data);\n  \
           if (text.startsWith('labyrinthe;A\\n')) console.log('maze');\n  \
           else if (/^A;[^;]*;[^;]*;0/m.test(text)) server.write('E\\0');\n\
         });\n",
    );
    workshop.set("until", "30");
    workshop.set("seed", "7");
    workshop.set("deadline", "1000");
    workshop.0.evaluate("document.querySelectorAll('#bots select')[1].value = 'aleatoire1'");
    workshop.run("run");
    assert!(workshop.told().contains("All orders are E."), "{}", workshop.told());
    assert_eq!(workshop.text("console").lines().collect::<Vec<_>>(), ["0", "maze"]);
    // A bot of the other game is told how this one begins.
    workshop.choose("bot.py");
    workshop.run("run");
    assert!(workshop.told().contains("the maze comes before"), "{}", workshop.told());
    workshop.0.check_access();
    workshop.0.check_no_complaints();
}

#[test]
fn the_examples_play_as_they_are_in_both_languages() {
    for (address, size, over) in
        [("&lang=en", (1440, 900), "The game is over"), ("&lang=fr", (390, 844), "La partie est")]
    {
        let workshop = Workshop::open(address, size);
        workshop.shorten(30);
        for bot in ["bot.py", "bot.js"] {
            workshop.choose(bot);
            workshop.run("run");
            workshop.turn(30);
            assert!(workshop.told().starts_with(over), "{}", workshop.told());
            let printed = workshop.text("console");
            assert!(printed.starts_with("30\nrank, rang: "), "{bot}: {printed}");
            workshop.0.check_access();
        }
        workshop.0.check_width();
        workshop.0.check_no_complaints();
    }
}

#[test]
fn a_program_thinks_aloud_is_asked_again_and_coached() {
    let workshop = Workshop::open("&lang=en", (1440, 900));
    workshop.shorten(30);
    workshop.set("seed", "7");
    workshop.choose("bot.js");
    workshop.run("run");
    assert!(workshop.told().starts_with("The game is over"), "{}", workshop.told());
    workshop.click("tell-think");
    workshop.click("first");
    workshop.turn(0);
    workshop.wait("document.getElementById('thoughts').innerText.includes('the nearest object')");
    let thought = workshop.text("thoughts");
    assert!(thought.starts_with("For turn 1\n"), "{thought}");
    workshop.0.check_access();

    // The recording that is saved has the thoughts in it, as far as there is room.
    workshop.0.evaluate(
        "HTMLAnchorElement.prototype.click = () => {};
         const make = URL.createObjectURL;
         URL.createObjectURL = (blob) => (globalThis.saved = blob.arrayBuffer(), URL.createObjectURL = make, '')",
    );
    workshop.click("save");
    workshop.wait("globalThis.saved");
    let bytes = workshop.0.evaluate(
        "globalThis.saved.then((it) => btoa(String.fromCharCode(...new Uint8Array(it))))",
    );
    let bytes = BASE64_STANDARD.decode(bytes.as_str().unwrap()).unwrap();
    let recording = Recording::read(&bytes).unwrap();
    assert!(recording.is_complete && recording.damage.is_none());
    let kept: Vec<_> = recording.thoughts.iter().collect();
    assert!(!kept.is_empty() && kept.iter().all(|it| it.text.contains("the nearest object")));
    assert_eq!(kept.len() + recording.thoughts.dropped() as usize, 30);

    // Asked again, the same program answers the same; another one does not.
    workshop.run("ask");
    assert_eq!(workshop.told(), "In the place of bot.js: another order in 0 of 30 turns.");
    workshop.choose("bot.py");
    workshop.write(&python("pass"));
    workshop.run("ask");
    let (told, printed) = (workshop.told(), workshop.text("console"));
    let others = told.strip_prefix("In the place of bot.js: another order in ").unwrap();
    assert!(!others.starts_with("0 ") && others.ends_with(" of 30 turns."), "{told}");
    assert!(printed.contains("NE now, "), "{printed}");

    workshop.click("tell-coach");
    workshop.click("coach-ask");
    workshop.wait("!document.getElementById('coach-ask').disabled");
    let advices = workshop.text("coach");
    assert!(advices.contains(" points at the end ("), "{advices}");
    workshop.0.check_access();
    workshop.0.evaluate("document.querySelector('#advices li button:last-child').click()");
    workshop.wait("document.querySelectorAll('#games a').length === 2");
    workshop.0.check_no_complaints();
}

#[test]
fn prints_and_exceptions_stand_at_their_turn() {
    let workshop = Workshop::open("&lang=en", (1280, 800));
    workshop.shorten(20);
    workshop.write(&python("print('here', turn); {}['door']"));
    workshop.run("run");
    let printed = workshop.text("console");
    assert!(printed.starts_with("3\nhere 3\n3\nTraceback"), "{printed}");
    assert!(printed.contains("\"bot.py\", line 9") && printed.contains("KeyError"), "{printed}");
    let told = workshop.told();
    assert!(told.starts_with("The program ended at turn 3, before the game did."), "{told}");
    workshop.wait("document.querySelector('.cm-line.wrong')?.textContent.includes('door')");
    workshop.write("def play(:\n");
    workshop.run("run");
    assert!(workshop.text("console").contains("SyntaxError"), "{}", workshop.text("console"));
    workshop.write("print('nothing else')\n");
    // A game that cannot be played says why.
    workshop.0.evaluate(
        "document.getElementById('plan').add(new Option('?', '3;4\\n####\\n#?.#\\n####\\n', true, true))",
    );
    workshop.run("run");
    assert!(workshop.told().contains('?'), "{}", workshop.told());
    workshop.0.evaluate("document.getElementById('plan').selectedIndex = 0");
    workshop.run("run");
    assert!(workshop.told().starts_with("The program did not register"), "{}", workshop.told());
    workshop.0.check_no_complaints();
}

#[test]
fn an_endless_loop_is_stopped_with_its_line() {
    let workshop = Workshop::open("&lang=en", (1280, 800));
    workshop.shorten(20);
    workshop.set("deadline", "5000");
    for act in ["while True: pass", "__import__('time').sleep(1e9)"] {
        workshop.write(&python(act));
        workshop.run("run");
        assert_eq!(
            workshop.text("console"),
            "3\nThe answer took too long: the program was in line 9.",
            "{}",
            workshop.told()
        );
        let told = workshop.told();
        assert!(told.starts_with("Stopped at turn 3: the answer took too long."), "{told}");
    }
    // Nothing of the program's own stops it.
    workshop.write(&python(
        "
        while True:
            try:
                while True: pass
            except BaseException: pass",
    ));
    workshop.run("run");
    assert!(workshop.told().starts_with("The program did not react"), "{}", workshop.told());
    workshop.click("bot-javascript");
    workshop.write(
        "const server = require('net').connect(1111, '127.0.0.1', () => server.write('joueur;Ada\\0'));
let turns = 0;
server.on('data', () => {
  turns += 1;
  for (;;)
    if (turns < 4) break;
  server.write('NE\\0');
});\n",
    );
    workshop.run("run");
    assert_eq!(workshop.text("console"), "3\nThe answer took too long: the program was in line 5.");
    workshop.write("while (true) {\n");
    workshop.click("run");
    workshop.wait("document.getElementById('run-told').textContent.includes('no JavaScript')");
    // Python is there again.
    workshop.click("bot-python");
    workshop.run("run");
    assert!(workshop.told().starts_with("The game is over"), "{}", workshop.told());
    workshop.0.check_no_complaints();
}

#[test]
fn one_stops_at_a_turn_changes_the_program_and_goes_on() {
    let workshop = Workshop::open("&lang=en", (1280, 800));
    workshop.shorten(20);
    workshop.write(&python("print('first')"));
    workshop.set("until", "6");
    workshop.run("run");
    workshop.turn(6);
    assert!(workshop.told().starts_with("Stopped at turn 6."), "{}", workshop.told());
    workshop.run("step");
    workshop.turn(7);
    workshop.write(&python("print('second')"));
    workshop.set("until", "");
    workshop.run("go-on");
    workshop.turn(20);
    assert!(workshop.told().starts_with("The game is over"), "{}", workshop.told());
    assert_eq!(workshop.text("console"), "3\nsecond");
    // Another future, from an earlier turn, is another game.
    workshop.click("first");
    workshop.run("step");
    workshop.turn(1);
    workshop.wait("document.querySelectorAll('#games li').length === 2");
    workshop.0.check_no_complaints();
}

#[test]
fn many_games_tell_the_share_of_first_places_and_what_is_wrong() {
    let workshop = Workshop::open("&lang=en", (1280, 800));
    workshop.shorten(10);
    workshop.run("trial");
    let told = workshop.told();
    assert!(told.starts_with("20 games: first in "), "{told}");
    assert!(told.contains("with 95 % confidence"), "{told}");
    workshop.write(&python("pass"));
    workshop.run("run");
    assert!(workshop.told().contains("All orders are NE."), "{}", workshop.told());
    workshop.write(&python("pass").replace("b'NE", "b'ne"));
    workshop.run("run");
    assert!(
        workshop.told().contains("10 malformed orders: expected two letters"),
        "{}",
        workshop.told()
    );
    workshop.0.check_no_complaints();
}

#[test]
fn the_kit_is_there_and_a_program_is_kept() {
    let workshop = Workshop::open("&lang=en", (1280, 800));
    workshop.shorten(10);
    workshop.write(
        "from pacman_iuto import Bot, run\n\
         class Ada(Bot):\n    \
             def play(self, view):\n        \
                 here = view.player.pacman\n        \
                 place = view.nearest(here, [cell for cell in view.objects if cell != here])\n        \
                 return (view.path(here, place[0])[0] if place else 'N') + 'N'\n\
         run(Ada)\n",
    );
    workshop.run("run");
    assert!(workshop.told().starts_with("The game is over"), "{}", workshop.text("console"));
    // The engine finds what the kit finds by itself.
    workshop.write(
        "import pacman_iuto, runpy\n\
         from pacman_iuto import Bot, run\n\
         alone = runpy.run_path(pacman_iuto.__file__)\n\
         class Ada(Bot):\n    \
             def new_game(self, view):\n        \
                 assert pacman_iuto.search is not alone['search']\n        \
                 cells = [(row, col) for row in range(view.rows) for col in range(view.cols)]\n        \
                 for cell in cells:\n            \
                     for wall_pass in 0, 3:\n                \
                         engine, own = pacman_iuto.search(view, cell, wall_pass), alone['search'](view, cell, wall_pass)\n                \
                         assert list(engine.items()) == list(own.items()), (cell, wall_pass)\n        \
                 print('equal from', len(cells), 'cells')\n    \
             def play(self, view):\n        \
                 return 'NE'\n\
         run(Ada)\n",
    );
    workshop.run("run");
    assert!(
        workshop.text("console").contains("equal from 600 cells"),
        "{}",
        workshop.text("console")
    );
    workshop.set("bot-name", "ada.py");
    workshop.0.evaluate("document.getElementById('bot-name').dispatchEvent(new Event('change'))");
    workshop.0.tab.reload(false, None).unwrap();
    workshop.wait("document.querySelector('.cm-content')?.innerText.includes('class Ada')");
    assert_eq!(workshop.text("bot").lines().next(), Some("ada.py"));
    workshop.0.check_no_complaints();
}

#[test]
fn the_page_alone_plays_javascript_and_tells_what_python_needs() {
    let alone = tempfile::tempdir().unwrap();
    fs::copy(folder::page().join("arene.html"), alone.path().join("arene.html")).unwrap();
    let address = format!("file://{}/arene.html?atelier&lang=en", alone.path().display());
    let workshop = Workshop(Opened::at(&address, Some((1280, 800))));
    workshop.wait("document.getElementById('python')?.textContent.startsWith('No Python here')");
    workshop.shorten(10);
    workshop.click("run");
    assert!(workshop.told().starts_with("No Python here"), "{}", workshop.told());
    workshop.click("bot-javascript");
    workshop.run("run");
    assert!(workshop.told().starts_with("The game is over"), "{}", workshop.told());
    workshop.0.check_access();
}

/// A server of a short game with a page, which ends with this value.
struct Server {
    process: Child,
    page: String,
    _folder: TempDir,
}

impl Server {
    fn start() -> Self {
        let built = env::var_os("BUILT").map_or_else(|| "../../target/debug".into(), PathBuf::from);
        let folder = tempfile::tempdir().unwrap();
        let mut process = Command::new(built.canonicalize().unwrap().join("server"))
            .args(["--carte", "petit", "--remplir", "glouton", "--attente", "0", "--duree", "20"])
            .args(["--port", "0", "--web", "0", "--sans-enregistrement", "--delai", "30s"])
            .env("LC_ALL", "C")
            .current_dir(&folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the programs are built");
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let page = lines.find_map(|line| {
            let line = line.unwrap();
            let address = &line[line.find("http://")?..];
            Some(address.split_whitespace().next()?.trim_end_matches('/').to_owned())
        });
        // The rest of the output is read, so that it never waits.
        thread::spawn(move || lines.for_each(drop));
        Self { process, page: page.unwrap(), _folder: folder }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn a_program_enters_the_game_of_the_server_that_shows_the_page() {
    for bot in ["bot.py", "bot.js"] {
        let server = Server::start();
        let workshop =
            Workshop(Opened::at(&format!("{}/arene/?atelier&lang=en", server.page), None));
        workshop.wait("document.getElementById('python')?.textContent === 'Python is ready'");
        workshop.wait("!document.getElementById('enter').hidden");
        workshop.set("bot", bot);
        workshop.0.evaluate("document.getElementById('bot').dispatchEvent(new Event('change'))");
        workshop.run("enter");
        let (told, printed) = (workshop.told(), workshop.text("console"));
        assert_eq!(
            told, "The server has closed the connection: no more games for this connection.",
            "{bot}: {printed}"
        );
        assert!(printed.starts_with("20\nrank, rang: "), "{bot}: {printed}");
    }
}
