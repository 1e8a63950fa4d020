//! The fingerprint of a delivery, as the reference makes it: BLAKE2b over what it says, in one
//! spelling. See `src/segue/core/events/equality.py`.

use std::array::from_fn;

use crate::description::{Description, Leaf};
use crate::json::{padded, unescaped};
use crate::line::{Found, Line};
use crate::values::Values;

pub const SIZE: usize = 12;
/// Between two fields.
const BETWEEN: u8 = 0;

/// Writes deliveries in one spelling; used again for the next one.
#[derive(Default)]
pub struct Fingerprints {
    out: Vec<u8>,
    plain: Vec<u8>,
}

impl Fingerprints {
    pub fn of(&mut self, description: &Description, line: &Line) -> Option<[u8; SIZE]> {
        self.out.clear();
        self.out.extend_from_slice(line.conversation);
        self.out.push(BETWEEN);
        self.out.extend_from_slice(line.bot);
        line.events.iter().try_for_each(|found| self.event(description, line, found))?;
        Some(blake2b(&self.out))
    }

    fn event<'a>(
        &mut self,
        description: &Description,
        line: &Line<'a>,
        found: &Found<'a>,
    ) -> Option<()> {
        let (case, values) = line.again(description, found)?;
        self.out.push(BETWEEN);
        self.out.extend_from_slice(&case.of);
        for leaf in &case.leaves {
            self.out.push(BETWEEN);
            self.leaf(leaf, &values)?;
        }
        Some(())
    }

    fn leaf(&mut self, leaf: &Leaf, values: &Values) -> Option<()> {
        let Some(text) = values.text(leaf.number) else { return Some(()) };
        if !leaf.words.is_empty() {
            let word = usize::from(values.word(leaf.number)).checked_sub(1)?;
            self.out.extend_from_slice(leaf.words.get(word)?);
        } else if text.contains(&b'\\') {
            unescaped(text, &mut self.plain);
            self.out.extend_from_slice(&self.plain);
        } else {
            self.out.extend_from_slice(text);
        }
        Some(())
    }
}

const START: [u64; 8] = [
    0x6a09_e667_f3bc_c908,
    0xbb67_ae85_84ca_a73b,
    0x3c6e_f372_fe94_f82b,
    0xa54f_f53a_5f1d_36f1,
    0x510e_527f_ade6_82d1,
    0x9b05_688c_2b3e_6c1f,
    0x1f83_d9ab_fb41_bd6b,
    0x5be0_cd19_137e_2179,
];
const ORDER: [[usize; 16]; 10] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
    [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
    [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
    [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
    [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
    [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
    [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
    [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
];

/// BLAKE2b (RFC 7693) of some bytes, without a key.
pub fn blake2b(bytes: &[u8]) -> [u8; SIZE] {
    let mut state = START;
    state[0] ^= 0x0101_0000 ^ SIZE as u64;
    let mut count = 0;
    for block in bytes.chunks(128) {
        count += block.len();
        compress(&mut state, block, count as u64, count == bytes.len());
    }
    from_fn(|at| state[at / 8].to_le_bytes()[at % 8])
}

fn compress(state: &mut [u64; 8], block: &[u8], count: u64, is_last: bool) {
    let block: [u8; 128] = padded(block);
    let words: [u64; 16] = from_fn(|at| u64::from_le_bytes(padded(&block[8 * at..8 * at + 8])));
    let mut v: [u64; 16] = from_fn(|at| if at < 8 { state[at] } else { START[at - 8] });
    v[12] ^= count;
    if is_last {
        v[14] = !v[14];
    }
    let mut mix = |a: usize, b: usize, c: usize, d: usize, x: u64, y: u64| {
        v[a] = v[a].wrapping_add(v[b]).wrapping_add(x);
        v[d] = (v[d] ^ v[a]).rotate_right(32);
        v[c] = v[c].wrapping_add(v[d]);
        v[b] = (v[b] ^ v[c]).rotate_right(24);
        v[a] = v[a].wrapping_add(v[b]).wrapping_add(y);
        v[d] = (v[d] ^ v[a]).rotate_right(16);
        v[c] = v[c].wrapping_add(v[d]);
        v[b] = (v[b] ^ v[c]).rotate_right(63);
    };
    for round in 0..12 {
        let order = &ORDER[round % 10];
        // First the columns, then the diagonals.
        for (turn, pair) in order.chunks_exact(2).enumerate() {
            let (lane, by) = (turn % 4, turn / 4);
            let at = |row: usize| 4 * row + (lane + by * row) % 4;
            mix(lane, at(1), at(2), at(3), words[pair[0]], words[pair[1]]);
        }
    }
    for (index, word) in state.iter_mut().enumerate() {
        *word ^= v[index] ^ v[index + 8];
    }
}
