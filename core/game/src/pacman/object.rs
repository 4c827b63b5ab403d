//! The objects that pacmans collect.

/// An object (*objet*) on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Object {
    /// *Vitamine*: points alone. Its cell counts as empty for every draw.
    Vitamin = 1,
    /// *Glouton*: battles turn in the pacman's favour.
    Glutton,
    /// *Immobilité*: ghosts near the pacman cannot move.
    Freeze,
    /// *Passe-muraille*: walls do not stop the pacman.
    WallPass,
    /// *Cerise*, also called *fraise* or *valeur*: points alone.
    Cherry,
    /// *Téléporteur*: moves the pacman to an empty cell at once.
    Teleporter,
}

impl Object {
    /// All objects.
    pub const ALL: [Self; 6] = [
        Self::Vitamin,
        Self::Glutton,
        Self::Freeze,
        Self::WallPass,
        Self::Cherry,
        Self::Teleporter,
    ];

    /// The objects that appear during a game, in the order of the draw.
    pub const APPEARING: [Self; 5] =
        [Self::Glutton, Self::Freeze, Self::WallPass, Self::Cherry, Self::Teleporter];

    /// Points for taking the object.
    #[inline]
    pub const fn points(self) -> i32 {
        match self {
            Self::Vitamin => 3,
            Self::Cherry => 100,
            Self::Glutton | Self::Freeze | Self::WallPass | Self::Teleporter => 50,
        }
    }

    /// Duration of the object's power in turns, the turn of the pick-up included; 0 without a lasting power.
    pub const fn duration(self) -> u32 {
        match self {
            Self::Glutton | Self::WallPass => 20,
            Self::Freeze => 10,
            Self::Vitamin | Self::Cherry | Self::Teleporter => 0,
        }
    }
}
