# All fields of a descriptor in one call, and fields on their way into one.

# Identifier | level << 32, to a number, an array of numbers or bytes.
const Fields = Dict{UInt64,Any}

key(field::Integer, level::Integer = 0) = UInt64(field) | UInt64(level) << 32

function fields_of(descriptor)
    words = array_of((out, len) -> hurray_descriptor_fields(descriptor, out, len), UInt64, 512)
    fields = Fields()
    at = 1
    while at < length(words)
        head, count = words[at], Int(words[at + 1])
        kind = head >> 48
        used = kind == 6 ? cld(count, 8) : count
        data = words[(at + 2):(at + 1 + used)]
        fields[head & 0xffff_ffff_ffff] = field_value(kind, data, count)
        at += 2 + used
    end
    return fields
end

# Kinds that are not known are of a newer library, and no part of what is asked for here.
function field_value(kind::UInt64, data::Vector{UInt64}, count::Int)
    kind == 1 && return data[1]
    kind == 2 && return reinterpret(Int64, data[1])
    kind == 3 && return reinterpret(Float64, data[1])
    kind == 4 && return data
    kind == 5 && return collect(reinterpret(Int64, data))
    return collect(reinterpret(UInt8, data))[1:count]
end

# A number as Julia's own kind of integer, where it fits.
whole(x::UInt64) = x <= typemax(Int) ? Int(x) : x
dimension(x::UInt64) = x == typemax(UInt64) ? nothing : whole(x)
wholes(values::Vector{UInt64}) = Tuple(whole.(values))

# One field to write: kind (as in `fields_of`), identifier, level, value.
struct Field
    kind::Int
    number::UInt32
    level::UInt32
    value::Any
end

u64(number, value, level = 0) = Field(1, number, level, UInt64(value))
i64(number, value, level = 0) = Field(2, number, level, Int64(value))
f64(number, value, level = 0) = Field(3, number, level, Float64(value))
u64s(number, values, level = 0) = Field(4, number, level, collect(UInt64, values))
i64s(number, values, level = 0) = Field(5, number, level, collect(Int64, values))
bytes(number, values, level = 0) = Field(6, number, level, collect(UInt8, values))
tag(number, space, name, level = 0) = Field(1, number, level, UInt64(tag_of(space, name)))
