//! A tensor as an ordinary array: on the way in, and on the way out.

use std::ffi::c_void;
use std::marker::PhantomData;

use crate::buffer::BufferFlags;
use crate::error::{Error, Result, Status};
use crate::sys;
use crate::tag::{Device, ElementType, MemoryClass};

/// A language's own array, described for [`crate::Tensor::from_array`].
#[derive(Clone, Copy, Debug)]
pub struct Array<'a> {
    /// The type of its elements.
    pub element_type: ElementType,
    /// Its dimensions.
    pub shape: &'a [u64],
    /// One stride a dimension, in bytes; nothing is row-major.
    pub byte_strides: Option<&'a [i64]>,
    /// The element at index zero.
    pub data: *mut c_void,
    /// The device that holds it.
    pub device: Device,
    /// The kind of the device's memory.
    pub memory_class: MemoryClass,
    /// Which of several devices of its kind.
    pub device_id: i32,
    /// What else is known of the memory, read-only above all.
    pub flags: BufferFlags,
}

impl<'a> Array<'a> {
    /// A row-major array in ordinary memory of the host that may be written to.
    pub const fn row_major(element_type: ElementType, shape: &'a [u64], data: *mut c_void) -> Self {
        Self {
            element_type,
            shape,
            byte_strides: None,
            data,
            device: Device::CPU,
            memory_class: MemoryClass::STANDARD,
            device_id: 0,
            flags: BufferFlags(0),
        }
    }
}

/// What is known of a view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct ViewFlags(pub u32);

impl ViewFlags {
    /// The memory must not be written to.
    pub const READ_ONLY: ViewFlags = ViewFlags(sys::HURRAY_VIEW_READ_ONLY);
    /// The strides are those of row-major order.
    pub const ROW_MAJOR: ViewFlags = ViewFlags(sys::HURRAY_VIEW_ROW_MAJOR);
    /// The strides are those of column-major order.
    pub const COLUMN_MAJOR: ViewFlags = ViewFlags(sys::HURRAY_VIEW_COLUMN_MAJOR);
    /// The data is not aligned for its element.
    pub const MISALIGNED: ViewFlags = ViewFlags(sys::HURRAY_VIEW_MISALIGNED);
    /// Elements are packed below a byte; there are no strides.
    pub const PACKED: ViewFlags = ViewFlags(sys::HURRAY_VIEW_PACKED);

    /// Whether all bits of `other` are set.
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

/// The format's bound.
pub(crate) const MAX_RANK: usize = 64;

/// A tensor's elements in place. The memory stays the tensor's.
#[derive(Clone, Copy, Debug)]
pub struct ArrayView<'a> {
    pub(crate) data: *mut c_void,
    pub(crate) element_type: ElementType,
    pub(crate) shape: [u64; MAX_RANK],
    pub(crate) byte_strides: [i64; MAX_RANK],
    pub(crate) rank: usize,
    pub(crate) flags: ViewFlags,
    pub(crate) tensor: PhantomData<&'a ()>,
}

/// A type of Rust that is an element type as it stands. Sealed.
pub trait Element: Copy + Send + Sync + sealed::Sealed + 'static {
    /// Its element type.
    const TYPE: ElementType;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! elements {
    ($($rust:ty = $constant:ident,)*) => {
        $(
            impl sealed::Sealed for $rust {}

            impl Element for $rust {
                const TYPE: ElementType = ElementType::$constant;
            }
        )*
    };
}

elements! {
    f32 = FLOAT32,
    f64 = FLOAT64,
    i8 = INT8,
    u8 = UINT8,
    i16 = INT16,
    u16 = UINT16,
    i32 = INT32,
    u32 = UINT32,
    i64 = INT64,
    u64 = UINT64,
}

impl<'a> ArrayView<'a> {
    /// The element at index zero. It may be misaligned, and NULL if there are no elements.
    pub fn data(&self) -> *mut c_void {
        self.data
    }

    /// The type of the elements; of a quantized tensor, of its codes.
    pub fn element_type(&self) -> ElementType {
        self.element_type
    }

    /// The dimensions.
    pub fn shape(&self) -> &[u64] {
        self.shape.get(..self.rank).unwrap_or_default()
    }

    /// One stride a dimension, in bytes. Nothing if elements are packed below a byte.
    pub fn byte_strides(&self) -> Option<&[i64]> {
        if self.flags.contains(ViewFlags::PACKED) { None } else { self.byte_strides.get(..self.rank) }
    }

    /// What else is known of the view.
    pub fn flags(&self) -> ViewFlags {
        self.flags
    }

    /// The elements in row-major order. `INVALID_ARGUMENT` if they are of another type, lie in another order, or are not
    /// aligned: copy them by their strides then.
    ///
    /// # Safety
    /// Nobody writes to the memory while the slice lives.
    pub unsafe fn as_slice<T: Element>(&self) -> Result<&'a [T]> {
        let refuse = |reason: String| Err(Error::new(Status::INVALID_ARGUMENT, reason));
        if self.element_type != T::TYPE {
            return refuse(format!("the elements are {}, not {}", self.element_type, T::TYPE));
        }
        if !self.flags.contains(ViewFlags::ROW_MAJOR) {
            return refuse("the elements are not in row-major order".into());
        }
        let count = self.shape().iter().try_fold(1usize, |count, &extent| {
            usize::try_from(extent).ok().and_then(|extent| count.checked_mul(extent))
        });
        match count {
            Some(0) => Ok(&[]),
            _ if self.flags.contains(ViewFlags::MISALIGNED) => {
                refuse(format!("the data is not aligned for {}", T::TYPE))
            }
            // SAFETY: type, order and alignment were tested; the library vouches that this many elements are readable for
            // as long as the tensor lives; that nobody writes to them is the caller's promise.
            Some(count) => Ok(unsafe { std::slice::from_raw_parts(self.data.cast_const().cast(), count) }),
            None => refuse("there are more elements than a pointer can reach".into()),
        }
    }
}
