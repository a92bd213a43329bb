# Descriptors written by hand, byte by byte, as the format's description of a descriptor lays them out.
le(value::Integer, width::Integer) = UInt8[(value >> 8k) & 0xff for k in 0:(width - 1)]
u32(value) = le(value, 4)
u64(value) = le(value, 8)

# A descriptor of CPU buffers of these sizes, aligned to 64.
function wire(; type, layout, shape, payload = UInt8[], buffers = Int[], quantization = UInt8[], byte_offset = 0)
    flags = isempty(quantization) ? 0 : 1
    body = [u32(flags); UInt8(type); UInt8(layout); u32(length(shape))]
    foreach(dim -> append!(body, u64(dim)), shape)
    append!(body, u64(byte_offset))
    append!(body, payload)
    push!(body, length(buffers))
    foreach(size -> append!(body, [u64(size); u32(64); zeros(UInt8, 4)]), buffers)
    isempty(quantization) || append!(body, [u32(length(quantization)); quantization])
    return [b"HRRY"; 0x01; 0x00; u32(length(body) + 10); body]
end

# Collects, and lets the event loop run, until everything that can be let go is, and `also` holds. A full collection
# takes a hundred times as long as one of young objects: most are found without.
function settle(also = () -> true)
    for round in 1:100
        GC.gc(round > 4)
        yield()
        sleep(0.001)
        Hurray.live_roots() == 0 && Hurray.live_handles() == started && also() && break
    end
    return nothing
end

# The error of an expression: `failure(() -> f(x))`, which must throw a HurrayError.
function failure(call)
    try
        call()
    catch error
        error isa HurrayError || rethrow()
        return error
    end
    error("nothing was thrown")
end

# The library of the Julia that runs this, for programs that embed it.
function libjulia()
    prefix = dirname(Sys.BINDIR)
    folders = [joinpath(prefix, "lib", "x86_64-linux-gnu"), joinpath(prefix, "lib")]
    return first(filter(isfile, joinpath.(folders, "libjulia.so")))
end

# A C source as a shared library, in a folder that goes with this process.
const SCRATCH = mktempdir()
function compile(name, source)
    file = joinpath(SCRATCH, name * ".c")
    write(file, source)
    library = joinpath(SCRATCH, name * ".so")
    run(`$(get(ENV, "CC", "gcc")) -shared -fPIC -O1 $file -o $library`)
    return library
end

# This program once more, with an expression to run: its output, and whether it ended well.
function child(code; env = Dict{String,String}())
    out = IOBuffer()
    command = addenv(`$(Base.julia_cmd()) --startup-file=no -e $code`, env)
    ok = success(pipeline(ignorestatus(command); stdout = out, stderr = out))
    return ok, String(take!(out))
end

# Julia 1.6 has this in Base.
function addenv(command::Cmd, env)
    all = Dict{String,String}(ENV)
    merge!(all, env)
    return setenv(command, all)
end
