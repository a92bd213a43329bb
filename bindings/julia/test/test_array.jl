@testset "an array like any other" begin
    array = reshape(collect(1.0:12.0), 3, 4)
    column = view(Tensor(copy(array)))
    row = view(Tensor(PermutedDimsArray(permutedims(array), (2, 1))))
    strided = view(Tensor(view(reshape(collect(1.0:48.0), 6, 8), 1:2:6, 1:2:8)))
    @test column isa Hurray.ColumnArray && row isa Hurray.RowArray && strided isa TensorArray{Float64,2,:strided}
    for (found, expected) in (column => array, row => array, strided => reshape(1.0:48.0, 6, 8)[1:2:6, 1:2:8])
        @test found == expected && size(found) == (3, 4) && axes(found) == axes(expected)
        @test [found[i] for i in eachindex(IndexLinear(), found)] == vec(expected)
        @test found[2, :] == expected[2, :] && found[end, 1] == expected[end, 1]
        @test Array(found) == expected && collect(found) == expected && copy(found) isa Array
        @test sum(found) == sum(expected) && maximum(found) == maximum(expected)
        @test sum(found; dims = 1) == sum(expected; dims = 1) && sum(abs2, found) == sum(abs2, expected)
        @test prod(found .- 1) == prod(expected .- 1) && extrema(found) == extrema(expected)
        @test 2 .* found .+ 1 == 2 .* expected .+ 1
        @test found * ones(4) == expected * ones(4)
        @test_throws BoundsError found[4, 1]
        @test_throws BoundsError found[13]
        @test similar(found) isa Array
        found[3, 2] = -5
        @test found[3, 2] == -5
        @test_throws InexactError view(Tensor([1]))[1] = 1.5
    end
end

@testset "reductions with an init, and of arrays of three axes" begin
    array = rand(3, 4, 5)
    row = view(Tensor(PermutedDimsArray(permutedims(array, (3, 2, 1)), (3, 2, 1))))
    @test row isa Hurray.RowArray && row == array
    @test mapreduce(identity, +, row; init = 10.0) ≈ sum(array) + 10
    @test sum(row; dims = (1, 3)) ≈ sum(array; dims = (1, 3))
    @test Array(row) == array && strides(row) == (20, 5, 1)
end

@testset "read-only views have no setindex!" begin
    tensor = Tensor([1.0, 2.0]; readonly = true)
    found = view(tensor)
    @test isreadonly(found) && isreadonly(tensor)
    @test_throws Exception found[1] = 3.0
    @test found == [1, 2]
    @test isreadonly(view(Tensor(found)))
    copied = copy(tensor)
    copied[1] = 3
    @test found[1] == 1
    @test !isreadonly(view(Tensor([1.0])))
end

@testset "a misaligned address is refused, and copied when asked" begin
    room = zeros(UInt8, 64)
    copyto!(room, 2, reinterpret(UInt8, Float32[1.5, -2.0, 3.25]), 1, 12)
    tensor = GC.@preserve room Hurray.wrap(ElementType(Float32), UInt64[3], nothing, pointer(room, 2), room)
    bad = failure(() -> view(tensor))
    @test bad isa Hurray.BufferError && bad.status == Hurray.HURRAY_ERR_BUFFER_MISMATCH
    @test occursin("copy(tensor)", bad.message)
    @test copy(tensor) == [1.5, -2.0, 3.25]
    @test isempty(Hurray.copied(Hurray.buffers(tensor)[1]))
end

@testset "types that Julia has as bits" begin
    tensor = Tensor(BFloat16.([1.0, -2.5]))
    @test Float32.(view(tensor)) == [1.0, -2.5] && view(tensor) isa TensorArray{BFloat16,1}
    quads = reinterpret(Hurray.Float128, UInt128[1, 2])
    @test view(Tensor(collect(quads))) == quads
    bytes = UInt8[0x21, 0x03]
    packed = Tensor(:int4, (3,), bytes; copy = false)
    @test pointer(Hurray.memory(Hurray.buffers(packed)[1])) == pointer(bytes)
    @test failure(() -> Tensor(:int4, (5,), bytes)) isa Hurray.BufferError
    @test failure(() -> view(packed)) isa Hurray.UnsupportedError
    @test failure(() -> copy(packed)) isa Hurray.UnsupportedError
    @test Hurray.memory(Hurray.buffers(packed)[1])[1:2] == [0x21, 0x03]
end

@testset "tiles and curves" begin
    memory = collect(1.0:16.0)
    buffer = Hurray.Buffer(memory)
    tiled = view(Tensor(Float64, (4, 4), [buffer]; layout = Hurray.TiledLayout((2, 2))))
    @test tiled isa Hurray.IndexedArray && tiled == [1 2 5 6; 3 4 7 8; 9 10 13 14; 11 12 15 16]
    @test Array(tiled) == tiled && sum(tiled) == 136 && tiled[2, 3] == 7
    tiled[2, 3] = -7
    @test Hurray.memory(buffer)[49:56] == reinterpret(UInt8, [-7.0])
    tiled[2, 3] = 7
    morton = view(Tensor(Float64, (4, 4), [buffer]; layout = Hurray.MortonLayout((2, 2))))
    # Bit b of index d of r is bit b * r + d of the place.
    at(i, j) = sum(((i >> b) & 1) << 2b | ((j >> b) & 1) << (2b + 1) for b in 0:1) + 1
    @test morton == [memory[at(i, j)] for i in 0:3, j in 0:3]
    hilbert = view(Tensor(Float64, (4, 4), [buffer]; layout = Hurray.HilbertLayout(2, 2)))
    # A Hilbert curve visits every cell once, and steps to a neighbour each time.
    path = sort([(hilbert[i, j], i, j) for i in 1:4 for j in 1:4])
    @test [one[1] for one in path] == memory
    @test all(abs(a[2] - b[2]) + abs(a[3] - b[3]) == 1 for (a, b) in zip(path, path[2:end]))
    tiles = Tensor(Float64, (4, 4), [buffer]; layout = Hurray.TiledLayout((2, 2)))
    row = Hurray.to_layout(tiles, Hurray.RowMajorLayout())
    @test view(row) isa Hurray.RowArray && view(row) == tiled
    @test failure(() -> Hurray.to_layout(row, Hurray.ColumnMajorLayout(); copy = false)) isa Hurray.CopyRequiredError
    @test_throws BoundsError tiled[5, 1]
end
