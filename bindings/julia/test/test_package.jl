# The package in a folder of its own, with the library inside, as Pkg installs it: nothing of this tree is in reach.
@testset "installed by Pkg" begin
    folder, depot = joinpath(SCRATCH, "Hurray"), joinpath(SCRATCH, "depot")
    script = joinpath(@__DIR__, "..", "package.sh")
    run(`$script $folder`)
    @test sort(readdir(folder)) == ["LICENSE-APACHE", "LICENSE-MIT", "Project.toml", "README.md", "lib", "src"]
    # A registry without packages: Pkg then asks no server.
    registry = mkpath(joinpath(depot, "registries", "Empty"))
    write(joinpath(registry, "Registry.toml"), """
        name = "Empty"
        uuid = "6b0c2a5e-3d27-4a0f-8b6e-5b1f6c9d2e47"
        repo = ""
        [packages]
        """)
    env = Dict("JULIA_DEPOT_PATH" => depot, "JULIA_LOAD_PATH" => "@:@stdlib", "HURRAY_LIBRARY" => "")
    ok, text = child("""
        import Pkg
        Pkg.activate($(repr(joinpath(SCRATCH, "project"))))
        Pkg.develop(Pkg.PackageSpec(path = $(repr(folder))))
        using Hurray
        print('\\n', Hurray.library_path(), ' ', sum(view(Tensor([1.0, 2.0]))))
        """; env = env)
    @test ok
    @test last(split(text, '\n')) == "$(joinpath(folder, "lib", "libhurray.so.10")) 3.0"
end
