//! The screen of the viewer at several sizes and in several states, without its colours.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod played;

use client::News;
use client::viewer::{BoardSize, Command, Model, Scene, Status, Theme, draw};
use game::pacman::{Colour, Rules, StateReader, StateText};
use game::pyrat::{Maze, Start, State};
use insta::assert_snapshot;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::style::{Color, Modifier};

const PLAN1: &str = include_str!("../../cartes/plan1.txt");
const GRAND: &str = include_str!("../../cartes/grand.txt");

/// The model of the viewer after the first `states` states of a game of 200 turns; a turn has nine states.
fn model(map: &str, states: usize) -> Model {
    let mut model = Model::new("127.0.0.1:1111".to_owned(), Rules::SUJET);
    for reading in played::game(map, 200).into_iter().take(states) {
        model.hear(News::State(reading));
    }
    model
}

/// The model of the viewer after the first `states` states of a game of PyRat.
fn maze(width: u16, height: u16, start: &Start, states: usize) -> Model {
    let mut model = Model::new("127.0.0.1:1111".to_owned(), Rules::SUJET);
    for reading in played::rats(width, height, start, 21).into_iter().take(states) {
        model.hear(News::PyRat(reading));
    }
    model
}

fn terminal(model: &Model, width: u16, height: u16, theme: Theme) -> Terminal<TestBackend> {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| draw(frame, model, theme)).unwrap();
    terminal
}

fn screen(model: &Model, width: u16, height: u16) -> TestBackend {
    terminal(model, width, height, Theme::new(true)).backend().clone()
}

fn obey(model: &mut Model, commands: &[Command]) {
    for &command in commands {
        assert_eq!(model.obey(command), None);
    }
}

#[test]
fn an_early_state() {
    let model = model(PLAN1, 9 * 12 + 4);
    assert_snapshot!("early-80x24", screen(&model, 80, 24));
    assert_snapshot!("early-120x40", screen(&model, 120, 40));
    assert_snapshot!("early-200x60", screen(&model, 200, 60));
}

#[test]
fn the_last_state() {
    let model = model(PLAN1, usize::MAX);
    assert!(model.shown().unwrap().is_over());
    assert_snapshot!("last-80x24", screen(&model, 80, 24));
    assert_snapshot!("last-120x40", screen(&model, 120, 40));
    assert_snapshot!("last-200x60", screen(&model, 200, 60));
}

#[test]
fn a_pause_while_the_game_goes_on() {
    let mut model = model(PLAN1, 9 * 100);
    obey(&mut model, &[Command::Follow(Colour::new(1).unwrap())]);
    obey(&mut model, &[Command::TurnBack; 40]);
    assert_snapshot!("paused-80x24", screen(&model, 80, 24));
    assert_snapshot!("paused-120x40", screen(&model, 120, 40));
    obey(&mut model, &[Command::Help]);
    assert_snapshot!("help-80x24", screen(&model, 80, 24));
}

#[test]
fn a_server_that_is_gone_and_one_that_stops_the_game() {
    let mut model = model(PLAN1, 9 * 60);
    model.end(Status::Gone);
    assert_snapshot!("gone-80x24", screen(&model, 80, 24));
    model.end(Status::Over);
    assert_snapshot!("stopped-120x40", screen(&model, 120, 40));
}

#[test]
fn a_board_that_does_not_fit_scrolls_with_the_followed_player() {
    let mut model = model(GRAND, 9 * 60);
    let fourth = Colour::new(3).unwrap();
    obey(&mut model, &[Command::Follow(fourth)]);
    assert_snapshot!("scrolled-80x24", screen(&model, 80, 24));
    // Wherever it goes, it is seen.
    obey(&mut model, &[Command::Oldest]);
    while model.behind() > Some(0) {
        obey(&mut model, &[Command::TurnForward]);
        let screen = terminal(&model, 80, 24, Theme::new(true));
        let board = |x, y| screen.backend().buffer().cell((x, y)).unwrap().symbol();
        let seen = (1..23).any(|y| (0..60).any(|x| board(x, y) == "D"));
        assert!(seen, "{}", screen.backend());
    }
}

#[test]
fn the_size_of_the_board_may_be_chosen() {
    let mut model = model(PLAN1, 9 * 60);
    for size in [Some(BoardSize::Small), Some(BoardSize::Medium), Some(BoardSize::Large), None] {
        obey(&mut model, &[Command::Resize]);
        assert_eq!(model.size(), size);
        if size == Some(BoardSize::Small) {
            assert_snapshot!("small-80x24", screen(&model, 80, 24));
        }
        if size == Some(BoardSize::Large) {
            assert_snapshot!("large-80x24", screen(&model, 80, 24));
        }
    }
}

#[test]
fn a_terminal_that_is_too_small_is_told() {
    let model = model(PLAN1, 1);
    assert_snapshot!(screen(&model, 60, 2), @r#"
    "This terminal has 60 columns and 2 rows, and the viewer     "
    "needs 80 and 24. q quits.                                   "
    "#);
    for (width, height) in [(79, 24), (80, 23), (1, 1), (0, 0)] {
        screen(&model, width, height);
    }
}

#[test]
fn before_the_first_state_nothing_is_shown() {
    let screen = screen(&Model::new(String::new(), Rules::SUJET), 80, 24);
    assert!(screen.buffer().content().iter().all(|cell| cell.symbol() == " "));
}

#[test]
fn a_board_without_players_is_a_board_all_the_same() {
    let text =
        "0;200\n--------------------\n3;5\n# # #\n .$. \n# # #\n0\n0\n--------------------\n";
    let reading = StateReader::new().read(text.as_bytes()).unwrap().clone();
    let mut model = Model::new("127.0.0.1:1111".to_owned(), Rules::SUJET);
    model.hear(News::State(reading));
    assert_snapshot!("empty-80x24", screen(&model, 80, 24));
}

#[test]
fn any_size_of_the_terminal_will_do() {
    let mut model = model(GRAND, 9 * 30);
    for help in [false, true] {
        for width in (80..330).step_by(7) {
            for height in [24, 25, 29, 31, 40, 61, 90, 200] {
                screen(&model, width, height);
            }
        }
        assert_eq!(model.helps(), help);
        obey(&mut model, &[Command::Help]);
    }
}

/// Without colours, a pacman still differs from a ghost, and the followed player from the others.
#[test]
fn black_and_white_says_as_much() {
    let mut model = model(PLAN1, 9 * 60);
    obey(&mut model, &[Command::Follow(Colour::new(0).unwrap())]);
    let screen = terminal(&model, 80, 24, Theme::new(false));
    let cells = screen.backend().buffer().content();
    assert!(cells.iter().all(|cell| cell.fg == Color::Reset && cell.bg == Color::Reset));
    let modifier = |x: u16, y: u16| screen.backend().buffer().cell((x, y)).unwrap().modifier;
    let Scene::Pacman(scene) = &model.shown().unwrap().scene else { panic!("of Pacman") };
    let view = scene.view();
    for (index, player) in view.players().iter().enumerate() {
        let at = |cell| {
            let pos = view.board().dims().pos(cell);
            modifier(2 * pos.col, 1 + pos.row)
        };
        assert!(at(player.pacman).contains(Modifier::REVERSED));
        assert!(!at(player.ghost).contains(Modifier::REVERSED));
        assert_eq!(at(player.pacman).contains(Modifier::UNDERLINED), index == 0);
    }
}

#[test]
fn many_players_share_the_room() {
    let mut reading = played::game(PLAN1, 1).remove(0);
    let mut text = StateText::new(reading.names.clone()).write(&reading.view).to_vec();
    // Four players become 26, by the lines of the first.
    let end = text.len() - b"Turing & Cie\n".len();
    let line_start = text[..end].iter().rposition(|&byte| byte == b'\n').unwrap() + 1;
    let line = String::from_utf8(text[line_start..].to_vec()).unwrap();
    for letter in 'E'..='Z' {
        text.extend_from_slice(line.replacen('D', &letter.to_string(), 1).as_bytes());
    }
    reading = StateReader::new().read(&text).unwrap().clone();
    let mut model = Model::new("127.0.0.1:1111".to_owned(), Rules::SUJET);
    model.hear(News::State(reading));
    obey(&mut model, &[Command::Follow(Colour::new(25).unwrap())]);
    assert_snapshot!("crowd-80x24", screen(&model, 80, 24));
    screen(&model, 200, 60);
}

#[test]
fn a_maze_with_mud_and_rats_in_it() {
    let model = maze(15, 13, &Start::Corners, 15);
    assert_snapshot!("maze-80x24", screen(&model, 80, 24));
    assert_snapshot!("maze-120x40", screen(&model, 120, 40));
    assert_snapshot!("maze-200x60", screen(&model, 200, 60));
}

#[test]
fn the_end_of_a_game_of_pyrat() {
    let mut model = maze(15, 13, &Start::Corners, usize::MAX);
    assert!(model.shown().unwrap().is_over());
    assert_snapshot!("maze-last-120x40", screen(&model, 120, 40));
    obey(&mut model, &[Command::Help]);
    assert_snapshot!("maze-help-80x24", screen(&model, 80, 24));
}

/// Then the path of the followed rat is seen, and no other one.
#[test]
fn a_maze_that_does_not_fit_scrolls_with_the_followed_rat() {
    let mut model = maze(41, 31, &Start::Corners, 40);
    obey(&mut model, &[Command::Follow(Colour::new(3).unwrap())]);
    assert_snapshot!("maze-scrolled-80x24", screen(&model, 80, 24));
    obey(&mut model, &[Command::Resize]);
    assert_snapshot!("maze-scrolled-small-80x24", screen(&model, 80, 24));
    for size in [Some(BoardSize::Small), Some(BoardSize::Medium), Some(BoardSize::Large)] {
        assert_eq!(model.size(), size);
        obey(&mut model, &[Command::Oldest]);
        while model.behind() > Some(0) {
            obey(&mut model, &[Command::TurnForward]);
            let screen = terminal(&model, 80, 24, Theme::new(true));
            let board = |x, y| screen.backend().buffer().cell((x, y)).unwrap().symbol();
            let seen = (1..23).any(|y| (0..60).any(|x| board(x, y) == "D"));
            assert!(seen, "{}", screen.backend());
        }
        obey(&mut model, &[Command::Resize]);
    }
}

#[test]
fn rats_on_one_cell_stand_side_by_side() {
    let mut model = maze(15, 13, &Start::Centre, 1);
    for (size, width, expected) in [
        (BoardSize::Small, 46, "A+"),
        (BoardSize::Medium, 61, "AB+"),
        (BoardSize::Large, 121, "ABCD "),
    ] {
        obey(&mut model, &[Command::Resize]);
        assert_eq!(model.size(), Some(size));
        let screen = screen(&model, 200, 60);
        let symbol = |x, y| screen.buffer().cell((x, y)).unwrap().symbol();
        let places = (1..60).flat_map(|y| (0..width).map(move |x| (x, y)));
        let (x, y) = places.clone().find(|&(x, y)| symbol(x, y) == "A").unwrap();
        let seen: String = (x..).take(expected.len()).map(|x| symbol(x, y)).collect();
        assert_eq!(seen, expected);
    }
}

/// Stepping back shows the board as it was seen then, paths included.
#[test]
fn steps_back_and_forth_lead_to_the_same_mazes() {
    let board = |model: &Model| -> Vec<String> {
        let screen = screen(model, 120, 40).to_string();
        screen.lines().skip(1).take(27).map(|line| line.chars().take(62).collect()).collect()
    };
    let seen: Vec<_> = (1..=30).map(|s| board(&maze(15, 13, &Start::Corners, s))).collect();
    let mut model = maze(15, 13, &Start::Corners, 30);
    for expected in seen.iter().rev() {
        assert_eq!(board(&model), *expected);
        obey(&mut model, &[Command::Back]);
    }
    for expected in &seen {
        assert_eq!(board(&model), *expected);
        obey(&mut model, &[Command::Forward]);
    }
}

#[test]
fn any_size_of_the_terminal_will_do_for_a_maze() {
    let mut model = maze(31, 29, &Start::Same, 30);
    for size in [None, Some(BoardSize::Small), Some(BoardSize::Medium), Some(BoardSize::Large)] {
        assert_eq!(model.size(), size);
        for width in (80..330).step_by(31) {
            for height in [24, 25, 29, 31, 40, 61, 90, 200] {
                screen(&model, width, height);
            }
        }
        obey(&mut model, &[Command::Resize]);
    }
}

/// Nobody has come, nothing is known of a limit, and points are shares, which are rounded as on the web page.
#[test]
fn a_maze_with_less_and_with_more_than_usual_is_shown_all_the_same() {
    let dashes = "-".repeat(20);
    let maze = Maze::decode(b"2;2\n3\n0;1:1;2:700\n1;0:1\n2;0:700\n").unwrap();
    let mut model = Model::new("127.0.0.1:1111".to_owned(), Rules::SUJET);
    for players in ["", "A;8041/27720;0;650;2;7;Ada\nB;1/2;1;0;;0;Bob\n"] {
        let text = format!("7;\n{dashes}\n1\n2\n{dashes}\n{players}");
        let reading = State::decode(&maze, text.as_bytes()).unwrap();
        model.hear(News::PyRat(reading));
        let name = format!("maze-odd-{}-80x24", model.shown().unwrap().players());
        assert_snapshot!(name, screen(&model, 80, 24));
    }
}

/// Signs tell walls, holes, mud, cheese and paths apart; the turns left of a rat in the mud, which
/// stand where the mud's number is, look like the rat.
#[test]
fn a_maze_in_black_and_white_says_as_much() {
    let model = maze(15, 13, &Start::Corners, 15);
    let [colours, plain] =
        [true, false].map(|colours| terminal(&model, 120, 40, Theme::new(colours)));
    assert_eq!(plain.backend().to_string(), colours.backend().to_string());
    let cells = plain.backend().buffer().content();
    assert!(cells.iter().all(|cell| cell.fg == Color::Reset && cell.bg == Color::Reset));

    let Scene::PyRat(scene) = &model.shown().unwrap().scene else { panic!("of PyRat") };
    let state = scene.state();
    let middle = |cell| {
        let pos = state.maze().dims().pos(cell);
        (4 * pos.col + 2, 2 * pos.row + 2)
    };
    let mut in_mud = 0;
    for rat in state.rats() {
        let Some(mud) = rat.mud else { continue };
        let ((x, y), (to_x, to_y)) = (middle(rat.cell), middle(mud.target));
        let border = plain.backend().buffer().cell((x.midpoint(to_x), y.midpoint(to_y))).unwrap();
        assert_eq!(border.symbol(), mud.left.to_string());
        assert!(border.modifier.contains(Modifier::REVERSED));
        in_mud += 1;
    }
    assert!(in_mud > 0);
}

/// A wall that does not fit below a cell in the small size is an underline.
#[test]
fn walls_below_what_stands_there_underline_it() {
    let mut model = maze(15, 13, &Start::Corners, 20);
    obey(&mut model, &[Command::Resize]);
    let terminal = terminal(&model, 80, 24, Theme::new(true));
    let Scene::PyRat(scene) = &model.shown().unwrap().scene else { panic!("of PyRat") };
    let maze = scene.state().maze();
    let mut counts = [0, 0];
    for &cell in maze.cells() {
        let (pos, south) = (maze.dims().pos(cell), game::pyrat::Direction::South);
        let (x, y) = (1 + 3 * pos.col, 2 + pos.row);
        let sign = terminal.backend().buffer().cell((x, y)).unwrap();
        let is_wall = !maze.is_open(cell, south) && pos.row + 1 < maze.dims().rows();
        let is_underlined = sign.symbol() == "_" || sign.modifier.contains(Modifier::UNDERLINED);
        assert_eq!(is_underlined, is_wall, "at {pos}");
        counts[usize::from(sign.symbol() != "_" && is_wall)] += 1;
    }
    assert!(counts[1] > 5, "{counts:?}");
}
