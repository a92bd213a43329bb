// A CPython extension module in C++ that takes tensors from Python, and gives tensors of its own. It is built against
// the installed wheel only: the headers of hurray.get_include() and the library of hurray.get_library().
//
// inspect(obj) -> dict    takes a capsule "hurray_tensor_handle", or an object whose __hurray__() gives one; reads the
//     C ABI version first, then every field and buffer, and ends the tensor. The capsule is renamed. The keys:
//     checksum     CRC-32 over logical bytes: of a dense tensor the elements in row-major order; of a CSR or
//                  CSC matrix values, indices, pointers; then scales and zero points of a quantized one
//     nbytes       how many bytes that was
//     dequantized  (index, value) of the last element, per tensor or per channel: float32 scale * (code - zero point)
//     sparse       (index, value) of stored entry nnz // 2, found again by its coordinates; CSR and CSC
// make(kind) -> capsule   a tensor of the module's own; its destructor ends one that nobody took:
//     "strided"    float32 [3, 4], a[i][j] = 10 i + j, column by column, one unused element after each column
//     "quantized"  int8 [4, 3], q[i][j] = 10 i - 5 j - 7, per channel on axis 0, scales 0.5, 0.25, 2, 0.125, symmetric
//     "csr"        float64 [4, 5], data 1.5 -2 3.25 4 5 -6.5, indices 0 3 1 0 2 4, pointers 0 2 3 3 6
// live_handles() -> int           handles alive in the library this module is linked to
// owners() -> (made, released)    owners of the memory that make() gave to tensors
#include "checksum.hpp"
#include "consumer_fields.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <memory>

namespace {

using namespace fields;

const char* const capsule_name = "hurray_tensor_handle";
const char* const used_name = "used_hurray_tensor_handle";

Object copied_names(std::uint32_t flags) {
  Object names = own(PyList_New(0));
  const std::pair<std::uint32_t, const char*> reasons[] = {{HURRAY_BUFFER_COPIED_ALIGNMENT, "alignment"},
                                                           {HURRAY_BUFFER_COPIED_WIDTH, "width"},
                                                           {HURRAY_BUFFER_COPIED_PACKING, "packing"},
                                                           {HURRAY_BUFFER_COPIED_ON_REQUEST, "request"}};
  for (const auto& [bit, reason] : reasons) {
    if ((flags & bit) != 0 && PyList_Append(names.get(), text(reason).get()) != 0) throw PythonError();
  }
  return names;
}

Object buffer_list(const hurray::Tensor& tensor) {
  Object list = own(PyList_New(0));
  const std::vector<hurray::BufferEntry> entries = tensor.descriptor().buffers();
  for (std::size_t index = 0; index < entries.size(); ++index) {
    const hurray::BufferEntry& entry = entries[index];
    const hurray::BufferRef buffer = tensor.buffers().at(index);
    Dict dict;
    dict.set("byte_size", number(entry.byte_size));
    dict.set("actual_byte_size", number(buffer.byte_size()));
    dict.set("alignment", number(std::uint64_t{entry.alignment}));
    dict.set("device", text(name(entry.device)));
    dict.set("sync_mode", text(name(entry.sync_mode)));
    dict.set("memory_class", text(name(entry.memory_class)));
    dict.set("role", text(name(entry.role)));
    dict.set("role_level", number(std::uint64_t{entry.role_level}));
    dict.set("address", own(PyLong_FromVoidPtr(buffer.data())));
    dict.set("lead", number(std::uint64_t{buffer.lead()}));
    dict.set("read_only", truth((buffer.flags() & HURRAY_BUFFER_READ_ONLY) != 0));
    dict.set("copied", copied_names(buffer.flags()));
    if (PyList_Append(list.get(), dict.take().get()) != 0) throw PythonError();
  }
  return list;
}

// ---- the data

template <class T>
T load(const void* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

/// A whole number of one of the types that codes are stored in.
std::int64_t code_at(hurray::ElementType type, const void* at) {
  switch (type) {
    case hurray::ElementType::int8:
      return load<std::int8_t>(at);
    case hurray::ElementType::uint8:
      return load<std::uint8_t>(at);
    case hurray::ElementType::int16:
      return load<std::int16_t>(at);
    case hurray::ElementType::uint16:
      return load<std::uint16_t>(at);
    case hurray::ElementType::int32:
      return load<std::int32_t>(at);
    case hurray::ElementType::uint32:
      return load<std::uint32_t>(at);
    default:
      throw hurray::Error(HURRAY_ERR_UNSUPPORTED, "codes of type " + name(type));
  }
}

Object real_at(hurray::ElementType type, const void* at) {
  switch (type) {
    case hurray::ElementType::float16:
      return number(double{static_cast<float>(load<hurray::float16>(at))});
    case hurray::ElementType::bfloat16:
      return number(double{static_cast<float>(load<hurray::bfloat16>(at))});
    case hurray::ElementType::float32:
      return number(double{load<float>(at)});
    case hurray::ElementType::float64:
      return number(load<double>(at));
    case hurray::ElementType::int64:
      return number(load<std::int64_t>(at));
    case hurray::ElementType::uint64:
      return number(load<std::uint64_t>(at));
    default:
      return number(code_at(type, at));
  }
}

/// The last element, as scale * (code - zero point) in float32. Per tensor and per channel, dense, not packed.
Object dequantized(const hurray::Tensor& tensor, const std::optional<hurray::Quantization>& quantization) {
  if (!quantization) return none();
  const auto* per_tensor = std::get_if<hurray::quant::PerTensor>(&*quantization);
  const auto* per_channel = std::get_if<hurray::quant::PerChannel>(&*quantization);
  const auto array = tensor.try_array();
  if ((per_tensor == nullptr && per_channel == nullptr) || !array || array->is_packed()) return none();
  std::vector<std::uint64_t> index;
  const std::byte* at = static_cast<const std::byte*>(array->data);
  for (std::size_t k = 0; k < array->shape.rank(); ++k) {
    if (array->shape[k] == 0) return none();
    index.push_back(array->shape[k] - 1);
    at += static_cast<std::ptrdiff_t>(index[k]) * static_cast<std::ptrdiff_t>(array->byte_strides[k]);
  }
  std::int64_t zero_point = 0;
  float scale = 1;
  if (per_tensor != nullptr) {
    scale = per_tensor->scale;
    zero_point = per_tensor->zero_point;
  } else {
    const std::size_t channel = static_cast<std::size_t>(index.at(per_channel->axis));
    scale = tensor.part_data<const float>(hurray::Role::scales)[channel];
    if (per_channel->zero_point_buffer) {
      zero_point = tensor.part(hurray::Role::zero_points).to_vector<std::int32_t>().at(channel);
    }
  }
  const std::int64_t code = code_at(tensor.descriptor().element_type(), at);
  return pair(tuple_of(index), number(double{scale * static_cast<float>(code - zero_point)}));
}

/// Stored entry nnz / 2, found again by a search for its coordinates in its row or column.
Object sparse(const hurray::Tensor& tensor) {
  const hurray::LayoutTag layout = tensor.descriptor().layout_tag();
  if (layout != hurray::LayoutTag::csr && layout != hurray::LayoutTag::csc) return none();
  const hurray::Tensor values = tensor.part(hurray::Role::values);
  const auto indices = tensor.part_data<const std::uint64_t>(hurray::Role::indices);
  const auto pointers = tensor.part_data<const std::uint64_t>(hurray::Role::pointers);
  if (indices.empty()) return none();
  const std::size_t middle = indices.size() / 2;
  const auto after = std::upper_bound(pointers.begin(), pointers.end(), std::uint64_t{middle});
  if (after == pointers.begin() || after == pointers.end()) throw hurray::Error(HURRAY_ERR_INVALID_LAYOUT, "pointers");
  const std::uint64_t major = static_cast<std::uint64_t>(after - pointers.begin()) - 1;
  const auto begin = indices.begin() + static_cast<std::ptrdiff_t>(*(after - 1));
  const auto end = indices.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(*after, indices.size()));
  const auto found = std::lower_bound(begin, end, indices[middle]);
  if (found == end || *found != indices[middle]) throw hurray::Error(HURRAY_ERR_INVALID_LAYOUT, "indices");
  const hurray::ArrayView array = values.array();
  const std::byte* at =
      static_cast<const std::byte*>(array.data) + (found - indices.begin()) * array.byte_strides.at(0);
  const bool by_rows = layout == hurray::LayoutTag::csr;
  const std::vector<std::uint64_t> index{by_rows ? major : *found, by_rows ? *found : major};
  return pair(tuple_of(index), real_at(values.descriptor().element_type(), at));
}

/// A value that is not to be had of this layout is None.
template <class Call>
Object where_supported(Call call) {
  try {
    return call();
  } catch (const hurray::Error& error) {
    if (error.status() == HURRAY_ERR_UNSUPPORTED) return none();
    throw;
  }
}

Object inspected(const hurray::Tensor& tensor) {
  const hurray::DescriptorRef descriptor = tensor.descriptor();
  const std::optional<hurray::Quantization> quantization = descriptor.quantization();
  Dict out;
  out.set("abi_version", number(std::uint64_t{tensor.abi_version()}));
  out.set("element_type", text(name(descriptor.element_type())));
  out.set("shape", tuple_of(descriptor.shape()));
  out.set("layout", text(name(descriptor.layout_tag())));
  Dict fields;
  std::visit(LayoutDict{fields}, descriptor.layout());
  out.set("layout_fields", fields.take());
  out.set("byte_offset", number(descriptor.byte_offset()));
  out.set("quantization", quantization_dict(quantization, descriptor));
  out.set("buffers", buffer_list(tensor));
  out.set("describe", text(tensor.describe()));
  std::optional<Checksum> checksum;
  out.set("checksum", where_supported([&] {
            checksum = checksum_of(tensor);
            return number(checksum->value());
          }));
  out.set("nbytes", checksum ? number(checksum->count()) : none());
  out.set("dequantized", where_supported([&] { return dequantized(tensor, quantization); }));
  out.set("sparse", where_supported([&] { return sparse(tensor); }));
  return out.take();
}

// ---- the hand-off

/// Takes the tensor out of a capsule, or out of the one that an object exports.
hurray::Tensor taken(PyObject* object) {
  Object exported;
  if (PyCapsule_CheckExact(object) == 0 && PyObject_HasAttrString(object, "__hurray__") != 0) {
    exported = own(PyObject_CallMethod(object, "__hurray__", nullptr));
    object = exported.get();
  }
  if (PyCapsule_IsValid(object, capsule_name) == 0) {
    PyErr_SetString(PyExc_TypeError, "a capsule named hurray_tensor_handle, not consumed yet, is needed");
    throw PythonError();
  }
  // Adopting reads the version first; what is refused stays the capsule's.
  hurray::Tensor tensor = hurray::Tensor::adopt(static_cast<HurrayTensor*>(PyCapsule_GetPointer(object, capsule_name)));
  if (PyCapsule_SetName(object, used_name) != 0) {
    static_cast<void>(tensor.release());
    throw PythonError();
  }
  return tensor;
}

void end_unconsumed(PyObject* capsule) {
  if (PyCapsule_IsValid(capsule, capsule_name) == 0) return;
  auto* raw = static_cast<HurrayTensor*>(PyCapsule_GetPointer(capsule, capsule_name));
  hurray_tensor_destroy(&raw);
}

Object capsule_of(hurray::Tensor tensor) {
  Object capsule = own(PyCapsule_New(tensor.get(), capsule_name, end_unconsumed));
  static_cast<void>(tensor.release());
  return capsule;
}

// ---- tensors of the module's own

std::atomic<std::uint64_t> owners_made{0};
std::atomic<std::uint64_t> owners_released{0};

/// Memory that one tensor keeps alive, counted.
template <class Memory>
class Owner {
 public:
  Owner() : memory_(std::make_unique<Memory>()) { ++owners_made; }
  Owner(Owner&&) noexcept = default;
  Owner& operator=(Owner&&) noexcept = default;
  ~Owner() {
    if (memory_ != nullptr) ++owners_released;
  }
  Memory* operator->() const noexcept { return memory_.get(); }

 private:
  std::unique_ptr<Memory> memory_;
};

struct StridedMemory {
  float elements[16] = {0, 10, 20, -1, 1, 11, 21, -1, 2, 12, 22, -1, 3, 13, 23, -1};
};

// Parts of their own buffers begin at a multiple of 64 bytes, so that nothing is copied.
struct QuantizedMemory {
  std::int8_t codes[12] = {-7, -12, -17, 3, -2, -7, 13, 8, 3, 23, 18, 13};
  alignas(64) float scales[4] = {0.5F, 0.25F, 2.0F, 0.125F};
};

struct CsrMemory {
  alignas(64) double values[6] = {1.5, -2, 3.25, 4, 5, -6.5};
  alignas(64) std::uint64_t columns[6] = {0, 3, 1, 0, 2, 4};
  alignas(64) std::uint64_t pointers[5] = {0, 2, 3, 3, 6};
};

hurray::Tensor made(const std::string& kind) {
  if (kind == "strided") {
    Owner<StridedMemory> owner;
    const hurray::span<float> elements(owner->elements);
    return hurray::from_strided(elements, {3, 4}, {1, 4}, 0, std::move(owner));
  }
  if (kind == "quantized") {
    Owner<QuantizedMemory> owner;
    const hurray::span<const float> scales(owner->scales);
    const hurray::span<std::int8_t> elements(owner->codes);
    const hurray::Tensor codes = hurray::from_span(elements, {4, 3}, std::move(owner));
    return hurray::make_quantized(codes, hurray::quant::PerChannel{0}, scales);
  }
  if (kind == "csr") {
    Owner<CsrMemory> owner;
    const hurray::span<double> values(owner->values);
    const hurray::span<std::uint64_t> columns(owner->columns);
    const hurray::span<std::uint64_t> pointers(owner->pointers);
    return hurray::make_csr({4, 5}, values, columns, pointers, hurray::Copy::never, std::move(owner));
  }
  throw hurray::Error(HURRAY_ERR_INVALID_ARGUMENT, "kind is strided, quantized or csr");
}

// ---- the module

template <class Call>
PyObject* guarded(Call call) {
  try {
    return call().release();
  } catch (const PythonError&) {
  } catch (const hurray::Error& error) {
    const bool is_value =
        error.status() == HURRAY_ERR_VERSION_MISMATCH || error.status() == HURRAY_ERR_INVALID_ARGUMENT;
    PyErr_SetString(is_value ? PyExc_ValueError : PyExc_RuntimeError, error.what());
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return nullptr;
}

PyObject* inspect(PyObject*, PyObject* object) {
  return guarded([&] { return inspected(taken(object)); });
}

PyObject* make(PyObject*, PyObject* kind) {
  return guarded([&] {
    const char* const chars = PyUnicode_AsUTF8(kind);
    if (chars == nullptr) throw PythonError();
    return capsule_of(made(chars));
  });
}

PyObject* live_handles(PyObject*, PyObject*) {
  return guarded([] { return number(hurray::live_handles()); });
}

PyObject* owners(PyObject*, PyObject*) {
  return guarded([] { return pair(number(owners_made.load()), number(owners_released.load())); });
}

PyMethodDef functions[] = {
    {"inspect", inspect, METH_O, "Consumes a tensor and gives its fields, buffers, a checksum and two values."},
    {"make", make, METH_O, "A tensor of the module's own, in a capsule: strided, quantized or csr."},
    {"live_handles", live_handles, METH_NOARGS, "Handles alive in the library that this module is linked to."},
    {"owners", owners, METH_NOARGS, "Owners of tensors that make() made: how many, and how many are released."},
    {nullptr, nullptr, 0, nullptr}};

PyModuleDef module = {PyModuleDef_HEAD_INIT,
                      "demo_consumer",
                      "Takes tensors from Python through one handle, and gives its own.",
                      0,
                      functions,
                      nullptr,
                      nullptr,
                      nullptr,
                      nullptr};

}  // namespace

PyMODINIT_FUNC PyInit_demo_consumer() { return PyModuleDef_Init(&module); }
