//! The colours of the players.

/// One of the players (*couleur* of a *joueur*), `A` to `Z` on the wire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Colour(u8);

impl Colour {
    /// Maximum number of players of a game, one for each letter.
    pub const MAX: usize = 26;

    pub(crate) fn all() -> [Self; Self::MAX] {
        std::array::from_fn(|index| Self(index as u8))
    }

    /// The colour of the player with this number, from 0.
    pub fn new(index: usize) -> Option<Self> {
        u8::try_from(index).ok().filter(|_| index < Self::MAX).map(Self)
    }

    /// The first `players` colours, in order; at most [`MAX`](Self::MAX).
    pub fn first(players: usize) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        // At most 26 fits a `u8`.
        (0..players.min(Self::MAX) as u8).map(Self)
    }

    /// The player's number, from 0.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ColourSet(u32);

impl ColourSet {
    /// The set without members.
    pub const EMPTY: Self = Self(0);

    /// Tests if the player is a member.
    #[inline]
    pub const fn contains(self, colour: Colour) -> bool {
        self.0 >> colour.0 & 1 == 1
    }

    /// Adds a player.
    pub fn insert(&mut self, colour: Colour) {
        self.0 |= 1 << colour.0;
    }

    /// The members, in order of colour.
    pub fn iter(self) -> impl Iterator<Item = Colour> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let next = (left != 0).then(|| Colour(left.trailing_zeros() as u8));
            left &= left.wrapping_sub(1);
            next
        })
    }
}

impl FromIterator<Colour> for ColourSet {
    fn from_iter<I: IntoIterator<Item = Colour>>(colours: I) -> Self {
        let mut set = Self::EMPTY;
        colours.into_iter().for_each(|colour| set.insert(colour));
        set
    }
}
