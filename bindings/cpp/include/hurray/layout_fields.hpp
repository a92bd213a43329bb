// How layouts are read from, and written as, descriptor fields.
#ifndef HURRAY_CPP_LAYOUT_FIELDS_HPP
#define HURRAY_CPP_LAYOUT_FIELDS_HPP

#include <hurray/layout.hpp>

namespace hurray::detail {

inline layout::Tiled read_tiled(FieldReader& in) {
  layout::Tiled tiled;
  const auto depth = in.u<std::uint32_t>(HURRAY_LAYOUT_FIELD_TILED_DEPTH);
  for (std::uint32_t k = 0; k < depth && in.has(HURRAY_LAYOUT_FIELD_TILED_TILE_SHAPE, k); ++k) {
    layout::Tiled::Level level;
    level.tile_shape = in.u_array(HURRAY_LAYOUT_FIELD_TILED_TILE_SHAPE, k);
    level.outer = in.u<LayoutTag>(HURRAY_LAYOUT_FIELD_TILED_OUTER_LAYOUT, k);
    level.inner = in.u<LayoutTag>(HURRAY_LAYOUT_FIELD_TILED_INNER_LAYOUT, k);
    level.outer_strides = in.optional_i_array(HURRAY_LAYOUT_FIELD_TILED_OUTER_STRIDES, k);
    level.inner_strides = in.optional_i_array(HURRAY_LAYOUT_FIELD_TILED_INNER_STRIDES, k);
    tiled.levels.push_back(std::move(level));
  }
  return tiled;
}

inline layout::BlockPaged read_block_paged(FieldReader& in) {
  layout::BlockPaged paged;
  paged.page_size = in.u<std::uint32_t>(HURRAY_LAYOUT_FIELD_BLOCK_PAGED_PAGE_SIZE);
  paged.num_pages = in.u(HURRAY_LAYOUT_FIELD_BLOCK_PAGED_NUM_PAGES);
  paged.paged_axis = in.u<std::uint32_t>(HURRAY_LAYOUT_FIELD_BLOCK_PAGED_PAGED_AXIS);
  paged.num_seqs = in.u<std::uint32_t>(HURRAY_LAYOUT_FIELD_BLOCK_PAGED_NUM_SEQS);
  paged.kv_role = in.u<KvRole>(HURRAY_LAYOUT_FIELD_BLOCK_PAGED_KV_ROLE);
  paged.layer_index = in.optional_u<std::uint32_t>(HURRAY_LAYOUT_FIELD_BLOCK_PAGED_LAYER_INDEX);
  paged.block_table_index_type = in.u<std::uint8_t>(HURRAY_LAYOUT_FIELD_BLOCK_PAGED_BLOCK_TABLE_INDEX_TYPE);
  return paged;
}

inline layout::Composite read_composite(FieldReader& in) {
  return {in.u<CompositionRule>(HURRAY_LAYOUT_FIELD_COMPOSITE_RULE),
          in.u<CombineOp>(HURRAY_LAYOUT_FIELD_COMPOSITE_COMBINE_OP),
          in.u<std::uint32_t>(HURRAY_LAYOUT_FIELD_COMPOSITE_MEMBER_COUNT)};
}

inline Layout read_layout(FieldReader& in) {
  const auto tag = in.u<LayoutTag>(HURRAY_HEADER_FIELD_LAYOUT);
  if (in.has(HURRAY_LAYOUT_FIELD_UNKNOWN_DATA)) {
    return layout::Unknown{tag, in.bytes(HURRAY_LAYOUT_FIELD_UNKNOWN_DATA)};
  }
  switch (tag) {
    case LayoutTag::row_major:
      return layout::RowMajor{};
    case LayoutTag::column_major:
      return layout::ColumnMajor{};
    case LayoutTag::strided:
      return layout::Strided{in.i_array(HURRAY_LAYOUT_FIELD_STRIDED_STRIDES)};
    case LayoutTag::tiled:
      return read_tiled(in);
    case LayoutTag::morton:
      return layout::Morton{in.u_array(HURRAY_LAYOUT_FIELD_MORTON_BITS)};
    case LayoutTag::coo:
      return layout::Coo{in.u(HURRAY_LAYOUT_FIELD_COO_NNZ), in.u(HURRAY_LAYOUT_FIELD_COO_IS_SORTED) != 0};
    case LayoutTag::csr:
      return layout::Csr{in.u(HURRAY_LAYOUT_FIELD_CSR_NNZ)};
    case LayoutTag::csc:
      return layout::Csc{in.u(HURRAY_LAYOUT_FIELD_CSC_NNZ)};
    case LayoutTag::csf:
      return layout::Csf{in.u(HURRAY_LAYOUT_FIELD_CSF_NNZ), in.u_array(HURRAY_LAYOUT_FIELD_CSF_MODE_ORDER)};
    case LayoutTag::block_paged:
      return read_block_paged(in);
    case LayoutTag::composite:
      return read_composite(in);
    case LayoutTag::hilbert:
      return layout::Hilbert{in.u<std::uint32_t>(HURRAY_LAYOUT_FIELD_HILBERT_ORDER),
                             in.u<std::uint32_t>(HURRAY_LAYOUT_FIELD_HILBERT_RANK)};
  }
  return layout::Private{tag, in.u(HURRAY_LAYOUT_FIELD_PRIVATE_LAYOUT_ID), in.bytes(HURRAY_LAYOUT_FIELD_PRIVATE_DATA)};
}

/// Writes the fields of a layout, whose tag the builder was made with.
struct LayoutWriter {
  FieldWriter& out;

  void operator()(const layout::RowMajor&) const {}
  void operator()(const layout::ColumnMajor&) const {}
  void operator()(const layout::Strided& one) const { out.i_array(HURRAY_LAYOUT_FIELD_STRIDED_STRIDES, one.strides); }
  void operator()(const layout::Tiled& one) const {
    std::uint32_t k = 0;
    for (const layout::Tiled::Level& level : one.levels) {
      out.u_array(HURRAY_LAYOUT_FIELD_TILED_TILE_SHAPE, level.tile_shape, k);
      out.u(HURRAY_LAYOUT_FIELD_TILED_OUTER_LAYOUT, static_cast<std::uint64_t>(level.outer), k);
      out.u(HURRAY_LAYOUT_FIELD_TILED_INNER_LAYOUT, static_cast<std::uint64_t>(level.inner), k);
      if (!level.outer_strides.empty()) {
        out.i_array(HURRAY_LAYOUT_FIELD_TILED_OUTER_STRIDES, level.outer_strides, k);
      }
      if (!level.inner_strides.empty()) {
        out.i_array(HURRAY_LAYOUT_FIELD_TILED_INNER_STRIDES, level.inner_strides, k);
      }
      ++k;
    }
  }
  void operator()(const layout::Morton& one) const { out.u_array(HURRAY_LAYOUT_FIELD_MORTON_BITS, one.bits); }
  void operator()(const layout::Coo& one) const {
    out.u(HURRAY_LAYOUT_FIELD_COO_NNZ, one.nnz);
    out.u(HURRAY_LAYOUT_FIELD_COO_IS_SORTED, one.is_sorted ? 1 : 0);
  }
  void operator()(const layout::Csr& one) const { out.u(HURRAY_LAYOUT_FIELD_CSR_NNZ, one.nnz); }
  void operator()(const layout::Csc& one) const { out.u(HURRAY_LAYOUT_FIELD_CSC_NNZ, one.nnz); }
  void operator()(const layout::Csf& one) const {
    out.u(HURRAY_LAYOUT_FIELD_CSF_NNZ, one.nnz);
    out.u_array(HURRAY_LAYOUT_FIELD_CSF_MODE_ORDER, one.mode_order);
  }
  void operator()(const layout::BlockPaged& one) const {
    out.u(HURRAY_LAYOUT_FIELD_BLOCK_PAGED_PAGE_SIZE, one.page_size);
    out.u(HURRAY_LAYOUT_FIELD_BLOCK_PAGED_NUM_PAGES, one.num_pages);
    out.u(HURRAY_LAYOUT_FIELD_BLOCK_PAGED_PAGED_AXIS, one.paged_axis);
    out.u(HURRAY_LAYOUT_FIELD_BLOCK_PAGED_NUM_SEQS, one.num_seqs);
    out.u(HURRAY_LAYOUT_FIELD_BLOCK_PAGED_KV_ROLE, static_cast<std::uint64_t>(one.kv_role));
    out.optional_u(HURRAY_LAYOUT_FIELD_BLOCK_PAGED_LAYER_INDEX, one.layer_index);
    out.u(HURRAY_LAYOUT_FIELD_BLOCK_PAGED_BLOCK_TABLE_INDEX_TYPE, one.block_table_index_type);
  }
  void operator()(const layout::Composite& one) const {
    out.u(HURRAY_LAYOUT_FIELD_COMPOSITE_RULE, static_cast<std::uint64_t>(one.rule));
    out.u(HURRAY_LAYOUT_FIELD_COMPOSITE_COMBINE_OP, static_cast<std::uint64_t>(one.combine_op));
    out.u(HURRAY_LAYOUT_FIELD_COMPOSITE_MEMBER_COUNT, one.member_count);
  }
  void operator()(const layout::Hilbert& one) const {
    out.u(HURRAY_LAYOUT_FIELD_HILBERT_ORDER, one.order);
    out.u(HURRAY_LAYOUT_FIELD_HILBERT_RANK, one.rank);
  }
  void operator()(const layout::Private& one) const {
    out.u(HURRAY_LAYOUT_FIELD_PRIVATE_LAYOUT_ID, one.layout_id);
    out.bytes(HURRAY_LAYOUT_FIELD_PRIVATE_DATA, one.data);
  }
  void operator()(const layout::Unknown& one) const { out.bytes(HURRAY_LAYOUT_FIELD_UNKNOWN_DATA, one.data); }
};

}  // namespace hurray::detail

#endif
