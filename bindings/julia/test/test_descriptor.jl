using Hurray: BlockPagedLayout, ColumnMajorLayout, CompositeLayout, CooLayout, CscLayout, CsfLayout, CsrLayout
using Hurray: HilbertLayout, MortonLayout, RowMajorLayout, StridedLayout, TiledLayout
using Hurray: ExtensionType, MXFP, NF4, PerBlockAffine, PerChannelAffine, PerTensorAffine, Shard, Statistics

@testset "bytes written by hand" begin
    bytes = wire(type = 3, layout = 1, shape = (2, 3), buffers = [24])
    d = Descriptor(bytes)
    @test Hurray.element_type(d) == ElementType(Float32)
    @test Hurray.shape(d) == (2, 3) && ndims(d) == 2
    @test Hurray.layout(d) == RowMajorLayout()
    @test Hurray.quantization(d) === nothing && Hurray.statistics(d) === nothing && Hurray.shard(d) === nothing
    @test Hurray.byte_offset(d) == 0 && Hurray.buffer_count(d) == 1 && Hurray.element_count(d) == 6
    @test Hurray.format_version(d) == v"1.0"
    table = Hurray.buffer_table(d)
    @test length(table) == 1 && table[1].byte_size == 24 && table[1].alignment == 64 && table[1].device == :cpu
    @test Hurray.encode(d) == bytes
    @test d == Descriptor(:float32, (2, 3))
    @test Hurray.encode(Descriptor([bytes; 0xff])) == bytes
    @test occursin("float32", sprint(show, d)) && !occursin('\n', sprint(show, d))
    @test occursin("48 52 52 59", Hurray.annotate(d))
    close(d)
    @test sprint(show, d) == "Descriptor(closed)"
    @test failure(() -> Hurray.shape(d)) isa Hurray.BufferError
end

@testset "dynamic and large dimensions" begin
    d = Descriptor(wire(type = 17, layout = 1, shape = (typemax(UInt64), 4), buffers = [0]))
    @test Hurray.shape(d) == (nothing, 4) && Hurray.element_count(d) === nothing
    @test Hurray.shape(Descriptor(:uint8, (nothing, 4); buffers = [Hurray.BufferEntry(0)])) == (nothing, 4)
    huge = Descriptor(wire(type = 17, layout = 1, shape = (UInt64(2)^63, 0), buffers = [0]))
    @test Hurray.shape(huge) == (UInt64(2)^63, 0)
end

# Each layout is written by its fields and read back from the bytes that the library made of them.
@testset "layouts" begin
    back(layout, shape) = Hurray.layout(Descriptor(Hurray.encode(Descriptor(Float32, shape; layout = layout))))
    for (layout, shape) in (
        RowMajorLayout() => (2, 3),
        ColumnMajorLayout() => (2, 3),
        StridedLayout((1, 4)) => (2, 3),
        TiledLayout((2, 2)) => (4, 4),
        TiledLayout((2, 2); outer_layout = :column_major, inner_layout = :column_major) => (4, 4),
        TiledLayout((2, 2); outer_layout = :strided, outer_strides = (2, 1)) => (4, 4),
        TiledLayout((4, 4); inner = TiledLayout((2, 2))) => (8, 8),
        MortonLayout((2, 2)) => (4, 4),
        HilbertLayout(2, 2) => (4, 4),
        CooLayout(3, true) => (4, 4),
        CsrLayout(3) => (4, 4),
        CscLayout(3) => (4, 4),
        BlockPagedLayout(16, 4, 1, 2; kv_role = :value, layer_index = 3, index_type = UInt64) => (40, 2, 8),
    )
        @test back(layout, shape) == layout
    end
end

@testset "axes count from 1 here and from 0 in the bytes" begin
    # Layout 9, three axes in the order 2, 0, 1 of the format.
    d = Descriptor(:float32, (2, 3, 4); layout = CsfLayout(0, (3, 1, 2)), buffers = nothing)
    @test Hurray.layout(d) == CsfLayout(0, (3, 1, 2))
    field = Hurray.fields(d)[Hurray.key(Hurray.HURRAY_LAYOUT_FIELD_CSF_MODE_ORDER)]
    @test field == [2, 0, 1]
    quantized = Descriptor(Int8, (4, 6); quantization = PerChannelAffine(2))
    @test Hurray.quantization(quantized).axis == 2
    @test Hurray.fields(quantized)[Hurray.key(Hurray.HURRAY_QUANT_FIELD_PER_CHANNEL_AXIS)] == 1
    @test Hurray.fields(quantized)[Hurray.key(Hurray.HURRAY_QUANT_FIELD_PER_CHANNEL_SCALE_BUFFER)] == 1
end

@testset "quantization" begin
    for (type, shape, scheme) in (
        (Int8, (4, 6), PerTensorAffine(0.5, -3)),
        (Int8, (4, 6), PerChannelAffine(1)),
        (UInt8, (4, 6), PerChannelAffine(2; zero_point_buffer = 3)),
        (Int8, (4, 64), PerBlockAffine(2, 32; scale_type = Float16)),
        (:uint4, (4, 64), NF4(2, 32)),
        (:float4_e2m1, (4, 64), MXFP(2, 32)),
    )
        d = Descriptor(type, shape; quantization = scheme)
        @test Hurray.quantization(Descriptor(Hurray.encode(d))) == scheme
        @test nameof(scheme) == nameof(Hurray.quantization(d))
    end
    @test nameof(PerChannelAffine(1)) == :per_channel_affine
end

@testset "sections" begin
    statistics = Statistics(nnz = 5, min = -1.5, max = 2.0, abs_max = 2.0, has_nan = false, has_inf = true)
    shard = Shard((8, 6), (4, 0))
    d = Descriptor(Float32, (4, 6); statistics = statistics, shard = shard, member_role = :base)
    d = Descriptor(Hurray.encode(d))
    @test Hurray.statistics(d) == statistics
    @test Hurray.shard(d) == shard
    @test Hurray.member_role(d) == :base
    private = ExtensionType(bit_width = 16, is_float = true, sign_bits = 1, exponent_bits = 6,
                            mantissa_bits = 9, exponent_bias = 31)
    d = Descriptor(ElementType(0xf1), (4,); extension_type = private)
    @test Hurray.extension_type(d) == private
    @test nameof(Hurray.element_type(d)) == :private_f1
end

@testset "permissive keeps what it does not know" begin
    bytes = wire(type = 3, layout = 0xf2, shape = (2,), payload = [u64(7); u32(2); 0xaa; 0xbb], buffers = [8])
    @test failure(() -> Descriptor(bytes)) isa HurrayError
    d = Descriptor(bytes; permissive = true)
    @test Hurray.layout(d) isa Union{Hurray.PrivateLayout,Hurray.UnknownLayout}
    @test Hurray.encode(d) == bytes
end

@testset "a field without effect or of a wrong value is the library's error" begin
    @test failure(() -> Descriptor(Float32, (4, 6); layout = StridedLayout((1,)))) isa HurrayError
    @test failure(() -> Descriptor(Int8, (4, 6); quantization = PerChannelAffine(3))) isa HurrayError
    @test failure(() -> Descriptor(Float32, (2, 3); layout = CompositeLayout(:sum, :none, 1))) isa HurrayError
    @test failure(() -> Descriptor(Float32, fill(1, 65))).status == Hurray.HURRAY_ERR_LIMIT_EXCEEDED
end
