//! The same for conversions: every allocation of a representative of each kind.

use crate::call::{Builder, Descriptor, OK, warm_up};
use crate::exhaustion::each_allocation;
use crate::fields::Value;
use crate::handoff::{end_tensor, released};
use hurray::abi::*;
use std::ffi::c_void;
use std::ptr::{null, null_mut};

/// Memory that elements may be read from at any alignment that a descriptor asks for.
#[repr(align(64))]
struct Memory([f32; 64]);

/// 8 by 8 numbers, every third one 0.
static NUMBERS: Memory = {
    let mut numbers = [0.0; 64];
    let mut k = 0;
    while k < 64 {
        numbers[k] = (k % 3) as f32;
        k += 1;
    }
    Memory(numbers)
};

/// A row-major tensor of bytes that live as long as the program.
pub fn dense(element_type: u8, shape: &[u64], bytes: &'static [u8]) -> *mut HurrayTensor {
    wrap(element_type, shape, null(), bytes)
}

/// The same with any strides, which are NULL or reach no element outside the bytes.
fn wrap(element_type: u8, shape: &[u64], strides: *const i64, bytes: &'static [u8]) -> *mut HurrayTensor {
    let (mut out, data) = (null_mut(), bytes.as_ptr().cast_mut().cast::<c_void>());
    // SAFETY: the memory lives as long as the program and is not written to; the output is this frame's own.
    let status = unsafe {
        hurray_tensor_from_array(
            element_type,
            shape.as_ptr(),
            shape.len(),
            strides,
            data,
            0,
            0,
            0,
            HURRAY_BUFFER_READ_ONLY,
            null(),
            null_mut(),
            None,
            &raw mut out,
        )
    };
    assert_eq!(status, OK, "{}", crate::call::last_text());
    out
}

/// The numbers as bytes.
pub fn numbers() -> &'static [u8] {
    // SAFETY: floats are four bytes each, all of them initialized.
    unsafe { std::slice::from_raw_parts(NUMBERS.0.as_ptr().cast(), 256) }
}

fn square() -> *mut HurrayTensor {
    dense(HURRAY_TYPE_FLOAT32, &[8, 8], numbers())
}

/// A descriptor of fields, with the buffers that these imply.
fn target(element_type: u8, layout: u8, shape: &[u64], fields: &[(u32, Value)]) -> Descriptor {
    let mut builder = Builder::new(element_type, layout, shape).expect("a builder");
    for (field, value) in fields {
        assert_eq!(builder.set(*field, 0, value), OK);
    }
    if layout != HURRAY_LAYOUT_COMPOSITE {
        // SAFETY: a live builder.
        let status = unsafe { hurray_descriptor_builder_push_default_buffers(builder.0) };
        assert_eq!(status, OK, "{}", crate::call::last_text());
    }
    builder.finish().unwrap_or_else(|_| panic!("{}", crate::call::last_text()))
}

/// Converts a tensor with each allocation failing in turn; gives how many there are.
fn conversion(
    name: &str,
    make: impl Fn() -> *mut HurrayTensor,
    call: impl Fn(*mut HurrayTensor, *mut u64, &mut *mut HurrayTensor) -> i32,
) -> u64 {
    each_allocation(name, |run| {
        let (source, before) = (make(), released());
        let (mut out, mut bytes) = (null_mut(), 0);
        let status = run(&mut || call(source, &raw mut bytes, &mut out));
        assert_eq!(out.is_null(), status != OK, "{name}: {}", crate::call::last_text());
        end_tensor(source);
        end_tensor(out);
        assert_eq!(released(), before);
    })
}

fn to_layout(source: *mut HurrayTensor, to: &Descriptor, out: &mut *mut HurrayTensor) -> i32 {
    // SAFETY: live handles; the output is the caller's.
    unsafe { hurray_tensor_to_layout(source, to.0, null(), null(), null_mut(), &raw mut *out) }
}

/// The numbers in another layout.
fn laid_out(to: &Descriptor) -> *mut HurrayTensor {
    let (mut source, mut out) = (square(), null_mut());
    assert_eq!(to_layout(source, to, &mut out), OK, "{}", crate::call::last_text());
    // SAFETY: owned, and ended once.
    assert_eq!(unsafe { hurray_tensor_destroy(&raw mut source) }, OK);
    out
}

fn coordinates() -> Vec<(u32, Value)> {
    vec![(HURRAY_LAYOUT_FIELD_COO_NNZ, Value::U(0)), (HURRAY_LAYOUT_FIELD_COO_IS_SORTED, Value::U(1))]
}

fn layouts(shape: &[u64]) -> Vec<Descriptor> {
    let nnz = |field| vec![(field, Value::U(0))];
    let tiles = vec![
        (HURRAY_LAYOUT_FIELD_TILED_TILE_SHAPE, Value::Us(vec![3; shape.len()])),
        (HURRAY_LAYOUT_FIELD_TILED_OUTER_LAYOUT, Value::U(1)),
        (HURRAY_LAYOUT_FIELD_TILED_INNER_LAYOUT, Value::U(2)),
    ];
    let curve = vec![
        (HURRAY_LAYOUT_FIELD_HILBERT_ORDER, Value::U(3)),
        (HURRAY_LAYOUT_FIELD_HILBERT_RANK, Value::U(shape.len() as u64)),
    ];
    let bits = vec![(HURRAY_LAYOUT_FIELD_MORTON_BITS, Value::Us(vec![3; shape.len()]))];
    let made = [
        (HURRAY_LAYOUT_ROW_MAJOR, vec![]),
        (HURRAY_LAYOUT_COLUMN_MAJOR, vec![]),
        (HURRAY_LAYOUT_STRIDED, vec![(HURRAY_LAYOUT_FIELD_STRIDED_STRIDES, Value::Is(vec![16, 2]))]),
        (HURRAY_LAYOUT_TILED, tiles),
        (HURRAY_LAYOUT_MORTON, bits),
        (HURRAY_LAYOUT_HILBERT, curve),
        (HURRAY_LAYOUT_COO, coordinates()),
        (HURRAY_LAYOUT_CSR, nnz(HURRAY_LAYOUT_FIELD_CSR_NNZ)),
        (HURRAY_LAYOUT_CSC, nnz(HURRAY_LAYOUT_FIELD_CSC_NNZ)),
    ];
    made.iter().map(|(tag, fields)| target(HURRAY_TYPE_FLOAT32, *tag, shape, fields)).collect()
}

#[test]
fn between_layouts() {
    warm_up();
    let mut most = 0;
    for from in layouts(&[8, 8]) {
        for to in layouts(&[8, 8]) {
            let count =
                conversion("to_layout", || laid_out(&from), |source, _, out| to_layout(source, &to, out));
            most = most.max(count);
        }
    }
    assert!(most > 10, "{most} allocations");
}

/// Descriptors of a cube of the numbers.
fn cubes() -> Vec<Descriptor> {
    let tree = vec![
        (HURRAY_LAYOUT_FIELD_CSF_NNZ, Value::U(0)),
        (HURRAY_LAYOUT_FIELD_CSF_MODE_ORDER, Value::Us(vec![2, 0, 1])),
    ];
    let fields =
        [(HURRAY_LAYOUT_ROW_MAJOR, vec![]), (HURRAY_LAYOUT_COO, coordinates()), (HURRAY_LAYOUT_CSF, tree)];
    fields.iter().map(|(tag, fields)| target(HURRAY_TYPE_FLOAT32, *tag, &[4, 4, 4], fields)).collect()
}

fn cube() -> *mut HurrayTensor {
    dense(HURRAY_TYPE_FLOAT32, &[4, 4, 4], numbers())
}

/// The numbers as a tree, of seven buffers.
pub fn tree() -> *mut HurrayTensor {
    let (source, mut out) = (cube(), null_mut());
    assert_eq!(to_layout(source, &cubes()[2], &mut out), OK, "{}", crate::call::last_text());
    end_tensor(source);
    out
}

/// Some of the numbers in two dimensions of twenty, from back to front and with gaps.
pub fn with_gaps() -> *mut HurrayTensor {
    let mut shape = [1u64; 20];
    let mut strides = [0i64; 20];
    (shape[3], strides[3]) = (2, -8);
    (shape[12], strides[12]) = (2, 64);
    for k in [1, 5, 7, 9, 11, 13, 15, 17] {
        (shape[k], strides[k]) = (2, 4 * k as i64 % 16);
    }
    wrap(HURRAY_TYPE_FLOAT32, &shape, strides.as_ptr(), &numbers()[8..])
}

#[test]
fn to_layouts_of_high_rank() {
    warm_up();
    let mut shape = [1; 20];
    for k in [1, 3, 5, 7, 9, 11, 12, 13, 15, 17] {
        shape[k] = 2;
    }
    let tiles = vec![
        (HURRAY_LAYOUT_FIELD_TILED_TILE_SHAPE, Value::Us(shape.to_vec())),
        (HURRAY_LAYOUT_FIELD_TILED_OUTER_LAYOUT, Value::U(2)),
        (HURRAY_LAYOUT_FIELD_TILED_INNER_LAYOUT, Value::U(1)),
    ];
    for (tag, fields) in [
        (HURRAY_LAYOUT_ROW_MAJOR, vec![]),
        (HURRAY_LAYOUT_COLUMN_MAJOR, vec![]),
        (HURRAY_LAYOUT_TILED, tiles),
        (HURRAY_LAYOUT_MORTON, vec![(HURRAY_LAYOUT_FIELD_MORTON_BITS, Value::Us(vec![1; 20]))]),
        (HURRAY_LAYOUT_COO, coordinates()),
    ] {
        let to = target(HURRAY_TYPE_FLOAT32, tag, &shape, &fields);
        conversion("to_layout", with_gaps, |source, _, out| to_layout(source, &to, out));
    }
    let (start, stop) = ([0i64; 20], shape.map(|n| n as i64));
    let options = null();
    // SAFETY: live handles and arrays of the rank; the outputs are the caller's.
    conversion("slice", with_gaps, |source, bytes, out| unsafe {
        let (start, stop) = (start.as_ptr(), stop.as_ptr());
        hurray_tensor_slice(source, start, stop, null(), 20, options, bytes, &raw mut *out)
    });
}

#[test]
fn between_sparse_layouts_of_three_dimensions() {
    warm_up();
    let all = cubes();
    for from in &all {
        for to in &all {
            let make = || {
                let (source, mut out) = (cube(), null_mut());
                assert_eq!(to_layout(source, from, &mut out), OK, "{}", crate::call::last_text());
                end_tensor(source);
                out
            };
            conversion("to_layout", make, |source, _, out| to_layout(source, to, out));
        }
    }
}

#[test]
fn numbers_and_codes() {
    warm_up();
    let block = |kind: u8| {
        vec![
            (HURRAY_QUANT_FIELD_SCHEME, Value::U(HURRAY_SCHEME_PER_BLOCK_AFFINE.into())),
            (HURRAY_QUANT_FIELD_PER_BLOCK_AXIS, Value::U(1)),
            (HURRAY_QUANT_FIELD_PER_BLOCK_BLOCK_SIZE, Value::U(4)),
            (HURRAY_QUANT_FIELD_PER_BLOCK_SCALE_TYPE, Value::U(kind.into())),
        ]
    };
    let to = target(HURRAY_TYPE_INT4, HURRAY_LAYOUT_ROW_MAJOR, &[8, 8], &block(HURRAY_TYPE_FLOAT32));
    let quantize = |source: *mut HurrayTensor, out: &mut *mut HurrayTensor| {
        // SAFETY: live handles; the output is the caller's.
        unsafe { hurray_tensor_quantize(source, to.0, null(), null(), null(), null_mut(), &raw mut *out) }
    };
    assert!(conversion("quantize", square, |source, _, out| quantize(source, out)) > 3);
    let codes = || {
        let (source, mut out) = (square(), null_mut());
        assert_eq!(quantize(source, &mut out), OK, "{}", crate::call::last_text());
        end_tensor(source);
        out
    };
    for tag in [HURRAY_TYPE_FLOAT32, HURRAY_TYPE_FLOAT16, HURRAY_TYPE_BFLOAT16, HURRAY_TYPE_FLOAT64] {
        // SAFETY: live handles; the outputs are the caller's.
        conversion("dequantize", codes, |source, bytes, out| unsafe {
            hurray_tensor_dequantize(source, tag, null(), null(), bytes, &raw mut *out)
        });
    }
    let bytes = || dense(HURRAY_TYPE_INT8, &[6], &[0, 1, 2, 3, 4, 5]);
    let pack = |source: *mut HurrayTensor, out: &mut *mut HurrayTensor| {
        // SAFETY: live handles; the output is the caller's.
        unsafe { hurray_tensor_pack(source, HURRAY_TYPE_INT4, null(), null(), null_mut(), &raw mut *out) }
    };
    conversion("pack", bytes, |source, _, out| pack(source, out));
    let packed = || {
        let (source, mut out) = (bytes(), null_mut());
        assert_eq!(pack(source, &mut out), OK);
        end_tensor(source);
        out
    };
    // SAFETY: live handles; the outputs are the caller's.
    conversion("unpack", packed, |source, bytes, out| unsafe {
        hurray_tensor_unpack(source, null(), null(), bytes, &raw mut *out)
    });
}

#[test]
fn parts_statistics_and_checks() {
    warm_up();
    let (start, stop, step) = ([1i64, 7], [7i64, -1], [2i64, -1]);
    let [_, _, _, tiles, .., rows, _] = &layouts(&[8, 8])[..] else { panic!("fewer layouts") };
    for make in [&square as &dyn Fn() -> *mut HurrayTensor, &|| laid_out(tiles)] {
        // SAFETY: live handles and arrays of the rank; the outputs are the caller's.
        conversion("slice", make, |source, bytes, out| unsafe {
            hurray_tensor_slice(
                source,
                start.as_ptr(),
                stop.as_ptr(),
                step.as_ptr(),
                2,
                null(),
                bytes,
                &raw mut *out,
            )
        });
    }
    each_allocation("statistics", |run| {
        let (source, mut made) = (square(), null_mut());
        // SAFETY: a live handle; the output is this frame's own, and ended once.
        unsafe {
            run(&mut || hurray_tensor_statistics(source, null(), &raw mut made));
            assert_eq!(hurray_descriptor_destroy(&raw mut made), OK);
        }
        end_tensor(source);
    });
    each_allocation("check_data", |run| {
        let source = laid_out(rows);
        // SAFETY: a live handle.
        run(&mut || unsafe { hurray_tensor_check_data(source, null()) });
        end_tensor(source);
    });
}

/// Two halves of the numbers as one tensor.
pub fn halves() -> *mut HurrayItem {
    let head = target(
        HURRAY_TYPE_FLOAT32,
        HURRAY_LAYOUT_COMPOSITE,
        &[64],
        &[
            (HURRAY_LAYOUT_FIELD_COMPOSITE_RULE, Value::U(1)),
            (HURRAY_LAYOUT_FIELD_COMPOSITE_COMBINE_OP, Value::U(0)),
            (HURRAY_LAYOUT_FIELD_COMPOSITE_MEMBER_COUNT, Value::U(2)),
        ],
    );
    let mut items = [null_mut::<HurrayItem>(); 2];
    let mut whole = null_mut();
    for (k, item) in items.iter_mut().enumerate() {
        let shard = [
            (HURRAY_SHARD_FIELD_PARENT_SHAPE, Value::Us(vec![64])),
            (HURRAY_SHARD_FIELD_OFFSET, Value::Us(vec![32 * k as u64])),
        ];
        let part = target(HURRAY_TYPE_FLOAT32, HURRAY_LAYOUT_ROW_MAJOR, &[32], &shard);
        let (mut buffer, mut list, mut tensor) = (null_mut(), null_mut(), null_mut());
        let data = numbers()[128 * k..].as_ptr().cast_mut().cast();
        // SAFETY: the memory lives as long as the program; handles are live, and passed on or ended once.
        unsafe {
            assert_eq!(hurray_buffer_from_ptr(data, 128, 64, 0, 0, 0, None, null_mut(), &raw mut buffer), OK);
            assert_eq!(hurray_buffer_list_new(1, &raw mut list), OK);
            assert_eq!(hurray_buffer_list_push(list, buffer), OK);
            let made = hurray_tensor_from_descriptor(part.0, list, null_mut(), None, &raw mut tensor);
            assert_eq!(made, OK, "{}", crate::call::last_text());
            assert_eq!(hurray_item_from_tensor(tensor, &raw mut *item), OK);
        }
        end_tensor(tensor);
    }
    let members = items.map(<*mut HurrayItem>::cast_const);
    // SAFETY: live handles, ended once.
    unsafe {
        assert_eq!(hurray_item_composite_new(head.0, members.as_ptr(), 2, &raw mut whole), OK);
        for mut item in items {
            assert_eq!(hurray_item_destroy(&raw mut item), OK);
        }
    }
    whole
}

#[test]
fn assembling() {
    warm_up();
    let count = each_allocation("assemble", |run| {
        let (mut item, mut out) = (halves(), null_mut());
        // SAFETY: a live handle; the output is this frame's own.
        run(&mut || unsafe { hurray_item_assemble(item, null(), null(), null_mut(), &raw mut out) });
        end_tensor(out);
        // SAFETY: owned, and ended once.
        assert_eq!(unsafe { hurray_item_destroy(&raw mut item) }, OK);
    });
    assert!(count > 3, "{count} allocations");
}
