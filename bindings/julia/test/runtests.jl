# The tests of the package: `make test-julia` in the root. They need the library (HURRAY_LIBRARY) and a C compiler.
using Hurray, Test

include("helpers.jl")

# Files by noun; `julia test/runtests.jl NAME...` runs those whose name contains one of the words.
const FILES = filter(readdir(@__DIR__)) do name
    startswith(name, "test_") && (isempty(ARGS) || any(word -> occursin(word, name), ARGS))
end

const started = Hurray.live_handles()
const whole = @testset "Hurray on Julia $VERSION" begin
    for name in FILES
        @testset "$name" begin
            include(name)
            # Whatever a file's tests made is gone after them, and was gone once.
            settle()
            @test Hurray.live_handles() == started
            @test Hurray.live_roots() == 0
        end
    end
end

# The names of all that passed, for `make test-parity`. Where one has failed, nothing comes as far as this.
names(set) = vcat([set.description], (names(one) for one in set.results if one isa Test.DefaultTestSet)...)
const record = joinpath(@__DIR__, "..", "..", "..", "build", "tests", "julia.txt")
mkpath(dirname(record))
open(io -> foreach(name -> println(io, "ok ", name), names(whole)), record, "w")
