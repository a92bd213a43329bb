// Tensors of several arrays: sparse ones of their parts, quantized ones of codes and parameters.
#ifndef HURRAY_CPP_PARTS_HPP
#define HURRAY_CPP_PARTS_HPP

#include <hurray/builder.hpp>
#include <hurray/construct.hpp>
#include <hurray/memory.hpp>

namespace hurray {
namespace detail {

/// A part of a tensor as a buffer: a vector that is moved in is owned, a span or an lvalue is borrowed.
template <class T, class Allocator>
result<Buffer> part_buffer(std::vector<T, Allocator>&& part, Copy copy) {
  return try_buffer_of(std::move(part), copy);
}
template <class Range>
result<Buffer> part_buffer(Range&& part, Copy copy) {
  return try_buffer_of(borrow(std::forward<Range>(part)), copy);
}

/// The same for indices, which the format has 64 bits wide.
template <class Range>
result<Buffer> index_buffer(Range&& part, Copy copy) {
  using I = std::remove_cv_t<std::remove_reference_t<decltype(*std::data(part))>>;
  static_assert(std::is_integral_v<I>, "indices are integers");
  if constexpr (sizeof(I) == sizeof(std::uint64_t)) {
    return part_buffer(std::forward<Range>(part), copy);
  } else {
    return try_widened(span<const I>(std::data(part), std::size(part)), copy);
  }
}

inline result<void> push_all(BufferList&) { return {}; }
template <class... Buffers>
result<void> push_all(BufferList& list, result<Buffer>& first, Buffers&... rest) {
  if (!first) return first.error();
  if (auto pushed = list.try_push(*std::move(first)); !pushed) return pushed;
  return push_all(list, rest...);
}

/// Joins a descriptor and its buffers, in order, or gives the error of the first that failed.
template <class Owner, class... Buffers>
result<Tensor> assemble(const result<Descriptor>& descriptor, BufferList list, Owner owner, Buffers... buffers) {
  if (!descriptor) return descriptor.error();
  if (auto pushed = push_all(list, buffers...); !pushed) return pushed.error();
  return Tensor::try_from_descriptor(*descriptor, std::move(list), std::move(owner));
}

inline result<Descriptor> with_default_buffers(ElementType type, const Shape& shape, const Layout& layout) {
  auto builder = DescriptorBuilder::try_make(type, shape, layout);
  if (!builder) return builder.error();
  if (auto pushed = builder->try_default_buffers(); !pushed) return pushed.error();
  return builder->try_finish();
}

template <class Range>
using element_in = std::remove_cv_t<std::remove_reference_t<decltype(*std::data(std::declval<Range&>()))>>;

template <class Layout, class Owner, class Values, class... Indices>
result<Tensor> sparse(Layout layout, const Shape& shape, Copy copy, Owner owner, Values&& values,
                      Indices&&... indices) {
  layout.nnz = std::size(values);
  auto list = BufferList::try_make(1 + sizeof...(indices));
  if (!list) return list.error();
  const auto descriptor = with_default_buffers(element_type_of<element_in<Values>>, shape, layout);
  if (!descriptor) return descriptor.error();
  return assemble(descriptor, *std::move(list), std::move(owner), part_buffer(std::forward<Values>(values), copy),
                  index_buffer(std::forward<Indices>(indices), copy)...);
}

/// Says which of the descriptor's buffers hold the parameters that follow `first` others, where it is not said yet.
struct PlaceParameters {
  std::uint32_t first;
  bool has_zero_points;

  template <class Scheme>
  void operator()(Scheme& scheme) const {
    if constexpr (!std::is_same_v<Scheme, quant::PerTensor> && !std::is_same_v<Scheme, quant::Unknown>) {
      if (!scheme.scale_buffer) scheme.scale_buffer = first;
    }
    if constexpr (std::is_same_v<Scheme, quant::PerChannel> || std::is_same_v<Scheme, quant::PerBlock>) {
      if (has_zero_points && !scheme.zero_point_buffer) scheme.zero_point_buffer = first + 1;
    }
  }
};

/// The descriptor of `codes`, which has `entries` for buffers, with a quantization section and default parameters.
inline result<Descriptor> quantized_descriptor(DescriptorRef codes, const std::vector<BufferEntry>& entries,
                                               const Quantization& quantization) {
  const auto type = codes.try_element_type();
  if (!type) return type.error();
  const auto shape = codes.try_shape();
  if (!shape) return shape.error();
  const auto layout = codes.try_layout();
  if (!layout) return layout.error();
  const auto offset = codes.try_byte_offset();
  if (!offset) return offset.error();
  auto builder = DescriptorBuilder::try_make(*type, *shape, *layout);
  if (!builder) return builder.error();
  if (auto set = builder->try_byte_offset(*offset); !set) return set.error();
  if (auto set = builder->try_quantization(quantization); !set) return set.error();
  for (const BufferEntry& entry : entries) {
    if (auto pushed = builder->try_buffer(entry); !pushed) return pushed.error();
  }
  if (auto pushed = builder->try_default_buffers(); !pushed) return pushed.error();
  return builder->try_finish();
}

}  // namespace detail

/// A CSR matrix of its parts: a value and a column for each stored entry, and where each row begins; `shape` is
/// [rows, columns]. Each part is a vector that is moved in, which the tensor then owns, or a span or lvalue, which
/// the caller keeps alive, or `owner` does. Parts that do not begin at a multiple of 64 bytes and indices that are not
/// 64 bits wide are copied, and their buffers' flags say so; `Copy::never` refuses that.
template <class Values, class Columns, class Pointers, class Owner = detail::NoOwner>
result<Tensor> try_make_csr(const Shape& shape, Values&& values, Columns&& columns, Pointers&& row_pointers,
                            Copy copy = Copy::if_needed, Owner owner = {}) {
  return detail::sparse(layout::Csr{}, shape, copy, std::move(owner), std::forward<Values>(values),
                        std::forward<Columns>(columns), std::forward<Pointers>(row_pointers));
}

/// A CSC matrix of its parts: a value and a row for each stored entry, and where each column begins. As CSR otherwise.
template <class Values, class Rows, class Pointers, class Owner = detail::NoOwner>
result<Tensor> try_make_csc(const Shape& shape, Values&& values, Rows&& rows, Pointers&& column_pointers,
                            Copy copy = Copy::if_needed, Owner owner = {}) {
  return detail::sparse(layout::Csc{}, shape, copy, std::move(owner), std::forward<Values>(values),
                        std::forward<Rows>(rows), std::forward<Pointers>(column_pointers));
}

/// A COO tensor of its parts: a value and a tuple of `shape.rank()` coordinates for each stored entry. `is_sorted`
/// says that tuples ascend, the first dimension compared first. As CSR otherwise.
template <class Values, class Coordinates, class Owner = detail::NoOwner>
result<Tensor> try_make_coo(const Shape& shape, Values&& values, Coordinates&& coordinates, bool is_sorted,
                            Copy copy = Copy::if_needed, Owner owner = {}) {
  return detail::sparse(layout::Coo{0, is_sorted}, shape, copy, std::move(owner), std::forward<Values>(values),
                        std::forward<Coordinates>(coordinates));
}

/// A quantized tensor: the memory of `codes`, shared, with parameters. `parameters` are the scales, then the zero
/// points unless symmetric; none for per-tensor. Each is moved in or borrowed, and copied if it must be, as the parts
/// of a CSR matrix. Buffer indices that `quantization` leaves open are set.
template <class... Parameters>
result<Tensor> try_make_quantized(const Tensor& codes, Quantization quantization, Parameters&&... parameters) {
  const auto descriptor = codes.try_descriptor();
  if (!descriptor) return descriptor.error();
  const auto entries = descriptor->try_buffers();
  if (!entries) return entries.error();
  const auto buffers = codes.try_buffers();
  if (!buffers) return buffers.error();
  auto list = BufferList::try_make(entries->size() + sizeof...(parameters));
  if (!list) return list.error();
  for (std::size_t index = 0; index < entries->size(); ++index) {
    const auto buffer = buffers->try_at(index);
    if (!buffer) return buffer.error();
    auto shared = buffer->try_share();
    if (!shared) return shared.error();
    if (auto pushed = list->try_push(*std::move(shared)); !pushed) return pushed.error();
  }
  const detail::PlaceParameters place{static_cast<std::uint32_t>(entries->size()), sizeof...(parameters) > 1};
  std::visit(place, quantization);
  return detail::assemble(detail::quantized_descriptor(*descriptor, *entries, quantization), *std::move(list),
                          detail::NoOwner{},
                          detail::part_buffer(std::forward<Parameters>(parameters), Copy::if_needed)...);
}

#if defined(__cpp_exceptions)
template <class Values, class Columns, class Pointers, class Owner = detail::NoOwner>
Tensor make_csr(const Shape& shape, Values&& values, Columns&& columns, Pointers&& row_pointers,
                Copy copy = Copy::if_needed, Owner owner = {}) {
  return try_make_csr(shape, std::forward<Values>(values), std::forward<Columns>(columns),
                      std::forward<Pointers>(row_pointers), copy, std::move(owner))
      .value();
}
template <class Values, class Rows, class Pointers, class Owner = detail::NoOwner>
Tensor make_csc(const Shape& shape, Values&& values, Rows&& rows, Pointers&& column_pointers,
                Copy copy = Copy::if_needed, Owner owner = {}) {
  return try_make_csc(shape, std::forward<Values>(values), std::forward<Rows>(rows),
                      std::forward<Pointers>(column_pointers), copy, std::move(owner))
      .value();
}
template <class Values, class Coordinates, class Owner = detail::NoOwner>
Tensor make_coo(const Shape& shape, Values&& values, Coordinates&& coordinates, bool is_sorted,
                Copy copy = Copy::if_needed, Owner owner = {}) {
  return try_make_coo(shape, std::forward<Values>(values), std::forward<Coordinates>(coordinates), is_sorted, copy,
                      std::move(owner))
      .value();
}
template <class... Parameters>
Tensor make_quantized(const Tensor& codes, Quantization quantization, Parameters&&... parameters) {
  return try_make_quantized(codes, std::move(quantization), std::forward<Parameters>(parameters)...).value();
}
#endif

}  // namespace hurray

#endif
