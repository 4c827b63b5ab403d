//! The objects on a board.

use crate::pacman::{Cell, Dims, Object, zobrist};

/// At most one object for each cell of a board.
#[derive(Debug, PartialEq, Eq)]
pub struct Objects {
    dims: Dims,
    /// By cell, row-major; 0 for no object, else the object's discriminant. Bytes make copying and comparing a whole board fast.
    codes: Vec<u8>,
    /// Number of objects of each kind, by code.
    counts: [u32; Object::ALL.len() + 1],
    /// Zobrist hash of all objects with their cells.
    zobrist: u64,
}

impl Objects {
    /// No object anywhere.
    #[must_use]
    pub fn none(dims: Dims) -> Self {
        Self { dims, codes: vec![0; dims.len()], counts: [0; Object::ALL.len() + 1], zobrist: 0 }
    }

    /// The object on a cell.
    #[inline]
    pub fn get(&self, cell: Cell) -> Option<Object> {
        decode(self.codes[cell.index()])
    }

    /// Every object with its cell, in row-major order.
    pub fn iter(&self) -> impl Iterator<Item = (Cell, Object)> + '_ {
        let codes = self.dims.cells().zip(&self.codes);
        codes.filter_map(|(cell, &code)| Some((cell, decode(code)?)))
    }

    /// Number of objects.
    #[expect(clippy::len_without_is_empty, reason = "nobody asks")]
    pub fn len(&self) -> usize {
        self.counts.iter().sum::<u32>() as usize
    }

    /// Number of objects of a kind.
    pub fn count(&self, object: Object) -> u32 {
        self.counts[object as usize]
    }

    pub(crate) fn set(&mut self, cell: Cell, object: Option<Object>) {
        self.take(cell);
        if let Some(object) = object {
            self.codes[cell.index()] = object as u8;
            self.counts[object as usize] += 1;
            self.zobrist ^= key(object, cell);
        }
    }

    pub(crate) fn take(&mut self, cell: Cell) -> Option<Object> {
        let code = &mut self.codes[cell.index()];
        let object = decode(*code)?;
        *code = 0;
        self.counts[object as usize] -= 1;
        self.zobrist ^= key(object, cell);
        Some(object)
    }

    /// Zobrist hash of all objects with their cells.
    pub(crate) fn zobrist(&self) -> u64 {
        self.zobrist
    }

    pub(crate) fn codes(&self) -> &[u8] {
        &self.codes
    }
}

impl Clone for Objects {
    fn clone(&self) -> Self {
        Self { codes: self.codes.clone(), ..*self }
    }

    /// Copies without allocating when both belong to boards of one size.
    fn clone_from(&mut self, other: &Self) {
        self.dims = other.dims;
        self.codes.clone_from(&other.codes);
        self.counts = other.counts;
        self.zobrist = other.zobrist;
    }
}

fn key(object: Object, cell: Cell) -> u64 {
    // A board has far fewer than 2³² cells.
    zobrist::key(object as u32, cell.index() as u32)
}

#[inline]
fn decode(code: u8) -> Option<Object> {
    Object::ALL.get(usize::from(code).wrapping_sub(1)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_object_comes_back() {
        let dims = Dims::new(2, 4).unwrap();
        let mut objects = Objects::none(dims);
        for (cell, object) in dims.cells().zip(Object::ALL) {
            objects.set(cell, Some(object));
            assert_eq!(objects.get(cell), Some(object));
        }
        assert_eq!(objects.iter().map(|(_, object)| object).collect::<Vec<_>>(), Object::ALL);
        let first = dims.cells().next().unwrap();
        assert_eq!(objects.len(), Object::ALL.len());
        assert_eq!(objects.take(first), Some(Object::Vitamin));
        assert_eq!(objects.take(first), None);
        assert_eq!(objects.len(), Object::ALL.len() - 1);
        assert_eq!(Object::ALL.map(|object| objects.count(object)), [0, 1, 1, 1, 1, 1]);
        objects.set(first, Some(Object::Cherry));
        objects.set(first, Some(Object::Cherry));
        assert_eq!(objects.count(Object::Cherry), 2);
        objects.set(first, None);
        assert_eq!(objects.count(Object::Cherry), 1);
    }
}
