@testset "tags, names and Julia types" begin
    @test ElementType(Float32).tag == 3
    @test nameof(ElementType(3)) == :float32
    @test ElementType(:bfloat16) == ElementType(BFloat16)
    @test Hurray.bit_width(ElementType(:int4)) == 4
    @test Hurray.is_sub_byte(ElementType(:int4)) && Hurray.is_sub_byte(ElementType(Bool))
    @test !Hurray.is_sub_byte(ElementType(Int8))
    @test Hurray.packed_bytes(ElementType(:int4), 7) == 4
    @test Hurray.packed_bytes(ElementType(:float6_e2m3), 4) == 3
    @test Hurray.julia_type(ElementType(:complex64)) === ComplexF32
    @test Hurray.julia_type(ElementType(:uint2)) === nothing
    for (tag, type) in Hurray.JULIA_TYPES
        @test Hurray.julia_type(ElementType(type)) === type
        @test 8 * sizeof(type) == Hurray.bit_width(ElementType(tag))
    end
    @test sprint(show, ElementType(Float64)) == "ElementType(:float64)"
end

# Values by the definition of each type, worked out by hand.
@testset "narrow floats are the numbers that they are" begin
    bf(bits) = Float32(reinterpret(BFloat16, bits))
    @test bf(0x3f80) === 1.0f0
    @test bf(0xc040) === -3.0f0
    @test bf(0x7f80) === Inf32 && isnan(bf(0x7fc0))
    @test bf(0x0001) === ldexp(1.0f0, -133)
    e4m3(bits) = Float32(reinterpret(Float8E4M3, bits))
    @test e4m3(0x38) === 1.0f0 && e4m3(0x7e) === 448.0f0 && e4m3(0x01) === ldexp(1.0f0, -9)
    @test e4m3(0x80) === -0.0f0 && e4m3(0xc4) === -3.0f0 && isnan(e4m3(0x7f)) && isnan(e4m3(0xff))
    e5m2(bits) = Float32(reinterpret(Float8E5M2, bits))
    @test e5m2(0x3c) === 1.0f0 && e5m2(0x7b) === 57344.0f0 && e5m2(0x7c) === Inf32 && isnan(e5m2(0x7d))
    @test e5m2(0x01) === ldexp(1.0f0, -16)
    e8m0(bits) = Float32(reinterpret(Float8E8M0, bits))
    @test e8m0(0x7f) === 1.0f0 && e8m0(0x80) === 2.0f0 && e8m0(0x00) === ldexp(1.0f0, -127) && isnan(e8m0(0xff))
end

@testset "rounding to BFloat16 is to the nearest, ties to even" begin
    bits(x) = reinterpret(UInt16, BFloat16(x))
    @test bits(1.0f0) == 0x3f80
    @test bits(reinterpret(Float32, 0x3f808000)) == 0x3f80
    @test bits(reinterpret(Float32, 0x3f818000)) == 0x3f82
    @test bits(reinterpret(Float32, 0x3f808001)) == 0x3f81
    @test bits(floatmax(Float32)) == 0x7f80
    @test isnan(BFloat16(NaN32)) && isnan(BFloat16(reinterpret(Float32, 0x7f800001)))
    @test Float64(BFloat16(0.5)) === 0.5
end
