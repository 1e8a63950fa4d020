//! Reads an object by the keys that its description has.

use crate::fields::{
    Form, Key, Shape, ARRAY, BODY, EXACT, FLAG, ID, MOST_NODES, NO_KIND, NO_WORD, OBJECT, STRING,
};
use crate::json::{Keys, Kind, Span, Text};

/// The values of an object and of the objects in it, by the numbers of their keys.
pub struct Values {
    /// Keys that were there.
    seen: u64,
    /// Keys whose value is not null.
    pub given: u64,
    /// Keys whose value is as it should be.
    pub right: u64,
    pub spans: [Span; MOST_NODES],
    pub words: [i8; MOST_NODES],
}

impl Default for Values {
    fn default() -> Self {
        Values {
            seen: 0,
            given: 0,
            right: 0,
            spans: [(0, 0); MOST_NODES],
            words: [NO_WORD; MOST_NODES],
        }
    }
}

impl Values {
    pub fn clear(&mut self) {
        (self.seen, self.given, self.right) = (0, 0, 0);
    }

    pub fn word(&self, node: u8) -> i8 {
        if self.given >> node & 1 == 0 {
            return NO_WORD;
        }
        self.words[usize::from(node)]
    }

    /// Takes a key that was not there as right.
    pub fn excuse(&mut self, node: u8) {
        self.right |= !self.seen & 1 << node;
    }

    /// The span of a value that is right.
    pub fn span(&self, node: u8) -> Option<Span> {
        (self.given >> node & 1 == 1).then(|| self.spans[usize::from(node)])
    }

    pub fn words_of(&self, nodes: &[u8], words: &[i8]) -> bool {
        nodes.iter().zip(words).all(|(&node, &word)| self.word(node) == word)
    }
}

/// What may be asked of any id.
pub fn is_id(id: &[u8], placeholders: &[Box<[u8]>]) -> bool {
    !id.is_empty() && id[0] != b'<' && !placeholders.iter().any(|word| **word == *id)
}

/// Reads what is not an object of known keys, a body or a list of events, with what was seen so far.
pub type ReadOther<'a> = dyn FnMut(&mut Text, &Key, &Values) -> Option<()> + 'a;

pub struct Objects<'a> {
    pub placeholders: &'a [Box<[u8]>],
}

/// What becomes of a key that the description does not have.
pub enum Unknown {
    /// It is looked through.
    Skip,
    /// The object is another one than was thought.
    Stop,
}

impl Objects<'_> {
    /// Reads an object into `values`; `unknown` is asked about keys without description.
    pub fn read(
        &self,
        text: &mut Text,
        keys: &[Key],
        level: u32,
        values: &mut Values,
        unknown: &dyn Fn(&[u8]) -> Unknown,
        other: &mut ReadOther,
    ) -> Option<()> {
        let mut others = Keys::default();
        let mut next = 0;
        text.each(b'{', b'}', |text| {
            let key = text.key()?;
            let name = text.get(key);
            // Senders write keys in the order of the description, more often than not.
            let found = keys[next.min(keys.len())..]
                .iter()
                .position(|each| *each.name == *name)
                .map(|at| at + next)
                .or_else(|| keys.iter().position(|each| *each.name == *name));
            match found {
                Some(index) => {
                    next = index + 1;
                    self.member(text, &keys[index], level, values, other)
                }
                None => {
                    if matches!(unknown(name), Unknown::Stop)
                        || keys.iter().any(|each| each.name.eq_ignore_ascii_case(name))
                    {
                        return None;
                    }
                    others.add(text.bytes, key)?;
                    text.value(level + 1).map(drop)
                }
            }
        })
    }

    fn member(
        &self,
        text: &mut Text,
        key: &Key,
        level: u32,
        values: &mut Values,
        other: &mut ReadOther,
    ) -> Option<()> {
        let (bit, node) = (1u64 << key.node, usize::from(key.node));
        if values.seen & bit != 0 {
            return None; // a key that came twice
        }
        values.seen |= bit;
        let is_list = key.types & ARRAY != 0;
        let begins = if is_list { b'[' } else { b'{' };
        let is_known = !key.members.is_empty() && text.peek() == begins;
        if is_known || key.types & BODY != 0 {
            let from = text.at;
            if is_list || !is_known {
                other(text, key, values)?;
            } else {
                self.read(text, &key.members, level + 1, values, &|_| Unknown::Skip, other)?;
            }
            values.spans[node] = (from, text.at);
            values.given |= bit;
            values.right |= bit;
            return Some(());
        }
        let value = text.value(level + 1)?;
        if value.kind == Kind::Null {
            return Some(());
        }
        values.given |= bit;
        values.spans[node] = value.span;
        values.words[node] = NO_WORD;
        let types = key.types;
        let is_right = match value.kind {
            Kind::True | Kind::False if types & FLAG != 0 => {
                values.words[node] = i8::from(value.kind == Kind::True);
                true
            }
            Kind::Plain if types & (STRING | FLAG) != 0 => {
                let found = text.get(value.span);
                if types & ID != 0 {
                    is_id(found, self.placeholders)
                } else if !key.words.is_empty() {
                    values.words[node] = word(key, found);
                    values.words[node] != NO_WORD
                } else {
                    true
                }
            }
            Kind::Escaped => types & STRING != 0 && types & ID == 0 && key.words.is_empty(),
            Kind::Object => types & OBJECT != 0,
            Kind::Array => types & ARRAY != 0,
            _ => false,
        };
        if is_right {
            values.right |= bit;
        }
        Some(())
    }
}

/// The number of the word that a text is, or NO_WORD. The words of a flag are false and true.
fn word(key: &Key, found: &[u8]) -> i8 {
    let is_exact = key.types & EXACT != 0;
    let same = |word: &[u8]| word == found || (!is_exact && word.eq_ignore_ascii_case(found));
    key.words.iter().position(|word| same(word)).map_or(NO_WORD, |index| index as i8)
}

/// What an object says of an event.
pub struct Said {
    pub kind: u8,
    pub agent: Option<Span>,
    /// The number of its word, or NO_WORD.
    pub experience: i8,
}

impl Shape {
    /// Whether all values of an object are as this shape has them.
    pub fn fits(&self, values: &Values) -> bool {
        let (right, absent) = (values.right, !values.given);
        let fits = self.groups.iter().all(|group| {
            (group.holder != 0 && values.given & group.holder == 0)
                || (group.required & !right == 0 && group.optional & !(right | absent) == 0)
        });
        fits && !self.contradictions.iter().any(|words| values.words_of(&self.told_apart, words))
    }

    /// What an object of this shape says; None if the reference has to look at it.
    pub fn said(&self, values: &Values) -> Option<Said> {
        let told = self.kinds.iter().find(|(words, _)| values.words_of(&self.told_by, words));
        let kind = told.map_or(self.otherwise, |&(_, kind)| kind);
        (kind != NO_KIND && self.fits(values)).then(|| Said {
            kind,
            agent: self.agent.and_then(|node| values.span(node)),
            experience: self.experience.map_or(NO_WORD, |node| values.word(node)),
        })
    }
}

impl Form {
    /// The shape that an object should have.
    pub fn shape(&self, values: &Values) -> &Shape {
        match self {
            Form::Shape(shape) => shape,
            Form::Choice { by, cases, otherwise } => {
                let word = values.word(*by);
                let case = cases.iter().find(|(each, _)| *each == word && word != NO_WORD);
                case.map_or(&**otherwise, |(_, form)| form).shape(values)
            }
        }
    }
}
