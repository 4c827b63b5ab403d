//! Tests of the page of a running tournament.

use std::collections::HashSet;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, LazyLock, Mutex};
use std::time::{Duration, Instant};

use arena::Observation;
use cluster::state::{Activity, ClusterState, WorkerState};
use plan::OrganiserAction;
use plan::{Key, Note, Outcome, Voided};
use replay::Recording;
use report::live::state::{
    Attendance, LastFault, LastGame, LastVoid, NextMatchup, Phase, RunningGame, TeamState,
};
use report::live::{self, Embedders, LiveState, Organiser, ResultSource, SourceError};
use report::{About, Ranking, Results};
use server::page::PageSettings;
use tokio::sync::{mpsc, watch};

use crate::browser::{Opened, scheme};
use crate::games::{Played, play_all, standings};
use crate::http::{get, request};

const TOKEN: &str = "a-token-that-nobody-guesses";
const HOSTILE: &str = "<img src=x onerror=alert(1)>";
const TEAMS: [(&str, &str); 5] = [
    ("Ada", "glouton"),
    (HOSTILE, "prudent"),
    ("=1+1", "aleatoire"),
    ("Zoé", "glouton"),
    ("Bob", "prudent"),
];

static PLAYED: LazyLock<Played> = LazyLock::new(|| play_all(&TEAMS, &["petit"], 1, 30));

/// A script that defines `place`, which measures an element.
const PLACES: &str =
    "var place = (selector) => document.querySelector(selector).getBoundingClientRect()";

/// A source in memory; it fails to read results if the field is false.
struct Kept(bool);

impl ResultSource for Kept {
    fn recording(&self, game: Key) -> Result<Option<Vec<u8>>, SourceError> {
        let found = PLAYED.outcomes.iter().find(|outcome| outcome.key == game);
        Ok(found.map(|outcome| outcome.recording.clone()))
    }

    fn results(&self) -> Result<Results, SourceError> {
        if !self.0 {
            return Err("the file is gone".into());
        }
        Ok(PLAYED.results())
    }
}

/// A source that answers while its gate is open, and notes what was read: recordings by key, and results as `None`.
#[derive(Default)]
struct Gated {
    results: Option<Played>,
    is_open: Mutex<bool>,
    changed: Condvar,
    /// True if recordings cannot be read.
    is_damaged: AtomicBool,
    read: Mutex<Vec<Option<Key>>>,
}

impl Gated {
    fn set(&self, is_open: bool) {
        *self.is_open.lock().unwrap() = is_open;
        self.changed.notify_all();
    }

    fn pass(&self, what: Option<Key>) {
        self.read.lock().unwrap().push(what);
        let is_open = self.is_open.lock().unwrap();
        drop(self.changed.wait_while(is_open, |is_open| !*is_open).unwrap());
    }

    /// The reads since the last call: the keys of recordings, and `None` for the results.
    fn read(&self) -> Vec<Option<Key>> {
        std::mem::take(&mut self.read.lock().unwrap())
    }
}

impl ResultSource for Gated {
    fn recording(&self, game: Key) -> Result<Option<Vec<u8>>, SourceError> {
        self.pass(Some(game));
        if self.is_damaged.load(Ordering::Relaxed) {
            return Err("the disk is gone".into());
        }
        Kept(true).recording(game)
    }

    fn results(&self) -> Result<Results, SourceError> {
        self.pass(None);
        self.results.as_ref().map_or_else(|| Kept(true).results(), |it| Ok(it.results()))
    }
}

/// A served page, with the channels to and from it.
struct Served {
    port: u16,
    state: watch::Sender<Arc<LiveState>>,
    actions: mpsc::Receiver<OrganiserAction>,
    featured: mpsc::Sender<Observation>,
}

impl Served {
    fn start(state: LiveState) -> Self {
        Self::with(state, true, true)
    }

    fn with(state: LiveState, has_organiser: bool, source_works: bool) -> Self {
        Self::on(Arc::new(Kept(source_works)), state, has_organiser)
    }

    fn on(source: Arc<dyn ResultSource>, state: LiveState, has_organiser: bool) -> Self {
        Self::framed(source, state, has_organiser, Embedders::default())
    }

    /// Serves a page whose games these sites may show in frames.
    fn framed(
        source: Arc<dyn ResultSource>,
        state: LiveState,
        has_organiser: bool,
        embedders: Embedders,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (state, receiver) = watch::channel(Arc::new(state));
        let (sender, actions) = mpsc::channel(4);
        let organiser =
            has_organiser.then(|| Organiser { token: TOKEN.to_owned(), actions: sender });
        let direct = PageSettings { embedders: embedders.clone(), ..PageSettings::default() };
        let direct = || server::page::routes(direct);
        let featured =
            live::serve(listener, receiver, source, organiser, embedders, None, direct).unwrap();
        Self { port, state, actions, featured }
    }

    fn address(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}/{path}", self.port)
    }

    fn show(&self, state: LiveState) {
        self.state.send(Arc::new(state)).unwrap();
    }

    fn post(&self, path: &str, headers: &[&str]) -> (u16, String) {
        let host = format!("Host: 127.0.0.1:{}", self.port);
        let all = [&[&*host, "Content-Length: 0"], headers].concat();
        let answer = request(self.port, "POST", path, &all);
        (answer.status, answer.body)
    }
}

fn lobby() -> LiveState {
    let mut state = LiveState::lobby(About::of(&PLAYED.plan));
    let presences = [Attendance::Present, Attendance::Absent];
    let teams = PLAYED.plan.teams.iter().zip(presences.into_iter().cycle());
    state.teams =
        teams.map(|(team, presence)| TeamState { name: team.name.clone(), presence }).collect();
    state.game_addresses = vec!["192.168.1.5:1111".to_owned()];
    state.page_addresses = vec!["http://salle.local:8080/".to_owned()];
    state
}

fn voided(game: &Outcome) -> Voided {
    let reason = format!("the projector fell {HOSTILE}");
    Voided { game: game.key, outcome: game.clone(), at: game.began, reason }
}

fn running() -> LiveState {
    let game = &PLAYED.outcomes[0];
    let results = || PLAYED.outcomes.iter().rev();
    LiveState {
        phase: Phase::Running,
        round: 1,
        played: PLAYED.outcomes.len(),
        total: Some(100),
        ranking: Ranking::provisional(&PLAYED.standings),
        running: vec![RunningGame {
            key: game.key,
            map: game.map.to_string(),
            seats: LastGame::of(game).seats,
            turn: 12,
            turns: 30,
            featured: true,
        }],
        next: vec![NextMatchup {
            map: "petit".to_owned(),
            teams: vec!["Ada".to_owned(), HOSTILE.to_owned()],
        }],
        results: results().map(LastGame::of).collect(),
        faults: results().flat_map(LastFault::of).collect(),
        voids: vec![LastVoid::of(&voided(game), true)],
        ..lobby()
    }
}

/// Makes a worker with a load of 50 %.
fn worker(name: &str, activity: Activity) -> WorkerState {
    WorkerState {
        name: name.to_owned(),
        activity,
        places: 4,
        leases: 1,
        speed: 12_345,
        lateness: 2,
        load: Some(50),
        games: 77,
        rate: 90,
        rejected: 2,
        faults: 3,
    }
}

/// Sends a featured game to the page, up to a turn.
fn feature(featured: &mpsc::Sender<Observation>, outcome: &Outcome, turns: usize) {
    let recording = Recording::read(&outcome.recording).unwrap();
    let mut game = replay::Replay::start(&recording.setup);
    let begin = Observation::Begin { game: 1, setup: recording.setup };
    let turns = recording.turns.iter().take(turns).map(|turn| {
        game.play(&turn);
        Observation::Turn { turn, hash: replay::hash(game.text()) }
    });
    for observation in [begin].into_iter().chain(turns) {
        featured.blocking_send(observation).unwrap();
    }
}

#[test]
fn a_browser_follows_the_tournament() {
    let served = Served::start(lobby());
    let page = Opened::at(&served.address("?lang=fr"), Some((1280, 800)));
    page.wait("document.querySelector('#progress')?.textContent.includes('les équipes arrivent')");
    assert!(page.text("#now").contains("3 équipes présentes sur 5"), "{}", page.text("#now"));
    assert!(page.text("#now").contains("192.168.1.5:1111"));
    page.wait("document.querySelector('#now .scan')?.naturalWidth > 0");
    let code = page.evaluate("document.querySelector('#now .scan').alt");
    assert_eq!(code, "Code QR de cette page : http://salle.local:8080/");
    assert_eq!(page.count("#organiser button"), 0);

    // The page changes without being reloaded.
    page.evaluate("window.same = true");
    served.show(running());
    page.wait(
        "document.querySelector('#progress').textContent.includes('20 parties jouées sur 100')",
    );
    let names = page.texts("#ranking .name");
    let ranking = Ranking::provisional(&PLAYED.standings);
    assert_eq!(names, ranking.rows.iter().map(|row| row.name.clone()).collect::<Vec<_>>());
    assert!(page.text("ul.running").contains("tour 12 / 30"));
    assert_eq!(page.count("ul.results li"), 20);
    let faults = PLAYED.outcomes.iter().flat_map(LastFault::of).count();
    assert_eq!(page.count("ul.faults li"), faults);
    let voids = page.text("ul.voids");
    assert!(voids.contains("the projector fell") && voids.contains("rejouée"), "{voids}");
    page.check_width();

    // The page of a team is fetched on demand, and opens a game.
    page.evaluate("location.hash = '#equipe=Ada'");
    page.wait("document.querySelector('.games tbody tr button') !== null");
    page.click(".games tbody tr button");
    page.wait("document.querySelector('#replay iframe')?.contentDocument?.querySelector('#line')?.max === '30'");
    page.press("Escape");
    page.wait("!document.querySelector('#replay').open");
    page.click(".back");

    page.wait("!document.querySelector('#overview').hidden");
    page.check_access();
    page.darken();
    page.check_access();
    page.resize((390, 844));
    page.check_width();

    let message = Note::new("Well done!", "Bravo !");
    served.show(LiveState {
        phase: Phase::Over,
        ranking: Ranking::of(&PLAYED.standings),
        running: Vec::new(),
        message: Some(message),
        ..running()
    });
    page.wait("document.querySelector('#message').textContent === 'Bravo !'");
    page.wait("document.querySelector('#ranking h2').textContent === 'Classement final'");
    assert_eq!(page.evaluate("window.same"), true);
    assert_eq!(page.count("img"), 0);
    page.check_no_complaints();
}

#[test]
fn board_comes_first_until_there_are_results() {
    let ranking = Ranking::provisional(&standings(&PLAYED.plan, &[]));
    let (results, faults, voids) = Default::default();
    let served =
        Served::start(LiveState { played: 0, ranking, results, faults, voids, ..running() });
    feature(&served.featured, &PLAYED.outcomes[0], 17);
    let page = Opened::at(&served.address("?lang=en"), Some((1440, 900)));
    page.wait(
        "document.querySelector('#board iframe')?.contentDocument
           ?.querySelector('#line')?.value === '17'",
    );
    let place = |script: &str| page.evaluate(&format!("{PLACES}; {script}"));
    assert_eq!(place("place('#board').bottom <= place('#ranking').top"), true);
    assert_eq!(place("place('#board').right < place('#now').left"), true);
    page.check_width();
    page.check_access();
    page.resize((390, 844));
    assert_eq!(place("place('#board').bottom <= place('#now').top"), true);
    page.check_width();

    page.resize((1440, 900));
    served.show(running());
    page.wait(
        "document.querySelector('#board')?.hidden && !document.querySelector('#board iframe')",
    );
    assert_eq!(place("place('#ranking').right < place('#now').left"), true);
    assert_eq!(place("place('#ranking').top === place('#now').top"), true);
    let table = "(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)
        (document.querySelector('#ranking .wide'))";
    assert_eq!(page.evaluate(table), true);
    page.check_width();
    page.check_access();
    page.check_no_complaints();
}

/// Each phase of a tournament, and its projection, on each screen; in English with light colours, in French with dark ones.
#[test]
fn every_phase_fits_every_screen_in_both_languages() {
    let served = Served::start(lobby());
    feature(&served.featured, &PLAYED.outcomes[0], 17);
    let over = LiveState {
        phase: Phase::Over,
        ranking: Ranking::of(&PLAYED.standings),
        running: Vec::new(),
        ..running()
    };
    let phases = [("lobby", lobby()), ("running", running()), ("over", over)];
    for language in ["en", "fr"] {
        let page = Opened::at(&served.address(&format!("?lang={language}")), Some((1440, 900)));
        for (phase, state) in phases.clone() {
            served.show(state);
            page.press("p");
            page.wait(&format!("document.querySelector('#projection').className === '{phase}'"));
            if phase == "running" {
                page.wait("document.querySelector('#projection iframe')?.contentDocument?.querySelector('#line')?.value === '17'");
            }
            for is_projected in [true, false] {
                for size in [(1440, 900), (1920, 1080), (390, 844)] {
                    let colours = scheme(language, size.0 == 390);
                    page.colour(colours);
                    page.resize(size);
                    println!(
                        "{phase} on {size:?} in {language}, {colours}, projected: {is_projected}"
                    );
                    page.check_width();
                    page.check_names();
                    page.check_access();
                    if size.0 == 390 {
                        page.check_targets();
                    } else if is_projected {
                        page.check_is_read_from_afar();
                        let more = "document.documentElement.scrollHeight - innerHeight";
                        assert_eq!(page.evaluate(more), 0, "it scrolls");
                    }
                }
                page.press("p");
                let shown = !is_projected;
                page.wait(&format!("document.querySelector('#projection').hidden !== {shown}"));
            }
            page.press("Escape");
        }
        page.check_no_complaints();
    }
}

#[test]
fn nothing_is_live_once_the_tournament_is_over() {
    let served = Served::start(running());
    let page = Opened::at(&served.address("?lang=en"), Some((1280, 800)));
    page.wait("document.querySelector('#connection').textContent === 'live'");
    assert!(page.text("#now").contains("192.168.1.5:1111"));
    assert_eq!(page.count("#links [href^=direct]"), 1);
    served.show(LiveState { phase: Phase::Over, running: Vec::new(), ..running() });
    page.wait("document.querySelector('#ranking h2').textContent === 'Ranking so far'");
    page.wait("document.querySelector('#progress').textContent.startsWith('over')");
    assert_eq!(page.text("#connection"), "");
    assert!(!page.text("#now").contains("192.168.1.5:1111"));
    assert_eq!(page.count("#links [href^=direct]"), 0);
    page.check_no_complaints();
}

#[test]
fn updates_keep_the_place_in_a_list_and_the_focus() {
    let at = |turn| {
        let mut state = running();
        let keys = PLAYED.outcomes.iter().map(|outcome| outcome.key);
        let game = &state.running[0];
        state.running =
            keys.map(|key| RunningGame { key, turn, featured: false, ..game.clone() }).collect();
        state
    };
    let served = Served::start(at(1));
    let page = Opened::at(&served.address(&format!("?lang=en#jeton={TOKEN}")), Some((1280, 800)));
    page.wait("document.querySelector('ul.running [data-action]') !== null");
    page.evaluate("document.querySelector('ul.running').scrollTop = 120");
    let focused = format!("feature {}", PLAYED.outcomes[0].key);
    page.evaluate(&format!(
        "document.querySelector('[data-action=\"{focused}\"]').focus({{ preventScroll: true }})"
    ));
    let update = |turn| {
        served.show(at(turn));
        page.wait(&format!(
            "document.querySelector('ul.running').textContent.includes('turn {turn} / 30')"
        ));
        assert_eq!(page.evaluate("document.querySelector('ul.running').scrollTop"), 120);
    };
    update(2);
    assert_eq!(page.evaluate("document.activeElement.dataset.action"), focused);
    // The list itself has the focus of whoever scrolls by keyboard.
    page.evaluate("document.querySelector('ul.running').focus({ preventScroll: true })");
    update(3);
    assert_eq!(page.evaluate("document.activeElement.className"), "running");
    page.check_no_complaints();
}

#[test]
fn page_lists_workers_with_their_activity() {
    let cluster = ClusterState {
        is_connected: false,
        matchups: 5,
        leases: 1,
        rate: 90,
        workers: vec![worker("salle-1", Activity::Playing), worker(HOSTILE, Activity::PutAside)],
    };
    let served = Served::start(LiveState { cluster: Some(cluster), ..running() });
    let page = Opened::at(&served.address("?lang=fr"), Some((1280, 800)));
    page.wait("document.querySelector('table.workers') !== null");
    let machines = page.text("#now .card:nth-child(2)");
    for part in [
        "machines qui jouent : 1 sur 2",
        "90 parties/min",
        "salle-1",
        "mise à l'écart",
        "1 / 4",
        "50",
    ] {
        assert!(machines.contains(part), "{part}: {machines}");
    }
    assert!(machines.contains("Le serveur de messages est absent"), "{machines}");
    // The turns of games on workers are unknown.
    assert!(!page.text("ul.running").contains("tour 12"));
    page.check_width();
    page.check_access();
    page.resize((390, 844));
    page.check_width();
    assert_eq!(page.count("img:not(.scan)"), 0);
    page.check_no_complaints();
}

#[test]
fn projection_shows_the_featured_game() {
    let served = Served::start(running());
    feature(&served.featured, &PLAYED.outcomes[0], 17);
    let page = Opened::at(&served.address("?lang=en&projector"), Some((1280, 720)));
    page.wait(
        "document.querySelector('#projection iframe')?.contentDocument
           ?.querySelector('#line')?.value === '17'",
    );
    assert!(page.text("#projection").contains("192.168.1.5:1111"));
    assert_eq!(page.count("#projection .places li"), TEAMS.len());
    // The board comes first, and takes most of the room.
    let place = |script: &str| page.evaluate(&format!("{PLACES}; {script}"));
    assert_eq!(place("place('.screen iframe').right < place('.places').left"), true);
    assert_eq!(place("place('#projection iframe').width > 0.6 * innerWidth"), true);
    assert_eq!(place("place('#projection iframe').height > 0.6 * innerHeight"), true);
    assert!(page.texts(".places .name").contains(&HOSTILE.to_owned()));
    page.check_names();
    // The projection fits on the screen.
    let fits = "document.documentElement.scrollHeight <= innerHeight";
    assert_eq!(page.evaluate(fits), true);
    page.check_width();
    page.check_no_complaints();
}

#[test]
fn the_organiser_starts_the_tournament_from_the_page() {
    let mut served = Served::start(lobby());
    let page = Opened::at(&served.address(&format!("?lang=fr#jeton={TOKEN}")), Some((1280, 800)));
    page.wait("document.querySelector('[data-action^=start]') !== null");
    assert_eq!(page.evaluate("location.href.includes('jeton')"), false);
    page.click("[data-action^=start]");
    assert_eq!(served.actions.blocking_recv(), Some(OrganiserAction::Start));

    let mut two = running();
    two.running.push(RunningGame {
        key: PLAYED.outcomes[1].key,
        featured: false,
        ..two.running[0].clone()
    });
    served.show(two);
    page.wait("document.querySelector('[data-action^=feature]') !== null");
    page.click("[data-action^=feature]");
    assert_eq!(
        served.actions.blocking_recv(),
        Some(OrganiserAction::Feature(PLAYED.outcomes[1].key))
    );
    page.click("[data-action^=pause]");
    assert_eq!(served.actions.blocking_recv(), Some(OrganiserAction::Pause));
    page.check_no_complaints();
}

#[test]
fn the_organiser_reads_who_is_refused_and_others_do_not() {
    let refused = |name: &str| {
        let note = Note::new(format!("{name} is refused {HOSTILE}"), format!("{name} refusé"));
        LiveState { refused: vec![note], refusals: name.len() as u32, ..lobby() }
    };
    let served = Served::start(lobby());
    let organiser =
        Opened::at(&served.address(&format!("?lang=en#jeton={TOKEN}")), Some((1280, 800)));
    organiser.wait("document.querySelector('#organiser button') !== null");
    assert_eq!(organiser.count(".refused"), 0);
    for name in ["Zoe", "Adda"] {
        served.show(refused(name));
        let shown = format!(
            "document.querySelector('.refused li')?.textContent.startsWith('{name} is refused')"
        );
        organiser.wait(&shown);
        assert_eq!(organiser.count(".refused li"), 1);
    }
    let other = Opened::at(&served.address("?lang=en"), Some((1280, 800)));
    other.wait("document.querySelector('.presence') !== null");
    assert_eq!(other.count(".refused"), 0);
    let host = format!("Host: 127.0.0.1:{}", served.port);
    let answer = request(served.port, "GET", "/api/refused", &[&host]);
    assert!(answer.status == 401 && !answer.body.contains("Adda"), "{}", answer.body);
    organiser.check_no_complaints();
}

#[test]
fn page_that_waits_for_teams_shows_neither_an_empty_bar_nor_zero_rounds() {
    let mut waiting = lobby();
    (waiting.about.rounds, waiting.total) = (0, Some(0));
    let served = Served::start(waiting);
    let page = Opened::at(&served.address("?lang=fr"), Some((1280, 800)));
    page.wait("document.querySelector('#conditions')?.textContent.includes('manches')");
    let conditions = page.text("#conditions");
    assert!(conditions.contains("leur nombre dépend de celui des équipes"), "{conditions}");
    assert_eq!(page.count("#progress .bar"), 0);
    served.show(running());
    page.wait("document.querySelectorAll('#progress .bar').length === 1");
    page.check_no_complaints();
}

#[test]
fn a_wrong_token_is_told() {
    let served = Served::start(lobby());
    let page = Opened::at(&served.address("?lang=fr#jeton=wrong"), Some((1280, 800)));
    page.wait("document.querySelector('#organiser')?.textContent.includes('Le jeton est faux')");
    assert_eq!(page.count("#organiser button"), 0);
}

#[test]
fn only_the_organiser_acts() {
    let mut served = Served::start(lobby());
    let right = format!("Authorization: Bearer {TOKEN}");
    let key = PLAYED.outcomes[3].key;
    assert_eq!(served.post("/api/resume", &[&right]).0, 202);
    assert_eq!(served.post(&format!("/api/feature/{key}"), &[&right]).0, 202);
    assert_eq!(served.post("/api/end", &[&right, "Sec-Fetch-Site: same-origin"]).0, 202);
    let done: Vec<_> = std::iter::from_fn(|| served.actions.try_recv().ok()).collect();
    assert_eq!(
        done,
        [OrganiserAction::Resume, OrganiserAction::Feature(key), OrganiserAction::End]
    );
    assert_eq!(served.post("/api/dance", &[&right]).0, 404);
    assert_eq!(served.post("/api/feature/00", &[&right]).0, 404);
    assert_eq!(get(served.port, "/api/start").status, 405);

    // Requests of other pages are refused, even with the token.
    for foreign in [
        "Origin: http://evil.example",
        "Origin: null",
        "Origin: http://127.0.0.1:1",
        "Sec-Fetch-Site: cross-site",
        "Sec-Fetch-Site: same-site",
    ] {
        let (status, _) = served.post("/api/start", &[&right, foreign]);
        assert_eq!(status, 403, "{foreign}");
    }
    let own = format!("Origin: http://127.0.0.1:{}", served.port);
    assert_eq!(served.post("/api/start", &[&right, &own]).0, 202);
    assert_eq!(served.actions.try_recv(), Ok(OrganiserAction::Start));

    // The queue takes four actions; the next one is refused.
    for _ in 0..4 {
        assert_eq!(served.post("/api/pause", &[&right]).0, 202);
    }
    assert_eq!(served.post("/api/pause", &[&right]), (503, "{\"error\":\"busy\"}".to_owned()));
    while served.actions.try_recv().is_ok() {}

    for wrong in [&[][..], &["Authorization: Bearer x"], &["Authorization: Basic eDp5"]] {
        assert_eq!(served.post("/api/start", wrong), (401, "{\"error\":\"token\"}".to_owned()));
    }
    for _ in 0..4 {
        assert_eq!(served.post("/api/start", &["Authorization: Bearer y"]).0, 401);
    }
    assert_eq!(served.post("/api/start", &["Authorization: Bearer y"]).0, 429);
    assert!(served.actions.try_recv().is_err());
    // Wrong guesses do not lock out the right token.
    assert_eq!(served.post("/api/start", &[&right]).0, 202);
}

#[test]
fn pictures_on_other_pages_do_not_lock_the_organiser_out() {
    let served = Served::start(lobby());
    let ask = |headers: &[&str]| {
        let host = ["Host: localhost"];
        request(served.port, "GET", "/api/organiser", &[&host[..], headers].concat()).status
    };
    let image = ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: image"];
    for _ in 0..20 {
        // Old browsers do not send the origin of a request.
        assert_eq!(ask(&[]), 401);
        assert_eq!(ask(&image), 403);
    }
    assert_eq!(ask(&["Authorization: Bearer x"]), 401);
    assert_eq!(ask(&[&format!("Authorization: Bearer {TOKEN}")]), 204);
}

#[test]
fn every_featured_game_is_another_one() {
    let served = Served::start(running());
    for outcome in &PLAYED.outcomes[..2] {
        feature(&served.featured, outcome, 3);
    }
    let games = || {
        let list = get(served.port, "/direct/api/games").body;
        serde_json::from_str::<serde_json::Value>(&list).unwrap()["games"].take()
    };
    let start = Instant::now();
    while games().as_array().unwrap().len() < 2 || games()[1]["turn"] != 3 {
        assert!(start.elapsed() < Duration::from_secs(30), "{}", games());
    }
    let ids =
        games().as_array().unwrap().iter().map(|game| game["id"].as_u64()).collect::<Vec<_>>();
    assert_eq!(ids, [Some(1), Some(2)]);
}

#[test]
fn without_an_organiser_nobody_acts() {
    let served = Served::with(lobby(), false, true);
    let (status, body) = served.post("/api/start", &["Authorization: Bearer "]);
    assert_eq!((status, &*body), (404, "{\"error\":\"unknown\"}"));
}

#[test]
fn other_names_and_other_pages_are_refused() {
    let served = Served::start(running());
    let ask = |headers: &[&str]| request(served.port, "GET", "/api/report", headers);
    for host in ["localhost", "127.0.0.1:80", "[::1]", "salle.local:8080", "192.168.7.7"] {
        assert_eq!(ask(&[&format!("Host: {host}")]).status, 200, "{host}");
    }
    let answer = ask(&["Host: evil.example"]);
    assert_eq!(answer.status, 421);
    let direct = request(served.port, "GET", "/direct/", &["Host: evil.example"]);
    assert_eq!(direct.status, 421);
    let answer = ask(&["Host: localhost", "Origin: http://evil.example"]);
    assert_eq!(answer.status, 403);
    let answer = get(served.port, "/");
    assert!(answer.head.contains("frame-ancestors 'self'"), "{}", answer.head);
    assert!(!answer.head.contains("access-control"), "{}", answer.head);
}

#[test]
fn only_games_are_shown_in_frames_of_other_sites() {
    let site = "https://moodle.example";
    let embedders = Embedders(vec![site.parse().unwrap()]);
    let served = Served::framed(Arc::new(Kept(true)), running(), true, embedders);
    let frame =
        ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"];
    let ask = |path: &str| {
        let headers = [&["Host: localhost"], &frame[..]].concat();
        request(served.port, "GET", path, &headers)
    };
    let replay = format!("/rejeu/{}?embed", PLAYED.outcomes[4].key);
    for game in ["/direct/?embed", &replay] {
        let answer = ask(game);
        assert_eq!(answer.status, 200, "{game}");
        let expected = format!("frame-ancestors 'self' {site}");
        assert!(answer.head.contains(&expected), "{game}: {}", answer.head);
        assert!(!answer.body.contains("<html data-unframed"), "{game}");
    }
    // The organiser's buttons are not for frames.
    let page = ask("/?embed");
    assert!(!page.head.contains(site), "{}", page.head);
    assert_eq!(ask("/direct/").status, 403);
    let other = Served::start(running());
    let replay = get(other.port, &replay);
    assert!(!replay.head.contains(site), "{}", replay.head);
    assert!(replay.body.contains("<html data-unframed"), "its menu offers no frame");
}

#[test]
fn report_csv_and_recordings_can_be_downloaded() {
    let served = Served::start(running());
    let outcome = &PLAYED.outcomes[4];
    let replay = get(served.port, &format!("/rejeu/{}", outcome.key));
    assert_eq!(replay.status, 200);
    assert!(replay.body.contains("\"complete\":true"), "the film is in it");
    for wrong in ["00000000000000000000000000000000", "x", "..%2f..%2fetc%2fpasswd"] {
        assert_eq!(get(served.port, &format!("/rejeu/{wrong}")).status, 404, "{wrong}");
    }
    let french = get(served.port, "/rapport.csv");
    assert!(french.head.contains("attachment; filename=\"rapport.csv\""), "{}", french.head);
    assert!(french.body.contains(";\"'=1+1\";"), "{}", french.body);
    let english = get(served.port, "/rapport.csv?lang=en");
    assert!(english.body.contains(",\"'=1+1\","), "{}", english.body);
    let page = get(served.port, "/rapport.html");
    assert!(page.body.contains("id=\"data\""));
    let data: serde_json::Value =
        serde_json::from_str(&get(served.port, "/api/report").body).unwrap();
    assert_eq!(data["games"].as_array().unwrap().len(), PLAYED.outcomes.len());
}

/// Takes the numbers of requests and of games from the environment, for measurements.
#[test]
fn requests_that_are_dropped_repeat_no_computation() {
    let number = |name, default| std::env::var(name).map_or(default, |text| text.parse().unwrap());
    let (requests, games) = (number("REQUESTS", 12), number("GAMES", PLAYED.outcomes.len()));
    let again = PLAYED.outcomes.iter().cycle().take(games).enumerate();
    let outcomes = again.map(|(number, outcome)| match PLAYED.outcomes.get(number) {
        Some(outcome) => outcome.clone(),
        None => Outcome { key: Key::from_bytes((number as u128).to_be_bytes()), ..outcome.clone() },
    });
    let results = Played { outcomes: outcomes.collect(), ..PLAYED.clone() };
    let source = Arc::new(Gated { results: Some(results), ..Gated::default() });
    let served = Served::on(Arc::clone(&source) as _, running(), true);
    let drop_requests = |paths: &[&str]| {
        for path in paths.iter().cycle().take(requests) {
            let mut stream = TcpStream::connect(("127.0.0.1", served.port)).unwrap();
            write!(stream, "GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
            stream.shutdown(Shutdown::Write).unwrap();
            // The server closes the connection after it has dropped the request.
            let _ = stream.read_to_end(&mut Vec::new());
        }
    };
    let paths = ["/api/report", "/rapport.html", "/rapport.csv"];
    drop_requests(&paths);
    source.set(true);
    assert_eq!(get(served.port, "/api/report").status, 200);
    assert_eq!(get(served.port, "/rapport.csv").status, 200);
    assert_eq!(source.read(), [None], "one computation has answered all");

    // The page is made of the same results.
    source.set(false);
    drop_requests(&["/rapport.html"]);
    source.set(true);
    assert_eq!(get(served.port, "/rapport.html").status, 200);
    let recordings = source.read();
    assert_eq!(recordings.iter().collect::<HashSet<_>>().len(), recordings.len());
    assert!(!recordings.is_empty() && !recordings.contains(&None));

    // More games are another computation, which their requests share.
    served.show(LiveState { played: games + 1, ..running() });
    for path in paths {
        assert_eq!(get(served.port, path).status, 200);
    }
    assert_eq!(source.read().iter().filter(|read| read.is_none()).count(), 1);
}

#[test]
fn a_page_whose_recordings_cannot_be_read_is_made_again() {
    let source = Arc::new(Gated::default());
    source.set(true);
    let served = Served::on(Arc::clone(&source) as _, running(), true);
    for (is_damaged, status) in [(true, 500), (false, 200)] {
        source.is_damaged.store(is_damaged, Ordering::Relaxed);
        assert_eq!(get(served.port, "/rapport.html").status, status);
    }
}

#[test]
fn page_tells_of_a_source_that_fails() {
    let served = Served::with(running(), true, false);
    assert_eq!(get(served.port, "/rapport.html").status, 500);
    assert_eq!(get(served.port, "/rapport.csv").status, 500);
    assert_eq!(get(served.port, "/api/report").status, 500);
    assert_eq!(get(served.port, "/").status, 200);
}

#[test]
fn broken_and_silent_viewers_are_tolerated() {
    let served = Served::start(running());
    let connect = || TcpStream::connect(("127.0.0.1", served.port)).unwrap();
    connect().write_all(b"\x16\x03\x01 no request\r\n\r\n").unwrap();
    let silent: Vec<_> = (0..20).map(|_| connect()).collect();
    // Opens viewers that never read.
    let deaf = |_| {
        let mut stream = connect();
        let upgrade = "Host: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
                       Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13";
        write!(stream, "GET /api/live HTTP/1.1\r\n{upgrade}\r\n\r\n").unwrap();
        stream
    };
    let viewers: Vec<_> = (0..20).map(deaf).collect();
    for _ in 0..200 {
        served.show(running());
    }
    assert_eq!(get(served.port, "/").status, 200);
    drop((silent, viewers));
}
