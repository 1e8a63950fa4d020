//! Reads an object by the keys that its description has.

use crate::fields::{
    Form, Key, Shape, ARRAY, BODY, EXACT, FLAG, ID, MOST_NODES, NO_KIND, NO_WORD, OBJECT, STRING,
};
use crate::json::{add, Kind, Span, Text};

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
        let (seen, given, right) = Default::default();
        let spans = [Span::default(); MOST_NODES];
        Values { seen, given, right, spans, words: [NO_WORD; MOST_NODES] }
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

/// Reads what is not an object of known keys, a body or a list of events, with what was seen so far.
pub type ReadOther<'a> = dyn FnMut(&mut Text, &Key, &Values) -> Option<()> + 'a;

/// Reads an object into `values`. It is another one than was thought if it has a key without
/// description of which `is_other` is true.
pub fn read(
    text: &mut Text,
    keys: &[Key],
    level: u32,
    values: &mut Values,
    is_other: &dyn Fn(&[u8]) -> bool,
    other: &mut ReadOther,
) -> Option<()> {
    let mut others = Vec::new();
    let mut next = 0;
    text.each(b'{', b'}', |text| {
        let key = text.key()?;
        let name = text.get(key);
        // Senders write keys in the order of the description, more often than not.
        let found = (next..keys.len()).chain(0..next).find(|&at| *keys[at].name == *name);
        if let Some(index) = found {
            next = index + 1;
            return member(text, &keys[index], level, values, other);
        }
        if is_other(name) || keys.iter().any(|each| each.name.eq_ignore_ascii_case(name)) {
            return None;
        }
        add(&mut others, name)?;
        text.value(level + 1).map(drop)
    })
}

fn member(
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
    let (from, is_list, types) = (text.at, key.types & ARRAY != 0, key.types);
    let begins = if is_list { b'[' } else { b'{' };
    let is_known = !key.members.is_empty() && text.peek() == Some(begins);
    values.words[node] = NO_WORD;
    let (kind, span) = if types & BODY != 0 || is_known && is_list {
        other(text, key, values)?;
        (None, (from, text.at))
    } else if is_known {
        read(text, &key.members, level + 1, values, &|_| false, other)?;
        (None, (from, text.at))
    } else {
        let value = text.value(level + 1)?;
        (Some(value.kind), value.span)
    };
    if kind == Some(Kind::Null) {
        return Some(());
    }
    values.given |= bit;
    values.spans[node] = span;
    let is_right = match kind {
        Some(Kind::True | Kind::False) if types & FLAG != 0 => {
            values.words[node] = i8::from(kind == Some(Kind::True));
            true
        }
        Some(Kind::Plain) if types & (STRING | FLAG) != 0 => {
            let found = text.get(span);
            values.words[node] = word(key, found);
            let is_word = values.words[node] != NO_WORD;
            match types & ID {
                0 => is_word || key.words.is_empty(),
                _ => !is_word && found.first().is_some_and(|&byte| byte != b'<'),
            }
        }
        Some(Kind::Escaped) => types & STRING != 0 && key.words.is_empty(),
        Some(Kind::Object) => types & OBJECT != 0,
        Some(Kind::Array) => is_list,
        Some(_) => false,
        None => true,
    };
    if is_right {
        values.right |= bit;
    }
    Some(())
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
