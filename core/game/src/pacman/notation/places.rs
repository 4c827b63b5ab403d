//! The coordinates of every cell as text.

use std::sync::OnceLock;

use graph::Dims;

use super::pen::ShortField;

/// `row;col` of every cell, written once for all games on a board: hundreds of games at a time would otherwise push
/// these texts out of the cache.
#[derive(Default)]
pub(in crate::pacman) struct Places(OnceLock<Box<[ShortField]>>);

impl Places {
    /// The texts of a board of these dimensions, by index of the cell.
    pub(super) fn texts(&self, dims: Dims) -> &[ShortField] {
        self.0.get_or_init(|| {
            let text = |cell| {
                let pos = dims.pos(cell);
                ShortField::new(&format!("{};{}", pos.row, pos.col))
            };
            dims.cells().map(text).collect()
        })
    }
}
