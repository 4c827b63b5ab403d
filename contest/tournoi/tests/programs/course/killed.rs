//! A course whose program is killed during uploads, checks and games.

use std::thread;
use std::time::Duration;

use course::{Course, VersionState};

use super::{BOT, FILE, Open};
use crate::Folder;

/// `KILLS` is the number of kills; the default fits a test.
#[test]
fn after_kill_9_nothing_is_lost_or_doubled() {
    let kills = std::env::var("KILLS").map_or(4, |kills| kills.parse().unwrap());
    let config =
        "duree = 5\n[cours]\nniveaux = ['aleatoire', 'prudent']\ndepots_par_heure = 100000\n";
    let folder = Folder::new();
    let course = Open::with(&folder, config);
    let tokens = course.add("nom\nAda\nBob\n");
    // A version that is ready, so that games are played during the kills.
    let ready = course.hand_in(&tokens[0], "bot.py", BOT.as_bytes());
    course.verdict(&tokens[0], ready);
    let (mut course, mut accepted, mut games) = (Some(course), vec![ready], 0);
    // A low-discrepancy sequence of moments.
    let mut moment = 0.618_f64;
    for kill in 0..kills {
        let mut open = course.take().unwrap_or_else(|| Open::with(&folder, config));
        let (http, token) = (open.http, tokens[kill % 2].clone());
        let uploads = thread::spawn(move || {
            let mut accepted = Vec::new();
            for number in 0..40 {
                let answer =
                    http.upload(&token, "bot.py", format!("{BOT}\n# {kill} {number}").as_bytes());
                if answer.status != 202 {
                    break;
                }
                accepted.push(answer.json()["version"].as_u64().unwrap());
                thread::sleep(Duration::from_millis(30));
            }
            accepted
        });
        thread::sleep(Duration::from_millis(200) + Duration::from_secs(3).mul_f64(moment));
        moment = (moment + 0.618) % 1.0;
        open.process.kill().unwrap();
        open.process.wait().unwrap();
        drop(open);
        accepted.extend(uploads.join().unwrap());

        let reader = Course::open(&folder.path(FILE)).unwrap();
        let teams = reader.teams().unwrap();
        let versions: Vec<_> =
            teams.iter().flat_map(|team| reader.versions(team.id).unwrap()).collect();
        let ids: Vec<u64> = versions.iter().map(|it| it.id.number().into()).collect();
        assert!(accepted.iter().all(|id| ids.contains(id)), "{accepted:?} {ids:?}");
        // One more may have been kept whose answer was lost.
        assert!(ids.len() <= accepted.len() + kill + 1, "{accepted:?} {ids:?}");
        assert!(versions.iter().all(|it| it.state != VersionState::Checking));
        let found = reader.game_count().unwrap();
        assert!(found >= games, "{found} {games}");
        games = found;
        let recent = reader.recent_games(None, u32::MAX).unwrap();
        let seats: usize = recent
            .iter()
            .map(|game| game.seats.iter().filter(|seat| seat.player.version().is_some()).count())
            .sum();
        let counted: u32 = versions.iter().map(|it| it.games).sum();
        assert_eq!((recent.len() as u64, seats), (games, counted as usize));
        assert!(reader.missing().is_empty() && reader.leftovers().is_empty());
    }
}
