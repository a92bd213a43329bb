//! A descriptor's fields as a Python dictionary.

use hurray_client::{Fields, Kind};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};

/// Identifier | level << 32, to a number, a list of numbers or bytes.
pub fn to_dict<'py>(py: Python<'py>, fields: &Fields) -> PyResult<Bound<'py, PyDict>> {
    let found = PyDict::new(py);
    for field in fields.iter() {
        let key = u64::from(field.id) | u64::from(field.level) << 32;
        match field.kind {
            Kind::U64 => found.set_item(key, field.u64())?,
            Kind::I64 => found.set_item(key, field.i64())?,
            Kind::F64 => found.set_item(key, field.f64())?,
            Kind::U64Array => found.set_item(key, PyList::new(py, field.u64s())?)?,
            Kind::I64Array => found.set_item(key, PyList::new(py, field.i64s())?)?,
            Kind::Bytes => found.set_item(key, PyBytes::new(py, &field.bytes().collect::<Vec<_>>()))?,
        }
    }
    Ok(found)
}
