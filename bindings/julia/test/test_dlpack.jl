# DLPack's own fields: what a consumer would read, at the offsets of its header.
field(pointer, offset, ::Type{T}) where {T} = unsafe_load(Ptr{T}(pointer + offset))

@testset "out, and back in" begin
    array = reshape(collect(1.0:6.0), 2, 3)
    tensor = Tensor(array)
    @test Hurray.dlpack_device(tensor) == (type = 1, id = 0)
    struct_pointer = Hurray.to_dlpack(tensor)
    close(tensor)
    # version 1.x; then context, deleter, flags; the array begins at 32: data, device, rank, type, shape, strides.
    @test field(struct_pointer, 0, UInt32) == 1
    @test field(struct_pointer, 32, Ptr{Float64}) + field(struct_pointer, 72, UInt64) == pointer(array)
    @test field(struct_pointer, 48, Int32) == 2 && field(struct_pointer, 53, UInt8) == 64
    strides = field(struct_pointer, 64, Ptr{Int64})
    @test (unsafe_load(strides, 1), unsafe_load(strides, 2)) == (1, 2)
    back = Hurray.from_dlpack(struct_pointer)
    @test view(back) == array && pointer(view(back)) == pointer(array)
    close(back)
end

@testset "unversioned structs are read-only when they come back" begin
    back = Hurray.from_dlpack(Hurray.to_dlpack(Tensor([1, 2]); versioned = false); versioned = false)
    @test view(back) == [1, 2] && isreadonly(view(back))
end

@testset "what DLPack cannot carry" begin
    @test failure(() -> Hurray.to_dlpack(Tensor(Int8[1], Hurray.PerTensorAffine(1.0f0)))) isa Hurray.UnsupportedError
    @test failure(() -> Hurray.to_dlpack(Tensor(trues(3)))) isa Hurray.CopyRequiredError
end
