using Hurray: MXFP, NF4, PerChannelAffine, PerTensorAffine

@testset "codes become numbers" begin
    tensor = Tensor(Int8[10 -20; 4 5], PerChannelAffine(1), Float32[0.5, 0.25])
    @test view(Hurray.dequantize(tensor)) == Float32[5 -10; 1 1.25]
    @test view(Hurray.dequantize(tensor, Float64)) isa TensorArray{Float64,2}
    shifted = Tensor(UInt8[10 20; 30 40], PerTensorAffine(2.0f0, 10))
    @test view(Hurray.dequantize(shifted, Float16)) == Float16[0 20; 40 60]
    @test view(Hurray.dequantize(Tensor(Int16[1, -2]))) == Float32[1, -2]
    @test failure(() -> Hurray.dequantize(tensor, Int8)) isa HurrayError
end

@testset "numbers become codes" begin
    numbers = Tensor(Float32[5 -10; 1 1.25])
    codes = Hurray.quantize(numbers, Int8, PerChannelAffine(1), [Float32[0.5, 0.25]])
    @test view(codes) == Int8[10 -20; 4 5] && Hurray.scales(codes) == Float32[0.5, 0.25]
    computed = Hurray.quantize(numbers, Int8, PerChannelAffine(1))
    # The largest magnitude of each row is code 127.
    @test maximum(abs.(view(computed)); dims = 2) == reshape([127, 127], 2, 1)
end

@testset "packed types, one code a byte" begin
    packed = Tensor(:int4, (4,), [Hurray.Buffer(UInt8[0x21, 0xf3])])
    codes = Hurray.unpack(packed)
    @test view(codes) == Int8[1, 2, 3, -1]
    again = Hurray.pack(codes, :int4)
    @test Hurray.memory(Hurray.buffers(again)[1])[1:2] == [0x21, 0xf3]
    bits = [true false true; false true true]
    @test view(Hurray.unpack(Tensor(bits))) == bits
    @test view(Hurray.unpack(Hurray.pack(Tensor(UInt8[0, 7, 1]), Bool))) == [0, 1, 1]
    @test failure(() -> Hurray.unpack(codes)).status == Hurray.HURRAY_ERR_INVALID_TYPE
    @test failure(() -> Hurray.pack(Tensor(Int8[9]), :int4)) isa Hurray.InvalidArgumentError
end

@testset "copy and threads" begin
    row = Tensor(Float32, (2, 3), [Hurray.Buffer(Float32[1, 2, 3, 4, 5, 6])])
    same = Hurray.to_layout(row, Hurray.RowMajorLayout(); copy = false)
    @test pointer(view(same)) == pointer(view(row))
    @test pointer(view(Hurray.to_layout(row, Hurray.RowMajorLayout(); copy = true))) != pointer(view(row))
    @test view(Hurray.to_layout(row, Hurray.ColumnMajorLayout(); threads = 2)) == [1 2 3; 4 5 6]
end

@testset "part of a tensor" begin
    array = reshape(collect(1.0:24.0), 4, 6)
    tensor = Tensor(array)
    for part in ((2:3, :), (:, 1:2:5), (4:-1:1, 2:4), (3, :), (4:-3:1, 6:-2:2))
        expected = array[map(i -> i isa Integer ? (i:i) : i, part)...]
        @test view(Hurray.slice(tensor, part...; copy = false)) == expected
    end
    @test size(Hurray.slice(tensor, 2:1, :)) == (0, 6)
    @test pointer(view(Hurray.slice(tensor, 2:3, :))) == pointer(array, 2)
    @test failure(() -> Hurray.slice(tensor, 1:5, :)) isa Hurray.IndexOutOfBoundsError
    @test failure(() -> Hurray.slice(tensor, :)) isa Hurray.InvalidArgumentError
end

@testset "where an element lies" begin
    columns = Tensor(Float32[1 2 3; 4 5 6])
    @test Hurray.element_offset(columns, 1, 1) == 0
    @test Hurray.element_offset(columns, 2, 3) == 5
    @test_throws HurrayError Hurray.element_offset(columns, 0, 1)
    @test_throws HurrayError Hurray.element_offset(columns, 3, 1)
    @test_throws HurrayError Hurray.element_offset(columns, 1)
end

@testset "statistics" begin
    found = Hurray.compute_statistics(Tensor([0.0, 3.0, -4.0, 1.0]))
    @test (found.nnz, found.min, found.max, found.abs_max, found.mean) == (3, -4.0, 3.0, 4.0, 0.0)
    @test found.stddev ≈ sqrt(26 / 4) && found.sparsity_ratio == 0.25
    @test found.has_nan === false && found.has_inf === false && found.nm_n === nothing
    @test Hurray.compute_statistics(Tensor([1.0, NaN])).has_nan === true
end

# Two sequences of three and two tokens, two tokens a page: the first is in pages 1 and 0, the second in page 2.
@testset "tokens of pages" begin
    pool = Hurray.Buffer(Float32[0, 1, 10, 11, 20, 21])
    parts = [pool, Hurray.Buffer(UInt32[1, 0, 2]), Hurray.Buffer(UInt32[0, 2, 3])]
    layout = Hurray.BlockPagedLayout(2, 3, 1, 2; kv_role = :key)
    paged = Tensor(Float32, (5, 1, 1), parts; layout = layout)
    tokens = Hurray.gather(paged, (3, 2))
    @test view(tokens) == reshape([10, 11, 0, 20, 21], 5, 1, 1)
    @test failure(() -> Hurray.gather(paged, [5, 1])) isa Hurray.InvalidArgumentError
    @test failure(() -> Hurray.gather(paged, [1, 4])) isa Hurray.IndexOutOfBoundsError
    @test failure(() -> Hurray.gather(tokens)) isa Hurray.InvalidArgumentError
    other = Tensor(reshape(Float32[-1, -2, -3, -4, -5], 5, 1, 1))
    @test Hurray.scatter!(paged, other, (3, 2)) === paged
    # The second slot of page 0 holds no token, and stays.
    @test reinterpret(Float32, Vector(Hurray.memory(pool))) == [-3, 1, -1, -2, -4, -5]
    @test failure(() -> Hurray.scatter!(tokens, other)) isa Hurray.InvalidArgumentError
    single = Tensor(Float32, (4, 1, 1), [Hurray.Buffer(Float32[1, 2, 3, 4]), Hurray.Buffer(UInt32[1, 0]),
                                         Hurray.Buffer(UInt32[0, 2])];
                    layout = Hurray.BlockPagedLayout(2, 2, 1, 1; kv_role = :key))
    @test vec(view(Hurray.gather(single))) == [3, 4, 1, 2]
end

@testset "what buffers hold is held to the format" begin
    rows(columns) = Tensor(
        Float32, (2, 3), [Hurray.Buffer(Float32[1, 2]), Hurray.Buffer(columns), Hurray.Buffer(UInt64[0, 2, 2])];
        layout = Hurray.CsrLayout(2),
    )
    @test Hurray.check_data(rows(UInt64[0, 2])) === nothing
    for (columns, rule) in (UInt64[0, 3] => "L-032", UInt64[2, 0] => "L-033")
        bad = failure(() -> Hurray.check_data(rows(columns)))
        @test bad.status == Hurray.HURRAY_ERR_INVALID_LAYOUT && occursin(rule, bad.message)
    end
end
