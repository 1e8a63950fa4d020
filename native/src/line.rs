//! Reads a line: an envelope with a body, or a body, of events and messages that are as they should
//! be. Any other line is `None`.

use std::cell::Cell;

use crate::fields::{Body, Form, Key, Table};
use crate::json::{unescaped, Kind, Span, Text};
use crate::object::{is_id, Objects, Said, Unknown, Values};
use crate::times::{time, Time};

/// More events than a usual delivery has.
const MOST_EVENTS: usize = 16;
/// Stands for the number of an event in `events`: the body itself is a message or an action.
pub const MESSAGE: u8 = 255;
pub const ACTION: u8 = 254;

/// One event of a delivery.
pub struct Found {
    pub said: Said,
    /// The JSON object; of the body itself nothing.
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
        if !bytes.is_ascii() {
            std::str::from_utf8(bytes).ok()?;
        }
        let Reader { envelope, parts, unpacked } = self;
        let mut text = Text { bytes, at: 0 };
        text.blanks();
        let start = text.at;
        let (is_bare, mut intake, mut is_unpacked) = (Cell::new(false), None, false);
        let unknown = |name: &[u8]| match name {
            b"conversationId" | b"events" => {
                is_bare.set(true);
                Unknown::Stop
            }
            _ => Unknown::Skip,
        };
        envelope.clear();
        let objects = Objects { placeholders: &table.placeholders };
        let read = objects.read(
            &mut text,
            &table.envelope,
            1,
            envelope,
            &unknown,
            &mut |text, _, seen| {
                let word = seen.word(table.endpoint).max(0);
                intake = Some(word);
                let body = table.bodies.get(word as usize)?;
                if text.peek() != b'"' {
                    return parts.read(table, body, text);
                }
                let packed = text.string()?;
                is_unpacked = packed.kind == Kind::Escaped;
                unescaped(text.get(packed.span), unpacked)?;
                parts.read_all(table, body, unpacked)
            },
        );
        if is_bare.get() {
            text.at = start;
            envelope.clear();
            parts.read(table, table.bodies.first()?, &mut text)?;
        } else {
            read?;
            if !table.envelope_ids.fits(envelope)
                || intake != Some(envelope.word(table.endpoint).max(0))
            {
                return None;
            }
        }
        text.blanks();
        if text.at != bytes.len() {
            return None;
        }
        let intake = u8::try_from(intake.unwrap_or(0)).ok()?;
        let form = &table.bodies[usize::from(intake)];
        let body = if is_unpacked { &self.unpacked[..] } else { bytes };
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
        let at = match beside(table.received_at) {
            Some(text) => Some(time(text)?),
            None => None,
        };
        let delivery_id = beside(table.delivery_id);
        let has_escapes = |id: &[u8]| id.contains(&b'\\');
        if [conversation, bot].iter().any(|id| has_escapes(id) || !is_id(id, &table.placeholders))
            || delivery_id.is_some_and(has_escapes)
        {
            return None;
        }
        let whole = &body[self.parts.span.0..self.parts.span.1];
        Some(Line {
            conversation,
            bot,
            delivery_id,
            intake,
            at,
            text: body,
            body: whole,
            events: &self.parts.found,
        })
    }
}

impl BodyParts {
    /// Reads a body that is a text of its own.
    fn read_all(&mut self, table: &Table, body: &Body, bytes: &[u8]) -> Option<()> {
        let mut text = Text { bytes, at: 0 };
        text.blanks();
        self.read(table, body, &mut text)?;
        text.blanks();
        (text.at == bytes.len()).then_some(())
    }

    fn read(&mut self, table: &Table, body: &Body, text: &mut Text) -> Option<()> {
        let BodyParts { span, values, event, found } = self;
        let from = text.at;
        let objects = Objects { placeholders: &table.placeholders };
        values.clear();
        found.clear();
        objects.read(text, &body.keys, 1, values, &|_| Unknown::Skip, &mut |text, key, _| {
            events(&objects, body.listed.as_ref()?, text, key, event, found)
        })?;
        *span = (from, text.at);
        if body.is_action || body.whole_if & values.given != 0 {
            let said = body.whole.shape(values).said(values)?;
            // It stands behind the entries that the list begins with.
            let is_entry = |each: &Found| table.entries >> each.said.kind & 1 == 1;
            let entries = found.iter().take_while(|each| is_entry(each)).count();
            let index = if body.is_action { ACTION } else { MESSAGE };
            found.insert(entries, Found { said, value: (0, 0), index });
        }
        (!found.is_empty()).then_some(())
    }
}

/// Reads the list of events.
fn events(
    objects: &Objects,
    form: &Form,
    text: &mut Text,
    key: &Key,
    values: &mut Values,
    found: &mut Vec<Found>,
) -> Option<()> {
    text.each(b'[', b']', |text| {
        let from = text.at;
        values.clear();
        objects.read(text, &key.members, 3, values, &|_| Unknown::Skip, &mut |_, _, _| None)?;
        let said = form.shape(values).said(values)?;
        if found.len() == MOST_EVENTS {
            return None;
        }
        found.push(Found { said, value: (from, text.at), index: found.len() as u8 });
        Some(())
    })
}
