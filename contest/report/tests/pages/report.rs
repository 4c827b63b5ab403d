//! Tests of the report as one file.

use std::sync::LazyLock;
use std::time::SystemTime;

use plan::{Key, Voided};
use serde_json::json;

use crate::browser::Opened;
use crate::games::{Played, play_all, standings};

const HOSTILE: &str = "<img src=x onerror=alert(1)>";

const TEAMS: [(&str, &str); 7] = [
    ("Ada", "glouton"),
    (HOSTILE, "prudent"),
    ("=1+1", "aleatoire"),
    ("</script><script>alert(2)</script>", "glouton"),
    ("Équipe & \"fils\"", "prudent"),
    ("#equipe=Ada&x", "aleatoire"),
    ("Zoé", "glouton"),
];

static PLAYED: LazyLock<Played> = LazyLock::new(|| play_all(&TEAMS, &["petit", "plan1"], 2, 30));

/// Opens the report of the games from disk.
fn open(address: &str, size: (u32, u32)) -> Opened {
    Opened::file(&PLAYED.html(), address, Some(size))
}

#[test]
fn report_opens_from_disk_without_a_server() {
    let page = open("?lang=fr", (1280, 800));
    let names: Vec<_> = PLAYED.standings.rows.iter().map(|row| row.name.clone()).collect();
    assert_eq!(page.texts("#ranking .name"), names);
    assert_eq!(page.count("#ranking .whisker"), names.len());
    assert_eq!(page.count("img, #ranking script"), 0);
    assert!(page.text(".certainty").starts_with("Aucune équipe n'est reconnue la meilleure."));
    let racing = PLAYED.standings.rows.iter().filter(|row| row.risk > 0.05).count();
    assert!(racing > 3);
    let more = format!(", et {} autres.", racing - 3);
    assert!(page.text(".certainty").ends_with(&more), "{}", page.text(".certainty"));
    let wide = "document.querySelector('.ranking').offsetWidth > 0.95 * (innerWidth - 100)";
    assert_eq!(page.evaluate(wide), true);
    let titles = page.texts(".ranking thead th");
    assert!(titles.contains(&"mal formés".to_owned()), "{titles:?}");
    assert!(titles.iter().all(|title| !title.starts_with("P(")), "{titles:?}");
    // One row and one column of the matrix.
    let duels = &PLAYED.standings.head_to_head[0][1..];
    let shares = duels.iter().map(|duel| match duel.games {
        0 => "–".to_owned(),
        games => format!("{:.0}", (100.0 * duel.wins / f64::from(games)).round()),
    });
    let shown = page.texts("#duels tbody tr:first-child td:not(.self)");
    assert_eq!(shown, shares.collect::<Vec<_>>());
    assert!(page.text("#conditions").contains("18446744073709551615"));
    page.check_width();

    page.click("[data-language=en]");
    assert_eq!(page.text("#ranking h2"), "Final ranking");
    assert!(page.text(".certainty").starts_with("No team is shown to be the best."));
    assert_eq!(page.evaluate("document.documentElement.lang"), "en");
    page.check_no_complaints();
}

#[test]
fn a_disqualified_team_stands_below_the_ranking_with_its_reason() {
    let mut played = PLAYED.clone();
    let place = played.standings.rows.iter().position(|row| row.name == HOSTILE).unwrap();
    let mut row = played.standings.rows.remove(place);
    row.disqualified = Some("copied <b>all</b>".to_owned());
    played.standings.rows.push(row);
    // Games are missing.
    let html = played.html().replace(r#""over":true"#, r#""over":false"#);
    let page = Opened::file(&html, "?lang=fr", Some((1280, 800)));
    assert_eq!(page.text("#ranking h2"), "Classement");
    page.click("#projector");
    assert_eq!(page.text("#projection h2"), "Classement");
    page.click("#projector");
    assert_eq!(page.count("#ranking tbody tr"), TEAMS.len() - 1);
    assert_eq!(
        page.text("#ranking .disqualified"),
        format!("{HOSTILE} (disqualifiée)\u{a0}: copied <b>all</b>")
    );
    page.check_no_complaints();
}

#[test]
fn each_team_has_a_page() {
    let page = open("?lang=en", (1280, 800));
    for (name, _) in TEAMS {
        let place = PLAYED.standings.rows.iter().position(|row| row.name == name).unwrap();
        page.click(&format!("#ranking tbody tr:nth-child({}) .name", place + 1));
        page.wait(&format!(
            "document.querySelector('.title .name')?.textContent === {}",
            json!(name)
        ));
        assert_eq!(page.evaluate("document.querySelector('#overview').hidden"), true);
        let games: Vec<_> = PLAYED
            .outcomes
            .iter()
            .flat_map(|outcome| outcome.seats.iter().map(move |seat| (outcome, seat)))
            .filter(|(_, seat)| seat.team == name)
            .collect();
        assert_eq!(page.count(".games tbody tr"), games.len().min(20));
        let faults = games.iter().filter(|(_, seat)| seat.fault.is_some()).count();
        assert_eq!(page.count("ol.faults li"), faults);
        // The curve of ratings ends at the rating in the ranking.
        let curve = page.evaluate("document.querySelector('.curve').getAttribute('aria-label')");
        let rating = PLAYED.standings.rows[place].rating;
        let last = format!(", round 2: {rating:.0} (");
        assert!(curve.as_str().unwrap().contains(&last), "{curve} {last}");
        assert_eq!(page.count(".curve .dot"), 2);
        assert!(!page.texts(".plot text").contains(&"−0".to_owned()));
        // The means by map, and over all games.
        let mean = |map: Option<&str>| {
            let points = games
                .iter()
                .filter(|(outcome, _)| map.is_none_or(|map| outcome.map == map))
                .map(|(_, seat)| f64::from(seat.points));
            let points: Vec<f64> = points.collect();
            format!("{:.1}", points.iter().sum::<f64>() / points.len() as f64)
        };
        let shown = page.texts(".columns .card:nth-child(2) tbody td:nth-child(3)");
        let plain: Vec<_> =
            shown.iter().map(|number| number.replace(',', "").replace('−', "-")).collect();
        let expected = [mean(Some("petit")), mean(Some("plan1")), mean(None)];
        assert_eq!(plain.len(), expected.len(), "{plain:?}");
        for (shown, expected) in plain.iter().zip(&expected) {
            let [shown, expected] = [shown, expected].map(|text| text.parse::<f64>().unwrap());
            assert!((shown - expected).abs() < 0.11, "{plain:?} {expected}");
        }
        page.click(".back");
        page.wait("!document.querySelector('#overview').hidden");
    }
    // The page of all teams, for printing.
    page.evaluate("location.hash = '#equipes'");
    page.wait(&format!("document.querySelectorAll('article.team').length === {}", TEAMS.len()));
    assert_eq!(page.count("img"), 0);
    page.check_no_complaints();
}

#[test]
fn the_best_game_is_seen_in_the_page() {
    let page = open("?lang=fr#equipe=Ada", (1280, 800));
    page.wait("document.querySelector('.tile.open') !== null");
    let best = PLAYED
        .outcomes
        .iter()
        .flat_map(|outcome| &outcome.seats)
        .filter(|seat| seat.team == "Ada")
        .map(|seat| seat.points)
        .max()
        .unwrap();
    page.click(".tile.open");
    let inside = |script: &str| {
        format!(
            "(() => {{ const page = document.querySelector('#replay iframe')?.contentDocument;
               return Boolean(page?.querySelector('#line')) && ({script}); }})()"
        )
    };
    // The game plays by itself, under its own header only.
    page.wait(&inside("page.querySelector('#line').value > 0"));
    page.wait(&inside("page.documentElement.lang === 'fr'"));
    assert_eq!(
        page.evaluate("document.querySelector('#replay > header').checkVisibility()"),
        false
    );
    // The replay gets the keys.
    page.wait(&inside("page.hasFocus()"));
    page.press("Home");
    page.wait(&inside("page.querySelector('#line').value === '0'"));
    page.press("ArrowRight");
    page.wait(&inside("page.querySelector('#line').value === '1'"));
    page.press("End");
    page.wait(&inside("page.querySelector('#line').value === '30'"));
    let points = page.evaluate(&inside(
        "Array.from(page.querySelectorAll('#scores li'))
           .find((row) => row.querySelector('.name').textContent === 'Ada')
           .querySelector('.points').textContent.replace(/\\s/g, '')",
    ));
    assert_eq!(points, best.to_string());
    page.press("Escape");
    page.wait("!document.querySelector('#replay').open");
    assert_eq!(page.evaluate("location.hash"), "#equipe=Ada");

    // On a phone, the header has the button that closes.
    page.resize((390, 844));
    page.click(".tile.open");
    page.wait(&inside("page.querySelector('#line').value > 0"));
    page.wait(&inside("page.querySelector('.top .close')?.getBoundingClientRect().right <= 390"));
    page.evaluate(
        "document.querySelector('#replay iframe').contentDocument.querySelector('.close').click()",
    );
    page.wait("!document.querySelector('#replay').open");
    page.check_no_complaints();
}

#[test]
fn report_fits_small_and_large_screens() {
    let page = open("?lang=fr", (390, 844));
    let see_all = |check: &dyn Fn()| {
        page.wait("document.querySelector('#ranking .name') !== null");
        check();
        page.evaluate("location.hash = '#equipe=Ada'");
        page.wait("document.querySelector('article.team') !== null");
        check();
        page.press("p");
        page.wait("document.body.classList.contains('projecting')");
        assert_eq!(page.count("#projection .places li"), TEAMS.len());
        check();
        page.press("Escape");
        page.wait("document.querySelector('#projection').hidden");
        page.evaluate("location.hash = ''");
        page.wait("document.querySelector('article.team') === null");
    };
    assert_eq!(page.evaluate("innerWidth"), 390);
    see_all(&|| page.check_width());
    page.resize((1280, 720));
    see_all(&|| {
        page.check_width();
        page.check_access();
    });
    page.darken();
    see_all(&|| page.check_access());

    page.press("p");
    let bottom = "document.querySelector('#projection .places').getBoundingClientRect().bottom";
    page.wait(&format!("{bottom} > 0 && {bottom} <= 720"));
    page.check_no_complaints();
}

#[test]
fn targets_are_large_and_replays_are_reachable_on_phones() {
    let page = open("?lang=en", (390, 844));
    page.wait("document.querySelector('#ranking .name') !== null");
    page.check_targets();
    let whole = "(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)";
    let ranking = "(document.querySelector('#ranking .wide'))";
    assert_eq!(page.evaluate(&format!("{whole}{ranking}")), true);
    page.evaluate("location.hash = '#equipe=Ada'");
    page.wait("document.querySelector('.games [data-replay]') !== null");
    page.check_targets();
    let name = "(document.querySelector('.title .name'))";
    assert_eq!(page.evaluate(&format!("{whole}{name}")), true);
    let hidden = "Array.from(document.querySelectorAll('[data-replay]'))
        .filter((one) => one.getBoundingClientRect().right > innerWidth).length";
    assert_eq!(page.evaluate(hidden), 0);
    page.check_width();
    page.check_access();
}

#[test]
fn ranking_is_sorted_and_filtered() {
    let page = open("?lang=en", (1440, 900));
    let names = || page.texts("#ranking tbody .name");
    let ranked = names();
    let sorted_by = |key: fn(&rating::standings::Row) -> f64| {
        let mut rows: Vec<_> = PLAYED.standings.rows.iter().collect();
        rows.sort_by(|a, b| key(a).total_cmp(&key(b)));
        rows.iter().map(|row| row.name.clone()).collect::<Vec<_>>()
    };
    // Most points first, then fewest.
    page.evaluate("document.querySelector('[data-sort=points]').focus()");
    page.click("[data-sort=points]");
    page.wait("document.querySelector('th[aria-sort]')?.textContent === 'points'");
    let ascending = sorted_by(|row| row.record.mean_points);
    assert_eq!(names(), ascending.iter().rev().cloned().collect::<Vec<_>>());
    assert_eq!(page.evaluate("document.activeElement.dataset.sort"), "points");
    page.click("[data-sort=points]");
    page.wait("document.querySelector('th[aria-sort=ascending]') !== null");
    assert_eq!(names(), ascending);
    page.click("[data-sort=rank]");
    page.wait("document.querySelector('th[aria-sort] button').dataset.sort === 'rank'");
    assert_eq!(names(), ranked);
    page.check_access();

    // The filter knows neither case nor accents.
    page.evaluate("document.querySelector('#filter').focus()");
    for key in ["z", "o", "e"] {
        page.press(key);
    }
    page.wait("document.querySelectorAll('#ranking tbody tr').length === 1");
    assert_eq!(names(), ["Zoé"]);
    assert_eq!(page.evaluate("document.activeElement.id"), "filter");
    assert_eq!(page.evaluate("document.body.classList.contains('projecting')"), false);
    page.press("p");
    page.wait("document.querySelectorAll('#ranking tbody tr').length === 0");
    assert_eq!(page.evaluate("document.body.classList.contains('projecting')"), false);
    page.check_no_complaints();
}

#[test]
fn the_own_team_is_remembered_and_highlighted() {
    let page = open("?lang=en#equipe=Ada", (1440, 900));
    let own = "document.querySelector('[data-own]')";
    page.wait(&format!("{own}?.getAttribute('aria-pressed') === 'false'"));
    page.click("[data-own]");
    page.wait(&format!("{own}.getAttribute('aria-pressed') === 'true'"));
    page.check_access();
    page.evaluate("location.hash = ''; location.reload()");
    page.wait("document.querySelector('#ranking tr.own .name')?.textContent === 'Ada'");
    assert_eq!(page.count("#ranking tr.own"), 1);
    page.check_access();
    page.darken();
    page.check_access();
    page.evaluate("location.hash = '#equipe=Ada'");
    page.wait(&format!("{own}?.getAttribute('aria-pressed') === 'true'"));
    page.click("[data-own]");
    page.wait(&format!("{own}.getAttribute('aria-pressed') === 'false'"));

    // A browser that stores nothing highlights the team until the page is closed.
    page.evaluate(
        "Object.defineProperty(window, 'localStorage',
           { get() { throw new DOMException('no', 'SecurityError'); } }); 0",
    );
    page.click("[data-own]");
    page.evaluate("location.hash = ''");
    page.wait("document.querySelector('#ranking tr.own .name')?.textContent === 'Ada'");
    page.check_no_complaints();
}

#[test]
fn injected_scripts_do_not_run() {
    let page = open("", (1280, 800));
    let injected = page.evaluate(
        "new Promise((done) => {
            document.addEventListener('securitypolicyviolation', () => done('refused'));
            window.run = () => done('ran');
            const script = document.createElement('script');
            script.textContent = 'run()';
            document.body.append(script);
        })",
    );
    assert_eq!(injected, "refused");
}

#[test]
fn voided_results_lots_and_teams_without_games_are_shown() {
    let mut results = PLAYED.clone();
    let mut outcome = results.outcomes[0].clone();
    let game = outcome.key;
    outcome.key = Key::from_bytes([7; 16]);
    let reason = HOSTILE.to_owned();
    results.voids = vec![Voided { game, outcome, at: SystemTime::UNIX_EPOCH, reason }];
    results.lots = [vec!["Ada".to_owned()], vec!["Zoé".to_owned()]];
    let mut late = results.plan.teams[0].clone();
    late.name = "Late".to_owned();
    results.plan.teams.push(late);
    results.standings = standings(&results.plan, &results.outcomes);
    let page = Opened::file(&results.html(), "?lang=en", Some((1280, 800)));
    let notes = page.text("#notes");
    assert!(notes.contains(&game.to_string()[..8]) && notes.contains(HOSTILE), "{notes}");
    assert!(
        notes.contains("played again") && notes.contains("Ada in the final, Zoé not"),
        "{notes}"
    );
    assert!(page.text("#ranking").contains("Late (no game yet)"));
    assert_eq!(page.count("#ranking tbody tr"), TEAMS.len());
    page.check_no_complaints();
}

#[test]
fn games_of_another_version_and_broken_recordings_are_left_out() {
    let Played { plan, mut outcomes, voids, lots, .. } = PLAYED.clone();
    let ada = |outcome: &plan::Outcome| {
        outcome.seats.iter().any(|seat| seat.team == "Ada" && !seat.is_house)
    };
    let all = outcomes.iter().filter(|outcome| ada(outcome)).count();
    let changed = outcomes.iter().position(ada).unwrap();
    for seat in outcomes[changed].seats.iter_mut().filter(|seat| seat.team == "Ada") {
        seat.version = "0".into();
    }
    for outcome in &mut outcomes {
        outcome.recording.truncate(9);
    }
    let standings = standings(&plan, &outcomes);
    let results = Played { plan, outcomes, standings, voids, lots };
    let data = results.data();
    let place = results.standings.rows.iter().position(|row| row.name == "Ada").unwrap();
    assert_eq!(data.teams[place].all.games, all - 1);
    assert!(data.extremes().next().is_some());
    let html = results.html();
    assert!(html.contains("\"films\":{}"));
}
