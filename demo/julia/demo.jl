# Julia's part of the tour: it reads what Python wrote, and writes a tensor that Python reads.
#
#     bindings/julia/julia demo/julia/demo.jl FILE STREAM OUT
#
# FILE is a file of tensors, STREAM a Unix socket to connect to, or a file or pipe with a stream of tensors, OUT the
# file to write. One JSON object a line goes to standard output: one for each tensor of the file, then of the stream,
# with the CRC-32 of its logical bytes, then one with the number of live handles. The exit code is 1 if anything fails.
using Hurray, Sockets

include(joinpath(@__DIR__, "..", "..", "bindings", "julia", "adapter", "json.jl"))

# CRC-32 as zlib has it.
const TABLE = map(0:255) do byte
    foldl((c, _) -> isodd(c) ? 0xedb88320 ⊻ (c >> 1) : c >> 1, 1:8; init = UInt32(byte))
end
crc32(bytes, before = 0x00000000) = ~foldl((c, b) -> TABLE[(c ⊻ b) & 0xff + 1] ⊻ (c >> 8), bytes; init = ~before)

# The elements in row-major order, as bytes.
function logical_bytes(tensor)
    found = view(tensor)
    straight = found isa Hurray.RowArray ? Hurray.memory(found) : permutedims(found, ndims(found):-1:1)
    return reinterpret(UInt8, vec(Array(straight)))
end

# The arrays of a tensor: its elements, or a sparse one's values, then what else it has.
function parts(tensor)
    found = Tensor[]
    for role in (:values, :indices, :pointers, :scales, :zero_points)
        try
            push!(found, Hurray.part(tensor, role))
        catch error
            error isa HurrayError && error.status == Hurray.HURRAY_ERR_FIELD_NOT_APPLICABLE || rethrow()
            role === :values && push!(found, Hurray.share(tensor))
        end
    end
    return found
end

function report(from, name, tensor)
    layout, scheme = Hurray.layout(tensor), Hurray.quantization(tensor)
    told = Dict{String,Any}(
        "from" => from, "name" => name, "dtype" => string(nameof(Hurray.element_type(tensor))),
        "shape" => Hurray.shape(tensor), "layout" => string(nameof(layout)), "copied" => Hurray.copied_bytes(tensor),
        "bytes" => 0, "crc32" => 0x00000000,
    )
    for part in parts(tensor)
        bytes = logical_bytes(part)
        told["crc32"] = crc32(bytes, told["crc32"])
        told["bytes"] += length(bytes)
        close(part)
    end
    if scheme !== nothing
        told["quantization"] = string(nameof(scheme))
        if scheme isa Hurray.PerChannelAffine
            told["axis"] = scheme.axis - 1
            told["last_scale"] = Hurray.scales(tensor)[end]
        end
    end
    if layout isa Hurray.CsrLayout && layout.nnz > 0
        middle = layout.nnz ÷ 2
        told["nnz"] = layout.nnz
        told["middle_row"] = searchsortedlast(Hurray.pointers(tensor), middle) - 1
        told["middle_column"] = Hurray.indices(tensor)[middle + 1]
        told["middle_value"] = Hurray.values(tensor)[middle + 1]
    end
    println(Json.text(told))
    close(tensor)
    return nothing
end

function read_file(path)
    Hurray.open(path) do file
        for name in Hurray.entry_names(file)
            item = file[name]
            # The members of a composite are entries too.
            item isa Tensor ? report("file", name, item) : close(item)
        end
    end
end

function read_stream(path)
    source = issocket(path) ? connect(path) : open(path)
    reader = StreamReader(source)
    for (count, item) in enumerate(reader)
        item isa Tensor ? report("stream", string(count - 1), item) : close(item)
    end
    close(reader)
    close(source)
end

# A column-major tensor whose element [i, j], from 0, is 10 i + j.
write_file(path) =
    Hurray.save(path, ["from_julia" => [10.0i + j for i in 0:2, j in 0:3]]; kv = ["language" => "Julia"])

function main(file, stream, out)
    read_file(file)
    read_stream(stream)
    write_file(out)
end

length(ARGS) == 3 || (println(stderr, "usage: demo.jl FILE STREAM OUT"); exit(2))
main(ARGS...)
for _ in 1:20
    GC.gc()
    sleep(0.001)
    Hurray.live_handles() == 0 && break
end
println(Json.text(Dict("live_handles" => Hurray.live_handles())))
