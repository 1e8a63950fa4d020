//! Numbers of conversations by hashes of their keys, in little room.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::mem::take;

/// How many entries pages have on average when one more page is made.
const PAGE_SIZE: usize = 64;
/// For so many entries room is made in a page at once.
const ROOM: usize = 8;

/// 12 bytes.
#[derive(Clone, Copy)]
#[repr(C, packed(4))]
struct Entry {
    hash: u64,
    number: u32,
}

/// A table that grows by a page at a time, whose entries come from one other page (linear hashing):
/// there is never room for twice as many, nor an old table beside a new one.
///
/// Keys of one hash have one number. That happens in one of 370,000 logs of ten million keys.
pub struct KeyNumbers {
    hashes: RandomState,
    pages: Vec<Vec<Entry>>,
    size: usize,
}

impl Default for KeyNumbers {
    fn default() -> Self {
        KeyNumbers { hashes: RandomState::new(), pages: vec![Vec::new()], size: 0 }
    }
}

impl KeyNumbers {
    pub fn get(&self, key: &[u8]) -> Option<u32> {
        let hash = self.hashes.hash_one(key);
        let mut entries = self.pages[self.page_of(hash)].iter();
        entries.find(|entry| entry.hash == hash).map(|entry| entry.number)
    }

    /// Adds a key that is not there.
    pub fn insert(&mut self, key: &[u8], number: u32) {
        self.add(Entry { hash: self.hashes.hash_one(key), number });
        self.size += 1;
        if self.size > PAGE_SIZE * self.pages.len() {
            let from = self.pages.len() - self.power() / 2;
            self.pages.push(Vec::new());
            take(&mut self.pages[from]).into_iter().for_each(|entry| self.add(entry));
        }
    }

    fn add(&mut self, entry: Entry) {
        let at = self.page_of(entry.hash);
        let page = &mut self.pages[at];
        if page.len() == page.capacity() {
            page.reserve_exact(ROOM);
        }
        page.push(entry);
    }

    /// The first power of two above the number of pages.
    fn power(&self) -> usize {
        (self.pages.len() + 1).next_power_of_two()
    }

    /// The last bits of a hash, or one less where there is no such page yet.
    fn page_of(&self, hash: u64) -> usize {
        let at = hash as usize & (self.power() - 1);
        if at < self.pages.len() {
            at
        } else {
            at - self.power() / 2
        }
    }
}
