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

@noinline unsupported_type(type::ElementType) = throw(UnsupportedError(
    HURRAY_ERR_UNSUPPORTED, "Julia has no array of $(nameof(type)); view(Hurray.unpack(tensor)) has one code a byte",
))

"""
    view(tensor) -> TensorArray
    view(T, tensor) -> TensorArray{T}
    TensorArray{T,N}(tensor)
    TensorArray{T,N,order,writable}(tensor)

The elements of a dense tensor, in place. A quantized tensor gives its codes. With parameters the tensor must be what
they say; the more are given, the less is found out at run time.

Throws [`UnsupportedError`](@ref Hurray.UnsupportedError) for packed types, sparse layouts, memory of a device, and a
tensor that is not as the parameters say, and [`BufferError`](@ref Hurray.BufferError) if the address is not aligned for
the element: `copy(tensor)` is then.
"""
function Base.view(tensor::Tensor)
    type, axes = element_type(tensor), rank(tensor)
    row = TYPE_ROWS[type.tag + 1]
    row != 0 && axes < size(VIEWERS, 2) && return VIEWERS[row, axes + 1](tensor)
    T = julia_type(type)
    T === nothing && (array_layout(tensor); unsupported_type(type))
    return TensorArray{T,axes}(tensor)
end

# The constructors of the usual types and ranks, found by number: to make a type at run time takes far longer than a
# view.
struct Viewer{T,N} end
(::Viewer{T,N})(tensor::Tensor) where {T,N} = TensorArray{T,N}(tensor)
const VIEWERS = Any[Viewer{T,N}() for (_, T) in JULIA_TYPES, N in 0:8]
const TYPE_ROWS = [something(findfirst(pair -> pair[1] == tag, collect(JULIA_TYPES)), 0) for tag in 0:255]

function Base.view(::Type{T}, tensor::Tensor) where {T}
    check_type(T, tensor)
    return TensorArray{T,rank(tensor)}(tensor)
end

@noinline wrong(what) = throw(UnsupportedError(HURRAY_ERR_UNSUPPORTED, what))

function check_type(::Type{T}, tensor::Tensor) where {T}
    type = element_type(tensor)
    type == ElementType(T) || wrong("the elements are $(nameof(type)), not $T")
    return nothing
end

# Address, shape, strides in bytes and flags, or nothing for tiles and curves, which have no strides. Nothing is
# allocated: the rank is known.
@inline function array_view(tensor::Tensor, ::Val{N}) where {N}
    data, room, flags = Ref{Ptr{Cvoid}}(C_NULL), Ref{Csize_t}(N), Ref{UInt32}(0)
    shape, strides = Ref(ntuple(_ -> UInt64(0), Val(N))), Ref(ntuple(_ -> Int64(0), Val(N)))
    status = GC.@preserve shape strides hurray_tensor_array_view(
        tensor, data, Ptr{UInt64}(pointer_from_objref(shape)), Ptr{Int64}(pointer_from_objref(strides)), room, flags,
    )
    status == HURRAY_ERR_BUFFER_TOO_SMALL && wrong("the tensor has $(room[]) axes, not $N")
    status == HURRAY_ERR_UNSUPPORTED && is_indexed(tensor) && return nothing
    check(status)
    room[] == N || wrong("the tensor has $(room[]) axes, not $N")
    return data[], shape[], strides[], flags[]
end

# A sparse layout or memory of a device is the error of the library; whatever else the tensor is.
array_layout(tensor::Tensor) = array_view(tensor, Val(rank(tensor)))

@noinline misaligned(data, ::Type{T}) where {T} = throw(BufferError(
    HURRAY_ERR_BUFFER_MISMATCH,
    "the elements begin at $data, which is not aligned for $T; copy(tensor) copies them into an Array",
))

# Makes a view of what it consists of, the order of the memory, and whether that may be written to. `make` is called in
# two places, because values that come from either would be boxed.
@inline function with_parts(make, ::Type{T}, ::Val{N}, tensor::Tensor) where {T,N}
    check_type(T, tensor)
    found = array_view(tensor, Val(N))
    found === nothing && return make(indexed_parts(T, Val(N), tensor)...)
    data, shape, steps, flags = found
    flags & HURRAY_VIEW_MISALIGNED == 0 || misaligned(data, T)
    order = flags & HURRAY_VIEW_COLUMN_MAJOR != 0 ? :column : flags & HURRAY_VIEW_ROW_MAJOR != 0 ? :row : :strided
    strides = map(step -> div(step, sizeof(T)), steps)
    return make((Ptr{T}(data), map(Int, shape), strides, share(tensor)), order, flags & HURRAY_VIEW_READ_ONLY == 0)
end

# The same for tiles and curves.
@noinline function indexed_parts(::Type{T}, ::Val{N}, tensor::Tensor) where {T,N}
    dims = size(tensor)
    length(dims) == N || wrong("the tensor has $(length(dims)) axes, not $N")
    buffer = buffers(tensor)[1]
    data, writable = host_pointer(buffer) + byte_offset(tensor), !isreadonly(buffer)
    close(buffer)
    UInt(data) % info(ElementType(T)).alignment == 0 || misaligned(data, T)
    return (Ptr{T}(data), NTuple{N,Int}(dims), ntuple(_ -> 0, Val(N)), share(tensor)), :indexed, writable
end

TensorArray{T,N}(tensor::Tensor) where {T,N} = with_parts(T, Val(N), tensor) do parts, order, writable
    if order === :column
        return writable ? TensorArray{T,N,:column,true}(parts...) : TensorArray{T,N,:column,false}(parts...)
    elseif order === :row
        return writable ? TensorArray{T,N,:row,true}(parts...) : TensorArray{T,N,:row,false}(parts...)
    elseif order === :strided
        return writable ? TensorArray{T,N,:strided,true}(parts...) : TensorArray{T,N,:strided,false}(parts...)
    end
    return writable ? TensorArray{T,N,:indexed,true}(parts...) : TensorArray{T,N,:indexed,false}(parts...)
end

TensorArray{T,N,order,writable}(tensor::Tensor) where {T,N,order,writable} =
    with_parts(T, Val(N), tensor) do parts, found, may_write
        # Rank 0 and 1 run in every order.
        found === order || N <= 1 && found === :column && order === :row ||
            wrong("the memory runs :$found, not :$order")
        may_write || !writable || wrong("the memory must not be written to")
        return TensorArray{T,N,order,writable}(parts...)
    end

function is_indexed(tensor::Tensor)
    number = described(d -> value_of(out -> hurray_descriptor_layout_tag(d, out), UInt8), tensor)
    return number == HURRAY_LAYOUT_TILED || number == HURRAY_LAYOUT_MORTON || number == HURRAY_LAYOUT_HILBERT
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
    type = element_type(tensor)
    T = julia_type(type)
    T === nothing && (array_layout(tensor); unsupported_type(type))
    return copied_array(T, Val(rank(tensor)), tensor)
end

function copied_array(::Type{T}, ::Val{N}, tensor::Tensor) where {T,N}
    data, shape, steps, flags = array_view(tensor, Val(N))
    flags & HURRAY_VIEW_MISALIGNED == 0 && return Array{T,N}(TensorArray{T,N}(tensor))
    result = Array{T,N}(undef, map(Int, shape))
    GC.@preserve tensor result for (k, index) in enumerate(CartesianIndices(result))
        source = Ptr{UInt8}(data) + distance(steps, Tuple(index))
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
