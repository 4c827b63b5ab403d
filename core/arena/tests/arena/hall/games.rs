//! Games at tables.

use std::time::Duration;

use arena::hall::{GameRequest, HallClosed, PlayError, SeatFor, TeamId};
use arena::{EndReason, HouseBot, Pacman};
use game::pacman::{Rules, Seeded, State};
use protocol::Name;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep, timeout};

use super::{ended, house, names, open, slow, table};
use crate::harness::{Breaking, LONG, Message, legal_orders, map, points, tenths};

#[tokio::test(start_paused = true)]
async fn games_follow_on_the_same_connections_at_different_tables() {
    let hall = open();
    let mut ada = hall.register("joueur;Ada").await;
    let bob = hall.good_player("Bob").await;
    let cleo = hall.good_player("Cleo").await;
    let answering = tokio::spawn(async move {
        let mut games = Vec::new();
        loop {
            match ada.message().await {
                Some(Message::State(id, state)) => {
                    if state.view.elapsed() == 0 {
                        games.push(format!("{id} of {}", state.names.join(" ")));
                    }
                    ada.send("NN").await;
                }
                last => return (games, last),
            }
        }
    });
    sleep(Duration::from_secs(600)).await;
    assert_eq!(hall.teams(), "Ada there, Bob there, Cleo there");
    assert_eq!(names(&hall.played(table([0, 1])).await), ["Ada", "Bob"]);
    assert_eq!(names(&hall.played(table([2, 1, 0])).await), ["Cleo", "Bob", "Ada"]);
    assert_eq!(names(&hall.played(table([2, 1])).await), ["Cleo", "Bob"]);
    assert_eq!(names(&hall.played(table([1, 0])).await), ["Bob", "Ada"]);
    hall.close([bob, cleo]).await;
    let (games, last) = answering.await.unwrap();
    assert_eq!(games, ["A of Ada Bob", "C of Cleo Bob Ada", "B of Bob Ada"]);
    assert_eq!(last, Some(Message::Quit));
}

#[tokio::test(start_paused = true)]
async fn games_are_played_at_the_same_time_each_at_its_own_pace() {
    let hall = open();
    let mut players = Vec::new();
    for number in 0..8 {
        players.push(hall.good_player(&format!("team {number}")).await);
    }
    let start = Instant::now();
    let slow = hall.play(slow([0, 1])).await;
    let silent = hall.register("joueur;silent").await;
    let with_silent = hall.play(table([2, 8, 3])).await;
    for _ in 0..10 {
        names(&hall.played(table([4, 5, 6, 7])).await);
    }
    assert_eq!(tenths(start.elapsed()), 0);
    assert_eq!(hall.teams().matches("plays").count(), 5);
    assert_eq!(names(&ended(with_silent).await).len(), 3);
    assert_eq!(tenths(start.elapsed()), 30, "three deadlines of the silent one");
    assert_eq!(names(&ended(slow).await).len(), 2);
    assert_eq!(tenths(start.elapsed()), 210, "with the time to see the last state");
    drop(silent);
    hall.close(players).await;
}

#[tokio::test(start_paused = true)]
async fn a_game_is_the_one_that_its_seed_draws_and_is_observed() {
    let hall = open();
    let mut ada = hall.register("joueur;Ada").await;
    let (observer, mut told) = mpsc::channel(1000);
    let mut settings = table([0]);
    settings.seats.push(house("the house's"));
    settings.observers.push(observer.into());
    let playing = hall.play(settings).await;
    let (id, first) = ada.addressed_state().await;
    assert_eq!((id.as_str(), &first.names[1][..]), ("A", "the house's"));
    let expected = State::start(&map(), Rules::SUJET, 20, 2, &mut Seeded::new(7));
    assert_eq!(&first.view, expected.view());
    ada.send("NN").await;
    let progress = playing.progress.clone();
    let answering = tokio::spawn(async move { ada.answer_all("NN").await });
    let played = ended(playing).await;
    assert_eq!(names(&played), ["Ada", "the house's"]);
    assert!(points(&played.result.players[1]) > 0, "{played:?}");
    assert_eq!((progress.borrow().elapsed, progress.borrow().total), (20, 20));
    let mut observations = 0;
    while told.try_recv().is_ok() {
        observations += 1;
    }
    assert_eq!(observations, 22, "the observer has been told all when the game has ended");
    hall.close([]).await;
    assert_eq!(answering.await.unwrap(), (20, Some(Message::Quit)));
}

#[tokio::test(start_paused = true)]
async fn the_house_plays_alone() {
    let hall = open();
    let mut settings = table([]);
    settings.seats = vec![house("one"), house("two")];
    let start = Instant::now();
    assert_eq!(names(&hall.played(settings).await), ["one", "two"]);
    assert_eq!(tenths(start.elapsed()), 0);
    hall.close([]).await;
}

#[tokio::test(start_paused = true)]
async fn a_team_plays_in_one_game_at_a_time() {
    let hall = open();
    let players = [hall.good_player("Ada").await, hall.good_player("Bob").await];
    let playing = hall.play(slow([0])).await;
    let error = async |table| hall.controls.play(table).await.unwrap_err();
    assert_eq!(error(table([])).await, PlayError::Seats(0));
    assert_eq!(error(table([0; 27])).await, PlayError::Seats(27));
    assert_eq!(error(table([1, 0])).await, PlayError::Busy(TeamId(0)));
    assert_eq!(error(table([1, 1])).await, PlayError::Busy(TeamId(1)));
    assert_eq!(error(table([1, 2])).await, PlayError::UnknownTeam(TeamId(2)));
    assert_eq!(hall.teams(), "Ada there and plays, Bob there");
    names(&ended(playing).await);
    names(&hall.played(table([1, 0])).await);
    hall.close(players).await;
}

#[tokio::test(start_paused = true)]
async fn a_late_answer_does_not_count_in_the_next_game() {
    let hall = open();
    let good = hall.good_player("good").await;
    let mut late = hall.register("joueur;late").await;
    let playing = hall.play(table([0, 1])).await;
    for _ in 0..20 {
        late.state().await;
        late.send("XX").await;
    }
    assert_eq!(late.state().await.view.elapsed(), 20);
    ended(playing).await;
    // The answer to the final state of the first game arrives during the next game.
    let playing = hall.play(table([1, 0])).await;
    let (id, first) = late.addressed_state().await;
    assert_eq!((id.as_str(), first.view.elapsed()), ("A", 0));
    late.send("the answer to the last game").await;
    let start = Instant::now();
    let second = late.state().await;
    assert_eq!(
        (second.view.players()[0].false_moves, tenths(start.elapsed())),
        (2, 10),
        "nothing came"
    );
    // The answer to the first state of this game is late too; the answer after it is in time.
    late.send("late").await;
    late.send("XX").await;
    late.state().await;
    assert_eq!(tenths(start.elapsed()), 10, "the turn has waited for nothing");
    drop(late);
    ended(playing).await;
    hall.close([good]).await;
}

#[tokio::test(start_paused = true)]
async fn a_game_without_anybody_ends_after_three_deadlines() {
    let hall = open();
    let good = hall.good_player("good").await;
    drop(hall.register("joueur;gone").await);
    let start = Instant::now();
    let played = hall.played(table([1])).await;
    assert_eq!((played.end, tenths(start.elapsed())), (EndReason::Deserted, 30));
    assert!(played.result.elapsed < played.result.total);
    assert_eq!(
        names(&hall.played(table([1, 0])).await),
        ["gone", "good"],
        "who is gone costs no time"
    );
    assert_eq!(tenths(start.elapsed()), 30);
    hall.close([good]).await;
}

#[tokio::test(start_paused = true)]
async fn a_game_is_stopped_and_its_teams_play_on() {
    let hall = open();
    let good = hall.good_player("good").await;
    let playing = hall.play(slow([0])).await;
    sleep(Duration::from_millis(4500)).await;
    playing.stop.cancel();
    let played = ended(playing).await;
    assert_eq!((played.end, played.result.elapsed), (EndReason::Interrupted, 4));
    names(&hall.played(table([0])).await);
    let playing = hall.play(table([0])).await;
    playing.stop.cancel();
    assert_eq!(
        ended(playing).await.end,
        EndReason::Interrupted,
        "there is a result, whenever it is stopped"
    );
    hall.close([good]).await;
}

#[tokio::test(start_paused = true)]
async fn closing_ends_games_and_says_quit_to_all() {
    let hall = open();
    let players = [hall.good_player("plays").await, hall.good_player("waits").await];
    let mut beamer = hall.register("afficheur;Beamer").await;
    let playing = hall.play(slow([0])).await;
    sleep(Duration::from_millis(4500)).await;
    let controls = hall.controls.clone();
    let start = Instant::now();
    let watching = tokio::spawn(async move { beamer.answer_all("").await.1 });
    hall.close(players).await;
    assert_eq!(tenths(start.elapsed()), 0);
    let played = ended(playing).await;
    assert_eq!((played.end, played.result.elapsed), (EndReason::Interrupted, 4));
    assert_eq!(watching.await.unwrap(), Some(Message::Quit));
    assert_eq!(controls.play(table([0])).await.unwrap_err(), PlayError::Closed(HallClosed));
    controls.close().await;
}

#[tokio::test(start_paused = true)]
async fn a_game_of_which_nobody_awaits_the_end_is_played_all_the_same() {
    let hall = open();
    let good = hall.good_player("good").await;
    drop(hall.play(slow([0])).await);
    sleep(Duration::from_secs(10)).await;
    assert_eq!(hall.teams(), "good there and plays");
    sleep(Duration::from_secs(12)).await;
    assert_eq!(hall.teams(), "good there");
    hall.close([good]).await;
}

#[tokio::test(start_paused = true)]
async fn a_player_of_the_house_that_plays_another_game_leaves_its_seat() {
    let hall = open();
    let good = hall.good_player("good").await;
    let mut settings = table([0]);
    let bot = HouseBot::PyRat(bots::pyrat::by_name("dijkstra").unwrap());
    settings.seats.push(SeatFor::House { bot, name: Name::new("rat"), seed: 1 });
    let start = Instant::now();
    assert_eq!(names(&hall.played(settings).await), ["good", "rat"]);
    assert_eq!(tenths(start.elapsed()), 0, "nobody waits for it");
    hall.close([good]).await;
}

#[tokio::test(start_paused = true)]
async fn players_of_a_game_that_breaks_off_are_heard_in_the_next_one() {
    let hall = open();
    let good = hall.good_player("good").await;
    let mut ada = hall.register("joueur;Ada").await;
    let game = Breaking::boxed(Pacman::new(map(), Rules::SUJET), 1);
    let broken = hall.play(GameRequest { game, ..table([0, 1]) }).await;
    assert_eq!(ada.addressed_state().await.0, "B");
    // Ada has not answered when the turn is played, which panics.
    timeout(LONG, broken.ended()).await.expect("the game ends").unwrap_err();
    assert_eq!(hall.teams(), "good there, Ada there");

    let playing = hall.play(table([0, 1])).await;
    let mut state = ada.state().await;
    ada.send("late").await;
    while state.view.elapsed() < 20 {
        ada.send(&legal_orders(&state, 1)).await;
        state = ada.state().await;
    }
    ada.send("NN").await;
    let played = ended(playing).await;
    assert_eq!(names(&played), ["good", "Ada"]);
    let [good_one, ada_herself] = &played.result.players[..] else { panic!("two players") };
    assert_eq!((good_one.thinking.missed(), ada_herself.thinking.missed()), (0, 0));
    // The answer to the game that broke off is no answer to the next one.
    assert_eq!(ada_herself.standing.false_moves, 0);
    hall.close([good]).await;
}
