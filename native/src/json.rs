//! Scans JSON text. Whatever may be wrong, or rare, is `None`: the reference reads it then.

/// Nothing usual is nested deeper.
const MOST_LEVELS: u32 = 12;
/// Nothing usual has more keys that nobody asks for.
const MOST_UNKNOWN: usize = 24;
/// Longer numbers may mean different things to different readers.
const MOST_DIGITS: usize = 15;

/// Letters of escapes, and what they stand for.
const ESCAPES: &[u8] = b"\"\\bfnrt";
const ESCAPED: &[u8] = b"\"\\\x08\x0c\n\r\t";

/// What a value is; the numbers are bits of what a key may hold.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A string without escapes: the bytes between the quotes are the text.
    Plain = 0,
    /// A string with escapes.
    Escaped = 1,
    Flag = 2,
    Object = 3,
    Array = 4,
    Number = 5,
    Null = 6,
}

#[derive(Clone, Copy)]
pub struct Value<'a> {
    pub kind: Kind,
    /// Of a string what is between the quotes, of all else the whole value.
    pub text: &'a [u8],
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

/// A text, and where the next value is.
pub struct Text<'a> {
    pub bytes: &'a [u8],
    pub at: usize,
    /// How many objects and arrays may begin inside the one that is read.
    levels: u32,
}

impl<'a> Text<'a> {
    /// Reads all of a text, with blanks around it.
    pub fn whole(bytes: &'a [u8], one: impl FnOnce(&mut Text<'a>) -> Option<()>) -> Option<()> {
        let mut text = Text { bytes, at: 0, levels: MOST_LEVELS };
        text.blanks();
        one(&mut text)?;
        text.blanks();
        (text.at == bytes.len()).then_some(())
    }

    pub fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    fn eat(&mut self, byte: u8) -> Option<()> {
        (self.peek() == Some(byte)).then(|| self.at += 1)
    }

    /// A string; NUL and halves of surrogate pairs are left to the reference.
    pub fn string(&mut self) -> Option<Value<'a>> {
        self.eat(b'"')?;
        let from = self.at;
        let mut kind = Kind::Plain;
        let control = |word: u64| word.wrapping_sub(LOW * 0x20) & !word & HIGH;
        let stops = |word| same(word, b'"') | same(word, b'\\') | control(word);
        loop {
            self.at = next_stop(self.bytes, self.at, stops);
            match self.peek()? {
                b'"' => {
                    self.at += 1;
                    return Some(Value { kind, text: &self.bytes[from..self.at - 1] });
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
            b'/' => '/',
            b'u' => {
                let digits = self.bytes.get(self.at..self.at + 4)?;
                self.at += 4;
                let digit = |code, &digit: &u8| Some(code * 16 + char::from(digit).to_digit(16)?);
                char::from_u32(digits.iter().try_fold(0, digit)?).filter(|&found| found != '\0')?
            }
            _ => char::from(ESCAPED[ESCAPES.iter().position(|&letter| letter == short)?]),
        })
    }

    /// A key without escapes, and what stands between it and its value.
    pub fn key(&mut self) -> Option<&'a [u8]> {
        let key = self.string().filter(|key| key.kind == Kind::Plain)?;
        self.blanks();
        self.eat(b':')?;
        self.blanks();
        Some(key.text)
    }

    /// Reads what stands between two brackets, one after the other.
    pub fn each(
        &mut self,
        begin: u8,
        end: u8,
        mut one: impl FnMut(&mut Self) -> Option<()>,
    ) -> Option<()> {
        self.eat(begin)?;
        self.levels = self.levels.checked_sub(1)?;
        self.blanks();
        let mut is_over = self.peek() == Some(end);
        while !is_over {
            self.blanks();
            one(self)?;
            self.blanks();
            is_over = self.eat(b',').is_none();
        }
        self.eat(end)?;
        self.levels += 1;
        Some(())
    }

    /// Any value, looked through.
    pub fn value(&mut self) -> Option<Value<'a>> {
        let from = self.at;
        let kind = match self.peek()? {
            b'{' => {
                let mut keys = Vec::new();
                self.each(b'{', b'}', |text| {
                    add(&mut keys, text.key()?)?;
                    text.value().map(drop)
                })?;
                Kind::Object
            }
            b'[' => {
                self.each(b'[', b']', |text| text.value().map(drop))?;
                Kind::Array
            }
            b'"' => return self.string(),
            b't' => self.word(b"true", Kind::Flag)?,
            b'f' => self.word(b"false", Kind::Flag)?,
            b'n' => self.word(b"null", Kind::Null)?,
            _ => self.number()?,
        };
        Some(Value { kind, text: &self.bytes[from..self.at] })
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
    let mut text = Text { bytes: raw, at: 0, levels: MOST_LEVELS };
    loop {
        let rest = &raw[text.at..];
        let size = rest.iter().position(|&byte| byte == b'\\').unwrap_or(rest.len());
        into.extend_from_slice(&rest[..size]);
        text.at += size;
        let Some(found) = text.escape() else { return };
        into.extend_from_slice(found.encode_utf8(&mut [0; 4]).as_bytes());
    }
}
