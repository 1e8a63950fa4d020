//! Reads a line: an envelope with a body, or a body, of events and messages that are as they should
//! be. Any other line is `None`.

use crate::fields::{Body, Form, Key, Table};
use crate::json::{unescaped, whole, Span, Text};
use crate::object::{read, Said, Values};
use crate::times::{time, Time};

/// More events than a usual delivery has.
const MOST_EVENTS: usize = 16;
/// Stands for the number of an event in `events`: the body itself is a message or an action.
pub const MESSAGE: u8 = 255;
pub const ACTION: u8 = 254;

/// One event of a delivery.
pub struct Found {
    pub said: Said,
    /// The JSON object.
    pub value: Span,
    pub index: u8,
}

/// A delivery in which nothing is wrong.
pub struct Line<'a> {
    pub conversation: &'a [u8],
    pub bot: &'a [u8],
    pub delivery_id: Option<&'a [u8]>,
    /// Number of the intake.
    pub intake: u8,
    pub at: Option<Time>,
    /// The text that the spans of the events are of.
    pub text: &'a [u8],
    /// The body in it.
    pub body: &'a [u8],
    pub events: &'a [Found],
}

impl Line<'_> {
    /// The agent of an event; empty if there is none.
    pub fn agent(&self, found: &Found) -> &[u8] {
        found.said.agent.map_or(&[], |(from, to)| &self.text[from..to])
    }
}

/// Reads lines, one after the other, in the same memory.
#[derive(Default)]
pub struct Reader {
    envelope: Values,
    parts: BodyParts,
    unpacked: Vec<u8>,
}

#[derive(Default)]
struct BodyParts {
    span: Span,
    values: Values,
    event: Values,
    found: Vec<Found>,
}

impl Reader {
    pub fn read<'a>(&'a mut self, table: &Table, bytes: &'a [u8]) -> Option<Line<'a>> {
        std::str::from_utf8(bytes).ok()?;
        let intake = self.read_envelope(table, bytes).or_else(|| {
            self.envelope.clear();
            self.unpacked.clear();
            self.parts.read_all(table, table.bodies.first()?, bytes)?;
            Some(0)
        })?;
        let form = &table.bodies[usize::from(intake)];
        let body = if self.unpacked.is_empty() { bytes } else { &self.unpacked[..] };
        for (inside, beside) in [(form.conversation, table.conversation), (form.bot, table.bot)] {
            if self.envelope.span(beside).is_some() {
                self.parts.values.excuse(inside);
            }
        }
        if form.has_ids && !form.ids.fits(&self.parts.values) {
            return None;
        }
        let inside = |node| self.parts.values.span(node).map(|(from, to)| &body[from..to]);
        let beside = |node| self.envelope.span(node).map(|(from, to)| &bytes[from..to]);
        let (known, bot) = (beside(table.bot), inside(form.bot));
        if form.has_ids && known.is_some() && bot.is_some() && known != bot {
            return None;
        }
        let (conversation, bot) = if form.has_ids {
            (inside(form.conversation).or(beside(table.conversation))?, bot.or(known)?)
        } else {
            (beside(table.conversation)?, known?)
        };
        let at = beside(table.received_at).map(time);
        let whole = &body[self.parts.span.0..self.parts.span.1];
        Some(Line {
            conversation,
            bot,
            delivery_id: beside(table.delivery_id),
            intake,
            at: if let Some(at) = at { Some(at?) } else { None },
            text: body,
            body: whole,
            events: &self.parts.found,
        })
    }

    /// Reads a delivery that stands around its body; returns the number of its intake.
    fn read_envelope(&mut self, table: &Table, bytes: &[u8]) -> Option<u8> {
        let Reader { envelope, parts, unpacked } = self;
        let mut intake = None;
        envelope.clear();
        unpacked.clear();
        let is_other = |name: &[u8]| matches!(name, b"conversationId" | b"events");
        whole(bytes, |text| {
            read(text, &table.envelope, 1, envelope, &is_other, &mut |text, _, seen| {
                let word = seen.word(table.endpoint).max(0) as u8;
                intake = Some(word);
                let body = table.bodies.get(usize::from(word))?;
                if text.peek() != Some(b'"') {
                    return parts.read(table, body, text);
                }
                let packed = text.string()?;
                unescaped(text.get(packed.span), unpacked);
                parts.read_all(table, body, unpacked)
            })
        })?;
        // The endpoint may stand behind the body.
        let is_same = intake == Some(envelope.word(table.endpoint).max(0) as u8);
        intake.filter(|_| is_same && table.envelope_ids.fits(envelope))
    }
}

impl BodyParts {
    /// Reads a body that is a text of its own.
    fn read_all(&mut self, table: &Table, body: &Body, bytes: &[u8]) -> Option<()> {
        whole(bytes, |text| self.read(table, body, text))
    }

    fn read(&mut self, table: &Table, body: &Body, text: &mut Text) -> Option<()> {
        let BodyParts { span, values, event, found } = self;
        let from = text.at;
        values.clear();
        found.clear();
        read(text, &body.keys, 1, values, &|_| false, &mut |text, key, _| {
            events(body.listed.as_ref()?, text, key, event, found)
        })?;
        *span = (from, text.at);
        if body.is_action || body.whole_if & values.given != 0 {
            let said = body.whole.shape(values).said(values)?;
            // It stands behind the entries that the list begins with.
            let is_entry = |each: &Found| table.entries >> each.said.kind & 1 == 1;
            let entries = found.iter().take_while(|each| is_entry(each)).count();
            let index = if body.is_action { ACTION } else { MESSAGE };
            found.insert(entries, Found { said, value: *span, index });
        }
        (!found.is_empty()).then_some(())
    }
}

/// Reads the list of events.
fn events(
    form: &Form,
    text: &mut Text,
    key: &Key,
    values: &mut Values,
    found: &mut Vec<Found>,
) -> Option<()> {
    text.each(b'[', b']', |text| {
        let from = text.at;
        values.clear();
        read(text, &key.members, 3, values, &|_| false, &mut |_, _, _| None)?;
        let said = form.shape(values).said(values)?;
        if found.len() == MOST_EVENTS {
            return None;
        }
        found.push(Found { said, value: (from, text.at), index: found.len() as u8 });
        Some(())
    })
}
