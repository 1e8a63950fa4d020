//! Reads a line: an envelope with a body, or a body, of events and messages that are as they should
//! be. Any other line is `None`.

use crate::description::{Case, Description, Key, BODY, OTHER};
use crate::json::{add, unescaped, Kind, Text, Value};
use crate::times::{time, NO_TIME};
use crate::values::{Said, Values};

/// More events than a usual delivery has.
const MOST_EVENTS: usize = 16;

/// One event of a delivery.
pub struct Found<'a> {
    pub said: Said<'a>,
    /// The JSON object.
    pub value: &'a [u8],
    /// Its number in `events`, or what stands for it.
    pub index: u8,
}

/// A delivery in which nothing is wrong.
pub struct Line<'a> {
    pub conversation: &'a [u8],
    pub bot: &'a [u8],
    pub delivery_id: Option<&'a [u8]>,
    /// Number of the intake.
    pub intake: u8,
    /// Microseconds since 1970, and the offset in minutes.
    pub at: i64,
    pub offset: i16,
    pub events: Vec<Found<'a>>,
}

/// Reads a line; a body that came as text is unpacked into `unpacked`.
pub fn read<'a>(
    description: &Description,
    bytes: &'a [u8],
    unpacked: &'a mut Vec<u8>,
) -> Option<Line<'a>> {
    std::str::from_utf8(bytes).ok()?;
    let mut envelope = Reading::new(description, Some(unpacked));
    if Text::whole(bytes, |text| envelope.object(text, &description.envelope)).is_some() {
        return envelope.line();
    }
    let mut bare = Reading::new(description, None);
    Text::whole(bytes, |text| bare.body(text))?;
    bare.line()
}

impl<'a> Line<'a> {
    /// Reads one of its events again: returns what it is, and its values.
    pub fn again<'t>(
        &self,
        description: &'t Description,
        found: &Found<'a>,
    ) -> Option<(&'t Case, Values<'a>)> {
        let body = description.bodies.get(usize::from(self.intake))?;
        let is_whole = found.index == body.whole_index;
        let (keys, cases) =
            if is_whole { (&*body.keys, &body.whole) } else { (body.of_elements(), &body.listed) };
        let mut reading = Reading { intake: self.intake, ..Reading::new(description, None) };
        Text::whole(found.value, |text| reading.object(text, keys))?;
        Some((reading.values.case(cases)?, reading.values))
    }
}

/// What was read of a line until now.
struct Reading<'t, 'a> {
    description: &'t Description,
    unpacked: Option<&'a mut Vec<u8>>,
    values: Values<'a>,
    intake: u8,
    events: Vec<Found<'a>>,
}

impl<'t, 'a> Reading<'t, 'a> {
    fn new(description: &'t Description, unpacked: Option<&'a mut Vec<u8>>) -> Self {
        let (values, events) = Default::default();
        Reading { description, unpacked, values, intake: 0, events }
    }

    /// The number of the intake, as far as it is known.
    fn intake(&self) -> u8 {
        self.values.word(self.description.endpoint).saturating_sub(1)
    }

    fn object(&mut self, text: &mut Text<'a>, keys: &'t [Key]) -> Option<()> {
        let (mut others, mut next) = (Vec::new(), 0);
        text.each(b'{', b'}', |text| {
            let name = text.key()?;
            // Senders write keys in the order of the description, more often than not.
            let found = (next..keys.len()).chain(0..next).find(|&at| *keys[at].name == *name);
            if let Some(index) = found {
                next = index + 1;
                return self.member(text, &keys[index]);
            }
            if keys.iter().any(|each| each.name.eq_ignore_ascii_case(name)) {
                return None;
            }
            add(&mut others, name)?;
            text.value().map(drop)
        })
    }

    fn member(&mut self, text: &mut Text<'a>, key: &'t Key) -> Option<()> {
        if key.types & OTHER != 0 {
            return None;
        }
        self.values.see(key)?;
        let from = text.at;
        let kind = match text.peek()? {
            _ if key.types & BODY != 0 => {
                self.body(text)?;
                Kind::Object
            }
            b'{' if key.holds(Kind::Object) => {
                self.object(text, &key.members)?;
                Kind::Object
            }
            b'[' if key.holds(Kind::Array) => {
                self.listed(text, key)?;
                Kind::Array
            }
            _ => return text.value().map(|value| self.values.set(key, value)),
        };
        self.values.set(key, Value { kind, text: &text.bytes[from..text.at] });
        Some(())
    }

    fn body(&mut self, text: &mut Text<'a>) -> Option<()> {
        if text.peek() == Some(b'"') {
            let packed = text.string()?;
            let unpacked = self.unpacked.take()?;
            unescaped(packed.text, unpacked);
            return Text::whole(unpacked, |text| self.body(text));
        }
        self.intake = self.intake();
        let body = self.description.bodies.get(usize::from(self.intake))?;
        let from = text.at;
        self.object(text, &body.keys)?;
        if body.whole_if & self.values.keys.given != 0 {
            let said = self.values.said(&body.whole)?;
            // It stands behind the entries that the list begins with.
            let is_entry = |each: &&Found| self.description.entries >> each.said.kind & 1 == 1;
            let entries = self.events.iter().take_while(is_entry).count();
            let value = &text.bytes[from..text.at];
            let found = Found { said, value, index: body.whole_index };
            self.events.insert(entries, found);
        }
        Some(())
    }

    /// Reads the list of events. The keys of each are forgotten behind it.
    fn listed(&mut self, text: &mut Text<'a>, key: &'t Key) -> Option<()> {
        let body = &self.description.bodies[usize::from(self.intake)];
        let before = self.values.keys;
        text.each(b'[', b']', |text| {
            let from = text.at;
            self.object(text, &key.members)?;
            let said = self.values.said(&body.listed)?;
            self.values.keys = before;
            if self.events.len() == MOST_EVENTS {
                return None;
            }
            let index = self.events.len() as u8;
            self.events.push(Found { said, value: &text.bytes[from..text.at], index });
            Some(())
        })
    }

    /// Returns the line if everything is as it should be.
    fn line(self) -> Option<Line<'a>> {
        let (description, values) = (self.description, &self.values);
        let body = description.bodies.get(usize::from(self.intake))?;
        let is_sure = values.keys.wrong & body.sure == 0;
        // The endpoint may stand behind the body.
        if !is_sure || self.events.is_empty() || self.intake != self.intake() {
            return None;
        }
        let (bot, beside) = (values.text(body.bot), values.text(description.bot));
        if bot.is_some() && beside.is_some() && bot != beside {
            return None;
        }
        let (at, offset) = match values.text(description.received_at) {
            Some(text) => time(text)?,
            None => (NO_TIME, 0),
        };
        Some(Line {
            conversation: values
                .text(body.conversation)
                .or(values.text(description.conversation))?,
            bot: bot.or(beside)?,
            delivery_id: values.text(description.delivery_id),
            intake: self.intake,
            at,
            offset,
            events: self.events,
        })
    }
}
