//! The C functions that the reference calls. They know nothing of rules.
//!
//! What all of them ask of their caller: a core is one of `segue_new` that was not freed, used by
//! one thread at a time; a pointer with a size is of that many values, which do not change during
//! the call; and what `segue_output` points at is read before the next call that changes the core.

pub mod conversations;
pub mod counting;
pub mod description;
pub mod fingerprint;
pub mod intern;
pub mod json;
pub mod key_numbers;
pub mod line;
pub mod times;
pub mod values;

use conversations::{Conversations, Outcome};
use counting::{Counting, ANYWHERE};
use description::Description;
use json::line_size;

/// One log: its conversations, and what the last call has to tell.
#[derive(Default)]
pub struct Core {
    conversations: Conversations,
    unpacked: Vec<u8>,
    /// Of what happened seven numbers each.
    events: Vec<u8>,
    /// Of each line of the last call the number of its conversation from 1 on, or 0.
    owners: Vec<u8>,
    /// Of each line of the last call how many events were kept.
    sizes: Vec<u8>,
    /// How many events of the log were kept so far.
    kept: i64,
}

impl Core {
    fn forget(&mut self) {
        self.events.clear();
        self.owners.clear();
        self.sizes.clear();
        self.conversations.exported.clear();
        self.conversations.begun.clear();
    }

    /// Adds an event; its last three numbers are offset and size of what was exported since `start`,
    /// and how many events of the log were kept before.
    fn note(&mut self, numbers: [i64; 4], start: usize) {
        let size = self.conversations.exported.len() - start;
        let all = numbers.into_iter().chain([start as i64, size as i64, self.kept]);
        self.events.extend(all.flat_map(i64::to_le_bytes));
    }
}

/// What the caller hands over.
fn given<'a, T>(values: *const T, count: usize) -> &'a [T] {
    // SAFETY: the caller of the C function promises it, see above.
    unsafe { std::slice::from_raw_parts(values, count) }
}

/// Makes a core from a description of the fields. Returns null if it cannot be read.
///
/// `by_bot` says whether bots may use the same ids for conversations of their own. Left out are
/// deliveries that were received before `since`, at `until` or later, or, unless `since` is the
/// least number, at no time.
#[no_mangle]
pub extern "C" fn segue_new(
    description: *const u8,
    size: usize,
    by_bot: bool,
    since: i64,
    until: i64,
) -> Option<Box<Core>> {
    let mut core = Box::<Core>::default();
    core.conversations.description = Description::read(given(description, size))?;
    core.conversations.is_keyed_by_bot = by_bot;
    core.conversations.times = since..until;
    Some(core)
}

#[no_mangle]
pub extern "C" fn segue_free(_core: Box<Core>) {}

/// Leaves out all conversations but this one and others that this was said of. No line was taken
/// yet.
#[no_mangle]
pub extern "C" fn segue_want(core: &mut Core, id: *const u8, size: usize) {
    core.conversations.wanted.get_or_insert_default().insert(given(id, size).into());
}

/// Says where an event, as in `Outcome::Asked`, leads: from a form to a form, whatever the
/// experience, which is 0 then, or, for a check, from what checks remember to what they remember
/// then; to -1 if something is reported.
#[no_mangle]
pub extern "C" fn segue_learn(core: &mut Core, is_check: bool, from: u32, event: u32, to: i64) {
    core.conversations.learned.learn(is_check, from, event, u32::try_from(to).ok());
}

/// Takes the lines of a text from an offset on; the text ends with a newline or at the end of the
/// log. `numbers` are those of its lines from the offset on. Returns where it stopped: at the end,
/// before a line for which a move has to be learned, or behind a line of which only the reference
/// can tell whose it is.
///
/// Of each line that was not kept the events are then: the number of its `Outcome`; its own
/// number, offset and size; offset and size of what was exported for it; and how many events of
/// the log were kept before it.
#[no_mangle]
pub extern "C" fn segue_feed(
    core: &mut Core,
    text: *const u8,
    size: usize,
    from: usize,
    numbers: *const i64,
    lines: usize,
) -> usize {
    core.forget();
    let text = given(text, size);
    let mut at = from;
    for &number in given(numbers, lines) {
        let size = line_size(&text[at..]);
        let start = core.conversations.exported.len();
        let line =
            line::read(&core.conversations.description, &text[at..at + size], &mut core.unpacked);
        let (outcome, owner, events) = match line {
            Some(line) => {
                let (outcome, owner) = core.conversations.take(&line, number);
                (outcome, owner, line.events.len())
            }
            None => (Outcome::Unread, 0, 0),
        };
        let is_kept = owner != 0 && matches!(outcome, Outcome::Kept | Outcome::Ended);
        let events = if is_kept { events as u32 } else { 0 };
        if outcome != Outcome::Kept {
            core.note([outcome as i64, number, at as i64, size as i64], start);
        }
        if outcome == Outcome::Asked {
            break;
        }
        core.owners.extend(owner.to_le_bytes());
        core.sizes.extend(events.to_le_bytes());
        core.kept += i64::from(events);
        at += size;
        if outcome == Outcome::Unread {
            break;
        }
    }
    at
}

/// Looks through the lines of a text, and takes none of them. The events are, for each: 1; the time
/// or the least number; twice 0; offset and size of the exported key of the conversation; and how
/// many events were kept. Of a line that the reference has to look at the first four and the size
/// are 0.
#[no_mangle]
pub extern "C" fn segue_look(core: &mut Core, text: *const u8, size: usize) {
    core.forget();
    let mut rest = given(text, size);
    while !rest.is_empty() {
        let (line, behind) = rest.split_at(line_size(rest));
        let start = core.conversations.exported.len();
        let line = line::read(&core.conversations.description, line, &mut core.unpacked);
        let seen = line.map(|line| {
            let key = core.conversations.key(&line);
            core.conversations.exported.extend_from_slice(&key);
            [1, line.at, 0, 0]
        });
        core.note(seen.unwrap_or_default(), start);
        rest = behind;
    }
}

/// Points at bytes that the last call left, and returns their size: the events (0), the numbers of
/// lines' conversations (1), what was exported (2), the keys of the conversations that began (3),
/// or how many events of each line were kept (4).
#[no_mangle]
pub extern "C" fn segue_output(core: &Core, which: u8, out: &mut *const u8) -> usize {
    let bytes = match which {
        0 => &core.events,
        1 => &core.owners,
        2 => &core.conversations.exported,
        3 => &core.conversations.begun,
        _ => &core.sizes,
    };
    *out = bytes.as_ptr();
    bytes.len()
}

/// Returns how many events of the log were kept so far.
#[no_mangle]
pub extern "C" fn segue_kept(core: &Core) -> i64 {
    core.kept
}

/// Points at the text of a value of some record, and returns its size.
#[no_mangle]
pub extern "C" fn segue_value(core: &Core, number: u32, out: &mut *const u8) -> usize {
    let value = core.conversations.values.value(number);
    *out = value.as_ptr();
    value.len()
}

/// Exports a conversation and leaves it to the reference for good. Returns how many had begun
/// before it.
#[no_mangle]
pub extern "C" fn segue_give(core: &mut Core, key: *const u8, size: usize) -> u32 {
    core.forget();
    core.conversations.give(given(key, size))
}

/// Exports every conversation, and leaves them to the reference.
#[no_mangle]
pub extern "C" fn segue_give_all(core: &mut Core) {
    core.forget();
    core.conversations.give_all();
}

/// Makes what counts events.
#[no_mangle]
pub extern "C" fn segue_count_new() -> Box<Counting> {
    Box::default()
}

#[no_mangle]
pub extern "C" fn segue_count_free(_counting: Box<Counting>) {}

/// Says what an event of this text counts for in a context, and the context it leaves; in all
/// contexts with the same upper half if it `is_certain`.
#[no_mangle]
pub extern "C" fn segue_count_learn(
    counting: &mut Counting,
    context: i64,
    text: u32,
    number: i64,
    next: i64,
    is_certain: bool,
) {
    let context = if is_certain { context | ANYWHERE } else { context };
    counting.steps.insert((context, text), (number, next));
}

/// Counts exported conversations from an offset on, those of a level that is not below the share.
/// Returns the offset behind what is counted then: all, or what stands before a conversation for
/// which a step has to be learned; `missing` is then the context and what is said in it.
#[no_mangle]
pub extern "C" fn segue_count(
    counting: &mut Counting,
    exported: *const u8,
    size: usize,
    mut at: usize,
    share: u32,
    missing: &mut [i64; 2],
) -> usize {
    if at == 0 {
        counting.done.clear();
    }
    while at < size {
        match counting.count(&given(exported, size)[at..], share) {
            Ok(taken) => at += taken,
            Err(step) => {
                *missing = step;
                break;
            }
        }
    }
    at
}

/// Points at the moments of what has a number, or, for -1, at what came of the last conversations,
/// and returns how many values there are.
#[no_mangle]
pub extern "C" fn segue_counted(counting: &Counting, number: i64, out: &mut *const i64) -> usize {
    let found = match usize::try_from(number) {
        Ok(number) => counting.moments.get(number).map_or(&[][..], Vec::as_slice),
        Err(_) => counting.done.as_flattened(),
    };
    *out = found.as_ptr();
    found.len()
}
