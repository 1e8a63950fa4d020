//! Byte strings by small numbers, each kept once, up to a limit.

use std::collections::HashMap;

const MOST_VALUES: usize = 1 << 16;
const MOST_BYTES: usize = 1 << 25;

#[derive(Default)]
pub struct Interned {
    numbers: HashMap<Box<[u8]>, u32>,
    values: Vec<Box<[u8]>>,
    bytes: usize,
}

impl Interned {
    /// The number of a value; None if it is new and there is no room for it.
    pub fn number(&mut self, value: &[u8]) -> Option<u32> {
        if let Some(&number) = self.numbers.get(value) {
            return Some(number);
        }
        if self.values.len() >= MOST_VALUES || self.bytes + value.len() > MOST_BYTES {
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
