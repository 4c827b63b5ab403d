//! The page of a course in a browser.

#[path = "../../../../../core/replay/tests/browser/mod.rs"]
mod shared;

use std::time::{Duration, Instant};

use shared::Opened;

use super::{BOT, BROKEN, Open, PATIENCE, TEAMS, wait};
use crate::Folder;

/// Waits until a script returns true.
fn until(page: &Opened, script: &str) {
    let start = Instant::now();
    while page.evaluate(script) != true {
        let complaints = page.complaints.lock().unwrap();
        assert!(start.elapsed() < PATIENCE, "{script}: {complaints:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn shows(page: &Opened, text: &str) {
    until(page, &format!("document.body.textContent.includes({text:?})"));
}

#[test]
fn a_team_and_the_teacher_use_the_page() {
    let folder = Folder::new();
    let course = Open::new(&folder);
    let tokens = course.add(TEAMS);
    let page = |token: &str| {
        let address = format!("http://127.0.0.1:{}/?lang=fr#jeton={token}", course.http.0);
        Opened::at(&address, None)
    };

    // A file that is dropped becomes a version, and its verdict appears by itself.
    let ada = page(&tokens[0]);
    shows(&ada, "Déposer");
    assert_eq!(ada.evaluate("location.hash"), "", "the token is not in the address any more");
    ada.evaluate(&format!(
        "(() => {{ const data = new DataTransfer(); data.items.add(new File([{BROKEN:?}], 'bot.py')); \
         document.querySelector('.zone').dispatchEvent(new DragEvent('drop', {{ dataTransfer: data, bubbles: true }})); }})()"
    ));
    shows(&ada, "SyntaxError");
    // So does a program that the workshop keeps in this browser.
    ada.evaluate(&format!(
        "localStorage.setItem('pacman-iuto bots', JSON.stringify([{{ name: 'bot.py', text: {BOT:?} }}]))"
    ));
    until(&ada, "document.querySelector('.zone button') !== null");
    ada.evaluate("document.querySelector('.zone button').click()");
    shows(&ada, "prête, joue");
    wait("a game", || (!course.team(&tokens[0])["games"].as_array()?.is_empty()).then_some(()));
    until(&ada, "document.querySelector('#games button') !== null");
    // A recorded game is shown on the board of its page.
    ada.evaluate("document.querySelector('#games button').click()");
    until(
        &ada,
        "document.querySelector('#replay iframe')?.contentDocument?.querySelector('canvas') != null",
    );
    ada.evaluate("document.querySelector('#replay').close()");
    until(&ada, "document.querySelectorAll('#ladder tbody tr').length === 3");
    ada.check_access();
    ada.resize((390, 844));
    ada.check_width();

    // The teacher sees all teams, and invites others.
    let teacher = page(&course.teacher);
    shows(&teacher, "Cléo");
    teacher.evaluate("document.querySelector('#add form').requestSubmit()");
    until(&teacher, "document.querySelector('#add pre')?.textContent.includes('#code=') ?? false");
    // The sources of the class are compared at the push of a button.
    teacher.evaluate("document.querySelector('#review button').click()");
    shows(&teacher, "1 programme comparé");
    shows(&teacher, "examinée");
    teacher.check_access();
    let link = teacher.evaluate("document.querySelector('#add pre').textContent");
    let link = link.as_str().unwrap().to_owned();

    let eve = Opened::at(&link, None);
    shows(&eve, "Join the course");
    eve.evaluate(
        "document.querySelector('#join input').value = 'Eve'; document.querySelector('#join form').requestSubmit()",
    );
    shows(&eve, "Keep this link");
    shows(&eve, "Hand in");
    for page in [&ada, &teacher, &eve] {
        page.check_no_complaints();
    }
}
