# B121, B122: numpy takes one tensor of Julia's a thousand times, by an object with both methods of DLPack's protocol.
@testset "a Python program that embeds Julia" begin
    python = joinpath(@__DIR__, "..", "..", "..", ".venv", "bin", "python")
    program = joinpath(@__DIR__, "python", "host.py")
    @test readchomp(`$python $program $(libjulia())`) == "passed"
end
