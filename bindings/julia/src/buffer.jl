# Buffers: a piece of memory, what keeps it alive, and what a descriptor says of it.

"""
    Buffer(bytes::Integer; alignment = 64)

Zeroed memory of the library's own. `Buffer` is the buffer of a tensor; [`memory`](@ref Hurray.memory) looks at its
bytes.
"""
Buffer(bytes::Integer; alignment::Integer = 64) =
    made(out -> hurray_buffer_alloc(bytes, alignment, out), Buffer, HurrayBuffer)

"""
    Buffer(array::Array; copy = nothing)

The memory of an array whose elements are plain bits, in the order in which it lies. In place where it begins at a
multiple of 64 bytes; else, and with `copy = true`, in a copy. `copy = false` refuses instead.
"""
function Buffer(array::Array{T}; copy::Union{Nothing,Bool} = nothing) where {T}
    isbitstype(T) || throw(UnsupportedError(HURRAY_ERR_UNSUPPORTED, "elements of type $T have no bytes to share"))
    aligned = UInt(pointer(array)) % 64 == 0 || isempty(array)
    if aligned && copy !== true
        # A buffer made here could not tell Julia when it goes, a tensor can: its buffer keeps the tensor's owner.
        whole = wrap(ElementType(HURRAY_TYPE_UINT8), UInt64[sizeof(array)], nothing, pointer(array), array)
        try
            return GC.@preserve whole share(first_buffer(whole))
        finally
            close(whole)
        end
    end
    copy === false &&
        throw(CopyRequiredError(HURRAY_ERR_COPY_REQUIRED, "the array does not begin at a multiple of 64 bytes"))
    buffer = Buffer(sizeof(array))
    GC.@preserve array buffer begin
        unsafe_copyto!(Ptr{UInt8}(host_pointer(buffer)), Ptr{UInt8}(pointer(array)), sizeof(array))
    end
    reason = copy === true ? HURRAY_BUFFER_COPIED_ON_REQUEST : HURRAY_BUFFER_COPIED_ALIGNMENT
    check(hurray_buffer_set_flags(buffer, reason))
    return buffer
end

# Another handle on the memory of a buffer, owned or borrowed.
share(buffer::Union{Buffer,Ptr{HurrayBuffer}}) =
    made(out -> hurray_buffer_share(buffer, out), Buffer, HurrayBuffer)

host_pointer(buffer::Buffer) = value_of(out -> hurray_buffer_host_ptr(buffer, out), Ptr{Cvoid})

"The size in bytes."
Base.sizeof(buffer::Buffer) = Int(value_of(out -> hurray_buffer_byte_size(buffer, out), UInt64))
"The alignment that the address keeps, in bytes."
alignment(buffer::Buffer) = Int(value_of(out -> hurray_buffer_alignment(buffer, out), UInt32))
"Flags of the buffer, `HURRAY_BUFFER_...` bits: read-only, and why it was copied."
flags(buffer::Buffer) = Int(value_of(out -> hurray_buffer_flags(buffer, out), UInt32))
"How many bytes at the start are somebody else's, because the buffer begins at an address rounded down to 64."
lead(buffer::Buffer) = Int(value_of(out -> hurray_buffer_lead(buffer, out), UInt32))
"Whether the memory must not be written to."
Base.isreadonly(buffer::Buffer) = flags(buffer) & HURRAY_BUFFER_READ_ONLY != 0

"""
    device(buffer) -> (kind, id, memory_class)

Where the memory is: the name of the kind of device, which one of that kind, and the class of memory.
"""
device(buffer::Buffer) = (
    kind = named(HURRAY_SPACE_DEVICE, value_of(out -> hurray_buffer_device_tag(buffer, out), UInt8)),
    id = Int(value_of(out -> hurray_buffer_device_id(buffer, out), Int32)),
    memory_class = named(HURRAY_SPACE_MEMORY_CLASS, value_of(out -> hurray_buffer_memory_class(buffer, out), UInt8)),
)

"How the producer ordered its writes."
sync_mode(buffer::Buffer) =
    named(HURRAY_SPACE_SYNC_MODE, value_of(out -> hurray_buffer_sync_mode(buffer, out), UInt8))

"""
    readonly!(buffer) -> buffer

Marks memory that must not be written to; it stays so through every share and view. Before the buffer is in a tensor.
"""
function readonly!(buffer::Buffer)
    check(hurray_buffer_set_flags(buffer, flags(buffer) | HURRAY_BUFFER_READ_ONLY))
    return buffer
end

const COPY_REASONS = (
    HURRAY_BUFFER_COPIED_ALIGNMENT => :alignment,
    HURRAY_BUFFER_COPIED_WIDTH => :width,
    HURRAY_BUFFER_COPIED_PACKING => :packing,
    HURRAY_BUFFER_COPIED_ON_REQUEST => :request,
)

"""
    copied(buffer) -> Vector{Symbol}

Why the memory is a copy of what it was made of: `:alignment`, `:width`, `:packing`, `:request`. Empty: it is none.
"""
copied(buffer::Buffer) = (bits = flags(buffer); [reason for (bit, reason) in COPY_REASONS if bits & bit != 0])

Base.show(io::IO, buffer::Buffer) = isopen(buffer) ?
    print(io, "Hurray.Buffer(", sizeof(buffer), " bytes)") : print(io, "Hurray.Buffer(closed)")
