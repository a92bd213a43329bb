# The rows of `make bench` for Julia. Each line: name, bar, best of ours and of the yardstick, medians, unit; tabs
# between. The yardstick is the same calls of the library written by hand, or Julia's own array.
using Hurray, Libdl

const H = Hurray
const ROUNDS = 15

median_of(times) = sort(times)[(length(times) + 1) ÷ 2]

# Best and median of both, in alternating rounds of `n` calls; in microseconds a call.
function row(name, bar, ours, theirs; n)
    mine, others = Float64[], Float64[]
    ours(n), theirs(n)
    for _ in 1:ROUNDS
        push!(mine, @elapsed ours(n))
        push!(others, @elapsed theirs(n))
    end
    scale = 1e6 / n
    println(join((name, bar, minimum(mine) * scale, minimum(others) * scale, median_of(mine) * scale,
                  median_of(others) * scale, "us"), '\t'))
end

# ---- make a tensor of an array, hand a share on, end both

const BY_HAND = Dict{Ptr{Cvoid},Any}()
const LIBRARY = dlopen(H.library_path())
const FROM_ARRAY = dlsym(LIBRARY, :hurray_tensor_from_array)
const SHARE = dlsym(LIBRARY, :hurray_tensor_share)
const DESTROY = dlsym(LIBRARY, :hurray_tensor_destroy)
const VERSION_OF = dlsym(LIBRARY, :hurray_tensor_abi_version)
const ARRAY_VIEW = dlsym(LIBRARY, :hurray_tensor_array_view)
const DESCRIPTOR = dlsym(LIBRARY, :hurray_tensor_descriptor)
const TYPE_TAG = dlsym(LIBRARY, :hurray_descriptor_element_type_tag)

function exchange_by_hand(array)
    condition = Base.AsyncCondition() do condition
        delete!(BY_HAND, condition.handle)
        close(condition)
    end
    BY_HAND[condition.handle] = (condition, array)
    tensor, other, version = Ref(C_NULL), Ref(C_NULL), Ref{UInt32}(0)
    shape = UInt64[size(array)...]
    steps = Int64[strides(array)...] .* sizeof(eltype(array))
    status = ccall(
        FROM_ARRAY, Int32,
        (UInt8, Ptr{UInt64}, Csize_t, Ptr{Int64}, Ptr{Cvoid}, UInt8, UInt8, Int32, UInt32, Ptr{Cvoid}, Ptr{Cvoid},
         Ptr{Cvoid}, Ptr{Ptr{Cvoid}}),
        3, shape, length(shape), steps, pointer(array), 0, 0, 0, 0, C_NULL, condition.handle,
        cglobal(:uv_async_send), tensor,
    )
    status == 0 || error("from_array: $status")
    ccall(SHARE, Int32, (Ptr{Cvoid}, Ptr{Ptr{Cvoid}}), tensor[], other) == 0 || error("share")
    ccall(DESTROY, Int32, (Ptr{Ptr{Cvoid}},), tensor)
    ccall(VERSION_OF, Int32, (Ptr{Cvoid}, Ptr{UInt32}), other[], version) == 0 || error("version")
    version[] == 10 || error("another version")
    ccall(DESTROY, Int32, (Ptr{Ptr{Cvoid}},), other)
    return nothing
end

function exchange(array)
    tensor = Tensor(array)
    handle = export_handle(tensor)
    close(tensor)
    close(import_handle(handle))
    return nothing
end

# The event loop has its turn in both, so that released arrays go.
function many(call, array, n)
    for k in 1:n
        call(array)
        k % 100 == 0 && (yield(); yield())
    end
end

# ---- look at a tensor as an array

const TYPES = Dict(UInt8(tag) => type for (tag, type) in H.JULIA_TYPES)

# `known` is the type and rank that the program expects, or nothing: then they are found out.
function view_by_hand(tensor, known)
    raw = tensor.pointer
    share = Ref(C_NULL)
    ccall(SHARE, Int32, (Ptr{Cvoid}, Ptr{Ptr{Cvoid}}), raw, share) == 0 || error("share")
    data, rank, flags = Ref(C_NULL), Ref{Csize_t}(8), Ref{UInt32}(0)
    shape, steps = Vector{UInt64}(undef, 8), Vector{Int64}(undef, 8)
    status = ccall(
        ARRAY_VIEW, Int32,
        (Ptr{Cvoid}, Ptr{Ptr{Cvoid}}, Ptr{UInt64}, Ptr{Int64}, Ptr{Csize_t}, Ptr{UInt32}), share[], data, shape, steps,
        rank, flags,
    )
    status == 0 || error("array_view: $status")
    descriptor, tag = Ref(C_NULL), Ref{UInt8}(0)
    ccall(DESCRIPTOR, Int32, (Ptr{Cvoid}, Ptr{Ptr{Cvoid}}), share[], descriptor) == 0 || error("descriptor")
    ccall(TYPE_TAG, Int32, (Ptr{Cvoid}, Ptr{UInt8}), descriptor[], tag) == 0 || error("type")
    first = if known === nothing
        unsafe_wrap(Array, Ptr{TYPES[tag[]]}(data[]), Tuple(Int(shape[k]) for k in 1:rank[]))[1]
    else
        tag[] == 3 && rank[] == 2 || error("another tensor")
        unsafe_wrap(Array, Ptr{Float32}(data[]), (Int(shape[1]), Int(shape[2])))[1]
    end
    ccall(DESTROY, Int32, (Ptr{Ptr{Cvoid}},), share)
    return first
end

# The type is known, as it is by hand.
function view_back(tensor)
    found = TensorArray{Float32,2,:column,true}(tensor)
    first = found[1]
    close(found.owner)
    return first
end

function view_any(tensor)
    found = view(tensor)
    first = found[1]
    close(found.owner)
    return first
end

function look(call, tensor, n)
    total = 0.0f0
    for _ in 1:n
        total += call(tensor)
    end
    return total
end

# ---- a file

function sum_of_file(path, n)
    for _ in 1:n
        Hurray.open(file -> sum(view(file["x"])), path; mode = :readonly)
    end
end

function sum_of_array(array, n)
    for _ in 1:n
        sum(array)
    end
end

function main()
    small = rand(Float32, 16, 16)
    row("Julia: wrap, export, destroy (by hand)", 2, n -> many(exchange, small, n),
        n -> many(exchange_by_hand, small, n); n = 2000)
    tensor = Tensor(small)
    row("Julia: view back, type known (by hand)", 1.5, n -> look(view_back, tensor, n),
        n -> look(t -> view_by_hand(t, Val(:float32_matrix)), tensor, n); n = 5000)
    row("Julia: view back, type found out (by hand)", 1.5, n -> look(view_any, tensor, n),
        n -> look(t -> view_by_hand(t, nothing), tensor, n); n = 5000)
    close(tensor)
    array = rand(Float32, 4096, 4096)
    mktempdir() do folder
        path = joinpath(folder, "x.hrry")
        Hurray.save(path, ["x" => PermutedDimsArray(array, (2, 1))]; durable = false)
        row("Julia: file mapped and summed (an array)", 1.2, n -> sum_of_file(path, n),
            n -> sum_of_array(array, n); n = 1)
    end
end

main()
