//! The extension module of the Python package `hurray`: tensors, numpy, DLPack and the capsule, on the thin Rust client.

mod array;
mod capsule;
mod constants;
mod convert;
mod convert_numbers;
mod convert_slice;
mod convert_sparse;
mod descriptor;
mod dlpack;
mod dlpack_exchange;
mod dlpack_structs;
mod errors;
mod fields;
mod file;
mod item;
mod library;
mod memory;
mod numpy;
mod owner;
mod package;
mod parts;
mod stream;
mod tensor;
mod watch;

use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;

#[pymodule(name = "_hurray", gil_used = false)]
mod extension {
    #[pymodule_export]
    use super::array::{from_memory, from_numpy, from_plain_array};
    #[pymodule_export]
    use super::convert::convert_layout;
    #[pymodule_export]
    use super::convert_numbers::{convert_packing, convert_to_codes, convert_to_numbers};
    #[pymodule_export]
    use super::convert_slice::convert_part;
    #[pymodule_export]
    use super::convert_sparse::{convert_composite, convert_pages};
    #[pymodule_export]
    use super::descriptor::Descriptor;
    #[pymodule_export]
    use super::dlpack::take_dlpack;
    #[pymodule_export]
    use super::dlpack_exchange::exchange_dlpack;
    #[pymodule_export]
    use super::file::{FileReader, FileWriter};
    #[pymodule_export]
    use super::item::{Composite, DescriptorItem};
    #[pymodule_export]
    use super::library::{
        abi_version, element_type_bytes, element_type_info, library_path, live_handles, tag_name,
    };
    #[pymodule_export]
    use super::memory::Memory;
    #[pymodule_export]
    use super::numpy::numpy_tag;
    #[pymodule_export]
    use super::parts::{Buffer, allocate, assemble, bind, copy_into, describe, wrap_aligned, wrap_bytes};
    #[pymodule_export]
    use super::stream::{StreamItems, StreamReader, StreamWriter};
    #[pymodule_export]
    use super::tensor::{Tensor, from_hurray};
    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        // The version before any other call: the error names both versions and the file.
        let version = match hurray_client::version() {
            Ok(version) => version,
            Err(error) => {
                let refusal = PyImportError::new_err(error.to_string());
                refusal.value(module.py()).setattr("status", error.status.code())?;
                return Err(refusal);
            }
        };
        module.add("__version__", version)?;
        constants::add(module)
    }
}
