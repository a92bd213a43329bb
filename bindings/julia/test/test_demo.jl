# Julia's part of the tour, on three tensors whose checksums zlib gives.
@testset "the tour" begin
    columns = Tensor(reshape(Float32[1, 2, 3, 4, 5, 6], 2, 3))
    quantized = Tensor(Int8[1 3; -2 4], Hurray.PerChannelAffine(1), Float32[0.5, 0.25])
    parts = [Hurray.Buffer(Float32[1.5, -2, 3]), Hurray.Buffer(UInt64[0, 2, 1]), Hurray.Buffer(UInt64[0, 2, 3])]
    matrix = Tensor(Float32, (2, 3), parts; layout = Hurray.CsrLayout(3))
    samples = ["columns" => columns, "quantized" => quantized, "matrix" => matrix]
    file, stream, out = joinpath.(SCRATCH, ("tour.hrry", "tour.stream", "back.hrry"))
    Hurray.save(file, samples)
    open(io -> foreach(one -> write(StreamWriter(io), one[2]), samples), stream, "w")

    program = joinpath(@__DIR__, "..", "..", "..", "demo", "julia", "demo.jl")
    lines = readlines(`$(Base.julia_cmd()) --startup-file=no $program $file $stream $out`)
    @test length(lines) == 7
    says(line, key, value) = @test occursin("\"$key\":$value", line) 
    for (line, crc, bytes) in zip(lines, repeat([1303640504, 4083723152, 220834991], 2), repeat([24, 12, 60], 2))
        says(line, "crc32", crc)
        says(line, "bytes", bytes)
    end
    for line in lines[[2, 5]]
        says(line, "quantization", "\"per_channel_affine\"")
        says(line, "axis", 0)
        says(line, "last_scale", 0.25)
    end
    for line in lines[[3, 6]]
        says(line, "nnz", 3)
        says(line, "middle_row", 0)
        says(line, "middle_column", 2)
        says(line, "middle_value", -2.0)
    end
    says(lines[7], "live_handles", 0)
    Hurray.open(out) do file
        @test Hurray.kv(file)["language"] == "Julia"
        @test view(file["from_julia"]) == [0 1 2 3; 10 11 12 13; 20 21 22 23]
    end
end
