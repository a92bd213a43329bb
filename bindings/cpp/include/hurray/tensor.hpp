// Tensors: a descriptor, its buffers and what keeps them alive; made in place, read in place, handed on as one handle.
#ifndef HURRAY_CPP_TENSOR_HPP
#define HURRAY_CPP_TENSOR_HPP

#include <hurray/array_reader.hpp>
#include <hurray/list.hpp>

#include <ostream>
#include <string>
#include <vector>

namespace hurray {

/// A tensor. Shares of one tensor are handles on one core; the last one to go releases everything once.
///
/// Spans, views and references taken from a tensor live as long as it or a share of it, and cannot be taken from a
/// temporary.
class Tensor : public detail::Handle<HurrayTensor, hurray_tensor_destroy>, public detail::ArrayReader<Tensor> {
 public:
  Tensor() noexcept = default;

  /// Takes a raw handle from elsewhere: reads its ABI version first, and refuses any but this header's
  /// (HURRAY_ERR_VERSION_MISMATCH). On failure the handle stays the caller's.
  static result<Tensor> try_adopt(HurrayTensor* raw) {
    if (auto checked = try_check_version(); !checked) return checked.error();
    const auto version =
        detail::read<std::uint32_t>([raw](std::uint32_t* out) { return hurray_tensor_abi_version(raw, out); });
    if (!version) return version.error();
    if (*version != HURRAY_C_ABI_VERSION) {
      return Error(HURRAY_ERR_VERSION_MISMATCH, "the tensor comes from C ABI version " + std::to_string(*version) +
                                                    ", this program has version " +
                                                    std::to_string(HURRAY_C_ABI_VERSION));
    }
    return Tensor(raw);
  }

  /// Makes a tensor of descriptor bytes and buffers. `abi_version` is the producer's, and is what `abi_version()`
  /// reports. On success the list is taken; on failure it stays as it was, and the owner ends with this call.
  template <class Owner = detail::NoOwner>
  static result<Tensor> try_from_bytes(span<const std::uint8_t> descriptor, BufferList&& buffers, Owner owner = {},
                                       std::uint32_t abi_version = HURRAY_C_ABI_VERSION) {
    return made(std::move(owner), &buffers, [&](auto release, void* context, HurrayTensor** out) {
      return hurray_tensor_new(abi_version, descriptor.data(), descriptor.size(), buffers.get(), context, release, out);
    });
  }

  /// The same of a descriptor, which stays the caller's.
  template <class Owner = detail::NoOwner>
  static result<Tensor> try_from_descriptor(DescriptorRef descriptor, BufferList&& buffers, Owner owner = {}) {
    return made(std::move(owner), &buffers, [&](auto release, void* context, HurrayTensor** out) {
      return hurray_tensor_from_descriptor(descriptor.get(), buffers.get(), context, release, out);
    });
  }

  /// Wraps an array in place wherever the format can describe it. `owner` is any object that keeps the memory alive;
  /// it ends once, on any thread, when the memory is not needed any more: with this call if it failed or copied.
  template <class Owner = detail::NoOwner>
  static result<Tensor> try_from_array(const Array& array, Owner owner = {}, const Options& options = {}) {
    if (!array.byte_strides.empty() && array.byte_strides.size() != array.shape.rank()) {
      return Error(HURRAY_ERR_INVALID_ARGUMENT, "one stride a dimension is needed");
    }
    return made(std::move(owner), nullptr, [&](auto release, void* context, HurrayTensor** out) {
      return hurray_tensor_from_array(
          static_cast<std::uint8_t>(array.element_type), array.shape.data(), array.shape.rank(),
          array.byte_strides.empty() ? nullptr : array.byte_strides.data(), array.data,
          static_cast<std::uint8_t>(array.device), static_cast<std::uint8_t>(array.memory_class), array.device_id,
          array.flags, options.get(), context, release, out);
    });
  }

  /// Another handle on the same tensor.
  result<Tensor> try_share() const {
    HurrayTensor* raw = nullptr;
    if (auto shared = detail::done(hurray_tensor_share(get(), &raw)); !shared) return shared.error();
    return Tensor(raw);
  }

  /// The C ABI version of the tensor's producer.
  result<std::uint32_t> try_abi_version() const {
    return detail::read<std::uint32_t>([this](std::uint32_t* out) { return hurray_tensor_abi_version(get(), out); });
  }

  /// The descriptor, borrowed.
  result<DescriptorRef> try_descriptor() const& {
    const auto raw = detail::read<HurrayDescriptor*>(
        [this](HurrayDescriptor** out) { return hurray_tensor_descriptor(get(), out); });
    if (!raw) return raw.error();
    return DescriptorRef(*raw);
  }
  void try_descriptor() const&& = delete;

  /// The buffers in descriptor order, borrowed.
  result<BufferListRef> try_buffers() const& {
    const auto raw =
        detail::read<HurrayBufferList*>([this](HurrayBufferList** out) { return hurray_tensor_buffers(get(), out); });
    if (!raw) return raw.error();
    return BufferListRef(*raw);
  }
  void try_buffers() const&& = delete;

  /// One array inside the tensor as a dense tensor that shares it, and keeps all of it alive. `level` is 0 but for
  /// the roles of CSF. HURRAY_ERR_FIELD_NOT_APPLICABLE if there is no such part.
  result<Tensor> try_part(Role role, std::uint32_t level = 0) const {
    HurrayTensor* raw = nullptr;
    const HurrayStatus status = hurray_tensor_part(get(), static_cast<std::uint32_t>(role), level, &raw);
    if (status != HURRAY_OK) return detail::last_error(status);
    return Tensor(raw);
  }

  /// An array inside the tensor, in place: `part(role, level)` as `data<T>()`.
  template <class T>
  result<span<T>> try_part_data(Role role, std::uint32_t level = 0) const& {
    const auto part = try_part(role, level);
    if (!part) return part.error();
    return part->template try_data<T>();
  }
  template <class T>
  void try_part_data(Role role, std::uint32_t level = 0) const&& = delete;

  /// The stored values of a sparse or paged tensor, in place.
  template <class T>
  result<span<T>> try_values() const& {
    return try_part_data<T>(Role::values);
  }
  template <class T>
  void try_values() const&& = delete;

  /// One line that says element type, shape, layout, quantization, device and bytes.
  result<std::string> try_describe() const {
    return detail::read_array<std::string>(
        [this](char* out, std::size_t* length) { return hurray_tensor_describe(get(), out, length); }, 128);
  }

#if defined(__cpp_exceptions)
  static Tensor adopt(HurrayTensor* raw) { return try_adopt(raw).value(); }
  template <class Owner = detail::NoOwner>
  static Tensor from_bytes(span<const std::uint8_t> descriptor, BufferList&& buffers, Owner owner = {},
                           std::uint32_t abi_version = HURRAY_C_ABI_VERSION) {
    return try_from_bytes(descriptor, std::move(buffers), std::move(owner), abi_version).value();
  }
  template <class Owner = detail::NoOwner>
  static Tensor from_descriptor(DescriptorRef descriptor, BufferList&& buffers, Owner owner = {}) {
    return try_from_descriptor(descriptor, std::move(buffers), std::move(owner)).value();
  }
  template <class Owner = detail::NoOwner>
  static Tensor from_array(const Array& array, Owner owner = {}, const Options& options = {}) {
    return try_from_array(array, std::move(owner), options).value();
  }
  Tensor share() const { return try_share().value(); }
  std::uint32_t abi_version() const { return try_abi_version().value(); }
  DescriptorRef descriptor() const& { return try_descriptor().value(); }
  void descriptor() const&& = delete;
  BufferListRef buffers() const& { return try_buffers().value(); }
  void buffers() const&& = delete;
  Tensor part(Role role, std::uint32_t level = 0) const { return try_part(role, level).value(); }
  template <class T>
  span<T> part_data(Role role, std::uint32_t level = 0) const& {
    return try_part_data<T>(role, level).value();
  }
  template <class T>
  void part_data(Role role, std::uint32_t level = 0) const&& = delete;
  template <class T>
  span<T> values() const& {
    return try_values<T>().value();
  }
  template <class T>
  void values() const&& = delete;
  std::string describe() const { return try_describe().value(); }
#endif

  /// The line of `describe()`, or the error's in its place.
  friend std::ostream& operator<<(std::ostream& out, const Tensor& tensor) {
    const auto line = tensor.try_describe();
    return out << (line ? *line : std::string(line.error().what()));
  }

 private:
  explicit Tensor(HurrayTensor* raw) noexcept : Handle(raw) {}

  template <class Owner, class Call>
  static result<Tensor> made(Owner owner, BufferList* taken, Call call) {
    if (auto checked = try_check_version(); !checked) return checked.error();
    detail::Keeper<Owner> keeper(std::move(owner));
    HurrayTensor* raw = nullptr;
    const HurrayStatus status = call(detail::Keeper<Owner>::owner_release(), keeper.context(), &raw);
    if (status != HURRAY_OK) return detail::last_error(status);
    keeper.taken();
    if (taken != nullptr) static_cast<void>(taken->release());
    return Tensor(raw);
  }
};

}  // namespace hurray

#endif
