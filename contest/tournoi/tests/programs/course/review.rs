//! The review of a class: copied sources and games, for the teacher only.

use std::fs;

use serde_json::Value;

use super::{BOT, CONFIG, Open, wait};
use crate::Folder;

/// Code that two teams share, with a text that would be a script in a page.
const COPIED: &str = "
def paths(board, start, goals):
    seen, waiting = {start: 0}, [start]
    while waiting:
        cell = waiting.pop(0)
        for step in [(0, 1), (1, 0), (0, -1), (-1, 0)]:
            there = (cell[0] + step[0], cell[1] + step[1])
            if board.get(there, '<script>alert(1)</script>') != ' ' or there in seen:
                continue
            seen[there] = seen[cell] + 1
            if there in goals and not board.is_empty(there):
                return [seen[there] - offset * 2 for offset in range(len(goals))]
            waiting.append(there)
    return sorted(seen.values(), key=lambda value: -value)[:5]
";
const OWN: &str = "
class Memory:
    def __init__(self, size):
        self.size = size
        self.last = None

    def remember(self, what):
        try:
            self.last = what if what is not None else self.last
        except ValueError as error:
            raise RuntimeError(str(error)) from error
        finally:
            self.size += 1

    def forget(self):
        return {number: str(number) for number in range(self.size) if number % 3}
";

impl Open {
    fn review(&self) -> Value {
        let answer = self.http.post("/api/enseignant/equite", &self.teacher, b"");
        assert_eq!(answer.status, 202, "{}", answer.text());
        wait("a review", || {
            let review = self.get("/api/enseignant", &self.teacher).json()["review"].clone();
            review["progress"].is_null().then_some(review)
        })
    }
}

#[test]
fn copied_sources_are_shown_to_the_teacher_side_by_side() {
    let folder = Folder::new();
    fs::write(folder.path("donne.py"), BOT).unwrap();
    let course = Open::with(&folder, &format!("{CONFIG}fourni = ['donne.py']\n"));
    let before = course.review();
    assert_eq!((&before["last"]["programs"], &before["trouble"]), (&0.into(), &Value::Null));
    let teams = "nom;pseudonyme\nAda;\nBob;Zorro\nCléo;\nDan;\n";
    let tokens = course.add(teams);
    let copy = COPIED.replace("waiting", "todo").replace("seen", "known");
    let programs = [[BOT, COPIED], [BOT, &copy], [BOT, OWN], [BOT, ""]];
    let mut versions = Vec::new();
    for (token, program) in tokens.iter().zip(programs) {
        versions.push(course.hand_in(token, "bot.py", program.concat().as_bytes()));
    }
    for (token, version) in tokens.iter().zip(&versions) {
        assert_eq!(course.verdict(token, *version)["ready"], true);
    }
    wait("games", || {
        course.get("/api/cours", "").json()["games"].as_u64().filter(|games| *games > 3)
    });

    let last = course.review()["last"].clone();
    assert_eq!(last["programs"], 4, "{last}");
    assert_eq!(last["alike"].as_array().unwrap().len(), 1, "what was handed out counts: {last}");
    let pair = &last["alike"][0];
    assert_eq!(pair["teams"], Value::from(["Ada", "Bob"]), "{last}");
    assert!(pair["ofSmaller"].as_f64().unwrap() > 0.9, "{last}");
    assert!(last["games"].as_u64().unwrap() > 3 && last["spared"] == Value::from([0; 0]), "{last}");
    assert!(last["common"].as_array().unwrap().contains(&"Dan".into()), "{last}");

    let path = format!("/enseignant/ressemblance/{}/{}", versions[0], versions[1]);
    let page = course.get(&path, &course.teacher);
    let text = page.text();
    assert_eq!(page.status, 200, "{text}");
    assert!(page.head.to_lowercase().contains("default-src 'none'"), "{}", page.head);
    assert!(text.contains("Ada and Bob") && text.contains("todo.append(there)"), "{text}");
    assert!(text.contains("&lt;script&gt;alert(1)") && !text.contains("<script"), "{text}");
    // Only pairs of the review have a page.
    let other = format!("/enseignant/ressemblance/{}/{}", versions[0], versions[2]);
    for path in [other.as_str(), "/enseignant/ressemblance/1/x", "/enseignant/ressemblance/1"] {
        assert_eq!(course.get(path, &course.teacher).status, 404, "{path}");
    }
    // Nobody else gets it, with the token of a copying team, of another one, or without one.
    for token in [&tokens[0], &tokens[2], ""] {
        assert_eq!(course.get(&path, token).status, 401);
        assert_eq!(course.get("/api/enseignant", token).status, 401);
        assert_eq!(course.http.post("/api/enseignant/equite", token, b"").status, 401);
    }
}
