@testset "a partition of two tensors" begin
    left, right = Tensor(fill(1.0f0, 2, 2)), Tensor(fill(2.0f0, 2, 3))
    shards = map((left => 0, right => 2)) do (tensor, offset)
        Tensor(
            Float32, size(tensor), Hurray.buffers(tensor);
            layout = Hurray.layout(tensor), byte_offset = Hurray.byte_offset(tensor),
            shard = Hurray.Shard((2, 5), (0, offset)),
        )
    end
    composite = Composite(:partition, shards; shape = (2, 5), type = Float32)
    @test length(composite) == 2 && Hurray.shape(composite) == (2, 5)
    @test Hurray.layout(composite) == Hurray.CompositeLayout(:partition, :none, 2)
    @test view(composite[2]) == fill(2.0f0, 2, 3) && composite[end] isa Tensor
    @test [size(member) for member in composite] == [(2, 2), (2, 3)]
    @test failure(() -> composite[3]) isa Hurray.IndexOutOfBoundsError
    whole = Hurray.assemble(composite)
    @test view(whole) == Float32[1 1 2 2 2; 1 1 2 2 2] && view(whole) isa Hurray.RowArray
    @test failure(() -> Hurray.assemble(composite; copy = false)) isa Hurray.CopyRequiredError
    head = Descriptor(composite)
    member = composite[1]
    close(composite)
    @test Hurray.shape(head) == (2, 5) && view(member)[1] == 1
    @test failure(() -> length(composite)) isa Hurray.BufferError
    @test sprint(show, composite) == "Composite(closed)"
    bad = failure(() -> Composite(:partition, [shards[1]]; shape = (2, 5), type = Float32))
    @test bad.status == Hurray.HURRAY_ERR_INVALID_LAYOUT
end

@testset "a group within a group" begin
    inner = Composite(:group, [Tensor([1, 2])]; shape = (), type = Int64)
    outer = Composite(:group, Any[inner, Tensor([3.0])]; shape = (), type = Int64)
    @test outer[1] isa Composite && view(outer[1][1]) == [1, 2] && view(outer[2]) == [3.0]
    @test occursin("2 members", sprint(show, outer))
    @test failure(() -> Hurray.assemble(inner)) isa Hurray.UnsupportedError
end

@testset "an overlay: what a sparse correction stores is added" begin
    whole = Hurray.Shard((2, 2), (0, 0))
    base = Tensor(Float32, (2, 2), [Hurray.Buffer(Float32[1, 2, 3, 4])]; shard = whole, member_role = :base)
    parts = [Hurray.Buffer(Float32[2]), Hurray.Buffer(UInt64[1, 0])]
    correction = Tensor(
        Float32, (2, 2), parts; layout = Hurray.CooLayout(1, true), shard = whole, member_role = :correction,
    )
    overlay = Composite(:overlay, [base, correction]; shape = (2, 2), type = Float32, combine_op = :add)
    @test view(Hurray.assemble(overlay)) == [1 2; 5 4]
end
