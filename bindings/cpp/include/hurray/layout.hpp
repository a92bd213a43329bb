// Layouts: one struct for each, and `Layout`, which is any of them.
#ifndef HURRAY_CPP_LAYOUT_HPP
#define HURRAY_CPP_LAYOUT_HPP

#include <hurray/fields.hpp>
#include <hurray/tags.hpp>

#include <optional>
#include <tuple>
#include <variant>
#include <vector>

namespace hurray {
namespace layout {

/// Last dimension fastest.
struct RowMajor {
  static constexpr LayoutTag tag = LayoutTag::row_major;
};

/// First dimension fastest.
struct ColumnMajor {
  static constexpr LayoutTag tag = LayoutTag::column_major;
};

/// One stride a dimension, in elements.
struct Strided {
  static constexpr LayoutTag tag = LayoutTag::strided;
  std::vector<std::int64_t> strides;
};

/// Tiles, possibly of tiles: `levels[0]` cuts the tensor, each further level the tile of the one before.
struct Tiled {
  static constexpr LayoutTag tag = LayoutTag::tiled;
  struct Level {
    std::vector<std::uint64_t> tile_shape;
    LayoutTag outer = LayoutTag::row_major;   ///< Order of the tiles: row-major, column-major or strided.
    LayoutTag inner = LayoutTag::row_major;   ///< Order inside a tile; tiled if a further level follows.
    std::vector<std::int64_t> outer_strides;  ///< In tiles; empty unless `outer` is strided.
    std::vector<std::int64_t> inner_strides;  ///< In elements; empty unless `inner` is strided.
  };
  std::vector<Level> levels;
};

/// Interleaved index bits: how many of each dimension.
struct Morton {
  static constexpr LayoutTag tag = LayoutTag::morton;
  std::vector<std::uint64_t> bits;
};

/// Sparse, one coordinate tuple an entry.
struct Coo {
  static constexpr LayoutTag tag = LayoutTag::coo;
  std::uint64_t nnz = 0;
  bool is_sorted = false;
};

/// Sparse, compressed rows.
struct Csr {
  static constexpr LayoutTag tag = LayoutTag::csr;
  std::uint64_t nnz = 0;
};

/// Sparse, compressed columns.
struct Csc {
  static constexpr LayoutTag tag = LayoutTag::csc;
  std::uint64_t nnz = 0;
};

/// Sparse, a tree of coordinates: level L holds dimension `mode_order[L]`.
struct Csf {
  static constexpr LayoutTag tag = LayoutTag::csf;
  std::uint64_t nnz = 0;
  std::vector<std::uint64_t> mode_order;
};

/// Pages reached through a table.
struct BlockPaged {
  static constexpr LayoutTag tag = LayoutTag::block_paged;
  std::uint32_t page_size = 0;
  std::uint64_t num_pages = 0;
  std::uint32_t paged_axis = 0;
  std::uint32_t num_seqs = 0;
  KvRole kv_role = KvRole::key;
  std::optional<std::uint32_t> layer_index;
  std::uint8_t block_table_index_type = 0;  ///< 0: 32-bit table entries, 1: 64-bit.
};

/// The head of a composite.
struct Composite {
  static constexpr LayoutTag tag = LayoutTag::composite;
  CompositionRule rule = CompositionRule::group;
  CombineOp combine_op = CombineOp::none;
  std::uint32_t member_count = 0;
};

/// Along a Hilbert curve through a cube of side 2^order.
struct Hilbert {
  static constexpr LayoutTag tag = LayoutTag::hilbert;
  std::uint32_t order = 0;
  std::uint32_t rank = 0;
};

/// A layout agreed outside the format.
struct Private {
  LayoutTag tag{};
  std::uint64_t layout_id = 0;
  std::vector<std::uint8_t> data;
};

/// A layout that was not understood: everything behind the byte offset, buffers and sections included.
struct Unknown {
  LayoutTag tag{};
  std::vector<std::uint8_t> data;
};

inline bool operator==(const RowMajor&, const RowMajor&) { return true; }
inline bool operator==(const ColumnMajor&, const ColumnMajor&) { return true; }
inline bool operator==(const Strided& a, const Strided& b) { return a.strides == b.strides; }
inline bool operator==(const Tiled::Level& a, const Tiled::Level& b) {
  return std::tie(a.tile_shape, a.outer, a.inner, a.outer_strides, a.inner_strides) ==
         std::tie(b.tile_shape, b.outer, b.inner, b.outer_strides, b.inner_strides);
}
inline bool operator==(const Tiled& a, const Tiled& b) { return a.levels == b.levels; }
inline bool operator==(const Morton& a, const Morton& b) { return a.bits == b.bits; }
inline bool operator==(const Coo& a, const Coo& b) { return a.nnz == b.nnz && a.is_sorted == b.is_sorted; }
inline bool operator==(const Csr& a, const Csr& b) { return a.nnz == b.nnz; }
inline bool operator==(const Csc& a, const Csc& b) { return a.nnz == b.nnz; }
inline bool operator==(const Csf& a, const Csf& b) { return a.nnz == b.nnz && a.mode_order == b.mode_order; }
inline bool operator==(const BlockPaged& a, const BlockPaged& b) {
  return std::tie(a.page_size, a.num_pages, a.paged_axis, a.num_seqs, a.kv_role, a.layer_index,
                  a.block_table_index_type) == std::tie(b.page_size, b.num_pages, b.paged_axis, b.num_seqs, b.kv_role,
                                                        b.layer_index, b.block_table_index_type);
}
inline bool operator==(const Composite& a, const Composite& b) {
  return std::tie(a.rule, a.combine_op, a.member_count) == std::tie(b.rule, b.combine_op, b.member_count);
}
inline bool operator==(const Hilbert& a, const Hilbert& b) { return a.order == b.order && a.rank == b.rank; }
inline bool operator==(const Private& a, const Private& b) {
  return std::tie(a.tag, a.layout_id, a.data) == std::tie(b.tag, b.layout_id, b.data);
}
inline bool operator==(const Unknown& a, const Unknown& b) { return a.tag == b.tag && a.data == b.data; }

}  // namespace layout

/// Any layout, with its fields.
using Layout = std::variant<layout::RowMajor, layout::ColumnMajor, layout::Strided, layout::Tiled, layout::Morton,
                            layout::Coo, layout::Csr, layout::Csc, layout::Csf, layout::BlockPaged, layout::Composite,
                            layout::Hilbert, layout::Private, layout::Unknown>;

/// The tag of a layout.
inline LayoutTag tag_of(const Layout& layout) {
  return std::visit([](const auto& one) { return one.tag; }, layout);
}

}  // namespace hurray

#endif
