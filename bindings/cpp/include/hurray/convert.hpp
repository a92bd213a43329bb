// Conversions: the same elements in another form, and where an element lies.
#ifndef HURRAY_CPP_CONVERT_HPP
#define HURRAY_CPP_CONVERT_HPP

#include <hurray/builder.hpp>
#include <hurray/item.hpp>
#include <hurray/tensor.hpp>

namespace hurray {

/// A result, and how many bytes were written for it: none where it shares the tensor's memory.
struct Converted {
  Tensor tensor;
  std::uint64_t bytes = 0;
};

namespace detail {

/// The result of a conversion. `into` is the buffer that takes the elements, or nothing for a new one.
template <class Call>
result<Converted> convert(Call call) {
  std::uint64_t bytes = 0;
  HurrayTensor* raw = nullptr;
  if (const HurrayStatus status = call(&bytes, &raw); status != HURRAY_OK) return last_error(status);
  auto tensor = Tensor::try_adopt(raw);
  if (!tensor) return tensor.error();
  return Converted{std::move(*tensor), bytes};
}

}  // namespace detail

/// The elements in the layout of `target`, whose element type and shape are the tensor's.
inline result<Converted> try_to_layout(const Tensor& tensor, DescriptorRef target, BufferRef into = BufferRef(),
                                       const Options& options = {}) {
  return detail::convert([&](std::uint64_t* bytes, HurrayTensor** out) {
    return hurray_tensor_to_layout(tensor.get(), target.get(), into.get(), options.get(), bytes, out);
  });
}

/// The elements in row-major order.
inline result<Converted> try_contiguous(const Tensor& tensor, BufferRef into = BufferRef(),
                                        const Options& options = {}) {
  return try_to_layout(tensor, DescriptorRef(), into, options);
}

/// The numbers that the elements stand for, as float16, bfloat16, float32 or float64: codes of a scheme dequantized,
/// elements without one converted.
inline result<Converted> try_dequantize(const Tensor& tensor, ElementType type = ElementType::float32,
                                        BufferRef into = BufferRef(), const Options& options = {}) {
  return detail::convert([&](std::uint64_t* bytes, HurrayTensor** out) {
    return hurray_tensor_dequantize(tensor.get(), static_cast<std::uint8_t>(type), into.get(), options.get(), bytes,
                                    out);
  });
}

/// Codes of the scheme and storage type of `target`, in its layout. No list: the parameters are computed. An empty one:
/// a per-tensor scheme's are those of `target`. A target without a scheme takes the numbers as a floating-point type.
inline result<Converted> try_quantize(const Tensor& tensor, DescriptorRef target,
                                      BufferListRef parameters = BufferListRef(), BufferRef into = BufferRef(),
                                      const Options& options = {}) {
  return detail::convert([&](std::uint64_t* bytes, HurrayTensor** out) {
    return hurray_tensor_quantize(tensor.get(), target.get(), parameters.get(), into.get(), options.get(), bytes, out);
  });
}

/// The codes of a packed type, one a byte.
inline result<Converted> try_unpack(const Tensor& tensor, BufferRef into = BufferRef(), const Options& options = {}) {
  return detail::convert([&](std::uint64_t* bytes, HurrayTensor** out) {
    return hurray_tensor_unpack(tensor.get(), into.get(), options.get(), bytes, out);
  });
}

/// Codes of one a byte, int8 or uint8, as a packed type.
inline result<Converted> try_pack(const Tensor& tensor, ElementType type, BufferRef into = BufferRef(),
                                  const Options& options = {}) {
  return detail::convert([&](std::uint64_t* bytes, HurrayTensor** out) {
    return hurray_tensor_pack(tensor.get(), static_cast<std::uint8_t>(type), into.get(), options.get(), bytes, out);
  });
}

/// Part of a dense tensor: from `start` on, before `stop`, in steps that may be negative; no steps are steps of one. It
/// shares memory where the layout allows it.
inline result<Converted> try_slice(const Tensor& tensor, span<const std::int64_t> start, span<const std::int64_t> stop,
                                   span<const std::int64_t> step = {}, const Options& options = {}) {
  if (stop.size() != start.size() || !(step.empty() || step.size() == start.size())) {
    return Error(HURRAY_ERR_INVALID_ARGUMENT, "start, stop and step differ in length");
  }
  return detail::convert([&](std::uint64_t* bytes, HurrayTensor** out) {
    return hurray_tensor_slice(tensor.get(), start.data(), stop.data(), step.empty() ? nullptr : step.data(),
                               start.size(), options.get(), bytes, out);
  });
}

/// The tensor's descriptor, with all statistics that one pass over the elements gives.
inline result<Descriptor> try_statistics(const Tensor& tensor, const Options& options = {}) {
  return detail::make_handle<Descriptor>(
      [&](HurrayDescriptor** out) { return hurray_tensor_statistics(tensor.get(), options.get(), out); });
}

/// All tokens of a block-paged tensor, sequence after sequence. No field has the lengths of the sequences; none will do
/// for one sequence, or where every page is full.
inline result<Converted> try_gather(const Tensor& tensor, span<const std::uint64_t> sequence_lengths = {},
                                    BufferRef into = BufferRef(), const Options& options = {}) {
  return detail::convert([&](std::uint64_t* bytes, HurrayTensor** out) {
    return hurray_tensor_gather(tensor.get(), sequence_lengths.data(), sequence_lengths.size(), into.get(),
                                options.get(), bytes, out);
  });
}

/// Writes the tokens of a dense tensor into the pages of `paged`, as `gather` reads them; gives the bytes written.
inline result<std::uint64_t> try_scatter(const Tensor& tensor, const Tensor& paged,
                                         span<const std::uint64_t> sequence_lengths = {}, const Options& options = {}) {
  return detail::read<std::uint64_t>([&](std::uint64_t* bytes) {
    return hurray_tensor_scatter(tensor.get(), paged.get(), sequence_lengths.data(), sequence_lengths.size(),
                                 options.get(), bytes);
  });
}

/// Holds the contents of all buffers to the format: indices, pointers, pages, parameters, unused bits.
inline result<void> try_check_data(const Tensor& tensor, const Options& options = {}) {
  return detail::done(hurray_tensor_check_data(tensor.get(), options.get()));
}

/// One tensor of a composite: a partition joined, an overlay applied. A tensor's item gives a share of it.
inline result<Converted> try_assemble(ItemRef item, BufferRef into = BufferRef(), const Options& options = {}) {
  return detail::convert([&](std::uint64_t* bytes, HurrayTensor** out) {
    return hurray_item_assemble(item.get(), into.get(), options.get(), bytes, out);
  });
}

/// The offset of an element, in elements from the one at index zero; negative strides lead below it.
inline result<std::int64_t> try_element_offset(const Tensor& tensor, const Shape& index) {
  const auto offset = detail::read<std::uint64_t>(
      [&](std::uint64_t* out) { return hurray_tensor_element_offset(tensor.get(), index.data(), index.rank(), out); });
  if (!offset) return offset.error();
  return static_cast<std::int64_t>(*offset);
}

/// The same of a dense layout, by its descriptor alone.
inline result<std::int64_t> try_element_offset(DescriptorRef descriptor, const Shape& index) {
  const auto offset = detail::read<std::uint64_t>([&](std::uint64_t* out) {
    return hurray_descriptor_element_offset(descriptor.get(), index.data(), index.rank(), out);
  });
  if (!offset) return offset.error();
  return static_cast<std::int64_t>(*offset);
}

#if defined(__cpp_exceptions)
inline Converted to_layout(const Tensor& tensor, DescriptorRef target, BufferRef into = BufferRef(),
                           const Options& options = {}) {
  return try_to_layout(tensor, target, into, options).value();
}
inline Converted contiguous(const Tensor& tensor, BufferRef into = BufferRef(), const Options& options = {}) {
  return try_contiguous(tensor, into, options).value();
}
inline Converted dequantize(const Tensor& tensor, ElementType type = ElementType::float32, BufferRef into = BufferRef(),
                            const Options& options = {}) {
  return try_dequantize(tensor, type, into, options).value();
}
inline Converted quantize(const Tensor& tensor, DescriptorRef target, BufferListRef parameters = BufferListRef(),
                          BufferRef into = BufferRef(), const Options& options = {}) {
  return try_quantize(tensor, target, parameters, into, options).value();
}
inline Converted unpack(const Tensor& tensor, BufferRef into = BufferRef(), const Options& options = {}) {
  return try_unpack(tensor, into, options).value();
}
inline Converted pack(const Tensor& tensor, ElementType type, BufferRef into = BufferRef(),
                      const Options& options = {}) {
  return try_pack(tensor, type, into, options).value();
}
inline Converted slice(const Tensor& tensor, span<const std::int64_t> start, span<const std::int64_t> stop,
                       span<const std::int64_t> step = {}, const Options& options = {}) {
  return try_slice(tensor, start, stop, step, options).value();
}
inline Descriptor statistics(const Tensor& tensor, const Options& options = {}) {
  return try_statistics(tensor, options).value();
}
inline Converted gather(const Tensor& tensor, span<const std::uint64_t> sequence_lengths = {},
                        BufferRef into = BufferRef(), const Options& options = {}) {
  return try_gather(tensor, sequence_lengths, into, options).value();
}
inline std::uint64_t scatter(const Tensor& tensor, const Tensor& paged, span<const std::uint64_t> sequence_lengths = {},
                             const Options& options = {}) {
  return try_scatter(tensor, paged, sequence_lengths, options).value();
}
inline void check_data(const Tensor& tensor, const Options& options = {}) { try_check_data(tensor, options).value(); }
inline Converted assemble(ItemRef item, BufferRef into = BufferRef(), const Options& options = {}) {
  return try_assemble(item, into, options).value();
}
inline std::int64_t element_offset(const Tensor& tensor, const Shape& index) {
  return try_element_offset(tensor, index).value();
}
inline std::int64_t element_offset(DescriptorRef descriptor, const Shape& index) {
  return try_element_offset(descriptor, index).value();
}
#endif

}  // namespace hurray

#endif
