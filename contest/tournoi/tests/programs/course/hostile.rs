//! Uploads that attack the course, by HTTP; the crate `intake` tries many more kinds of archives.

use std::fs;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::{BOT, FILE, Open, wait};
use crate::Folder;

/// A tar archive with one entry of this name and kind.
fn tar(name: &str, kind: u8, link: &str, size: u64, content: &[u8]) -> Vec<u8> {
    let mut head = [0_u8; 512];
    head[..name.len()].copy_from_slice(name.as_bytes());
    head[100..107].copy_from_slice(b"0000644");
    head[124..135].copy_from_slice(format!("{size:011o}").as_bytes());
    head[156] = kind;
    head[157..157 + link.len()].copy_from_slice(link.as_bytes());
    head[257..263].copy_from_slice(b"ustar\0");
    head[148..156].fill(b' ');
    let sum: u32 = head.iter().map(|byte| u32::from(*byte)).sum();
    head[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
    let padding = vec![0; content.len().next_multiple_of(512) - content.len() + 1024];
    [&head[..], content, &padding].concat()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut file = GzEncoder::new(Vec::new(), Compression::best());
    file.write_all(bytes).unwrap();
    file.finish().unwrap()
}

#[test]
fn uploads_that_attack_are_refused_and_leave_nothing() {
    let folder = Folder::new();
    let course = Open::new(&folder);
    let token = course.add("nom\nAda\n").remove(0);
    let bomb = gzip(&tar("main.py", b'0', "", 200_000_000, &vec![0; 200_000_000]));
    let text = BOT.as_bytes();
    let uploads: [(&str, Vec<u8>); 13] = [
        ("bot.tar", tar("../../evil.py", b'0', "", 4, b"evil")),
        ("bot.tar", tar("/etc/evil.py", b'0', "", 4, b"evil")),
        ("bot.tar", tar("main.py", b'2', "/etc/passwd", 0, b"")),
        ("bot.tar", tar("main.py", b'1', "/etc/passwd", 0, b"")),
        ("bot.tar", tar("main.py", b'6', "", 0, b"")),
        ("bot.tar", tar("main.py", b'3', "", 0, b"")),
        ("bot.tar.gz", bomb),
        ("bot.zip", b"PK\x03\x04 no archive".to_vec()),
        ("empty.py", Vec::new()),
        ("../../evil.py", text.to_vec()),
        ("..", text.to_vec()),
        ("", text.to_vec()),
        ("notes.pdf", b"%PDF-1.7".to_vec()),
    ];
    for (name, content) in &uploads {
        let answer = course.http.upload(&token, name, content);
        let (status, text) = (answer.status, answer.text());
        // A path before a name does not count.
        if *name == "../../evil.py" && status == 202 {
            continue;
        }
        assert_eq!(status, 422, "{name}: {text}");
        assert!(!answer.json()["message"].as_str().unwrap().is_empty());
    }
    // Forms that are none, and uploads of nobody.
    let large = vec![b'x'; 20_500_000];
    assert_eq!(course.http.upload(&token, "large.py", &large).status, 413);
    for body in
        [&b""[..], b"no form", b"----a-mark-of-the-tests\r\n", b"------a-mark-of-the-tests--\r\n"]
    {
        assert_eq!(course.http.send_form(&token, body).status, 400);
    }
    assert_eq!(course.http.upload("", "bot.py", text).status, 401);
    assert_eq!(course.http.upload(&course.teacher, "bot.py", text).status, 401);

    let incoming = folder.path(&format!("{FILE}.versions/incoming"));
    let left = || fs::read_dir(&incoming).unwrap().count();
    wait("an empty folder", || (left() == 0).then_some(()));
    let found: Vec<_> =
        fs::read_dir(folder.path("")).unwrap().map(|it| it.unwrap().file_name()).collect();
    assert!(found.iter().all(|name| name.to_string_lossy().starts_with("cours")), "{found:?}");
    assert!(!folder.path("../evil.py").exists());
    // The course goes on.
    course.hand_in(&token, "bot.py", text);
}

#[test]
fn a_team_that_hands_in_too_often_is_told_when_it_may_again() {
    let folder = Folder::new();
    let course = Open::with(&folder, "duree = 5\n[cours]\ndepots_par_heure = 2\n");
    let token = course.add("nom\nAda\n").remove(0);
    for _ in 0..2 {
        course.hand_in(&token, "bot.py", b"print(1)\n");
    }
    let answer = course.http.upload(&token, "bot.py", b"print(2)\n");
    assert_eq!(answer.status, 429);
    assert!(answer.text().contains("the next one is possible in"), "{}", answer.text());
}
