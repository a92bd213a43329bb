//! The package's own Python modules, asked from here.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// The objects of element types, by tag.
static ELEMENT_TYPES: [PyOnceLock<Py<PyAny>>; 256] = [const { PyOnceLock::new() }; 256];

/// The `Dtype` of a tag.
#[inline]
pub fn element_type(py: Python<'_>, tag: u8) -> PyResult<&'static Py<PyAny>> {
    let slot = ELEMENT_TYPES.get(usize::from(tag)).ok_or_else(|| PyTypeError::new_err("no such tag"))?;
    slot.get_or_try_init(py, || {
        py.import("hurray._dtype")?.getattr("Dtype")?.call_method1("_of_tag", (tag,)).map(Bound::unbind)
    })
}

macro_rules! functions {
    ($($name:ident = $module:literal $function:literal;)*) => {
        $(
            #[doc = concat!("`", $module, ".", $function, "`")]
            pub fn $name(py: Python<'_>) -> PyResult<&Bound<'_, PyAny>> {
                static FUNCTION: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
                FUNCTION.import(py, $module, $function)
            }
        )*
    };
}

functions! {
    construct = "hurray._build" "construct";
    bind = "hurray._build" "bind";
    resolve_dtype = "hurray._dtype" "resolve";
    from_array = "hurray._build" "from_array";
    unpack_bool = "hurray._build" "unpack_bool";
    device_from_fields = "hurray.device" "from_fields";
    device_from_tags = "hurray.device" "_from_tags";
    handles_from_fields = "hurray.device" "handles_from_fields";
    layout_from_fields = "hurray.layout" "from_fields";
    quantization_from_fields = "hurray.quantization" "from_fields";
    statistics_from_fields = "hurray.sections" "statistics_from_fields";
    shard_from_fields = "hurray.sections" "shard_from_fields";
    extension_type_from_fields = "hurray.sections" "extension_type_from_fields";
    part_of = "hurray.sparse" "part_of";
    nnz_of = "hurray.sparse" "nnz_of";
    to_layout = "hurray.convert" "to_layout";
    dequantize = "hurray.convert" "dequantize";
    quantize = "hurray.convert" "quantize";
    packing = "hurray.convert" "packing";
    part = "hurray.convert" "part";
    gather = "hurray.convert" "gather";
    assemble = "hurray.convert" "assemble";
    to_scipy = "hurray.sparse" "to_scipy";
    numpy_dtype = "numpy" "dtype";
    numpy_copyto = "numpy" "copyto";
}
