// Tensors and composites of the fields that a request gives.
#include "adapter.hpp"

#include <algorithm>

namespace {

using namespace hurray;

layout::Tiled tiled(const Json& levels) {
  layout::Tiled found;
  for (const Json& one : levels.list()) {
    layout::Tiled::Level level;
    level.tile_shape = one["tile_shape"].numbers<std::uint64_t>();
    level.outer = tag_of<LayoutTag>(one["outer"]);
    level.inner = tag_of<LayoutTag>(one["inner"]);
    if (!one["outer_strides"].is_null()) level.outer_strides = one["outer_strides"].numbers<std::int64_t>();
    if (!one["inner_strides"].is_null()) level.inner_strides = one["inner_strides"].numbers<std::int64_t>();
    found.levels.push_back(std::move(level));
  }
  return found;
}

layout::BlockPaged paged(const Json& one) {
  layout::BlockPaged found;
  found.page_size = one["page_size"].number<std::uint32_t>();
  found.num_pages = one["num_pages"].number<std::uint64_t>();
  found.paged_axis = one["paged_axis"].number<std::uint32_t>();
  found.num_seqs = one["num_seqs"].number<std::uint32_t>();
  found.kv_role = tag_of<KvRole>(one["kv_role"]);
  if (!one["layer_index"].is_null()) found.layer_index = one["layer_index"].number<std::uint32_t>();
  found.block_table_index_type = one["block_table_index_type"].text() == "uint64" ? 1 : 0;
  return found;
}

Layout make_layout(const Json& one) {
  const auto nnz = [&] { return one["nnz"].number<std::uint64_t>(); };
  switch (const auto tag = tag_of<LayoutTag>(one["tag"]); tag) {
    case LayoutTag::row_major:
      return layout::RowMajor{};
    case LayoutTag::column_major:
      return layout::ColumnMajor{};
    case LayoutTag::strided:
      return layout::Strided{one["strides"].numbers<std::int64_t>()};
    case LayoutTag::tiled:
      return tiled(one["levels"]);
    case LayoutTag::morton:
      return layout::Morton{one["bits"].numbers<std::uint64_t>()};
    case LayoutTag::coo:
      return layout::Coo{nnz(), one["is_sorted"].truth()};
    case LayoutTag::csr:
      return layout::Csr{nnz()};
    case LayoutTag::csc:
      return layout::Csc{nnz()};
    case LayoutTag::csf:
      return layout::Csf{nnz(), one["mode_order"].numbers<std::uint64_t>()};
    case LayoutTag::block_paged:
      return paged(one);
    case LayoutTag::composite:
      return layout::Composite{tag_of<CompositionRule>(one["rule"]), tag_of<CombineOp>(one["combine_op"]),
                               one["member_count"].number<std::uint32_t>()};
    case LayoutTag::hilbert:
      return layout::Hilbert{one["order"].number<std::uint32_t>(), one["rank"].number<std::uint32_t>()};
    default:
      return layout::Private{tag, one["layout_id"].number<std::uint64_t>(), one["data"].bytes()};
  }
}

std::optional<std::uint32_t> maybe(const Json& value) {
  if (value.is_null()) return std::nullopt;
  return value.number<std::uint32_t>();
}

Quantization make_quantization(const Json& q) {
  const auto axis = maybe(q["axis"]).value_or(0);
  const auto size = maybe(q["block_size"]).value_or(0);
  const auto scales = maybe(q["scale_buffer"]);
  const auto zero_points = maybe(q["zero_point_buffer"]);
  switch (tag_of<Scheme>(q["scheme"])) {
    case Scheme::per_tensor_affine:
      return quant::PerTensor{static_cast<float>(q["scale"].real()), q["zero_point"].number<std::int32_t>()};
    case Scheme::per_channel_affine:
      return quant::PerChannel{axis, scales, zero_points, tag_of<ElementType>(q["scale_type"])};
    case Scheme::per_block_affine:
      return quant::PerBlock{axis, size, scales, zero_points, tag_of<ElementType>(q["scale_type"])};
    case Scheme::nf4:
      return quant::Nf4{axis, size, scales};
    default:
      return quant::Mxfp{axis, size, scales};
  }
}

Statistics make_statistics(const Json& s) {
  Statistics found;
  if (!s["nnz"].is_null()) found.nnz = s["nnz"].number<std::uint64_t>();
  if (!s["sparsity_ratio"].is_null()) found.sparsity_ratio = s["sparsity_ratio"].real();
  if (!s["min"].is_null()) found.range = Statistics::Range{s["min"].real(), s["max"].real(), s["abs_max"].real()};
  if (!s["mean"].is_null()) found.moments = Statistics::Moments{s["mean"].real(), s["stddev"].real()};
  if (!s["nm_n"].is_null()) {
    found.pattern = Statistics::Pattern{s["nm_n"].number<std::uint8_t>(), s["nm_m"].number<std::uint8_t>()};
  }
  if (!s["has_nan"].is_null()) found.special = Statistics::Special{s["has_nan"].truth(), s["has_inf"].truth()};
  return found;
}

ExtensionType make_extension_type(const Json& e) {
  ExtensionType found;
  found.bit_width = e["bit_width"].number<std::uint32_t>();
  found.packing_factor = e["packing_factor"].number<std::uint8_t>();
  found.is_float = e["is_float"].truth();
  found.is_signed = e["is_signed"].truth();
  found.sign_bits = e["sign_bits"].number<std::uint8_t>();
  found.exponent_bits = e["exponent_bits"].number<std::uint8_t>();
  found.mantissa_bits = e["mantissa_bits"].number<std::uint8_t>();
  found.exponent_bias = e["exponent_bias"].number<std::uint32_t>();
  found.has_nan = e["has_nan"].truth();
  found.has_inf = e["has_inf"].truth();
  return found;
}

DescriptorBuilder begin(const Json& fields) {
  const Shape shape(fields["shape"].numbers<std::uint64_t>());
  auto builder = DescriptorBuilder::make(tag_of<ElementType>(fields["dtype"]), shape, make_layout(fields["layout"]));
  if (const auto offset = fields["byte_offset"].number<std::uint64_t>(); offset != 0) builder.byte_offset(offset);
  if (const Json& q = fields["quantization"]; !q.is_null()) builder.quantization(make_quantization(q));
  return builder;
}

Descriptor finish(const Json& fields, DescriptorBuilder builder) {
  if (const Json& s = fields["shard"]; !s.is_null()) {
    builder.shard(Shard{Shape(s["parent_shape"].numbers<std::uint64_t>()), s["offset"].numbers<std::uint64_t>()});
  }
  if (const Json& s = fields["statistics"]; !s.is_null()) builder.statistics(make_statistics(s));
  if (const Json& e = fields["extension_type"]; !e.is_null()) builder.extension_type(make_extension_type(e));
  if (const Json& r = fields["member_role"]; !r.is_null()) builder.member_role(tag_of<MemberRole>(r));
  return builder.finish();
}

}  // namespace

Descriptor make_descriptor(const Json& fields, const std::vector<std::uint64_t>& sizes) {
  DescriptorBuilder builder = begin(fields);
  for (const std::uint64_t size : sizes) {
    BufferEntry entry;
    entry.byte_size = size;
    builder.buffer(entry);
  }
  return finish(fields, std::move(builder));
}

Descriptor make_target(const Json& fields) {
  DescriptorBuilder builder = begin(fields);
  builder.default_buffers();
  return finish(fields, std::move(builder));
}

Buffer make_buffer(const Json& digits) {
  const auto bytes = digits.bytes();
  Buffer buffer = allocate(bytes.size());
  std::copy(bytes.begin(), bytes.end(), reinterpret_cast<std::uint8_t*>(buffer.mutable_bytes().data()));
  return buffer;
}

BufferList make_buffers(const Json& list) {
  auto buffers = BufferList::make(list.list().size());
  for (const Json& one : list.list()) buffers.push(make_buffer(one));
  return buffers;
}

Tensor make_tensor(const Json& item) {
  auto buffers = make_buffers(item["data"]);
  std::vector<std::uint64_t> sizes;
  for (std::uint64_t k = 0; k < buffers.size(); ++k) sizes.push_back(buffers.at(k).byte_size());
  const Descriptor descriptor = make_descriptor(item["tensor"], sizes);
  return Tensor::from_descriptor(descriptor, std::move(buffers));
}

Item make_item(const Json& item) {
  if (item["members"].is_null()) return Item::from_tensor(make_tensor(item));
  std::vector<Item> members;
  for (const Json& one : item["members"].list()) members.push_back(make_item(one));
  const Descriptor head = make_descriptor(item["composite"], {});
  return Item::composite(head, members);
}
