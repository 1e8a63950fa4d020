//! Counts the events of conversations. What an event counts for after what a conversation has said
//! so far, its context, and the context it leaves, is learned from the reference.

use std::collections::HashMap;

use crate::times::NO_TIME;

/// In place of the lower half of a context: a step that is the same from all with this upper half.
pub const ANYWHERE: i64 = 0xffff_ffff;
/// Said last of each conversation.
const END: u64 = 0xffff_ffff;
/// Stands for the number in `events` of a message that is alone, which is not counted.
const MESSAGE: u8 = 255;
const MINUTE: i64 = 60_000_000;
/// The low bits of a moment, which all of a conversation have in common.
const LEVEL: i64 = 63;

#[derive(Default)]
pub struct Counting {
    /// By context and text: the number of what is counted, or -1, and the next context.
    pub steps: HashMap<(i64, u32), (i64, i64)>,
    /// By the number of what was counted, when.
    pub moments: Vec<Vec<i64>>,
    /// Of each of the last conversations its last context, and how much of it was counted.
    pub done: Vec<[i64; 2]>,
    passed: Vec<(usize, i64)>,
}

impl Counting {
    /// Counts a conversation from a context on; `moment` is that of what comes before any time.
    /// Says which event in which context has to be learned before, if one has.
    pub fn count(
        &mut self,
        records: &[[u64; 3]],
        mut context: i64,
        mut moment: i64,
    ) -> Result<(), [i64; 2]> {
        let level = moment & LEVEL;
        self.passed.clear();
        for &[at, _, said] in records.iter().chain([&[NO_TIME as u64, 0, END]]) {
            if (said >> 48) as u8 == MESSAGE {
                continue;
            }
            if at as i64 != NO_TIME {
                moment = (at as i64).div_euclid(MINUTE) << LEVEL.count_ones() | level;
            }
            let anywhere = self.steps.get(&(context | ANYWHERE, said as u32));
            let step = anywhere.or_else(|| self.steps.get(&(context, said as u32)));
            let &(number, next) = step.ok_or([context, said as i64])?;
            self.passed.extend(usize::try_from(number).map(|number| (number, moment)));
            context = next;
        }
        for &(number, moment) in &self.passed {
            self.moments.resize(self.moments.len().max(number + 1), Vec::new());
            self.moments[number].push(moment);
        }
        self.done.push([context, self.passed.len() as i64]);
        Ok(())
    }
}
