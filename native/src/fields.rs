//! The description of the fields, as the reference hands it over: which keys an object has, what
//! they may hold, and which kind of event it is. Nothing here is known before.

/// Bits of the types that a key may hold.
pub const STRING: u16 = 1;
pub const FLAG: u16 = 2;
pub const OBJECT: u16 = 4;
pub const ARRAY: u16 = 8;
/// An id: not empty, no placeholder, not in angle brackets.
pub const ID: u16 = 16;
/// The words of the key stand for themselves in one letter case only.
pub const EXACT: u16 = 32;
/// An object or its text.
pub const BODY: u16 = 64;
pub const TIME: u16 = 128;

pub const MOST_NODES: usize = 64;
pub const NO_WORD: i8 = -1;
/// The kind of an event that the reference has to look at.
pub const NO_KIND: u8 = 255;

pub struct Key {
    pub name: Box<[u8]>,
    /// The number of the key among all of a body.
    pub node: u8,
    pub types: u16,
    /// Words that it may be; of an id, words that nobody means.
    pub words: Vec<Box<[u8]>>,
    /// The keys of the object, or of the elements of the array, that it holds.
    pub members: Vec<Key>,
}

/// Keys that have to be right, and keys that may be absent, if an object is there.
pub struct Group {
    pub holder: u64,
    pub required: u64,
    pub optional: u64,
}

pub struct Shape {
    pub groups: Vec<Group>,
    pub told_by: Vec<u8>,
    pub kinds: Vec<(Vec<i8>, u8)>,
    pub otherwise: u8,
    pub agent: Option<u8>,
    pub experience: Option<u8>,
    pub told_apart: Vec<u8>,
    pub contradictions: Vec<Vec<i8>>,
}

pub enum Form {
    Shape(Shape),
    Choice { by: u8, cases: Vec<(i8, Form)>, otherwise: Box<Form> },
}

/// What a body consists of.
pub struct Body {
    /// Whether the ids stand in the body rather than beside it.
    pub has_ids: bool,
    /// Whether its event is an action, of which little is kept.
    pub is_action: bool,
    /// All keys of the body, of its ids and of the event that it may be itself.
    pub keys: Vec<Key>,
    pub ids: Shape,
    pub conversation: u8,
    pub bot: u8,
    pub whole: Form,
    /// It is an event itself if it has any of these, and an action always.
    pub whole_if: u64,
    /// The form of an element of `events`, if there are any.
    pub listed: Option<Form>,
}

pub struct Table {
    pub envelope: Vec<Key>,
    pub envelope_ids: Shape,
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
    /// The bodies by the number of the word that names their endpoint; the first if none does.
    pub bodies: Vec<Body>,
}

/// Reads the description: small numbers of two bytes, texts behind their length.
struct Source<'a> {
    rest: &'a [u8],
    /// Whether something was read that no description has.
    is_wrong: bool,
}

impl Source<'_> {
    /// Returns what was found, or says that something is wrong.
    fn sure<T: Default>(&mut self, found: Option<T>) -> T {
        self.is_wrong |= found.is_none();
        found.unwrap_or_default()
    }
    fn bytes(&mut self, count: usize) -> &[u8] {
        let found = self.rest.split_at_checked(count);
        let (bytes, rest) = self.sure(found);
        self.rest = rest;
        bytes
    }
    fn number(&mut self) -> u16 {
        let bytes = self.bytes(2).try_into().ok();
        u16::from_le_bytes(self.sure(bytes))
    }
    fn byte(&mut self) -> u8 {
        let byte = self.number().try_into().ok();
        self.sure(byte)
    }
    fn mask(&mut self) -> u64 {
        let bytes = self.bytes(8).try_into().ok();
        u64::from_le_bytes(self.sure(bytes))
    }
    fn text(&mut self) -> Box<[u8]> {
        let size = self.number();
        self.bytes(size.into()).into()
    }
    fn list<T>(&mut self, one: impl Fn(&mut Self) -> T) -> Vec<T> {
        (0..self.number()).map(|_| one(self)).collect()
    }
    fn word(&mut self) -> i8 {
        // One more than the word, so that there is a number for none.
        let word = i8::try_from(i32::from(self.number()) - 1).ok();
        self.sure(word)
    }
    fn node(&mut self) -> u8 {
        let node = Some(self.byte()).filter(|&node| usize::from(node) < MOST_NODES);
        self.sure(node)
    }
    /// One more than the number of a key, or 0 for none.
    fn perhaps_node(&mut self) -> Option<u8> {
        self.byte().checked_sub(1)
    }
    fn key(&mut self) -> Key {
        Key {
            name: self.text(),
            node: self.node(),
            types: self.number(),
            words: self.list(Self::text),
            members: self.list(Self::key),
        }
    }
    fn shape(&mut self) -> Shape {
        Shape {
            groups: self.list(|from| Group {
                holder: from.mask(),
                required: from.mask(),
                optional: from.mask(),
            }),
            told_by: self.list(Self::byte),
            kinds: self.list(|from| (from.list(Self::word), from.byte())),
            otherwise: self.byte(),
            agent: self.perhaps_node(),
            experience: self.perhaps_node(),
            told_apart: self.list(Self::byte),
            contradictions: self.list(|from| from.list(Self::word)),
        }
    }
    fn form(&mut self) -> Form {
        if self.number() == 0 {
            return Form::Shape(self.shape());
        }
        Form::Choice {
            by: self.byte(),
            cases: self.list(|from| (from.word(), from.form())),
            otherwise: Box::new(self.form()),
        }
    }
    fn body(&mut self) -> Body {
        Body {
            has_ids: self.number() != 0,
            is_action: self.number() != 0,
            keys: self.list(Self::key),
            ids: self.shape(),
            conversation: self.byte(),
            bot: self.byte(),
            whole: self.form(),
            whole_if: self.mask(),
            listed: (self.number() != 0).then(|| self.form()),
        }
    }
}

impl Table {
    /// Reads the description; None if it is none of this version.
    pub fn read(bytes: &[u8]) -> Option<Table> {
        let mut from = Source { rest: bytes, is_wrong: false };
        let table = Table {
            envelope: from.list(Source::key),
            envelope_ids: from.shape(),
            received_at: from.byte(),
            bot: from.byte(),
            conversation: from.byte(),
            endpoint: from.byte(),
            delivery_id: from.byte(),
            introducing: from.mask(),
            agentless: from.mask(),
            messages: from.mask(),
            entries: from.mask(),
            end: from.byte(),
            bodies: from.list(Source::body),
        };
        (from.rest.is_empty() && !from.is_wrong).then_some(table)
    }
}
