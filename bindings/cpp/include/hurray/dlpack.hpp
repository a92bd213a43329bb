// DLPack: a tensor as one of its structs, and of one. The structs' fields are in DLPack's own header.
#ifndef HURRAY_CPP_DLPACK_HPP
#define HURRAY_CPP_DLPACK_HPP

#include <hurray/tensor.hpp>

namespace hurray {

/// A device in DLPack's numbers.
struct DlpackDevice {
  std::int32_t type = 0;
  std::int32_t id = 0;
};

/// The device that an export of the tensor would carry.
inline result<DlpackDevice> try_dlpack_device(const Tensor& tensor) {
  return detail::read<DlpackDevice>(
      [&](DlpackDevice* out) { return hurray_tensor_dlpack_device(tensor.get(), &out->type, &out->id); });
}

/// The tensor as a versioned struct, which keeps a share of it. The caller calls its deleter once, or hands it on.
inline result<DLManagedTensorVersioned*> try_to_dlpack(const Tensor& tensor, const Options& options = {}) {
  return detail::read<DLManagedTensorVersioned*>(
      [&](DLManagedTensorVersioned** out) { return hurray_tensor_to_dlpack(tensor.get(), options.get(), out); });
}

/// The same as an unversioned struct, for consumers older than DLPack 1.0. Read-only memory needs a copy.
inline result<DLManagedTensor*> try_to_dlpack_unversioned(const Tensor& tensor, const Options& options = {}) {
  return detail::read<DLManagedTensor*>(
      [&](DLManagedTensor** out) { return hurray_tensor_to_dlpack_unversioned(tensor.get(), options.get(), out); });
}

/// A tensor of a versioned struct, in place where it can be. On success the struct is the tensor's, and `managed` is
/// null. On failure it stays the caller's, unless `managed` is null then too: an unknown major version is released.
inline result<Tensor> try_from_dlpack(DLManagedTensorVersioned*& managed, const Options& options = {}) {
  if (auto checked = try_check_version(); !checked) return checked.error();
  HurrayTensor* tensor = nullptr;
  const HurrayStatus status = hurray_tensor_from_dlpack(&managed, options.get(), &tensor);
  if (status != HURRAY_OK) return detail::last_error(status);
  return Tensor::try_adopt(tensor);
}

/// A tensor of an unversioned struct; it is read-only, because the struct does not say whether it may be written to.
inline result<Tensor> try_from_dlpack(DLManagedTensor*& managed, const Options& options = {}) {
  if (auto checked = try_check_version(); !checked) return checked.error();
  HurrayTensor* tensor = nullptr;
  const HurrayStatus status = hurray_tensor_from_dlpack_unversioned(&managed, options.get(), &tensor);
  if (status != HURRAY_OK) return detail::last_error(status);
  return Tensor::try_adopt(tensor);
}

#if defined(__cpp_exceptions)
inline DlpackDevice dlpack_device(const Tensor& tensor) { return try_dlpack_device(tensor).value(); }
inline DLManagedTensorVersioned* to_dlpack(const Tensor& tensor, const Options& options = {}) {
  return try_to_dlpack(tensor, options).value();
}
inline DLManagedTensor* to_dlpack_unversioned(const Tensor& tensor, const Options& options = {}) {
  return try_to_dlpack_unversioned(tensor, options).value();
}
inline Tensor from_dlpack(DLManagedTensorVersioned*& managed, const Options& options = {}) {
  return try_from_dlpack(managed, options).value();
}
inline Tensor from_dlpack(DLManagedTensor*& managed, const Options& options = {}) {
  return try_from_dlpack(managed, options).value();
}
#endif

}  // namespace hurray

#endif
