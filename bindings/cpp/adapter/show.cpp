// Descriptors and items as JSON, read through the header's types.
#include "adapter.hpp"

namespace {

using namespace hurray;

/// A section, empty where it is hidden behind a layout that was not understood.
template <class T>
std::optional<T> visible(const result<std::optional<T>>& section) {
  if (!section && section.error().status() == HURRAY_ERR_UNSUPPORTED) return std::nullopt;
  return section.value();
}

template <class T>
Json maybe_real(const std::optional<T>& value) {
  return value ? real(*value) : Json();
}

struct LayoutShower {
  Json& out;

  void operator()(const layout::RowMajor&) const {}
  void operator()(const layout::ColumnMajor&) const {}
  void operator()(const layout::Strided& one) const { out.set("strides", wides(one.strides)); }
  void operator()(const layout::Tiled& one) const {
    Json levels{std::vector<Json>()};
    for (const auto& level : one.levels) {
      Json shown{{"tile_shape", wides(level.tile_shape)}, {"outer", tag(level.outer)}, {"inner", tag(level.inner)}};
      if (level.outer == LayoutTag::strided) shown.set("outer_strides", wides(level.outer_strides));
      if (level.inner == LayoutTag::strided) shown.set("inner_strides", wides(level.inner_strides));
      levels.append(std::move(shown));
    }
    out.set("levels", std::move(levels));
  }
  void operator()(const layout::Morton& one) const { out.set("bits", narrows(one.bits)); }
  void operator()(const layout::Coo& one) const {
    out.set("nnz", wide(one.nnz));
    out.set("is_sorted", Json(one.is_sorted));
  }
  void operator()(const layout::Csr& one) const { out.set("nnz", wide(one.nnz)); }
  void operator()(const layout::Csc& one) const { out.set("nnz", wide(one.nnz)); }
  void operator()(const layout::Csf& one) const {
    out.set("nnz", wide(one.nnz));
    out.set("mode_order", narrows(one.mode_order));
  }
  void operator()(const layout::BlockPaged& one) const {
    out.set("page_size", Json(one.page_size));
    out.set("num_pages", wide(one.num_pages));
    out.set("paged_axis", Json(one.paged_axis));
    out.set("num_seqs", Json(one.num_seqs));
    out.set("kv_role", tag(one.kv_role));
    out.set("layer_index", Json(one.layer_index));
    out.set("block_table_index_type", Json(one.block_table_index_type == 0 ? "uint32" : "uint64"));
  }
  void operator()(const layout::Composite& one) const {
    out.set("rule", tag(one.rule));
    out.set("combine_op", tag(one.combine_op));
    out.set("member_count", Json(one.member_count));
  }
  void operator()(const layout::Hilbert& one) const {
    out.set("order", Json(one.order));
    out.set("rank", Json(one.rank));
  }
  void operator()(const layout::Private& one) const {
    out.set("layout_id", wide(one.layout_id));
    out.set("data", hex(one.data.data(), one.data.size()));
  }
  void operator()(const layout::Unknown& one) const { out.set("unknown_data", hex(one.data.data(), one.data.size())); }
};

struct QuantizationShower {
  Json& out;

  void operator()(const quant::PerTensor& one) const {
    out.set("scale", real(static_cast<double>(one.scale)));
    out.set("zero_point", Json(one.zero_point));
  }
  void operator()(const quant::PerChannel& one) const {
    out.set("axis", Json(one.axis));
    out.set("scale_buffer", Json(one.scale_buffer));
    out.set("zero_point_buffer", Json(one.zero_point_buffer));
    out.set("scale_type", tag(one.scale_type));
  }
  void operator()(const quant::PerBlock& one) const {
    out.set("axis", Json(one.axis));
    out.set("block_size", Json(one.block_size));
    out.set("scale_buffer", Json(one.scale_buffer));
    out.set("zero_point_buffer", Json(one.zero_point_buffer));
    out.set("scale_type", tag(one.scale_type));
  }
  template <class Blocks>
  void operator()(const Blocks& one) const {
    out.set("axis", Json(one.axis));
    out.set("block_size", Json(one.block_size));
    out.set("scale_buffer", Json(one.scale_buffer));
  }
  void operator()(const quant::Unknown& one) const {
    out.set("version", Json(std::uint32_t{one.version}));
    out.set("flags", Json(std::uint32_t{one.flags}));
    out.set("unknown_data", hex(one.data.data(), one.data.size()));
  }
};

Json show_statistics(const Statistics& one) {
  Json out{{"nnz", one.nnz ? wide(*one.nnz) : Json()}, {"sparsity_ratio", maybe_real(one.sparsity_ratio)}};
  if (one.range) {
    out.set("min", real(one.range->min));
    out.set("max", real(one.range->max));
    out.set("abs_max", real(one.range->abs_max));
  }
  if (one.moments) {
    out.set("mean", real(one.moments->mean));
    out.set("stddev", real(one.moments->stddev));
  }
  if (one.pattern) {
    out.set("nm_n", Json(std::uint32_t{one.pattern->n}));
    out.set("nm_m", Json(std::uint32_t{one.pattern->m}));
  }
  if (one.special) {
    out.set("has_nan", Json(one.special->has_nan));
    out.set("has_inf", Json(one.special->has_inf));
  }
  return out;
}

Json show_extension_type(const ExtensionType& one) {
  return Json{{"bit_width", Json(one.bit_width)},
              {"packing_factor", Json(std::uint32_t{one.packing_factor})},
              {"is_float", Json(one.is_float)},
              {"is_signed", Json(one.is_signed)},
              {"sign_bits", Json(std::uint32_t{one.sign_bits})},
              {"exponent_bits", Json(std::uint32_t{one.exponent_bits})},
              {"mantissa_bits", Json(std::uint32_t{one.mantissa_bits})},
              {"exponent_bias", Json(one.exponent_bias)},
              {"has_nan", Json(one.has_nan)},
              {"has_inf", Json(one.has_inf)}};
}

Json show_buffer(const BufferEntry& entry) {
  const Json role = tag(entry.role);
  return Json{{"byte_size", wide(entry.byte_size)},
              {"alignment", Json(entry.alignment)},
              {"device", tag(entry.device)},
              {"sync_mode", tag(entry.sync_mode)},
              {"memory_class", tag(entry.memory_class)},
              {"role", role.is_text() ? role : Json("unknown")},
              {"role_level", Json(entry.role_level)}};
}

}  // namespace

Json show_descriptor(DescriptorRef descriptor) {
  Json layout{{"tag", tag(descriptor.layout_tag())}};
  std::visit(LayoutShower{layout}, descriptor.layout());
  Json buffers{std::vector<Json>()};
  for (const BufferEntry& entry : descriptor.buffers()) buffers.append(show_buffer(entry));
  const auto number = [&](HurrayDescriptorField id) { return Json(static_cast<std::int64_t>(descriptor.u64(id))); };
  Json version{std::vector<Json>()};
  version.append(number(HURRAY_HEADER_FIELD_VERSION_MAJOR));
  version.append(number(HURRAY_HEADER_FIELD_VERSION_MINOR));
  const auto count = descriptor.try_element_count();
  Json out{{"version", version},
           {"dtype", tag(descriptor.element_type())},
           {"shape", wides(descriptor.shape())},
           {"byte_offset", wide(descriptor.byte_offset())},
           {"element_count", count ? wide(*count) : Json()},
           {"encoded_length", number(HURRAY_HEADER_FIELD_ENCODED_LENGTH)},
           {"layout", layout},
           {"buffers", buffers}};
  if (const auto found = visible(descriptor.try_quantization())) {
    Json shown{{"scheme", tag(scheme_of(*found))}};
    std::visit(QuantizationShower{shown}, *found);
    out.set("quantization", shown);
  }
  if (const auto found = visible(descriptor.try_shard())) {
    out.set("shard", Json{{"parent_shape", wides(found->parent_shape)}, {"offset", wides(found->offset)}});
  }
  if (const auto found = visible(descriptor.try_statistics())) out.set("statistics", show_statistics(*found));
  if (const auto found = visible(descriptor.try_extension_type())) {
    out.set("extension_type", show_extension_type(*found));
  }
  if (const auto found = visible(descriptor.try_member_role())) out.set("member_role", tag(*found));
  return out;
}

Json show_tensor(const Tensor& tensor) {
  Json data{std::vector<Json>()};
  const BufferListRef buffers = tensor.buffers();
  for (std::uint64_t k = 0; k < buffers.size(); ++k) {
    const auto bytes = buffers.at(k).bytes();
    const std::size_t lead = buffers.at(k).lead();
    data.append(hex(bytes.data() + lead, bytes.size() - lead));
  }
  return Json{{"tensor", show_descriptor(tensor.descriptor())}, {"data", data}};
}

Json show_item(ItemRef item) {
  if (item.kind() == ItemKind::tensor) return show_tensor(item.tensor());
  if (item.kind() == ItemKind::descriptor) {
    Json out{{"descriptor", show_descriptor(item.head())}};
    if (const auto data = item.data()) {
      const auto bytes = data->buffers().at(0).bytes();
      out.set("data", hex(bytes.data(), bytes.size()));
    }
    return out;
  }
  Json members{std::vector<Json>()};
  for (std::uint64_t k = 0; k < item.member_count(); ++k) members.append(show_item(item.member(k)));
  return Json{{"composite", show_descriptor(item.head())}, {"members", members}};
}
