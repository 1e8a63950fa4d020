//! What was found of an object, by the numbers of its keys, and what event it is.

use crate::description::{Case, Key, EXACT, ID, MOST_KEYS};
use crate::json::{Kind, Value};

/// The number of bytes of a UUID without braces.
const UUID_SIZE: usize = 36;

/// The values of a line: of its envelope, its body, and the event that is read.
pub struct Values<'a> {
    pub keys: Keys,
    texts: [&'a [u8]; MOST_KEYS],
    /// The numbers of their words, or 0.
    words: [u8; MOST_KEYS],
}

/// Keys, as bits.
#[derive(Clone, Copy)]
pub struct Keys {
    seen: u64,
    /// Keys whose value is not null; the first stands for the object itself.
    pub given: u64,
    /// Keys whose value is not as it should be.
    pub wrong: u64,
}

impl Default for Values<'_> {
    fn default() -> Self {
        let keys = Keys { seen: 0, given: 1, wrong: 0 };
        Values { keys, texts: [&[]; MOST_KEYS], words: [0; MOST_KEYS] }
    }
}

/// What an object says of an event.
pub struct Said<'a> {
    pub kind: u8,
    /// Empty if nobody is named.
    pub agent: &'a [u8],
    /// The number of its word, or 0.
    pub experience: u8,
}

impl<'a> Values<'a> {
    /// Says that a key is there; None if it was before.
    pub fn see(&mut self, key: &Key) -> Option<()> {
        let bit = 1 << key.number;
        let is_new = self.keys.seen & bit == 0;
        self.keys.seen |= bit;
        is_new.then_some(())
    }

    pub fn set(&mut self, key: &Key, Value { kind, text }: Value<'a>) {
        if kind == Kind::Null {
            return;
        }
        let (bit, number) = (1 << key.number, usize::from(key.number));
        let word = word(key, text);
        let is_meant = if key.types & ID != 0 {
            let is_usual = text.first().is_some_and(is_usual_start) && !text.ends_with(b" ");
            word == 0 && is_usual && !is_capital_uuid(text)
        } else {
            word != 0 || key.words.is_empty()
        };
        if !(is_meant && key.holds(kind)) {
            self.keys.wrong |= bit;
        }
        self.keys.given |= bit;
        self.texts[number] = text;
        self.words[number] = word;
    }

    /// The text of a value that is not null, of a string what is between its quotes.
    pub fn text(&self, number: u8) -> Option<&'a [u8]> {
        let is_given = number != 0 && self.keys.given >> number & 1 == 1;
        is_given.then(|| self.texts[usize::from(number)])
    }

    pub fn word(&self, number: u8) -> u8 {
        self.text(number).map_or(0, |_| self.words[usize::from(number)])
    }

    /// The first case that fits.
    pub fn case<'c>(&self, cases: &'c [Case]) -> Option<&'c Case> {
        let is_told = |case: &&Case| case.words.iter().all(|&(key, word)| self.word(key) == word);
        cases.iter().find(is_told)
    }

    /// What event it is; None if the reference has to look at it.
    pub fn said(&self, cases: &[Case]) -> Option<Said<'a>> {
        let Keys { given, wrong, .. } = self.keys;
        let case = self.case(cases)?;
        let lacks = |&(holder, keys): &(u64, u64)| given & holder != 0 && keys & !given != 0;
        if wrong & case.keys != 0 || case.required.iter().any(lacks) {
            return None;
        }
        Some(Said {
            kind: case.kind?,
            agent: self.text(case.agent).unwrap_or_default(),
            experience: self.word(case.experience),
        })
    }
}

impl Key {
    pub fn holds(&self, kind: Kind) -> bool {
        self.types >> kind as u64 & 1 == 1
    }
}

/// Whether an id may begin with a byte. The reference reads other ids, which may be placeholders, and
/// ids that end in a blank.
fn is_usual_start(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+-_".contains(byte)
}

/// Whether a text may be a UUID with capital letters. The reference reads it, for it is the same id
/// as in small letters.
fn is_capital_uuid(text: &[u8]) -> bool {
    text.len() == UUID_SIZE
        && [8, 13, 18, 23].iter().all(|&at| text[at] == b'-')
        && text.iter().any(u8::is_ascii_uppercase)
}

/// The number of the word that a text is, or 0. The words of a flag are false and true.
fn word(key: &Key, text: &[u8]) -> u8 {
    let is_exact = key.types & EXACT != 0;
    let same = |word: &[u8]| word == text || (!is_exact && word.eq_ignore_ascii_case(text));
    key.words.iter().position(|word| same(word)).map_or(0, |at| at as u8 + 1)
}
