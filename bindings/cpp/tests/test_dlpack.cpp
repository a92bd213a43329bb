// DLPack structs, out and in.
#include "check.hpp"

using namespace hurray;

// The structs of DLPack 1.x, as its specification lays them out.
struct DLDevice {
  std::int32_t device_type;
  std::int32_t device_id;
};
struct DLDataType {
  std::uint8_t code;
  std::uint8_t bits;
  std::uint16_t lanes;
};
struct DLTensor {
  void* data;
  DLDevice device;
  std::int32_t ndim;
  DLDataType dtype;
  std::int64_t* shape;
  std::int64_t* strides;
  std::uint64_t byte_offset;
};
struct DLManagedTensor {
  DLTensor dl_tensor;
  void* manager_ctx;
  void (*deleter)(DLManagedTensor*);
};
struct DLManagedTensorVersioned {
  std::uint32_t major;
  std::uint32_t minor;
  void* manager_ctx;
  void (*deleter)(DLManagedTensorVersioned*);
  std::uint64_t flags;
  DLTensor dl_tensor;
};

namespace {

int deleted = 0;

Test out("dlpack: out, as a share of the memory", [] {
  std::vector<float> values{1, 2, 3, 4, 5, 6};
  Tensor tensor = from_span(values, {2, 3});
  eq(dlpack_device(tensor).type, 1);
  eq(dlpack_device(tensor).id, 0);
  DLManagedTensorVersioned* managed = to_dlpack(tensor);
  tensor.reset();
  eq(managed->major, 1U);
  eq(managed->flags, 0U);
  eq(managed->dl_tensor.ndim, 2);
  eq(managed->dl_tensor.dtype.code, 2);
  eq(managed->dl_tensor.dtype.bits, 32);
  eq(managed->dl_tensor.shape[1], 3);
  eq(managed->dl_tensor.strides[0], 3);
  eq(static_cast<char*>(managed->dl_tensor.data) + managed->dl_tensor.byte_offset,
     reinterpret_cast<char*>(values.data()));
  managed->deleter(managed);
});

Test unversioned("dlpack: the unversioned struct cannot say read-only", [] {
  const std::vector<float> values{1, 2};
  const Tensor tensor = from_span(values, {2});
  fails(HURRAY_ERR_UNSUPPORTED, [&] { to_dlpack_unversioned(tensor); });
  DLManagedTensor* managed = to_dlpack_unversioned(tensor, Options::make().set(HURRAY_OPTION_COPY, 2));
  eq(static_cast<float*>(managed->dl_tensor.data)[1], 2.0F);
  managed->deleter(managed);
});

Test in("dlpack: in, and released once", [] {
  std::int16_t values[4] = {1, 2, 3, 4};
  std::int64_t shape[2] = {2, 2};
  std::int64_t strides[2] = {1, 2};
  const DLTensor array{values, {1, 0}, 2, {0, 16, 1}, shape, strides, 0};
  DLManagedTensorVersioned versioned{1, 0, nullptr, [](DLManagedTensorVersioned*) { ++deleted; }, 0, array};
  deleted = 0;
  DLManagedTensorVersioned* managed = &versioned;
  {
    const Tensor tensor = from_dlpack(managed);
    check(managed == nullptr);
    eq(tensor.view<std::int16_t>().data_handle(), values);
    eq(tensor.to_vector<std::int16_t>(), (std::vector<std::int16_t>{1, 3, 2, 4}));
  }
  eq(deleted, 1);

  DLManagedTensor plain{array, nullptr, [](DLManagedTensor*) { ++deleted; }};
  DLManagedTensor* old = &plain;
  {
    const Tensor tensor = from_dlpack(old);
    check(tensor.array().is_read_only());
  }
  eq(deleted, 2);
});

Test refused("dlpack: what is refused stays the caller's", [] {
  std::int64_t shape[1] = {1};
  float value = 0;
  // Vectors of two lanes have no element type.
  const DLTensor array{&value, {1, 0}, 1, {2, 32, 2}, shape, nullptr, 0};
  DLManagedTensorVersioned versioned{1, 0, nullptr, [](DLManagedTensorVersioned*) { ++deleted; }, 0, array};
  deleted = 0;
  DLManagedTensorVersioned* managed = &versioned;
  fails(HURRAY_ERR_UNSUPPORTED, [&] { from_dlpack(managed); });
  check(managed == &versioned);
  eq(deleted, 0);
  versioned.major = 2;
  fails(HURRAY_ERR_VERSION_MISMATCH, [&] { from_dlpack(managed); });
  check(managed == nullptr);
  eq(deleted, 1);
});

}  // namespace
