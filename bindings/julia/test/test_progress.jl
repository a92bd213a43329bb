using Hurray: CancelledError, FileWriter, Progress

@testset "how far a call came" begin
    progress = Progress()
    @test Hurray.bytes(progress) == (done = 0, total = 0)
    @test view(Hurray.dequantize(Tensor(Int8[1, 2]), Float64; progress = progress)) == [1, 2]
    @test Hurray.bytes(progress) == (done = 16, total = 16)
    Hurray.to_layout(Tensor(Float32[1 2; 3 4]), Hurray.RowMajorLayout(); progress = progress)
    @test Hurray.bytes(progress) == (done = 16, total = 16)
end

# Whether the call ended before its time.
function ended_early(codes)
    progress = Progress()
    task = Threads.@spawn try
        Hurray.dequantize(codes; progress = progress)
    catch error
        error
    end
    # Where the call runs on this thread, it is over when this task goes on.
    while Hurray.bytes(progress).done == 0 && !istaskdone(task)
        yield()
    end
    Hurray.cancel(progress)
    found, (done, total) = fetch(task), Hurray.bytes(progress)
    @test found isa Union{Tensor,CancelledError} && (found isa CancelledError || done == total)
    return found isa CancelledError && done < total
end

@testset "cancelled from another thread, in the middle" begin
    codes = Tensor(zeros(Int8, 4096, 2048))
    @test any(_ -> ended_early(codes), 1:1000)
    @test view(codes)[1] == 0
    close(codes)
end

@testset "what is cancelled stays so" begin
    progress = Progress()
    Hurray.cancel(progress)
    tensor = Tensor(Float32[1, 2])
    for call in (
        () -> Hurray.dequantize(tensor, Float64; progress = progress),
        () -> Hurray.to_layout(tensor, Hurray.RowMajorLayout(); copy = true, progress = progress),
        () -> Hurray.quantize(tensor, Int8, Hurray.PerTensorAffine(1.0f0); progress = progress),
        () -> Hurray.slice(tensor, 1:1; copy = true, progress = progress),
        () -> Hurray.compute_statistics(tensor; progress = progress),
        () -> Hurray.save(IOBuffer(), ["x" => tensor]; progress = progress),
    )
        bad = failure(call)
        @test bad isa CancelledError && bad.status == Hurray.HURRAY_ERR_CANCELLED
    end
end

@testset "a file that was cancelled is none" begin
    path = joinpath(SCRATCH, "cancelled.hrry")
    Hurray.save(path, ["x" => [1]])
    before, files = read(path), readdir(SCRATCH)
    progress = Progress()
    writer = FileWriter(path; progress = progress)
    writer["a"] = zeros(1000)
    @test Hurray.bytes(progress).done >= 8000
    Hurray.cancel(progress)
    @test failure(() -> (writer["b"] = zeros(1000))) isa CancelledError
    @test failure(() -> Hurray.finish(writer)) isa CancelledError
    close(writer)
    close(writer)
    @test read(path) == before && readdir(SCRATCH) == files
end

# An IO that cancels as soon as it is used.
struct Cancelling <: IO
    inner::IOBuffer
    progress::Progress
    active::Ref{Bool}
end
cancel_by(io) = io.active[] && Hurray.cancel(io.progress)
Base.unsafe_write(io::Cancelling, p::Ptr{UInt8}, n::UInt) = (cancel_by(io); unsafe_write(io.inner, p, n))
Base.unsafe_read(io::Cancelling, p::Ptr{UInt8}, n::UInt) = (cancel_by(io); unsafe_read(io.inner, p, n))
Base.seek(io::Cancelling, offset::Integer) = seek(io.inner, offset)
Base.seekend(io::Cancelling) = seekend(io.inner)
Base.position(io::Cancelling) = position(io.inner)

@testset "cancelled while bytes come and go" begin
    whole = IOBuffer()
    Hurray.save(whole, ["x" => zeros(1000)])
    io = Cancelling(IOBuffer(), Progress(), Ref(true))
    @test failure(() -> Hurray.save(io, ["x" => zeros(1000)]; progress = io.progress)) isa CancelledError
    @test 0 < position(io.inner) < position(whole)
    io = Cancelling(whole, Progress(), Ref(false))
    file = Hurray.open(io; progress = io.progress)
    @test view(file["x"]) == zeros(1000) && Hurray.bytes(io.progress).done >= 8000
    io.active[] = true
    @test failure(() -> file["x"]) isa CancelledError
    close(file)
end
