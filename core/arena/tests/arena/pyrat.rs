//! Games of PyRat; the tests of Pacman cover the common parts.

use std::time::Duration;

use arena::games::Mazes;
use arena::{EndReason, House, HouseBot, Points, PyRat, Settings};
use game::pyrat::{Maze, Recipe, Score, Start};
use tokio::time::{Instant, sleep};

use crate::harness::{Breaking, Message, Peer, Running, open_with, settings, tenths};

const PREPARATION: Duration = Duration::from_secs(3);
const DEADLINE: Duration = Duration::from_millis(500);

/// A row of four cells with five turns of mud in the middle. The rats start at the left end.
const ROW: &[u8] = b"4;1\n4\n0;1:1\n1;0:1;2:5\n2;1:5;3:1\n3;2:1\n";

/// An arena with 3 s of preparation, where all rats start at place 0.
fn open(mazes: Mazes, settings: Settings) -> Running {
    let start = Start::Places(vec![0]);
    let game = PyRat::new(mazes, settings.players, start, 1, PREPARATION).unwrap();
    open_with(settings, Box::new(game))
}

fn players(players: usize) -> Settings {
    Settings { turns: 100, deadline: DEADLINE, ..settings(players) }
}

/// A game of one player in the row, with the cheese in this place.
fn in_row(cheese: usize) -> Running {
    let maze = Maze::decode(ROW).unwrap();
    let is_there = |seed: &u64| {
        let start = Start::Places(vec![0]);
        let state = game::pyrat::State::start(&maze, 1, &start, 1, *seed, None).unwrap();
        state.cheese()[0].index() == cheese
    };
    let seed = (0..1000).find(is_there).unwrap();
    open(Mazes::Same(maze.clone()), Settings { seed, ..players(1) })
}

/// The turn and the first rat's cell in the next message, which must be a state.
async fn turn(peer: &mut Peer) -> (u32, usize) {
    match peer.message().await {
        Some(Message::PyRat(_, reading)) => {
            (reading.state.turn(), reading.state.rats()[0].cell.index())
        }
        other => panic!("expected a state of PyRat, found {other:?}"),
    }
}

async fn maze(peer: &mut Peer) -> Maze {
    match peer.message().await {
        Some(Message::Maze(_, maze)) => maze,
        other => panic!("expected a maze, found {other:?}"),
    }
}

#[tokio::test(start_paused = true)]
async fn the_maze_comes_first_and_the_last_cheese_ends_the_game() {
    let mut arena = in_row(1);
    let mut ada = arena.register("joueur;Ada").await;
    assert_eq!(maze(&mut ada).await, Maze::decode(ROW).unwrap());
    assert_eq!(turn(&mut ada).await, (0, 0));
    for (answer, expected) in [("X", (1, 0)), ("NE", (2, 0)), ("N", (3, 0)), ("E", (4, 1))] {
        ada.send(answer).await;
        assert_eq!(turn(&mut ada).await, expected);
    }
    assert_eq!(ada.message().await, Some(Message::Quit));
    let result = arena.result().await;
    let player = &result.players[0];
    assert_eq!((result.elapsed, result.total), (4, 100));
    assert_eq!(player.standing.points, Points::Cheese(Score::pieces(1)));
    let counts = player.standing.counts.unwrap();
    assert_eq!((counts.nothing, counts.malformed, counts.wall), (1, 1, 1));
    assert_eq!(counts.directions, [0, 1, 0, 0]);
    assert_eq!(result.scores(), "Ada;1\n");
    assert_eq!(arena.end().await, EndReason::Finished);
}

#[tokio::test(start_paused = true)]
async fn only_the_first_answer_has_time_for_preparations() {
    let mut arena = in_row(1);
    let mut ada = arena.register("joueur;Ada").await;
    maze(&mut ada).await;
    turn(&mut ada).await;
    sleep(PREPARATION + DEADLINE / 2).await;
    ada.send("X").await;
    assert_eq!(turn(&mut ada).await, (1, 0));
    // Without an answer in time, the turn is missed, and the late answer is dropped.
    let start = Instant::now();
    assert_eq!(turn(&mut ada).await, (2, 0));
    assert_eq!(tenths(start.elapsed()), 5);
    ada.send("E").await;
    ada.send("E").await;
    assert_eq!(turn(&mut ada).await, (3, 1));
    let thinking = arena.result().await.players[0].thinking;
    assert_eq!(tenths(thinking.first), 33);
    assert_eq!((thinking.answers, thinking.missed()), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn nobody_has_to_answer_in_the_mud() {
    let mut arena = in_row(3);
    let mut ada = arena.register("joueur;Ada").await;
    maze(&mut ada).await;
    turn(&mut ada).await;
    for answer in ["E", "E"] {
        ada.send(answer).await;
        turn(&mut ada).await;
    }
    // Four more turns in the mud pass without an answer; the next answer is for the state after them.
    for expected in [(3, 1), (4, 1), (5, 1), (6, 2)] {
        assert_eq!(turn(&mut ada).await, expected);
    }
    ada.send("E").await;
    assert_eq!(turn(&mut ada).await, (7, 3));
    let player = arena.result().await.players.remove(0);
    let counts = player.standing.counts.unwrap();
    assert_eq!((counts.mud, counts.missed, player.thinking.missed()), (4, 0, 0));
}

#[tokio::test(start_paused = true)]
async fn answers_in_the_mud_are_ignored_and_cost_no_time() {
    let mut arena = in_row(3);
    let mut ada = arena.register("joueur;Ada").await;
    maze(&mut ada).await;
    turn(&mut ada).await;
    let start = Instant::now();
    for (answer, expected) in [("E", 1), ("E", 1), ("O", 1), ("", 1), ("N", 1), ("?", 2), ("E", 3)]
    {
        ada.send(answer).await;
        assert_eq!(turn(&mut ada).await.1, expected);
    }
    assert_eq!(tenths(start.elapsed()), 0);
    let counts = arena.result().await.players[0].standing.counts.unwrap();
    assert_eq!((counts.mud, counts.malformed, counts.wall), (4, 0, 0));
    assert_eq!(counts.directions, [0, 3, 0, 0]);
}

#[tokio::test(start_paused = true)]
async fn an_answer_in_the_mud_that_is_a_moment_late_counts_for_no_other_state() {
    let mut arena = in_row(3);
    let mut ada = arena.register("joueur;Ada").await;
    maze(&mut ada).await;
    turn(&mut ada).await;
    for answer in ["E", "E", "O"] {
        ada.send(answer).await;
        turn(&mut ada).await;
    }
    // Ada answered once in the mud, and is 1 ms late for its third state.
    assert_eq!(turn(&mut ada).await, (4, 1));
    sleep(Duration::from_millis(1)).await;
    ada.send("N").await;
    for (answer, expected) in [("N", (5, 1)), ("N", (6, 2)), ("E", (7, 3))] {
        ada.send(answer).await;
        assert_eq!(turn(&mut ada).await, expected);
    }
    let counts = arena.result().await.players[0].standing.counts.unwrap();
    assert_eq!((counts.directions, counts.wall, counts.missed), ([0, 3, 0, 0], 0, 0));
}

#[tokio::test(start_paused = true)]
async fn whoever_comes_back_gets_the_maze_again() {
    let arena = in_row(3);
    let mut ada = arena.register("joueur;Ada").await;
    maze(&mut ada).await;
    turn(&mut ada).await;
    ada.send("E").await;
    turn(&mut ada).await;
    drop(ada);
    let mut ada = arena.register("joueur;Ada").await;
    maze(&mut ada).await;
    let (_, cell) = turn(&mut ada).await;
    assert_eq!(cell, 1);
}

#[tokio::test(start_paused = true)]
async fn spectators_see_each_maze_once() {
    let mazes = Mazes::Drawn(Recipe { width: 5, height: 4, ..Recipe::default() });
    let mut arena = open(mazes, Settings { games: 2, turns: 3, ..players(1) });
    let mut spectator = arena.register("afficheur;Zoé").await;
    let first = maze(&mut spectator).await;
    assert!(matches!(spectator.message().await, Some(Message::PyRat(..))));
    let mut ada = arena.register("joueur;Ada").await;
    for _ in 0..2 {
        maze(&mut ada).await;
        loop {
            match ada.message().await {
                Some(Message::PyRat(_, reading)) if reading.state.is_over() => break,
                Some(Message::PyRat(..)) => ada.send("X").await,
                other => panic!("expected a state, found {other:?}"),
            }
        }
        arena.result().await;
    }
    let mut mazes = vec![first];
    while let Some(message) = spectator.message().await {
        if let Message::Maze(_, maze) = message {
            mazes.push(maze);
        }
    }
    assert_eq!(mazes.len(), 2);
    assert_ne!(mazes[0], mazes[1]);
}

#[tokio::test(start_paused = true)]
async fn the_house_plays_too() {
    let bot = HouseBot::PyRat(bots::pyrat::by_name("dijkstra").unwrap());
    let house = Some(House { bot, wait: Duration::ZERO });
    let mazes = Mazes::Drawn(Recipe::default());
    let mut arena = open(mazes, Settings { house, ..players(2) });
    let mut silent = arena.register("joueur;silent").await;
    maze(&mut silent).await;
    let result = arena.result().await;
    let [silent, house] = &result.players[..] else { panic!("{result:?}") };
    assert_eq!(house.standing.points, Points::Cheese(Score::pieces(1)));
    assert_eq!((house.standing.rank, silent.standing.rank), (1, 2));
    assert_eq!(silent.standing.counts.unwrap().missed, result.elapsed);
}

/// A maze with nearly the maximum number of places and the longest text.
fn largest_maze() -> Maze {
    use std::fmt::Write;
    let (width, height) = (142, 140);
    let mut text = format!("{width};{height}\n{}\n", width * height);
    for cell in 0..width * height {
        let (row, column) = (cell / width, cell % width);
        let north = (row > 0).then(|| cell - width);
        let west = (column > 0).then(|| cell - 1);
        let east = (column + 1 < width).then(|| cell + 1);
        let south = (row + 1 < height).then(|| cell + width);
        write!(text, "{cell}").unwrap();
        for neighbour in [north, west, east, south].into_iter().flatten() {
            write!(text, ";{neighbour}:60000").unwrap();
        }
        text.push('\n');
    }
    Maze::decode(text.as_bytes()).unwrap()
}

#[tokio::test(start_paused = true)]
async fn the_largest_maze_and_its_states_reach_a_player() {
    let start = Start::Places(vec![0]);
    let cheese = 19_000;
    let game =
        PyRat::new(Mazes::Same(largest_maze()), 1, start, cheese, Duration::from_secs(60)).unwrap();
    let tempo = Duration::from_secs(1);
    let settings = Settings { tempo, games: 2, turns: 3, ..players(1) };
    let arena = open_with(settings, Box::new(game));
    let mut ada = arena.register("joueur;Ada").await;
    maze(&mut ada).await;
    assert_eq!(turn(&mut ada).await.0, 0);
    // A player that comes back gets the maze too.
    drop(ada);
    let mut ada = arena.register("joueur;Ada").await;
    maze(&mut ada).await;
    loop {
        let (turn, _) = turn(&mut ada).await;
        ada.send("X").await;
        if turn == 3 {
            break;
        }
    }
    // The next game begins while messages of this one may still wait in the outbox.
    maze(&mut ada).await;
    assert_eq!(turn(&mut ada).await.0, 0);
}

#[tokio::test(start_paused = true)]
async fn rats_of_a_game_that_breaks_off_are_heard_in_the_next_one() {
    let maze = Mazes::Same(Maze::decode(ROW).unwrap());
    let game = PyRat::new(maze, 1, Start::Places(vec![0]), 1, PREPARATION).unwrap();
    let mut arena = open_with(Settings { games: 2, ..players(1) }, Breaking::boxed(game, 1));
    let mut ada = arena.register("joueur;Ada").await;
    let answering = tokio::spawn(async move {
        loop {
            match ada.message().await {
                Some(Message::Maze(..)) => {}
                Some(Message::PyRat(..)) => ada.send("E").await,
                last => return last,
            }
        }
    });
    let result = arena.result().await;
    assert_eq!((result.game, result.players[0].thinking.missed()), (2, 0));
    assert_eq!(arena.end().await, EndReason::Finished);
    assert_eq!(answering.await.unwrap(), Some(Message::Quit));
}
