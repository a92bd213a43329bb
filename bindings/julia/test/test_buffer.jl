@testset "memory of the library" begin
    buffer = Hurray.Buffer(100; alignment = 4096)
    @test sizeof(buffer) == 100 && Hurray.alignment(buffer) >= 4096
    bytes = Hurray.memory(buffer)
    @test bytes isa TensorArray{UInt8,1} && all(iszero, bytes)
    bytes[100] = 0x07
    @test Hurray.memory(buffer)[100] == 0x07
    @test Hurray.device(buffer) == (kind = :cpu, id = 0, memory_class = :standard)
    @test Hurray.sync_mode(buffer) == :producer_synced
    @test sprint(show, buffer) == "Hurray.Buffer(100 bytes)"
    close(buffer)
    close(buffer)
    @test bytes[100] == 0x07
    @test failure(() -> sizeof(buffer)) isa Hurray.BufferError
end

@testset "an array's own memory where it is aligned, else a copy that says so" begin
    room = zeros(UInt8, 4096)
    start = Int(64 - UInt(pointer(room)) % 64) % 64
    aligned = unsafe_wrap(Array, pointer(room, start + 1), 1024)
    buffer = GC.@preserve room Hurray.Buffer(aligned)
    @test isempty(Hurray.copied(buffer))
    GC.@preserve room (Hurray.memory(buffer)[3] = 0x2a)
    @test room[start + 3] == 0x2a
    close(buffer)
    shifted = unsafe_wrap(Array, pointer(room, start + 9), 1024)
    GC.@preserve room begin
        buffer = Hurray.Buffer(shifted)
        @test Hurray.copied(buffer) == [:alignment]
        @test failure(() -> Hurray.Buffer(shifted; copy = false)) isa Hurray.CopyRequiredError
        close(buffer)
        buffer = Hurray.Buffer(aligned; copy = true)
        @test Hurray.copied(buffer) == [:request] && Hurray.memory(buffer) == aligned
        close(buffer)
    end
end

@testset "read-only stays" begin
    buffer = Hurray.readonly!(Hurray.Buffer(16))
    @test isreadonly(buffer)
    @test_throws Exception (Hurray.memory(buffer)[1] = 0x01)
    tensor = Tensor(Float32, (4,), [buffer])
    @test isreadonly(tensor) && isreadonly(view(tensor))
    @test isreadonly(Hurray.buffers(tensor)[1])
end
