# Tensors: a descriptor and its buffers, shared by handles.

@doc """
    Tensor(array; copy = nothing, readonly = false)
    Tensor(type, shape, buffers; ...)
    Tensor(descriptor, buffers)

A tensor: of an array's own memory, of buffers and what they mean (the keywords of [`build`](@ref Hurray.build)), or of
a descriptor and its buffers. `view(tensor)` gives its elements, `close` ends it.

`size`, `ndims`, `length` and what reads a `Descriptor` work on tensors too: `Hurray.layout(tensor)`.
""" Tensor

# Another handle on the same tensor.
share(tensor::Tensor) = made(out -> hurray_tensor_share(tensor, out), Tensor, HurrayTensor)

raw_descriptor(tensor::Tensor) = value_of(out -> hurray_tensor_descriptor(tensor, out), Ptr{HurrayDescriptor})

described(call, tensor::Tensor) = GC.@preserve tensor call(raw_descriptor(tensor))

"The descriptor of a tensor or of a composite's head; it stays valid after the tensor was closed."
function Descriptor(tensor::Tensor)
    lender = share(tensor)
    return Descriptor(raw_descriptor(lender), lender)
end

function Tensor(descriptor::Descriptor, buffers)
    list = BufferList(buffers)
    tensor = made(Tensor, HurrayTensor) do out
        hurray_tensor_from_descriptor(descriptor, list, C_NULL, C_NULL, out)
    end
    list.pointer = C_NULL  # consumed
    return tensor
end

Tensor(type::Union{ElementType,Type,Symbol}, dims, buffers; options...) =
    Tensor(build(type, dims; options..., buffers = buffers), buffers)

"""
    buffers(tensor) -> Vector{Buffer}

The tensor's buffers, in the order of its descriptor; each keeps the whole tensor alive.
"""
function buffers(tensor::Tensor)
    GC.@preserve tensor begin
        list = value_of(out -> hurray_tensor_buffers(tensor, out), Ptr{HurrayBufferList})
        count = value_of(out -> hurray_buffer_list_len(list, out), UInt64)
        return [share(borrowed(list, index)) for index in 1:count]
    end
end

# The first buffer, borrowed: for as long as the tensor is preserved.
first_buffer(tensor::Tensor) =
    borrowed(value_of(out -> hurray_tensor_buffers(tensor, out), Ptr{HurrayBufferList}), 1)

Base.ndims(tensor::Tensor) = rank(tensor)

function Base.size(tensor::Tensor)
    dims = shape(tensor)
    all(dim -> dim isa Int, dims) ||
        throw(UnsupportedError(HURRAY_ERR_UNSUPPORTED, "a dimension is dynamic, or beyond what Julia can count"))
    return dims
end
Base.size(tensor::Tensor, axis::Integer) = axis > ndims(tensor) ? 1 : size(tensor)[axis]
Base.length(tensor::Tensor) = prod(size(tensor))

"Bytes of all buffers that are the tensor's own."
Base.sizeof(tensor::Tensor) = reduce(+, (sizeof(one) - lead(one) for one in buffers(tensor)); init = 0)

"Whether the memory of some buffer must not be written to."
Base.isreadonly(tensor::Tensor) = any(isreadonly, buffers(tensor))

"Bytes that were copied when the tensor was made, for whatever reason: see [`copied`](@ref Hurray.copied)."
copied_bytes(tensor::Tensor) =
    reduce(+, (sizeof(one) - lead(one) for one in buffers(tensor) if !isempty(copied(one))); init = 0)

"""
    export_handle(tensor) -> Ptr{Cvoid}

A raw `HurrayTensor *` for another language in this process. It is a share of its own: whoever takes it must destroy
it, once, and keeps the memory alive until then, on any thread. The tensor here stays as it is.
"""
function export_handle(tensor::Tensor)
    handed = share(tensor)
    pointer = handed.pointer
    handed.pointer = C_NULL
    return Ptr{Cvoid}(pointer)
end

"""
    import_handle(pointer) -> Tensor

Takes a raw `HurrayTensor *` from another language, and with it the duty to destroy it. A handle of another C ABI
version is refused with an [`UnsupportedError`](@ref Hurray.UnsupportedError) that names both versions, and stays
whosever it was.
"""
function import_handle(pointer::Ptr)
    raw = Ptr{HurrayTensor}(pointer)
    version = value_of(out -> hurray_tensor_abi_version(raw, out), UInt32)
    version == HURRAY_C_ABI_VERSION || throw(UnsupportedError(
        HURRAY_ERR_VERSION_MISMATCH,
        "the tensor is of C ABI version $version, and $(library_path()) of version $HURRAY_C_ABI_VERSION",
    ))
    return Tensor(raw)
end

Base.show(io::IO, tensor::Tensor) = print(
    io, "Tensor(", isopen(tensor) ? text_of((out, len) -> hurray_tensor_describe(tensor, out, len)) : "closed", ")",
)
