# Files being written.

mutable struct WriteSink
    io::IO
    failure::Any
end

function take_bytes(context::Ptr{Cvoid}, bytes::Ptr{UInt8}, len::UInt64)::Int32
    sink = unsafe_pointer_to_objref(context)::WriteSink
    try
        unsafe_write(sink.io, bytes, len)
        return 0
    catch failure
        sink.failure = failure
        return Base.Libc.EIO
    end
end

"""
    FileWriter(path; durable = true, sorted_index = false, alignment = nothing, compact = true, index_crc = true,
               kv_section = :if_set, progress = nothing)
    FileWriter(io; ...)

A file being written, to a path or to an `IO`: `set_kv(writer, key, value)`, then `writer[name] = item` for tensors,
composites and arrays, then `finish`. A path gets its file only then; an old one stays as it is until it does, and when
the writer is closed before. `durable = false` leaves out the syncs; `compact` drops bytes that no element reaches;
`kv_section` is `:if_set`, `:always`, `:never` or `:unflagged`. A [`Progress`](@ref Hurray.Progress) counts the bytes
and may cancel. [`save`](@ref Hurray.save) does all of it.
"""
mutable struct FileWriter
    handle::WriterHandle
    sink::Union{Nothing,WriteSink}
    followed::Followed
end

function FileWriter(path::AbstractString; progress = nothing, settings...)
    options = writing_options(; settings...)
    name = String(path)
    handle, followed = opened_with(progress, options) do
        made(WriterHandle, HurrayFileWriter, FileError) do out
            hurray_file_writer_create(name, sizeof(name), options, out)
        end
    end
    return FileWriter(handle, nothing, followed)
end

function FileWriter(io::IO; progress = nothing, settings...)
    options = writing_options(; settings...)
    sink = WriteSink(io, nothing)
    call = @cfunction(take_bytes, Int32, (Ptr{Cvoid}, Ptr{UInt8}, UInt64))
    handle, followed = opened_with(progress, options) do
        made(WriterHandle, HurrayFileWriter, FileError) do out
            hurray_file_writer_to_callback(call, pointer_from_objref(sink), C_NULL, options, out)
        end
    end
    return FileWriter(handle, sink, followed)
end

const KV_SECTIONS = (if_set = 0, always = 1, never = 2, unflagged = 3)

writing_options(;
    durable::Bool = true, sorted_index::Bool = false, alignment = nothing, compact::Bool = true, index_crc::Bool = true,
    kv_section::Symbol = :if_set,
) = Options(
    HURRAY_OPTION_DURABLE => durable,
    HURRAY_OPTION_SORTED_INDEX => sorted_index,
    HURRAY_OPTION_DATA_ALIGNMENT => alignment,
    HURRAY_OPTION_COMPACT => compact,
    HURRAY_OPTION_INDEX_CRC => index_crc,
    HURRAY_OPTION_KV_MODE => KV_SECTIONS[kv_section],
)

Base.close(writer::FileWriter) = (close(writer.handle); unfollow(writer.followed))
Base.isopen(writer::FileWriter) = isopen(writer.handle)

"Sets a key of the metadata, before the first tensor."
set_kv(writer::FileWriter, key::AbstractString, value) = write_kv(writer.handle, key, value)

function Base.setindex!(writer::FileWriter, value::Union{Tensor,Composite,AbstractArray}, name::AbstractString)
    item = item_of(value)
    key = String(name)
    try
        failing_with(writer.sink) do
            check(hurray_file_writer_put(writer.handle, key, sizeof(key), item), FileError)
        end
    finally
        done_with(item, value)
    end
    return writer
end

"Writes what comes after the last tensor; a path gets its file."
function finish(writer::FileWriter)
    failing_with(() -> check(hurray_file_writer_finish(writer.handle), FileError), writer.sink)
    return nothing
end

"""
    Hurray.save(path, tensors; kv = nothing, durable = true, sorted_index = false, alignment = nothing, compact = true,
                progress = nothing)
    Hurray.save(io, tensors; ...)

Writes tensors, composites and arrays under their names: a dictionary, or any iterator of `name => item`. The members
of a composite `x` are named `x.0`, `x.1`, ... Arrays are written as they are in memory, column-major. `kv` are pairs of
a name and a string, number, truth value, `Vector{UInt8}`, or a vector of one of them.
"""
function save(target::Union{AbstractString,IO}, tensors; kv = nothing, settings...)
    writer = FileWriter(target; kv_section = kv === nothing ? :if_set : :always, settings...)
    try
        for (key, value) in something(kv, ())
            set_kv(writer, String(key), value)
        end
        for (name, item) in tensors
            writer[String(name)] = item
        end
        finish(writer)
    finally
        close(writer)
    end
    return nothing
end

Base.show(io::IO, writer::FileWriter) = print(io, "Hurray.FileWriter(", isopen(writer) ? "open" : "closed", ")")
