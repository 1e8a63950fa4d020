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
struct Source<'a>(&'a [u8]);

impl Source<'_> {
    fn number(&mut self) -> Option<u16> {
        let (number, rest) = self.0.split_first_chunk::<2>()?;
        self.0 = rest;
        Some(u16::from_le_bytes(*number))
    }
    fn byte(&mut self) -> Option<u8> {
        u8::try_from(self.number()?).ok()
    }
    fn mask(&mut self) -> Option<u64> {
        let (number, rest) = self.0.split_first_chunk::<8>()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*number))
    }
    fn text(&mut self) -> Option<Box<[u8]>> {
        let size = usize::from(self.number()?);
        let text = self.0.get(..size)?;
        self.0 = &self.0[size..];
        Some(text.into())
    }
    fn list<T>(&mut self, one: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        (0..self.number()?).map(|_| one(self)).collect()
    }
    fn word(&mut self) -> Option<i8> {
        // One more than the word, so that there is a number for none.
        i8::try_from(i32::from(self.number()?) - 1).ok()
    }
    fn node(&mut self) -> Option<Option<u8>> {
        let number = self.number()?;
        Some(number.checked_sub(1).map(|node| node as u8))
    }
    fn key(&mut self) -> Option<Key> {
        let key = Key {
            name: self.text()?,
            node: self.byte()?,
            types: self.number()?,
            words: self.list(Self::text)?,
            members: self.list(Self::key)?,
        };
        (usize::from(key.node) < MOST_NODES).then_some(key)
    }
    fn shape(&mut self) -> Option<Shape> {
        Some(Shape {
            groups: self.list(|from| {
                Some(Group { holder: from.mask()?, required: from.mask()?, optional: from.mask()? })
            })?,
            told_by: self.list(Self::byte)?,
            kinds: self.list(|from| Some((from.list(Self::word)?, from.byte()?)))?,
            otherwise: self.byte()?,
            agent: self.node()?,
            experience: self.node()?,
            told_apart: self.list(Self::byte)?,
            contradictions: self.list(|from| from.list(Self::word))?,
        })
    }
    fn form(&mut self) -> Option<Form> {
        if self.number()? == 0 {
            return Some(Form::Shape(self.shape()?));
        }
        Some(Form::Choice {
            by: self.byte()?,
            cases: self.list(|from| Some((from.word()?, from.form()?)))?,
            otherwise: Box::new(self.form()?),
        })
    }
    fn body(&mut self) -> Option<Body> {
        Some(Body {
            has_ids: self.number()? != 0,
            is_action: self.number()? != 0,
            keys: self.list(Self::key)?,
            ids: self.shape()?,
            conversation: self.byte()?,
            bot: self.byte()?,
            whole: self.form()?,
            whole_if: self.mask()?,
            listed: if self.number()? != 0 { Some(self.form()?) } else { None },
        })
    }
}

impl Table {
    /// Reads the description; None if it is none of this version.
    pub fn read(bytes: &[u8]) -> Option<Table> {
        let mut from = Source(bytes);
        let table = Table {
            envelope: from.list(Source::key)?,
            envelope_ids: from.shape()?,
            received_at: from.byte()?,
            bot: from.byte()?,
            conversation: from.byte()?,
            endpoint: from.byte()?,
            delivery_id: from.byte()?,
            introducing: from.mask()?,
            agentless: from.mask()?,
            messages: from.mask()?,
            entries: from.mask()?,
            end: from.byte()?,
            bodies: from.list(Source::body)?,
        };
        from.0.is_empty().then_some(table)
    }
}
