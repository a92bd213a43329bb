//! Index arrays, in memory that others may write to while it is read.

/// Little-endian words of 64 bits. A word is loaded once each time it is asked for, so what was checked is what is used.
#[derive(Clone, Copy)]
pub struct Words<'a>(&'a [[u8; 8]]);

impl<'a> Words<'a> {
    /// All whole words of some bytes.
    pub fn new(bytes: &'a [u8]) -> Words<'a> {
        Words(bytes.as_chunks().0)
    }

    /// Number of words.
    pub fn len(self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// One word.
    #[inline(always)]
    pub fn get(self, index: usize) -> Option<u64> {
        self.0.get(index).map(load)
    }

    /// Starts loading the word so far from the first one, which may be beyond the last.
    #[inline(always)]
    pub fn soon(self, index: usize) {
        super::past::soon(self.0.as_ptr().wrapping_add(index));
    }

    /// Some of the words.
    pub fn slice(self, start: usize, end: usize) -> Option<Words<'a>> {
        self.0.get(start..end).map(Words)
    }

    /// The words in order.
    #[inline(always)]
    pub fn iter(self) -> impl ExactSizeIterator<Item = u64> + 'a {
        self.0.iter().map(load)
    }
}

#[inline(always)]
fn load(word: &[u8; 8]) -> u64 {
    let aligned = (&raw const *word).cast::<u64>();
    if aligned.is_aligned() {
        // SAFETY: eight readable bytes, aligned. Volatile: the compiler must not load them a second time after a check.
        return u64::from_le(unsafe { aligned.read_volatile() });
    }
    // SAFETY: each byte is readable.
    u64::from_le_bytes(word.each_ref().map(|byte| unsafe { (&raw const *byte).read_volatile() }))
}

/// Words of 32 or 64 bits: the tables of a block-paged tensor.
#[derive(Clone, Copy)]
pub enum Table<'a> {
    /// 32 bits.
    Narrow(&'a [[u8; 4]]),
    /// 64 bits.
    Wide(Words<'a>),
}

impl<'a> Table<'a> {
    /// All whole words of some bytes; `width` is 4 or 8.
    pub fn new(bytes: &'a [u8], width: u32) -> Table<'a> {
        if width == 4 { Table::Narrow(bytes.as_chunks().0) } else { Table::Wide(Words::new(bytes)) }
    }

    /// Number of words.
    pub fn len(self) -> usize {
        match self {
            Table::Narrow(words) => words.len(),
            Table::Wide(words) => words.len(),
        }
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// One word.
    #[inline]
    pub fn get(self, index: usize) -> Option<u64> {
        match self {
            Table::Narrow(words) => {
                let word = words.get(index)?;
                // SAFETY: each byte is readable. Volatile for the same reason as above.
                let bytes = word.each_ref().map(|byte| unsafe { (&raw const *byte).read_volatile() });
                Some(u64::from(u32::from_le_bytes(bytes)))
            }
            Table::Wide(words) => words.get(index),
        }
    }
}

/// Writes one word of 64 bits.
#[inline(always)]
pub fn put(words: &mut [u8], index: usize, value: u64) -> Option<()> {
    *words.as_chunks_mut().0.get_mut(index)? = value.to_le_bytes();
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_at_any_address() {
        let bytes: Vec<u8> = (0..40).collect();
        for start in 0..8 {
            let words = Words::new(&bytes[start..start + 19]);
            assert_eq!(words.len(), 2);
            for index in 0..2 {
                let at = start + 8 * index;
                let expected = u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
                assert_eq!(words.get(index), Some(expected));
            }
            assert_eq!(words.get(2), None);
            assert_eq!(words.slice(1, 2).unwrap().iter().len(), 1);
            assert!(words.slice(1, 3).is_none());
        }
    }

    #[test]
    fn tables_of_both_widths() {
        let bytes = [1, 0, 0, 0, 2, 0, 0, 0x80, 9];
        let narrow = Table::new(&bytes, 4);
        assert_eq!((narrow.get(0), narrow.get(1), narrow.get(2)), (Some(1), Some(0x8000_0002), None));
        let wide = Table::new(&bytes, 8);
        assert_eq!((wide.get(0), wide.get(1)), (Some(0x8000_0002_0000_0001), None));
    }
}
