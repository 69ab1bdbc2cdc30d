//! States as rows of numbers, packed.
//!
//! Rows come in blocks. All rows of a block have as many places as the longest of them needs, and all numbers as many bytes as the largest
//! of them; a place that a state does not need holds a number that is none. So a row is found by its number alone, and what a state takes
//! is what its numbers take: two bytes each where there are fewer than 65,535 components.

/// How many rows a block has.
const BLOCK: usize = 64;

#[derive(Default)]
pub(crate) struct Rows {
    blocks: Vec<Block>,
    bytes: Vec<u8>,
    count: usize,
}

#[derive(Clone, Copy)]
struct Block {
    start: usize,
    /// Places of a row.
    width: u32,
    /// Bytes of a number: 2, 3 or 4.
    size: u32,
}

impl Block {
    /// The smallest that has room for this state.
    fn of(start: usize, state: &[u32]) -> Self {
        let largest = state.iter().copied().max().unwrap_or(0);
        let size = match largest {
            0..0xffff => 2,
            0xffff..0x00ff_ffff => 3,
            _ => 4,
        };
        Self { start, width: u32::try_from(state.len()).unwrap_or(u32::MAX), size }
    }

    fn row_length(self) -> usize {
        self.width as usize * self.size as usize
    }

    fn has_room_for(self, other: Self) -> bool {
        self.width >= other.width && self.size >= other.size
    }

    /// The number that stands where there is none.
    fn none(self) -> u32 {
        u32::MAX >> (32 - 8 * self.size)
    }
}

impl Rows {
    pub(crate) fn push(&mut self, state: &[u32]) {
        let wanted = Block::of(self.bytes.len(), state);
        let block = match self.blocks.last().copied() {
            Some(last) if !self.count.is_multiple_of(BLOCK) => {
                if last.has_room_for(wanted) {
                    last
                } else {
                    self.widen(Block { start: last.start, width: last.width.max(wanted.width), size: last.size.max(wanted.size) })
                }
            }
            _ => {
                make_room(&mut self.blocks, 1);
                self.blocks.push(wanted);
                wanted
            }
        };
        self.append(block, state);
        self.count += 1;
    }

    /// Gives the last block this form.
    fn widen(&mut self, block: Block) -> Block {
        let first = self.count / BLOCK * BLOCK;
        let mut states = Vec::new();
        for index in first..self.count {
            let mut state = Vec::new();
            self.read(index, &mut state);
            states.push(state);
        }
        self.bytes.truncate(block.start);
        if let Some(last) = self.blocks.last_mut() {
            *last = block;
        }
        states.iter().for_each(|state| self.append(block, state));
        block
    }

    fn append(&mut self, block: Block, state: &[u32]) {
        make_room(&mut self.bytes, block.row_length());
        let none = block.none();
        let places = state.iter().copied().chain(std::iter::repeat(none)).take(block.width as usize);
        for number in places {
            self.bytes.extend_from_slice(&number.to_le_bytes()[..block.size as usize]);
        }
    }

    /// Only so many rows stay.
    pub(crate) fn truncate(&mut self, count: usize) {
        if count < self.count {
            let block = self.blocks[count / BLOCK];
            self.bytes.truncate(block.start + count % BLOCK * block.row_length());
            self.blocks.truncate(count.div_ceil(BLOCK));
            self.count = count;
        }
    }

    fn row(&self, index: usize) -> (Block, &[u8]) {
        let block = self.blocks[index / BLOCK];
        let start = block.start + index % BLOCK * block.row_length();
        (block, &self.bytes[start..start + block.row_length()])
    }

    /// Something of a row, to have it at hand: rows that are asked for together arrive together.
    pub(crate) fn touch(&self, index: usize) -> u8 {
        self.row(index).1.first().copied().unwrap_or(0)
    }

    pub(crate) fn is(&self, index: usize, state: &[u32]) -> bool {
        let (block, row) = self.row(index);
        let width = block.width as usize;
        if state.len() > width {
            return false;
        }
        let (own, rest) = row.split_at(state.len() * block.size as usize);
        let is_same = match block.size {
            2 => own
                .chunks_exact(2)
                .zip(state)
                .all(|(bytes, number)| u32::from(u16::from_le_bytes([bytes[0], bytes[1]])) == *number),
            3 => own
                .chunks_exact(3)
                .zip(state)
                .all(|(bytes, number)| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], 0]) == *number),
            _ => own.chunks_exact(4).zip(state).all(|(bytes, number)| *bytes == number.to_le_bytes()),
        };
        is_same && rest.iter().all(|byte| *byte == u8::MAX)
    }

    /// Puts a state behind what is in `state`.
    pub(crate) fn read(&self, index: usize, state: &mut Vec<u32>) {
        let (block, row) = self.row(index);
        for bytes in row.chunks_exact(block.size as usize) {
            let mut whole = [0; 4];
            whole[..bytes.len()].copy_from_slice(bytes);
            let number = u32::from_le_bytes(whole);
            if number == block.none() {
                return;
            }
            state.push(number);
        }
    }

    pub(crate) fn size(&self) -> usize {
        self.bytes.capacity() + self.blocks.capacity() * size_of::<Block>()
    }
}

/// Grows by a quarter: what is reserved and not used is memory too.
pub(crate) fn make_room<T>(list: &mut Vec<T>, count: usize) {
    if list.capacity() - list.len() < count {
        list.reserve_exact(count.max(list.len() / 4).max(16));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// States of all lengths with numbers of all sizes, in an order in which blocks have to be widened again and again.
    #[test]
    fn rows_are_what_was_put_in() {
        let mut rows = Rows::default();
        let mut states: Vec<Vec<u32>> = Vec::new();
        let mut number: u32 = 1;
        for length in (0..400).map(|count| count * 7 % 23) {
            let next = |_| {
                number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                [number % 0xffff, number >> 8, number >> 1, 0xfffe, 0xffff, 0x00ff_fffe, 0x00ff_ffff][number as usize / 7 % 7]
            };
            states.push((0..length).map(next).collect());
        }
        for state in &states {
            rows.push(state);
        }
        // What is taken away and put in again is what it was.
        for count in [399, 321, 320, 100, 64, 1, 0] {
            rows.truncate(count);
            states[count..].iter().for_each(|state| rows.push(state));
        }
        for (index, state) in states.iter().enumerate() {
            let mut read = Vec::new();
            rows.read(index, &mut read);
            assert_eq!(read, *state);
            assert!(rows.is(index, state));
            let longer: Vec<u32> = state.iter().copied().chain([0]).collect();
            assert!(!rows.is(index, &longer));
            if let [rest @ .., last] = state.as_slice() {
                assert!(!rows.is(index, rest));
                let changed: Vec<u32> = rest.iter().copied().chain([last ^ 1]).collect();
                assert!(!rows.is(index, &changed));
            }
        }
    }
}
