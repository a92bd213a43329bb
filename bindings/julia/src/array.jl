# Views of tensors as Julia arrays.

"""
    TensorArray{T,N,order,writable} <: AbstractArray{T,N}

The elements of a dense tensor where they lie, at the same indices as in every other language (but from 1). Nothing is
copied or transposed: `order` says how the memory runs: `:column`, `:row`, `:strided`, or `:indexed` for tiles and
curves, where the library is asked for the place of each element. A view keeps the memory alive; the tensor may be
closed. Without `writable` there is no `setindex!`.

`Array(view)` copies into an array of Julia's own; `Hurray.memory(view)` is the memory in its own order.
"""
struct TensorArray{T,N,order,writable} <: AbstractArray{T,N}
    pointer::Ptr{T}
    size::NTuple{N,Int}
    strides::NTuple{N,Int}
    owner::Tensor
end

const ColumnArray{T,N,writable} = TensorArray{T,N,:column,writable}
const RowArray{T,N,writable} = TensorArray{T,N,:row,writable}
const Contiguous{T,N,writable} = Union{ColumnArray{T,N,writable},RowArray{T,N,writable}}
# What is reached by one index an axis.
const ByAxis{T,N,writable} = Union{RowArray{T,N,writable},TensorArray{T,N,:strided,writable}}

const IndexedArray{T,N,writable} = TensorArray{T,N,:indexed,writable}

Base.size(array::TensorArray) = array.size
Base.strides(array::Union{Contiguous,ByAxis}) = array.strides
Base.IndexStyle(::Type{<:ColumnArray}) = IndexLinear()
Base.elsize(::Type{<:TensorArray{T}}) where {T} = sizeof(T)
Base.unsafe_convert(::Type{Ptr{T}}, array::TensorArray{T}) where {T} = array.pointer
Base.isreadonly(::TensorArray{T,N,order,writable}) where {T,N,order,writable} = !writable

# Elements from the one at index 1 to the one at `index`.
@inline distance(strides::NTuple{N,Int}, index::NTuple{N,Int}) where {N} =
    sum(map((s, i) -> s * (i - 1), strides, index))
@inline distance(::Tuple{}, ::Tuple{}) = 0

Base.@propagate_inbounds function Base.getindex(array::ColumnArray, index::Int)
    @boundscheck checkbounds(array, index)
    owner = array.owner
    return GC.@preserve owner unsafe_load(array.pointer, index)
end

Base.@propagate_inbounds function Base.getindex(array::ByAxis{T,N}, index::Vararg{Int,N}) where {T,N}
    @boundscheck checkbounds(array, index...)
    owner = array.owner
    return GC.@preserve owner unsafe_load(array.pointer, distance(array.strides, index) + 1)
end

Base.@propagate_inbounds function Base.setindex!(array::ColumnArray{T,N,true}, value, index::Int) where {T,N}
    @boundscheck checkbounds(array, index)
    owner = array.owner
    GC.@preserve owner unsafe_store!(array.pointer, convert(T, value), index)
    return array
end

Base.@propagate_inbounds function Base.setindex!(array::ByAxis{T,N,true}, value, index::Vararg{Int,N}) where {T,N}
    @boundscheck checkbounds(array, index...)
    owner = array.owner
    GC.@preserve owner unsafe_store!(array.pointer, convert(T, value), distance(array.strides, index) + 1)
    return array
end

# How far an element of tiles or a curve lies behind the first, in elements.
function place(array::IndexedArray{T,N}, index::NTuple{N,Int}) where {T,N}
    zero_based = Ref(map(i -> UInt64(i - 1), index))
    out = Ref{UInt64}(0)
    GC.@preserve zero_based begin
        data = Ptr{UInt64}(pointer_from_objref(zero_based))
        check(hurray_tensor_element_offset(array.owner, data, N, out))
    end
    return reinterpret(Int64, out[])
end

Base.@propagate_inbounds function Base.getindex(array::IndexedArray{T,N}, index::Vararg{Int,N}) where {T,N}
    @boundscheck checkbounds(array, index...)
    owner = array.owner
    return GC.@preserve owner unsafe_load(array.pointer, place(array, index) + 1)
end

Base.@propagate_inbounds function Base.setindex!(array::IndexedArray{T,N,true}, value, index::Vararg{Int,N}) where {T,N}
    @boundscheck checkbounds(array, index...)
    owner = array.owner
    GC.@preserve owner unsafe_store!(array.pointer, convert(T, value), place(array, index) + 1)
    return array
end

# Without this, `similar` of a read-only view and of one of few elements would be no ordinary array.
Base.similar(::TensorArray, ::Type{T}, dims::Dims) where {T} = Array{T}(undef, dims)

"""
    memory(view) -> TensorArray

The memory of a contiguous view in the order in which it runs: of a row-major one, the view with its axes reversed.
"""
memory(array::ColumnArray) = array
memory(array::RowArray{T,N,writable}) where {T,N,writable} =
    TensorArray{T,N,:column,writable}(array.pointer, reverse(array.size), reverse(array.strides), array.owner)

# The memory as one of Julia's own arrays; only while the owner is preserved.
unsafe_memory(array::Contiguous) = unsafe_wrap(Array, array.pointer, length(array))

# What does not depend on the order of elements runs along the memory.
const AnyOrder = Union{
    typeof(+),typeof(Base.add_sum),typeof(Base.mul_prod),typeof(min),typeof(max),typeof(&),typeof(|),
}

function Base.mapreduce(f, op::AnyOrder, array::Contiguous; dims = :, kw...)
    dims === (:) || return invoke(mapreduce, Tuple{Any,Any,AbstractArray}, f, op, array; dims = dims, kw...)
    owner = array.owner
    return GC.@preserve owner mapreduce(f, op, unsafe_memory(array); kw...)
end

function Base.Array{T,N}(array::Contiguous{T,N}) where {T,N}
    owner = array.owner
    flat = GC.@preserve owner copy(unsafe_memory(array))
    array isa ColumnArray && return reshape(flat, array.size)
    return permutedims(reshape(flat, reverse(array.size)), N:-1:1)
end
Base.Array{T,N}(array::IndexedArray{T,N}) where {T,N} = copy(array.owner)
const Bulk{T,N} = Union{Contiguous{T,N},IndexedArray{T,N}}
Base.Array{T}(array::Bulk{T,N}) where {T,N} = Array{T,N}(array)
Base.Array(array::Bulk{T,N}) where {T,N} = Array{T,N}(array)
Base.collect(array::Bulk{T,N}) where {T,N} = Array{T,N}(array)
Base.copy(array::Bulk{T,N}) where {T,N} = Array{T,N}(array)

# ---- of a tensor

# Data pointer, shape, strides in bytes and flags; strides stay as they are for packed types.
function array_view(tensor::Tensor)
    room = 8
    while true
        shape, strides = zeros(UInt64, room), zeros(Int64, room)
        data, rank, flags = Ref{Ptr{Cvoid}}(C_NULL), Ref{Csize_t}(room), Ref{UInt32}(0)
        status = hurray_tensor_array_view(tensor, data, shape, strides, rank, flags)
        if status == HURRAY_ERR_BUFFER_TOO_SMALL
            room = Int(rank[])
            continue
        end
        check(status)
        return (data = data[], shape = resize!(shape, rank[]), strides = resize!(strides, rank[]), flags = flags[])
    end
end

@noinline unsupported_type(type::ElementType) = throw(UnsupportedError(
    HURRAY_ERR_UNSUPPORTED,
    "Julia has no array of $(nameof(type)); Hurray.memory(Hurray.buffers(tensor)[1]) is its bytes",
))

"""
    view(tensor) -> TensorArray
    view(T, tensor) -> TensorArray{T}

The elements of a dense tensor, in place. With `T` the element type must be that. A quantized tensor gives its codes.

Throws [`UnsupportedError`](@ref Hurray.UnsupportedError) for packed types, sparse layouts and memory of a device, and
[`BufferError`](@ref Hurray.BufferError) if the address is not aligned for the element: `copy(tensor)` is then.
"""
function Base.view(tensor::Tensor)
    type = element_type(tensor)
    T = julia_type(type)
    found = is_indexed(tensor) ? indexed_view(tensor, type) : array_view(tensor)
    T === nothing && unsupported_type(type)
    found.flags & HURRAY_VIEW_MISALIGNED == 0 || throw(BufferError(
        HURRAY_ERR_BUFFER_MISMATCH,
        "the elements begin at $(found.data), which is not aligned for $T; copy(tensor) copies them into an Array",
    ))
    return typed_view(T, Val(length(found.shape)), found, tensor)
end

function Base.view(::Type{T}, tensor::Tensor) where {T}
    type = element_type(tensor)
    julia_type(type) === T ||
        throw(UnsupportedError(HURRAY_ERR_UNSUPPORTED, "the elements are $(nameof(type)), not $T"))
    return view(tensor)
end

layout_number(x) = Int(described(d -> value_of(out -> hurray_descriptor_layout_tag(d, out), UInt8), x))
is_indexed(tensor::Tensor) =
    layout_number(tensor) in (HURRAY_LAYOUT_TILED, HURRAY_LAYOUT_MORTON, HURRAY_LAYOUT_HILBERT)

# What `array_view` says, for tiles and curves: these have no strides.
function indexed_view(tensor::Tensor, type::ElementType)
    buffer = buffers(tensor)[1]
    data = host_pointer(buffer) + byte_offset(tensor)
    flags = isreadonly(buffer) ? HURRAY_VIEW_READ_ONLY : 0
    UInt(data) % info(type).alignment == 0 || (flags |= HURRAY_VIEW_MISALIGNED)
    close(buffer)
    return (data = data, shape = collect(UInt64, size(tensor)), strides = nothing, flags = flags)
end

function typed_view(::Type{T}, ::Val{N}, found, tensor::Tensor) where {T,N}
    size = ntuple(k -> Int(found.shape[k]), Val(N))
    writable = found.flags & HURRAY_VIEW_READ_ONLY == 0
    if found.strides === nothing
        return TensorArray{T,N,:indexed,writable}(Ptr{T}(found.data), size, ntuple(_ -> 0, Val(N)), share(tensor))
    end
    strides = ntuple(k -> div(found.strides[k], sizeof(T)), Val(N))
    order = found.flags & HURRAY_VIEW_COLUMN_MAJOR != 0 ? :column :
        found.flags & HURRAY_VIEW_ROW_MAJOR != 0 ? :row : :strided
    return TensorArray{T,N,order,writable}(Ptr{T}(found.data), size, strides, share(tensor))
end

"""
    copy(tensor) -> Array

The elements of a dense tensor in an array of Julia's own, from any alignment.
"""
function Base.copy(tensor::Tensor)
    if is_indexed(tensor)
        straight = to_layout(tensor, ColumnMajorLayout())
        try
            return copy(straight)
        finally
            close(straight)
        end
    end
    found = array_view(tensor)
    type = element_type(tensor)
    T = julia_type(type)
    T === nothing && unsupported_type(type)
    return copied_array(T, Val(length(found.shape)), found, tensor)
end

function copied_array(::Type{T}, ::Val{N}, found, tensor::Tensor) where {T,N}
    found.flags & HURRAY_VIEW_MISALIGNED == 0 && return Array{T,N}(typed_view(T, Val(N), found, tensor))
    result = Array{T,N}(undef, ntuple(k -> Int(found.shape[k]), Val(N)))
    strides = ntuple(k -> Int(found.strides[k]), Val(N))
    GC.@preserve tensor result for (k, index) in enumerate(CartesianIndices(result))
        source = Ptr{UInt8}(found.data) + distance(strides, Tuple(index))
        unsafe_copyto!(Ptr{UInt8}(pointer(result, k)), source, sizeof(T))
    end
    return result
end

"""
    memory(buffer; with_lead = false) -> TensorArray{UInt8,1}

The bytes of a buffer that the host may read, in place; those of its `lead` only if asked for.
"""
function memory(buffer::Buffer; with_lead::Bool = false)
    start = with_lead ? 0 : lead(buffer)
    bytes = build(UInt8, (sizeof(buffer) - start,); byte_offset = start, buffers = (buffer,))
    tensor = Tensor(bytes, (buffer,))
    close(bytes)
    try
        return view(tensor)
    finally
        close(tensor)
    end
end
