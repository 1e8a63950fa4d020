//! The description of the fields, as the reference hands it over: which keys an object has, what
//! they may hold, and which kind of event it is. Nothing here is known before.

use crate::json::Kind;

/// Bits of a key, above those of the kinds of values that it may hold.
///
/// An id: not empty, none of its words, not in angle brackets.
pub const ID: u64 = 1 << 8;
/// The words of the key stand for themselves in one letter case only.
pub const EXACT: u64 = 1 << 9;
/// A body: an object, or its text.
pub const BODY: u64 = 1 << 10;
/// The object is another one than was thought.
pub const OTHER: u64 = 1 << 11;

pub const MOST_KEYS: usize = 64;
/// The kind of an event that the reference has to look at.
const NO_KIND: u8 = 255;

pub struct Key {
    pub name: Box<[u8]>,
    /// Its number among all keys of a line, from 1 on; 0 is the number of no key.
    pub number: u8,
    pub types: u64,
    /// Words that it may be, by their numbers from 1 on; of an id, words that nobody means.
    pub words: Vec<Box<[u8]>>,
    /// The keys of the object, or of the elements of the array, that it holds.
    pub members: Vec<Key>,
}

/// A field of an event that holds no other fields.
pub struct Leaf {
    pub number: u8,
    /// Words that stand for it in a fingerprint, in the order of those of its key; empty: its text.
    pub words: Vec<Box<[u8]>>,
}

/// What an object is whose keys have these words.
pub struct Case {
    /// Numbers of keys, and of their words, or 0.
    pub words: Vec<(u8, u8)>,
    pub kind: Option<u8>,
    /// All keys that it may have, as bits.
    pub keys: u64,
    /// Keys that must be there if another one is; bit 0 is always there.
    pub required: Vec<(u64, u64)>,
    pub agent: u8,
    pub experience: u8,
    /// What fingerprints call it.
    pub of: Box<[u8]>,
    pub leaves: Vec<Leaf>,
}

/// What a body consists of.
pub struct Body {
    pub keys: Vec<Key>,
    pub conversation: u8,
    pub bot: u8,
    /// Keys of the body and of its envelope that are as they should be, or absent.
    pub sure: u64,
    /// What the body is if it is an event itself: it is if any of `whole_if` is there.
    pub whole: Vec<Case>,
    pub whole_if: u64,
    /// What stands for its number in `events`.
    pub whole_index: u8,
    /// What an element of `events` is.
    pub listed: Vec<Case>,
}

#[derive(Default)]
pub struct Description {
    pub envelope: Vec<Key>,
    pub received_at: u8,
    pub bot: u8,
    pub conversation: u8,
    pub endpoint: u8,
    pub delivery_id: u8,
    /// Kinds of events, as bits, by which an agent becomes known.
    pub introducing: u64,
    /// Kinds of events that belong to no agent.
    pub agentless: u64,
    /// Kinds of messages.
    pub messages: u64,
    /// Kinds by which an agent joins.
    pub entries: u64,
    pub end: u8,
    /// The bodies by the word that names their endpoint; the first if none does.
    pub bodies: Vec<Body>,
}

/// Reads the description: numbers of eight bytes, texts and lists behind their length. None if it
/// is none of this version.
struct Source<'a>(&'a [u8]);

impl Source<'_> {
    fn bytes(&mut self, count: usize) -> Option<&[u8]> {
        let (bytes, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(bytes)
    }
    fn number<T: TryFrom<u64>>(&mut self) -> Option<T> {
        let bytes = self.bytes(8)?.try_into().ok()?;
        u64::from_le_bytes(bytes).try_into().ok()
    }
    fn key_number(&mut self) -> Option<u8> {
        self.number().filter(|&number: &u8| usize::from(number) < MOST_KEYS)
    }
    fn text(&mut self) -> Option<Box<[u8]>> {
        let size = self.number()?;
        self.bytes(size).map(Box::from)
    }
    fn list<T>(&mut self, one: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        (0..self.number::<u64>()?).map(|_| one(self)).collect()
    }
    fn key(&mut self) -> Option<Key> {
        Some(Key {
            name: self.text()?,
            number: self.key_number()?,
            types: self.number()?,
            words: self.list(Self::text)?,
            members: self.list(Self::key)?,
        })
    }
    fn case(&mut self) -> Option<Case> {
        Some(Case {
            words: self.list(|from| Some((from.key_number()?, from.number()?)))?,
            kind: Some(self.number()?).filter(|&kind| kind != NO_KIND),
            keys: self.number()?,
            required: self.list(|from| Some((from.number()?, from.number()?)))?,
            agent: self.key_number()?,
            experience: self.key_number()?,
            of: self.text()?,
            leaves: self.list(Self::leaf)?,
        })
    }
    fn leaf(&mut self) -> Option<Leaf> {
        Some(Leaf { number: self.key_number()?, words: self.list(Self::text)? })
    }
    fn body(&mut self) -> Option<Body> {
        Some(Body {
            keys: self.list(Self::key)?,
            conversation: self.key_number()?,
            bot: self.key_number()?,
            sure: self.number()?,
            whole: self.list(Self::case)?,
            whole_if: self.number()?,
            whole_index: self.number()?,
            listed: self.list(Self::case)?,
        })
    }
    fn description(&mut self) -> Option<Description> {
        Some(Description {
            envelope: self.list(Self::key)?,
            received_at: self.key_number()?,
            bot: self.key_number()?,
            conversation: self.key_number()?,
            endpoint: self.key_number()?,
            delivery_id: self.key_number()?,
            introducing: self.number()?,
            agentless: self.number()?,
            messages: self.number()?,
            entries: self.number()?,
            end: self.number()?,
            bodies: self.list(Self::body)?,
        })
    }
}

impl Body {
    /// The keys of an element of `events`.
    pub fn of_elements(&self) -> &[Key] {
        self.keys.iter().find(|key| key.holds(Kind::Array)).map_or(&[], |key| &key.members)
    }
}

impl Description {
    pub fn read(bytes: &[u8]) -> Option<Description> {
        let mut from = Source(bytes);
        from.description().filter(|_| from.0.is_empty())
    }
}
