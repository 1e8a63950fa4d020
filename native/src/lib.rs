//! The C functions that the reference calls. They know nothing of rules.

pub mod conversations;
pub mod fields;
pub mod fingerprint;
pub mod intern;
pub mod json;
pub mod line;
pub mod object;
pub mod times;

use std::slice;

use conversations::{is_blank, Conversations, Outcome, NOBODY};
use fields::Table;
use json::line_size;

const ENDED: i64 = 0;
const REFUSED: i64 = 1;
const GIVEN: i64 = 2;
const ASKED: i64 = 3;
const UNREAD: i64 = 4;

/// One log: its conversations, and what the last call has to tell.
pub struct Core {
    conversations: Conversations,
    /// Four numbers each: what happened, the line, and two that depend on it.
    events: Vec<[i64; 4]>,
    /// Of each line of the last call the number of its conversation from 1 on, or 0.
    owners: Vec<u32>,
}

/// Makes a core from a description of the fields. Returns null if it cannot be read.
///
/// # Safety
/// `table` points at `size` bytes.
#[no_mangle]
pub unsafe extern "C" fn segue_new(table: *const u8, size: usize) -> *mut Core {
    // SAFETY: the caller promises it.
    let bytes = unsafe { slice::from_raw_parts(table, size) };
    match Table::read(bytes) {
        Some(table) => {
            let conversations = Conversations::new(table);
            Box::into_raw(Box::new(Core { conversations, events: Vec::new(), owners: Vec::new() }))
        }
        None => std::ptr::null_mut(),
    }
}

/// # Safety
/// `core` is of `segue_new`, and is not used again.
#[no_mangle]
pub unsafe extern "C" fn segue_free(core: *mut Core) {
    // SAFETY: the caller promises it.
    drop(unsafe { Box::from_raw(core) });
}

/// Says whether bots may use the same ids for conversations of their own.
///
/// # Safety
/// `core` is of `segue_new`, and has taken no line yet.
#[no_mangle]
pub unsafe extern "C" fn segue_key(core: *mut Core, by_bot: bool) {
    // SAFETY: the caller promises it.
    unsafe { (*core).conversations.is_keyed_by_bot = by_bot };
}

/// Says where an event leads from a form: to a form by its number, or to -1 if something is reported.
///
/// # Safety
/// `core` is of `segue_new`.
#[no_mangle]
pub unsafe extern "C" fn segue_learn_move(
    core: *mut Core,
    form: u32,
    kind: u8,
    agent: u32,
    to: i64,
) {
    // SAFETY: the caller promises it.
    let core = unsafe { &mut *core };
    core.conversations.learn_move(form, kind, agent, u32::try_from(to).ok());
}

/// Says what checks remember after an event, by its number, or -1 if one of them reports something.
///
/// # Safety
/// `core` is of `segue_new`.
#[no_mangle]
pub unsafe extern "C" fn segue_learn_check(
    core: *mut Core,
    remembered: u32,
    kind: u8,
    experience: i8,
    agent: u32,
    to: i64,
) {
    // SAFETY: the caller promises it.
    let core = unsafe { &mut *core };
    core.conversations.learn_check((remembered, kind, experience, agent), u32::try_from(to).ok());
}

/// Leaves out deliveries that were received before `since`, at `until` or later, or, unless `since` is
/// the least number, at no time.
///
/// # Safety
/// `core` is of `segue_new`, and has taken no line yet.
#[no_mangle]
pub unsafe extern "C" fn segue_between(core: *mut Core, since: i64, until: i64) {
    // SAFETY: the caller promises it.
    unsafe { (*core).conversations.times = since..until };
}

/// Leaves out all conversations but this one and others that this was said of.
///
/// # Safety
/// As for `segue_give`.
#[no_mangle]
pub unsafe extern "C" fn segue_want(core: *mut Core, id: *const u8, size: usize) {
    // SAFETY: the caller promises it.
    let (core, id) = unsafe { (&mut *core, slice::from_raw_parts(id, size)) };
    core.conversations.wanted.get_or_insert_default().insert(id.into(), ());
}

/// Takes the lines of a text from an offset on; the text ends with a newline or at the end of the log.
/// Returns where it stopped: at the end, before a line for which a move has to be learned, or behind
/// a line of which only the reference can tell whose it is.
///
/// Events are then: 0, line, offset and size of the export of a conversation that has ended; 1,
/// line, offset and size of a line that the reference has to read; 2, line, offset and size of the
/// export of its conversation, if there is anything to export; 3, form, number of what checks
/// remember, and the event: its experience in the first byte, its kind in the second, one more than
/// its agent (0: nobody) above them; 4, as 1, of
/// a line that belongs to a conversation nobody knows.
///
/// # Safety
/// `core` is of `segue_new`; `text` points at `size` bytes, `numbers` at the numbers of its lines from
/// the offset on.
#[no_mangle]
pub unsafe extern "C" fn segue_feed(
    core: *mut Core,
    text: *const u8,
    size: usize,
    from: usize,
    numbers: *const i64,
    lines: usize,
) -> usize {
    // SAFETY: the caller promises it.
    let (core, text) = unsafe { (&mut *core, slice::from_raw_parts(text, size)) };
    // SAFETY: as above.
    let numbers = unsafe { slice::from_raw_parts(numbers, lines) };
    core.events.clear();
    core.owners.clear();
    core.conversations.exported.clear();
    let mut at = from;
    for &number in numbers {
        let size = line_size(&text[at..]);
        let line = &text[at..at + size];
        let start = core.conversations.exported.len();
        let (outcome, owner) = match is_blank(line) {
            true => (Outcome::Kept, 0),
            false => core.conversations.take_line(line, number),
        };
        let exported = core.conversations.exported.len() - start;
        let refused = |what| [what, number, at as i64, size as i64];
        match outcome {
            Outcome::Kept => {}
            Outcome::Ended => core.events.push([ENDED, number, start as i64, exported as i64]),
            Outcome::Given => {
                core.events.push([GIVEN, number, start as i64, exported as i64]);
                core.events.push(refused(REFUSED));
            }
            Outcome::Refused => core.events.push(refused(REFUSED)),
            Outcome::Unread => core.events.push(refused(UNREAD)),
            Outcome::Asked(it) => {
                let agent = if it.agent == NOBODY { 0 } else { i64::from(it.agent) + 1 };
                let event = i64::from(it.kind) << 8 | i64::from(it.experience + 1);
                core.events.push([
                    ASKED,
                    i64::from(it.form),
                    i64::from(it.remembered),
                    agent << 16 | event,
                ]);
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

/// Points at the owners of the lines of the last call, and returns how many there are.
///
/// # Safety
/// As for `segue_events`.
#[no_mangle]
pub unsafe extern "C" fn segue_owners(core: *const Core, out: *mut *const u32) -> usize {
    // SAFETY: the caller promises it.
    unsafe {
        *out = (&(*core).owners).as_ptr();
        (&(*core).owners).len()
    }
}

/// Looks through the lines of a text, and takes none of them. The events are, for each: the time or the
/// least number, offset and size of the conversation's key in the export, and 1; or 0s if the
/// reference has to look at it.
///
/// # Safety
/// As for `segue_give`.
#[no_mangle]
pub unsafe extern "C" fn segue_look(core: *mut Core, text: *const u8, size: usize) {
    // SAFETY: the caller promises it.
    let (core, text) = unsafe { (&mut *core, slice::from_raw_parts(text, size)) };
    core.events.clear();
    core.conversations.exported.clear();
    let mut at = 0;
    while at < text.len() {
        let size = line_size(&text[at..]);
        let start = core.conversations.exported.len() as i64;
        let seen = core.conversations.look(&text[at..at + size]);
        let end = core.conversations.exported.len() as i64;
        core.events.push(seen.map_or([0; 4], |time| [time, start, end - start, 1]));
        at += size;
    }
}

/// Points at the events of the last call, and returns how many there are.
///
/// # Safety
/// `core` is of `segue_new`; the pointer is used before the next call.
#[no_mangle]
pub unsafe extern "C" fn segue_events(core: *const Core, out: *mut *const i64) -> usize {
    // SAFETY: the caller promises it.
    unsafe {
        *out = (*core).events.as_ptr().cast();
        (*core).events.len()
    }
}

/// Points at the exports of the last call, and returns their size.
///
/// # Safety
/// As for `segue_events`.
#[no_mangle]
pub unsafe extern "C" fn segue_exported(core: *const Core, out: *mut *const u8) -> usize {
    // SAFETY: the caller promises it.
    unsafe {
        *out = (&(*core).conversations.exported).as_ptr();
        (&(*core).conversations.exported).len()
    }
}

/// Exports a conversation and leaves it to the reference for good.
///
/// # Safety
/// `core` is of `segue_new`; `key` points at `size` bytes.
#[no_mangle]
pub unsafe extern "C" fn segue_give(core: *mut Core, key: *const u8, size: usize) {
    // SAFETY: the caller promises it.
    let (core, key) = unsafe { (&mut *core, slice::from_raw_parts(key, size)) };
    core.conversations.exported.clear();
    core.conversations.give(key);
}

/// Exports every conversation.
///
/// # Safety
/// `core` is of `segue_new`.
#[no_mangle]
pub unsafe extern "C" fn segue_give_all(core: *mut Core) {
    // SAFETY: the caller promises it.
    let core = unsafe { &mut *core };
    core.conversations.exported.clear();
    core.conversations.give_all();
}

/// Exports the keys of all conversations, each behind how many began before it, and its size.
///
/// # Safety
/// `core` is of `segue_new`.
#[no_mangle]
pub unsafe extern "C" fn segue_list(core: *mut Core) {
    // SAFETY: the caller promises it.
    let core = unsafe { &mut *core };
    core.conversations.exported.clear();
    core.conversations.list();
}

/// Returns how many conversations of the log had begun before this one, or -1 if it is unknown.
///
/// # Safety
/// As for `segue_give`.
#[no_mangle]
pub unsafe extern "C" fn segue_order(core: *const Core, key: *const u8, size: usize) -> i64 {
    // SAFETY: the caller promises it.
    let (core, key) = unsafe { (&*core, slice::from_raw_parts(key, size)) };
    core.conversations.order(key).map_or(-1, i64::from)
}

/// Points at the text of a value, and returns its size.
///
/// # Safety
/// `core` is of `segue_new`, and the number of one of its records.
#[no_mangle]
pub unsafe extern "C" fn segue_value(core: *const Core, number: u32, out: *mut *const u8) -> usize {
    // SAFETY: the caller promises it.
    unsafe {
        let value = (&(*core).conversations).value(number);
        *out = value.as_ptr();
        value.len()
    }
}
