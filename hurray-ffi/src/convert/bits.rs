//! Elements narrower than a byte: position p of a packed buffer is at bits `p*w` to `p*w + w-1` of one stream whose
//! lowest bit comes first. Six-bit elements are no exception: their groups of three bytes are read the same way.

/// The code at a bit position; `None` outside the bytes. `width` is 1, 2, 4 or 6.
pub fn get(bytes: &[u8], bit: u64, width: u32) -> Option<u8> {
    let at = usize::try_from(bit / 8).ok()?;
    let low = u16::from(*bytes.get(at)?);
    let high = if bit % 8 + u64::from(width) > 8 { u16::from(*bytes.get(at + 1)?) << 8 } else { 0 };
    Some(((low | high) >> (bit % 8)) as u8 & mask(width))
}

/// Writes a code at a bit position and leaves the bits around it; `None` outside the bytes.
pub fn put(bytes: &mut [u8], bit: u64, width: u32, code: u8) -> Option<()> {
    let at = usize::try_from(bit / 8).ok()?;
    let shift = bit % 8;
    let (keep, word) = (!(u16::from(mask(width)) << shift), u16::from(code & mask(width)) << shift);
    if shift + u64::from(width) > 8 {
        let high = bytes.get_mut(at + 1)?;
        *high = *high & (keep >> 8) as u8 | (word >> 8) as u8;
    }
    let low = bytes.get_mut(at)?;
    *low = *low & keep as u8 | word as u8;
    Some(())
}

/// The bits of one code.
pub fn mask(width: u32) -> u8 {
    ((1u16 << width.min(8)) - 1) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_of_the_written_format() {
        // layouts.md section 2.
        let mut int4 = [0u8; 15];
        int4[14] = 0xAB;
        assert_eq!(get(&int4, 28 * 4, 4), Some(0xB));
        let mut boolean = [0u8; 7];
        boolean[6] = 0x80;
        assert_eq!(get(&boolean, 3 * 8 + 31, 1), Some(1));
        // Element 6 of a float6 buffer: element 2 of the group at byte 3, from bit 4 of byte 4.
        assert_eq!(get(&[0, 0, 0, 0, 0xB0, 0x02], 36, 6), Some(0b101011));
    }

    #[test]
    fn what_is_put_is_got_and_neighbours_stay() {
        for width in [1, 2, 4, 6] {
            for position in 0..16u64 {
                let mut bytes = [0xFF; 13];
                if put(&mut bytes, position * u64::from(width), width, 0).is_none() {
                    continue;
                }
                for other in 0..16u64 {
                    let want = if other == position { 0 } else { mask(width) };
                    assert_eq!(get(&bytes, other * u64::from(width), width).unwrap_or(want), want);
                }
            }
        }
        assert_eq!(get(&[0; 3], 20, 6), None);
        assert_eq!(put(&mut [0; 3], 24, 4, 1), None);
    }
}
