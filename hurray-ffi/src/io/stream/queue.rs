//! Bytes that wait to be written: small ones gathered in blocks of the queue's own, large ones where they are.

use super::maker::Source;
use crate::format::Fault;
use std::collections::VecDeque;
use std::ops::Range;

/// Up to here, copying bytes costs less than a piece of their own in the gather list.
pub(super) const SMALL: usize = 4096;
/// A block is begun anew from here on.
const BLOCK: usize = 64 << 10;

enum Piece<S> {
    Own(Vec<u8>),
    Held(S, Range<usize>),
}

impl<S: Source> Piece<S> {
    fn bytes(&self) -> &[u8] {
        match self {
            Piece::Own(block) => block,
            Piece::Held(source, range) => source.bytes().get(range.clone()).unwrap_or_default(),
        }
    }
}

/// Pieces in the order in which they go out.
pub(super) struct Queue<S> {
    pieces: VecDeque<Piece<S>>,
    /// Bytes of the first piece that have gone out.
    skip: usize,
    /// Bytes that wait.
    left: u64,
    /// A block that was written, for the next tensors.
    spare: Vec<u8>,
}

/// A place that the queue can be cut back to.
pub(super) struct Mark {
    pieces: usize,
    last: usize,
    left: u64,
}

impl<S: Source + Clone> Queue<S> {
    pub(super) fn new() -> Queue<S> {
        Queue { pieces: VecDeque::new(), skip: 0, left: 0, spare: Vec::new() }
    }

    pub(super) fn mark(&self) -> Mark {
        let last = self.pieces.back().map_or(0, |piece| match piece {
            Piece::Own(block) => block.len(),
            Piece::Held(..) => 0,
        });
        Mark { pieces: self.pieces.len(), last, left: self.left }
    }

    /// Takes back what was pushed since the mark.
    pub(super) fn cut_back(&mut self, mark: &Mark) {
        self.pieces.truncate(mark.pieces);
        if let Some(Piece::Own(block)) = self.pieces.back_mut() {
            block.truncate(mark.last);
        }
        self.left = mark.left;
    }

    /// Appends a copy of bytes.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        self.left += bytes.len() as u64;
        if let Some(Piece::Own(block)) = self.pieces.back_mut()
            && block.len() + bytes.len() <= BLOCK
        {
            block.try_reserve(bytes.len()).map_err(|_| Fault::out_of_memory())?;
            block.extend_from_slice(bytes);
            return Ok(());
        }
        let mut block = std::mem::take(&mut self.spare);
        block.try_reserve(bytes.len()).map_err(|_| Fault::out_of_memory())?;
        block.extend_from_slice(bytes);
        self.append(Piece::Own(block))
    }

    /// Appends a part of what a source holds.
    pub(super) fn hold(&mut self, source: &S, range: Range<usize>) -> Result<(), Fault> {
        if range.len() <= SMALL {
            return self.push(source.bytes().get(range).unwrap_or_default());
        }
        self.left += range.len() as u64;
        self.append(Piece::Held(source.clone(), range))
    }

    fn append(&mut self, piece: Piece<S>) -> Result<(), Fault> {
        self.pieces.try_reserve(1).map_err(|_| Fault::out_of_memory())?;
        self.pieces.push_back(piece);
        Ok(())
    }

    /// Bytes that wait.
    pub(super) fn left(&self) -> u64 {
        self.left
    }

    /// Number of pieces.
    pub(super) fn len(&self) -> usize {
        self.pieces.len()
    }

    /// The pieces in order, without what has gone out.
    pub(super) fn chunks(&self) -> impl Iterator<Item = &[u8]> {
        self.pieces.iter().enumerate().map(|(index, piece)| {
            let skip = if index == 0 { self.skip } else { 0 };
            piece.bytes().get(skip..).unwrap_or_default()
        })
    }

    /// Counts bytes as gone out; never more than wait.
    pub(super) fn advance(&mut self, count: u64) {
        self.left -= count;
        let mut count = usize::try_from(count).unwrap_or(usize::MAX);
        while let Some(piece) = self.pieces.front() {
            let rest = piece.bytes().len() - self.skip;
            if count < rest {
                self.skip += count;
                return;
            }
            count -= rest;
            self.skip = 0;
            if let Some(Piece::Own(mut block)) = self.pieces.pop_front()
                && block.capacity() <= 2 * BLOCK
            {
                block.clear();
                self.spare = block;
            }
        }
    }
}
