# Files that are open for reading.

# A readable object as the library sees it: what failed inside a callback is thrown on Julia's side afterwards.
mutable struct ReadSource
    io::IO
    size::UInt64
    lock::ReentrantLock
    failure::Any
end

function read_at(context::Ptr{Cvoid}, offset::UInt64, out::Ptr{UInt8}, len::UInt64)::Int64
    source = unsafe_pointer_to_objref(context)::ReadSource
    try
        count = min(len, source.size - min(offset, source.size))
        lock(source.lock) do
            seek(source.io, offset)
            unsafe_read(source.io, out, count)
        end
        return count
    catch failure
        source.failure = failure
        return -Base.Libc.EIO
    end
end

"""
A file that is open for reading: a dictionary of names to tensors and composites, which are read when they are asked
for. Keys are the top-level names in the order of the file; the members of a composite `x` are hidden, and found by
their own names (`x.0`). An index instead of a name counts all entries, from 1. Tensors outlive the file.

`kv`, `entry_names`, `Descriptor(file, name)`, `byte_range`, `read_bytes` and `advise` tell the rest.
"""
mutable struct File <: AbstractDict{String,Union{Tensor,Composite}}
    handle::ReaderHandle
    permissive::Bool
    source::Union{Nothing,ReadSource}
    followed::Followed
end

const MAP_MODES = (readonly = 0, copy_on_write = 1, copy = 2)

"""
    Hurray.open(source; mode = :copy_on_write, permissive = false, verify = false, progress = nothing, ...) -> File
    Hurray.open(call, source; ...)

Opens a file: a path, an `IO` that can seek, or bytes (which are copied). `mode` says how tensors get their memory:
`:copy_on_write` maps it, views are writable and no write reaches the file; `:readonly` maps it, and views have no
`setindex!`; `:copy` reads it into memory of its own. A mapped file that another process cuts short kills the process
that touches the lost part: use `:copy` for files that others may change. `verify` checks every rule, padding included;
`permissive` keeps what is not understood as opaque parts. Limits: `max_descriptor_bytes`, `max_buffer_bytes`,
`max_composite_depth`. A [`Progress`](@ref Hurray.Progress) counts the bytes that are read, and may cancel.

Throws [`FileError`](@ref Hurray.FileError) for what is wrong with the file itself, and
[`InvalidDescriptorError`](@ref Hurray.InvalidDescriptorError) for a tensor in it.
"""
function open(path::AbstractString; progress = nothing, settings...)
    options, permissive = reading_options(; settings...)
    name = String(path)
    handle, followed = opened_with(progress, options) do
        made(ReaderHandle, HurrayFileReader, FileError) do out
            hurray_file_reader_open(name, sizeof(name), options, out)
        end
    end
    return File(handle, permissive, nothing, followed)
end

function open(io::IO; progress = nothing, settings...)
    options, permissive = reading_options(; settings...)
    seekend(io)
    source = ReadSource(io, position(io), ReentrantLock(), nothing)
    handle, followed = opened_with(progress, options) do
        failing_with(source) do
            GC.@preserve source made(ReaderHandle, HurrayFileReader, FileError) do out
                call = @cfunction(read_at, Int64, (Ptr{Cvoid}, UInt64, Ptr{UInt8}, UInt64))
                hurray_file_reader_open_callback(call, pointer_from_objref(source), C_NULL, source.size, options, out)
            end
        end
    end
    return File(handle, permissive, source, followed)
end

function open(bytes::AbstractVector{UInt8}; progress = nothing, settings...)
    options, permissive = reading_options(; settings...)
    buffer = Buffer(length(bytes); alignment = 4096)
    data = convert(Vector{UInt8}, bytes)
    GC.@preserve data buffer unsafe_copyto!(Ptr{UInt8}(host_pointer(buffer)), pointer(data), length(data))
    handle, followed = opened_with(progress, options) do
        made(ReaderHandle, HurrayFileReader, FileError) do out
            hurray_file_reader_open_buffer(buffer, options, out)
        end
    end
    close(buffer)
    return File(handle, permissive, nothing, followed)
end

function open(call::Function, source; settings...)
    file = open(source; settings...)
    try
        return call(file)
    finally
        close(file)
    end
end

function reading_options(;
    mode::Symbol = :copy_on_write, permissive::Bool = false, verify::Bool = false,
    max_descriptor_bytes = nothing, max_buffer_bytes = nothing, max_composite_depth = nothing,
)
    haskey(MAP_MODES, mode) ||
        throw(InvalidArgumentError(HURRAY_ERR_INVALID_ARGUMENT, "mode is one of $(join(keys(MAP_MODES), ", "))"))
    options = Options(
        HURRAY_OPTION_MAP => MAP_MODES[mode],
        HURRAY_OPTION_PERMISSIVE => permissive,
        HURRAY_OPTION_VERIFY => verify,
        HURRAY_OPTION_MAX_DESCRIPTOR_BYTES => max_descriptor_bytes,
        HURRAY_OPTION_MAX_BUFFER_BYTES => max_buffer_bytes,
        HURRAY_OPTION_MAX_COMPOSITE_DEPTH => max_composite_depth,
    )
    return options, permissive
end

# Runs a call, and throws what failed inside its callbacks instead of what the library makes of it.
function failing_with(call, source)
    source === nothing && return call()
    source.failure = nothing
    try
        return call()
    catch
        source.failure === nothing && rethrow()
        throw(source.failure)
    end
end

Base.close(file::File) = (close(file.handle); unfollow(file.followed))
Base.isopen(file::File) = isopen(file.handle)

reading(call, file::File) = failing_with(call, file.source)

# The entry of a name or of an index, from 0.
function entry(file::File, name::AbstractString)
    found = find(file, name)
    found === nothing && throw(KeyError(name))
    return found
end
entry(::File, index::Integer) = index - 1

function find(file::File, name::AbstractString)
    key, out = String(name), Ref{UInt64}(0)
    status = hurray_file_reader_entry_find(file.handle, key, sizeof(key), out)
    status == HURRAY_ERR_NOT_FOUND && return nothing
    check(status, FileError)
    return Int(out[])
end

"All names, members of composites included, in the order of the file's index."
entry_names(file::File) = String.(packed_of(FileError) do bytes, len, ends, count
    hurray_file_reader_entry_names(file.handle, bytes, len, ends, count)
end)

function Base.getindex(file::File, name::Union{AbstractString,Integer})
    index = entry(file, name)
    item = reading(file) do
        made(out -> hurray_file_reader_item(file.handle, index, out), Item, HurrayItem, FileError)
    end
    return unwrap(item)
end

Base.haskey(file::File, name::AbstractString) = find(file, name) !== nothing
Base.get(file::File, name::AbstractString, default) = haskey(file, name) ? file[name] : default

Base.length(file::File) =
    Int(reading(() -> value_of(out -> hurray_file_reader_item_count(file.handle, out), UInt64), file))

function Base.iterate(file::File, state = (entry_names(file), 0))
    names, i = state
    i < length(file) || return nothing
    index = reading(() -> value_of(out -> hurray_file_reader_item_entry(file.handle, i, out), UInt64), file)
    return names[index + 1] => file[index + 1], (names, i + 1)
end

function Base.keys(file::File)
    names = entry_names(file)
    return map(0:(length(file) - 1)) do i
        names[value_of(out -> hurray_file_reader_item_entry(file.handle, i, out), UInt64) + 1]
    end
end

"""
    kv(file) -> Dict{String,Any}

The metadata. Strings, `Int64`, `UInt64`, `Float64`, `Bool`, bytes as `Vector{UInt8}`, and vectors of one of them.
"""
kv(file::File) = Dict{String,Any}(kv_pairs(file))

"The metadata as pairs, in the order of the file."
kv_pairs(file::File) = Pair{String,Any}[
    read_kv(file.handle, i) for
    i in 0:(Int(value_of(out -> hurray_file_reader_kv_count(file.handle, out), UInt64)) - 1)
]

# A descriptor lives no longer than its reader, so its bytes are decoded once more.
"What is stored under a name or at an index, without its data."
function Descriptor(file::File, name::Union{AbstractString,Integer})
    index = entry(file, name)
    handle = file.handle
    return reading(file) do
        out = Ref{Ptr{HurrayDescriptor}}(C_NULL)
        check(hurray_file_reader_entry_descriptor(handle, index, out), FileError)
        found = GC.@preserve handle array_of((to, len) -> hurray_descriptor_encode(out[], to, len), UInt8, 256)
        Descriptor(found; permissive = file.permissive)
    end
end

"""
    byte_range(file, name) -> (offset, length)

Where the data of an entry is in the file, in bytes.
"""
function byte_range(file::File, name::Union{AbstractString,Integer})
    offset, len = Ref{UInt64}(0), Ref{UInt64}(0)
    check(hurray_file_reader_entry_range(file.handle, entry(file, name), offset, len), FileError)
    return (offset = Int(offset[]), length = Int(len[]))
end

"""
    read_bytes(file, name, offset, count; buffer = 1) -> Vector{UInt8}

`count` bytes of one buffer, after the first `offset`; nothing else of the tensor is read.
"""
function read_bytes(
    file::File, name::Union{AbstractString,Integer}, offset::Integer, count::Integer; buffer::Integer = 1,
)
    bytes = Vector{UInt8}(undef, count)
    reading(file) do
        check(
            hurray_file_reader_entry_read(file.handle, entry(file, name), buffer - 1, offset, bytes, count), FileError,
        )
    end
    return bytes
end

const ADVICE = (
    normal = HURRAY_ADVICE_NORMAL,
    sequential = HURRAY_ADVICE_SEQUENTIAL,
    random = HURRAY_ADVICE_RANDOM,
    will_need = HURRAY_ADVICE_WILL_NEED,
    populate = HURRAY_ADVICE_POPULATE,
)

"""
    advise(file, advice, name = nothing)

Tells the system how a mapped tensor, or the whole file, is going to be read: `:normal`, `:sequential`, `:random`,
`:will_need` or `:populate`.
"""
function advise(file::File, advice::Symbol, name = nothing)
    index = name === nothing ? typemax(UInt64) : entry(file, name)
    check(hurray_file_reader_advise(file.handle, index, ADVICE[advice]), FileError)
    return nothing
end

# A dictionary's own `show` would read every tensor.
Base.show(io::IO, file::File) = print(io, "Hurray.File(", isopen(file) ? "$(length(file)) items" : "closed", ")")
Base.show(io::IO, ::MIME"text/plain", file::File) = show(io, file)
