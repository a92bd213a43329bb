# Quantization schemes: how stored codes become real numbers. Axes and indices of buffers count from 1.

"What all schemes derive from; `Hurray.quantization(x)` gives one, or `nothing` for plain numbers."
abstract type Quantization end

"`scale * (code - zero_point)`."
struct PerTensorAffine <: Quantization
    scale::Float32
    zero_point::Int
end
PerTensorAffine(scale) = PerTensorAffine(scale, 0)

"""
`scale[c] * (code - zero_point[c])`, where `c` is the index along `axis`. Scales and zero points (`nothing`: there are
none) are buffers of the tensor, of which the first is 1.
"""
struct PerChannelAffine <: Quantization
    axis::Int
    scale_buffer::Int
    zero_point_buffer::Union{Nothing,Int}
    scale_type::ElementType
end
PerChannelAffine(axis; scale_buffer = 2, zero_point_buffer = nothing, scale_type = Float32) =
    PerChannelAffine(axis, scale_buffer, zero_point_buffer, ElementType(scale_type))

"As `PerChannelAffine`, with parameters for each block of `block_size` elements along `axis`."
struct PerBlockAffine <: Quantization
    axis::Int
    block_size::Int
    scale_buffer::Int
    zero_point_buffer::Union{Nothing,Int}
    scale_type::ElementType
end
PerBlockAffine(axis, block_size; scale_buffer = 2, zero_point_buffer = nothing, scale_type = Float32) =
    PerBlockAffine(axis, block_size, scale_buffer, zero_point_buffer, ElementType(scale_type))

"16 fixed levels times a `Float32` scale for each block of `block_size` elements along `axis`."
struct NF4 <: Quantization
    axis::Int
    block_size::Int
    scale_buffer::Int
end
NF4(axis, block_size; scale_buffer = 2) = NF4(axis, block_size, scale_buffer)

"Narrow numbers times a power of two (`Float8E8M0`) for each `block_size` elements along `axis`."
struct MXFP <: Quantization
    axis::Int
    block_size::Int
    scale_buffer::Int
end
MXFP(axis, block_size; scale_buffer = 2) = MXFP(axis, block_size, scale_buffer)

"A scheme that this library does not know, read permissively; its codes cannot be made numbers."
struct UnknownScheme <: Quantization
    tag::UInt8
    version::UInt8
    flags::UInt64
    data::Vector{UInt8}
end

scheme_tag(::PerTensorAffine) = HURRAY_SCHEME_PER_TENSOR_AFFINE
scheme_tag(::PerChannelAffine) = HURRAY_SCHEME_PER_CHANNEL_AFFINE
scheme_tag(::PerBlockAffine) = HURRAY_SCHEME_PER_BLOCK_AFFINE
scheme_tag(::NF4) = HURRAY_SCHEME_NF4
scheme_tag(::MXFP) = HURRAY_SCHEME_MXFP
scheme_tag(scheme::UnknownScheme) = scheme.tag

"The scheme's name, as the format has it: `:per_channel_affine`."
Base.nameof(scheme::Quantization) = named(HURRAY_SPACE_SCHEME, scheme_tag(scheme))

Base.:(==)(a::UnknownScheme, b::UnknownScheme) =
    all(getfield(a, f) == getfield(b, f) for f in fieldnames(UnknownScheme))
Base.hash(x::UnknownScheme, h::UInt) = hash(x.data, hash(x.tag, h))

# ---- into a descriptor

written(x::PerTensorAffine) = [
    u64(HURRAY_QUANT_FIELD_SCHEME, scheme_tag(x)),
    f64(HURRAY_QUANT_FIELD_PER_TENSOR_SCALE, x.scale),
    i64(HURRAY_QUANT_FIELD_PER_TENSOR_ZERO_POINT, x.zero_point),
]

function written(x::PerChannelAffine)
    fields = [
        u64(HURRAY_QUANT_FIELD_SCHEME, scheme_tag(x)),
        u64(HURRAY_QUANT_FIELD_PER_CHANNEL_AXIS, x.axis - 1),
        u64(HURRAY_QUANT_FIELD_PER_CHANNEL_SCALE_BUFFER, x.scale_buffer - 1),
        u64(HURRAY_QUANT_FIELD_PER_CHANNEL_SCALE_TYPE, x.scale_type.tag),
    ]
    x.zero_point_buffer === nothing ||
        push!(fields, u64(HURRAY_QUANT_FIELD_PER_CHANNEL_ZERO_POINT_BUFFER, x.zero_point_buffer - 1))
    return fields
end

function written(x::PerBlockAffine)
    fields = [
        u64(HURRAY_QUANT_FIELD_SCHEME, scheme_tag(x)),
        u64(HURRAY_QUANT_FIELD_PER_BLOCK_AXIS, x.axis - 1),
        u64(HURRAY_QUANT_FIELD_PER_BLOCK_BLOCK_SIZE, x.block_size),
        u64(HURRAY_QUANT_FIELD_PER_BLOCK_SCALE_BUFFER, x.scale_buffer - 1),
        u64(HURRAY_QUANT_FIELD_PER_BLOCK_SCALE_TYPE, x.scale_type.tag),
    ]
    x.zero_point_buffer === nothing ||
        push!(fields, u64(HURRAY_QUANT_FIELD_PER_BLOCK_ZERO_POINT_BUFFER, x.zero_point_buffer - 1))
    return fields
end

written(x::NF4) = [
    u64(HURRAY_QUANT_FIELD_SCHEME, scheme_tag(x)),
    u64(HURRAY_QUANT_FIELD_NF4_AXIS, x.axis - 1),
    u64(HURRAY_QUANT_FIELD_NF4_BLOCK_SIZE, x.block_size),
    u64(HURRAY_QUANT_FIELD_NF4_SCALE_BUFFER, x.scale_buffer - 1),
]

written(x::MXFP) = [
    u64(HURRAY_QUANT_FIELD_SCHEME, scheme_tag(x)),
    u64(HURRAY_QUANT_FIELD_MXFP_AXIS, x.axis - 1),
    u64(HURRAY_QUANT_FIELD_MXFP_BLOCK_SIZE, x.block_size),
    u64(HURRAY_QUANT_FIELD_MXFP_SCALE_BUFFER, x.scale_buffer - 1),
]

written(x::UnknownScheme) = [
    u64(HURRAY_QUANT_FIELD_SCHEME, x.tag),
    u64(HURRAY_QUANT_FIELD_SCHEME_VERSION, x.version),
    u64(HURRAY_QUANT_FIELD_FLAGS, x.flags),
    bytes(HURRAY_QUANT_FIELD_UNKNOWN_DATA, x.data),
]

# ---- out of a descriptor

function quantization_of(fields::Fields)
    number = get(fields, key(HURRAY_QUANT_FIELD_SCHEME), nothing)
    number === nothing && return nothing
    at(field) = fields[key(field)]
    index(field) = (found = get(fields, key(field), nothing); found === nothing ? nothing : Int(found) + 1)
    number == HURRAY_SCHEME_PER_TENSOR_AFFINE && return PerTensorAffine(
        at(HURRAY_QUANT_FIELD_PER_TENSOR_SCALE), at(HURRAY_QUANT_FIELD_PER_TENSOR_ZERO_POINT),
    )
    number == HURRAY_SCHEME_PER_CHANNEL_AFFINE && return PerChannelAffine(
        index(HURRAY_QUANT_FIELD_PER_CHANNEL_AXIS),
        index(HURRAY_QUANT_FIELD_PER_CHANNEL_SCALE_BUFFER),
        index(HURRAY_QUANT_FIELD_PER_CHANNEL_ZERO_POINT_BUFFER),
        ElementType(at(HURRAY_QUANT_FIELD_PER_CHANNEL_SCALE_TYPE)),
    )
    number == HURRAY_SCHEME_PER_BLOCK_AFFINE && return PerBlockAffine(
        index(HURRAY_QUANT_FIELD_PER_BLOCK_AXIS),
        at(HURRAY_QUANT_FIELD_PER_BLOCK_BLOCK_SIZE),
        index(HURRAY_QUANT_FIELD_PER_BLOCK_SCALE_BUFFER),
        index(HURRAY_QUANT_FIELD_PER_BLOCK_ZERO_POINT_BUFFER),
        ElementType(at(HURRAY_QUANT_FIELD_PER_BLOCK_SCALE_TYPE)),
    )
    number == HURRAY_SCHEME_NF4 && return NF4(
        index(HURRAY_QUANT_FIELD_NF4_AXIS),
        at(HURRAY_QUANT_FIELD_NF4_BLOCK_SIZE),
        index(HURRAY_QUANT_FIELD_NF4_SCALE_BUFFER),
    )
    number == HURRAY_SCHEME_MXFP && return MXFP(
        index(HURRAY_QUANT_FIELD_MXFP_AXIS),
        at(HURRAY_QUANT_FIELD_MXFP_BLOCK_SIZE),
        index(HURRAY_QUANT_FIELD_MXFP_SCALE_BUFFER),
    )
    return UnknownScheme(
        number,
        at(HURRAY_QUANT_FIELD_SCHEME_VERSION),
        at(HURRAY_QUANT_FIELD_FLAGS),
        get(fields, key(HURRAY_QUANT_FIELD_UNKNOWN_DATA), UInt8[]),
    )
end
