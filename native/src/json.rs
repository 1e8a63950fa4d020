//! Scans JSON text. Whatever may be wrong, or rare, is `None`: the reference reads it then.

/// A span of the text.
pub type Span = (usize, usize);

/// Nothing usual is nested deeper.
const MOST_LEVELS: u32 = 12;
/// Nothing usual has more keys that nobody asks for.
const MOST_UNKNOWN: usize = 24;
/// Longer numbers may mean different things to different readers.
const MOST_DIGITS: usize = 15;

/// What a value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Null,
    True,
    False,
    Number,
    /// Without escapes: the bytes between the quotes are the text.
    Plain,
    /// With escapes.
    Escaped,
    Object,
    Array,
}

#[derive(Clone, Copy, Debug)]
pub struct Value {
    pub kind: Kind,
    /// Of a string what is between the quotes, of all else the whole value.
    pub span: Span,
}

pub struct Text<'a> {
    pub bytes: &'a [u8],
    pub at: usize,
}

/// Adds a key that nobody knows. None if it was there before, or there are too many.
pub fn add<'a>(keys: &mut Vec<&'a [u8]>, key: &'a [u8]) -> Option<()> {
    let is_usual = keys.len() < MOST_UNKNOWN && !keys.contains(&key);
    is_usual.then(|| keys.push(key))
}

const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// A bit in each byte of a word that is this one, and perhaps in bytes above such a byte.
fn same(word: u64, byte: u8) -> u64 {
    let differing = word ^ (LOW * u64::from(byte));
    differing.wrapping_sub(LOW) & !differing & HIGH
}

/// Where the next byte is that stops, or the end; `bits` are those of eight bytes, as in `same`.
fn next_stop(bytes: &[u8], mut at: usize, bits: impl Fn(u64) -> u64) -> usize {
    while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
        let word = rest.first_chunk().copied().unwrap_or_else(|| padded(rest));
        let stops = bits(u64::from_le_bytes(word));
        if stops != 0 {
            at += stops.trailing_zeros() as usize / 8;
            break;
        }
        at += word.len();
    }
    bytes.len().min(at)
}

/// Bytes with zeros behind them.
pub fn padded<const SIZE: usize>(bytes: &[u8]) -> [u8; SIZE] {
    let mut all = [0; SIZE];
    all[..bytes.len()].copy_from_slice(bytes);
    all
}

/// How many bytes there are up to the first newline, and with it.
pub fn line_size(bytes: &[u8]) -> usize {
    let end = next_stop(bytes, 0, |word| same(word, b'\n'));
    bytes.len().min(end + 1)
}

/// Reads all of a text, with blanks around it.
pub fn whole(bytes: &[u8], one: impl FnOnce(&mut Text) -> Option<()>) -> Option<()> {
    let mut text = Text { bytes, at: 0 };
    text.blanks();
    one(&mut text)?;
    text.blanks();
    (text.at == bytes.len()).then_some(())
}

impl<'a> Text<'a> {
    pub fn get(&self, span: Span) -> &'a [u8] {
        &self.bytes[span.0..span.1]
    }

    pub fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    pub fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    pub fn eat(&mut self, byte: u8) -> Option<()> {
        (self.peek() == Some(byte)).then(|| self.at += 1)
    }

    /// Goes to the next quote, backslash or control character.
    fn skip_to_stop(&mut self) {
        let control = |word: u64| word.wrapping_sub(LOW * 0x20) & !word & HIGH;
        let bits = |word| same(word, b'"') | same(word, b'\\') | control(word);
        self.at = next_stop(self.bytes, self.at, bits);
    }

    /// A string; NUL and halves of surrogate pairs are left to the reference.
    pub fn string(&mut self) -> Option<Value> {
        self.eat(b'"')?;
        let from = self.at;
        let mut kind = Kind::Plain;
        loop {
            self.skip_to_stop();
            match self.peek()? {
                b'"' => {
                    self.at += 1;
                    return Some(Value { kind, span: (from, self.at - 1) });
                }
                b'\\' => {
                    kind = Kind::Escaped;
                    self.escape()?;
                }
                _ => return None,
            }
        }
    }

    /// Goes behind an escape, and returns what it stands for.
    fn escape(&mut self) -> Option<char> {
        let short = *self.bytes.get(self.at + 1)?;
        self.at += 2;
        Some(match short {
            b'"' | b'\\' | b'/' => char::from(short),
            b'b' => '\x08',
            b'f' => '\x0c',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let digits = self.bytes.get(self.at..self.at + 4)?;
                self.at += 4;
                let digit = |code, &digit: &u8| Some(code * 16 + char::from(digit).to_digit(16)?);
                char::from_u32(digits.iter().try_fold(0, digit)?).filter(|&found| found != '\0')?
            }
            _ => return None,
        })
    }

    /// A key without escapes, and what stands between it and its value.
    pub fn key(&mut self) -> Option<Span> {
        let key = self.string()?;
        if key.kind != Kind::Plain {
            return None;
        }
        self.blanks();
        self.eat(b':')?;
        self.blanks();
        Some(key.span)
    }

    /// Reads what stands between two brackets, one after the other.
    pub fn each(
        &mut self,
        begin: u8,
        end: u8,
        mut one: impl FnMut(&mut Self) -> Option<()>,
    ) -> Option<()> {
        self.eat(begin)?;
        self.blanks();
        if self.eat(end).is_some() {
            return Some(());
        }
        loop {
            one(self)?;
            self.blanks();
            if self.eat(b',').is_none() {
                return self.eat(end);
            }
            self.blanks();
        }
    }

    /// Any value, looked through.
    pub fn value(&mut self, level: u32) -> Option<Value> {
        let from = self.at;
        let kind = match self.peek()? {
            b'{' | b'[' if level >= MOST_LEVELS => return None,
            b'{' => {
                let mut keys = Vec::new();
                self.each(b'{', b'}', |text| {
                    let key = text.key()?;
                    add(&mut keys, text.get(key))?;
                    text.value(level + 1).map(drop)
                })?;
                Kind::Object
            }
            b'[' => {
                self.each(b'[', b']', |text| text.value(level + 1).map(drop))?;
                Kind::Array
            }
            _ => return self.scalar(),
        };
        Some(Value { kind, span: (from, self.at) })
    }

    /// A value that is neither an object nor an array.
    pub fn scalar(&mut self) -> Option<Value> {
        let from = self.at;
        let kind = match self.peek()? {
            b'"' => return self.string(),
            b't' => self.word(b"true", Kind::True)?,
            b'f' => self.word(b"false", Kind::False)?,
            b'n' => self.word(b"null", Kind::Null)?,
            _ => self.number()?,
        };
        Some(Value { kind, span: (from, self.at) })
    }

    fn word(&mut self, word: &[u8], kind: Kind) -> Option<Kind> {
        word.iter().try_for_each(|&byte| self.eat(byte))?;
        Some(kind)
    }

    /// A number of few digits, up to its exponent.
    fn number(&mut self) -> Option<Kind> {
        self.eat(b'-');
        let from = self.at;
        if self.eat(b'0').is_none() {
            self.digits()?;
        }
        if self.eat(b'.').is_some() {
            self.digits()?;
        }
        (self.at - from <= MOST_DIGITS).then_some(Kind::Number)
    }

    fn digits(&mut self) -> Option<()> {
        let from = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        (self.at > from).then_some(())
    }
}

/// Writes the text of a string that was read and has escapes.
pub fn unescaped(raw: &[u8], into: &mut Vec<u8>) {
    into.clear();
    let mut text = Text { bytes: raw, at: 0 };
    loop {
        let rest = &raw[text.at..];
        let size = rest.iter().position(|&byte| byte == b'\\').unwrap_or(rest.len());
        into.extend_from_slice(&rest[..size]);
        text.at += size;
        let Some(found) = text.escape() else { return };
        into.extend_from_slice(found.encode_utf8(&mut [0; 4]).as_bytes());
    }
}
