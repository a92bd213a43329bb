using Sockets

samples() = Any[[1.0 2; 3 4], Int8[1, 2, 3], fill(2.5f0), zeros(Float32, 0, 3), rand(Float32, 300, 70)]

@testset "bare, through memory" begin
    io = IOBuffer()
    writer = StreamWriter(io)
    total = sum(write(writer, one) for one in samples())
    @test total == position(io)
    seekstart(io)
    reader = StreamReader(io)
    back = [view(item) for item in reader]
    @test length(back) == 5
    @test back[1] == [1 2; 3 4] && back[2] == [1, 2, 3] && back[3][] == 2.5 && size(back[4]) == (0, 3)
    @test_throws EOFError read(reader)
    @test Hurray.stream_id(reader) == 0
end

@testset "the bytes of a bare stream are a descriptor and its buffers" begin
    io = IOBuffer()
    write(StreamWriter(io), Tensor(Float32, (2,), [Hurray.Buffer(Float32[1, 2])]))
    bytes = take!(io)
    descriptor = wire(type = 3, layout = 1, shape = (2,), buffers = [8])
    @test bytes[1:length(descriptor)] == descriptor
    @test bytes[(end - 7):end] == reinterpret(UInt8, Float32[1, 2])
end

@testset "framed" begin
    io = IOBuffer()
    writer = StreamWriter(io; stream_id = 7)
    data = samples()
    foreach(one -> write(writer, one), data)
    seekstart(io)
    reader = StreamReader(io)
    for one in data
        @test view(read(reader)) == one
        @test Hurray.stream_id(reader) == 7
    end
    @test isempty(Hurray.reply(reader))
    @test failure(() -> StreamWriter(IOBuffer(); stream_id = 0)) isa Hurray.InvalidArgumentError
end

@testset "over a socket and a pipe, as bytes come" begin
    data = samples()
    path = joinpath(SCRATCH, "socket")
    server = listen(path)
    sender = @async begin
        connection = connect(path)
        writer = StreamWriter(connection)
        foreach(one -> write(writer, one), data)
        close(connection)
    end
    connection = accept(server)
    @test [view(item) for item in StreamReader(connection)] == data
    wait(sender)
    close(server)
    pipe = Pipe()
    Base.link_pipe!(pipe; reader_supports_async = true, writer_supports_async = true)
    sender = @async begin
        foreach(one -> write(StreamWriter(pipe.in), one), data)
        close(pipe.in)
    end
    @test [view(item) for item in StreamReader(pipe.out)] == data
    wait(sender)
end

# Julia asks of a source: eof and unsafe_read, and no more.
struct Plain <: IO
    inner::IOBuffer
end
Base.eof(io::Plain) = eof(io.inner)
Base.unsafe_read(io::Plain, p::Ptr{UInt8}, n::UInt) = unsafe_read(io.inner, p, n)
mutable struct Half <: IO
    left::Int
end
function Base.unsafe_write(io::Half, ::Ptr{UInt8}, n::UInt)
    io.left -= Int(n)
    io.left < 0 && error("the line is cut")
    return Int(n)
end

@testset "any IO" begin
    io = IOBuffer()
    write(StreamWriter(io), rand(50))
    write(StreamWriter(io), [1])
    bytes = take!(io)
    @test view(last(collect(StreamReader(Plain(IOBuffer(bytes)))))) == [1]
    cut = failure(() -> collect(StreamReader(IOBuffer(bytes[1:(end - 1)]))))
    @test cut isa Hurray.StreamError && cut.status == Hurray.HURRAY_ERR_TRUNCATED
    writer = StreamWriter(Half(100))
    @test_throws ErrorException("the line is cut") write(writer, rand(1000))
    @test failure(() -> write(writer, [1])) isa Hurray.StreamError
end

@testset "nothing past an item is read" begin
    io = IOBuffer()
    write(StreamWriter(io), [1.0])
    write(io, "rest")
    seekstart(io)
    @test view(read(StreamReader(io))) == [1.0]
    @test read(io, String) == "rest"
end

@testset "wrong bytes, a limit, a closed stream" begin
    @test failure(() -> collect(StreamReader(IOBuffer("no stream at all")))) isa Hurray.StreamError
    io = IOBuffer()
    write(StreamWriter(io), rand(1000))
    seekstart(io)
    limited = failure(() -> collect(StreamReader(io; max_buffer_bytes = 100)))
    @test limited.status == Hurray.HURRAY_ERR_LIMIT_EXCEEDED
    reader, writer = StreamReader(io), StreamWriter(io)
    close(reader)
    close(writer)
    @test failure(() -> read(reader)) isa Hurray.BufferError
    @test failure(() -> write(writer, [1])) isa Hurray.BufferError
    @test sprint(show, reader) == "StreamReader(closed)"
end

@testset "a composite" begin
    io = IOBuffer()
    write(StreamWriter(io), Composite(:group, [Tensor([1, 2]), Tensor([3.0])]; shape = (), type = Int64))
    seekstart(io)
    back = read(StreamReader(io))
    @test back isa Composite && view(back[1]) == [1, 2]
end

@testset "a composite, part by part" begin
    io = IOBuffer()
    write(StreamWriter(io), Composite(:group, [Tensor([1, 2]), Tensor([3.0])]; shape = (), type = Int64))
    seekstart(io)
    head, first, second = collect(StreamReader(io; flat = true))
    @test head isa Hurray.DescriptorItem && Hurray.rank(Descriptor(head)) == 0 && Hurray.data(head) === nothing
    @test view(first) == [1, 2] && view(second) == [3.0]
    @test_throws MethodError write(StreamWriter(IOBuffer()), head)
    close(head)
    @test sprint(show, head) == "DescriptorItem(closed)"
    @test failure(() -> Hurray.data(head)) isa Hurray.BufferError
end

@testset "an unknown layout" begin
    # Byte 15 of a descriptor (counted from 0) is its layout. A framed stream says how many bytes come with it.
    io = IOBuffer()
    write(StreamWriter(io; stream_id = 7), Float32[1, 2])
    bytes = take!(io)
    bytes[12 + 16] = 0x30
    alone, = collect(StreamReader(IOBuffer(bytes); permissive = true))
    @test reinterpret(Float32, collect(view(Hurray.data(alone)))) == [1, 2]
    @test occursin("DescriptorItem(", sprint(show, alone))
    # A bare one does not, and ends there.
    write(StreamWriter(io), Float32[1, 2])
    bytes = take!(io)
    bytes[16] = 0x30
    reader = StreamReader(IOBuffer(bytes); permissive = true)
    @test Hurray.data(read(reader)) === nothing
    @test failure(() -> read(reader)).status == Hurray.HURRAY_ERR_UNSUPPORTED
end
