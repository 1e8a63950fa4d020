//! The conversations of a log, as far as nothing was wrong with them: what was sent of each, and
//! where it stands. Where an event leads is learned from the reference, one move at a time.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::description::Description;
use crate::fingerprint::{Fingerprints, SIZE};
use crate::intern::Interned;
use crate::key_numbers::KeyNumbers;
use crate::line::{Found, Line};
use crate::times::NO_TIME;
use crate::values::Said;

/// Agents of one conversation.
const MOST_AGENTS: usize = 64;
/// Deliveries of one conversation that had an id.
const MOST_RECEIPTS: usize = 1 << 8;
const HAS_ID: u8 = 128;
const MOST_MOVES: usize = 1 << 16;
/// Stands for the number of an event in `events` where the body itself is an action, or, with one
/// more, a message: of these only kind, experience and agent are kept.
const ACTION: u8 = 254;

/// What the judging of a conversation goes on from.
#[derive(Clone, Copy, Default)]
struct Standing {
    form: u32,
    /// The number of what checks remember.
    remembered: u32,
    bot: Option<u32>,
    latest: Option<i64>,
}

#[derive(Default)]
struct Conversation {
    /// How many conversations there were before it.
    order: u32,
    standing: Standing,
    /// Numbers of the texts of who is known.
    agents: Vec<u32>,
    /// What the reference is told of each event, and of the delivery it came with: microseconds
    /// since 1970, or the least number; line; and from the lowest bit on the number of its text, in
    /// 32 bits; the offset of the time in minutes, in 16; its number in `events`, in 8; and how
    /// many events the delivery has, and whether it has an id, in 8, or 0 for all but its first.
    records: Vec<[u64; 3]>,
    /// Of each delivery that had an id its fingerprint, the number of its intake, and its id.
    receipts: Vec<Box<[u8]>>,
}

/// What became of a line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Kept,
    /// The conversation has ended; its records are exported.
    Ended,
    /// The reference has to read the line, and goes on with the conversation, which is exported,
    /// unless it has it already.
    Refused,
    /// The reference has to say where an event leads; exported are form, number of what checks
    /// remember, and the event: its experience in the first byte, its kind in the second, the
    /// number of its agent from 1 on (0: nobody) above them.
    Asked,
    /// The reference has to read the line, and to find whose it is.
    Unread,
}

/// Where an event leads from each form, and from what checks remember each; None: something is
/// reported.
#[derive(Default)]
pub struct Learned(HashMap<(bool, u32, u32), Option<u32>>);

impl Learned {
    pub fn learn(&mut self, is_check: bool, from: u32, event: u32, to: Option<u32>) {
        if self.0.len() >= MOST_MOVES {
            self.0.clear();
        }
        self.0.insert((is_check, from, event), to);
    }
}

#[derive(Default)]
pub struct Conversations {
    pub description: Description,
    /// Whether bots may use the same ids.
    pub is_keyed_by_bot: bool,
    /// Of deliveries that are not left out.
    pub times: Range<i64>,
    /// Ids of conversations that are not left out; None: of all.
    pub wanted: Option<HashSet<Box<[u8]>>>,
    /// By key.
    open: HashMap<Box<[u8]>, Box<Conversation>>,
    /// The orders of those that the reference has, where they also stay, or that have ended.
    gone: KeyNumbers,
    count: u32,
    /// The keys of those that began with the last call, in order and each behind its size.
    pub begun: Vec<u8>,
    pub values: Interned,
    pub learned: Learned,
    fingerprints: Fingerprints,
    pub exported: Vec<u8>,
}

impl Conversations {
    fn is_wanted(&self, line: &Line) -> bool {
        self.times.contains(&line.at)
            && self.wanted.as_ref().is_none_or(|ids| ids.contains(line.conversation))
    }

    pub fn key<'a>(&self, line: &Line<'a>) -> Cow<'a, [u8]> {
        if !self.is_keyed_by_bot {
            return line.conversation.into();
        }
        let letters = line.bot.iter().filter(|&&byte| byte & 0xc0 != 0x80).count();
        [letters.to_string().as_bytes(), b":", line.bot, line.conversation].concat().into()
    }

    /// Takes a line that has this number; returns what became of it, and the number of its
    /// conversation from 1 on, or 0.
    pub fn take(&mut self, line: &Line, number: i64) -> (Outcome, u32) {
        if !self.is_wanted(line) {
            return (Outcome::Kept, 0);
        }
        let key = self.key(line);
        let (key, mut it) = match self.open.remove_entry(&*key) {
            Some(found) => found,
            None => match self.gone.get(&key) {
                Some(order) => return (Outcome::Refused, order + 1),
                None => self.begin(&key),
            },
        };
        let owner = it.order + 1;
        let standing = it.standing;
        let sizes = (it.agents.len(), it.records.len(), it.receipts.len());
        // Refused is what is not certain.
        let outcome = self.apply(&mut it, line, number).unwrap_or(Outcome::Refused);
        if matches!(outcome, Outcome::Refused | Outcome::Asked) {
            // As if the line had not come.
            it.standing = standing;
            it.agents.truncate(sizes.0);
            it.records.truncate(sizes.1);
            it.receipts.truncate(sizes.2);
        }
        if matches!(outcome, Outcome::Refused | Outcome::Ended) {
            self.leave(&key, &it);
        } else {
            self.open.insert(key, it);
        }
        (outcome, owner)
    }

    fn begin(&mut self, key: &[u8]) -> (Box<[u8]>, Box<Conversation>) {
        self.begun.extend((key.len() as u32).to_le_bytes());
        self.begun.extend_from_slice(key);
        self.count += 1;
        let it = Conversation { order: self.count - 1, ..Default::default() };
        (key.into(), it.into())
    }

    /// Leaves a conversation to the reference for good.
    fn leave(&mut self, key: &[u8], it: &Conversation) {
        self.gone.insert(key, it.order);
        self.export(key, it);
    }

    /// Applies all events of a delivery, or says why not; then it has to be undone.
    fn apply(&mut self, it: &mut Conversation, line: &Line, number: i64) -> Option<Outcome> {
        let bot = self.values.number(line.bot)?;
        if *it.standing.bot.get_or_insert(bot) != bot {
            return None;
        }
        let mut size = line.events.len() as u8;
        if let Some(id) = line.delivery_id {
            let digest = self.fingerprints.of(&self.description, line)?;
            let receipt = [&digest[..], &[line.intake], id].concat();
            let is_known = it.receipts.iter().any(|each| each[SIZE..] == receipt[SIZE..]);
            if is_known || it.receipts.len() == MOST_RECEIPTS {
                return None;
            }
            it.receipts.push(receipt.into());
            size |= HAS_ID;
        }
        if line.at != NO_TIME {
            if Some(line.at) < it.standing.latest {
                return None;
            }
            it.standing.latest = Some(line.at);
        }
        let mut has_ended = false;
        for found in &line.events {
            if has_ended {
                return None;
            }
            let Said { kind, experience, .. } = found.said;
            let event = self.agent(it, &found.said)? << 16 | u32::from(kind) << 8;
            let sent = event | u32::from(experience);
            let Standing { form, remembered, .. } = it.standing;
            let moved = self.learned.0.get(&(false, form, event));
            match (moved, self.learned.0.get(&(true, remembered, sent))) {
                (Some(None), _) | (_, Some(None)) => return None,
                (Some(&Some(form)), Some(&Some(remembered))) => {
                    it.standing = Standing { form, remembered, ..it.standing };
                }
                _ => {
                    self.put(&[form, remembered, sent]);
                    return Some(Outcome::Asked);
                }
            }
            let value = self.text(found)?;
            let offset = u64::from(line.offset as u16);
            let how = offset | u64::from(found.index) << 16 | u64::from(size) << 24;
            it.records.push([line.at as u64, number as u64, u64::from(value) | how << 32]);
            size = 0;
            has_ended = kind == self.description.end;
        }
        Some(if has_ended { Outcome::Ended } else { Outcome::Kept })
    }

    /// The number of an event's agent in its conversation, from 1 on, or 0 for nobody; None if the
    /// reference has to find it.
    fn agent(&mut self, it: &mut Conversation, said: &Said) -> Option<u32> {
        let is_one_of = |kinds: u64| kinds >> said.kind & 1 == 1;
        if is_one_of(self.description.agentless) {
            return Some(0);
        }
        if said.agent.is_empty() {
            return None;
        }
        let name = self.values.number(said.agent)?;
        if let Some(at) = it.agents.iter().position(|&each| each == name) {
            return Some(at as u32 + 1);
        }
        if is_one_of(self.description.messages) && it.agents.is_empty() {
            return Some(1); // nobody is known whom the name could mean
        }
        if !is_one_of(self.description.introducing) || it.agents.len() == MOST_AGENTS {
            return None;
        }
        it.agents.push(name);
        Some(it.agents.len() as u32)
    }

    /// The number of the text that the reference reads an event from.
    fn text(&mut self, found: &Found) -> Option<u32> {
        let Found { said, value, index } = found;
        if *index < ACTION {
            return self.values.number(value);
        }
        self.values.number(&[&[said.kind, said.experience], said.agent].concat())
    }

    /// Gives a conversation to the reference for good, and returns how many had begun before it.
    pub fn give(&mut self, key: &[u8]) -> u32 {
        if let Some(order) = self.gone.get(key) {
            return order;
        }
        let (key, it) = self.open.remove_entry(key).unwrap_or_else(|| self.begin(key));
        self.leave(&key, &it);
        it.order
    }

    /// Gives every conversation; they stand in the export one behind the other.
    pub fn give_all(&mut self) {
        let mut all: Vec<_> = std::mem::take(&mut self.open).into_iter().collect();
        all.sort_unstable_by_key(|(_, it)| it.order);
        for (key, it) in all {
            self.leave(&key, &it);
        }
    }

    fn put(&mut self, numbers: &[u32]) {
        self.exported.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    }

    /// Writes what the reference needs to know, if something was sent: numbers, key, agents,
    /// records, receipts.
    fn export(&mut self, key: &[u8], it: &Conversation) {
        let Some(bot) = it.standing.bot else { return };
        let receipts: usize = it.receipts.iter().map(|each| 4 + each.len()).sum();
        let size = key.len() + 4 * it.agents.len() + 24 * it.records.len() + receipts;
        let counts = [key.len(), it.records.len(), it.agents.len(), size];
        self.put(&[bot, it.standing.form]);
        self.put(&counts.map(|count| count as u32));
        self.exported.extend_from_slice(key);
        self.put(&it.agents);
        for number in it.records.as_flattened() {
            self.exported.extend_from_slice(&number.to_le_bytes());
        }
        for each in &it.receipts {
            self.put(&[each.len() as u32]);
            self.exported.extend_from_slice(each);
        }
    }
}
