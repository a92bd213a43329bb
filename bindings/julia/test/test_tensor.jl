@testset "one line" begin
    @test sprint(show, Tensor(Float32[1 2 3; 4 5 6])) == "Tensor(float32 [2, 3] column_major cpu 24 bytes)"
    tensor = Tensor([1, 2])
    close(tensor)
    @test sprint(show, tensor) == "Tensor(closed)" && !isopen(tensor)
end

@testset "every element type that Julia has goes in and comes out" begin
    for (_, T) in Hurray.JULIA_TYPES
        bits = rand(UInt8, 12 * sizeof(T))
        array = reshape(collect(reinterpret(T, bits)), 3, 4)
        tensor = Tensor(array)
        @test Hurray.element_type(tensor) == ElementType(T) && size(tensor) == (3, 4) && length(tensor) == 12
        found = view(tensor)
        @test eltype(found) === T
        @test all(found[i, j] === array[i, j] for i in 1:3, j in 1:4)
        @test pointer(found) == pointer(array)
        @test isempty(Hurray.copied(Hurray.buffers(tensor)[1]))
    end
end

@testset "shapes without elements, of one element, of none" begin
    @test size(Tensor(fill(7.5))) == () && view(Tensor(fill(7.5)))[] == 7.5
    @test size(Tensor(zeros(0))) == (0,) && isempty(view(Tensor(zeros(0))))
    @test size(Tensor(zeros(3, 0, 2))) == (3, 0, 2) && isempty(copy(Tensor(zeros(3, 0, 2))))
end

# B120: one rule, the logical index, for every size.
@testset "row-major memory keeps its logical sizes" begin
    for dims in ((1, 1, 2), (1, 3), (3, 1), (1,), (), (2, 3), (4, 1, 3))
        memory = collect(1.0:prod(dims))
        bytes = Hurray.Buffer(memory)
        tensor = Tensor(Float64, dims, [bytes])
        @test size(view(tensor)) == dims
        close(bytes)
    end
    # Row-major [[1, 2, 3], [4, 5, 6]], as numpy has it.
    tensor = Tensor(Float64, (2, 3), [Hurray.Buffer([1.0, 2, 3, 4, 5, 6])])
    found = view(tensor)
    @test found == [1 2 3; 4 5 6] && found[2, 1] == 4
    @test strides(found) == (3, 1) && found isa TensorArray{Float64,2,:row}
    @test Hurray.memory(found) == [1 4; 2 5; 3 6] && copy(tensor) == [1 2 3; 4 5 6]
end

# B39: what is written is where it was.
@testset "strided arrays in place" begin
    array = reshape(collect(1.0:24.0), 4, 6)
    for (source, expected) in (
        (view(array, 1:2:4, 2:2:6), array[1:2:4, 2:2:6]),
        (view(array, 4:-1:1, :), array[4:-1:1, :]),
        (view(array, 2, :), array[2, :]),
        (PermutedDimsArray(array, (2, 1)), permutedims(array)),
        (PermutedDimsArray(view(array, 1:3, :), (2, 1)), permutedims(array[1:3, :])),
    )
        tensor = Tensor(source)
        @test view(tensor) == expected && copy(tensor) == expected
        @test view(tensor)[1] == first(source)
        @test pointer(view(tensor)) == Hurray.first_element(source)
        @test Hurray.copied_bytes(tensor) == 0
    end
    @test view(Tensor(PermutedDimsArray(array, (2, 1)))) isa TensorArray{Float64,2,:row}
    @test failure(() -> Tensor(1.0:3.0)) isa Hurray.UnsupportedError
end

@testset "a view of a view is the same memory" begin
    array = rand(3, 4)
    first = view(Tensor(array))
    again = view(Tensor(first))
    again[2, 2] = 42
    @test array[2, 2] == 42 && pointer(again) == pointer(array)
end

@testset "copy: none, forbidden, forced" begin
    array = rand(8)
    tensor = Tensor(array; copy = true)
    @test Hurray.copied(Hurray.buffers(tensor)[1]) == [:request] && Hurray.copied_bytes(tensor) == 64
    array[1] = -1
    @test view(tensor)[1] != -1
    @test Hurray.copied_bytes(Tensor(array; copy = false)) == 0
end

@testset "truth values" begin
    bits = BitVector([true, false, true, true, false, false, false, false, true])
    tensor = Tensor(bits; copy = false)
    @test Hurray.element_type(tensor) == ElementType(Bool) && size(tensor) == (9,)
    @test collect(Hurray.memory(Hurray.buffers(tensor)[1]))[1:2] == [0x0d, 0x01]
    # Row-major order, lowest bit first: 1 0 1 | 0 1 1 is 0b110101.
    tensor = Tensor([true false true; false true true])
    @test collect(Hurray.memory(Hurray.buffers(tensor)[1]))[1] == 0b110101
    @test Hurray.copied(Hurray.buffers(tensor)[1]) == [:packing]
    @test failure(() -> Tensor([true]; copy = false)) isa Hurray.CopyRequiredError
    @test failure(() -> view(tensor)) isa Hurray.UnsupportedError
end

@testset "handles across the door" begin
    tensor = Tensor([1.0, 2.0, 3.0])
    pointer = export_handle(tensor)
    close(tensor)
    back = import_handle(pointer)
    @test view(back) == [1, 2, 3]
    close(back)
    @test failure(() -> import_handle(C_NULL)) isa Hurray.BufferError
end

# A handle that says it is of another version: made with that number, as the header allows.
@testset "a handle of another version is refused, and stays its owner's" begin
    bytes = wire(type = 17, layout = 1, shape = (4,), buffers = [4])
    list = Hurray.BufferList([Hurray.Buffer(4)])
    raw = Hurray.value_of(Ptr{Hurray.HurrayTensor}) do out
        Hurray.hurray_tensor_new(9, bytes, length(bytes), list, C_NULL, C_NULL, out)
    end
    list.pointer = C_NULL
    refused = failure(() -> import_handle(raw))
    @test refused.status == Hurray.HURRAY_ERR_VERSION_MISMATCH && refused isa Hurray.UnsupportedError
    @test occursin("version 9", refused.message) && occursin("version 10", refused.message)
    @test occursin(Hurray.library_path(), refused.message)
    @test Hurray.hurray_tensor_destroy(Ref(raw)) == 0
end

@testset "using what is closed is an error" begin
    tensor = Tensor([1.0, 2.0])
    close(tensor)
    close(tensor)
    for use in (view, copy, size, Hurray.layout, export_handle, Hurray.buffers, Descriptor, Hurray.share)
        bad = failure(() -> use(tensor))
        @test bad isa Hurray.BufferError && bad.status == Hurray.HURRAY_ERR_INVALID_HANDLE
        @test bad.message == "the tensor is closed"
    end
end

@testset "a quantized tensor in one call" begin
    codes = Int8[10 -20 30; 4 5 -6]
    scales = Float32[0.5, 0.25]
    tensor = Tensor(codes, Hurray.PerChannelAffine(1), scales)
    @test Hurray.quantization(tensor) == Hurray.PerChannelAffine(1)
    @test view(tensor) == codes && Hurray.scales(tensor) == scales
    @test pointer(view(tensor)) == pointer(codes)
    @test failure(() -> Hurray.zero_points(tensor)) isa Hurray.InvalidArgumentError
    asymmetric = Tensor(codes, Hurray.PerChannelAffine(2; zero_point_buffer = 3), ones(Float32, 3), Int32[1, 2, 3])
    @test Hurray.zero_points(asymmetric) == [1, 2, 3]
end

@testset "sparse parts, in place and from 0" begin
    parts = [Hurray.Buffer([1.5, -2.0]), Hurray.Buffer(UInt64[0, 2]), Hurray.Buffer(UInt64[0, 1, 2])]
    tensor = Tensor(Float64, (2, 3), parts; layout = Hurray.CsrLayout(2))
    @test Hurray.values(tensor) == [1.5, -2.0]
    @test Hurray.indices(tensor) == [0, 2] && Hurray.pointers(tensor) == [0, 1, 2]
    @test failure(() -> view(tensor)) isa Hurray.UnsupportedError
    coo = Tensor(Float64, (2, 3), [Hurray.Buffer([5.0]), Hurray.Buffer(UInt64[1, 2])]; layout = Hurray.CooLayout(1))
    @test Hurray.indices(coo) == UInt64[1 2]
end
