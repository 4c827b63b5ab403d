//! The web page of a running server, and recordings.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use std::sync::{Arc, Mutex};

use game::pacman::{Map, Orders, Rules};
use headless_chrome::protocol::cdp::types::Event;
use headless_chrome::protocol::cdp::{Page, Runtime};
use headless_chrome::{Browser, LaunchOptions, Tab};
use replay::{
    Animation, Answer, Given, Look, Marks, PacmanSetup, Recorder, Recording, Setup, Turn, verify,
};
use serde_json::Value;
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

use crate::{Server, client_program, ended_well, from_environment, interrupt};

type Socket = WebSocket<MaybeTlsStream<TcpStream>>;

/// Starts a server with its page on a free port; returns the page's port.
pub(crate) fn with_page(flags: &[&str]) -> (Server, u16) {
    let mut server = Server::start(&[&["--web", "0"], flags].concat());
    let port = page_port(&mut server);
    (server, port)
}

/// The page's port, from the next line of output of a server that has just started.
pub(crate) fn page_port(server: &mut Server) -> u16 {
    let mut line = String::new();
    server.output.read_line(&mut line).unwrap();
    let port = line.trim().strip_prefix("web page at http://127.0.0.1:").unwrap();
    port.trim_end_matches('/').parse().unwrap()
}

/// The head and the body of the page's response.
pub(crate) fn get(port: u16, path: &str) -> (String, String) {
    let (head, body) = get_bytes(port, path);
    (head, String::from_utf8(body).unwrap())
}

fn get_bytes(port: u16, path: &str) -> (String, Vec<u8>) {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let end = answer.windows(4).position(|part| part == b"\r\n\r\n").unwrap();
    let mut body = answer.split_off(end + 4);
    let head = String::from_utf8(answer).unwrap();
    if head.contains("transfer-encoding: chunked") {
        body = unchunked(&body);
    }
    (head, body)
}

/// A body that was sent in chunks.
pub(crate) fn unchunked(mut chunks: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    loop {
        let end = chunks.windows(2).position(|part| part == b"\r\n").unwrap();
        let len = std::str::from_utf8(&chunks[..end]).unwrap();
        let len = usize::from_str_radix(len, 16).unwrap();
        if len == 0 {
            return body;
        }
        body.extend(&chunks[end + 2..][..len]);
        chunks = &chunks[end + 2 + len + 2..];
    }
}

pub(crate) fn json(port: u16, path: &str) -> Value {
    let (head, body) = get(port, path);
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    serde_json::from_str(&body).unwrap()
}

/// The messages to a viewer of live games until the end of the first game, without those before a game.
fn until_the_end(mut socket: Socket) -> Vec<Value> {
    let mut messages: Vec<Value> = Vec::new();
    while messages.last().is_none_or(|message| message["type"] != "end") {
        if let Message::Text(text) = socket.read().unwrap() {
            messages.push(serde_json::from_str(&text).unwrap());
        }
    }
    // Another test covers the messages before a game.
    messages.retain(|message| message["type"] != "gathering");
    messages
}

pub(crate) fn live(port: u16) -> Socket {
    tungstenite::connect(format!("ws://127.0.0.1:{port}/api/live")).unwrap().0
}

#[test]
fn a_live_game_is_seen_and_stays_on_the_page() {
    let (mut server, port) =
        with_page(&["--remplir", "prudent", "--attente", "0", "--tempo", "20ms"]);
    let (head, page) = get(port, "/");
    assert!(head.contains("content-security-policy: default-src 'none'"), "{head}");
    assert!(page.starts_with("<!doctype html>"));
    assert_eq!(json(port, "/api/games")["games"], Value::Array(Vec::new()));
    assert!(get(port, "/api/games/1/film").0.starts_with("HTTP/1.1 404"));

    let socket = live(port);
    let client = server.client("<b>Ada</b>");
    let messages = until_the_end(socket);
    assert_eq!((&messages[0]["type"], &messages[1]["type"]), (&"begin".into(), &"frame".into()));
    assert_eq!(messages[0]["film"]["players"][0]["name"], "<b>Ada</b>");
    // Frames come more slowly than turns: those in between come together, before the newest one.
    let turns: Vec<_> = messages
        .iter()
        .flat_map(|message| {
            message["frames"].as_array().into_iter().flatten().chain([&message["frame"]])
        })
        .filter_map(|frame| frame["t"].as_u64())
        .collect();
    assert_eq!(turns, (turns[0]..=30).collect::<Vec<_>>());
    assert!(turns[0] < 30);
    ended_well(&client.wait_with_output().unwrap());

    let games = json(port, "/api/games");
    assert_eq!(
        (&games["games"][0]["running"], &games["games"][0]["turn"]),
        (&false.into(), &30.into())
    );
    let film = json(port, "/api/games/1/film");
    assert_eq!(film["frames"].as_array().unwrap().len(), 31);
    assert_eq!(film["complete"], true);
    assert_eq!(film["analysis"][0]["name"], "<b>Ada</b>");

    // The games are over, and the page stays until Ctrl-C.
    assert!(server.process.try_wait().unwrap().is_none());
    interrupt(&server.process);
    assert_eq!(server.end().0, Some(0));
}

#[test]
fn who_is_there_before_a_game_is_told_and_games_can_be_taken_along() {
    let (mut server, port) = with_page(&["--joueurs", "2"]);
    let (_browser, tab, complaints) = browse(port);
    let text = |selector: &str| {
        let script = format!("document.querySelector('{selector}').innerText");
        tab.evaluate(&script, true).unwrap().value.unwrap_or_default()
    };
    let wait = |done: &dyn Fn() -> bool| {
        let start = Instant::now();
        while !done() {
            assert!(start.elapsed() < Duration::from_secs(30), "{:?}", complaints.lock().unwrap());
            std::thread::sleep(Duration::from_millis(10));
        }
    };
    wait(&|| text("#seats-count") == "0 of 2 players are there: 2 are missing");
    assert_eq!(text("#address"), *format!("127.0.0.1:{}", server.port));
    let command = tab.evaluate("document.querySelector('#join').value", true).unwrap().value;
    let expected = format!("client --team NAME --host 127.0.0.1:{}", server.port);
    assert_eq!(command, Some(expected.into()));
    let drawn = "document.querySelector('#map:not([hidden]) canvas')?.getAttribute('aria-label')";
    wait(&|| tab.evaluate(drawn, true).unwrap().value == Some("Map petit".into()));
    // Only this machine reaches the page: there is no code for phones.
    assert_eq!(text("#scan"), "");
    let axe = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../scripts/axe.sh")).output();
    let axe = String::from_utf8(axe.unwrap().stdout).unwrap();
    let check_access = || {
        assert_eq!(tab.evaluate(&axe, true).unwrap().value, Some("[]".into()));
    };
    check_access();
    let ada = server.client("<b>Ada</b>");
    wait(&|| text("#seats-count") == "1 of 2 players are there: 1 is missing");
    assert_eq!(text("#seats"), "A\n<b>Ada</b>\n○\nfree");
    let bob = server.client("Bob");
    for client in [ada, bob] {
        ended_well(&client.wait_with_output().unwrap());
    }
    let turn = "document.querySelector('#line').value";
    wait(&|| tab.evaluate(turn, true).unwrap().value == Some("30".into()));
    tab.evaluate("document.querySelector('#share').open = true", true).unwrap();
    wait(&|| text("#files").as_str().is_some_and(|files| files.contains("GIF")));
    let clip = "document.querySelector('#clip').getAttribute('href')";
    let clip = || tab.evaluate(clip, true).unwrap().value.unwrap_or_default();
    assert!(clip().as_str().unwrap().starts_with("api/games/1-"), "{}", clip());
    assert!(clip().as_str().unwrap().contains("/file/gif?tours="), "{}", clip());
    check_access();
    let is_hidden = tab.evaluate("document.querySelector('#lobby').hidden", true).unwrap();
    assert_eq!(is_hidden.value, Some(true.into()));
    assert_eq!(*complaints.lock().unwrap(), Vec::<String>::new());

    let file = |kind: &str| get_bytes(port, &format!("/api/games/1/file/{kind}"));
    let (head, recording) = file("rejeu");
    assert!(head.contains("content-disposition: attachment"), "{head}");
    let recording = replay::Recording::read(&recording).unwrap();
    assert!(recording.is_complete && replay::verify(&recording).is_ok());
    assert_eq!(file("html").1, replay::page::standalone(&recording).as_bytes());
    assert_eq!(file("gif").1[..6], *b"GIF89a");
    assert!(file("exe").0.starts_with("HTTP/1.1 404"));
    // A clip of some turns, of which the first picture is that of its first turn.
    let (head, clip) = file("gif?tours=5..8");
    assert!(head.contains("filename=\"partie-1-tours-5-8.gif\""), "{head}");
    let look = Look { clip: "5..8".parse().ok(), ..Look::default() };
    let mut expected = Vec::new();
    Animation::new(&recording, look).unwrap().write(&mut expected).unwrap();
    assert!(clip == expected, "{} and {} bytes", clip.len(), expected.len());
    for (wrong, status) in [
        ("gif?tours=8..5", "400"),
        ("gif?tours=", "400"),
        ("gif?tours=1..x", "400"),
        ("gif?tours=5..31", "404"),
        ("html?tours=5..8", "404"),
    ] {
        let head = file(wrong).0;
        assert!(head.starts_with(&format!("HTTP/1.1 {status}")), "{wrong}: {head}");
    }
    interrupt(&server.process);
    assert_eq!(server.end().0, Some(0));
}

/// Serves this HTML to each request, until the test ends.
fn serve(listener: TcpListener, html: String) {
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = BufReader::new(stream.unwrap());
            let mut line = String::new();
            while stream.read_line(&mut line).is_ok_and(|read| read > 2) {
                line.clear();
            }
            let (length, head) = (html.len(), "HTTP/1.1 200 OK\r\nContent-Type: text/html");
            let answer = format!("{head}\r\nContent-Length: {length}\r\n\r\n{html}");
            let _ = stream.get_mut().write_all(answer.as_bytes());
        }
    });
}

#[test]
fn only_sites_that_are_allowed_show_a_game_in_a_frame() {
    // The page with the frame needs the address of the server, which needs that of the page.
    let source = "<iframe src='http://127.0.0.1:PORT/?embed&lang=en#turn=3' width=800 height=500></iframe>\
                  <iframe src='http://127.0.0.1:PORT/?lang=en'></iframe>";
    let sites = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
    let [allowed, other] = sites.each_ref().map(|site| site.local_addr().unwrap().port());
    let site = format!("http://127.0.0.1:{allowed}");
    let flags = ["--web", "0", "--remplir", "prudent", "--attente", "0", "--integrable-par", &site];
    let mut server = Server::start(&flags);
    let port = page_port(&mut server);
    let source = source.replace("PORT", &port.to_string());
    for listener in sites {
        serve(listener, source.clone());
    }
    ended_well(&server.client("Ada").wait_with_output().unwrap());

    let (_browser, tab, complaints) = browse(port);
    let share = "document.querySelector('#share')";
    let evaluate = |script: &str| tab.evaluate(script, true).unwrap().value.unwrap_or_default();
    tab.wait_for_element("#game:not([hidden])").unwrap();
    evaluate(&format!("{share}.open = true"));
    let code = "document.querySelector('#frame:not([hidden]) #code')?.value ?? ''";
    tab.wait_for_element("#frame:not([hidden])").unwrap();
    let code = evaluate(code);
    let start = format!("<iframe src=\"http://127.0.0.1:{port}/?embed#game=1-");
    assert!(code.as_str().unwrap().starts_with(&start), "{code}");
    assert_eq!(*complaints.lock().unwrap(), Vec::<String>::new());

    // True for each frame of a site that shows the game.
    let shown = |site: u16| {
        tab.navigate_to(&format!("http://127.0.0.1:{site}/")).unwrap();
        tab.wait_until_navigated().unwrap();
        let tree = tab.call_method(Page::GetFrameTree(None)).unwrap().frame_tree;
        let frames = tree.child_frames.unwrap_or_default();
        let world = |frame_id: String| Page::CreateIsolatedWorld {
            frame_id,
            world_name: None,
            grant_univeral_access: None,
        };
        let look = "[...document.querySelectorAll('#scores .name')].map((name) => name.textContent).includes('Ada')";
        let sees = |frame: &Page::FrameTree| {
            let world = tab.call_method(world(frame.frame.id.clone())).unwrap();
            evaluate_in(&tab, world.execution_context_id, look) == true
        };
        frames.iter().map(sees).collect::<Vec<_>>()
    };
    let start = Instant::now();
    while shown(allowed) != [true, false] {
        assert!(start.elapsed() < Duration::from_secs(30), "{:?}", complaints.lock().unwrap());
    }
    complaints.lock().unwrap().clear();
    let is_refused = || {
        let heard = complaints.lock().unwrap();
        heard.iter().filter(|one| one.contains("frame-ancestors")).count() >= 1
    };
    while !is_refused() {
        assert_eq!(shown(other), [false, false]);
        assert!(start.elapsed() < Duration::from_secs(60), "{:?}", complaints.lock().unwrap());
    }
    interrupt(&server.process);
    assert_eq!(server.end().0, Some(0));
}

#[test]
fn a_server_that_has_stopped_expects_no_players() {
    let (mut server, port) = with_page(&["--joueurs", "2"]);
    let (_browser, tab, complaints) = browse(port);
    let wait = |script: &str| {
        let start = Instant::now();
        while tab.evaluate(script, true).unwrap().value != Some(true.into()) {
            assert!(start.elapsed() < Duration::from_secs(30), "{:?}", complaints.lock().unwrap());
            std::thread::sleep(Duration::from_millis(10));
        }
    };
    wait("!document.querySelector('#lobby').hidden");
    server.process.kill().unwrap();
    server.process.wait().unwrap();
    wait("document.querySelector('#lobby').hidden");
}

#[test]
fn a_recording_is_taken_along_whole_however_long_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let map = Map::parse(format!("9;9\n{}", ".........\n".repeat(9)).as_bytes()).unwrap();
    let names = vec!["Ada".to_owned(); 26];
    let setup = PacmanSetup { map, rules: Rules::SUJET, seed: 7, turns: u32::MAX, names };
    let (mut recorder, mut bytes) = Recorder::start(Setup::Pacman(setup));
    // The recording is longer than the part that the page shows.
    while bytes.len() < 5 << 19 {
        let took = Duration::from_nanos(bytes.len() as u64);
        let given = Given::in_time(Answer::Orders(Orders::default()), took);
        let turn = Turn { answers: vec![given; 26], marks: Marks::default() };
        bytes.extend(recorder.turn(turn, 0));
    }
    bytes.extend(recorder.end(0));
    let file = folder.path().join("2026-01-01T00-00-00Z_partie-1_graine-7.rejeu");
    std::fs::write(file, &bytes).unwrap();
    let (mut server, port) =
        with_page(&["--enregistrer", &format!("{}/", folder.path().display())]);
    let (head, taken) = get_bytes(port, "/api/games/1-7/file/rejeu");
    assert!(head.contains("filename=\"partie-1-7.rejeu\""), "{head}");
    assert!(taken == bytes, "{} of {} bytes", taken.len(), bytes.len());
    // The file name of an animation of an unfinished game says so.
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    write!(stream, "GET /api/games/1-7/file/gif HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    let disposition = "content-disposition: attachment; filename=\"partie-1-7-debut.gif\"";
    let mut head = BufReader::new(stream).lines().map(Result::unwrap);
    assert!(head.any(|line| line == disposition));
    drop(head);
    let (_browser, tab, _) = browse(port);
    tab.navigate_to(&format!("http://127.0.0.1:{port}/?lang=en&n=1#game=1-7")).unwrap();
    tab.set_default_timeout(Duration::from_secs(500));
    let note = tab.wait_for_element("#cut:not([hidden])").unwrap().get_inner_text().unwrap();
    // Of 150 000 answers.
    assert_eq!(note, "The recording that is shown stops at turn 5769.");
    server.process.kill().unwrap();
    server.process.wait().unwrap();
}

#[test]
fn thoughts_are_shown_on_this_machine_only_unless_all_may_see_them() {
    let folder = tempfile::tempdir().unwrap();
    let recordings = format!("{}/", folder.path().display());
    let game = ["--remplir", "prudent", "--attente", "0", "--graine", "7", "--duree", "50"];
    let start = |web: &[&str]| {
        let flags = [web, &game, &["--enregistrer", &recordings]].concat();
        let mut server = Server::start(&flags);
        let mut line = String::new();
        server.output.read_line(&mut line).unwrap();
        let port = line.trim_end_matches(|c: char| !c.is_ascii_digit()).rsplit(':').next().unwrap();
        (server, port.parse::<u16>().unwrap())
    };
    let told = |page: u16| {
        let (_, film) = get(page, "/api/games/1-7/film");
        let (_, bytes) = get_bytes(page, "/api/games/1-7/file/rejeu");
        let taken = Recording::read(&bytes).unwrap();
        assert!(taken.is_complete && taken.damage.is_none() && verify(&taken).is_ok());
        [film.contains("to the cherry"), !taken.thoughts.is_empty()]
    };
    for (web, shows) in [
        (&["--web", "127.0.0.1:0"][..], true),
        (&["--web", "0.0.0.0:0"], false),
        (&["--web", "0.0.0.0:0", "--pensees"], true),
    ] {
        let (server, page) = start(web);
        think_aloud(&server);
        while !get(page, "/api/games").1.contains("\"running\":false") {
            std::thread::sleep(Duration::from_millis(20));
        }
        assert_eq!(told(page), [shows; 2], "{web:?}");
        drop(server);
        // From the folder, too.
        let (_later, page) = start(web);
        assert_eq!(told(page), [shows; 2], "{web:?}");
    }
    let files = std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().path());
    let mut games = files.map(|file| Recording::open(&file).unwrap());
    assert!(games.all(|game| game.thoughts.iter().count() > 10));
}

/// Plays a game to its end as a client that thinks aloud.
fn think_aloud(server: &Server) {
    let mut stream = server.connect();
    stream.write_all(b"joueur;Ada\0").unwrap();
    let mut left = Vec::new();
    let mut received = [0; 4096];
    loop {
        let read = stream.read(&mut received).unwrap();
        left.extend_from_slice(&received[..read]);
        while let Some(end) = left.iter().position(|&byte| byte == 0) {
            let message: Vec<_> = left.drain(..=end).collect();
            if message.starts_with(b"quit") {
                return;
            }
            stream.write_all(b"NE;to the cherry;cell 3,4\0").unwrap();
        }
        if read == 0 {
            return;
        }
    }
}

#[test]
fn a_link_is_kept_while_the_server_is_busy_or_gone() {
    let (mut server, port) =
        with_page(&["--remplir", "prudent", "--attente", "0", "--graine", "7"]);
    ended_well(&server.client("Ada").wait_with_output().unwrap());
    let (_browser, tab, _) = browse(port);
    let evaluate = |script: &str| tab.evaluate(script, true).unwrap().value.unwrap_or_default();
    let shown =
        |selector: &str| tab.wait_for_element(&format!("{selector}:not([hidden])")).unwrap();
    shown("#game");
    for failure in
        ["Promise.resolve(new Response('', { status: 503 }))", "Promise.reject(new TypeError())"]
    {
        evaluate(&format!(
            "window.known = fetch; window.fetch = (path, how) => \
             path.endsWith('/film') ? {failure} : window.known(path, how); location.hash = '#game=9-9&turn=3'; 0"
        ));
        shown("#unreachable");
        assert_eq!(
            evaluate("[location.hash, document.querySelector('#gone').hidden].join()"),
            "#game=9-9&turn=3,true"
        );
        // The page retries by itself.
        evaluate("window.fetch = window.known; 0");
        shown("#gone");
        assert_eq!(evaluate("document.querySelector('#unreachable').hidden"), true);
    }
    interrupt(&server.process);
    assert_eq!(server.end().0, Some(0));
}

#[test]
fn the_page_is_not_served_under_the_names_of_others() {
    let (mut server, port) = with_page(&["--remplir", "prudent"]);
    let status = |target: &str, lines: &str| {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        write!(stream, "GET {target} HTTP/1.1\r\n{lines}Connection: close\r\n\r\n").unwrap();
        let mut head = String::new();
        BufReader::new(stream).read_line(&mut head).unwrap();
        head.split(' ').nth(1).unwrap().to_owned()
    };
    let upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\n\
                   Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n";
    for host in ["localhost", "LOCALHOST:1", "127.0.0.1:80", "[::1]:8080", "[::1]", "192.168.7.7"] {
        assert_eq!(status("/api/games", &format!("Host: {host}\r\n")), "200", "{host}");
        assert_eq!(status("/api/live", &format!("Host: {host}\r\n{upgrade}")), "101", "{host}");
        let target = format!("http://{host}/api/games");
        assert_eq!(status(&target, "Host: localhost\r\n"), "200", "{target}");
    }
    for host in ["evil.example", "127.0.0.1.evil.example:8080", "::1", "", "[evil.example]", "x y"]
    {
        assert_eq!(status("/api/games", &format!("Host: {host}\r\n")), "421", "{host}");
        assert_eq!(status("/api/live", &format!("Host: {host}\r\n{upgrade}")), "421", "{host}");
    }
    assert_eq!(status("http://evil.example/api/games", "Host: localhost\r\n"), "421");
    assert_eq!(status("/api/games", "Host: localhost\r\nHost: evil.example\r\n"), "421");
    assert_eq!(status("/api/games", ""), "421");
    interrupt(&server.process);
    server.end();
}

#[test]
fn whoever_looks_at_the_page_harms_nobody() {
    let (mut server, port) = with_page(&["--remplir", "prudent", "--attente", "0"]);
    let connect = || TcpStream::connect(("127.0.0.1", port)).unwrap();
    connect().write_all(b"\x16\x03\x01 no request\r\n\r\n").unwrap();
    connect().write_all(b"GET /api/games/../../etc/passwd HTTP/1.1\r\n\r\n").unwrap();
    let silent: Vec<_> = (0..50).map(|_| connect()).collect();
    // Viewers that never read.
    let deaf = |_| {
        let mut stream = connect();
        let upgrade = "Host: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
                       Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13";
        write!(stream, "GET /api/live HTTP/1.1\r\n{upgrade}\r\n\r\n").unwrap();
        stream
    };
    let viewers: Vec<_> = (0..20).map(deaf).collect();
    ended_well(&server.client("Ada").wait_with_output().unwrap());
    // The page follows the game with a delay: clients may leave before the page has seen the end.
    let messages = until_the_end(live(port));
    assert_eq!(messages[messages.len() - 2]["frame"]["t"], 30);
    drop((silent, viewers));
    interrupt(&server.process);
    assert_eq!(server.end().0, Some(0));
}

#[test]
fn every_game_is_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rejeux/");
    let into = format!("{}/", path.display());
    let mut server = Server::start(&[
        "--enregistrer",
        &into,
        "--parties",
        "2",
        "--remplir",
        "glouton",
        "--attente",
        "0",
    ]);
    let client = Command::new(client_program())
        .args(["--equipe", "Ada", "--port", &server.port.to_string(), "--journal", "warn"])
        .output()
        .unwrap();
    ended_well(&client);
    assert_eq!(server.end().0, Some(0));
    let files: Vec<_> =
        std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(files.len(), 2);
    for file in files {
        let recording = Recording::read(&std::fs::read(file).unwrap()).unwrap();
        assert!(recording.is_complete && recording.setup.names()[0] == "Ada");
        assert_eq!((recording.turn(), verify(&recording)), (30, Ok(())));
    }
}

#[test]
fn a_link_to_a_game_holds_for_later_servers() {
    let folder = tempfile::tempdir().unwrap();
    let into = format!("{}/", folder.path().display());
    let flags = ["--enregistrer", &into, "--remplir", "prudent", "--attente", "0"];
    let (mut server, _) = with_page(&[&flags[..], &["--graine", "7"]].concat());
    ended_well(&server.client("Ada").wait_with_output().unwrap());
    interrupt(&server.process);
    assert_eq!(server.end().0, Some(0));
    let film = |port: u16, name: &str| get(port, &format!("/api/games/{name}/film"));

    let (mut server, port) = with_page(&flags);
    let (_browser, tab, complaints) = browse(port);
    let evaluate = |script: &str| tab.evaluate(script, true).unwrap().value.unwrap_or_default();
    let wait = |script: &str| {
        let start = Instant::now();
        while evaluate(script) != true {
            assert!(start.elapsed() < Duration::from_secs(30), "{:?}", complaints.lock().unwrap());
            std::thread::sleep(Duration::from_millis(10));
        }
    };
    // A new number makes the browser reload the page.
    let open = |number: u32, name: &str| {
        let address = format!("http://127.0.0.1:{port}/?lang=en&n={number}#game={name}&turn=3");
        tab.navigate_to(&address).unwrap();
        tab.wait_until_navigated().unwrap();
    };
    let (head, body) = film(port, "1-7");
    assert!(head.starts_with("HTTP/1.1 200") && body.contains("Ada"), "{head}");
    open(1, "1-7");
    wait("document.querySelector('#scores').textContent.includes('Ada')");
    assert_eq!(evaluate("Number(document.querySelector('#line').value)"), 3);
    let link = "document.querySelector('#files a').getAttribute('href')";
    assert_eq!(evaluate(link), "api/games/1-7/file/rejeu");

    // The first game of this server is a different game, and its link has its own seed.
    ended_well(&server.client("Bob").wait_with_output().unwrap());
    open(2, "1-7");
    wait("document.querySelector('#scores').textContent.includes('Ada')");
    open(3, "1");
    wait("document.querySelector('#scores').textContent.includes('Bob')");
    wait("/^#game=1-[0-9]+&turn=3$/.test(location.hash)");

    assert!(film(port, "1-8").0.starts_with("HTTP/1.1 404"));
    for wrong in ["1-", "-7", "x-7", "1-7-7", "..%2F1-7"] {
        assert!(film(port, wrong).0.starts_with("HTTP/1.1 404"), "{wrong}");
    }
    complaints.lock().unwrap().clear();
    open(4, "1-8");
    wait("!document.querySelector('#gone').hidden");
    interrupt(&server.process);
    assert_eq!(server.end().0, Some(0));
}

#[test]
fn a_server_that_is_killed_leaves_what_was_played() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("partie.rejeu");
    let mut server = Server::start(&[
        "--enregistrer",
        file.to_str().unwrap(),
        "--tempo",
        "50ms",
        "--remplir",
        "prudent",
        "--attente",
        "0",
    ]);
    let mut client = server.client("Ada");
    let start = Instant::now();
    let recorded = || std::fs::read(&file).ok().and_then(|bytes| Recording::read(&bytes).ok());
    while recorded().is_none_or(|recording| recording.turn() < 5) {
        assert!(start.elapsed() < Duration::from_secs(30), "nothing is recorded");
        std::thread::sleep(Duration::from_millis(10));
    }
    server.process.kill().unwrap();
    server.process.wait().unwrap();
    let recording = recorded().unwrap();
    assert!(!recording.is_complete && recording.turn() >= 5);
    assert_eq!(verify(&recording), Ok(()));
    client.kill().unwrap();
    client.wait().unwrap();
}

/// The value of a script in another context than that of the page.
fn evaluate_in(tab: &Tab, context: u32, script: &str) -> Value {
    let call = Runtime::Evaluate {
        expression: script.to_owned(),
        context_id: Some(context),
        return_by_value: Some(true),
        object_group: None,
        include_command_line_api: None,
        silent: None,
        generate_preview: None,
        user_gesture: None,
        await_promise: None,
        throw_on_side_effect: None,
        timeout: None,
        disable_breaks: None,
        repl_mode: None,
        allow_unsafe_eval_blocked_by_csp: None,
        unique_context_id: None,
        serialization_options: None,
    };
    tab.call_method(call).unwrap().result.value.unwrap_or_default()
}

/// The page of the server in a browser, and the errors in the browser's log.
fn browse(port: u16) -> (Browser, Arc<Tab>, Arc<Mutex<Vec<String>>>) {
    let mut options = LaunchOptions::default_builder();
    // Tests often run as root, for which the browser's sandbox does not work.
    // On a busy machine, a page may answer nothing for minutes.
    let options = options.sandbox(false).idle_browser_timeout(Duration::from_secs(600));
    let browser = Browser::new(options.build().unwrap())
        .expect("a browser is needed; on Debian: apt-get install chromium");
    let tab = browser.new_tab().unwrap();
    tab.set_default_timeout(Duration::from_secs(20));
    tab.enable_runtime().unwrap().enable_log().unwrap();
    let complaints = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&complaints);
    let listener = move |event: &Event| {
        if let Event::RuntimeExceptionThrown(_)
        | Event::RuntimeConsoleAPICalled(_)
        | Event::LogEntryAdded(_)
        | Event::PageJavascriptDialogOpening(_) = event
        {
            heard.lock().unwrap().push(format!("{event:?}"));
        }
    };
    tab.add_event_listener(Arc::new(listener)).unwrap();
    tab.navigate_to(&format!("http://127.0.0.1:{port}/?lang=en")).unwrap();
    tab.wait_until_navigated().unwrap();
    (browser, tab, complaints)
}

#[test]
fn the_page_to_play_in_is_served_where_it_is_installed() {
    let folder = tempfile::tempdir().unwrap();
    let [programs, pages] = ["bin", "page"].map(|name| folder.path().join(name));
    std::fs::create_dir(&programs).unwrap();
    let (program, built) = (programs.join("server"), env!("CARGO_BIN_EXE_server"));
    // The folder for temporary files may be on another device.
    std::fs::hard_link(built, &program)
        .or_else(|_| std::fs::copy(built, &program).map(drop))
        .unwrap();
    let ask = || {
        let mut command = Command::new(&program);
        command.env("LC_ALL", "C").stderr(Stdio::null());
        let mut server = Server::run(command, &["--carte", "cartes/petit.txt"], &["--web", "0"]);
        let port = page_port(&mut server);
        let (_, games) = get(port, "/api/games");
        let games: Value = serde_json::from_str(&games).unwrap();
        (games["arena"].clone(), get(port, "/arene/"))
    };
    let (is_there, (head, text)) = ask();
    assert_eq!(is_there, false);
    assert!(head.starts_with("HTTP/1.1 404"), "{head}");
    assert!(text.contains("scripts/page.sh makes it"), "{text}");

    std::fs::create_dir(&pages).unwrap();
    std::fs::write(pages.join("arene.html"), "<!doctype html>Play").unwrap();
    let (is_there, (head, text)) = ask();
    assert_eq!(is_there, true);
    assert!(head.starts_with("HTTP/1.1 200") && head.contains("etag: "), "{head}");
    assert_eq!(text, "<!doctype html>Play");
}

#[test]
fn a_browser_is_sent_every_turn_of_a_quick_game() {
    let (tempo, turns) = (from_environment("TEMPO", 10), from_environment("TURNS", 50));
    let (tempo, duration) = (format!("{tempo}ms"), turns.to_string());
    let flags = ["--remplir", "prudent", "--attente", "0", "--tempo", &tempo, "--duree", &duration];
    let (mut server, port) = with_page(&flags);
    let (_browser, tab, complaints) = browse(port);
    let evaluate = |script: &str| tab.evaluate(script, true).unwrap().value.unwrap_or_default();
    let wait = |script: &str| {
        let start = Instant::now();
        while evaluate(script) != true {
            assert!(start.elapsed() < Duration::from_secs(30), "{:?}", complaints.lock().unwrap());
            std::thread::sleep(Duration::from_millis(10));
        }
    };
    wait("document.querySelector('#connection').className === 'on'");
    // The server cannot be asked for turns that the page has missed.
    evaluate(
        "window.known = fetch; window.fetch = (path, how) => path.endsWith('/film') ? \
         Promise.reject(new TypeError()) : window.known(path, how); 0",
    );
    evaluate(
        "window.shown = new Set();
         const board = document.querySelector('#board canvas');
         const look = () => window.shown.add(Number(board.dataset.turn));
         new MutationObserver(look).observe(board, { attributeFilter: ['data-turn'] })",
    );
    ended_well(&server.client("Ada").wait_with_output().unwrap());
    wait(&format!("document.querySelector('#line').value === '{turns}'"));
    let shown = evaluate("[...window.shown].filter((turn) => turn > 0).length");
    println!("drawn on the board: {shown} of {turns} turns, at {tempo} a turn");
    let back = "(async () => {
        const [drawn, line] = [() => new Promise(requestAnimationFrame), document.querySelector('#line')];
        const turns = [Number(line.value)];
        for (;;) {
            document.querySelector('#back').click();
            await drawn();
            await drawn();
            if (Number(line.value) === turns[0]) return turns.join();
            turns.unshift(Number(line.value));
        }
    })()";
    let known = evaluate(back);
    let known: Vec<u64> =
        known.as_str().unwrap().split(',').map(|turn| turn.parse().unwrap()).collect();
    println!("in the film, curves and trails of the page: turns {} to {turns}", known[0]);
    assert_eq!(known, (known[0]..=turns).collect::<Vec<_>>());
    assert!(known.len() > 5, "{known:?}");
    interrupt(&server.process);
    assert_eq!(server.end().0, Some(0));
}

#[test]
fn a_browser_follows_a_live_game_and_goes_back_in_it() {
    let (mut server, port) =
        with_page(&["--remplir", "prudent", "--attente", "0", "--tempo", "200ms", "--duree", "60"]);
    let (_browser, tab, complaints) = browse(port);
    let evaluate = |script: &str| tab.evaluate(script, true).unwrap().value.unwrap_or_default();
    let turn = || evaluate("Number(document.querySelector('#line').value)").as_u64().unwrap();
    let client = server.client("<img src=x onerror=alert(1)>");
    let wait = |done: &dyn Fn() -> bool| {
        let start = Instant::now();
        while !done() {
            assert!(start.elapsed() < Duration::from_secs(30), "{:?}", complaints.lock().unwrap());
            std::thread::sleep(Duration::from_millis(10));
        }
    };
    wait(&|| turn() > 5);
    let first = turn();
    wait(&|| turn() > first + 3);
    let names = evaluate("document.querySelector('#scores').textContent");
    assert!(names.as_str().unwrap().contains("<img src=x onerror=alert(1)>"), "{names}");

    // A viewer that goes back in a live game stays there until it returns to the live state.
    evaluate("document.querySelector('#first').click()");
    wait(&|| turn() == 0);
    let (_, games) = get(port, "/api/games");
    let played =
        |games: &str| serde_json::from_str::<Value>(games).unwrap()["games"][0]["turn"].as_u64();
    wait(&|| played(&get(port, "/api/games").1) > played(&games).map(|turn| turn + 3));
    assert_eq!(turn(), 0);
    evaluate("document.querySelector('#live').click()");
    wait(&|| turn() > first + 3);

    evaluate("document.dispatchEvent(new KeyboardEvent('keydown', { key: '1' }))");
    ended_well(&client.wait_with_output().unwrap());
    wait(&|| turn() == 60);
    wait(&|| evaluate("document.querySelector('#why .card') !== null") == true);
    // The story still follows the first player.
    let strangers = "[...document.querySelectorAll('#episodes li')].filter((line) => \
         ![...line.querySelectorAll('.chip')].some((chip) => chip.textContent === 'A')).length";
    let settled =
        "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))";
    evaluate(settled);
    assert_eq!(evaluate(strangers), 0);
    assert_eq!(*complaints.lock().unwrap(), Vec::<String>::new());
    interrupt(&server.process);
    assert_eq!(server.end().0, Some(0));
}
