//! Byte strings by small numbers, each kept once, up to a limit.

use std::collections::hash_map::RandomState;
use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher};

/// Hashes a few bytes quickly; seeded by chance, so that nobody can prepare a log of collisions.
#[derive(Clone)]
pub struct Seed(u64, u64);

impl Default for Seed {
    fn default() -> Self {
        let state = RandomState::new();
        Seed(state.hash_one(1u8), state.hash_one(2u8) | 1)
    }
}

impl BuildHasher for Seed {
    type Hasher = Folded;
    fn build_hasher(&self) -> Folded {
        Folded { state: self.0, factor: self.1 }
    }
}

pub struct Folded {
    state: u64,
    factor: u64,
}

impl Folded {
    fn fold(&mut self, word: u64) {
        let product =
            u128::from(self.state ^ word) * u128::from(self.factor ^ 0x9e37_79b9_7f4a_7c15);
        self.state = (product as u64) ^ ((product >> 64) as u64);
    }
}

impl Hasher for Folded {
    fn finish(&self) -> u64 {
        self.state
    }
    fn write(&mut self, bytes: &[u8]) {
        let mut words = bytes.chunks_exact(8);
        for word in &mut words {
            self.fold(u64::from_le_bytes(word.try_into().unwrap_or_default()));
        }
        let mut last = [0u8; 8];
        last[..words.remainder().len()].copy_from_slice(words.remainder());
        self.fold(u64::from_le_bytes(last));
        self.fold(bytes.len() as u64);
    }
    fn write_usize(&mut self, _: usize) {}
    fn write_u8(&mut self, _: u8) {}
}

pub type Map<V> = HashMap<Box<[u8]>, V, Seed>;

pub struct Interned {
    numbers: Map<u32>,
    values: Vec<Box<[u8]>>,
    limit: usize,
    bytes: usize,
    most_bytes: usize,
}

impl Interned {
    pub fn new(limit: usize, most_bytes: usize) -> Self {
        Interned { numbers: Map::default(), values: Vec::new(), limit, bytes: 0, most_bytes }
    }

    /// The number of a value; None if it is new and there is no room for it.
    pub fn number(&mut self, value: &[u8]) -> Option<u32> {
        if let Some(&number) = self.numbers.get(value) {
            return Some(number);
        }
        if self.values.len() >= self.limit || self.bytes + value.len() > self.most_bytes {
            return None;
        }
        let number = self.values.len() as u32;
        self.bytes += value.len();
        self.values.push(value.into());
        self.numbers.insert(value.into(), number);
        Some(number)
    }

    pub fn value(&self, number: u32) -> &[u8] {
        &self.values[number as usize]
    }
}
