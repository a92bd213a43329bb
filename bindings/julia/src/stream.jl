# Streams of tensors and composites over any IO.

"""
    StreamReader(io; max_descriptor_bytes, max_buffer_bytes, max_composite_depth, cross_machine = false,
                 permissive = false, flat = false)

Reads tensors and composites from an `IO`, one by one: `for item in reader`, or `read(reader)`, which throws `EOFError`
at the end. The form, bare or framed, is told from the first bytes. Nothing past the current item is read; bytes go
straight into their final memory. An input that ends inside an item throws
[`StreamError`](@ref Hurray.StreamError). `cross_machine` refuses tensors that carry a device's synchronisation.

`permissive` keeps what is not understood as opaque parts: a tensor with an unknown layout comes as a
[`DescriptorItem`](@ref Hurray.DescriptorItem), with its bytes if the stream is framed; a bare one ends there. `flat` gives
the parts of a composite one by one: its head as a `DescriptorItem`, then each member once it has arrived.

One task at a time. `close` ends the reader and leaves the `IO` open; items that were taken live on.
"""
mutable struct StreamReader
    handle::StreamReaderHandle
    io::IO
    # Held while an item is read: the memory that bytes go to is the reader's.
    lock::ReentrantLock
end

function StreamReader(
    io::IO; max_descriptor_bytes = nothing, max_buffer_bytes = nothing, max_composite_depth = nothing,
    cross_machine::Bool = false, permissive::Bool = false, flat::Bool = false,
)
    options = Options(
        HURRAY_OPTION_PERMISSIVE => permissive,
        HURRAY_OPTION_FLAT => flat,
        HURRAY_OPTION_MAX_DESCRIPTOR_BYTES => max_descriptor_bytes,
        HURRAY_OPTION_MAX_BUFFER_BYTES => max_buffer_bytes,
        HURRAY_OPTION_MAX_COMPOSITE_DEPTH => max_composite_depth,
        HURRAY_OPTION_CROSS_MACHINE => cross_machine,
    )
    handle = made(out -> hurray_stream_reader_new(options, out), StreamReaderHandle, HurrayStreamReader)
    close(options)
    return StreamReader(handle, io, ReentrantLock())
end

Base.close(reader::StreamReader) = lock(() -> close(reader.handle), reader.lock)
Base.isopen(reader::StreamReader) = isopen(reader.handle)

# The next item, or nothing at the end.
function next(reader::StreamReader)
    handle = reader.handle
    return lock(reader.lock) do
        out = Ref{Ptr{HurrayItem}}(C_NULL)
        while (status = check(hurray_stream_reader_next(handle, out), StreamError)) == HURRAY_NEED_MORE
            fetch_bytes(reader)
        end
        status == HURRAY_END ? nothing : unwrap(Item(out[]))
    end
end

# Bytes that the reader asks for: as many as are there, at least one, or the end of the input.
function fetch_bytes(reader::StreamReader)
    handle, io = reader.handle, reader.io
    if eof(io)
        check(hurray_stream_reader_finish(handle), StreamError)
        return nothing
    end
    window, size = Ref{Ptr{UInt8}}(C_NULL), Ref{Csize_t}(0)
    check(hurray_stream_reader_window(handle, window, size), StreamError)
    count = size[]
    # An IO that cannot tell how much it has is asked for all: the window never reaches past the item.
    if hasmethod(bytesavailable, Tuple{typeof(io)})
        count = min(count, max(bytesavailable(io), 1))
    end
    unsafe_read(io, window[], count)
    check(hurray_stream_reader_advance(handle, count), StreamError)
    return nothing
end

Base.iterate(reader::StreamReader, ::Nothing = nothing) =
    (item = next(reader); item === nothing ? nothing : (item, nothing))
Base.IteratorSize(::Type{StreamReader}) = Base.SizeUnknown()
Base.eltype(::Type{StreamReader}) = Union{Tensor,Composite,DescriptorItem}

Base.read(reader::StreamReader) = (item = next(reader); item === nothing ? throw(EOFError()) : item)

"The stream id that the last item came on; 0 in a bare stream."
stream_id(reader::StreamReader) = Int(value_of(out -> hurray_stream_reader_stream_id(reader.handle, out), UInt32))

"""
    reply(reader) -> Vector{UInt8}

The messages that a framed stream owes its peer: answers to PING, and the ERROR for what broke it. Given once.
"""
reply(reader::StreamReader) = array_of((out, len) -> hurray_stream_reader_reply(reader.handle, out, len), UInt8, 0)

Base.show(io::IO, reader::StreamReader) = print(io, "StreamReader(", isopen(reader) ? reader.io : "closed", ")")

const PIECES = 64

"""
    StreamWriter(io; stream_id = nothing, max_message_bytes = 0, cross_machine = false, compact = false)

Writes tensors, composites and arrays to an `IO`, in the bare form unless `stream_id` makes it a framed one: `write(
writer, item)`, which returns the number of bytes. Each item is validated whole before its first byte goes out. A stream
has no end mark.

One task at a time. `close` ends the writer and leaves the `IO` open.
"""
mutable struct StreamWriter
    handle::StreamWriterHandle
    io::IO
    lock::ReentrantLock
    broken::Bool
end

function StreamWriter(
    io::IO; stream_id::Union{Nothing,Integer} = nothing, max_message_bytes::Integer = 0, cross_machine::Bool = false,
    compact::Bool = false,
)
    options = Options(HURRAY_OPTION_CROSS_MACHINE => cross_machine, HURRAY_OPTION_COMPACT => compact)
    form = stream_id === nothing ? HURRAY_STREAM_BARE : HURRAY_STREAM_FRAMED
    handle = made(StreamWriterHandle, HurrayStreamWriter) do out
        hurray_stream_writer_new(form, something(stream_id, 0), max_message_bytes, options, out)
    end
    close(options)
    return StreamWriter(handle, io, ReentrantLock(), false)
end

Base.close(writer::StreamWriter) = lock(() -> close(writer.handle), writer.lock)
Base.isopen(writer::StreamWriter) = isopen(writer.handle)

function Base.write(writer::StreamWriter, value::Union{Tensor,Composite,AbstractArray})
    return lock(writer.lock) do
        writer.broken && throw(StreamError(HURRAY_ERR_IO, "an earlier write failed part of the way"))
        item = item_of(value)
        try
            check(hurray_stream_writer_put(writer.handle, item), StreamError)
        finally
            done_with(item, value)
        end
        send(writer)
    end
end

function send(writer::StreamWriter)
    handle, io = writer.handle, writer.io
    pieces = Vector{HurraySlice}(undef, PIECES)
    total = 0
    while true
        count = Ref{Csize_t}(PIECES)
        check(hurray_stream_writer_chunks(handle, pieces, count), StreamError)
        count[] == 0 && return total
        sent = 0
        # How much of a piece went out before a failure is not known: the stream is broken then.
        writer.broken = true
        for piece in view(pieces, 1:min(Int(count[]), PIECES))
            sent += unsafe_write(io, piece.data, piece.len)
        end
        writer.broken = false
        check(hurray_stream_writer_advance(handle, sent), StreamError)
        total += sent
    end
end

Base.show(io::IO, writer::StreamWriter) = print(io, "StreamWriter(", isopen(writer) ? writer.io : "closed", ")")
