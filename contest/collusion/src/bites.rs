//! Games as the test sees them: who played, and who bit whom.

/// Number of seats of a game.
pub const SEATS: usize = 4;

/// A player of a game: a version of a team, or a bot of the house.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Player {
    /// The number of the team; bots of the house have numbers of their own.
    pub team: u32,
    /// The number of the version. Versions of different teams have different numbers.
    pub version: u32,
    /// True for a bot of the house, which spares nobody.
    pub is_house: bool,
}

/// The bites of a game, by ghost and pacman.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BiteGame {
    /// The players, by seat.
    pub players: [Player; SEATS],
    /// The number of bites, by the seat of the ghost, then by the seat of the pacman.
    pub bites: [[u32; SEATS]; SEATS],
}

/// Number of parts of the share of a ghost's bites.
pub(crate) const PARTS: u32 = 24;
/// Number of victims of a ghost.
pub(crate) const VICTIMS: usize = SEATS - 1;

/// The bites of a ghost in a game, of which at least one shows a preference.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hunt {
    /// The index of the game.
    pub(crate) game: usize,
    /// The owner of the ghost.
    pub(crate) hunter: Player,
    /// The other players.
    pub(crate) victims: [Player; VICTIMS],
    /// The number of bites of each victim.
    pub(crate) bites: [u32; VICTIMS],
    /// The share of each victim in the bites, in parts of [`PARTS`].
    pub(crate) shares: [u32; VICTIMS],
}

/// The hunts of all ghosts that bit some pacmans more than others.
pub(crate) fn hunts(games: &[BiteGame]) -> Vec<Hunt> {
    let of_game = |(game, BiteGame { players, bites }): (usize, &BiteGame)| {
        let (players, bites) = (*players, *bites);
        (0..SEATS).filter_map(move |seat| {
            let others = |index: usize| if index < seat { index } else { index + 1 };
            let victims = std::array::from_fn(|index| players[others(index)]);
            let bites: [u32; VICTIMS] = std::array::from_fn(|index| bites[seat][others(index)]);
            let all: u64 = bites.iter().copied().map(u64::from).sum();
            let is_even = bites.iter().all(|count| *count == bites[0]);
            // The share is at most `PARTS`.
            let share = |count: u32| ((u64::from(count) * u64::from(PARTS) + all / 2) / all) as u32;
            (!is_even).then(|| Hunt {
                game,
                hunter: players[seat],
                victims,
                bites,
                shares: bites.map(share),
            })
        })
    };
    games.iter().enumerate().flat_map(of_game).collect()
}
