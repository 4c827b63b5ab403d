//! The page with a game in it, in a real browser.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod browser;

use std::fs;
use std::time::Duration;

use game::colour::Colour;
use game::pacman::{Direction, Map, Orders, Rules};
use game::pyrat::{self, Recipe, Start, State};
use headless_chrome::browser::tab::point::Point;
use headless_chrome::protocol::cdp::Input::{
    DispatchMouseEvent, DispatchMouseEventTypeOption, MouseButton,
};
use language::Language;
use referee::{Cause, Transport};
use replay::film::Film;
use replay::{
    Answer, Excerpt, Flaw, Given, Marks, PacmanSetup, PyRatSetup, Recorder, Recording, Replay,
    Setup, Turn, film, hash, page,
};
use serde_json::{Value, json};

use browser::{Opened, scheme};

const HOSTILE: &str = "</script><img src=x onerror=alert(1)>";
const TURNS: u32 = 120;

fn names() -> Vec<String> {
    ["Ada", HOSTILE, "équipe 3", "<b>"].map(String::from).to_vec()
}

fn pacman() -> Setup {
    let map = concat!(env!("CARGO_MANIFEST_DIR"), "/../../cartes/plan1.txt");
    let map = Map::parse(&fs::read(map).unwrap()).unwrap();
    let (rules, seed) = (Rules::SUJET, 7);
    Setup::Pacman(PacmanSetup { map, rules, seed, turns: TURNS, names: names() })
}

fn pyrat() -> Setup {
    let maze = Recipe::default().make(3).unwrap();
    let start = State::start(&maze, 2, &Start::Corners, 21, 3, Some(TURNS)).unwrap();
    Setup::PyRat(PyRatSetup { start, seed: 3, names: names()[..2].to_vec() })
}

/// Records a game of random walkers, and returns it with the points after every turn.
fn play(setup: Setup) -> (Recording, Vec<Vec<f64>>) {
    let mut game = Replay::start(&setup);
    let players = setup.names().len();
    let (mut recorder, mut bytes) = Recorder::start(setup);
    let mut points = vec![points_of(&game)];
    let mut drawn = 1_u32;
    while !game.is_over() {
        let answers = (0..players).map(|_| {
            drawn = drawn.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let direction = |bits: u32| Direction::ALL[(bits % 4) as usize];
            let (one, other) = (direction(drawn >> 12), direction(drawn >> 20));
            let answer = match &game {
                Replay::Pacman(_) => {
                    Answer::Orders(Orders { pacman: Some(one), ghost: Some(other) })
                }
                Replay::PyRat(_) => Answer::Action(pyrat::Action::Go(one)),
            };
            Given::in_time(answer, Duration::from_millis(3))
        });
        let mut turn = Turn { answers: answers.collect(), marks: Marks::default() };
        game.play(&turn);
        turn.marks = game.marks();
        bytes.extend(recorder.turn(turn, hash(game.text())));
        points.push(points_of(&game));
    }
    bytes.extend(recorder.end(hash(game.text())));
    (Recording::read(&bytes).unwrap(), points)
}

fn points_of(game: &Replay) -> Vec<f64> {
    match game {
        Replay::Pacman(game) => {
            game.state().view().players().iter().map(|player| player.points.into()).collect()
        }
        Replay::PyRat(game) => game.state().rats().iter().map(|rat| rat.score.as_f64()).collect(),
    }
}

impl Opened {
    fn page(recording: &Recording, address: &str) -> Self {
        Self::settled(&page::standalone(recording), &format!("?lang=en{address}"), None)
    }

    /// Opens the page of a server that is played by the test: `tell` sends it a message, `films` and `games` are its answers.
    fn live(flags: &str, size: (u32, u32)) -> Self {
        const SERVER: &str = "<script>
            window.WebSocket = class extends EventTarget {
                constructor() {
                    super();
                    window.tell = (message) => this.dispatchEvent(
                        new MessageEvent('message', { data: JSON.stringify(message) }));
                    queueMicrotask(() => this.dispatchEvent(new Event('open')));
                }
            };
            window.games = [];
            window.films = {};
            window.fetch = async (path) => {
                const [, id] = /^api\\/games\\/(\\d+)\\/film$/.exec(path) ?? [];
                return Response.json(id ? window.films[id] : path === 'api/map' ? window.map : { games: window.games });
            };
            </script>";
        let script = format!("{SERVER}<script type=\"module\">{}</script>", page::script());
        let style = format!("<style>{}</style>", page::STYLE);
        let html = page::INDEX
            .replace("<link rel=\"stylesheet\" href=\"style.css\">", &style)
            .replace("<script type=\"module\" src=\"page.js\"></script>", &script);
        Self::settled(&html, &format!("?lang=en{flags}"), Some(size))
    }

    fn settled(html: &str, address: &str, size: Option<(u32, u32)>) -> Self {
        let opened = Self::file(html, address, size);
        opened.settle();
        opened
    }

    /// Waits until pending changes are drawn.
    fn settle(&self) {
        self.evaluate(
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))",
        );
    }

    fn turn(&self) -> u64 {
        self.evaluate("Number(document.querySelector('#line').value)").as_u64().unwrap()
    }

    /// Checks that scores, clock and time line show a turn.
    fn check(&self, turn: u64, points: &[Vec<f64>]) {
        let shown = self.evaluate(
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(
                JSON.stringify([
                    Number(document.querySelector('#line').value),
                    document.querySelector('#turn').textContent,
                    Array.from(document.querySelectorAll('#scores li'), (row) => [
                        row.querySelector('.name').textContent,
                        row.querySelector('.points').textContent,
                    ]),
                ])))))",
        );
        let (line, clock, mut scores): (u64, String, Vec<(String, String)>) =
            serde_json::from_str(shown.as_str().unwrap()).unwrap();
        let points = &points[usize::try_from(turn).unwrap()];
        let number = |points| Language::English.number(points, 2).replace('-', "−");
        let mut expected: Vec<_> =
            names().into_iter().zip(points.iter().map(|&own| number(own))).collect();
        scores.sort();
        expected.sort();
        assert_eq!((line, scores), (turn, expected));
        assert!(clock.starts_with(&format!("turn {turn} / ")), "{clock}");
    }

    /// The left, top, width and height of an element, in pixels.
    fn place(&self, selector: &str) -> [f64; 4] {
        let place = self.evaluate(&format!(
            "(({{ x, y, width, height }}) => JSON.stringify([x, y, width, height]))(
                document.querySelector('{selector}').getBoundingClientRect())"
        ));
        serde_json::from_str(place.as_str().unwrap()).unwrap()
    }

    fn drag(&self, from: Point, to: Point) {
        let mouse = |kind, at: Point| {
            let event = DispatchMouseEvent {
                Type: kind,
                x: at.x,
                y: at.y,
                button: Some(MouseButton::Left),
                buttons: Some(1),
                click_count: Some(1),
                modifiers: None,
                timestamp: None,
                force: None,
                tangential_pressure: None,
                tilt_x: None,
                tilt_y: None,
                twist: None,
                delta_x: None,
                delta_y: None,
                pointer_Type: None,
            };
            self.tab.call_method(event).unwrap();
        };
        mouse(DispatchMouseEventTypeOption::MousePressed, from);
        mouse(DispatchMouseEventTypeOption::MouseMoved, to);
        mouse(DispatchMouseEventTypeOption::MouseReleased, to);
    }
}

/// A game as a server sends it, with the points after every turn: its beginning, its frames and its film.
struct Sent {
    id: u32,
    begin: Value,
    frames: Vec<Value>,
    film: Value,
    points: Vec<Vec<f64>>,
}

impl Sent {
    fn game(id: u32, setup: Setup) -> Self {
        let (recording, points) = play(setup);
        let mut played = Film::start(&recording.setup);
        let mut frames = vec![played.whole(None)];
        for turn in recording.turns.iter() {
            let frame = played.next(&turn);
            frames.push(played.whole(Some(frame)));
        }
        let film = serde_json::from_str(&page::film_text(&recording)).unwrap();
        Self { id, begin: film::beginning(&recording.setup), frames, film, points }
    }

    /// Tells a page that the game begins.
    fn begin(&self, page: &Opened) {
        let Self { id, begin, frames, film, .. } = self;
        let (start, seed) = (&frames[0], &film["seed"]);
        let names = names();
        page.evaluate(&format!(
            "window.films[{id}] = {{ ...{begin}, frames: [{start}] }};
            window.games.push({{ id: {id}, game: 'pacman', seed: {seed}, players: {}, running: true, turn: 0, points: [0, 0, 0, 0] }});
            window.tell({{ type: 'begin', id: {id}, film: {begin} }}) ?? true",
            json!(names)
        ));
        self.frame(page, 0);
    }

    fn frame(&self, page: &Opened, turn: usize) {
        let message = json!({ "type": "frame", "id": self.id, "frame": self.frames[turn] });
        page.evaluate(&format!("window.tell({message}) ?? true"));
    }

    fn end(&self, page: &Opened) {
        self.frame(page, self.frames.len() - 1);
        let Self { id, film, .. } = self;
        page.evaluate(&format!(
            "window.films[{id}] = {film};
            Object.assign(window.games.find((game) => game.id === {id}), {{ running: false }});
            window.tell({{ type: 'end', id: {id} }}) ?? true"
        ));
    }
}

#[test]
fn a_game_opens_from_disk_with_its_time_line() {
    let (recording, points) = play(pacman());
    let page = Opened::page(&recording, "#turn=57");
    page.check(57, &points);

    // Dragging works on the chart and on the line below.
    let [left, top, width, height] = page.place("#track");
    let at = |part: f64| Point { x: left + width * part, y: top + height * 0.2 };
    page.drag(at(0.3), at(0.75));
    let far = page.turn();
    assert!((80..110).contains(&far), "{far}");
    page.check(far, &points);
    let [left, top, width, height] = page.place("#line");
    let at = |part: f64| Point { x: left + width * part, y: top + height / 2.0 };
    page.drag(at(0.5), at(0.25));
    let near = page.turn();
    assert!((26..34).contains(&near), "{near}");
    page.check(near, &points);

    // The board changes with the turn.
    let pixels = "document.querySelector('#board canvas').toDataURL()";
    let before = page.evaluate(pixels);
    page.press("End");
    page.check(TURNS.into(), &points);
    assert_ne!(page.evaluate(pixels), before);
    page.check_width();
    page.check_no_complaints();
}

#[test]
fn the_end_names_the_winner_in_the_language_that_was_chosen() {
    let (recording, points) = play(pacman());
    let page = Opened::page(&recording, "#turn=120");
    let scores = points.last().unwrap();
    let most = scores.iter().copied().fold(f64::MIN, f64::max);
    let winners: Vec<_> = names()
        .into_iter()
        .zip(scores)
        .filter(|(_, score)| **score >= most)
        .map(|one| one.0)
        .collect();
    let shown = "document.querySelector('#winner').innerText";
    let wins = if winners.len() == 1 { "wins" } else { "share the first place" };
    let text = page.evaluate(shown);
    let text = text.as_str().unwrap();
    assert!(winners.iter().all(|name| text.contains(name)), "{text}: {winners:?}");
    assert!(text.contains(&format!("{wins}: {most}")), "{text}");
    // Each loser is told what the way to the winner consists of, and all of it.
    let sums = "JSON.stringify(Array.from(document.querySelectorAll('.card'), (card) => [
        card.querySelector('caption').textContent,
        Array.from(card.querySelectorAll('.sources .number'), (one) => Number(one.textContent.replace('−', '-'))).reduce((a, b) => a + b, 0),
    ]))";
    let sums: Vec<(String, f64)> =
        serde_json::from_str(page.evaluate(sums).as_str().unwrap()).unwrap();
    assert_eq!(sums.len(), scores.len());
    for (caption, sum) in sums {
        let total = caption.rsplit(' ').next().unwrap().replace('−', "-").parse::<f64>().unwrap();
        assert!((total - sum).abs() < 1e-9, "{caption}: {sum}");
    }

    page.press("ArrowLeft");
    page.check(119, &points);
    assert_eq!(page.evaluate("document.querySelector('#winner').hidden"), json!(true));

    let navigation = page.tab.find_element("#language").unwrap();
    navigation.click().unwrap();
    page.tab.wait_for_element("html[lang=fr]").unwrap();
    page.settle();
    assert_eq!(page.turn(), 119);
    assert_eq!(page.evaluate("document.querySelector('#language').textContent"), json!("English"));
    page.check_no_complaints();
}

#[test]
fn everybody_can_use_it() {
    for setup in [pacman(), pyrat()] {
        let page = Opened::page(&play(setup).0, "#turn=60");
        page.check_access();
        page.press("1");
        page.settle();
        page.check_access();
        for look in ["#tell-why", "#view summary", "#turns summary", "#gap"] {
            page.evaluate(&format!("document.querySelector('{look}').click() ?? true"));
            page.settle();
            page.check_access();
        }
        page.press("?");
        page.settle();
        page.check_access();
        page.darken();
        page.settle();
        page.check_access();
        page.press("Escape");
        page.settle();
        page.check_access();
    }
}

#[test]
fn turns_of_a_page_in_a_file_become_an_animation_by_a_command() {
    let page = Opened::page(&play(pacman()).0, "#turn=0");
    page.evaluate("(document.querySelector('#share').open = true)");
    page.settle();
    let command = "document.querySelector('#clip-alone:not([hidden]) #command')?.value";
    let expected = "rejeu gif page.rejeu page-tours-0-10.gif --turns 0..10";
    assert_eq!(page.evaluate(command), expected);
    page.check_access();
    let choose = |first: &str, last: &str| {
        let choose = format!(
            "for (const [end, turn] of [['first', '{first}'], ['last', '{last}']]) {{
                const field = document.querySelector(`#clip-${{end}}`);
                field.value = turn;
                field.dispatchEvent(new Event('input'));
            }}"
        );
        page.evaluate(&choose);
        page.evaluate(command)
    };
    let expected = "rejeu gif page.rejeu page-tours-7-120.gif --turns 7..120";
    assert_eq!(choose("7", "120"), expected);
    for (first, last) in
        [("7", "121"), ("7", "7"), ("8", "7"), ("", "7"), ("-1", "7"), ("1.5", "7")]
    {
        assert_eq!(choose(first, last), Value::Null, "{first} {last}");
        let said = page.evaluate("document.querySelector('#clip-wrong').textContent");
        assert_eq!(said, "Expected two turns from 0 to 120, the second one after the first one.");
    }
    page.check_access();
    page.check_no_complaints();
}

#[test]
fn a_lobby_tells_how_to_join_on_any_screen() {
    let game = Sent::game(1, pacman());
    let start = json!({ "t": 0, "p": [], "o": game.frames[0]["o"] });
    for (flags, size) in [("", (1280, 800)), ("&projector", (1280, 720)), ("", (390, 844))] {
        let page = Opened::live(flags, size);
        let begin = &game.begin;
        page.evaluate(&format!(
            "window.map = {{ ...{begin}, players: [], frames: [{start}] }}, true"
        ));
        let gathering = |kind: &str| {
            let players = ["192.168.1.5:1111", "[fe80::1]:1111"];
            let message = json!({ "type": "gathering", "game": kind, "names": [HOSTILE], "seats": 4,
                "players": players, "pages": ["http://192.168.1.5:8080/"] });
            page.evaluate(&format!("window.tell({message}) ?? true"));
            page.settle();
            page.evaluate("document.querySelector('#join').value")
        };
        let expected = "client --team NAME --host 192.168.1.5:1111";
        assert_eq!(gathering("pacman"), expected);
        let seats = page.evaluate("document.querySelector('#seats').innerText");
        assert_eq!(seats, format!("A\n{HOSTILE}\n{}", ["○\nfree"; 3].join("\n")));
        let code = page.evaluate("document.querySelector('#scan img').alt");
        assert_eq!(code, "QR code of this page: http://192.168.1.5:8080/");
        page.tab.wait_for_element("#map:not([hidden])").unwrap();
        page.settle();
        let [.., board] = page.place("#map canvas");
        assert!(board > 100.0, "{size:?}: {board}");
        let more = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
        assert_eq!(page.evaluate(more), json!(0), "{size:?}: it scrolls sideways");
        page.check_access();
        // A projection cannot be scrolled.
        if size.0 > size.1 {
            let [_, top, _, height] = page.place("#address");
            assert!(top + height < f64::from(size.1), "{size:?}: {top}");
        }
        assert_eq!(gathering("pyrat"), "client pyrat --team NAME --host 192.168.1.5:1111");
        assert_eq!(page.evaluate("document.title"), "PyRat");
    }
}

#[test]
fn a_frame_has_the_game_and_nothing_else() {
    for size in [(800, 600), (400, 560)] {
        let html = page::standalone(&play(pacman()).0);
        let page = Opened::settled(&html, "?lang=en&embed#turn=60", Some(size));
        page.check_access();
        let seen = "[...document.querySelectorAll('#scores, #board canvas, #track, #play, #full, #share, #help, .side, #games')]
            .filter((part) => part.checkVisibility()).map((part) => part.id || part.className || part.localName).join()";
        assert_eq!(page.evaluate(seen), "scores,canvas,play,full,track");
        let more = "document.documentElement.scrollHeight - innerHeight";
        assert_eq!(page.evaluate(more), json!(0), "{size:?}: it scrolls");
        let [.., board] = page.place("#board canvas");
        assert!(board > 100.0, "{size:?}: {board}");
        let full = page.evaluate("document.querySelector('#full').getAttribute('href')");
        assert_eq!(full, "?lang=en#turn=60");
        page.press("p");
        page.settle();
        assert_eq!(page.evaluate("document.body.className"), "embed");
        page.check_no_complaints();
    }
}

#[test]
fn keys_work() {
    let (recording, points) = play(pacman());
    let page = Opened::page(&recording, "");
    page.check(0, &points);
    for (key, turn) in [("End", TURNS.into()), ("ArrowLeft", u64::from(TURNS) - 1), ("Home", 0)] {
        page.press(key);
        page.check(turn, &points);
    }
    page.press("ArrowRight");
    page.check(1, &points);
    page.press("n");
    let mark = page.turn();
    assert!(mark > 1, "the random walkers run into walls");
    page.press("b");
    assert!(page.turn() < mark);

    for key in ["+", "+", "-"] {
        page.press(key);
    }
    page.settle();
    assert_eq!(page.evaluate("document.querySelector('#speed').textContent"), json!("2×"));

    // The address selects a turn, too.
    page.evaluate("location.hash = '#turn=115'");
    page.check(115, &points);
    page.press(" ");
    page.evaluate(
        "new Promise((done) => {
            const look = () => document.querySelector('#line').value === '120'
                ? done(1) : requestAnimationFrame(look);
            look();
        })",
    );
    page.check(TURNS.into(), &points);

    let shown = "getComputedStyle(document.querySelector('.buttons')).display";
    page.press("p");
    assert_eq!(page.evaluate(shown), json!("none"));
    page.press("p");
    assert_eq!(page.evaluate(shown), json!("flex"));
    page.press("?");
    assert_eq!(page.evaluate("document.querySelector('#helper').open"), json!(true));
    page.check_no_complaints();
}

#[test]
fn a_player_is_followed() {
    let (recording, _) = play(pacman());
    let page = Opened::page(&recording, "#turn=60");
    let pressed = |page: &Opened| {
        let pressed = "Array.from(document.querySelectorAll('#scores [aria-pressed=true] .chip'), (e) => e.textContent).join()";
        page.evaluate(pressed).as_str().unwrap().to_owned()
    };
    let strangers = |page: &Opened| {
        let lines = "Array.from(document.querySelectorAll('#log li')).filter((e) => !Array.from(e.querySelectorAll('.chip')).some((c) => c.textContent === 'B')).length";
        page.evaluate(lines).as_u64().unwrap()
    };
    page.evaluate("(document.querySelector('#turns').open = true)");
    page.settle();
    assert!(strangers(&page) > 0);
    page.evaluate("Array.from(document.querySelectorAll('#scores button')).find((e) => e.querySelector('.chip').textContent === 'B').click() ?? true");
    page.settle();
    assert_eq!((pressed(&page).as_str(), strangers(&page)), ("B", 0));
    page.press("3");
    page.settle();
    assert_eq!(pressed(&page), "C");
    // The same key on a French keyboard, whose upper row types digits with Shift only.
    page.evaluate(
        "document.dispatchEvent(new KeyboardEvent('keydown', { key: '\"', code: 'Digit3' }))",
    );
    page.settle();
    assert_eq!(pressed(&page), "");

    // A click on a piece selects its player.
    let cell = recording_cell(&recording, 60);
    let [left, top, width, height] = page.place("#board canvas");
    let Setup::Pacman(setup) = &recording.setup else { unreachable!() };
    let dims = setup.map.board().dims();
    let place = |index: u16, count: u16, start: f64, size: f64| {
        start + (f64::from(index) + 0.75) / (f64::from(count) + 0.5) * size
    };
    let x = place(cell % dims.cols(), dims.cols(), left, width);
    let y = place(cell / dims.cols(), dims.rows(), top, height);
    page.tab.click_point(Point { x, y }).unwrap();
    page.settle();
    assert!(pressed(&page).contains('A'), "{:?}", pressed(&page));
    page.check_no_complaints();
}

/// Returns the cell of the first pacman after some turns.
fn recording_cell(recording: &Recording, turns: usize) -> u16 {
    let mut game = Replay::start(&recording.setup);
    recording.turns.iter().take(turns).for_each(|turn| game.play(&turn));
    let Replay::Pacman(game) = game else { unreachable!() };
    u16::try_from(game.state().view().players()[0].pacman.index()).unwrap()
}

#[test]
fn hostile_names_are_text() {
    let (recording, points) = play(pacman());
    let page = Opened::page(&recording, "#turn=3");
    page.check(3, &points);
    let names = "document.querySelector('.card .name[title*=onerror]').textContent";
    assert_eq!(page.evaluate(names), json!(HOSTILE));
    assert_eq!(page.evaluate("document.querySelectorAll('img, b[title]').length"), json!(0));
    page.check_no_complaints();
}

#[test]
fn injected_scripts_do_not_run() {
    let (recording, _) = play(pacman());
    let page = Opened::page(&recording, "");
    let injected = page.evaluate(
        "new Promise((done) => {
            document.addEventListener('securitypolicyviolation', () => done('refused'));
            window.run = () => done('ran');
            const script = document.createElement('script');
            script.textContent = 'run()';
            document.body.append(script);
        })",
    );
    assert_eq!(injected, json!("refused"));
}

#[test]
fn turns_of_the_analysis_are_links() {
    let (recording, points) = play(pacman());
    let page = Opened::page(&recording, "");
    let turn = page.evaluate(
        "(() => {
            const turn = document.querySelector('.card .sources button');
            turn.click();
            return Number(turn.dataset.turn);
        })()",
    );
    page.check(turn.as_u64().unwrap(), &points);
    page.check_no_complaints();
}

/// Tests causes, and messages with markup, in both languages.
#[test]
fn what_went_wrong_is_told_as_text() {
    let mut recording = Recording::new(pacman());
    let fine = Given::nothing(Answer::Orders(Orders::decode(b"NE")));
    let transport =
        Transport { rtt: Duration::from_millis(210), unacknowledged: 3, retransmits: 2, queued: 0 };
    let missed = |cause| Given { cause: Some(cause), ..Given::nothing(Answer::Missed) };
    let sent = |answer, flaw, text: &[u8]| Given {
        excerpt: Some(Excerpt::new(flaw, text)),
        ..Given::nothing(answer)
    };
    let malformed = Answer::Orders(Orders::default());
    for first in [
        sent(malformed, Flaw::Malformed, b"se"),
        missed(Cause::Bot),
        missed(Cause::Network(transport)),
        missed(Cause::Host(Duration::from_secs(3))),
        sent(malformed, Flaw::Malformed, b"<img src=x onerror=alert(1)>"),
        sent(fine.answer, Flaw::Late, b"NE\x1b"),
    ] {
        let answers = vec![first, fine, fine, fine];
        recording.turns.push(&Turn { answers, ..Turn::default() });
    }
    let texts = |page: &Opened, selector: &str| {
        let texts = page.evaluate(&format!(
            "JSON.stringify(Array.from(document.querySelectorAll('{selector}'), (e) => e.textContent))"
        ));
        serde_json::from_str::<Vec<String>>(texts.as_str().unwrap()).unwrap()
    };
    let page = Opened::page(&recording, "#turn=6");
    page.evaluate("(document.querySelector('#turns').open = true)");
    page.settle();
    assert_eq!(
        texts(&page, ".remarks li"),
        [
            r#"1: malformed order "se": capitals N E S O"#,
            "2: nothing came in time (bot)",
            "3: nothing came in time (network: rtt 210 ms, 3 unacknowledged, 2 retransmits, 0 bytes queued)",
            "4: nothing came in time (host: stalled for 3000 ms)",
            r#"5: malformed order "<img src=x onerror=alert(1)>": expected N E S O"#,
            r#"6: late answer "NE\u{1b}""#,
        ]
    );
    let facts = texts(&page, ".facts li");
    let missed = "3 of 6 turns without an answer in time: 1 bot, 1 network, 1 host";
    assert!(facts.contains(&missed.to_owned()), "{facts:?}");
    let log = texts(&page, "#log li");
    assert!(log.contains(&r#"6A: late answer "NE\u{1b}""#.to_owned()), "{log:?}");
    assert!(log.contains(&"2A does not answer in time (bot) −2".to_owned()), "{log:?}");
    // One line for both pieces, with their total cost.
    let first: Vec<_> = log.iter().filter(|line| line.starts_with("1A")).collect();
    assert_eq!(first, [r#"1A: malformed order "se": capitals N E S O −2"#]);
    assert_eq!(page.evaluate("document.querySelectorAll('img').length"), json!(0));
    page.check_no_complaints();

    let page = Opened::settled(&page::standalone(&recording), "?lang=fr", None);
    let told = texts(&page, ".remarks li");
    assert_eq!(told[1], "2 : rien n'est arrivé à temps (bot)");
    assert_eq!(told[0], r#"1 : ordre mal formé "se" : majuscules N E S O"#);
    page.check_no_complaints();
}

#[test]
fn a_game_of_pyrat_is_shown() {
    let (recording, points) = play(pyrat());
    let page = Opened::page(&recording, "#turn=60");
    page.check(60, &points);
    page.press("End");
    page.check(u64::try_from(points.len()).unwrap() - 1, &points);
    let [name, title] = ["document.querySelector('h1').textContent", "document.title"]
        .map(|text| page.evaluate(text).as_str().unwrap().to_owned());
    assert_eq!(name, "PyRat");
    assert!(title.ends_with(" – PyRat"), "{title}");
    // Reports on the terminal write numbers as the page does, but for the hyphen, which is the minus there.
    for (language, code) in [(Language::English, "en"), (Language::French, "fr")] {
        for value in [2.0 / 3.0, 1.0 / 8.0, -3.5, -0.001, 21.0, 1234.0, 1_234_567.25] {
            let format = format!(
                "new Intl.NumberFormat('{code}', {{ maximumFractionDigits: 2, signDisplay: 'negative' }})"
            );
            let shown = page.evaluate(&format!("{format}.format({value})"));
            assert_eq!(shown, json!(language.number(value, 2)), "{code}");
        }
    }
    page.check_no_complaints();
}

#[test]
fn a_live_projector_is_mostly_board() {
    // On the wall, and in the frame of the projection of a tournament.
    for size in [(1920, 1080), (1280, 720), (690, 300)] {
        let page = Opened::live("&projector", size);
        let game = Sent::game(1, pacman());
        game.begin(&page);
        game.end(&page);
        page.tab.wait_for_element("#winner:not([hidden])").unwrap();
        page.settle();
        let [left, top, width, height] = page.place("#board canvas");
        let (right, bottom) = (left + width, top + height);
        let (most_right, most_bottom) = (f64::from(size.0), f64::from(size.1));
        assert!(
            height > 0.8 * most_bottom || width > 0.6 * most_right,
            "{width} × {height} of {size:?}"
        );
        assert!(left >= 0.0 && top >= 0.0 && right <= most_right && bottom <= most_bottom);
        let more = "document.documentElement.scrollHeight - document.documentElement.clientHeight";
        assert_eq!(page.evaluate(more), json!(0), "it scrolls in {size:?}");
        page.check_no_complaints();
    }
}

#[test]
fn the_end_of_a_game_is_seen_before_the_next_one_of_a_series() {
    let page = Opened::live("", (1280, 800));
    let Setup::Pacman(setup) = pacman() else { unreachable!() };
    let [first, second, third] = [7, 8, 9].map(|seed| {
        let setup = PacmanSetup { seed, ..setup.clone() };
        Sent::game(u32::try_from(seed).unwrap(), Setup::Pacman(setup))
    });
    first.begin(&page);
    page.tab.wait_for_element("#games a").unwrap();
    // The texts in each picture and how long each stays, while the winner is named.
    page.evaluate(
        "(() => {
            window.seen = new Set();
            const all = (selector) => Array.from(document.querySelectorAll(selector), (one) => one.textContent).join();
            const look = () => {
                if (!document.querySelector('#winner').hidden) {
                    const state = [document.title, all('#turn, #winner, #about'), document.querySelector('#line').value,
                        document.querySelector('#track').dataset.last, all('#scores .points'), all('#episodes li')];
                    window.seen.add(JSON.stringify(state));
                    window.since ??= performance.now();
                } else if (window.since) window.until ??= performance.now();
                requestAnimationFrame(look);
            };
            look();
            return true;
        })()",
    );
    first.end(&page);
    page.tab.wait_for_element("#winner:not([hidden])").unwrap();
    second.begin(&page);
    for turn in 1..9 {
        second.frame(&page, turn);
    }
    page.tab.set_default_timeout(Duration::from_secs(60));
    page.tab.wait_for_element("#winner[hidden]").unwrap();
    page.check(8, &second.points);
    let seen = page.evaluate("JSON.stringify([...window.seen].map(JSON.parse))");
    let seen: Vec<[String; 6]> = serde_json::from_str(seen.as_str().unwrap()).unwrap();
    assert_eq!(seen.len(), 1, "nothing changes until the next game is shown: {seen:?}");
    let [_, words, line, curves, points, story] = &seen[0];
    let turn = TURNS.to_string();
    assert!(words.contains(&format!("turn {turn} / {turn}")) && !story.is_empty(), "{words}");
    assert_eq!([line, curves], [&turn; 2]);
    let mut last = first.points.last().unwrap().clone();
    last.sort_by(|a, b| b.total_cmp(a));
    assert_eq!(*points, last.iter().map(ToString::to_string).collect::<Vec<_>>().join(","));
    let stayed = page.evaluate("window.until - window.since").as_f64().unwrap();
    assert!(stayed > 5000.0, "{stayed} ms");
    let is_followed = "document.querySelector('#live').getAttribute('aria-pressed')";
    assert_eq!(page.evaluate(is_followed), json!("true"));

    // The next game can be had at once.
    second.end(&page);
    page.tab.wait_for_element("#winner:not([hidden])").unwrap();
    third.begin(&page);
    page.press("l");
    page.tab.wait_for_element("#winner[hidden]").unwrap();
    page.check(0, &third.points);
    page.check_no_complaints();
}

#[test]
fn the_figures_of_a_live_game_are_of_one_turn() {
    let page = Opened::live("", (1280, 800));
    let game = Sent::game(1, pacman());
    game.begin(&page);
    page.tab.wait_for_element("#games a").unwrap();
    page.settle();
    // A turn in each picture, as from a quick server.
    let frames = json!(game.frames[1..]);
    let samples = page.evaluate(&format!(
        "new Promise((done) => {{
            const frames = {frames};
            const samples = [];
            const numbers = (selector) => Array.from(document.querySelectorAll(selector), (one) => Number(one.textContent.replace('−', '-')));
            const next = () => {{
                samples.push([
                    /\\d+/.exec(document.querySelector('#turn').textContent)[0],
                    document.querySelector('#line').value,
                    document.querySelector('#track').dataset.last,
                    /\\d+/.exec(document.querySelector('#games .state').textContent)[0],
                    numbers('#scores .points').join(),
                    numbers('#games .entry b').join(),
                ]);
                if (samples.length > {most}) return done(JSON.stringify(samples));
                if (frames.length) window.tell({{ type: 'frame', id: 1, frame: frames.shift() }});
                else if (window.games[0].running) {{
                    window.films[1] = {film};
                    Object.assign(window.games[0], {{ running: false, turn: {turns}, points: {last} }});
                    window.tell({{ type: 'end', id: 1 }});
                }}
                requestAnimationFrame(next);
            }};
            next();
        }})",
        film = game.film,
        most = game.frames.len() + 30,
        turns = TURNS,
        last = json!(game.points.last())
    ));
    let samples: Vec<[String; 6]> = serde_json::from_str(samples.as_str().unwrap()).unwrap();
    for [turn, line, curve, listed, table, list] in &samples {
        assert_eq!([line, curve, listed], [turn; 3]);
        let mut points = game.points[turn.parse::<usize>().unwrap()].clone();
        points.sort_by(|a, b| b.total_cmp(a));
        let points = points.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
        assert_eq!([table, list], [&points; 2], "turn {turn}");
    }
    let mut turns: Vec<_> = samples.iter().map(|sample| &sample[0]).collect();
    turns.dedup();
    assert!(turns.len() > 2, "{turns:?}");
    page.check_no_complaints();
}

#[test]
fn names_are_beside_their_points() {
    let (recording, _) = play(pacman());
    let page = Opened::page(&recording, "#turn=0");
    let gaps = |page: &Opened| -> Vec<(f64, f64)> {
        let gaps = page.evaluate(
            "JSON.stringify(Array.from(document.querySelectorAll('#scores li'), (row) => {
                const [name, points] = ['.name', '.points'].map((part) => row.querySelector(part).getBoundingClientRect());
                return [name.y + name.height / 2 - points.y - points.height / 2, row.getBoundingClientRect().height];
            }))",
        );
        serde_json::from_str(gaps.as_str().unwrap()).unwrap()
    };
    let before = gaps(&page);
    page.press("p");
    page.settle();
    for (gap, _) in before.iter().chain(&gaps(&page)) {
        assert!(gap.abs() < 2.0, "{gap} pixels");
    }
    // Entries keep their height when a player has powers.
    page.press("p");
    page.settle();
    page.evaluate(
        "document.querySelector('#scores .powers').append(document.createElement('b')) ?? true",
    );
    assert!(gaps(&page).iter().map(|gap| gap.1).eq(before.iter().map(|gap| gap.1)));
    page.check_no_complaints();
}

/// Films for the tests of the page's modules, with whatever can go wrong in the first turns.
fn examples() -> [(&'static str, Recording); 2] {
    let Setup::Pacman(pacman) = pacman() else { unreachable!() };
    let map = concat!(env!("CARGO_MANIFEST_DIR"), "/../../cartes/petit.txt");
    let map = Map::parse(&fs::read(map).unwrap()).unwrap();
    let (mut pacman, _) = play(Setup::Pacman(PacmanSetup { map, turns: 60, ..pacman }));
    let (mut pyrat, _) = play(pyrat());
    for recording in [&mut pacman, &mut pyrat] {
        let turns: Vec<_> = recording.turns.iter().collect();
        let mut spoiled = Recording::new(recording.setup.clone());
        let transport = Transport {
            rtt: Duration::from_millis(210),
            unacknowledged: 3,
            retransmits: 2,
            queued: 0,
        };
        let (malformed, fine) = match recording.setup {
            Setup::Pacman(_) => {
                (Answer::Orders(Orders::default()), Answer::Orders(Orders::decode(b"NE")))
            }
            Setup::PyRat(_) => (
                Answer::Action(pyrat::Action::Malformed),
                Answer::Action(pyrat::Action::Go(Direction::ALL[0])),
            ),
        };
        let missed = |cause| Given { cause, ..Given::nothing(Answer::Missed) };
        let flawed = |answer, flaw, text: &[u8]| Given {
            excerpt: Some(Excerpt::new(flaw, text)),
            ..Given::nothing(answer)
        };
        let flaws = [
            missed(None),
            missed(Some(Cause::Bot)),
            missed(Some(Cause::Network(transport))),
            missed(Some(Cause::Host(Duration::from_secs(3)))),
            flawed(malformed, Flaw::Malformed, b"se"),
            flawed(fine, Flaw::Late, b"NE"),
            Given::nothing(Answer::Disconnected),
        ];
        for (index, mut turn) in turns.into_iter().enumerate() {
            if let Some(flaw) = flaws.get(index) {
                turn.answers[0] = *flaw;
            }
            spoiled.turns.push(&turn);
        }
        *recording = spoiled;
    }
    [("pacman", pacman), ("pyrat", pyrat)]
}

/// The types in `frames.d.ts` are checked against these films by `scripts/modules.sh`, which also tests the modules
/// with them. With the variable `WRITE`, writes them anew.
#[test]
fn examples_of_films_are_as_they_are_written_today() {
    for (name, recording) in examples() {
        let mut shown: Value = serde_json::from_str(&page::film_text(&recording)).unwrap();
        let frames = shown["frames"].take();
        let frames: Vec<_> = frames.as_array().unwrap().iter().map(Value::to_string).collect();
        shown.as_object_mut().unwrap().remove("frames");
        let head = shown.to_string();
        let kind = if name == "pacman" { "Pacman" } else { "Pyrat" };
        let module = format!(
            "// A film as the test of `core/replay/tests/page.rs` writes it.\n\n\
             /** @type {{import(\"../replay/frames.d.ts\").Recorded{kind}Film}} */\n\
             export const {name} = {},\n\"frames\":[\n{}\n]}};\n",
            &head[..head.len() - 1],
            frames.join(",\n")
        );
        let file = format!("{}/../../web/page/tests/{name}.film.js", env!("CARGO_MANIFEST_DIR"));
        if std::env::var_os("WRITE").is_some() {
            fs::write(&file, &module).unwrap();
        }
        let is_same = fs::read_to_string(&file).unwrap() == module;
        assert!(is_same, "{file} is not as it is written today: run this test with WRITE=1");
    }
}

/// Screens, with the least share that the board has of them, without and with the projection.
const SCREENS: [(&str, (u32, u32), [f64; 2]); 3] = [
    ("desktop", (1440, 900), [0.55, 0.55]),
    ("projector", (1920, 1080), [0.5, 0.65]),
    ("phone", (390, 844), [0.22, 0.22]),
];

/// Each state of the page of a game, on each screen, in each language with light and with dark colours.
#[test]
fn every_state_fits_every_screen_in_both_languages() {
    let recording = play(pacman()).0;
    let html = page::standalone(&recording);
    let game = Sent::game(1, pacman());
    for language in ["en", "fr"] {
        let live = Opened::live(&format!("&lang={language}"), SCREENS[0].1);
        game.begin(&live);
        for turn in 1..60 {
            game.frame(&live, turn);
        }
        let recorded = Opened::settled(&html, &format!("?lang={language}#turn=60"), None);
        for (state, page, keys) in [
            ("live", &live, &[][..]),
            ("live projected", &live, &["p"]),
            ("followed", &recorded, &["1"]),
            ("followed projected", &recorded, &["p"]),
            // The keys of the state before are undone.
            ("ended", &recorded, &["1", "p", "End"]),
            ("podium", &recorded, &["p"]),
        ] {
            for key in keys {
                page.press(key);
            }
            if state == "ended" {
                page.evaluate("document.querySelector('#tell-why').click() ?? true");
            }
            for (screen, size, least) in SCREENS {
                let colours = scheme(language, screen == "phone");
                page.colour(colours);
                page.resize(size);
                page.settle();
                println!("{state} on the {screen} in {language}, {colours}");
                let share = "(({ width, height }) => width * height / innerWidth / innerHeight)(
                    document.querySelector('#board canvas').getBoundingClientRect())";
                let share = page.evaluate(share).as_f64().unwrap();
                let is_projected = keys.last() == Some(&"p");
                assert!(share > least[usize::from(is_projected)], "the board has {share}");
                page.check_width();
                page.check_names();
                page.check_access();
                if is_projected && screen == "projector" {
                    page.check_is_read_from_afar();
                }
                if screen == "phone" {
                    page.check_targets();
                }
                // The time line is on the screen.
                if !is_projected && screen != "phone" {
                    let [_, top, _, height] = page.place("#line");
                    assert!(top + height <= f64::from(size.1), "{top} + {height}");
                }
            }
        }
        live.check_no_complaints();
        recorded.check_no_complaints();
    }
}

/// In the curves, as elsewhere.
#[test]
fn names_beside_the_curves_are_cut_at_a_word() {
    let Setup::Pacman(setup) = pacman() else { unreachable!() };
    let long = "The quick brown foxes of the second year of computer science";
    let names = ["Ada", long, "les champions", "B"].map(String::from).to_vec();
    let recording = play(Setup::Pacman(PacmanSetup { names: names.clone(), ..setup })).0;
    let page = Opened::page(&recording, "#turn=60");
    for (size, whole) in [((1440, 900), "les champions"), ((390, 844), "les…")] {
        page.resize(size);
        page.settle();
        let shown = page.evaluate("document.querySelector('#track').dataset.names");
        let shown: Vec<_> = shown.as_str().unwrap().lines().collect();
        assert!(shown.contains(&"Ada") && shown.contains(&whole), "{shown:?}");
        let cut = shown.iter().find_map(|name| name.strip_suffix('…').filter(|it| it.len() > 3));
        assert!(cut.is_some_and(|cut| long.starts_with(&format!("{cut} "))), "{shown:?}");
    }
    page.check_no_complaints();
}

#[test]
fn the_story_leads_to_its_turns() {
    let (recording, points) = play(pacman());
    let page = Opened::page(&recording, "#turn=0");
    let lines = "JSON.stringify(Array.from(document.querySelectorAll('#episodes li'), (line) => [
        line.querySelector('.at').textContent, Number(line.querySelector('button').dataset.turn), line.className]))";
    let lines = |page: &Opened| -> Vec<(String, u64, String)> {
        serde_json::from_str(page.evaluate(lines).as_str().unwrap()).unwrap()
    };
    let all = lines(&page);
    assert!(all.len() > 5, "{all:?}");
    assert!(all.iter().map(|line| line.1).is_sorted());
    assert!(all.iter().all(|(turns, first, _)| turns.starts_with(&first.to_string())));
    // Later episodes look different, and `n` goes from one to the next.
    assert!(all.iter().all(|(_, first, look)| (*first == 0) != (look == "later")));
    page.press("n");
    let first = all.iter().map(|line| line.1).find(|turn| *turn > 0).unwrap();
    page.check(first, &points);
    let many = all.iter().find(|line| line.0.contains('–')).unwrap();
    page.evaluate(&format!(
        "document.querySelector('#episodes [data-turn=\"{}\"]').click() ?? true",
        many.1
    ));
    page.check(many.1, &points);
    assert!(lines(&page).iter().any(|line| line.0 == many.0 && line.2 == "now"));
    // The whole list is one stop for the tabulator key; arrows go from line to line.
    let stops = "document.querySelectorAll('#episodes button:not([tabindex=\"-1\"])').length";
    assert_eq!(page.evaluate(stops), json!(1));
    page.evaluate("document.querySelector('#episodes button').focus() ?? true");
    page.press("ArrowDown");
    let second = "document.activeElement === document.querySelectorAll('#episodes button')[1]";
    assert_eq!(page.evaluate(second), json!(true));
    page.check(many.1, &points);
    page.check_no_complaints();
}

#[test]
fn thoughts_are_on_the_board_and_in_their_tab() {
    let (recording, _) = play(pacman());
    let (mut recorder, mut bytes) = Recorder::start(recording.setup.clone());
    for (number, turn) in (1..).zip(recording.turns.iter()) {
        let thoughts =
            [(0, "to the <b>cherry</b>;cell 3,4 mine"), (1, "path 1,1 EESS;value 5,5 12.5")];
        let thoughts =
            thoughts.map(|(player, text)| (Colour::new(player).unwrap(), text.to_owned()));
        recorder.think(thoughts.into_iter().filter(|_| number == 61));
        bytes.extend(recorder.turn(turn, 0));
    }
    bytes.extend(recorder.end(0));
    let recording = Recording::read(&bytes).unwrap();
    assert_eq!(recording.thoughts.iter().count(), 2);
    let page = Opened::page(&recording, "?lang=en#turn=60&tab=think");
    let text = || {
        page.settle();
        let told = page.evaluate("document.getElementById('thoughts').innerText");
        told.as_str().unwrap().to_owned()
    };
    let told = text();
    for part in ["For turn 61", "to the <b>cherry</b>", "row 3, column 4", "mine", "EESS", "12.5"] {
        assert!(told.contains(part), "{part}: {told}");
    }
    let pixels = || {
        page.settle();
        page.evaluate("document.querySelector('#board canvas').toDataURL()")
    };
    let drawn = pixels();
    page.press("i");
    let plain = pixels();
    assert!(drawn != plain, "marks are drawn");
    page.press("i");
    assert_eq!(pixels(), drawn);
    page.check_access();
    // Of one player, and of another turn.
    page.press("2");
    assert!(text().contains("EESS") && !text().contains("cherry"), "{}", text());
    page.press("2");
    page.press("ArrowRight");
    assert_eq!(text(), "Nobody thinks aloud in this turn.");
    page.check_no_complaints();
}

#[test]
fn layers_are_drawn_until_their_keys_are_turned_off() {
    let (recording, _) = play(pacman());
    let page = Opened::page(&recording, "#turn=60");
    let pixels = |page: &Opened| {
        page.settle();
        page.evaluate("document.querySelector('#board canvas').toDataURL()")
    };
    let plain = pixels(&page);
    let mut seen = vec![plain.clone()];
    for key in ["t", "h", "r"] {
        page.press(key);
        let drawn = pixels(&page);
        assert!(!seen.contains(&drawn), "{key} changes nothing");
        seen.push(drawn);
    }
    for key in ["t", "h", "r"] {
        page.press(key);
    }
    assert_eq!(pixels(&page), plain);
    page.evaluate("document.querySelector('#view [name=letters]').click() ?? true");
    page.press("t");
    page.press("ArrowRight");
    assert_eq!(page.turn(), 61);
    page.press("ArrowLeft");
    assert_eq!(pixels(&page), plain);
    page.check_no_complaints();
}

#[test]
fn a_cell_tells_what_lies_there_and_who_is_there_first() {
    let (recording, _) = play(pacman());
    let page = Opened::page(&recording, "#turn=60");
    let cell = recording_cell(&recording, 60);
    let Setup::Pacman(setup) = &recording.setup else { unreachable!() };
    let cols = setup.map.board().dims().cols();
    let (row, col) = (cell / cols, cell % cols);
    page.evaluate(&format!(
        "(() => {{
            const box = document.querySelector('#board canvas').getBoundingClientRect();
            const at = (index, count, start, size) => start + (index + 0.75) / (count + 0.5) * size;
            const place = {{ clientX: at({col}, {cols}, box.x, box.width), clientY: at({row}, {rows}, box.y, box.height) }};
            document.querySelector('#board').dispatchEvent(new PointerEvent('pointermove', place));
            return true;
        }})()",
        rows = setup.map.board().dims().rows()
    ));
    let told = page.evaluate("document.querySelector('#cell').textContent");
    let told = told.as_str().unwrap();
    assert!(told.starts_with(&format!("row {row}, column {col}")), "{told}");
    assert!(told.contains("first: A 0"), "{told}");
    page.check_no_complaints();
}

#[test]
fn a_link_has_the_turn_and_the_player() {
    let (recording, points) = play(pacman());
    let page = Opened::page(&recording, "#turn=60");
    page.press("3");
    page.evaluate("(document.querySelector('#share').open = true)");
    page.settle();
    let link = page.evaluate("document.querySelector('#link').value");
    let link = link.as_str().unwrap().to_owned();
    assert!(link.ends_with("#turn=60&player=C"), "{link}");
    page.check_access();
    page.tab.navigate_to("about:blank").unwrap().wait_until_navigated().unwrap();
    page.tab.navigate_to(&link).unwrap().wait_until_navigated().unwrap();
    page.check(60, &points);
    let followed = "document.querySelector('#scores [aria-pressed=true] .chip').textContent";
    assert_eq!(page.evaluate(followed), json!("C"));
    page.check_no_complaints();
}
