use std::fs;
use std::time::Duration;

use bots::{Bot, Budget, HouseGame, Situation};
use course::{Course, LadderSeat, NewTeam, Sealed, Traces};
use game::pacman::{Colour, Direction, Orders, Rules, StateText, maps};
use graph::Distances;
use replay::{Answer, Given, Marks, PacmanSetup, Recorder, Setup, Turn};

use super::*;

/// Number of teams.
const TEAMS: usize = 10;

/// Draws the teams of a game, by seat.
fn seats(number: u32) -> [usize; SEATS] {
    let mut teams: [usize; TEAMS] = std::array::from_fn(|team| team);
    let mut lot = number.wrapping_mul(2_654_435_761);
    for place in 0..SEATS {
        lot = lot.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        teams.swap(place, place + (lot >> 8) as usize % (TEAMS - place));
    }
    std::array::from_fn(|seat| teams[seat])
}

/// A pacman that goes anywhere, and a ghost that hunts the nearest pacman but a spared one.
struct Hunter {
    lot: u32,
    spared: Option<Colour>,
    distances: Distances,
}

impl Bot for Hunter {
    fn play(&mut self, Situation { view, me, .. }: &Situation<'_>) -> Orders {
        self.lot = self.lot.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let pacman = Some(Direction::ALL[(self.lot >> 30) as usize]);
        let Some(player) = view.player(*me) else { return Orders::default() };
        let players = Colour::first(SEATS).zip(view.players());
        let prey = players.filter(|(colour, _)| colour != me && Some(*colour) != self.spared);
        let prey: Vec<_> =
            prey.map(|(_, other)| other.pacman).filter(|cell| *cell != player.ghost).collect();
        self.distances.fill_to_nearest(view.board(), player.ghost, &prey);
        let nearest = prey.into_iter().min_by_key(|cell| self.distances.to(*cell));
        let ghost = nearest.and_then(|cell| self.distances.first_step(view.board(), cell));
        Orders { pacman, ghost }
    }
}

/// The recording of a game between teams, in which the teams 0 and 1 spare each other. All games have the same names.
fn recorded(teams: [usize; SEATS], seed: u32) -> Vec<u8> {
    let hunter = |seat: usize| {
        let partner = teams.iter().position(|other| teams[seat] < 2 && *other == 1 - teams[seat]);
        let lot = 4 * seed + u32::try_from(seat).expect("a seat");
        let spared = partner.and_then(Colour::new);
        Box::new(Hunter { lot, spared, distances: Distances::default() }) as Box<dyn Bot>
    };
    let (map, rules, turns, seed) = (maps::plan1(), Rules::SUJET, 60, seed.into());
    let names: Vec<_> = ["Zorro", "Bernardo", "Garcia", "Diego"].map(str::to_owned).into();
    let mut game = HouseGame::start(&map, rules, turns, seed, (0..SEATS).map(hunter).collect());
    let mut text = StateText::new(names.clone());
    let setup = PacmanSetup { map, rules, seed, turns, names };
    let (mut recorder, mut bytes) = Recorder::start(Setup::Pacman(setup));
    while !game.state().view().is_over() {
        let answer = |me| {
            let orders = game.ask(me, Budget::default());
            Given::in_time(Answer::Orders(orders), Duration::ZERO)
        };
        let answers = Colour::first(SEATS).map(answer).collect();
        game.play_asked(|_, _| {});
        let turn = Turn { answers, marks: Marks::of_pacman(game.state()) };
        bytes.extend(recorder.turn(turn, replay::hash(text.write(game.state().view()))));
    }
    bytes.extend(recorder.end(replay::hash(text.write(game.state().view()))));
    bytes
}

fn version(course: &mut Course, team: TeamId, text: &str) -> VersionId {
    let upload = course.incoming().join("upload");
    fs::create_dir_all(&upload).unwrap();
    fs::write(upload.join("main.py"), text).unwrap();
    let sealed = Sealed::of(upload).unwrap();
    let version = course.hand_in(team, sealed, "{}", 1).unwrap();
    course.next_check().unwrap();
    course.judge(version, "{}", true).unwrap();
    version
}

#[test]
fn teams_that_spare_each_other_are_found_by_their_seats() {
    let folder = tempfile::tempdir().unwrap();
    let (mut course, _) = Course::create(&folder.path().join("cours.sqlite"), 1).unwrap();
    let teams: Vec<_> = (0..TEAMS)
        .map(|number| NewTeam { name: format!("Team {number}"), ..NewTeam::default() })
        .map(|team| course.add_team(&team, 1).unwrap().0)
        .collect();
    let mut keys = Vec::new();
    for half in 0..2_u32 {
        // New versions play on for their teams.
        let versions: Vec<_> = teams
            .iter()
            .map(|team| version(&mut course, *team, &format!("# {team} {half}")))
            .collect();
        for number in 150 * half..150 * (half + 1) {
            let seats = seats(number);
            let seat = |team: usize| LadderSeat {
                player: Player::Version(versions[team]),
                place: 1,
                points: 0,
                fault: None,
                cpu: 1,
            };
            let key = Key::from_bytes(u128::from(number).to_be_bytes());
            let game =
                LadderGame { key, at: 1, map: "plan1".to_owned(), seed: 1, seats: seats.map(seat) };
            let recording = recorded(seats, number);
            keys.push(key);
            course.keep_games(&[(game, Traces { recording, ..Traces::default() })]).unwrap();
        }
    }
    // A damaged recording is left out.
    let damaged = Traces { recording: vec![7; 100], ..Traces::default() };
    let mut game = course.game(keys[0]).unwrap().unwrap();
    game.key = Key::from_bytes([255; 16]);
    course.keep_games(&[(game, damaged)]).unwrap();

    let mut told = Vec::new();
    let far = Instant::now() + Duration::from_secs(3600);
    let found = find(&course, far, |games| told.push(games)).unwrap();
    assert_eq!((found.games, told.last()), (keys.len(), Some(&(keys.len() as u32))));
    assert!(found.tested > 30, "{found:?}");
    let [pair] = &found.pairs[..] else { panic!("{found:?}") };
    assert_eq!(pair.teams, [teams[0], teams[1]]);
    assert!(pair.examples.len() == 3 && pair.examples.iter().all(|key| keys.contains(key)));
    // Without time, nothing is read and nobody accused.
    let none = find(&course, Instant::now(), |_| {}).unwrap();
    assert_eq!((none.games, none.pairs.len()), (0, 0));
}
