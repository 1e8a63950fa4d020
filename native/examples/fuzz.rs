//! Feeds mutated lines to the C functions, for a sanitizer to watch.
//!
//!     fuzz DESCRIPTION LOG SECONDS [SEED]
//!
//! Moves lead anywhere: the library must not care what it is taught.

use std::time::{Duration, Instant};
use std::{env, fs, ptr};

use segue_native::conversations::Outcome;
use segue_native::*;

const PIECES: &[&[u8]] = &[
    b"\"",
    b"\\",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b" ",
    b"\n",
    b"\0",
    b"\xff",
    b"\xc3",
    b"null",
    b"true",
    b"-0",
    b"1e9",
    b"\\u0000",
    b"\\ud800",
    b"\\u0041",
    b"\\n",
    b"\"events\":",
    b"\"botId\":\"b\",",
    b"<id>",
    b"\"x\":1,\"x\":2,",
    b"\xef\xbb\xbf",
    b"2026-02-29T23:59:59.999999+23:59",
    b"\"body\":\"{}\"",
    b"[[[[[[[[[[[[[",
];

/// xorshift64
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit.max(1)
    }
}

fn mutate(line: &[u8], chance: &mut Chance) -> Vec<u8> {
    let mut line = line.to_vec();
    for _ in 0..chance.below(5) {
        let at = chance.below(line.len());
        let until = line.len().min(at + chance.below(9));
        match chance.below(4) {
            0 => line[at] = chance.below(256) as u8,
            1 => drop(line.splice(at..until, PIECES[chance.below(PIECES.len())].iter().copied())),
            2 => line.truncate(at),
            _ => {
                let part = line[at..until].to_vec();
                line.splice(at..at, part);
            }
        }
        if line.is_empty() {
            break;
        }
    }
    line
}

/// One log; returns how many lines it had.
fn run(description: &[u8], lines: &[Vec<u8>], chance: &mut Chance) -> usize {
    let mut taken = 0;
    let since = i64::MIN + chance.below(2) as i64;
    let by_bot = chance.below(2) == 0;
    let core = segue_new(description.as_ptr(), description.len(), by_bot, since, i64::MAX);
    let mut core = core.expect("a description that it knows");
    if chance.below(4) == 0 {
        segue_want(&mut core, b"c-00001".as_ptr(), 7);
    }
    for _ in 0..40 {
        let begin = chance.below(lines.len());
        let mut text = Vec::new();
        for line in lines[begin..].iter().take(1 + chance.below(40)) {
            text.extend(mutate(line, chance));
        }
        let count = text.split_inclusive(|&byte| byte == b'\n').count();
        let numbers: Vec<i64> = (0..count as i64).collect();
        taken += count;
        feed(&mut core, &text, &numbers, chance);
        segue_look(&mut core, text.as_ptr(), text.len());
        segue_output(&core, 2, &mut ptr::null());
        segue_give(&mut core, text.as_ptr(), chance.below(text.len().min(12)));
    }
    segue_give_all(&mut core);
    segue_free(core);
    taken
}

fn feed(core: &mut Core, text: &[u8], numbers: &[i64], chance: &mut Chance) {
    let (mut at, mut done) = (0, 0);
    while at < text.len() {
        let (begun, left) = (at, &numbers[done..]);
        at = segue_feed(core, text.as_ptr(), text.len(), at, left.as_ptr(), left.len());
        segue_output(core, 1, &mut ptr::null());
        segue_output(core, 3, &mut ptr::null());
        for event in output(core, 0).chunks_exact(48) {
            if event[0] == Outcome::Asked as u8 {
                let asked = output(core, 2)[number(&event[32..]) as usize..].to_vec();
                let [form, remembered, sent] = [0, 4, 8].map(|from| number(&asked[from..]));
                let to = chance.below(60) as i64 - 2;
                segue_learn(core, false, form, sent & !255, to);
                segue_learn(core, true, remembered, sent, to % 5);
            }
        }
        done += text[begun..at].iter().filter(|&&byte| byte == b'\n').count();
    }
}

/// What the core points at, copied before it changes.
fn output(core: &Core, which: u8) -> Vec<u8> {
    let mut bytes = ptr::null();
    let size = segue_output(core, which, &mut bytes);
    // SAFETY: the core says how many bytes there are.
    unsafe { std::slice::from_raw_parts(bytes, size) }.to_vec()
}

fn number(bytes: &[u8]) -> u32 {
    u32::from_le_bytes(bytes[..4].try_into().expect("four bytes"))
}

fn main() {
    let given: Vec<String> = env::args().collect();
    let read = |path: &str| fs::read(path).expect("a file to read");
    let (description, log) = (read(&given[1]), read(&given[2]));
    let lines: Vec<Vec<u8>> =
        log.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
    let seconds = given[3].parse().expect("seconds");
    let mut chance =
        Chance(given.get(4).map_or(88_172_645_463_325_252, |seed| seed.parse().expect("a seed")));
    let (begun, mut logs, mut taken) = (Instant::now(), 0, 0);
    while begun.elapsed() < Duration::from_secs(seconds) {
        taken += run(&description, &lines, &mut chance);
        logs += 1;
    }
    println!("{taken} lines in {logs} logs, nothing found");
}
