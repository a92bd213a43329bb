file_of(name) = joinpath(SCRATCH, name)

@testset "save and open" begin
    path = file_of("plain.hrry")
    row = PermutedDimsArray(reshape(collect(Float32, 1:6), 3, 2), (2, 1))
    Hurray.save(path, ["x" => row, "y" => Int8[1 2; 3 4], "flags" => [true, false, true]];
                kv = ["step" => 7, "rate" => 0.5, "name" => "run ü", "on" => true, "big" => typemax(UInt64),
                      "raw" => UInt8[0, 255], "ids" => [1, -2], "empty" => Float64[], "words" => ["a", "", "ccc"],
                      "blobs" => [UInt8[1], UInt8[]], "bits" => [true, false], "u" => UInt64[3]])
    Hurray.open(path) do file
        @test keys(file) == ["x", "y", "flags"] && length(file) == 3
        @test view(file["x"]) == [1 2 3; 4 5 6] && view(file["x"]) isa TensorArray{Float32,2,:row}
        @test view(file["y"]) == [1 2; 3 4] && view(file[2]) == [1 2; 3 4]
        @test haskey(file, "x") && !haskey(file, "z") && get(file, "z", 0) == 0
        @test_throws KeyError file["z"]
        @test failure(() -> file[4]) isa Hurray.IndexOutOfBoundsError
        @test [name for (name, item) in file] == ["x", "y", "flags"]
        kv = Hurray.kv(file)
        @test kv == Dict("step" => 7, "rate" => 0.5, "name" => "run ü", "on" => true, "big" => typemax(UInt64),
                         "raw" => UInt8[0, 255], "ids" => [1, -2], "empty" => Float64[], "words" => ["a", "", "ccc"],
                         "blobs" => [UInt8[1], UInt8[]], "bits" => [true, false], "u" => UInt64[3])
        @test kv["empty"] isa Vector{Float64} && kv["u"] isa Vector{UInt64} && kv["on"] === true
        @test Hurray.shape(Descriptor(file, "x")) == (2, 3)
        place = Hurray.byte_range(file, "x")
        @test place.offset % 4096 == 0 && place.length >= 24
        @test Hurray.read_bytes(file, "x", 4, 8) == reinterpret(UInt8, Float32[2, 3])
        Hurray.advise(file, :will_need, "x")
        Hurray.advise(file, :sequential)
        @test sprint(show, file) == "Hurray.File(3 items)"
    end
end

@testset "how tensors get their memory" begin
    path = file_of("modes.hrry")
    Hurray.save(path, Dict("x" => collect(1.0:100.0)))
    before = read(path)
    written = Hurray.open(file -> view(file["x"]), path)
    written[1] = -1
    @test written[1] == -1 && read(path) == before
    fixed = Hurray.open(file -> view(file["x"]), path; mode = :readonly)
    @test isreadonly(fixed) && fixed[1] == 1
    @test_throws Exception fixed[1] = 2.0
    copied = Hurray.open(file -> view(file["x"]), path; mode = :copy)
    copied[1] = 5
    @test read(path) == before
    @test failure(() -> Hurray.open(path; mode = :fast)) isa Hurray.InvalidArgumentError
end

@testset "tensors outlive the file, and a file is saved over itself" begin
    path = file_of("over.hrry")
    Hurray.save(path, Dict("x" => collect(1.0:10.0)))
    file = Hurray.open(path)
    tensor = file["x"]
    descriptor = Descriptor(file, "x")
    close(file)
    @test failure(() -> file["x"]) isa Hurray.BufferError && sprint(show, file) == "Hurray.File(closed)"
    @test Hurray.shape(descriptor) == (10,)
    Hurray.save(path, Dict("x" => tensor, "y" => view(tensor)))
    @test view(tensor) == 1:10
    @test Hurray.open(file -> view(file["y"]), path) == 1:10
end

@testset "an IO, and bytes" begin
    io = IOBuffer()
    Hurray.save(io, ["a" => [1 2; 3 4], "b" => Float32[1.5]])
    seekstart(io)
    bytes = read(io)
    for source in (io, bytes)
        file = Hurray.open(source)
        @test keys(file) == ["a", "b"] && view(file["a"]) == [1 2; 3 4] && view(file["b"]) == [1.5f0]
        close(file)
    end
    open(file_of("bytes.hrry"), "w") do out
        write(out, bytes)
    end
    open(file_of("bytes.hrry")) do source
        @test view(Hurray.open(source)["a"]) == [1 2; 3 4]
    end
end

# What a callback throws is thrown on this side, as it was.
struct Broken <: IO end
Base.unsafe_write(::Broken, ::Ptr{UInt8}, ::UInt) = error("no room")
mutable struct Failing <: IO
    inner::IOBuffer
    fails::Bool
end
Base.seekend(io::Failing) = seekend(io.inner)
Base.position(io::Failing) = position(io.inner)
Base.seek(io::Failing, offset::Integer) = seek(io.inner, offset)
Base.unsafe_read(io::Failing, p::Ptr{UInt8}, n::UInt) = io.fails ? error("lost") : unsafe_read(io.inner, p, n)

@testset "an IO that fails" begin
    bad = try
        Hurray.save(Broken(), Dict("x" => [1.0]))
    catch error
        error
    end
    @test bad == ErrorException("no room")
    io = IOBuffer()
    Hurray.save(io, Dict("x" => [1.0]))
    failing = Failing(io, false)
    file = Hurray.open(failing)
    failing.fails = true
    @test_throws ErrorException("lost") file["x"]
    failing.fails = false
    @test view(file["x"]) == [1.0]
end

@testset "composites" begin
    path = file_of("composite.hrry")
    group = Composite(:group, [Tensor([1, 2]), Tensor([3.0])]; shape = (), type = Int64)
    Hurray.save(path, ["g" => group, "x" => [5]])
    Hurray.open(path) do file
        @test keys(file) == ["g", "x"] && Hurray.entry_names(file) == ["g", "g.0", "g.1", "x"]
        @test file["g"] isa Composite && view(file["g"][2]) == [3.0] && view(file["g.0"]) == [1, 2]
    end
end

@testset "an unfinished or failed file leaves the old one" begin
    path = file_of("old.hrry")
    Hurray.save(path, Dict("x" => [1]))
    before = read(path)
    writer = Hurray.FileWriter(path)
    writer["x"] = [2]
    close(writer)
    @test read(path) == before
    @test failure(() -> Hurray.save(path, ["x" => [1], "x" => [2]])).status == Hurray.HURRAY_ERR_DUPLICATE
    @test read(path) == before && readdir(SCRATCH) == filter(name -> !startswith(name, ".hurray-"), readdir(SCRATCH))
    @test failure(() -> Hurray.save(path, Dict("x" => [1]); kv = ["k" => 1 // 2])) isa Hurray.InvalidArgumentError
end

@testset "damage is a FileError with a place" begin
    path = file_of("damaged.hrry")
    Hurray.save(path, Dict("x" => collect(1:100)))
    bytes = read(path)
    for cut in (0, 7, 100, length(bytes) - 1)
        @test failure(() -> Hurray.open(bytes[1:cut])) isa Hurray.FileError
    end
    bytes[1] = 0x00
    @test failure(() -> Hurray.open(bytes)).status == Hurray.HURRAY_ERR_INVALID_MAGIC
end

# B39, for the arrays of this language.
@testset "arrays of every memory order are the same after a file" begin
    fortran = reshape(collect(1:6000), 100, 60)
    steps = view(fortran, 1:2:100, 1:3:60)
    reversed = view(fortran, 100:-1:1, :)
    io = IOBuffer()
    Hurray.save(io, ["f" => fortran, "s" => steps, "r" => reversed])
    file = Hurray.open(io)
    @test view(file["f"]) == fortran && view(file["s"]) == steps && view(file["r"]) == reversed
end
