@testset "the library says its file, its version and that nothing is alive" begin
    @test isfile(Hurray.library_path())
    @test occursin(r"^\d+\.\d+\.\d+", Hurray.library_version())
    @test Hurray.live_handles() == started
end

# Every function but one ends the program.
function stub(version)
    names = [string(name) for (name, _) in Hurray.DOORS if name != :hurray_c_abi_version]
    source = "#include <stdlib.h>\nunsigned hurray_c_abi_version(void) { return $version; }\n"
    return compile("stub_$version", source * join("void $name(void) { abort(); }\n" for name in names))
end

@testset "a library of another C ABI version is refused before any other call" begin
    for version in (9, 11)
        library = stub(version)
        ok, text = child("using Hurray"; env = Dict("HURRAY_LIBRARY" => library))
        @test !ok
        @test occursin("C ABI version $version", text)
        @test occursin("version 10", text)
        @test occursin(library, text)
    end
end

@testset "what is no library, or not there, is named" begin
    ok, text = child("using Hurray"; env = Dict("HURRAY_LIBRARY" => "no-such-library.so"))
    @test !ok
    @test occursin("no-such-library.so", text) && occursin("HURRAY_LIBRARY", text)
    other = compile("other", "int other(void) { return 1; }\n")
    ok, text = child("using Hurray"; env = Dict("HURRAY_LIBRARY" => other))
    @test !ok
    @test occursin("is no Hurray library", text)
end
