# The memory of this process, in bytes.
resident() = parse(Int, split(read("/proc/self/statm", String))[2]) * 4096

# B121, and the rest of what is made and dropped: memory does not grow with the rounds.
@testset "100 000 rounds" begin
    array = rand(16)
    function rounds(n)
        most = 0
        for _ in 1:n
            tensor = Tensor(array)
            pointer = export_handle(tensor)
            close(tensor)
            back = import_handle(pointer)
            found = view(back)
            found[1] == array[1] || error("differs")
            close(found.owner)
            close(back)
            most = max(most, Hurray.live_roots())
        end
        return most
    end
    rounds(50_000)
    settle()
    GC.gc()
    before = resident()
    @test rounds(100_000) < 100
    settle()
    GC.gc()
    @test Hurray.live_handles() == started && Hurray.live_roots() == 0
    @test resident() - before < 8 * 2^20
end

@testset "arrays that nobody closes go too, without a pause for the event loop" begin
    function rounds(n)
        for _ in 1:n
            Tensor(rand(Float32, 2^18))
        end
    end
    rounds(100)
    before = resident()
    rounds(1000)
    # A thousand of these are a gigabyte.
    @test resident() - before < 300 * 2^20
    settle()
end
