//! Orders and strides of arrays whose elements lie at fixed steps.

use super::{Dims, Fault, Strides};

/// How a set of strides compares with the two plain orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    /// Equal to the row-major strides, dimensions of one element aside.
    pub row_major: bool,
    /// Equal to the column-major strides, dimensions of one element aside.
    pub column_major: bool,
}

/// The stride that row-major order gives dimension `k`, in elements; empty dimensions count as one.
pub fn row_major_stride(shape: &[u64], k: usize) -> i64 {
    product(shape.get(k + 1..).unwrap_or_default())
}

/// The stride that column-major order gives dimension `k`, in elements; empty dimensions count as one.
pub fn column_major_stride(shape: &[u64], k: usize) -> i64 {
    product(shape.get(..k).unwrap_or_default())
}

fn product(dims: &[u64]) -> i64 {
    // Out of range only beside an empty dimension, where no stride is ever followed.
    let product = dims.iter().try_fold(1u64, |product, &n| product.checked_mul(n.max(1)));
    product.and_then(|product| i64::try_from(product).ok()).unwrap_or(0)
}

/// Compares strides with the plain orders. An array without elements is in both.
pub fn order(shape: &[u64], strides: &[i64]) -> Order {
    if shape.contains(&0) {
        return Order { row_major: true, column_major: true };
    }
    let (mut row, mut column) = (1u64, 1u64);
    let mut order = Order { row_major: true, column_major: true };
    for (&n, &stride) in shape.iter().zip(strides) {
        if n != 1 {
            order.column_major &= u64::try_from(stride) == Ok(column);
            column = column.wrapping_mul(n);
        }
    }
    for (&n, &stride) in shape.iter().zip(strides).rev() {
        if n != 1 {
            order.row_major &= u64::try_from(stride) == Ok(row);
            row = row.wrapping_mul(n);
        }
    }
    order
}

/// Whether strides are a plain order's own, dimensions of one element included.
pub fn is_exactly(shape: &[u64], strides: &[i64], stride: impl Fn(&[u64], usize) -> i64) -> bool {
    strides.iter().enumerate().all(|(k, &found)| found == stride(shape, k))
}

/// The lowest and highest element offset that any index reaches, or none for an array without elements.
pub fn reach(shape: &[u64], strides: &[i64]) -> Option<(i128, i128)> {
    let (mut low, mut high) = (0i128, 0i128);
    for (&n, &stride) in shape.iter().zip(strides) {
        let last = i128::from(n.checked_sub(1)?) * i128::from(stride);
        if last < 0 { low += last } else { high += last }
    }
    Some((low, high))
}

/// A copy of a shape, allocated fallibly.
pub fn dims(shape: &[u64]) -> Result<Dims, Fault> {
    let mut dims = Dims::new();
    dims.try_reserve(shape.len()).map_err(|_| no_room(shape.len()))?;
    dims.extend_from_slice(shape);
    Ok(dims)
}

/// A list of strides, allocated fallibly.
pub fn collect(rank: usize, strides: impl Iterator<Item = i64>) -> Result<Strides, Fault> {
    let mut list = Strides::new();
    list.try_reserve(rank).map_err(|_| no_room(rank))?;
    list.extend(strides);
    Ok(list)
}

#[cold]
fn no_room(count: usize) -> Fault {
    Fault::out_of_memory().field("bytes").value(8 * count as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_orders_and_unit_dimensions() {
        assert_eq!(order(&[2, 3], &[3, 1]), Order { row_major: true, column_major: false });
        assert_eq!(order(&[2, 3], &[1, 2]), Order { row_major: false, column_major: true });
        assert_eq!(order(&[1, 3, 1, 4, 1], &[0, 4, 0, 1, 0]), Order { row_major: true, column_major: false });
        assert_eq!(order(&[2, 3], &[-3, 1]), Order { row_major: false, column_major: false });
        assert_eq!(order(&[0, 3], &[9, 9]), Order { row_major: true, column_major: true });
        assert!(is_exactly(&[1, 77], &[77, 1], row_major_stride));
        assert!(is_exactly(&[1024, 1], &[1, 1024], column_major_stride));
    }

    #[test]
    fn strides_beside_an_empty_dimension() {
        // As numpy gives them, in elements, for shapes (0, 2048) and (3, 0, 5).
        assert_eq!([0, 1].map(|k| row_major_stride(&[0, 2048], k)), [2048, 1]);
        assert_eq!([0, 1, 2].map(|k| row_major_stride(&[3, 0, 5], k)), [5, 5, 1]);
    }

    #[test]
    fn reach_of_the_example_in_the_written_format() {
        // layouts.md section 5: [2,4,3], strides [-12,3,-1].
        assert_eq!(reach(&[2, 4, 3], &[-12, 3, -1]), Some((-14, 9)));
        assert_eq!(reach(&[2, 0], &[1, 1]), None);
    }
}
