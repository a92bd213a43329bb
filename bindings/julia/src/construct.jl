# Tensors of Julia's arrays.

# `shape`, `byte_strides` (or `nothing`) and the address of a language's own array, with what keeps it alive.
function wrap(type::ElementType, shape::Vector{UInt64}, byte_strides, data::Ptr, value;
              copy::Union{Nothing,Bool} = nothing, flags::Integer = 0)
    options = copy === nothing ? nothing : Options(copy_setting(copy))
    root = keep(value)
    out = Ref{Ptr{HurrayTensor}}(C_NULL)
    status = hurray_tensor_from_array(
        type.tag, shape, length(shape), byte_strides === nothing ? C_NULL : byte_strides, data,
        HURRAY_DEVICE_CPU, HURRAY_MEMORY_STANDARD, 0, flags, options === nothing ? C_NULL : options,
        owner_pointer(root), owner_release(), out,
    )
    if status < 0
        failure = last_error(status, HurrayError)
        let_go(root)
        throw(failure)
    end
    options === nothing || close(options)
    return Tensor(out[])
end

# An array and where its elements are: what has an address and one stride an axis.
strides_of(array::StridedArray) = strides(array)
strides_of(array::TensorArray) = strides(array)
strides_of(array::PermutedDimsArray{T,N,perm}) where {T,N,perm} =
    (inner = strides_of(parent(array)); ntuple(k -> inner[perm[k]], N))
strides_of(array) = throw(UnsupportedError(
    HURRAY_ERR_UNSUPPORTED, "a $(nameof(typeof(array))) has no memory to share; Tensor(collect(array)) copies it",
))

first_element(array) = pointer(array)
first_element(array::PermutedDimsArray) = first_element(parent(array))

# While memory is shared, a Vector must not move: as a reshaped array it refuses to grow (Julia up to 1.10), or leaves
# the old memory to the tensor (from 1.11).
pinned(array) = array
pinned(array::Vector) = reshape(array, length(array), 1)

function Tensor(array::AbstractArray{T,N}; copy::Union{Nothing,Bool} = nothing, readonly::Bool = false) where {T,N}
    type = ElementType(T)
    steps = strides_of(array)
    shape = UInt64[size(array)...]
    byte_strides = Int64[step * sizeof(T) for step in steps]
    readonly = readonly || array isa TensorArray && isreadonly(array)
    return GC.@preserve array wrap(
        type, shape, byte_strides, first_element(array), pinned(array);
        copy = copy, flags = readonly ? HURRAY_BUFFER_READ_ONLY : 0,
    )
end

# Truth values are bytes in an `Array{Bool}` and bits in the format; a BitVector has them as the format does.
function Tensor(array::AbstractArray{Bool,N}; copy::Union{Nothing,Bool} = nothing, readonly::Bool = false) where {N}
    in_place = array isa BitVector && copy !== true
    in_place || copy !== false || throw(CopyRequiredError(
        HURRAY_ERR_COPY_REQUIRED,
        "truth values are packed eight to a byte: that takes a copy, which copy = false forbids",
    ))
    bits = in_place ? array : BitArray(N > 1 ? permutedims(array, N:-1:1) : array)
    flags = readonly ? HURRAY_BUFFER_READ_ONLY : 0
    in_place || (flags |= copy === true ? HURRAY_BUFFER_COPIED_ON_REQUEST : HURRAY_BUFFER_COPIED_PACKING)
    shape = UInt64[size(array)...]
    chunks = bits.chunks
    return GC.@preserve chunks wrap(
        ElementType(HURRAY_TYPE_BOOL), shape, nothing, pointer(chunks), pinned(chunks); flags = flags,
    )
end

"""
    Tensor(type, shape, bytes::Vector{UInt8}; copy = nothing, readonly = false)

A row-major tensor of elements that are in `bytes` as the format has them, in place: for types that Julia has no array
of.
"""
function Tensor(
    type::Union{ElementType,Type,Symbol}, dims, bytes::Vector{UInt8}; copy::Union{Nothing,Bool} = nothing,
    readonly::Bool = false,
)
    element, shape = ElementType(type), UInt64[dims...]
    needed = packed_bytes(element, prod(shape))
    length(bytes) >= needed || throw(BufferError(
        HURRAY_ERR_BUFFER_MISMATCH, "$needed bytes are needed, and there are $(length(bytes))",
    ))
    flags = readonly ? HURRAY_BUFFER_READ_ONLY : 0
    return GC.@preserve bytes wrap(element, shape, nothing, pointer(bytes), pinned(bytes); copy = copy, flags = flags)
end

"""
    Tensor(array, quantization, parameters...; copy = nothing)

A quantized tensor: `array` are the codes, `parameters` the scales and, if the scheme has them, the zero points, each an
array or a [`Buffer`](@ref Hurray.Buffer). Codes are wrapped in place; parameters where they begin at a multiple of 64
bytes, else they are copied.
"""
function Tensor(array::AbstractArray, scheme::Quantization, parameters...; copy::Union{Nothing,Bool} = nothing)
    plain = Tensor(array; copy = copy)
    aux = [parameter isa Buffer ? parameter : Buffer(parameter; copy = copy) for parameter in parameters]
    all_buffers = [buffers(plain); aux]
    quantized = Tensor(
        element_type(plain), shape(plain), all_buffers;
        layout = layout(plain), byte_offset = byte_offset(plain), quantization = scheme,
    )
    foreach(close, all_buffers)
    close(plain)
    return quantized
end
