# A program of another language that embeds Julia: tensors go both ways in one process.
@testset "a Rust program that embeds Julia" begin
    prefix = dirname(Sys.BINDIR)
    folders = filter(isdir, [joinpath(prefix, "lib", "x86_64-linux-gnu"), joinpath(prefix, "lib")])
    libraries = [joinpath(folder, name) for folder in folders for name in readdir(folder) if name == "libjulia.so"]
    program = joinpath(SCRATCH, "host")
    # The linker looks for a name without a version.
    symlink(Hurray.library_path(), joinpath(SCRATCH, "libhurray.so"))
    paths = [dirname(first(libraries)), SCRATCH, dirname(Hurray.library_path())]
    flags = collect(Iterators.flatten((["-L", path, "-C", "link-arg=-Wl,-rpath,$path"] for path in paths)))
    source = joinpath(@__DIR__, "host", "host.rs")
    run(`rustc --edition 2024 -A dead_code $flags -o $program $source`)
    @test readchomp(`$program`) == "passed"
end
