//! Attempts of a team, or of anybody, to see something of another team.

use course::CourseReader;
use replay::{Recording, Thought};

use super::{BOT, FILE, Open, TEAMS, wait};
use crate::Folder;

/// A text in the files and the output of one team only.
const SECRET: &str = "xyzzy-of-bob";

#[test]
fn nothing_of_another_team_is_seen() {
    let folder = Folder::new();
    let course = Open::new(&folder);
    let [ada, bob, cleo] = <[String; 3]>::try_from(course.add(TEAMS)).unwrap();
    let loud =
        BOT.replace("return pacman + ghost", &format!("return pacman + ghost + ';{SECRET}'"));
    let loud = format!("print('{SECRET}', flush=True)\n{loud}");
    let own = course.hand_in(&ada, "bot.py", BOT.as_bytes());
    let theirs = course.hand_in(&bob, "secret.py", loud.as_bytes());
    course.verdict(&bob, theirs);
    course.verdict(&ada, own);
    // A game of both, and one of Bob without Ada.
    let games = || course.team(&bob)["games"].as_array().unwrap().clone();
    let has_ada = |game: &serde_json::Value| {
        game["seats"].as_array().unwrap().iter().any(|seat| seat["name"] == "Ada")
    };
    let key_of = |with: bool| {
        wait("a game", || {
            let game = games().into_iter().find(|game| has_ada(game) == with)?;
            Some(game["key"].as_str().unwrap().to_owned())
        })
    };
    let (shared, alone) = (key_of(true), key_of(false));
    let output = course.get(&format!("/api/parties/{alone}/sortie"), &bob);
    assert!(output.text().contains(SECRET), "{}", output.text());

    // The teacher has reviewed the class, and the copied sources are on a page.
    let reviewed = course.http.post("/api/enseignant/equite", &course.teacher, b"");
    assert_eq!(reviewed.status, 202, "{}", reviewed.text());
    let alike = format!("/enseignant/ressemblance/{own}/{theirs}");
    let page = wait("a review", || {
        let page = course.get(&alike, &course.teacher);
        (page.status == 200).then(|| page.text())
    });
    assert!(page.contains("secret.py"), "{page}");

    let mut attempts = Vec::new();
    for token in [ada.as_str(), &cleo, "", "0123456789abcdef0123456789abcdef"] {
        attempts.push(("GET", format!("/api/versions/{theirs}"), token));
        attempts.push(("POST", format!("/api/versions/{theirs}/retirer"), token));
        for what in ["", "/enregistrement", "/sortie"] {
            let start = if what.is_empty() { "" } else { "/api" };
            attempts.push(("GET", format!("{start}/parties/{alone}{what}"), token));
        }
        attempts.push(("GET", format!("/api/equipe/parties?avant={alone}"), token));
        attempts.push(("GET", "/api/enseignant".to_owned(), token));
        attempts.push(("GET", format!("/api/enseignant/parties?avant={alone}"), token));
        attempts.push(("POST", "/api/enseignant/equipes".to_owned(), token));
        attempts.push(("POST", "/api/enseignant/equipes/2/jeton".to_owned(), token));
        attempts.push(("POST", "/api/enseignant/fin".to_owned(), token));
        attempts.push(("POST", "/api/enseignant/equite".to_owned(), token));
        attempts.push(("GET", alike.clone(), token));
        attempts.push(("POST", "/api/enseignant/echelle/pause".to_owned(), token));
    }
    // The file of the course, its folder, and what lies beside them.
    for path in
        ["/cours.sqlite", "/cours.sqlite.versions/", "/../cours.sqlite", "/%2e%2e/cours.sqlite"]
    {
        attempts.push(("GET", path.to_owned(), &ada));
    }
    let mut refused = 0;
    for (method, path, token) in &attempts {
        let answer =
            course.http.ask(method, path, &format!("Authorization: Bearer {token}\r\n"), b"");
        let text = answer.text();
        let is_list = path.starts_with("/api/equipe/parties");
        assert!(!text.contains(SECRET) && !text.contains("secret.py"), "{method} {path}: {text}");
        assert!(!(is_list && text.contains(&alone)), "{method} {path}: {text}");
        assert!(
            (400..500).contains(&answer.status) || is_list,
            "{method} {path}: {}",
            answer.status
        );
        refused += 1;
    }
    assert!(refused >= 50, "{refused}");
    // Nobody has changed anything, and a wrong token locks out nobody else.
    assert_eq!(course.team(&bob)["plays"], theirs);

    // Of a common game, the recording is for both, the output and the thoughts of each for itself.
    for (token, has_thoughts) in [(&bob, true), (&ada, false), (&course.teacher, false)] {
        let page = course.get(&format!("/parties/{shared}"), token);
        assert_eq!((page.status, page.text().contains(SECRET)), (200, has_thoughts));
        let file = course.get(&format!("/api/parties/{shared}/enregistrement"), token);
        let recording = Recording::read(&file.body).unwrap();
        assert!(recording.damage.is_none() && recording.is_complete);
        // The output of a program is its own thought, too.
        let is_bobs = |thought: Thought| thought.text.contains(SECRET);
        assert_eq!(recording.thoughts.iter().any(is_bobs), has_thoughts);
    }
    let output = course.get(&format!("/api/parties/{shared}/sortie"), &ada);
    assert!(output.status == 200 && !output.text().contains(SECRET), "{}", output.text());
    let seen = course.team(&ada);
    let seats =
        seen["games"].as_array().unwrap().iter().flat_map(|it| it["seats"].as_array().unwrap());
    let others: Vec<_> = seats.filter(|seat| seat["kind"] != "own").collect();
    assert!(
        !others.is_empty() && others.iter().all(|it| it["cpu"].is_null() && it["fault"].is_null())
    );

    // The name of a team with a pseudonym is nowhere, from then on.
    let renamed = course.http.post("/api/equipe/pseudonyme", &bob, br#"{"pseudonyme": "Zorro"}"#);
    assert_eq!(renamed.status, 204, "{}", renamed.text());
    wait("the pseudonym", || {
        let ladder = course.get("/api/cours", "").json()["ladder"].to_string();
        (ladder.contains("Zorro") && !ladder.contains("Bob")).then_some(())
    });
    assert!(!course.team(&ada).to_string().contains("Bob"));
}

#[test]
fn tokens_are_compared_limited_and_never_kept() {
    let folder = Folder::new();
    let course = Open::new(&folder);
    let token = course.add("nom\nAda\n").remove(0);
    // The cookie works as the header does, and only scripts of the page itself may use it.
    let body = format!("{{\"jeton\": \"{token}\"}}");
    let login = course.http.post("/api/session", "", body.as_bytes());
    let head = login.head.to_lowercase();
    assert_eq!(login.status, 204);
    assert!(head.contains("httponly") && head.contains("samesite=strict"), "{head}");
    let cookie = format!("Cookie: a=b; jeton={token}\r\n");
    assert_eq!(course.http.ask("GET", "/api/equipe", &cookie, b"").status, 200);
    let foreign = format!("{cookie}Origin: http://evil.example\r\n");
    assert_eq!(course.http.ask("POST", "/api/equipe/jeton", &foreign, b"").status, 403);
    // Wrong ones are counted, the right one is always good.
    let wrong: Vec<_> =
        (0..12).map(|it| course.get("/api/equipe", &format!("{it:032x}")).status).collect();
    assert!(wrong.contains(&429) && wrong[0] == 401, "{wrong:?}");
    assert_eq!(course.get("/api/equipe", &token).status, 200);
    // A new one replaces it at once.
    let renewed = course.http.post("/api/equipe/jeton", &token, b"").json();
    let renewed = renewed["jeton"].as_str().unwrap();
    assert_ne!(course.get("/api/equipe", &token).status, 200);
    assert_eq!(course.get("/api/equipe", renewed).status, 200);
    course.close();
    let bytes = std::fs::read(folder.path(FILE)).unwrap();
    for secret in [token.as_str(), renewed] {
        assert!(!bytes.windows(32).any(|it| it == secret.as_bytes()));
    }
    assert!(CourseReader::open(&folder.path(FILE)).unwrap().who(renewed).unwrap().is_some());
}

#[test]
fn an_invitation_lets_teams_in_as_often_as_it_says() {
    let folder = Folder::new();
    let course = Open::new(&folder);
    let made = course.http.post(
        "/api/enseignant/invitation",
        &course.teacher,
        br#"{"groupe": "TD 3", "equipes": 2}"#,
    );
    let code = made.json()["code"].as_str().unwrap().to_owned();
    let join = |name: &str, code: &str| {
        let body =
            format!("{{\"code\": \"{code}\", \"nom\": \"{name}\", \"membres\": [\"A\", \"B\"]}}");
        course.http.post("/api/rejoindre", "", body.as_bytes())
    };
    let ada = join("Ada", &code);
    assert_eq!(ada.status, 201, "{}", ada.text());
    let token = ada.json()["jeton"].as_str().unwrap().to_owned();
    let team = course.team(&token);
    assert_eq!((team["name"].as_str(), team["group"].as_str()), (Some("Ada"), Some("TD 3")));
    assert_eq!(join("ADA", &code).status, 409);
    assert_eq!(join("Bob", &code).status, 201);
    assert_eq!(join("Eve", &code).status, 409);
    let guesses: Vec<_> = (0..12).map(|it| join("Eve", &format!("{it:032x}")).status).collect();
    assert!(guesses.contains(&429), "{guesses:?}");
}
