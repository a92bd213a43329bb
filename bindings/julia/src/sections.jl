# Optional sections of a descriptor, and its buffer table.

"What the producer computed of the values; `nothing` is a value that it did not compute."
Base.@kwdef struct Statistics
    nnz::Union{Nothing,Integer} = nothing
    sparsity_ratio::Union{Nothing,Float64} = nothing
    min::Union{Nothing,Float64} = nothing
    max::Union{Nothing,Float64} = nothing
    abs_max::Union{Nothing,Float64} = nothing
    mean::Union{Nothing,Float64} = nothing
    stddev::Union{Nothing,Float64} = nothing
    nm_n::Union{Nothing,Int} = nothing
    nm_m::Union{Nothing,Int} = nothing
    has_nan::Union{Nothing,Bool} = nothing
    has_inf::Union{Nothing,Bool} = nothing
end

"""
The box of a larger tensor that this one is: the parent's shape, and how many indices of each axis lie before the box.
"""
struct Shard
    parent_shape::Tuple
    offset::Tuple
    Shard(parent_shape, offset) = new(Tuple(parent_shape), Tuple(offset))
end

"What a private element type (tag `0xf0` to `0xfe`) looks like. Widths are in bits."
Base.@kwdef struct ExtensionType
    bit_width::Int
    packing_factor::Int = 1
    is_float::Bool = false
    is_signed::Bool = false
    sign_bits::Int = 0
    exponent_bits::Int = 0
    mantissa_bits::Int = 0
    exponent_bias::Int = 0
    has_nan::Bool = false
    has_inf::Bool = false
end

"What a descriptor declares of one buffer: bytes, alignment in bytes, where it is, sync mode, and what it holds."
struct BufferEntry
    byte_size::UInt64
    alignment::Int
    device::Symbol
    sync_mode::Symbol
    memory_class::Symbol
    role::Symbol
    role_level::Int
end

const STATISTICS_FIELDS = (
    :nnz => HURRAY_STATS_FIELD_NNZ,
    :sparsity_ratio => HURRAY_STATS_FIELD_SPARSITY_RATIO,
    :min => HURRAY_STATS_FIELD_MIN,
    :max => HURRAY_STATS_FIELD_MAX,
    :abs_max => HURRAY_STATS_FIELD_ABS_MAX,
    :mean => HURRAY_STATS_FIELD_MEAN,
    :stddev => HURRAY_STATS_FIELD_STDDEV,
    :nm_n => HURRAY_STATS_FIELD_NM_N,
    :nm_m => HURRAY_STATS_FIELD_NM_M,
    :has_nan => HURRAY_STATS_FIELD_HAS_NAN,
    :has_inf => HURRAY_STATS_FIELD_HAS_INF,
)

const EXTENSION_FIELDS = (
    :bit_width => HURRAY_EXT_TYPE_FIELD_BIT_WIDTH,
    :packing_factor => HURRAY_EXT_TYPE_FIELD_PACKING_FACTOR,
    :is_float => HURRAY_EXT_TYPE_FIELD_IS_FLOAT,
    :is_signed => HURRAY_EXT_TYPE_FIELD_IS_SIGNED,
    :sign_bits => HURRAY_EXT_TYPE_FIELD_SIGN_BITS,
    :exponent_bits => HURRAY_EXT_TYPE_FIELD_EXPONENT_BITS,
    :mantissa_bits => HURRAY_EXT_TYPE_FIELD_MANTISSA_BITS,
    :exponent_bias => HURRAY_EXT_TYPE_FIELD_EXPONENT_BIAS,
    :has_nan => HURRAY_EXT_TYPE_FIELD_HAS_NAN,
    :has_inf => HURRAY_EXT_TYPE_FIELD_HAS_INF,
)

number_field(number, value::Integer) = u64(number, value)
number_field(number, value::AbstractFloat) = f64(number, value)

written(x::Statistics) =
    [number_field(number, getfield(x, name)) for (name, number) in STATISTICS_FIELDS if getfield(x, name) !== nothing]
written(x::Shard) =
    [u64s(HURRAY_SHARD_FIELD_PARENT_SHAPE, x.parent_shape), u64s(HURRAY_SHARD_FIELD_OFFSET, x.offset)]
written(x::ExtensionType) = [u64(number, getfield(x, name)) for (name, number) in EXTENSION_FIELDS]
written(::Nothing) = Field[]

plain(value::UInt64) = whole(value)
plain(value) = value

function statistics_of(fields::Fields)
    haskey(fields, key(HURRAY_STATS_FIELD_COMPUTED_MASK)) || return nothing
    found = [name => plain(fields[key(number)]) for (name, number) in STATISTICS_FIELDS if haskey(fields, key(number))]
    return Statistics(; found...)
end

function shard_of(fields::Fields)
    haskey(fields, key(HURRAY_SHARD_FIELD_PARENT_SHAPE)) || return nothing
    return Shard(wholes(fields[key(HURRAY_SHARD_FIELD_PARENT_SHAPE)]), wholes(fields[key(HURRAY_SHARD_FIELD_OFFSET)]))
end

function extension_type_of(fields::Fields)
    haskey(fields, key(HURRAY_EXT_TYPE_FIELD_BIT_WIDTH)) || return nothing
    found = [name => fields[key(number)] for (name, number) in EXTENSION_FIELDS if haskey(fields, key(number))]
    return ExtensionType(; found...)
end

function member_role_of(fields::Fields)
    role = get(fields, key(HURRAY_MEMBER_FIELD_ROLE), nothing)
    return role === nothing ? nothing : named(HURRAY_SPACE_MEMBER_ROLE, role)
end

function buffer_table_of(fields::Fields)
    count = Int(get(fields, key(HURRAY_HEADER_FIELD_BUFFER_COUNT), 0))
    return map(0:(count - 1)) do level
        at(field) = get(fields, key(field, level), UInt64(0))
        BufferEntry(
            at(HURRAY_BUFFER_FIELD_BYTE_SIZE),
            at(HURRAY_BUFFER_FIELD_ALIGNMENT),
            named(HURRAY_SPACE_DEVICE, at(HURRAY_BUFFER_FIELD_DEVICE_TAG)),
            named(HURRAY_SPACE_SYNC_MODE, at(HURRAY_BUFFER_FIELD_SYNC_MODE)),
            named(HURRAY_SPACE_MEMORY_CLASS, at(HURRAY_BUFFER_FIELD_MEMORY_CLASS)),
            Symbol(something(tag_name(HURRAY_SPACE_BUFFER_ROLE, at(HURRAY_BUFFER_FIELD_ROLE)), "unknown")),
            at(HURRAY_BUFFER_FIELD_ROLE_LEVEL),
        )
    end
end
