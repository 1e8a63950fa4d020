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

/// One log: its conversations, and what the last call has to tell.
pub struct Core {
    conversations: Conversations,
    /// Four numbers each: what happened, the line, and two that depend on it.
    events: Vec<[i64; 4]>,
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
            Box::into_raw(Box::new(Core { conversations, events: Vec::new() }))
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

/// Says where a move leads: to a form by its number, or to -1 if something is reported.
///
/// # Safety
/// `core` is of `segue_new`.
#[no_mangle]
pub unsafe extern "C" fn segue_learn(core: *mut Core, form: u32, kind: u8, experience: i8, agent: u32, to: i64) {
    // SAFETY: the caller promises it.
    let core = unsafe { &mut *core };
    core.conversations.learn((form, kind, experience, agent), u32::try_from(to).ok());
}

/// Takes the lines of a text from an offset on, the first of which has this number; the text ends
/// with a newline or at the end of the log. Returns where it stopped: at the end, before a line for
/// which a move has to be learned, or behind a line of which only the reference can tell whose it is.
///
/// Events are then: 0, line, offset and size of the export of a conversation that has ended; 1,
/// line, offset and size of a line that the reference has to read; 2, line, offset and size of the
/// export of its conversation, if there is anything to export; 3, of a
/// move: form, kind in the second byte and experience in the first, agent (-1: nobody).
///
/// # Safety
/// `core` is of `segue_new`; `text` points at `size` bytes.
#[no_mangle]
pub unsafe extern "C" fn segue_feed(core: *mut Core, text: *const u8, size: usize, from: usize, number: i64) -> usize {
    // SAFETY: the caller promises it.
    let (core, text) = unsafe { (&mut *core, slice::from_raw_parts(text, size)) };
    core.events.clear();
    core.conversations.exported.clear();
    let (mut at, mut number) = (from, number);
    while at < text.len() {
        let size = line_size(&text[at..]);
        let line = &text[at..at + size];
        if is_blank(line) {
            at += size;
            number += 1;
            continue;
        }
        let start = core.conversations.exported.len();
        match core.conversations.take_line(line, number) {
            Outcome::Kept => {}
            Outcome::Ended => {
                let size = core.conversations.exported.len() - start;
                core.events.push([ENDED, number, start as i64, size as i64]);
            }
            Outcome::Given => {
                let exported = core.conversations.exported.len() - start;
                core.events.push([GIVEN, number, start as i64, exported as i64]);
                core.events.push([REFUSED, number, at as i64, size as i64]);
            }
            Outcome::Refused => core.events.push([REFUSED, number, at as i64, size as i64]),
            Outcome::Unread => {
                core.events.push([REFUSED, number, at as i64, size as i64]);
                at += size;
                break;
            }
            Outcome::Asked((form, kind, experience, agent)) => {
                let agent = if agent == NOBODY { -1 } else { i64::from(agent) };
                let event = i64::from(kind) << 8 | i64::from(experience + 1);
                core.events.push([ASKED, i64::from(form), event, agent]);
                break;
            }
        }
        at += size;
        number += 1;
    }
    at
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

/// Returns how many conversations of the log had begun before this one, or -1 if it is unknown.
///
/// # Safety
/// As for `segue_give`.
#[no_mangle]
pub unsafe extern "C" fn segue_order(core: *const Core, key: *const u8, size: usize) -> i64 {
    // SAFETY: the caller promises it.
    let (core, key) = unsafe { (&*core, slice::from_raw_parts(key, size)) };
    core.conversations.order(key).map_or(-1, |order| order as i64)
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
