//! The conversations of a log, as far as nothing was wrong with them: what was sent of each, and
//! where it stands. Where an event leads is learned from the reference, one move at a time.

use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Range;

use crate::fields::Table;
use crate::fingerprint::{Fingerprints, SIZE};
use crate::intern::{Interned, Map};
use crate::line::{Found, Line, ACTION};
use crate::object::Said;

/// Agents of one conversation.
const MOST_AGENTS: usize = 64;
/// Deliveries of one conversation that had an id.
const MOST_RECEIPTS: usize = 1 << 8;
const HAS_ID: u8 = 128;
const MOST_MOVES: usize = 1 << 16;
const RECORD_SIZE: usize = 24;
const NO_TIME: i64 = i64::MIN;
/// The number of nobody.
const NOBODY: u32 = u32::MAX;

/// What the judging of a conversation goes on from.
#[derive(Clone, Copy)]
struct Standing {
    form: u32,
    /// The number of what checks remember.
    remembered: u32,
    bot: u32,
    latest: i64,
}

struct Conversation {
    key: Box<[u8]>,
    /// How many bytes of the key, the last ones, are the conversation's id.
    id_size: u32,
    standing: Standing,
    /// Numbers of the texts of who is known.
    agents: Vec<u32>,
    /// What the reference is told of each event, and of the delivery it came with: microseconds since
    /// 1970, or the least number; line; number of its text; offset of the time, in minutes; its number
    /// in `events`, 255 for a message; and how many events the delivery has, and whether it has an
    /// id, or 0 for all but its first.
    records: Vec<[u8; RECORD_SIZE]>,
    receipts: Vec<Receipt>,
}

/// A delivery that had an id.
struct Receipt {
    intake: u8,
    id: Box<[u8]>,
    digest: [u8; SIZE],
}

/// Where a conversation is kept.
#[derive(Clone, Copy)]
struct Slot {
    /// How many conversations there were before it.
    order: u32,
    /// Its number among those that are open, or `GONE`.
    at: u32,
}

/// Of a conversation that is with the reference, where it also stays when it has ended.
const GONE: u32 = u32::MAX;

/// What became of a line.
pub enum Outcome {
    Kept,
    /// The conversation has ended; its records are exported.
    Ended,
    /// The reference has to read the line, and goes on with the conversation, which is exported.
    Given,
    /// The reference has to read the line, of a conversation that it has.
    Refused,
    /// The reference has to read the line, of it knows which conversation.
    Unread,
    /// The reference has to say where an event leads: form, number of what checks remember, and the
    /// event: its experience in the first byte, its kind in the second, one more than its agent
    /// (0: nobody) above them.
    Asked([i64; 3]),
}

/// Where each leads; None: something is reported.
#[derive(Default)]
pub struct Learned<K>(HashMap<K, Option<u32>>);

impl<K: Eq + Hash> Learned<K> {
    pub fn learn(&mut self, from: K, to: Option<u32>) {
        if self.0.len() >= MOST_MOVES {
            self.0.clear();
        }
        self.0.insert(from, to);
    }
}

pub struct Conversations {
    pub table: Table,
    slots: Map<Slot>,
    open: Vec<Option<Conversation>>,
    free: Vec<u32>,
    pub values: Interned,
    /// By form, kind and agent.
    pub moves: Learned<(u32, u8, u32)>,
    /// What checks remember then, by what they remembered, kind, experience and agent.
    pub checked: Learned<(u32, u8, i8, u32)>,
    /// Whether bots may use the same ids.
    is_keyed_by_bot: bool,
    /// Of deliveries that are not left out.
    times: Range<i64>,
    /// Ids of conversations that are not left out; None: of all.
    pub wanted: Option<Map<()>>,
    key: Vec<u8>,
    buffer: Vec<u8>,
    fingerprints: Fingerprints,
    /// The exported records of conversations.
    pub exported: Vec<u8>,
}

impl Conversations {
    pub fn new(table: Table, is_keyed_by_bot: bool, times: Range<i64>) -> Self {
        Conversations {
            table,
            slots: Map::default(),
            open: Vec::new(),
            free: Vec::new(),
            values: Interned::default(),
            moves: Learned::default(),
            checked: Learned::default(),
            is_keyed_by_bot,
            times,
            wanted: None,
            key: Vec::new(),
            buffer: Vec::new(),
            fingerprints: Fingerprints::default(),
            exported: Vec::new(),
        }
    }

    /// Returns the time of a line, and exports the key of its conversation.
    pub fn look(&mut self, line: &Line) -> i64 {
        self.make_key(line);
        self.exported.extend_from_slice(&self.key);
        time_of(line)
    }

    fn is_wanted(&self, line: &Line) -> bool {
        self.times.contains(&time_of(line))
            && self.wanted.as_ref().is_none_or(|ids| ids.contains_key(line.conversation))
    }

    fn make_key(&mut self, line: &Line) {
        self.key.clear();
        if self.is_keyed_by_bot {
            let letters = line.bot.iter().filter(|&&byte| byte & 0xc0 != 0x80).count();
            self.key.extend_from_slice(format!("{letters}:").as_bytes());
            self.key.extend_from_slice(line.bot);
        }
        self.key.extend_from_slice(line.conversation);
    }

    /// Takes a line that has this number; returns what became of it, and the number of its conversation
    /// from 1 on, or 0.
    pub fn take(&mut self, line: &Line, number: i64) -> (Outcome, u32) {
        if !self.is_wanted(line) {
            return (Outcome::Kept, 0);
        }
        self.make_key(line);
        let slot = match self.slots.get(&self.key[..]) {
            Some(&slot) => slot,
            None => self.begin(line.conversation.len() as u32),
        };
        let owner = slot.order + 1;
        let Some(mut it) = self.taken(slot) else { return (Outcome::Refused, owner) };
        let before = (it.standing, it.agents.len(), it.records.len(), it.receipts.len());
        // Refused is what is not certain.
        let outcome = self.apply(&mut it, line, number).unwrap_or(Outcome::Refused);
        if matches!(outcome, Outcome::Ended) {
            self.leave(it, slot);
            return (outcome, owner);
        }
        if !matches!(outcome, Outcome::Kept) {
            // As if the line had not come.
            it.standing = before.0;
            it.agents.truncate(before.1);
            it.records.truncate(before.2);
            it.receipts.truncate(before.3);
        }
        if matches!(outcome, Outcome::Refused) {
            self.leave(it, slot);
            return (Outcome::Given, owner);
        }
        self.open[slot.at as usize] = Some(it);
        (outcome, owner)
    }

    /// Begins the conversation of the key that was made.
    fn begin(&mut self, id_size: u32) -> Slot {
        let it = Conversation {
            key: self.key[..].into(),
            id_size,
            standing: Standing { form: 0, remembered: 0, bot: NOBODY, latest: NO_TIME },
            agents: Vec::new(),
            records: Vec::new(),
            receipts: Vec::new(),
        };
        let at = self.free.pop().unwrap_or_else(|| {
            self.open.push(None);
            self.open.len() as u32 - 1
        });
        self.open[at as usize] = Some(it);
        let slot = Slot { order: self.slots.len() as u32, at };
        self.slots.insert(self.key[..].into(), slot);
        slot
    }

    /// Takes a conversation out of those that are open, if it is one.
    fn taken(&mut self, slot: Slot) -> Option<Conversation> {
        self.open.get_mut(slot.at as usize)?.take()
    }

    /// Leaves a conversation that was taken out to the reference; exports it if something is there.
    fn leave(&mut self, it: Conversation, slot: Slot) {
        if !it.records.is_empty() {
            self.export(&it);
        }
        self.free.push(slot.at);
        self.slots.insert(it.key, Slot { at: GONE, ..slot });
    }

    /// Applies all events of a delivery, or says why not; then it has to be undone.
    fn apply(&mut self, it: &mut Conversation, line: &Line, number: i64) -> Option<Outcome> {
        let bot = self.values.number(line.bot)?;
        if it.standing.bot != NOBODY && it.standing.bot != bot {
            return None;
        }
        it.standing.bot = bot;
        if let Some(id) = line.delivery_id {
            let intake = line.intake;
            let is_known = it.receipts.iter().any(|each| each.intake == intake && *each.id == *id);
            if is_known || it.receipts.len() == MOST_RECEIPTS {
                return None;
            }
            it.receipts.push(Receipt {
                intake,
                id: id.into(),
                digest: self.fingerprints.of(line.body)?,
            });
        }
        let at = time_of(line);
        if line.at.is_some() && at < it.standing.latest {
            return None;
        }
        it.standing.latest = it.standing.latest.max(at);
        let mut has_ended = false;
        let has_id = if line.delivery_id.is_some() { HAS_ID } else { 0 };
        let mut size = line.events.len() as u8 | has_id;
        for found in line.events {
            if has_ended {
                return None;
            }
            let Said { kind, experience, .. } = found.said;
            let agent = self.agent(it, kind, line.agent(found))?;
            let Standing { form, remembered, .. } = it.standing;
            let moved = self.moves.0.get(&(form, kind, agent));
            match (moved, self.checked.0.get(&(remembered, kind, experience, agent))) {
                (Some(None), _) | (_, Some(None)) => return None,
                (Some(&Some(form)), Some(&Some(remembered))) => {
                    it.standing = Standing { form, remembered, ..it.standing };
                }
                _ => {
                    let agent = if agent == NOBODY { 0 } else { i64::from(agent) + 1 };
                    let event = agent << 16 | i64::from(kind) << 8 | i64::from(experience + 1);
                    return Some(Outcome::Asked([form.into(), remembered.into(), event]));
                }
            }
            let value = self.text(line, found)?;
            let mut record = [0; RECORD_SIZE];
            record[..8].copy_from_slice(&at.to_le_bytes());
            record[8..16].copy_from_slice(&number.to_le_bytes());
            record[16..20].copy_from_slice(&value.to_le_bytes());
            record[20..22].copy_from_slice(&line.at.map_or(0, |(_, offset)| offset).to_le_bytes());
            record[22..].copy_from_slice(&[found.index, size]);
            it.records.push(record);
            size = 0;
            has_ended = kind == self.table.end;
        }
        Some(if has_ended { Outcome::Ended } else { Outcome::Kept })
    }

    /// The number of an event's agent in its conversation; None if the reference has to find it.
    fn agent(&mut self, it: &mut Conversation, kind: u8, agent: &[u8]) -> Option<u32> {
        if self.table.agentless >> kind & 1 == 1 {
            return Some(NOBODY);
        }
        if agent.is_empty() {
            return None;
        }
        let name = self.values.number(agent)?;
        if let Some(at) = it.agents.iter().position(|&each| each == name) {
            return Some(at as u32);
        }
        if self.table.messages >> kind & 1 == 1 && it.agents.is_empty() {
            return Some(0); // nobody is known whom the name could mean
        }
        if self.table.introducing >> kind & 1 == 0 || it.agents.len() == MOST_AGENTS {
            return None;
        }
        it.agents.push(name);
        Some(it.agents.len() as u32 - 1)
    }

    /// The number of the text that the reference reads an event from.
    fn text(&mut self, line: &Line, found: &Found) -> Option<u32> {
        if found.index < ACTION {
            return self.values.number(&line.text[found.value.0..found.value.1]);
        }
        // Of a message or an action only this is kept: its kind, its experience and its agent.
        self.buffer.clear();
        self.buffer.extend_from_slice(&[found.said.kind, (found.said.experience + 1) as u8]);
        self.buffer.extend_from_slice(line.agent(found));
        self.values.number(&self.buffer)
    }

    /// Gives a conversation to the reference for good; exports it if something of it is here.
    pub fn give(&mut self, key: &[u8]) {
        let new = Slot { order: self.slots.len() as u32, at: GONE };
        let slot = *self.slots.entry(key.into()).or_insert(new);
        if let Some(it) = self.taken(slot) {
            self.leave(it, slot);
        }
    }

    /// Gives every conversation; they stand in the export one behind the other.
    pub fn give_all(&mut self) {
        for it in std::mem::take(&mut self.open).into_iter().flatten() {
            let slot = self.slots[&it.key];
            self.leave(it, slot);
        }
        self.free.clear();
    }

    /// Exports the keys of all conversations, each behind its order and its size.
    pub fn list(&mut self) {
        for (key, slot) in &self.slots {
            let numbers = [slot.order, key.len() as u32];
            self.exported.extend(numbers.into_iter().flat_map(u32::to_le_bytes));
            self.exported.extend_from_slice(key);
        }
    }

    /// How many conversations had begun before this one.
    pub fn order(&self, key: &[u8]) -> Option<u32> {
        self.slots.get(key).map(|slot| slot.order)
    }

    /// Writes what the reference needs to know: numbers, key, agents, records, receipts.
    fn export(&mut self, it: &Conversation) {
        let receipts: usize = it.receipts.iter().map(|each| 3 + SIZE + each.id.len()).sum();
        let size = it.key.len() + 4 * it.agents.len() + RECORD_SIZE * it.records.len() + receipts;
        let numbers = [
            it.key.len() as u32,
            it.id_size,
            it.standing.bot,
            it.standing.form,
            it.records.len() as u32,
            it.agents.len() as u32,
            size as u32,
        ];
        let out = &mut self.exported;
        out.extend(numbers.into_iter().flat_map(u32::to_le_bytes));
        out.extend_from_slice(&it.key);
        out.extend(it.agents.iter().flat_map(|agent| agent.to_le_bytes()));
        out.extend_from_slice(it.records.as_flattened());
        for each in &it.receipts {
            out.push(each.intake);
            out.extend_from_slice(&(each.id.len() as u16).to_le_bytes());
            out.extend_from_slice(&each.digest);
            out.extend_from_slice(&each.id);
        }
    }
}

fn time_of(line: &Line) -> i64 {
    line.at.map_or(NO_TIME, |(at, _)| at)
}

/// Whether a line has nothing but blanks, as Python's `bytes.isspace` means them.
pub fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|byte| matches!(byte, b' ' | 9..=13))
}
