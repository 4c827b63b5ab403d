use game::pacman::{Event, Map, Orders, Reading, Seeded, State};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use referee::Cause;
use replay::{Answer, Given, PacmanSetup, Recorder, Setup, Turn};

use super::*;
use crate::viewer::Theme;

/// Messages to a spectator of a game of four turns, which has 21 states.
fn news() -> Vec<News> {
    let map: Map = include_str!("../../../../cartes/petit.txt").parse().unwrap();
    let mut chance = Seeded::new(1);
    let mut state = State::start(&map, Rules::SUJET, 4, 2, &mut chance);
    let names = vec!["Ada".to_owned(), "Bob".to_owned()];
    let news =
        |state: &State| News::State(Reading { view: state.view().clone(), names: names.clone() });
    let mut all = vec![news(&state)];
    for _ in 0..4 {
        state.play_turn(&[Orders::default(); 2], &mut chance, |event, state| {
            if matches!(event, Event::Done(_) | Event::TurnEnded) {
                all.push(news(state));
            }
        });
    }
    all
}

fn model(states: usize) -> Model {
    let mut model = Model::new("here:1111".to_owned(), Rules::SUJET);
    news().into_iter().take(states).for_each(|news| model.hear(news));
    model
}

/// A recording of a game in which two players miss every turn.
fn recording(map: &str, turns: u32) -> Recording {
    let mut recording = Recording::new(Setup::Pacman(PacmanSetup {
        map: map.parse().unwrap(),
        rules: Rules::SUJET,
        seed: 1,
        turns,
        names: vec!["Ada".to_owned(), "Bob".to_owned()],
    }));
    for turn in 0..turns {
        let mut answers = vec![Given::nothing(Answer::Missed); 2];
        answers[1].cause = Some(Cause::Host(Duration::from_millis(turn.into())));
        recording.turns.push(&Turn { answers, ..Turn::default() });
    }
    recording
}

const MAP: &str = include_str!("../../../../cartes/petit.txt");

#[test]
fn thoughts_are_drawn_with_the_state_that_they_are_about_and_told_with_their_turn() {
    let recording = recording(MAP, 50);
    let (mut recorder, mut bytes) = Recorder::start(recording.setup.clone());
    for (number, turn) in (1..).zip(recording.turns.iter()) {
        let ada = Colour::new(0).unwrap();
        recorder.think((number == 3).then(|| (ada, "to it;path 1,1 ES;cell 9,9".to_owned())));
        bytes.extend(recorder.turn(turn, 0));
    }
    bytes.extend(recorder.end(0));
    let recording = Recording::read(&bytes).unwrap();
    let mut model = Model::recording("game".to_owned(), recording);
    let dims = Dims::new(10, 10).unwrap();
    model.obey(Command::Oldest);
    let mut shown = Vec::new();
    while model.behind() > Some(0) {
        let cells: Vec<_> = model.thoughts(dims).into_iter().map(|(_, at)| at).collect();
        let at = |row, col| Pos { row, col };
        let expected = vec![at(1, 1), at(1, 2), at(2, 2), at(9, 9)];
        let elapsed = model.shown().unwrap().elapsed();
        assert_eq!(cells, if elapsed == 2 { expected } else { Vec::new() }, "{elapsed}");
        shown.push(elapsed);
        model.obey(Command::Forward);
    }
    assert!(shown.contains(&2));
    let told = model
        .past()
        .flat_map(|moment| moment.remarks.clone().into_iter().map(|it| (moment.turn, it.1)));
    let told: Vec<_> = told.filter(|(_, text)| text.starts_with("to it")).collect();
    assert_eq!(told, [(3, "to it;path 1,1 ES;cell 9,9".to_owned())]);
}

#[test]
fn a_recording_shows_every_state_wherever_it_is_entered() {
    use Command::{Back, Forward, Newest, Oldest, TurnBack, TurnForward};
    let turns = 3000;
    let mut model = Model::recording("game".to_owned(), recording(MAP, turns));
    model.obey(Oldest);
    // The states, one after the other.
    let mut views = Vec::new();
    while model.behind() > Some(0) {
        views.push(format!("{:?}", model.shown().unwrap().scene));
        model.obey(Forward);
    }
    assert_eq!((views.len(), model.at()), (5 * 3000, Some(15_000)));
    assert!(model.shown().unwrap().is_over());
    let remark =
        |model: &Model, index: usize| model.past().flat_map(|m| &m.remarks).nth(index).cloned();
    let told = "nothing came in time (host: stalled for 2999 ms)";
    assert_eq!(remark(&model, 1).unwrap().1, told);
    assert_eq!(remark(&model, 0).unwrap().1, "nothing came in time");
    for at in (0..15_000).rev() {
        model.obey(Back);
        assert_eq!(model.at(), Some(at));
        // The first state of a history has no past.
        let shown = model.shown().unwrap();
        assert_eq!(shown.elapsed(), (at / 5) as u32);
        if at % 500 == 3 {
            assert_eq!(format!("{:?}", shown.scene), views[at as usize]);
        }
    }
    for (command, at) in [
        (Newest, 15_000),
        (TurnBack, 14_995),
        (Back, 14_994),
        (TurnBack, 14_990),
        (TurnForward, 14_995),
        (TurnForward, 15_000),
        (TurnForward, 15_000),
        (Oldest, 0),
        (TurnBack, 0),
        (Forward, 1),
        (TurnForward, 5),
    ] {
        model.obey(command);
        assert_eq!(model.at(), Some(at), "after {command:?}");
        assert_eq!(u64::from(model.shown().unwrap().elapsed()), at / 5);
    }
}

#[test]
fn the_states_of_a_recording_on_a_large_board_are_not_all_remembered() {
    let map = format!("500;500\n{}", format!("{}\n", " ".repeat(500)).repeat(500));
    let mut model = Model::recording("game".to_owned(), recording(&map, 100));
    for (command, at) in [
        (Command::Newest, 500),
        (Command::Oldest, 0),
        (Command::TurnForward, 5),
        (Command::Newest, 500),
    ] {
        model.obey(command);
        assert_eq!(model.at(), Some(at));
        assert_eq!(u64::from(model.shown().unwrap().elapsed()), at / 5);
        let (oldest, newest) = model.history().ends().unwrap();
        assert!((0..=300).contains(&(newest - oldest)), "{oldest} to {newest}");
    }
}

#[test]
fn a_recording_plays_from_its_beginning_at_the_speed_that_is_wanted() {
    use Command::{Back, Faster, Forward, Newest, Oldest, Pause, Slower};
    let mut model = Model::recording("game".to_owned(), recording(MAP, 4));
    assert_eq!((model.at(), model.playing()), (Some(0), Some((true, 8))));
    model.obey(Faster);
    assert_eq!(model.pace(), Some(Duration::from_secs(1) / 16));
    for _ in 0..20 {
        assert_eq!(model.obey(Slower), None);
    }
    assert_eq!(model.pace(), Some(Duration::from_secs(1)));
    for at in 1..=20 {
        model.advance();
        assert_eq!(model.at(), Some(at));
    }
    assert_eq!((model.pace(), model.playing()), (None, Some((false, 1))), "at its end");
    for (command, at, plays) in [
        (Pause, 0, true),
        (Forward, 1, false),
        (Pause, 1, true),
        (Newest, 20, false),
        (Back, 19, false),
        (Oldest, 0, false),
        (Pause, 0, true),
        (Pause, 0, false),
    ] {
        assert_eq!(model.obey(command), None);
        let playing = model.playing().map(|(plays, _)| plays);
        assert_eq!((model.at(), playing), (Some(at), Some(plays)), "after {command:?}");
    }
}

#[test]
fn stepping_goes_through_what_was_seen() {
    use Command::{Back, Forward, Newest, Oldest, Pause, TurnBack, TurnForward};
    let mut model = model(12);
    for (command, at, behind) in [
        (Forward, 11, None),
        (TurnForward, 11, None),
        (Back, 10, Some(1)),
        (Back, 9, Some(2)),
        (TurnBack, 5, Some(6)),
        (TurnBack, 0, Some(11)),
        (TurnBack, 0, Some(11)),
        (Back, 0, Some(11)),
        (Forward, 1, Some(10)),
        (TurnForward, 5, Some(6)),
        (TurnForward, 10, Some(1)),
        (TurnForward, 11, Some(0)),
        (Forward, 11, Some(0)),
        (Oldest, 0, Some(11)),
        (Newest, 11, None),
        (Pause, 11, Some(0)),
        (Pause, 11, None),
    ] {
        assert_eq!(model.obey(command), None);
        assert_eq!((model.at(), model.behind()), (Some(at), behind), "after {command:?}");
    }
}

#[test]
fn the_game_goes_on_behind_a_pause() {
    let mut model = model(5);
    model.obey(Command::Pause);
    let before = model.shown().unwrap().elapsed();
    news().into_iter().skip(5).for_each(|news| model.hear(news));
    assert_eq!(model.behind(), Some(16));
    assert_eq!(model.shown().unwrap().elapsed(), before);
    assert!(model.newest().unwrap().is_over());
    model.obey(Command::Pause);
    assert_eq!(model.behind(), None);
    assert!(model.shown().unwrap().is_over());
}

#[test]
fn forgotten_states_are_not_shown() {
    let mut model = model(21);
    model.obey(Command::Oldest);
    for _ in 0..=History::MOMENTS / 21 {
        for news in news() {
            model.hear(news);
        }
    }
    assert_eq!(model.behind(), Some(History::MOMENTS as u64 - 1));
    model.obey(Command::Back);
    assert_eq!(model.behind(), Some(History::MOMENTS as u64 - 1));
}

#[test]
fn players_are_followed_in_turn_or_by_their_letter() {
    let mut model = model(1);
    let followed = |model: &mut Model, command| {
        model.obey(command);
        model.followed().map(Colour::letter)
    };
    let [a, b, c] = [0, 1, 2].map(|index| Colour::new(index).unwrap());
    for (command, expected) in [
        (Command::FollowNext, Some('A')),
        (Command::FollowNext, Some('B')),
        (Command::FollowNext, None),
        (Command::FollowLast, Some('B')),
        (Command::FollowLast, Some('A')),
        (Command::FollowLast, None),
        (Command::Follow(b), Some('B')),
        (Command::Follow(a), Some('A')),
        (Command::Follow(c), Some('A')),
        (Command::Follow(a), None),
    ] {
        assert_eq!(followed(&mut model, command), expected, "after {command:?}");
    }
}

#[test]
fn a_lost_line_is_forgotten_when_a_state_comes() {
    let mut model = model(1);
    model.hear(News::Line(Line::Lost));
    model.hear(News::Line(Line::Connected));
    assert_eq!(*model.status(), Status::Lost);
    model.hear(news().swap_remove(1));
    assert_eq!(*model.status(), Status::Live);
}

#[test]
fn events_of_an_episode_are_one_line_of_the_log() {
    // Without orders, both pieces of both players make a false move in each of the four turns.
    let mut terminal = Terminal::new(TestBackend::new(120, 40)).unwrap();
    terminal.draw(|frame| crate::viewer::draw(frame, &model(21), Theme::new(false))).unwrap();
    let screen = terminal.backend().to_string();
    for expected in ["  4 B false move ×8", "  4 A false move ×8"] {
        assert_eq!(screen.matches(expected).count(), 1, "{expected}\n{screen}");
    }
    assert_eq!(screen.matches("false move").count(), 2, "{screen}");
}
