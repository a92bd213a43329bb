// C++'s own arrays as tensors, tensors as views, and DLPack structs.
#include "adapter.hpp"

#include "../../../hurray-ffi/tests/c/dlpack.h"

namespace {

using namespace hurray;

/// A tensor over a vector that is moved in, and the same elements seen as a span.
template <class T>
Json typed(const Shape& shape, const std::vector<std::uint8_t>& bytes) {
  std::vector<T> vector(bytes.size() / sizeof(T));
  if (!bytes.empty()) std::memcpy(vector.data(), bytes.data(), bytes.size());
  const T* address = vector.data();
  const Tensor tensor = from_vector(std::move(vector), shape);
  const auto seen = tensor.template data<const T>();
  return Json{{"item", show_tensor(tensor)},
              {"values", hex(seen.data(), seen.size() * sizeof(T))},
              {"shared", Json(seen.size() == 0 || seen.data() == address)}};
}

/// A tensor over memory, for elements that are packed below a byte or that C++ lacks.
Json untyped(ElementType type, const Shape& shape, std::vector<std::uint8_t> bytes) {
  Array array;
  array.element_type = type;
  array.shape = shape;
  array.data = bytes.data();
  const void* address = bytes.data();
  const std::size_t size = bytes.size();
  const Tensor tensor = Tensor::from_array(array, std::move(bytes));
  const ArrayView view = tensor.array();
  if (!view.is_row_major()) throw Fault("the view is not row-major");
  return Json{{"item", show_tensor(tensor)},
              {"values", hex(view.data, size)},
              {"shared", Json(size == 0 || view.data == address)}};
}

void show_struct(Json& out, const DlpackTensor& array) {
  const std::vector<std::int64_t> shape(array.shape, array.shape + array.ndim);
  out.set("device_type", Json(array.device_type));
  out.set("device_id", Json(array.device_id));
  out.set("code", Json(std::uint32_t{array.code}));
  out.set("bits", Json(std::uint32_t{array.bits}));
  out.set("lanes", Json(std::uint32_t{array.lanes}));
  out.set("shape", wides(shape));
  if (array.strides != nullptr) {
    out.set("strides", wides(std::vector<std::int64_t>(array.strides, array.strides + array.ndim)));
  }
  out.set("byte_offset", wide(array.byte_offset));
}

/// The elements in row-major order.
std::vector<std::uint8_t> values_of(const DlpackTensor& array) {
  const std::int64_t width = (array.bits * array.lanes + 7) / 8;
  std::vector<std::int64_t> offsets{0};
  for (std::int32_t k = 0; k < array.ndim; ++k) {
    std::int64_t stride = 1;
    for (std::int32_t j = k + 1; j < array.ndim; ++j) stride *= array.shape[j];
    if (array.strides != nullptr) stride = array.strides[k];
    std::vector<std::int64_t> next;
    for (const std::int64_t at : offsets) {
      for (std::int64_t i = 0; i < array.shape[k]; ++i) next.push_back(at + i * stride);
    }
    offsets = std::move(next);
  }
  std::vector<std::uint8_t> out;
  const auto* start = static_cast<const std::uint8_t*>(array.data) + array.byte_offset;
  for (const std::int64_t at : offsets) out.insert(out.end(), start + at * width, start + (at + 1) * width);
  return out;
}

std::int64_t deleted = 0;
void delete_versioned(DLManagedTensorVersioned*) { ++deleted; }
void delete_plain(DLManagedTensor*) { ++deleted; }

template <class Managed>
Json finish(Managed* managed, Json shown, std::uint64_t before) {
  show_struct(shown, managed->tensor);
  const auto values = values_of(managed->tensor);
  managed->deleter(managed);
  return Json{{"struct", shown},
              {"values", hex(values.data(), values.size())},
              {"live", Json(static_cast<std::int64_t>(live_handles() - before))}};
}

template <class Managed>
Json import_of(Managed made) {
  Managed* managed = &made;
  deleted = 0;
  try {
    Json item = show_tensor(from_dlpack(managed));
    return Json{{"item", std::move(item)}, {"deleted", Json(deleted)}};
  } catch (const Error& error) {
    throw Failed(error, Json{{"deleted", Json(deleted)}});
  }
}

}  // namespace

Json use_array(const Json& request) {
  const auto type = tag_of<ElementType>(request["dtype"]);
  const Shape shape(request["shape"].numbers<std::uint64_t>());
  auto bytes = request["data"].bytes();
  switch (type) {
    case ElementType::float16:
      return typed<hurray::float16>(shape, bytes);
    case ElementType::bfloat16:
      return typed<hurray::bfloat16>(shape, bytes);
    case ElementType::float32:
      return typed<float>(shape, bytes);
    case ElementType::float64:
      return typed<double>(shape, bytes);
    case ElementType::int8:
      return typed<std::int8_t>(shape, bytes);
    case ElementType::uint8:
      return typed<std::uint8_t>(shape, bytes);
    case ElementType::int16:
      return typed<std::int16_t>(shape, bytes);
    case ElementType::uint16:
      return typed<std::uint16_t>(shape, bytes);
    case ElementType::int32:
      return typed<std::int32_t>(shape, bytes);
    case ElementType::uint32:
      return typed<std::uint32_t>(shape, bytes);
    case ElementType::int64:
      return typed<std::int64_t>(shape, bytes);
    case ElementType::uint64:
      return typed<std::uint64_t>(shape, bytes);
    case ElementType::complex64:
      return typed<std::complex<float>>(shape, bytes);
    case ElementType::complex128:
      return typed<std::complex<double>>(shape, bytes);
    default:
      return untyped(type, shape, std::move(bytes));
  }
}

Json export_struct(const Json& request) {
  const std::uint64_t before = live_handles();
  Tensor tensor = make_tensor(request["item"]);
  if (request["versioned"].truth()) {
    DLManagedTensorVersioned* managed = to_dlpack(tensor);
    tensor = Tensor();
    Json version{std::vector<Json>()};
    version.append(Json(managed->major));
    version.append(Json(managed->minor));
    return finish(managed, Json{{"version", version}, {"flags", wide(managed->flags)}}, before);
  }
  DLManagedTensor* managed = to_dlpack_unversioned(tensor);
  tensor = Tensor();
  return finish(managed, Json{}, before);
}

Json import_struct(const Json& request) {
  const Json& given = request["struct"];
  const auto bytes = request["data"].bytes();
  const Buffer memory = allocate(bytes.size() + 64);
  auto shape = given["shape"].numbers<std::int64_t>();
  std::vector<std::int64_t> strides;
  if (!given["strides"].is_null()) strides = given["strides"].numbers<std::int64_t>();
  auto data = memory.mutable_bytes();
  if (!bytes.empty()) std::memcpy(data.data(), bytes.data(), bytes.size());
  const DlpackTensor array{data.data(),
                           given["device_type"].number<std::int32_t>(),
                           given["device_id"].number<std::int32_t>(),
                           static_cast<std::int32_t>(shape.size()),
                           given["code"].number<std::uint8_t>(),
                           given["bits"].number<std::uint8_t>(),
                           given["lanes"].number<std::uint16_t>(),
                           shape.data(),
                           given["strides"].is_null() ? nullptr : strides.data(),
                           given["byte_offset"].number<std::uint64_t>()};
  if (!request["versioned"].truth()) return import_of(DLManagedTensor{array, nullptr, delete_plain});
  const auto version = given["version"].numbers<std::uint32_t>();
  return import_of(DLManagedTensorVersioned{version.at(0), version.at(1), nullptr, delete_versioned,
                                            given["flags"].number<std::uint64_t>(), array});
}
