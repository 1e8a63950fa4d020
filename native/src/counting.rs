//! Counts the events of conversations. What an event counts for after what a conversation has said
//! so far, its context, and the context it leaves, is learned from the reference.

use std::array::from_fn;
use std::collections::HashMap;

use crate::fingerprint::blake2b;
use crate::times::NO_TIME;

/// In place of the lower half of a context: a step that is the same from all with this upper half.
pub const ANYWHERE: i64 = 0xffff_ffff;
/// Said before each conversation, in a context whose upper half is the number of its bot.
const BEGIN: u64 = 0xffff_fffe;
/// Said last of each conversation.
const END: u64 = 0xffff_ffff;
/// Stands for the number in `events` of a message that is alone, which is not counted.
const MESSAGE: u8 = 255;
const MINUTE: i64 = 60_000_000;
/// Stands for the minute of what has no time.
const NO_MINUTE: i64 = -(1 << 50);
/// Bits of a moment below its minute: the level, which all of a conversation have in common.
const LEVEL_BITS: u32 = 6;
const HIGHEST_LEVEL: u32 = (1 << LEVEL_BITS) - 1;
/// Bytes of the numbers that an exported conversation begins with.
const HEAD: usize = 24;

#[derive(Default)]
pub struct Counting {
    /// By context and text: the number of what is counted, or -1, and the next context.
    pub steps: HashMap<(i64, u32), (i64, i64)>,
    /// By the number of what was counted, when.
    pub moments: Vec<Vec<i64>>,
    /// Of each of the last conversations the hash of its key, its last context, and how much of it
    /// was counted.
    pub done: Vec<[i64; 3]>,
    passed: Vec<(usize, i64)>,
}

impl Counting {
    /// Counts the first of some exported conversations, unless its level is below the share. Returns
    /// its size, or what has to be learned before: a context and what is said in it.
    pub fn count(&mut self, exported: &[u8], share: u32) -> Result<usize, [i64; 2]> {
        let [bot, _, key, records, agents, size] =
            from_fn(|at| u32::from_le_bytes(from_fn(|byte| exported[4 * at + byte])) as usize);
        let (key, rest) = exported[HEAD..HEAD + size].split_at(key);
        let digest = blake2b(key);
        let hash = u64::from_le_bytes(from_fn(|byte| digest[byte]));
        let level = hash.leading_zeros().min(HIGHEST_LEVEL);
        if level >= share {
            let words = rest[4 * agents..].chunks_exact(8).take(3 * records);
            let words = words.map(|word| u64::from_le_bytes(from_fn(|byte| word[byte])));
            let context = self.follow((bot as i64) << 32, level, words)?;
            self.done.push([hash as i64, context, self.passed.len() as i64]);
        }
        Ok(HEAD + size)
    }

    /// Counts what these records say, three words each; returns the last context.
    fn follow(
        &mut self,
        mut context: i64,
        level: u32,
        words: impl Iterator<Item = u64>,
    ) -> Result<i64, [i64; 2]> {
        let moment_of = |minute: i64| minute << LEVEL_BITS | i64::from(level);
        let mut moment = moment_of(NO_MINUTE);
        let mut said =
            [NO_TIME as u64, 0, BEGIN].into_iter().chain(words).chain([NO_TIME as u64, 0, END]);
        self.passed.clear();
        while let (Some(at), _, Some(said)) = (said.next(), said.next(), said.next()) {
            if (said >> 48) as u8 == MESSAGE {
                continue;
            }
            if at as i64 != NO_TIME {
                moment = moment_of((at as i64).div_euclid(MINUTE));
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
        Ok(context)
    }
}
