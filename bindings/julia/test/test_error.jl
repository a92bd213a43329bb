@testset "an error has status, text and place" begin
    bad = failure(() -> Descriptor(b"XRRY0123456789"))
    @test bad isa Hurray.InvalidDescriptorError
    @test bad.status == Hurray.HURRAY_ERR_INVALID_MAGIC
    @test occursin(r"^V-\d+", bad.message)
    @test occursin("HURRAY_ERR_INVALID_MAGIC", sprint(showerror, bad))
end

@testset "a truncated descriptor says where its bytes end" begin
    whole = wire(type = 3, layout = 1, shape = (2, 3), buffers = [24])
    for length in (0, 3, 9, 20, lastindex(whole) - 1)
        bad = failure(() -> Descriptor(whole[1:length]))
        @test bad isa Hurray.InvalidDescriptorError
        @test bad.status in (Hurray.HURRAY_ERR_TRUNCATED, Hurray.HURRAY_ERR_INVALID_MAGIC)
    end
    @test Hurray.shape(Descriptor(whole)) == (2, 3)
end

@testset "families" begin
    tensor = Tensor([1.0, 2.0])
    @test failure(() -> Hurray.part(tensor, :scales)).status == Hurray.HURRAY_ERR_FIELD_NOT_APPLICABLE
    @test failure(() -> Hurray.part(tensor, :nothing)) isa Hurray.InvalidArgumentError
    @test failure(() -> view(Float32, tensor)) isa Hurray.UnsupportedError
    @test failure(() -> Hurray.open("no/such/file.hrry")) isa Hurray.FileError
    @test failure(() -> Hurray.open("no/such/file.hrry")).os_error == Base.Libc.ENOENT
    @test failure(() -> ElementType(Rational{Int})) isa Hurray.UnsupportedError
    @test failure(() -> ElementType(:float31)) isa Hurray.InvalidArgumentError
    close(tensor)
end

@testset "the text is that of this call, also after answers and in other tasks" begin
    bad = failure(() -> Descriptor(b"XRRY0123456789"))
    answer = failure(() -> Hurray.part(Tensor([1.0]), :scales))
    @test answer.message != bad.message
    texts = Set{String}()
    @sync for k in 1:20
        @async push!(texts, failure(() -> Descriptor(b"XRRY0123456789")).message)
    end
    @test texts == Set([bad.message])
end
