//! Byte strings by small numbers, each kept once, up to a limit.

use std::collections::HashMap;

pub type Map<V> = HashMap<Box<[u8]>, V>;

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
