//! Observers of the games.

use arena::{Observation, Settings};
use replay::{Answer, Recorder, Recording, verify};
use tokio::sync::mpsc;

use crate::harness::{observed, settings};

#[tokio::test(start_paused = true)]
async fn what_an_observer_is_told_makes_a_recording_that_is_identical() {
    let (sender, mut observations) = mpsc::channel(1000);
    let arena = observed(Settings { games: 2, ..settings(3) }, sender);
    let good = arena.good_players::<2>().await;
    let _silent = arena.register("joueur;silent").await;
    for player in good {
        player.await.unwrap();
    }
    let mut files: Vec<(Vec<u8>, Option<Recorder>)> = Vec::new();
    while let Some(observation) = observations.recv().await {
        match observation {
            Observation::Gathering { .. } | Observation::Thoughts(_) => {}
            Observation::Begin { setup, .. } => {
                let (recorder, bytes) = Recorder::start(setup);
                files.push((bytes, Some(recorder)));
            }
            Observation::Turn { turn, hash } => {
                let (bytes, recorder) = files.last_mut().unwrap();
                bytes.extend(recorder.as_mut().unwrap().turn(turn, hash));
            }
            Observation::End { hash } => {
                let (bytes, recorder) = files.last_mut().unwrap();
                bytes.extend(recorder.take().unwrap().end(hash));
            }
        }
    }
    assert_eq!(files.len(), 2);
    for (bytes, _) in files {
        let recording = Recording::read(&bytes).unwrap();
        assert!(recording.is_complete && recording.damage.is_none());
        assert_eq!((recording.turns.len(), verify(&recording)), (20, Ok(())));
        let mut silent = recording.turns.iter().map(|turn| turn.answers[2].answer);
        assert!(silent.all(|answer| answer == Answer::Missed));
        let mut good = recording.turns.iter().flat_map(|turn| turn.answers.into_iter().take(2));
        assert!(good.all(|given| given.fault().is_none()));
    }
}

#[tokio::test(start_paused = true)]
async fn an_observer_that_does_not_keep_up_holds_nobody_up() {
    let (sender, mut observations) = mpsc::channel(3);
    let arena = observed(settings(2), sender);
    let good = arena.good_players::<2>().await;
    let (result, _) = arena.all_is_well(good).await;
    assert_eq!(result.elapsed, 20);
    let mut told = 0;
    while observations.recv().await.is_some() {
        told += 1;
    }
    assert_eq!(told, 3, "and is told no more");
}
