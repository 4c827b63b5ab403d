//! The page in which one plays without a server, in a real browser, from a file.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

#[path = "../../../core/replay/tests/browser/mod.rs"]
mod browser;
mod folder;

use browser::Opened;

/// Opens the page, and waits until it is ready.
fn open(address: &str, size: (u32, u32)) -> Opened {
    let page =
        Opened::at(&format!("file://{}/arene.html{address}", folder::page().display()), Some(size));
    page.wait("document.querySelectorAll('#plan option').length > 0");
    page
}

/// Waits until the page shows a turn.
fn wait_for_turn(page: &Opened, turn: u32) {
    page.wait(&format!("/^\\S+ {turn} \\//.test(document.getElementById('turn').textContent)"));
}

fn click(page: &Opened, id: &str) {
    page.evaluate(&format!("document.getElementById('{id}').click()"));
}

fn set(page: &Opened, id: &str, value: &str) {
    page.evaluate(&format!("document.getElementById('{id}').value = '{value}'"));
}

#[test]
fn one_click_and_one_plays_by_keys_buttons_and_advice() {
    for (address, size) in [("", (1440, 900)), ("?lang=fr", (390, 844))] {
        let page = open(address, size);
        page.check_access();
        set(&page, "length", "6");
        click(&page, "start");
        wait_for_turn(&page, 0);
        page.press("ArrowRight");
        wait_for_turn(&page, 1);
        page.evaluate("document.querySelector('[data-go=N]').click()");
        wait_for_turn(&page, 2);
        click(&page, "advice");
        let advice = page.evaluate("document.getElementById('told').textContent");
        assert!(advice.as_str().unwrap().starts_with("champion "), "{advice}");
        let expected = if address.is_empty() { "expects" } else { "attend" };
        assert!(advice.as_str().unwrap().contains(expected), "{advice}");
        click(&page, "undo");
        wait_for_turn(&page, 1);
        assert_eq!(page.evaluate("document.querySelectorAll('#games li').length"), 1);
        page.check_access();
        for turn in 2..=6 {
            page.press("ArrowLeft");
            wait_for_turn(&page, turn);
        }
        page.wait("!document.getElementById('winner').hidden");
        // A look back, and another game from there.
        click(&page, "first");
        wait_for_turn(&page, 0);
        click(&page, "branch");
        page.press("ArrowDown");
        wait_for_turn(&page, 1);
        // A link has the whole game so far; a broken one says so.
        click(&page, "link-game");
        let link = page.evaluate("document.getElementById('link-field').value");
        let (_, hash) = link.as_str().unwrap().split_once('#').unwrap();
        page.check_access();
        page.check_no_complaints();
        let joint = if address.is_empty() { "?lang=en#" } else { "#" };
        let linked = open(&format!("{address}{joint}{hash}"), size);
        click(&linked, "last");
        wait_for_turn(&linked, 1);
        linked.check_no_complaints();
        let broken = open(&format!("{address}{joint}{}", &hash[..hash.len() / 2]), size);
        broken.wait("document.getElementById('wrong').textContent !== ''");
        broken.check_no_complaints();
    }
}

#[test]
fn a_house_bot_plays_on_from_a_turn_beside_the_game_as_it_was() {
    let page = open("?lang=en", (1440, 900));
    set(&page, "length", "8");
    // In a drawn game, the bot could win as many points as these keys do, and its curves would hide the others.
    set(&page, "seed", "1");
    click(&page, "start");
    wait_for_turn(&page, 0);
    for turn in 1..=8 {
        page.press("ArrowUp");
        wait_for_turn(&page, turn);
    }
    let chart = "document.getElementById('track').toDataURL()";
    click(&page, "first");
    wait_for_turn(&page, 0);
    set(&page, "heir", "glouton");
    click(&page, "branch");
    page.wait("document.getElementById('told').textContent.includes('Dotted')");
    wait_for_turn(&page, 8);
    page.wait("!document.getElementById('winner').hidden");
    let compared = page.evaluate(chart);
    // The same game, opened from the list, has its own curves only.
    for game in ["#games li:last-child a", "#games li:first-child a"] {
        page.evaluate(&format!("document.querySelector('{game}').click()"));
        wait_for_turn(&page, 0);
    }
    click(&page, "last");
    wait_for_turn(&page, 8);
    assert_ne!(page.evaluate(chart), compared);
    page.check_access();
    page.check_no_complaints();
}

#[test]
fn rats_find_the_cheese() {
    let page = open("", (1280, 800));
    page.evaluate("document.querySelector('[value=pyrat]').click()");
    // In some mazes, the cheese is a step away, and the game ends with the first turn.
    set(&page, "seed", "1");
    click(&page, "start");
    wait_for_turn(&page, 0);
    set(&page, "pace", "10");
    page.evaluate("document.getElementById('pace').dispatchEvent(new Event('change'))");
    page.wait("parseInt(document.getElementById('turn').textContent.slice(5)) >= 2");
    page.check_no_complaints();
    // The paths of the searches stay beside the rat's, in this game and in the next ones.
    let told = "document.getElementById('told').textContent.includes('Dijkstra')";
    let board = "[...document.querySelectorAll('#board canvas')].map((canvas) => canvas.toDataURL()).join()";
    set(&page, "pace", "0");
    page.evaluate("document.getElementById('pace').dispatchEvent(new Event('change'))");
    page.evaluate(&format!("globalThis.before = {board}"));
    click(&page, "paths");
    page.wait(told);
    page.wait(&format!("{board} !== globalThis.before"));
    page.check_access();
    for act in ["undo", "branch"] {
        page.evaluate("document.getElementById('told').textContent = ''");
        click(&page, act);
        page.wait(told);
    }
    click(&page, "paths");
    assert_eq!(page.evaluate(told), false);
    page.check_no_complaints();
}

/// A file is named and read as when it is dropped.
fn drop(page: &Opened, name: &str, script: &str) {
    page.evaluate(&format!(
        "(async () => {{
            const files = new DataTransfer();
            files.items.add(new File([await (async () => {{ {script} }})()], {name:?}));
            document.dispatchEvent(new DragEvent('drop', {{ dataTransfer: files, bubbles: true }}));
        }})()"
    ));
}

#[test]
fn maps_and_recordings_are_dropped_and_wrong_ones_are_told() {
    let page = open("", (1280, 800));
    let wrong = || page.evaluate("document.getElementById('wrong').textContent");
    drop(&page, "partie.rejeu", "return 'no recording';");
    page.wait("document.getElementById('wrong').textContent !== ''");
    assert_eq!(wrong(), "this is no recording of a game");
    drop(&page, "carte.txt", "return '3;4\\n####\\n#?.#\\n####\\n';");
    page.wait("document.getElementById('plan').selectedOptions[0].text === 'carte.txt'");
    click(&page, "start");
    page.wait("document.getElementById('wrong').textContent !== ''");
    assert!(wrong().as_str().unwrap().contains('?'), "{}", wrong());
    drop(&page, "carte.txt", "return '3;12\\n############\\n#    .     #\\n############\\n';");
    set(&page, "length", "2");
    click(&page, "start");
    wait_for_turn(&page, 0);
    page.press("ArrowRight");
    wait_for_turn(&page, 1);
    // The saved recording can be opened again.
    page.evaluate(
        "URL.createObjectURL = (blob) => (window.saved = blob, 'data:,'); document.getElementById('save').click()",
    );
    drop(&page, "partie.rejeu", "return window.saved;");
    page.wait("document.getElementById('told').textContent.startsWith('No player is yours')");
    page.check_no_complaints();
}
