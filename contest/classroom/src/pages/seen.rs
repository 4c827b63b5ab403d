//! The JSON of versions, games and ratings.

use course::{
    BotVersion, Comparison, LadderGame, LadderRating, Player, PublicRating, SeenGame, SeenPlayer,
    SeenSeat, VersionState,
};
use plan::FaultKind;
use serde_json::{Value, json};

use crate::about::About;

pub(super) fn about(about: &About) -> Value {
    json!({
        "upload": about.upload,
        "command": about.command,
        "build": about.build.as_ref().or(about.built.as_ref()),
        "because": about.because,
        "files": about.files,
        "bytes": about.bytes,
        "leftOut": about.left_out,
    })
}

pub(super) fn version(version: &BotVersion) -> Value {
    json!({
        "id": version.id,
        "at": version.handed_in,
        "about": about(&About::of(version)),
        "state": state(version.state),
        "withdrawn": version.is_withdrawn,
        "hasFiles": version.has_files,
        "games": version.games,
    })
}

fn state(state: VersionState) -> &'static str {
    match state {
        VersionState::Received => "received",
        VersionState::Checking => "checking",
        VersionState::Passed => "passed",
        VersionState::Failed => "failed",
    }
}

pub(super) fn game(game: &SeenGame) -> Value {
    let seats = game.seats.iter().map(|SeenSeat { player, place, points, fault, cpu }| {
        let (kind, name) = match player {
            SeenPlayer::Own(version) => ("own", version.to_string()),
            SeenPlayer::Other(name) => ("other", name.clone()),
            SeenPlayer::House(name) => ("house", name.clone()),
        };
        let fault = fault.map(FaultKind::name);
        json!({ "kind": kind, "name": name, "place": place, "points": points, "fault": fault, "cpu": cpu })
    });
    json!({
        "key": game.key.to_string(),
        "at": game.at,
        "map": game.map,
        "seats": seats.collect::<Vec<_>>(),
    })
}

/// A game as the teacher sees it; `name` names the players.
pub(super) fn any_game(game: &LadderGame, name: impl Fn(&Player) -> String) -> Value {
    let seats = game.seats.iter().map(|seat| {
        let kind = if matches!(seat.player, Player::House(_)) { "house" } else { "other" };
        json!({
            "kind": kind, "name": name(&seat.player), "place": seat.place, "points": seat.points,
            "fault": seat.fault.map(FaultKind::name), "cpu": seat.cpu,
        })
    });
    json!({
        "key": game.key.to_string(),
        "at": game.at,
        "map": game.map,
        "seats": seats.collect::<Vec<_>>(),
    })
}

pub(super) fn comparison(comparison: &Comparison) -> Value {
    let result = comparison.result.as_deref().and_then(|text| serde_json::from_str(text).ok());
    json!({
        "newer": comparison.newer, "older": comparison.older, "at": comparison.at,
        "result": result.unwrap_or(Value::Null),
    })
}

pub(super) fn rating(rating: &LadderRating) -> Value {
    let LadderRating { rating, low, high, games, .. } = rating;
    json!({ "rating": rating, "low": low, "high": high, "games": games })
}

pub(super) fn row(row: &PublicRating) -> Value {
    let PublicRating { name, group, is_house, rating, low, high, games } = row;
    json!({
        "name": name, "group": group, "house": is_house,
        "rating": rating, "low": low, "high": high, "games": games,
    })
}
