# The programs of the README run, and print what it says.
@testset "README" begin
    text = read(joinpath(@__DIR__, "..", "README.md"), String)
    blocks = collect(eachmatch(r"^```(\w+)\n(.*?)^```$"ms, text))
    @test !isempty(blocks)
    for (k, block) in enumerate(blocks)
        block[1] == "julia" || continue
        ok, output = child(block[2])
        @test ok
        k < length(blocks) && blocks[k + 1][1] == "text" && @test output == blocks[k + 1][2]
    end
end
