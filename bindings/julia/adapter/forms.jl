# Values of the binding in the protocol's forms, and back.
using Hurray: BlockPagedLayout, ColumnMajorLayout, CompositeLayout, CooLayout, CscLayout, CsfLayout, CsrLayout
using Hurray: HilbertLayout, MortonLayout, PrivateLayout, RowMajorLayout, StridedLayout, TiledLayout, UnknownLayout
using Hurray: ExtensionType, MXFP, NF4, PerBlockAffine, PerChannelAffine, PerTensorAffine, Shard, Statistics
using Hurray: UnknownScheme

hex(bytes) = bytes2hex(collect(UInt8, bytes))
unhex(text) = hex2bytes(text)
wide(x) = string(x)
wides(values) = [string(x) for x in values]
double(x::AbstractFloat) = string(reinterpret(UInt64, Float64(x)); base = 16, pad = 16)
real_of(text) = reinterpret(Float64, parse(UInt64, text; base = 16))
integer(text) = (n = parse(Int128, text); typemin(Int) <= n <= typemax(Int) ? Int(n) : UInt64(n))
integers(texts) = Tuple(integer(text) for text in texts)
dims(shape) = [dim === nothing ? string(typemax(UInt64)) : string(dim) for dim in shape]
shape_of(texts) = Any[(dim = integer(text); dim == typemax(UInt64) ? nothing : dim) for text in texts]

# A tag without a name is its number.
function tagged(name::Symbol)
    text = string(name)
    return startswith(text, "private_") ? parse(Int, text[9:end]; base = 16) : text
end
tagged(type::ElementType) = tagged(nameof(type))
symbol(name::AbstractString) = Symbol(name)
symbol(tag::Integer) = Symbol("private_", string(tag; base = 16, pad = 2))
element(name::AbstractString) = ElementType(Symbol(name))
element(tag::Integer) = ElementType(tag)

# Only what is there.
function present(pairs::Pair...)
    found = Dict{String,Any}()
    for (key, value) in pairs
        value === nothing || (found[key] = value)
    end
    return found
end

# ---- descriptors out

function descriptor_out(x)
    quantization, shard = Hurray.quantization(x), Hurray.shard(x)
    statistics, extension, role = Hurray.statistics(x), Hurray.extension_type(x), Hurray.member_role(x)
    count, version = Hurray.element_count(x), Hurray.format_version(x)
    return present(
        "version" => [Int(version.major), Int(version.minor)],
        "dtype" => tagged(Hurray.element_type(x)),
        "shape" => dims(Hurray.shape(x)),
        "byte_offset" => wide(Hurray.byte_offset(x)),
        "element_count" => count === nothing ? nothing : wide(count),
        "encoded_length" => length(Hurray.encode(x)),
        "layout" => layout_out(Hurray.layout(x)),
        "buffers" => [entry_out(one) for one in Hurray.buffer_table(x)],
        "quantization" => quantization === nothing ? nothing : scheme_out(quantization),
        "shard" => shard === nothing ? nothing :
            present("parent_shape" => wides(shard.parent_shape), "offset" => wides(shard.offset)),
        "statistics" => statistics === nothing ? nothing : statistics_out(statistics),
        "extension_type" => extension === nothing ? nothing :
            Dict{String,Any}(string(f) => getfield(extension, f) for f in fieldnames(ExtensionType)),
        "member_role" => role === nothing ? nothing : tagged(role),
    )
end

entry_out(e) = present(
    "byte_size" => wide(e.byte_size), "alignment" => e.alignment, "device" => tagged(e.device),
    "sync_mode" => tagged(e.sync_mode), "memory_class" => tagged(e.memory_class), "role" => tagged(e.role),
    "role_level" => e.role_level,
)

statistic(f, x) = f === :nnz ? wide(x) : x isa AbstractFloat ? double(x) : x
statistics_out(s) = Dict{String,Any}(
    string(f) => statistic(f, getfield(s, f)) for f in fieldnames(Statistics) if getfield(s, f) !== nothing
)

layout_out(l::Union{RowMajorLayout,ColumnMajorLayout}) = present("tag" => tagged(nameof(l)))
layout_out(l::StridedLayout) = present("tag" => "strided", "strides" => wides(l.strides))
layout_out(l::MortonLayout) = present("tag" => "morton", "bits" => collect(l.bits))
layout_out(l::HilbertLayout) = present("tag" => "hilbert", "order" => l.order, "rank" => l.rank)
layout_out(l::CooLayout) = present("tag" => "coo", "nnz" => wide(l.nnz), "is_sorted" => l.is_sorted)
layout_out(l::Union{CsrLayout,CscLayout}) = present("tag" => tagged(nameof(l)), "nnz" => wide(l.nnz))
layout_out(l::CsfLayout) = present("tag" => "csf", "nnz" => wide(l.nnz), "mode_order" => collect(l.mode_order .- 1))
layout_out(l::BlockPagedLayout) = present(
    "tag" => "block_paged", "page_size" => l.page_size, "num_pages" => wide(l.num_pages),
    "paged_axis" => l.paged_axis - 1, "num_seqs" => l.num_seqs, "kv_role" => tagged(l.kv_role),
    "layer_index" => l.layer_index, "block_table_index_type" => lowercase(string(l.index_type)),
)
layout_out(l::CompositeLayout) = present(
    "tag" => "composite", "rule" => tagged(l.rule), "combine_op" => tagged(l.combine_op),
    "member_count" => l.member_count,
)
layout_out(l::PrivateLayout) = present("tag" => Int(l.tag), "layout_id" => wide(l.id), "data" => hex(l.data))
layout_out(l::UnknownLayout) = present("tag" => Int(l.tag), "unknown_data" => hex(l.data))

function layout_out(l::TiledLayout)
    levels = Any[]
    while l !== nothing
        push!(levels, present(
            "tile_shape" => wides(l.tile_shape), "outer" => tagged(l.outer_layout), "inner" => tagged(l.inner_layout),
            "outer_strides" => l.outer_strides === nothing ? nothing : wides(l.outer_strides),
            "inner_strides" => l.inner_strides === nothing ? nothing : wides(l.inner_strides),
        ))
        l = l.inner
    end
    return present("tag" => "tiled", "levels" => levels)
end

zero_based(index) = index === nothing ? nothing : index - 1

scheme_out(q::PerTensorAffine) =
    present("scheme" => "per_tensor_affine", "scale" => double(q.scale), "zero_point" => q.zero_point)
scheme_out(q::PerChannelAffine) = present(
    "scheme" => "per_channel_affine", "axis" => q.axis - 1, "scale_buffer" => q.scale_buffer - 1,
    "zero_point_buffer" => zero_based(q.zero_point_buffer), "scale_type" => tagged(q.scale_type),
)
scheme_out(q::PerBlockAffine) = present(
    "scheme" => "per_block_affine", "axis" => q.axis - 1, "block_size" => q.block_size,
    "scale_buffer" => q.scale_buffer - 1, "zero_point_buffer" => zero_based(q.zero_point_buffer),
    "scale_type" => tagged(q.scale_type),
)
scheme_out(q::Union{NF4,MXFP}) = present(
    "scheme" => tagged(nameof(q)), "axis" => q.axis - 1, "block_size" => q.block_size,
    "scale_buffer" => q.scale_buffer - 1,
)
scheme_out(q::UnknownScheme) = present(
    "scheme" => Int(q.tag), "version" => Int(q.version), "flags" => Int(q.flags), "unknown_data" => hex(q.data),
)

# ---- descriptors in

function layout_in(l)
    tag = l["tag"]
    tag == "row_major" && return RowMajorLayout()
    tag == "column_major" && return ColumnMajorLayout()
    tag == "strided" && return StridedLayout(integers(l["strides"]))
    tag == "tiled" && return tiled_in(l["levels"], 1)
    tag == "morton" && return MortonLayout(l["bits"])
    tag == "hilbert" && return HilbertLayout(l["order"], get(l, "rank", nothing))
    tag == "coo" && return CooLayout(integer(l["nnz"]), l["is_sorted"])
    tag == "csr" && return CsrLayout(integer(l["nnz"]))
    tag == "csc" && return CscLayout(integer(l["nnz"]))
    tag == "csf" && return CsfLayout(integer(l["nnz"]), Tuple(l["mode_order"]) .+ 1)
    tag == "block_paged" && return BlockPagedLayout(
        l["page_size"], integer(l["num_pages"]), l["paged_axis"] + 1, l["num_seqs"]; kv_role = symbol(l["kv_role"]),
        layer_index = get(l, "layer_index", nothing),
        index_type = l["block_table_index_type"] == "uint64" ? UInt64 : UInt32,
    )
    tag == "composite" && return CompositeLayout(symbol(l["rule"]), symbol(l["combine_op"]), l["member_count"])
    haskey(l, "layout_id") && return PrivateLayout(tag, integer(l["layout_id"]), unhex(l["data"]))
    return UnknownLayout(tag, unhex(l["unknown_data"]))
end

function tiled_in(levels, k)
    one = levels[k]
    strides(key) = get(one, key, nothing) === nothing ? nothing : integers(one[key])
    return TiledLayout(
        integers(one["tile_shape"]); outer_layout = symbol(one["outer"]), inner_layout = symbol(one["inner"]),
        outer_strides = strides("outer_strides"), inner_strides = strides("inner_strides"),
        inner = k < length(levels) ? tiled_in(levels, k + 1) : nothing,
    )
end

one_based(index) = index === nothing ? nothing : index + 1

function scheme_in(q)
    scheme = q["scheme"]
    scales = get(q, "scale_buffer", 0) + 1
    points = one_based(get(q, "zero_point_buffer", nothing))
    scheme == "per_tensor_affine" && return PerTensorAffine(real_of(q["scale"]), q["zero_point"])
    scheme == "per_channel_affine" && return PerChannelAffine(
        q["axis"] + 1; scale_buffer = scales, zero_point_buffer = points, scale_type = element(q["scale_type"]),
    )
    scheme == "per_block_affine" && return PerBlockAffine(
        q["axis"] + 1, q["block_size"]; scale_buffer = scales, zero_point_buffer = points,
        scale_type = element(q["scale_type"]),
    )
    scheme == "nf4" && return NF4(q["axis"] + 1, q["block_size"]; scale_buffer = scales)
    scheme == "mxfp" && return MXFP(q["axis"] + 1, q["block_size"]; scale_buffer = scales)
    return UnknownScheme(scheme, q["version"], q["flags"], unhex(q["unknown_data"]))
end

function statistics_in(s)
    value(f) = (given = s[string(f)]; f === :nnz ? integer(given) : given isa AbstractString ? real_of(given) : given)
    return Statistics(; (f => value(f) for f in fieldnames(Statistics) if get(s, string(f), nothing) !== nothing)...)
end

# Element type, shape, and the keywords of what else a descriptor has.
function descriptor_in(d)
    given(key, form) = (value = get(d, key, nothing); value === nothing ? nothing : form(value))
    return element(d["dtype"]), shape_of(d["shape"]), (
        layout = layout_in(d["layout"]),
        byte_offset = integer(d["byte_offset"]),
        quantization = given("quantization", scheme_in),
        shard = given("shard", s -> Shard(integers(s["parent_shape"]), integers(s["offset"]))),
        statistics = given("statistics", statistics_in),
        extension_type = given("extension_type", e -> ExtensionType(; (Symbol(key) => value for (key, value) in e)...)),
        member_role = given("member_role", symbol),
    )
end

# ---- items

item_out(t::Tensor) = Dict{String,Any}(
    "tensor" => descriptor_out(t), "data" => [hex(Hurray.memory(b)) for b in Hurray.buffers(t)],
)
item_out(c::Composite) =
    Dict{String,Any}("composite" => descriptor_out(c), "members" => [item_out(member) for member in c])

function item_out(alone::Hurray.DescriptorItem)
    out = Dict{String,Any}("descriptor" => descriptor_out(Descriptor(alone)))
    data = Hurray.data(alone)
    data === nothing || (out["data"] = hex(Hurray.memory(first(Hurray.buffers(data)))))
    return out
end

function item_in(item)
    if haskey(item, "composite")
        type, shape, rest = descriptor_in(item["composite"])
        members = [item_in(member) for member in item["members"]]
        return Composite(Descriptor(type, shape; rest..., buffers = ()), members)
    end
    type, shape, rest = descriptor_in(item["tensor"])
    return Tensor(type, shape, [Hurray.Buffer(unhex(data)) for data in item["data"]]; rest...)
end

const KV_TYPES = (
    Bool => "bool", Int64 => "int64", UInt64 => "uint64", Float64 => "float64", String => "string",
    Vector{UInt8} => "bytes",
)
kv_value(x::Bool) = x
kv_value(x::Integer) = wide(x)
kv_value(x::Float64) = double(x)
kv_value(x::String) = x
kv_value(x::Vector{UInt8}) = hex(x)

function kv_out((key, value))
    for (type, name) in KV_TYPES
        value isa type &&
            return Dict{String,Any}("key" => key, "type" => name, "array" => false, "value" => kv_value(value))
        value isa Vector{type} &&
            return Dict{String,Any}("key" => key, "type" => name, "array" => true, "value" => kv_value.(value))
    end
    error("a value of $(typeof(value))")
end

function kv_in(entry)
    forms = Dict("bool" => identity, "int64" => x -> parse(Int64, x), "uint64" => x -> parse(UInt64, x),
                 "float64" => real_of, "string" => identity, "bytes" => unhex)
    types = Dict(name => type for (type, name) in KV_TYPES)
    form = forms[entry["type"]]
    entry["array"] || return form(entry["value"])
    return types[entry["type"]][form(x) for x in entry["value"]]
end
