//! DLPack's structs, made by hand as the published header describes them, and what the tests do with them.

use hurray::abi::*;
use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicUsize, Ordering};

#[repr(C)]
#[derive(Clone, Copy)]
pub struct DlTensor {
    pub data: *mut c_void,
    pub device_type: i32,
    pub device_id: i32,
    pub ndim: i32,
    pub code: u8,
    pub bits: u8,
    pub lanes: u16,
    pub shape: *mut i64,
    pub strides: *mut i64,
    pub byte_offset: u64,
}

#[repr(C)]
pub struct Versioned {
    pub major: u32,
    pub minor: u32,
    pub context: *mut c_void,
    pub deleter: Option<unsafe extern "C" fn(*mut Versioned)>,
    pub flags: u64,
    pub tensor: DlTensor,
}

#[repr(C)]
pub struct Unversioned {
    pub tensor: DlTensor,
    pub context: *mut c_void,
    pub deleter: Option<unsafe extern "C" fn(*mut Unversioned)>,
}

/// A producer's struct; the deleter counts in the context and scribbles over the struct before it frees it (B97).
pub struct Producer {
    pub shape: Vec<i64>,
    pub strides: Vec<i64>,
    pub count: AtomicUsize,
}

pub unsafe extern "C" fn delete(managed: *mut Versioned) {
    unsafe {
        let count = (*managed).context.cast::<AtomicUsize>();
        (*count).fetch_add(1, Ordering::SeqCst);
        managed.cast::<u8>().write_bytes(0xAA, size_of::<Versioned>());
        drop(Box::from_raw(managed.cast::<std::mem::MaybeUninit<Versioned>>()));
    }
}

pub unsafe extern "C" fn delete_old(managed: *mut Unversioned) {
    unsafe {
        let count = (*managed).context.cast::<AtomicUsize>();
        (*count).fetch_add(1, Ordering::SeqCst);
        drop(Box::from_raw(managed));
    }
}

pub const F32: (u8, u8, u16) = (2, 32, 1);
pub const CPU: i32 = 1;

impl Producer {
    pub fn new(shape: &[i64], strides: &[i64]) -> Producer {
        Producer { shape: shape.to_vec(), strides: strides.to_vec(), count: AtomicUsize::new(0) }
    }

    pub fn tensor<T>(&mut self, data: *mut T, (code, bits, lanes): (u8, u8, u16)) -> DlTensor {
        let strides = if self.strides.is_empty() { null_mut() } else { self.strides.as_mut_ptr() };
        let shape = if self.shape.is_empty() { null_mut() } else { self.shape.as_mut_ptr() };
        DlTensor {
            data: data.cast(),
            device_type: CPU,
            device_id: 0,
            ndim: self.shape.len() as i32,
            code,
            bits,
            lanes,
            shape,
            strides,
            byte_offset: 0,
        }
    }

    pub fn managed(&self, tensor: DlTensor, flags: u64) -> *mut Versioned {
        let context = (&raw const self.count).cast_mut().cast();
        Box::into_raw(Box::new(Versioned {
            major: 1,
            minor: 1,
            context,
            deleter: Some(delete),
            flags,
            tensor,
        }))
    }

    pub fn deleted(&self) -> usize {
        self.count.load(Ordering::SeqCst)
    }
}

pub fn import(managed: &mut *mut Versioned, options: *const HurrayOptions) -> Result<*mut HurrayTensor, i32> {
    let mut tensor = null_mut();
    let status = unsafe { hurray_tensor_from_dlpack((&raw mut *managed).cast(), options, &mut tensor) };
    assert_eq!(status == 0, !tensor.is_null());
    if status == 0 { Ok(tensor) } else { Err(status) }
}

pub fn export(tensor: *const HurrayTensor, options: *const HurrayOptions) -> Result<*mut Versioned, i32> {
    let mut managed = null_mut();
    let status = unsafe { hurray_tensor_to_dlpack(tensor, options, &mut managed) };
    assert_eq!(status == 0, !managed.is_null());
    if status == 0 { Ok(managed.cast()) } else { Err(status) }
}

pub fn discard(managed: *mut Versioned) {
    unsafe { (*managed).deleter.expect("a deleter")(managed) };
}

pub fn destroy(mut tensor: *mut HurrayTensor) {
    assert_eq!(unsafe { hurray_tensor_destroy(&mut tensor) }, 0);
}

pub fn copying(choice: u64) -> *mut HurrayOptions {
    let mut options = null_mut();
    unsafe {
        assert_eq!(hurray_options_new(&mut options), 0);
        assert_eq!(hurray_options_set_u64(options, HURRAY_OPTION_COPY, choice), 0);
    }
    options
}

pub struct View {
    pub data: *mut c_void,
    pub shape: Vec<u64>,
    pub byte_strides: Vec<i64>,
    pub flags: u32,
}

pub fn view(tensor: *const HurrayTensor) -> View {
    let (mut data, mut rank, mut flags) = (null_mut(), 64, 0);
    let (mut shape, mut strides) = ([0; 64], [0; 64]);
    let status = unsafe {
        hurray_tensor_array_view(
            tensor,
            &mut data,
            shape.as_mut_ptr(),
            strides.as_mut_ptr(),
            &mut rank,
            &mut flags,
        )
    };
    assert_eq!(status, 0);
    View { data, shape: shape[..rank].to_vec(), byte_strides: strides[..rank].to_vec(), flags }
}

/// The elements of a view in row-major order of the index.
pub fn read<T: Copy>(view: &View) -> Vec<T> {
    let count: u64 = view.shape.iter().product();
    (0..count)
        .map(|mut at| {
            let mut offset = 0;
            for (n, stride) in view.shape.iter().zip(&view.byte_strides).rev() {
                offset += (at % n) as i64 * stride;
                at /= n;
            }
            unsafe { view.data.byte_offset(offset as isize).cast::<T>().read_unaligned() }
        })
        .collect()
}

pub fn array(
    kind: u8,
    shape: &[u64],
    strides: Option<&[i64]>,
    data: *mut c_void,
    flags: u32,
) -> *mut HurrayTensor {
    let mut tensor = null_mut();
    let strides = strides.map_or(null(), <[i64]>::as_ptr);
    let status = unsafe {
        hurray_tensor_from_array(
            kind,
            shape.as_ptr(),
            shape.len(),
            strides,
            data,
            0,
            0,
            0,
            flags,
            null(),
            null_mut(),
            None,
            &mut tensor,
        )
    };
    assert_eq!(status, 0);
    tensor
}
