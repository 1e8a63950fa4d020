//! The C functions that the reference calls. They know nothing of rules.
//!
//! What all of them ask of their caller: a core is one of `segue_new` that was not freed, used by one
//! thread at a time; a pointer with a size is of that many values, which do not change during the call;
//! and what a function points at is read before the next call that changes the core.

pub mod conversations;
pub mod fields;
pub mod fingerprint;
pub mod intern;
pub mod json;
pub mod line;
pub mod object;
pub mod times;

use conversations::{is_blank, Conversations, Outcome};
use fields::Table;
use json::line_size;
use line::Reader;

const ENDED: i64 = 0;
const REFUSED: i64 = 1;
const GIVEN: i64 = 2;
const ASKED: i64 = 3;
const UNREAD: i64 = 4;

/// One log: its conversations, and what the last call has to tell.
pub struct Core {
    conversations: Conversations,
    reader: Reader,
    /// Four numbers each: what happened, the line, and two that depend on it.
    events: Vec<[i64; 4]>,
    /// Of each line of the last call the number of its conversation from 1 on, or 0.
    owners: Vec<u32>,
}

impl Core {
    fn forget(&mut self) {
        self.events.clear();
        self.owners.clear();
        self.conversations.exported.clear();
    }
}

/// What the caller hands over.
fn given<'a, T>(values: *const T, count: usize) -> &'a [T] {
    // SAFETY: the caller of the C function promises it, see above.
    unsafe { std::slice::from_raw_parts(values, count) }
}

/// Makes a core from a description of the fields. Returns null if it cannot be read.
///
/// `by_bot` says whether bots may use the same ids for conversations of their own. Left out are deliveries
/// that were received before `since`, at `until` or later, or, unless `since` is the least number, at
/// no time.
#[no_mangle]
pub extern "C" fn segue_new(
    table: *const u8,
    size: usize,
    by_bot: bool,
    since: i64,
    until: i64,
) -> Option<Box<Core>> {
    let conversations = Conversations::new(Table::read(given(table, size))?, by_bot, since..until);
    let (reader, events, owners) = Default::default();
    Some(Box::new(Core { conversations, reader, events, owners }))
}

#[no_mangle]
pub extern "C" fn segue_free(_core: Box<Core>) {}

/// Leaves out all conversations but this one and others that this was said of. No line was taken yet.
#[no_mangle]
pub extern "C" fn segue_want(core: &mut Core, id: *const u8, size: usize) {
    let wanted = core.conversations.wanted.get_or_insert_default();
    wanted.insert(given(id, size).into(), ());
}

/// Says where an event leads from a form: to a form by its number, or to -1 if something is reported.
#[no_mangle]
pub extern "C" fn segue_learn_move(core: &mut Core, form: u32, kind: u8, agent: u32, to: i64) {
    core.conversations.moves.learn((form, kind, agent), u32::try_from(to).ok());
}

/// Says what checks remember after an event, by its number, or -1 if one of them reports something.
#[no_mangle]
pub extern "C" fn segue_learn_check(
    core: &mut Core,
    remembered: u32,
    kind: u8,
    experience: i8,
    agent: u32,
    to: i64,
) {
    let event = (remembered, kind, experience, agent);
    core.conversations.checked.learn(event, u32::try_from(to).ok());
}

/// Takes the lines of a text from an offset on; the text ends with a newline or at the end of the log.
/// `numbers` are those of its lines from the offset on. Returns where it stopped: at the end, before a
/// line for which a move has to be learned, or behind a line of which only the reference can tell whose
/// it is.
///
/// Events are then: 0, line, offset and size of the export of a conversation that has ended; 1,
/// line, offset and size of a line that the reference has to read; 2, line, offset and size of the
/// export of its conversation, if there is anything to export; 3, and what `Outcome::Asked`
/// has; 4, as 1, of a line that belongs to a conversation nobody knows.
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
        let line = &text[at..at + size];
        let start = core.conversations.exported.len();
        let (outcome, owner) = match core.reader.read(&core.conversations.table, line) {
            Some(line) => core.conversations.take(&line, number),
            None if is_blank(line) => (Outcome::Kept, 0),
            None => (Outcome::Unread, 0),
        };
        let exported = core.conversations.exported.len() - start;
        let about_export = |what| [what, number, start as i64, exported as i64];
        let about_line = |what| [what, number, at as i64, size as i64];
        match outcome {
            Outcome::Kept => {}
            Outcome::Ended => core.events.push(about_export(ENDED)),
            Outcome::Given => core.events.extend([about_export(GIVEN), about_line(REFUSED)]),
            Outcome::Refused => core.events.push(about_line(REFUSED)),
            Outcome::Unread => core.events.push(about_line(UNREAD)),
            Outcome::Asked([form, remembered, event]) => {
                core.events.push([ASKED, form, remembered, event]);
                break;
            }
        }
        core.owners.push(owner);
        at += size;
        if matches!(core.events.last(), Some(&[UNREAD, ..])) {
            break;
        }
    }
    at
}

/// Looks through the lines of a text, and takes none of them. The events are, for each: the time or the
/// least number, offset and size of the conversation's key in the export, and 1; or 0s if the
/// reference has to look at it.
#[no_mangle]
pub extern "C" fn segue_look(core: &mut Core, text: *const u8, size: usize) {
    core.forget();
    let mut rest = given(text, size);
    while !rest.is_empty() {
        let (line, behind) = rest.split_at(line_size(rest));
        let start = core.conversations.exported.len();
        let seen = core.reader.read(&core.conversations.table, line).map(|line| {
            let at = core.conversations.look(&line);
            [at, start as i64, (core.conversations.exported.len() - start) as i64, 1]
        });
        core.events.push(seen.unwrap_or_default());
        rest = behind;
    }
}

/// Points at the events of the last call, and returns how many there are.
#[no_mangle]
pub extern "C" fn segue_events(core: &Core, out: &mut *const [i64; 4]) -> usize {
    *out = core.events.as_ptr();
    core.events.len()
}

/// Points at the owners of the lines of the last call, and returns how many there are.
#[no_mangle]
pub extern "C" fn segue_owners(core: &Core, out: &mut *const u32) -> usize {
    *out = core.owners.as_ptr();
    core.owners.len()
}

/// Points at the exports of the last call, and returns their size.
#[no_mangle]
pub extern "C" fn segue_exported(core: &Core, out: &mut *const u8) -> usize {
    *out = core.conversations.exported.as_ptr();
    core.conversations.exported.len()
}

/// Points at the text of a value of some record, and returns its size.
#[no_mangle]
pub extern "C" fn segue_value(core: &Core, number: u32, out: &mut *const u8) -> usize {
    let value = core.conversations.values.value(number);
    *out = value.as_ptr();
    value.len()
}

/// Exports a conversation and leaves it to the reference for good.
#[no_mangle]
pub extern "C" fn segue_give(core: &mut Core, key: *const u8, size: usize) {
    core.forget();
    core.conversations.give(given(key, size));
}

/// Exports every conversation, and leaves them to the reference.
#[no_mangle]
pub extern "C" fn segue_give_all(core: &mut Core) {
    core.forget();
    core.conversations.give_all();
}

/// Exports the keys of all conversations, each behind how many began before it, and its size.
#[no_mangle]
pub extern "C" fn segue_list(core: &mut Core) {
    core.forget();
    core.conversations.list();
}

/// Returns how many conversations of the log had begun before this one, or -1 if it is unknown.
#[no_mangle]
pub extern "C" fn segue_order(core: &Core, key: *const u8, size: usize) -> i64 {
    core.conversations.order(given(key, size)).map_or(-1, i64::from)
}
