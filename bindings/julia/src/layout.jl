# How a tensor's elements lie in its buffers, as typed objects. Axes count from 1.

"What all layouts derive from; `Hurray.layout(x)` gives one."
abstract type Layout end

"Last axis fastest."
struct RowMajorLayout <: Layout end
"First axis fastest."
struct ColumnMajorLayout <: Layout end
"One stride an axis, in elements."
struct StridedLayout <: Layout
    strides::Tuple
    StridedLayout(strides) = new(Tuple(strides))
end

"""
Tiles of `tile_shape`. `outer_layout` orders the tiles and `inner_layout` the elements of one: `:row_major`,
`:column_major`, or `:strided` with strides (in tiles, in elements). `inner` is the tiling of a tile that is tiled
itself.
"""
struct TiledLayout <: Layout
    tile_shape::Tuple
    outer_layout::Symbol
    inner_layout::Symbol
    outer_strides::Union{Nothing,Tuple}
    inner_strides::Union{Nothing,Tuple}
    inner::Union{Nothing,TiledLayout}
end
TiledLayout(tile_shape; outer_layout = :row_major, inner_layout = :row_major, outer_strides = nothing,
            inner_strides = nothing, inner = nothing) =
    TiledLayout(Tuple(tile_shape), outer_layout, inner === nothing ? inner_layout : :tiled, outer_strides,
                inner_strides, inner)

"Interleaved index bits: so many of each axis."
struct MortonLayout <: Layout
    bits::Tuple
    MortonLayout(bits) = new(Tuple(bits))
end
"Along a Hilbert curve of `order` bits an axis over `rank` axes (`nothing`: over all)."
struct HilbertLayout <: Layout
    order::Int
    rank::Union{Nothing,Int}
end
HilbertLayout(order) = HilbertLayout(order, nothing)
"Sparse, one coordinate tuple an entry."
struct CooLayout <: Layout
    nnz::Integer
    is_sorted::Bool
end
CooLayout(nnz) = CooLayout(nnz, false)
"Sparse, compressed rows."
struct CsrLayout <: Layout
    nnz::Integer
end
"Sparse, compressed columns."
struct CscLayout <: Layout
    nnz::Integer
end
"Sparse, a tree of coordinates; level k of the tree is axis `mode_order[k]`."
struct CsfLayout <: Layout
    nnz::Integer
    mode_order::Tuple
    CsfLayout(nnz, mode_order) = new(nnz, Tuple(mode_order))
end
"Pages reached through a table. `kv_role` is `:key`, `:value` or `:fused`; `index_type` that of the table."
struct BlockPagedLayout <: Layout
    page_size::Int
    num_pages::Integer
    paged_axis::Int
    num_seqs::Int
    kv_role::Symbol
    layer_index::Union{Nothing,Int}
    index_type::DataType
end
BlockPagedLayout(page_size, num_pages, paged_axis, num_seqs; kv_role = :key, layer_index = nothing,
                 index_type = UInt32) =
    BlockPagedLayout(page_size, num_pages, paged_axis, num_seqs, kv_role, layer_index, index_type)
"The head of a composite. `rule` is `:partition`, `:overlay` or `:group`; `combine_op` is `:none`, `:replace` or
`:add`."
struct CompositeLayout <: Layout
    rule::Symbol
    combine_op::Symbol
    member_count::Int
end
"A layout of somebody's own: its tag, its id, and bytes that only they understand."
struct PrivateLayout <: Layout
    tag::UInt8
    id::Integer
    data::Vector{UInt8}
end
"A layout that this library does not know, read permissively."
struct UnknownLayout <: Layout
    tag::UInt8
    data::Vector{UInt8}
end

for (type, number) in (
    RowMajorLayout => HURRAY_LAYOUT_ROW_MAJOR,
    ColumnMajorLayout => HURRAY_LAYOUT_COLUMN_MAJOR,
    StridedLayout => HURRAY_LAYOUT_STRIDED,
    TiledLayout => HURRAY_LAYOUT_TILED,
    MortonLayout => HURRAY_LAYOUT_MORTON,
    HilbertLayout => HURRAY_LAYOUT_HILBERT,
    CooLayout => HURRAY_LAYOUT_COO,
    CsrLayout => HURRAY_LAYOUT_CSR,
    CscLayout => HURRAY_LAYOUT_CSC,
    CsfLayout => HURRAY_LAYOUT_CSF,
    BlockPagedLayout => HURRAY_LAYOUT_BLOCK_PAGED,
    CompositeLayout => HURRAY_LAYOUT_COMPOSITE,
)
    @eval layout_tag(::$type) = $number
end
layout_tag(layout::Union{PrivateLayout,UnknownLayout}) = layout.tag

"The layout's name, as the format has it: `:row_major`."
Base.nameof(layout::Layout) = named(HURRAY_SPACE_LAYOUT, layout_tag(layout))

Base.:(==)(a::L, b::L) where {L<:Layout} = all(getfield(a, f) == getfield(b, f) for f in fieldnames(L))
Base.hash(layout::L, h::UInt) where {L<:Layout} =
    foldl((h, f) -> hash(getfield(layout, f), h), fieldnames(L); init = hash(L, h))

# ---- into a descriptor

written(::Union{RowMajorLayout,ColumnMajorLayout}) = Field[]
written(x::StridedLayout) = [i64s(HURRAY_LAYOUT_FIELD_STRIDED_STRIDES, x.strides)]
written(x::MortonLayout) = [u64s(HURRAY_LAYOUT_FIELD_MORTON_BITS, x.bits)]
written(x::HilbertLayout) = [
    u64(HURRAY_LAYOUT_FIELD_HILBERT_ORDER, x.order);
    x.rank === nothing ? Field[] : [u64(HURRAY_LAYOUT_FIELD_HILBERT_RANK, x.rank)]
]
written(x::CooLayout) = [u64(HURRAY_LAYOUT_FIELD_COO_NNZ, x.nnz), u64(HURRAY_LAYOUT_FIELD_COO_IS_SORTED, x.is_sorted)]
written(x::CsrLayout) = [u64(HURRAY_LAYOUT_FIELD_CSR_NNZ, x.nnz)]
written(x::CscLayout) = [u64(HURRAY_LAYOUT_FIELD_CSC_NNZ, x.nnz)]
written(x::CsfLayout) =
    [u64(HURRAY_LAYOUT_FIELD_CSF_NNZ, x.nnz), u64s(HURRAY_LAYOUT_FIELD_CSF_MODE_ORDER, x.mode_order .- 1)]
written(x::CompositeLayout) = [
    tag(HURRAY_LAYOUT_FIELD_COMPOSITE_RULE, HURRAY_SPACE_COMPOSITION_RULE, x.rule),
    tag(HURRAY_LAYOUT_FIELD_COMPOSITE_COMBINE_OP, HURRAY_SPACE_COMBINE_OP, x.combine_op),
    u64(HURRAY_LAYOUT_FIELD_COMPOSITE_MEMBER_COUNT, x.member_count),
]
written(x::PrivateLayout) =
    [u64(HURRAY_LAYOUT_FIELD_PRIVATE_LAYOUT_ID, x.id), bytes(HURRAY_LAYOUT_FIELD_PRIVATE_DATA, x.data)]
written(x::UnknownLayout) = [bytes(HURRAY_LAYOUT_FIELD_UNKNOWN_DATA, x.data)]

function written(x::TiledLayout, level::Int = 0)
    fields = [
        u64s(HURRAY_LAYOUT_FIELD_TILED_TILE_SHAPE, x.tile_shape, level),
        tag(HURRAY_LAYOUT_FIELD_TILED_OUTER_LAYOUT, HURRAY_SPACE_LAYOUT, x.outer_layout, level),
        tag(HURRAY_LAYOUT_FIELD_TILED_INNER_LAYOUT, HURRAY_SPACE_LAYOUT, x.inner_layout, level),
    ]
    x.outer_strides === nothing ||
        push!(fields, i64s(HURRAY_LAYOUT_FIELD_TILED_OUTER_STRIDES, x.outer_strides, level))
    x.inner_strides === nothing ||
        push!(fields, i64s(HURRAY_LAYOUT_FIELD_TILED_INNER_STRIDES, x.inner_strides, level))
    return x.inner === nothing ? fields : [fields; written(x.inner, level + 1)]
end

function written(x::BlockPagedLayout)
    x.index_type in (UInt32, UInt64) ||
        throw(InvalidArgumentError(HURRAY_ERR_INVALID_ARGUMENT, "index_type is UInt32 or UInt64"))
    fields = [
        u64(HURRAY_LAYOUT_FIELD_BLOCK_PAGED_PAGE_SIZE, x.page_size),
        u64(HURRAY_LAYOUT_FIELD_BLOCK_PAGED_NUM_PAGES, x.num_pages),
        u64(HURRAY_LAYOUT_FIELD_BLOCK_PAGED_PAGED_AXIS, x.paged_axis - 1),
        u64(HURRAY_LAYOUT_FIELD_BLOCK_PAGED_NUM_SEQS, x.num_seqs),
        tag(HURRAY_LAYOUT_FIELD_BLOCK_PAGED_KV_ROLE, HURRAY_SPACE_KV_ROLE, x.kv_role),
        u64(HURRAY_LAYOUT_FIELD_BLOCK_PAGED_BLOCK_TABLE_INDEX_TYPE, x.index_type === UInt64),
    ]
    x.layer_index === nothing || push!(fields, u64(HURRAY_LAYOUT_FIELD_BLOCK_PAGED_LAYER_INDEX, x.layer_index))
    return fields
end

# ---- out of a descriptor

function layout_of(fields::Fields)
    number = fields[key(HURRAY_HEADER_FIELD_LAYOUT)]
    at(field) = fields[key(field)]
    number == HURRAY_LAYOUT_ROW_MAJOR && return RowMajorLayout()
    number == HURRAY_LAYOUT_COLUMN_MAJOR && return ColumnMajorLayout()
    number == HURRAY_LAYOUT_STRIDED && return StridedLayout(at(HURRAY_LAYOUT_FIELD_STRIDED_STRIDES))
    number == HURRAY_LAYOUT_TILED && return tiled_of(fields, 0)
    number == HURRAY_LAYOUT_MORTON && return MortonLayout(wholes(at(HURRAY_LAYOUT_FIELD_MORTON_BITS)))
    number == HURRAY_LAYOUT_HILBERT &&
        return HilbertLayout(at(HURRAY_LAYOUT_FIELD_HILBERT_ORDER), at(HURRAY_LAYOUT_FIELD_HILBERT_RANK))
    number == HURRAY_LAYOUT_COO &&
        return CooLayout(whole(at(HURRAY_LAYOUT_FIELD_COO_NNZ)), at(HURRAY_LAYOUT_FIELD_COO_IS_SORTED) != 0)
    number == HURRAY_LAYOUT_CSR && return CsrLayout(whole(at(HURRAY_LAYOUT_FIELD_CSR_NNZ)))
    number == HURRAY_LAYOUT_CSC && return CscLayout(whole(at(HURRAY_LAYOUT_FIELD_CSC_NNZ)))
    number == HURRAY_LAYOUT_CSF && return CsfLayout(
        whole(at(HURRAY_LAYOUT_FIELD_CSF_NNZ)), wholes(at(HURRAY_LAYOUT_FIELD_CSF_MODE_ORDER)) .+ 1,
    )
    number == HURRAY_LAYOUT_BLOCK_PAGED && return block_paged_of(fields)
    number == HURRAY_LAYOUT_COMPOSITE && return CompositeLayout(
        named(HURRAY_SPACE_COMPOSITION_RULE, at(HURRAY_LAYOUT_FIELD_COMPOSITE_RULE)),
        named(HURRAY_SPACE_COMBINE_OP, at(HURRAY_LAYOUT_FIELD_COMPOSITE_COMBINE_OP)),
        at(HURRAY_LAYOUT_FIELD_COMPOSITE_MEMBER_COUNT),
    )
    haskey(fields, key(HURRAY_LAYOUT_FIELD_PRIVATE_LAYOUT_ID)) && return PrivateLayout(
        number, whole(at(HURRAY_LAYOUT_FIELD_PRIVATE_LAYOUT_ID)),
        get(fields, key(HURRAY_LAYOUT_FIELD_PRIVATE_DATA), UInt8[]),
    )
    return UnknownLayout(number, get(fields, key(HURRAY_LAYOUT_FIELD_UNKNOWN_DATA), UInt8[]))
end

function tiled_of(fields::Fields, level::Int)
    at(field) = get(fields, key(field, level), nothing)
    tuple(values) = values === nothing ? nothing : Tuple(values)
    deeper = level + 1 < fields[key(HURRAY_LAYOUT_FIELD_TILED_DEPTH)]
    return TiledLayout(
        wholes(at(HURRAY_LAYOUT_FIELD_TILED_TILE_SHAPE)),
        named(HURRAY_SPACE_LAYOUT, at(HURRAY_LAYOUT_FIELD_TILED_OUTER_LAYOUT)),
        named(HURRAY_SPACE_LAYOUT, at(HURRAY_LAYOUT_FIELD_TILED_INNER_LAYOUT)),
        tuple(at(HURRAY_LAYOUT_FIELD_TILED_OUTER_STRIDES)),
        tuple(at(HURRAY_LAYOUT_FIELD_TILED_INNER_STRIDES)),
        deeper ? tiled_of(fields, level + 1) : nothing,
    )
end

function block_paged_of(fields::Fields)
    at(field) = fields[key(field)]
    layer = get(fields, key(HURRAY_LAYOUT_FIELD_BLOCK_PAGED_LAYER_INDEX), nothing)
    return BlockPagedLayout(
        at(HURRAY_LAYOUT_FIELD_BLOCK_PAGED_PAGE_SIZE),
        whole(at(HURRAY_LAYOUT_FIELD_BLOCK_PAGED_NUM_PAGES)),
        Int(at(HURRAY_LAYOUT_FIELD_BLOCK_PAGED_PAGED_AXIS)) + 1,
        at(HURRAY_LAYOUT_FIELD_BLOCK_PAGED_NUM_SEQS),
        named(HURRAY_SPACE_KV_ROLE, at(HURRAY_LAYOUT_FIELD_BLOCK_PAGED_KV_ROLE)),
        layer,
        at(HURRAY_LAYOUT_FIELD_BLOCK_PAGED_BLOCK_TABLE_INDEX_TYPE) == 0 ? UInt32 : UInt64,
    )
end
