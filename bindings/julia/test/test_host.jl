# A program of another language that embeds Julia, by the crate jlrs: tensors go both ways in one process.

# What cargo needs to build it against the Julia that runs this.
function host_settings(root)
    folders = dirname.((libjulia(), Hurray.library_path()))
    pythons = joinpath(root, ".venv", "lib")
    natives = [joinpath(pythons, python, "site-packages", "clang", "native") for python in readdir(pythons)]
    # The compiler's own headers, without the intrinsics that clang has otherwise.
    headers = readchomp(`gcc -print-file-name=include`)
    return Dict(
        "JULIA_DIR" => dirname(Sys.BINDIR),
        "HURRAY_LIB_DIR" => folders[2],
        "LIBCLANG_PATH" => first(filter(isdir, natives)),
        "BINDGEN_EXTRA_CLANG_ARGS" =>
            "-isystem $headers -D_IMMINTRIN_H_INCLUDED -Wno-implicit-function-declaration",
        "CARGO_ENCODED_RUSTFLAGS" => join(
            ["-L$(folders[1])"; ["-Clink-arg=-Wl,-rpath,$folder" for folder in folders]], '\x1f',
        ),
    )
end

# jlrs 0.10 knows Julia 1.5 and 1.6; those that know later ones begin with 1.10.
if VERSION < v"1.7"
    @testset "a Rust program that embeds Julia" begin
        root = normpath(joinpath(@__DIR__, "..", "..", ".."))
        manifest = joinpath(@__DIR__, "host", "Cargo.toml")
        target = joinpath(root, "target", "julia-host")
        build = `cargo build --quiet --locked --manifest-path $manifest --target-dir $target`
        run(addenv(build, host_settings(root)))
        @test readchomp(`$(joinpath(target, "debug", "hurray-julia-host"))`) == "passed"
    end
else
    println("not run: a Rust program that embeds Julia; jlrs 0.10 does not know Julia $VERSION")
end
