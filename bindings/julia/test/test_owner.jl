# What is alive, and for how long.

# An object that says when it is gone.
mutable struct Watched
    array::Vector{Float64}
end
const gone = Threads.Atomic{Int}(0)
function watched()
    value = Watched(rand(1000))
    finalizer(_ -> Threads.atomic_add!(gone, 1), value)
    tensor = Hurray.wrap(ElementType(Float64), UInt64[1000], nothing, pointer(value.array), value)
    return tensor, sum(value.array)
end

# Everything below runs in functions: the body of a testset keeps its intermediate values alive.

function lives_until_close()
    settle()
    gone[] = 0
    tensor, total = watched()
    GC.gc()
    alive = (gone[], Hurray.live_roots(), sum(view(tensor)) == total)
    close(tensor)
    return alive
end

@testset "an array lives as long as its tensor, and goes once" begin
    @test lives_until_close() == (0, 1, true)
    settle(() -> gone[] == 1)
    @test gone[] == 1 && Hurray.live_roots() == 0
end

function outlives(hold)
    settle()
    gone[] = 0
    tensor, total = watched()
    held = hold(tensor)
    close(tensor)
    GC.gc()
    sleep(0.001)
    GC.gc(false)
    right = held isa TensorArray ? sum(held) == total : isopen(held)
    return gone[], right
end

@testset "$name of a tensor outlives it" for (name, hold) in (
    "a view" => view,
    "a buffer" => t -> Hurray.buffers(t)[1],
    "the descriptor" => Descriptor,
    "a share" => Hurray.share,
    "a tensor of its buffers" => t -> Tensor(Float64, size(t), Hurray.buffers(t); byte_offset = Hurray.byte_offset(t)),
)
    @test outlives(hold) == (0, true)
    settle(() -> gone[] == 1)
    @test gone[] == 1
end

function drop(n)
    for _ in 1:n
        watched()
    end
end

@testset "without close, collection is enough" begin
    gone[] = 0
    drop(50)
    settle(() -> gone[] == 50)
    @test gone[] == 50
end

# B117: the last share goes on a thread that Julia does not know.
function destroy_on_a_thread(pointer)
    thread = zeros(UInt8, 64)
    box = Ref(Ptr{Hurray.HurrayTensor}(pointer))
    GC.@preserve box thread begin
        entry = Hurray.ADDRESS_OF_hurray_tensor_destroy[]
        code = ccall(:uv_thread_create, Cint, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), thread, entry, box)
        code == 0 || error("no thread")
        ccall(:uv_thread_join, Cint, (Ptr{Cvoid},), thread)
    end
    box[] == C_NULL || error("the handle is still there")
end

function hand_over(n)
    tensors = [watched()[1] for _ in 1:n]
    pointers = export_handle.(tensors)
    foreach(close, tensors)
    return pointers
end

@testset "release on a foreign thread: sends of one handle coalesce, those of different ones do not" begin
    for n in (1, 1, 200)
        settle()
        gone[] = 0
        pointers = hand_over(n)
        @test gone[] == 0 && Hurray.live_roots() == n
        foreach(destroy_on_a_thread, pointers)
        settle(() -> gone[] == n)
        @test gone[] == n
    end
end

@testset "a failed constructor lets the array go" begin
    bad = failure(() -> Hurray.wrap(ElementType(0x7f), UInt64[3], nothing, C_NULL, "an owner"))
    @test bad isa HurrayError
    @test Hurray.live_roots() == 0
end

@testset "an array that is shared does not move" begin
    array = rand(100)
    tensor = Tensor(array)
    # Julia up to 1.10 refuses to grow it; a later one leaves the old memory where it is.
    try
        append!(array, rand(100_000))
    catch
    end
    @test view(tensor)[1:100] == array[1:100]
    close(tensor)
end

# B119: finalizers run inside any allocation, also while other tasks hold this package's locks.
@testset "finalizers neither wait nor fail" begin
    ok, text = child("""
        using Hurray
        function work(n)
            for k in 1:n
                tensor = Tensor(rand(64))
                found = view(tensor)
                d = Descriptor(tensor)
                found[1] == found[1] || error("differs")
                k % 7 == 0 && GC.gc(false)
                k % 5 == 0 && yield()
            end
        end
        lock(Hurray.ROOTS_LOCK) do
            t = [Tensor(rand(8)) for _ in 1:10]
            t = nothing
            GC.gc()
        end
        @sync for _ in 1:4
            Threads.@spawn work(300)
        end
        work(100)
        for _ in 1:50
            GC.gc(); yield(); sleep(0.001)
            Hurray.live_handles() == 0 && Hurray.live_roots() == 0 && break
        end
        print("live ", Hurray.live_handles(), " roots ", Hurray.live_roots())
        """; env = Dict("JULIA_NUM_THREADS" => "2"))
    @test ok
    @test text == "live 0 roots 0"
end

# Something of everything that passes pointers into Julia's own memory.
function everything(k)
    codes, numbers = fill(Int8(k), 2, 3), fill(Float32(k), 3)
    quantized = Tensor(codes, Hurray.PerChannelAffine(1), Float32[0.5, 0.25])
    view(Hurray.dequantize(quantized))[2, 1] == k / 4 || return false
    descriptor = Descriptor(Float32, (k, 2); shard = Hurray.Shard((2k, 2), (k, 0)), layout = Hurray.StridedLayout((2, 1)))
    Hurray.shape(Descriptor(Hurray.encode(descriptor))) == (k, 2) || return false
    view(import_handle(export_handle(Tensor(numbers)))) == numbers || return false
    group = Composite(:group, [Tensor(codes), Tensor(numbers)]; shape = (), type = Int8)
    file, stream = IOBuffer(), IOBuffer()
    Hurray.save(file, ["codes" => quantized, "group" => group]; kv = ["k" => k, "names" => ["a", "b$k"]])
    back = Hurray.open(file)
    Hurray.kv(back)["names"] == ["a", "b$k"] && view(back["group"][2]) == numbers || return false
    foreach(one -> write(StreamWriter(stream), one), (group, numbers))
    seekstart(stream)
    items = collect(StreamReader(stream))
    return view(items[1][1]) == codes && view(items[2]) == numbers &&
        failure(() -> Descriptor(b"XRRY0123456789")).status == Hurray.HURRAY_ERR_INVALID_MAGIC
end

# B123: what a pointer is passed of stays alive during the call, though another thread collects all the time.
@testset "collections between any two calls" begin
    @test everything(1)
    stop = Threads.Atomic{Bool}(false)
    collector = Threads.@spawn while !stop[]
        GC.gc(false)
        yield()
    end
    right = try
        map(everything, 2:30)
    finally
        stop[] = true
        wait(collector)
    end
    @test all(right)
end

@testset "ending Julia with tensors alive is quiet" begin
    ok, text = child("""
        using Hurray
        const kept = [Tensor(rand(10)) for _ in 1:10]
        const views = view.(kept)
        const handle = export_handle(kept[1])
        print("end")
        """)
    @test ok && text == "end"
end
