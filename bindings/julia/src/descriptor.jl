# Descriptors: what a tensor is, without its data.

"""
    Descriptor(bytes; permissive = false)
    Descriptor(type, shape; ...)

A validated descriptor, decoded from bytes (what follows it in `bytes` is left alone) or built of values (see
[`build`](@ref Hurray.build)). `permissive` keeps what is not understood as opaque parts instead of refusing it.

`Hurray.element_type`, `shape`, `layout`, `quantization`, `statistics`, `shard`, `extension_type`, `member_role`,
`byte_offset`, `buffer_table` and `format_version` read it; `encode` gives the bytes, `annotate` a table for people.
"""
mutable struct Descriptor <: Handle
    pointer::Ptr{HurrayDescriptor}
    # What a borrowed descriptor belongs to: a share of its own.
    lender::Union{Nothing,Handle}
    Descriptor(pointer::Ptr{HurrayDescriptor}) = adopt(new(pointer, nothing))
    Descriptor(pointer::Ptr{HurrayDescriptor}, lender::Handle) = new(pointer, lender)
end

Base.unsafe_convert(::Type{Ptr{HurrayDescriptor}}, descriptor::Descriptor) = pointer_of(descriptor)

function Descriptor(bytes::AbstractVector{UInt8}; permissive::Bool = false)
    data = convert(Vector{UInt8}, bytes)
    flags = permissive ? HURRAY_DECODE_PERMISSIVE : 0
    return made(out -> hurray_descriptor_decode_with(data, length(data), flags, out), Descriptor, HurrayDescriptor)
end

function Base.close(descriptor::Descriptor)
    lender, pointer = descriptor.lender, descriptor.pointer
    descriptor.pointer, descriptor.lender = C_NULL, nothing
    lender === nothing || return close(lender)
    pointer == C_NULL || check(destroy(pointer))
    return nothing
end

# What has a descriptor hands its raw pointer to `call`, and stays alive for so long. Tensors and composites add
# methods.
described(call, descriptor::Descriptor) = GC.@preserve descriptor call(pointer_of(descriptor))

"""
    encode(x) -> Vector{UInt8}

The descriptor's bytes: the very bytes that were decoded, or what the builder wrote.
"""
encode(x) = described(d -> array_of((out, len) -> hurray_descriptor_encode(d, out, len), UInt8, 256), x)

"The descriptor's bytes as a table for people: on each line the offset, up to 16 bytes, and what they are."
annotate(x) = described(d -> text_of((out, len) -> hurray_descriptor_annotate(d, out, len)), x)

"The element type, an [`ElementType`](@ref)."
element_type(x) = ElementType(
    described(d -> value_of(out -> hurray_descriptor_element_type_tag(d, out), UInt8), x),
)

"""
    shape(x) -> Tuple

The dimensions in the order of the format; `nothing` is a dynamic one.
"""
shape(x) = Tuple(
    dimension.(described(d -> array_of((out, len) -> hurray_descriptor_shape(d, out, len), UInt64), x)),
)

Base.ndims(x::Descriptor) = rank(x)
rank(x) = Int(described(d -> value_of(out -> hurray_descriptor_rank(d, out), UInt32), x))

"Where, in bytes from the start of the first buffer, the element at index zero lies."
byte_offset(x) = whole(described(d -> value_of(out -> hurray_descriptor_byte_offset(d, out), UInt64), x))

"How many buffers the descriptor demands."
buffer_count(x) = Int(described(d -> value_of(out -> hurray_descriptor_buffer_count(d, out), UInt32), x))

fields(x) = described(fields_of, x)

"The layout, a [`Layout`](@ref Hurray.Layout)."
layout(x) = layout_of(fields(x))
"The quantization scheme, a [`Quantization`](@ref Hurray.Quantization), or `nothing`."
quantization(x) = quantization_of(fields(x))
"The statistics, or `nothing`."
statistics(x) = statistics_of(fields(x))
"The box of a larger tensor that this is, or `nothing`."
shard(x) = shard_of(fields(x))
"What the private element type looks like, or `nothing`."
extension_type(x) = extension_type_of(fields(x))
"The role in a composite, `:base` or `:correction`, or `nothing`."
member_role(x) = member_role_of(fields(x))
"The buffers that the descriptor demands, as [`BufferEntry`](@ref Hurray.BufferEntry)s."
buffer_table(x) = buffer_table_of(fields(x))

"The version of the format that the descriptor was written in."
function format_version(x)
    found = fields(x)
    return VersionNumber(found[key(HURRAY_HEADER_FIELD_VERSION_MAJOR)], found[key(HURRAY_HEADER_FIELD_VERSION_MINOR)])
end

"The number of elements, zeros of a sparse tensor included; `nothing` with dynamic dimensions."
function element_count(x)
    found = get(fields(x), key(HURRAY_HEADER_FIELD_ELEMENT_COUNT), nothing)
    return found === nothing ? nothing : whole(found)
end

describe(x) = described(d -> text_of((out, len) -> hurray_descriptor_describe(d, out, len)), x)

Base.:(==)(a::Descriptor, b::Descriptor) = encode(a) == encode(b)
Base.hash(x::Descriptor, h::UInt) = hash(encode(x), hash(Descriptor, h))

Base.show(io::IO, x::Descriptor) = print(io, "Descriptor(", isopen(x) ? describe(x) : "closed", ")")
