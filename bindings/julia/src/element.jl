# Element types, and the Julia types for them.

"""
    ElementType(tag::Integer)
    ElementType(T::Type)
    ElementType(name::Symbol)

An element type of the format: by its tag, by the Julia type that its elements are, or by its name (`:bfloat16`).
"""
struct ElementType
    tag::UInt8
    ElementType(tag::Integer) = new(tag)
end
ElementType(type::ElementType) = type
ElementType(name::Symbol) = ElementType(tag_of(HURRAY_SPACE_ELEMENT_TYPE, name))

Base.nameof(type::ElementType) = named(HURRAY_SPACE_ELEMENT_TYPE, type.tag)
Base.show(io::IO, type::ElementType) = print(io, "ElementType(", repr(nameof(type)), ")")

function info(type::ElementType)
    bits, alignment, kind = Ref{UInt32}(0), Ref{UInt32}(0), Ref{UInt32}(0)
    check(hurray_element_type_info(type.tag, bits, alignment, kind))
    return (bits = Int(bits[]), alignment = Int(alignment[]), kind = Int(kind[]))
end

"Bits of one element. Throws for a private type, whose width is in its descriptor."
bit_width(type::ElementType) = info(type).bits
"Whether elements are narrower than a byte, and so are packed."
is_sub_byte(type::ElementType) = info(type).kind & HURRAY_KIND_SUB_BYTE != 0
"Bytes of `count` elements that lie one behind the other, packed as the format packs them."
packed_bytes(type::ElementType, count::Integer) =
    Int(value_of(out -> hurray_element_type_bytes(type.tag, count, out), UInt64))

# ---- types that Julia lacks: bits, and what number they are

"A floating-point type that Julia has only as bits here. `Float32(x)` is its value; `reinterpret` gives the bits."
abstract type NarrowFloat <: AbstractFloat end

"16-bit float with 8 exponent bits: the upper half of a `Float32`."
primitive type BFloat16 <: NarrowFloat 16 end
"8-bit float with 4 exponent and 3 fraction bits; no infinity."
primitive type Float8E4M3 <: NarrowFloat 8 end
"8-bit float with 5 exponent and 2 fraction bits: the upper half of a `Float16`."
primitive type Float8E5M2 <: NarrowFloat 8 end
"8-bit power of two; no sign, no zero."
primitive type Float8E8M0 <: NarrowFloat 8 end
"128-bit IEEE float, as bits: Julia has no arithmetic for it."
primitive type Float128 128 end

Base.Float32(x::BFloat16) = reinterpret(Float32, UInt32(reinterpret(UInt16, x)) << 16)
Base.Float32(x::Float8E5M2) = Float32(reinterpret(Float16, UInt16(reinterpret(UInt8, x)) << 8))
function Base.Float32(x::Float8E8M0)
    bits = reinterpret(UInt8, x)
    return bits == 0xff ? NaN32 : ldexp(1.0f0, Int(bits) - 127)
end
function Base.Float32(x::Float8E4M3)
    bits = reinterpret(UInt8, x)
    sign = bits & 0x80 == 0 ? 1.0f0 : -1.0f0
    exponent, fraction = Int(bits >> 3 & 0x0f), Int(bits & 0x07)
    exponent == 15 && fraction == 7 && return NaN32
    exponent == 0 && return sign * ldexp(Float32(fraction), -9)
    return sign * ldexp(Float32(8 + fraction), exponent - 10)
end
Base.Float64(x::NarrowFloat) = Float64(Float32(x))

"The nearest `BFloat16`, ties to even; a NaN stays one."
function BFloat16(x::Float32)
    bits = reinterpret(UInt32, x)
    isnan(x) && return reinterpret(BFloat16, UInt16(bits >> 16) | 0x0040)
    return reinterpret(BFloat16, ((bits + 0x7fff + (bits >> 16 & 0x01)) >> 16) % UInt16)
end
BFloat16(x::Real) = BFloat16(Float32(x))

Base.isnan(x::NarrowFloat) = isnan(Float32(x))
Base.isfinite(x::NarrowFloat) = isfinite(Float32(x))
Base.promote_rule(::Type{<:NarrowFloat}, ::Type{Float32}) = Float32
Base.promote_rule(::Type{<:NarrowFloat}, ::Type{Float64}) = Float64
Base.show(io::IO, x::NarrowFloat) = print(io, nameof(typeof(x)), '(', Float32(x), ')')
Base.show(io::IO, x::Float128) = print(io, "Float128(0x", string(reinterpret(UInt128, x); base = 16, pad = 32), ')')

const JULIA_TYPES = (
    HURRAY_TYPE_FLOAT16 => Float16,
    HURRAY_TYPE_BFLOAT16 => BFloat16,
    HURRAY_TYPE_FLOAT32 => Float32,
    HURRAY_TYPE_FLOAT64 => Float64,
    HURRAY_TYPE_INT8 => Int8,
    HURRAY_TYPE_UINT8 => UInt8,
    HURRAY_TYPE_INT16 => Int16,
    HURRAY_TYPE_UINT16 => UInt16,
    HURRAY_TYPE_INT32 => Int32,
    HURRAY_TYPE_UINT32 => UInt32,
    HURRAY_TYPE_INT64 => Int64,
    HURRAY_TYPE_UINT64 => UInt64,
    HURRAY_TYPE_FLOAT8_E4M3 => Float8E4M3,
    HURRAY_TYPE_FLOAT8_E5M2 => Float8E5M2,
    HURRAY_TYPE_FLOAT8_E8M0 => Float8E8M0,
    HURRAY_TYPE_FLOAT128 => Float128,
    HURRAY_TYPE_COMPLEX64 => ComplexF32,
    HURRAY_TYPE_COMPLEX128 => ComplexF64,
)

for (tag, type) in JULIA_TYPES
    @eval ElementType(::Type{$type}) = ElementType($tag)
end
ElementType(::Type{Bool}) = ElementType(HURRAY_TYPE_BOOL)
@noinline ElementType(::Type{T}) where {T} = throw(
    UnsupportedError(HURRAY_ERR_UNSUPPORTED, "the format has no element type for $T"),
)

"""
    julia_type(type::ElementType) -> Union{Type,Nothing}

The Julia type of one element in memory, or `nothing` for packed and private types.
"""
function julia_type(type::ElementType)
    for (tag, found) in JULIA_TYPES
        tag == type.tag && return found
    end
    return nothing
end
