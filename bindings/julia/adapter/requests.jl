# What each request of the protocol asks for.
import Libdl

ok(pairs::Pair...) = Dict{String,Any}("status" => 0, pairs...)

answer(request) = perform(Val(Symbol(request["op"])), request)
perform(::Val{op}, _) where {op} = Dict{String,Any}("fault" => "no request is named $op")

perform(::Val{:hello}, _) =
    ok("language" => "julia", "abi_version" => Hurray.c_abi_version(), "library" => Hurray.library_path())
perform(::Val{:quit}, _) = ok()

function perform(::Val{:decode}, request)
    d = Descriptor(unhex(request["bytes"]); permissive = get(request, "permissive", false) == true)
    return ok("descriptor" => descriptor_out(d), "bytes" => hex(Hurray.encode(d)))
end

function perform(::Val{:build}, request)
    item = item_in(request["item"])
    return ok("item" => item_out(item), "bytes" => hex(Hurray.encode(item)))
end

perform(::Val{:bind}, request) = ok(
    "item" => item_out(Tensor(Descriptor(unhex(request["descriptor"])), [Hurray.Buffer(unhex(d)) for d in request["buffers"]])),
)

perform(::Val{:describe}, request) = ok("text" => sprint(show, item_in(request["item"])))

function perform(::Val{:array}, request)
    type, shape, data = element(request["dtype"]), integers(request["shape"]), unhex(request["data"])
    T = Hurray.julia_type(type)
    return T === nothing ? packed_array(type, shape, data) : plain_array(T, Val(length(shape)), shape, data)
end

# Row-major elements are an array with its axes reversed, looked at with the axes turned round.
function plain_array(::Type{T}, ::Val{N}, shape, data) where {T,N}
    memory = reshape(collect(reinterpret(T, data)), reverse(shape))
    array = N > 1 ? PermutedDimsArray(memory, ntuple(k -> N + 1 - k, N)) : memory
    tensor = Tensor(array; copy = false)
    found = view(tensor)
    row_major = N > 1 ? permutedims(found, N:-1:1) : collect(found)
    return ok(
        "item" => item_out(tensor), "values" => hex(reinterpret(UInt8, vec(row_major))),
        "shared" => isempty(found) || pointer(found) == pointer(memory),
    )
end

# Of packed types Julia has the bytes.
function packed_array(type, shape, data)
    tensor = Tensor(type, shape, data; copy = false)
    found = Hurray.memory(Hurray.buffers(tensor)[1])
    return ok(
        "item" => item_out(tensor), "values" => hex(found),
        "shared" => isempty(found) || pointer(found) == pointer(data),
    )
end

# ---- files and streams

const READING = (:max_descriptor_bytes, :max_buffer_bytes, :max_composite_depth)

function reading_settings(options, truths)
    settings = Pair{Symbol,Any}[name => options[string(name)] for name in READING if haskey(options, string(name))]
    for name in truths
        haskey(options, string(name)) && push!(settings, name => options[string(name)] != 0)
    end
    return settings
end

options_of(request) = something(get(request, "options", nothing), Dict{String,Any}())

function perform(::Val{:read_file}, request)
    source = haskey(request, "path") ? request["path"] : unhex(request["bytes"])
    settings = reading_settings(options_of(request), (:permissive, :verify))
    return Hurray.open(source; settings...) do file
        entries = [
            Dict{String,Any}("name" => name, "item" => item_out(file[k])) for
            (k, name) in enumerate(Hurray.entry_names(file))
        ]
        pairs = [kv_out(pair) for pair in Hurray.kv_pairs(file)]
        ok("entries" => entries, "items" => collect(keys(file)), "kv" => pairs)
    end
end

function perform(::Val{:write_file}, request)
    options = options_of(request)
    settings = Pair{Symbol,Any}[:durable => false, :compact => false]
    haskey(options, "data_alignment") && push!(settings, :alignment => options["data_alignment"])
    haskey(options, "sorted_index") && push!(settings, :sorted_index => options["sorted_index"] != 0)
    haskey(options, "index_crc") && push!(settings, :index_crc => options["index_crc"] != 0)
    haskey(options, "kv_mode") &&
        push!(settings, :kv_section => (:if_set, :always, :never, :unflagged)[options["kv_mode"] + 1])
    writer = Hurray.FileWriter(request["path"]; settings...)
    try
        for pair in something(get(request, "kv", nothing), ())
            Hurray.set_kv(writer, pair["key"], kv_in(pair))
        end
        for entry in request["entries"]
            writer[entry["name"]] = item_in(entry["item"])
        end
        Hurray.finish(writer)
    finally
        close(writer)
    end
    return ok()
end

# Bytes that come in pieces.
mutable struct Pieces <: IO
    inner::IOBuffer
    most::Int
end
Base.eof(io::Pieces) = eof(io.inner)
Base.bytesavailable(io::Pieces) = min(bytesavailable(io.inner), io.most)
Base.unsafe_read(io::Pieces, p::Ptr{UInt8}, n::UInt) = unsafe_read(io.inner, p, n)

function perform(::Val{:read_stream}, request)
    chunk = get(request, "chunk", 0)
    io = Pieces(IOBuffer(unhex(request["bytes"])), chunk == 0 ? typemax(Int) : chunk)
    reader = StreamReader(io; reading_settings(options_of(request), (:cross_machine, :permissive, :flat))...)
    items = Any[]
    answer = try
        for item in reader
            push!(items, Dict{String,Any}("stream_id" => Hurray.stream_id(reader), "item" => item_out(item)))
        end
        ok()
    catch failure
        failure isa HurrayError || rethrow()
        Dict{String,Any}("status" => failure.status, "message" => failure.message)
    end
    answer["items"] = items
    return answer
end

function perform(::Val{:write_stream}, request)
    io = IOBuffer()
    options = options_of(request)
    framed = request["form"] == "framed"
    writer = StreamWriter(
        io; stream_id = framed ? request["stream_id"] : nothing,
        max_message_bytes = framed ? integer(string(get(request, "max_message_size", 0))) : 0,
        cross_machine = get(options, "cross_machine", 0) != 0,
    )
    answer = try
        foreach(item -> write(writer, item_in(item)), request["items"])
        ok()
    catch failure
        failure isa HurrayError || rethrow()
        Dict{String,Any}("status" => failure.status, "message" => failure.message)
    end
    answer["bytes"] = hex(take!(io))
    return answer
end

# ---- many inputs

function inputs_of(request)
    haskey(request, "inputs") && return (unhex(text) for text in request["inputs"])
    base = unhex(request["base"])
    cut(n) = base[1:n]
    flip(n) = (bytes = copy(base); bytes[n >> 3 + 1] ⊻= 0x01 << (n & 7); bytes)
    return Iterators.flatten(((cut(n) for n in get(request, "cuts", ())), (flip(n) for n in get(request, "flips", ()))))
end

try_one(::Val{:decode}, bytes, options) = (Descriptor(bytes; permissive = get(options, "permissive", 0) != 0); nothing)

touch_all(t::Tensor) = foreach(b -> collect(Hurray.memory(b)), Hurray.buffers(t))
touch_all(c::Composite) = foreach(touch_all, c)
touch_all(::Hurray.DescriptorItem) = nothing

function try_one(::Val{:read_file}, bytes, options)
    Hurray.open(bytes; reading_settings(options, (:permissive, :verify))...) do file
        Hurray.kv_pairs(file)
        foreach(k -> touch_all(file[k]), 1:length(Hurray.entry_names(file)))
    end
end

try_one(::Val{:read_stream}, bytes, options) =
    foreach(touch_all, StreamReader(IOBuffer(bytes); reading_settings(options, (:cross_machine, :permissive, :flat))...))

function perform(::Val{:batch}, request)
    what, options = Val(Symbol(request["what"])), options_of(request)
    statuses = map(collect(inputs_of(request))) do bytes
        try
            try_one(what, bytes, options)
            0
        catch failure
            failure isa HurrayError || rethrow()
            Int(failure.status)
        end
    end
    return ok("statuses" => statuses)
end

# ---- the rest

function perform(::Val{:foreign}, request)
    library = Libdl.dlopen(request["library"])
    calls = Libdl.dlsym(library, :conformance_calls)
    handle = ccall(Libdl.dlsym(library, :conformance_handle), Ptr{Cvoid}, (UInt32,), request["version"])
    count(destroy) = Int(ccall(calls, UInt32, (Ptr{Cvoid}, UInt32), handle, destroy))
    status, message = try
        import_handle(handle)
        0, ""
    catch failure
        failure isa HurrayError || rethrow()
        Int(failure.status), failure.message
    end
    found = count(0)
    status == 0 || count(1)
    return Dict{String,Any}("status" => status, "message" => message, "calls" => found)
end

function settle()
    for _ in 1:20
        GC.gc()
        yield()
        sleep(0.001)
        Hurray.live_handles() == 0 && return nothing
    end
end

perform(::Val{:live_handles}, _) = (settle(); ok("count" => Hurray.live_handles()))
