# Handles of the library as Julia objects, and how they end.
#
# `close` destroys a handle at once. The safety net is a finalizer, which must neither wait nor throw; but the end of a
# handle may run the release function of another language, which may wait. So a finalizer only lays the raw handle
# into the graveyard, a list without locks, and rings a bell that wakes Julia's event loop. A task of that loop, or the
# next call that makes a handle, destroys what lies there.

abstract type Handle end

# Handles that ended since the event loop last had its turn in `keep`.
const ENDED = Threads.Atomic{Int}(0)

# The kinds of handles: each with the function that ends it.
const KINDS = (
    HurrayTensor => hurray_tensor_destroy,
    HurrayDescriptor => hurray_descriptor_destroy,
    HurrayDescriptorBuilder => hurray_descriptor_builder_destroy,
    HurrayBuffer => hurray_buffer_destroy,
    HurrayBufferList => hurray_buffer_list_destroy,
    HurrayItem => hurray_item_destroy,
    HurrayOptions => hurray_options_destroy,
    HurrayFileReader => hurray_file_reader_destroy,
    HurrayFileWriter => hurray_file_writer_destroy,
    HurrayStreamReader => hurray_stream_reader_destroy,
    HurrayStreamWriter => hurray_stream_writer_destroy,
)

for (number, (raw, destroy)) in enumerate(KINDS)
    @eval kind_number(::Ptr{$raw}) = $number
    @eval destroy(pointer::Ptr{$raw}) = (Threads.atomic_add!(ENDED, 1); $destroy(Ref(pointer)))
end

# Which of the kinds, and the handle; `next` is the grave that was dug before.
struct Grave
    kind::Int
    pointer::Ptr{Cvoid}
    next::UInt
end

const GRAVEYARD = Threads.Atomic{UInt}(0)
const BELL = Ref{Ptr{Cvoid}}(C_NULL)
# Keeps the bell's condition from being collected.
const BELL_CONDITION = Ref{Any}(nothing)

# The finalizer of every handle.
function bury(handle)
    pointer = handle.pointer
    pointer == C_NULL && return nothing
    handle.pointer = C_NULL
    bell = BELL[]
    if bell == C_NULL  # Julia is ending, or only compiling: nobody would come to the graveyard.
        destroy(pointer)
        return nothing
    end
    grave = Ptr{Grave}(Libc.malloc(sizeof(Grave)))
    grave == C_NULL && return nothing
    before = GRAVEYARD[]
    while true
        unsafe_store!(grave, Grave(kind_number(pointer), pointer, before))
        found = Threads.atomic_cas!(GRAVEYARD, before, UInt(grave))
        found == before && break
        before = found
    end
    ccall(:uv_async_send, Cint, (Ptr{Cvoid},), bell)
    return nothing
end

# Destroys what lies in the graveyard.
function clear_graveyard()
    next = Threads.atomic_xchg!(GRAVEYARD, UInt(0))
    while next != 0
        grave = unsafe_load(Ptr{Grave}(next))
        Libc.free(Ptr{Cvoid}(next))
        next = grave.next
        destroy_kind(grave.kind, grave.pointer)
    end
    return nothing
end

@eval function destroy_kind(kind::Int, pointer::Ptr{Cvoid})
    $(Expr(:block, (:(kind == $n && return destroy(Ptr{$raw}(pointer))) for (n, (raw, _)) in enumerate(KINDS))...))
    return HURRAY_ERR_INVALID_HANDLE
end

function open_graveyard()
    # A condition that stays open would keep a package that is being precompiled waiting.
    ccall(:jl_generating_output, Cint, ()) == 1 && return nothing
    condition = Base.AsyncCondition(_ -> clear_graveyard())
    BELL_CONDITION[] = condition
    BELL[] = Base.unsafe_convert(Ptr{Cvoid}, condition)
    atexit() do
        BELL[] = C_NULL
        clear_graveyard()
    end
    return nothing
end

# Gives an object that holds a handle its finalizer.
@inline function adopt(handle)
    GRAVEYARD[] == 0 || clear_graveyard()
    finalizer(bury, handle)
    return handle
end

# A plain handle: a pointer, or NULL once closed.
for (name, raw) in (
    :Tensor => HurrayTensor,
    :DescriptorBuilder => HurrayDescriptorBuilder,
    :Buffer => HurrayBuffer,
    :BufferList => HurrayBufferList,
    :Item => HurrayItem,
    :Options => HurrayOptions,
    :ReaderHandle => HurrayFileReader,
    :WriterHandle => HurrayFileWriter,
    :StreamReaderHandle => HurrayStreamReader,
    :StreamWriterHandle => HurrayStreamWriter,
)
    @eval mutable struct $name <: Handle
        pointer::Ptr{$raw}
        $name(pointer::Ptr{$raw}) = adopt(new(pointer))
    end
    @eval Base.unsafe_convert(::Type{Ptr{$raw}}, handle::$name) = pointer_of(handle)
end

@inline function pointer_of(handle::Handle)
    handle.pointer == C_NULL && throw_closed(handle)
    return handle.pointer
end

@noinline throw_closed(handle) =
    throw(BufferError(HURRAY_ERR_INVALID_HANDLE, "the $(lowercase(string(nameof(typeof(handle))))) is closed"))

"""
    close(tensor)

Ends the handle now instead of when it is collected. Views, parts and exported handles keep the memory by themselves.
Closing twice does nothing; any other use afterwards is a [`BufferError`](@ref Hurray.BufferError).
"""
function Base.close(handle::Handle)
    pointer = handle.pointer
    handle.pointer = typeof(pointer)(C_NULL)
    pointer == C_NULL || check(destroy(pointer))
    return nothing
end

Base.isopen(handle::Handle) = handle.pointer != C_NULL

# Makes a handle of what a call writes: `made(Tensor, HurrayTensor) do out; hurray_tensor_share(t, out) end`.
@inline function made(call, ::Type{H}, ::Type{raw}, family::Type{<:HurrayError} = HurrayError) where {H,raw}
    out = Ref{Ptr{raw}}(C_NULL)
    check(call(out), family)
    return H(out[])
end
